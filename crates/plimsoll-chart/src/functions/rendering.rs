//! What Helm adds: templates as functions, and ways to stop.

use crate::lookup::LookUp;
use crate::template::failure::Failure;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::machine::Caller;
use crate::template::origin::ValuePlace;
use crate::template::quote::quoted;
use crate::template::value::{Item, Text, Value};
use std::sync::Arc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("include", &[Parameter::Text, Parameter::Any], include),
    Function::new("tpl", &[Parameter::Text, Parameter::Any], tpl),
    Function::new("required", &[Parameter::Text, Parameter::Any], required),
    Function::new("fail", &[Parameter::Text], fail),
    Function::new("lookup", &[Parameter::Text, Parameter::Text, Parameter::Text, Parameter::Text], lookup),
    Function::new("getHostByName", &[Parameter::Text], |_| Ok("".into())),
    Function::new("hello", &[], |_| Ok("Hello!".into())),
];

/// Words around a message that Helm looks for.
const WARNING: (&str, &str) = ("HELM_ERR_START", "HELM_ERR_END");
/// How often Helm lets a template include itself.
const MAX_INCLUDED: u32 = 1_000;

fn include(call: &mut Call<'_>) -> Outcome {
    let name: Arc<str> = call.str(0).into();
    let count = call.machine.included.entry(Arc::clone(&name)).or_default();
    if *count > MAX_INCLUDED {
        return Err(format!(
            "rendering template has a nested reference name: {name}: unable to execute template"
        )
        .into());
    }
    *count += 1;
    let caller = Caller { origin: Some(call.origin), text: ValuePlace::NONE };
    let dot = call.item(1).settled();
    let text = call.machine.execute(&name, &dot, caller)?;
    if let Some(count) = call.machine.included.get_mut(&name) {
        *count -= 1;
    }
    call.machine.meter.make(text.len())?;
    Ok(Value::Text(text).into())
}

fn tpl(call: &mut Call<'_>) -> Outcome {
    let template = call.text(0);
    if !template.contains("{{") {
        return Ok(Item::new(Value::Text(without_no_value(template)), call.item(0).place));
    }
    let caller = Caller { origin: Some(call.origin), text: call.item(0).place };
    let dot = call.item(1).settled();
    let text = call.machine.execute_text(&template, &dot, caller).map_err(|failure| {
        // What cannot be parsed says so itself.
        let words = format!("error during tpl function execution for {}: ", quoted(&template));
        if failure.sites().is_empty() { failure } else { failure.within(&words) }
    })?;
    call.machine.meter.make(text.len())?;
    Ok(Item::new(Value::Text(without_no_value(text)), caller.text))
}

/// Helm takes out what Go prints for no value.
pub(crate) fn without_no_value(text: Text) -> Text {
    const NO_VALUE: &str = "<no value>";
    if !text.contains(NO_VALUE) {
        return text;
    }
    let mut kept = crate::template::value::TextBuilder::default();
    let mut start = 0;
    for part in text.split(NO_VALUE) {
        let end = start + part.len();
        let origin = text.spans().at(start);
        match origin {
            Some(origin) => kept.push_text(&text.part(start..end), origin),
            None => return Text::from(text.replace(NO_VALUE, "")),
        }
        start = end + NO_VALUE.len();
    }
    kept.finish()
}

fn required(call: &mut Call<'_>) -> Outcome {
    let is_missing = match call.value(1) {
        Value::Text(text) => text.is_empty(),
        value => value.is_nil(),
    };
    if is_missing { stop(call) } else { Ok(call.item(1)) }
}

fn fail(call: &mut Call<'_>) -> Outcome {
    stop(call)
}

/// What a template demands; one that goes on all the same gets nothing.
fn stop(call: &Call<'_>) -> Outcome {
    if call.machine.goes_on { Ok("".into()) } else { Err(warning(call.str(0))) }
}

fn warning(message: &str) -> Failure {
    let (start, end) = WARNING;
    Failure::from(message).wrapped(start, end)
}

/// Without a cluster nothing is found.
fn lookup(call: &mut Call<'_>) -> Outcome {
    let word = |index| call.str(index).to_owned();
    let question = LookUp { api_version: word(0), kind: word(1), namespace: word(2), name: word(3) };
    Ok(call.machine.lookups.answer(question)?.into())
}

//! `vars`: `$(NAME)` in the fields that may hold it (`internal/accumulator/refvartransformer.go`, `filters/refvar`).

mod expand;

use crate::accumulate::Accumulator;
use crate::kustomization::Variable;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node, Scalar, Tag, follow, split_smartly, steps};
use expand::{Replaced, expand};
use std::collections::BTreeMap;

/// What variables stand for.
type Values = BTreeMap<Box<str>, Replaced>;

/// Puts the values of variables into the fields that name them.
pub(crate) fn resolve(accumulator: &mut Accumulator) -> Result<(), Refusal> {
    let mut values = Values::new();
    for variable in accumulator.variables.values() {
        if let Some(value) = value_of(variable, &accumulator.resources)? {
            values.insert(variable.name.clone(), value);
        }
    }
    if accumulator.variables.is_empty() {
        return Ok(());
    }
    let specs = &accumulator.tables.config().var_reference;
    for resource in &mut accumulator.resources {
        let gvk = resource.gvk();
        for spec in specs {
            spec.apply(&mut resource.root, &gvk, None, &mut |node| change(node, &values))?;
        }
        resource.settle_twins();
    }
    Ok(())
}

/// What a variable stands for; nothing where that is a list or a map, which cannot be put into a text.
fn value_of(variable: &Variable, resources: &[Resource]) -> Result<Option<Replaced>, Refusal> {
    let refused =
        |cause: &str| Refusal::new(variable.place, format!("{cause} the variable `{}`", variable.name));
    let is_it = |resource: &&Resource| resource.variables.contains(&variable.name);
    let resource = resources.iter().find(is_it).ok_or_else(|| refused("kustomize finds no object for"))?;
    let path: Vec<String> =
        split_smartly(&variable.path, '.').iter().flat_map(|part| with_index(part)).collect();
    let found = steps(&path).and_then(|steps| follow(&resource.root, &steps));
    let node = found.ok().flatten().ok_or_else(|| refused("kustomize finds no field for"))?;
    let Form::Scalar(Scalar { text, tag, .. }) = &node.form else { return Ok(None) };
    let number = || refused("kustomize cannot read the number for");
    Ok(Some(match tag {
        Tag::Int => Replaced::Int(text.parse().map_err(|_| number())?),
        Tag::Float => Replaced::Float(text.parse().map_err(|_| number())?),
        Tag::Bool => Replaced::Bool(matches!(&**text, "true" | "True" | "TRUE")),
        _ => Replaced::Text(text.to_string()),
    }))
}

/// `name[3]` is a field and a position.
fn with_index(part: &str) -> Vec<String> {
    let inside = part.strip_suffix(']').and_then(|part| part.rsplit_once('['));
    match inside {
        Some((name, index)) if !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) => {
            [name, index].iter().filter(|part| !part.is_empty()).map(|part| (*part).to_owned()).collect()
        }
        _ => vec![part.to_owned()],
    }
}

fn change(node: &mut Node, values: &Values) -> Result<(), Refusal> {
    if node.is_null() {
        return Ok(());
    }
    match &mut node.form {
        Form::Scalar(_) => change_text(node, values),
        Form::Map(entries) => {
            for (key, value) in entries {
                if !key.is_text {
                    return Err(Refusal::new(
                        key.place,
                        "kustomize refuses a key that is not text; quote it",
                    ));
                }
                change_text(value, values);
            }
        }
        Form::List(items) => {
            for item in items {
                if !item.is_text() {
                    return Err(Refusal::new(
                        item.place,
                        "kustomize refuses an item that is not text; quote it",
                    ));
                }
                change_text(item, values);
            }
        }
    }
    Ok(())
}

fn change_text(node: &mut Node, values: &Values) {
    if !node.is_text() {
        return;
    }
    let replaced = expand(node.written(), |name| values.get(name));
    let (text, tag) = match replaced {
        Replaced::Text(text) => (text, Tag::Text),
        Replaced::Int(value) => (value.to_string(), Tag::Int),
        Replaced::Bool(value) => (value.to_string(), Tag::Bool),
        Replaced::Float(value) => (value.to_string(), Tag::Float),
    };
    node.form = Form::Scalar(Scalar { text: text.into(), tag, is_plain: true });
}

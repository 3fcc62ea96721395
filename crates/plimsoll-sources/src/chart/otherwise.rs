//! A chart rendered a second time, as if the cluster served what the chart asks for and nobody is known to bring.

use super::{Rendered, rendered};
use crate::reading::Reading;
use plimsoll_chart::{Rendering, Request, render};
use plimsoll_model::{Object, ObjectId, Otherwise, Premise};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// How often an answer may lead to new questions.
const ROUNDS: usize = 3;

/// What a chart brings then; nothing if it asks for nothing, or if the answer makes no difference.
pub(super) fn of(
    made: &Rendered<'_>,
    request: Request,
    (plain, definitions): (&[Object], usize),
    namespace: &str,
    reading: &mut Reading<'_>,
) -> Option<Otherwise> {
    let (rendering, served) = render_again(made, request, reading)?;
    if texts(&rendering).eq(texts(&made.rendering)) {
        return None;
    }
    let again = Rendered { rendering: Arc::new(rendering), ..*made };
    let (coverage, problems) = (reading.bundle.coverage, reading.bundle.problems.len());
    let mut objects: Vec<Object> = plain.iter().take(definitions).cloned().collect();
    objects.extend(rendered(&again, namespace, reading));
    reading.bundle.coverage = coverage;
    reading.bundle.problems.truncate(problems);
    let known: FxHashSet<&ObjectId> = plain.iter().map(|object| &object.id).collect();
    let is_new = |object: &&mut Object| object.premise.is_none() && !known.contains(&object.id);
    for object in objects.iter_mut().filter(is_new) {
        let says = says(object, &served);
        object.premise = Some(Arc::new(Premise { says, carrier: None, is_outline: false }));
    }
    Some(Otherwise { served, objects })
}

/// Renders with every API served that may be; says so where the chart cannot be rendered then.
fn render_again(
    made: &Rendered<'_>,
    mut request: Request,
    reading: &mut Reading<'_>,
) -> Option<(Rendering, Vec<String>)> {
    let mut served: Vec<String> = Vec::new();
    let mut found: Option<Rendering> = None;
    for _ in 0..ROUNDS {
        let asked = &found.as_ref().unwrap_or(&made.rendering).unanswered;
        let more: Vec<String> = asked.iter().filter(|api| reading.may_be_served(api)).cloned().collect();
        if more.is_empty() {
            break;
        }
        request.capabilities.api_versions.extend(more.iter().cloned());
        served.extend(more);
        match render(made.chart, &request) {
            Ok(rendering) => found = Some(rendering),
            Err(failure) => {
                let cause =
                    format!("with {} served, the chart cannot be rendered: {failure}", served.join(" and "));
                let place = reading.place_of(made.path);
                reading.problem(place, cause, false);
                return None;
            }
        }
    }
    Some((found?, served))
}

fn texts(rendering: &Rendering) -> impl Iterator<Item = &str> {
    rendering.files.iter().map(|file| file.text.as_str())
}

/// The API that an object is of, if the chart asked for that one; otherwise all that it asked for.
fn says(object: &Object, served: &[String]) -> String {
    let own = object.api_version();
    let is_own =
        |api: &&String| api.strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    match (served.iter().find(is_own), served) {
        (Some(api), _) | (None, [api]) => format!("{api} is served"),
        _ => format!("{} are served", served.join(" and ")),
    }
}

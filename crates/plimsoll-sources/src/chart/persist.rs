//! Charts that stop: what can be rendered of them all the same.

use super::otherwise::ROUNDS;
use super::{Unread, unrendered};
use crate::reading::Reading;
use plimsoll_chart::{Chart, RenderFailure, Renderer, Rendering, Request};
use plimsoll_model::{Object, Premise};
use std::sync::Arc;

/// What was rendered of a chart; where it stops, with what it asks for served, without the templates that need a chart which is not
/// there, or as if its demands were met. Says so, and which APIs were taken as served.
pub(super) fn persist(
    path: &str,
    chart: &Chart,
    (renderer, request): (&Renderer, &mut Request),
    outcome: Result<Rendering, RenderFailure>,
    reading: &mut Reading<'_>,
) -> Result<(Rendering, Vec<String>), Unread> {
    let failure = match outcome {
        Ok(rendering) => return Ok((rendering, Vec::new())),
        Err(failure) => failure,
    };
    let found = if failure.lacks_template() && !chart.missing().is_empty() {
        leave_out(path, (renderer, request), reading).map(|rendering| (rendering, Vec::new()))
    } else {
        let insisted = insist(path, (renderer, request), failure, reading);
        insisted.or_else(|failure| go_on(path, (renderer, request), failure, reading))
    };
    found.map_err(|failure| unrendered(&failure, path, reading))
}

/// Renders what a chart brings that demands values which nobody has given; the request then says so.
fn go_on(
    path: &str,
    (renderer, request): (&Renderer, &mut Request),
    first: RenderFailure,
    reading: &mut Reading<'_>,
) -> Result<(Rendering, Vec<String>), RenderFailure> {
    if !first.is_demand() || reading.offered.is_closed {
        return Err(first);
    }
    request.goes_on = true;
    let Ok(rendering) = renderer.render(request) else { return Err(first) };
    let (place, words) = unrendered(&first, path, reading);
    let cause = format!("{words}; what the chart brings otherwise is looked at all the same");
    reading.problem(place, cause, true);
    Ok((rendering, Vec::new()))
}

/// Lets objects say that they come from a chart whose demands are not met.
pub(super) fn presume_demands_met(objects: &mut [Object]) {
    let says = "the values are given that the chart demands".to_owned();
    let premise = Arc::new(Premise { says, carrier: None, is_outline: false });
    for object in objects.iter_mut().filter(|object| object.premise.is_none()) {
        object.premise = Some(Arc::clone(&premise));
    }
}

/// Renders what does without the charts that are missing.
fn leave_out(
    path: &str,
    (renderer, request): (&Renderer, &mut Request),
    reading: &mut Reading<'_>,
) -> Result<Rendering, RenderFailure> {
    request.leaves_out = true;
    let rendering = renderer.render(request)?;
    let mut left_out = rendering.left_out.iter();
    if let Some(first) = left_out.next() {
        let (place, words) = unrendered(first, path, reading);
        let more = match left_out.count() {
            0 => String::new(),
            1 => ", and neither is one more".to_owned(),
            count => format!(", and neither are {count} more"),
        };
        let cause = format!(
            "this template is not read{more}: what it needs is defined in a chart that is not in `charts/`: {words}"
        );
        reading.problem(place, cause, true);
    }
    Ok(rendering)
}

/// Renders a chart that stops where something is not served, with that served; says so, and what it is.
fn insist(
    path: &str,
    (renderer, request): (&Renderer, &mut Request),
    first: RenderFailure,
    reading: &mut Reading<'_>,
) -> Result<(Rendering, Vec<String>), RenderFailure> {
    let mut served: Vec<String> = Vec::new();
    let mut asked = asked_in_vain(&first);
    for _ in 0..ROUNDS {
        asked.retain(|api| !served.contains(api) && reading.may_be_served(api));
        if asked.is_empty() || reading.offered.is_closed {
            break;
        }
        request.capabilities.api_versions.extend(asked.iter().cloned());
        served.append(&mut asked);
        match renderer.render(request) {
            Ok(rendering) => {
                let place = reading.place_of(path);
                let cause =
                    format!("the chart asks for {}, which is taken as served: {first}", served.join(" and "));
                reading.problem(place, cause, false);
                return Ok((rendering, served));
            }
            Err(next) => asked = asked_in_vain(&next),
        }
    }
    Err(first)
}

fn asked_in_vain(failure: &RenderFailure) -> Vec<String> {
    match failure {
        RenderFailure::Template { unanswered, is_limit: false, .. } => unanswered.clone(),
        _ => Vec::new(),
    }
}

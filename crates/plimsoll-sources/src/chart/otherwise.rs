//! A chart rendered a second time, as if the cluster served what the chart asks for and nobody is known to bring.

use super::{Rendered, rendered};
use crate::input::Offered;
use crate::reading::Reading;
use plimsoll_chart::{Renderer, Rendering, Request};
use plimsoll_model::{Coverage, Object, ObjectId, Otherwise, Premise};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// How often an answer may lead to new questions.
pub(super) const ROUNDS: usize = 3;

/// A second rendering that has begun.
pub(super) struct Doubt {
    renderer: Renderer,
    request: Request,
    /// What is taken to be served.
    served: Vec<String>,
}

impl Doubt {
    /// Begins to render with every API served that may be; nothing if the chart asks for none.
    pub(super) fn begin(
        made: &Rendered<'_>,
        renderer: Renderer,
        request: Request,
        reading: &mut Reading<'_>,
    ) -> Option<Self> {
        let mut doubt = Self { renderer, request, served: Vec::new() };
        (!reading.offered.is_closed && doubt.ask(&made.rendering, reading)).then_some(doubt)
    }

    /// Whether the answers so far led to new questions, which are then being answered.
    fn ask(&mut self, rendering: &Rendering, reading: &mut Reading<'_>) -> bool {
        let asked = rendering.unanswered.iter();
        let more: Vec<String> = asked.filter(|api| reading.may_be_served(api)).cloned().collect();
        if more.is_empty() {
            return false;
        }
        self.request.capabilities.api_versions.extend(more.iter().cloned());
        self.served.extend(more);
        self.renderer.begin(&self.request);
        true
    }

    /// What the chart brings then; nothing if it makes no difference.
    pub(super) fn settle(
        self,
        made: &Rendered<'_>,
        (plain, definitions): (&[Object], usize),
        namespace: &str,
        reading: &mut Reading<'_>,
    ) -> Option<Otherwise> {
        let (rendering, served) = self.finish(made, reading)?;
        if texts(&rendering).eq(texts(&made.rendering)) {
            return None;
        }
        let again = Rendered { rendering: Arc::new(rendering), ..*made };
        let (coverage, problems) = (reading.bundle.coverage, reading.bundle.problems.len());
        let mut objects: Vec<Object> = plain.iter().take(definitions).cloned().collect();
        objects.extend(rendered(&again, namespace, reading));
        reading.bundle.coverage = coverage;
        reading.bundle.problems.truncate(problems);
        presume(&mut objects, plain, &served);
        Some(Otherwise { served, objects })
    }

    /// The last rendering; says so where the chart cannot be rendered then.
    fn finish(mut self, made: &Rendered<'_>, reading: &mut Reading<'_>) -> Option<(Rendering, Vec<String>)> {
        let mut rounds = 1;
        loop {
            match self.renderer.finish() {
                Ok(rendering) if rounds == ROUNDS || !self.ask(&rendering, reading) => {
                    return Some((rendering, self.served));
                }
                Ok(_) => rounds += 1,
                Err(failure) => {
                    let served = self.served.join(" and ");
                    let cause = format!("with {served} served, the chart cannot be rendered: {failure}");
                    let place = reading.place_of(made.path);
                    reading.problem(place, cause, false);
                    return None;
                }
            }
        }
    }
}

/// Lets what comes only then say so.
pub(super) fn presume(objects: &mut [Object], plain: &[Object], served: &[String]) {
    let known: FxHashSet<&ObjectId> = plain.iter().map(|object| &object.id).collect();
    let is_new = |object: &&mut Object| object.premise.is_none() && !known.contains(&object.id);
    for object in objects.iter_mut().filter(is_new) {
        let says = says(object, served);
        object.premise = Some(Arc::new(Premise { says, carrier: None, is_outline: false }));
    }
}

/// A command that is read a second time, since charts in it have asked for what may be served.
pub(crate) struct Again {
    served: Vec<String>,
    offered: Offered,
    coverage: Coverage,
    problems: usize,
}

impl Again {
    /// From here on everything is served that was asked for; nothing if nothing was.
    pub(crate) fn begin(reading: &mut Reading<'_>) -> Option<Self> {
        let asked = std::mem::take(&mut reading.asked).into_iter();
        let served: Vec<String> = asked.filter(|api| reading.may_be_served(api)).collect();
        if served.is_empty() || reading.offered.is_closed {
            return None;
        }
        let offered = reading.offered.clone();
        reading.offered.api_versions.extend(served.iter().cloned());
        let (coverage, problems) = (reading.bundle.coverage, reading.bundle.problems.len());
        Some(Self { served, offered, coverage, problems })
    }

    /// What the command delivers then; nothing if it makes no difference.
    pub(crate) fn end(
        self,
        objects: Option<Vec<Object>>,
        plain: &[Object],
        reading: &mut Reading<'_>,
    ) -> Option<Otherwise> {
        let Self { served, offered, coverage, problems } = self;
        reading.offered = offered;
        reading.bundle.coverage = coverage;
        reading.bundle.problems.truncate(problems);
        reading.asked.clear();
        let mut objects = objects?;
        let is_same = |(one, other): (&Object, &Object)| one.id == other.id && one.root.means(&other.root);
        if objects.len() == plain.len() && objects.iter().zip(plain).all(is_same) {
            return None;
        }
        presume(&mut objects, plain, &served);
        Some(Otherwise { served, objects })
    }
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

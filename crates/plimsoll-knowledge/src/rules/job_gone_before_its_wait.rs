//! PLM-R049: a wait for a Job comes when the Job is done and deleted, since `ttlSecondsAfterFinished` is so short.
//!
//! kubernetes v1.36.4 `pkg/controller/ttlafterfinished`; seen on a real server: who watches already sees it complete,
//! who comes later finds nothing.

use super::wait_before_object_exists::matters;
use crate::rule::{Found, Rule};
use crate::tools::gates;
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Gone, Started};
use plimsoll_model::{Action, Actor, Class, Clause, Code, Condition, Delay, Moment, ObjectId};
use std::time::Duration;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R049"),
    name: "job-gone-before-its-wait",
    class: Class::OneShotProbe,
    page: include_str!("job_gone_before_its_wait.md"),
    find,
};

/// What a Job leaves a script to come and look; longer than that is meant to be looked at.
const SHORT: u64 = 10;

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Wait(gate) = &step.action else { continue };
        let is_wait = gate.needs_existing && gate.condition != Condition::Running;
        let Some(place) = step.place.filter(|_| is_wait && matters(view, index, step)) else { continue };
        let watched = gate.targets.iter().flat_map(|target| gates::watched(view, target));
        for (id, stays) in watched.filter_map(|id| Some((id.clone(), stay(view, &id)?))) {
            let delay = Delay { low: stays, usual: stays, high: stays };
            found.cause(id.at(Gone), vec![Clause::one(id.at(Complete))], delay);
            let seconds = stays.as_secs();
            let text = format!("Error from server (NotFound): jobs.batch \"{}\" not found", id.name());
            RULE.requires(Clause(Vec::new()), Moment::step(index, Started))
                .at(place)
                .says(format!("`{}` looks for {id}, which is deleted {seconds} s after its end", step.says))
                .answered(Actor::Tool, format!("looks for {id}"), text)
                .mended(format!("let {id} stay for a while: `ttlSecondsAfterFinished: 600`"))
                .push_window(vec![Clause::one(id.at(Gone))], found);
        }
    }
}

/// How long a Job stays when it is done, if that is short.
fn stay(view: &View<'_>, id: &ObjectId) -> Option<Duration> {
    let job = view.object(id).filter(|_| id.is("batch", "Job"))?;
    let seconds = job.root.int_at(&["spec", "ttlSecondsAfterFinished"])?;
    u64::try_from(seconds).ok().filter(|seconds| *seconds <= SHORT).map(Duration::from_secs)
}

//! A timeline in words: who does what at which time.

use super::question::Asked;
use plimsoll_model::{
    Action, Actor, Instant, Milestone, Moment, ObjectId, Reading, Requirement, Step, StepIndex, Subject,
    Timeline, Tool,
};
use plimsoll_order::{Flaw, Race, Reached};
use std::time::Duration;

/// Tells a race: what leads to the failure, the failure, what then arrives, and how it heals. Only in full is the
/// way there told, and replayed by the checker; it is long, and alike for all pairs of one cause.
pub(super) fn tell(
    asked: &Asked<'_>,
    requirement: &Requirement,
    race: &Race,
    is_full: bool,
) -> Result<Timeline, Flaw> {
    let mut cast: Vec<&ObjectId> = requirement.then.object().into_iter().collect();
    let needed = || requirement.first.0.iter().chain(&requirement.told);
    cast.extend(needed().filter_map(Moment::object));
    cast.extend(needed().flat_map(|moment| asked.index.producers(moment)));
    let is_told = |moment: &Moment| moment.object().is_none_or(|id| cast.contains(&id));
    let course = if is_full { Some(asked.order.course(race.breach, is_told)?) } else { None };
    let (prefix, provider) = course.map(|course| (course.prefix, course.provider)).unwrap_or_default();
    let told = |reached: &Reached| narrate(asked, &cast, &reached.moment, reached.time);
    let mut instants: Vec<Instant> = prefix.iter().filter_map(told).collect();
    instants.push(Instant {
        time: race.fails_at,
        actor: requirement.answer.actor,
        object: requirement.then.object().cloned(),
        does: requirement.answer.does.clone(),
        answer: requirement.answer.text.clone(),
    });
    instants.extend(silence(requirement, race));
    // What is missing comes after the failure, however early it usually is.
    let later =
        provider.iter().map(|reached| Reached { time: reached.time.max(race.fails_at), ..reached.clone() });
    instants.extend(later.filter_map(|reached| told(&reached)));
    if let Some(healed) = race.healed_at {
        instants.push(Instant {
            time: healed,
            actor: requirement.answer.actor,
            object: requirement.then.object().cloned(),
            does: format!("{}: this time it is there", requirement.answer.does),
            answer: None,
        });
    }
    Ok(Timeline(instants))
}

/// What follows a miss that nobody notices.
fn silence(requirement: &Requirement, race: &Race) -> Option<Instant> {
    let is_silent = requirement.reading == Reading::OnceSilently && requirement.answer.text.is_none();
    requirement.needed().filter(|needed| is_silent && needed.milestone != Milestone::Gone)?;
    Some(Instant {
        time: race.fails_at,
        actor: requirement.answer.actor,
        object: requirement.then.object().cloned(),
        does: "goes on without it and reports no error".to_owned(),
        answer: None,
    })
}

/// One moment in words; `None` for moments that explain nothing here.
fn narrate(asked: &Asked<'_>, cast: &[&ObjectId], moment: &Moment, time: Duration) -> Option<Instant> {
    let (actor, does) = match &moment.subject {
        Subject::Step(step) => (tool(asked, *step), begins(asked, *step, moment.milestone, cast)?),
        Subject::Request(step, id) if cast.contains(&id) => {
            (tool(asked, *step), request(id, moment.milestone)?)
        }
        Subject::Object(id) if cast.contains(&id) => object(asked, id, moment)?,
        _ => return None,
    };
    Some(Instant { time, actor, object: moment.object().cloned(), does, answer: None })
}

fn tool(asked: &Asked<'_>, step: StepIndex) -> Actor {
    Actor::ToolOf(asked.bundle.step(step).map_or(Tool::Kubectl, Step::tool))
}

/// Steps are told where they deliver one of the cast, or where a wait is over.
fn begins(asked: &Asked<'_>, index: StepIndex, milestone: Milestone, cast: &[&ObjectId]) -> Option<String> {
    let step = asked.bundle.step(index)?;
    match (&step.action, milestone) {
        (Action::Deliver(_), Milestone::Started)
            if cast.iter().any(|id| asked.index.step(id) == Some(index)) =>
        {
            Some(format!("runs {}", asked.says(step)))
        }
        (Action::Remove(_), Milestone::Started) => Some(format!("runs {}", step.says)),
        (Action::Wait(_), Milestone::Complete) => Some(format!("has waited: {}", step.says)),
        _ => None,
    }
}

fn request(id: &ObjectId, milestone: Milestone) -> Option<String> {
    (milestone == Milestone::Submitted).then(|| format!("sends {id}"))
}

fn object(asked: &Asked<'_>, id: &ObjectId, moment: &Moment) -> Option<(Actor, String)> {
    let told = |actor, does: &str| Some((actor, does.to_owned()));
    match moment.milestone {
        Milestone::Stored => {
            let carrier = asked.index.producers(moment).next()?;
            Some((maker(carrier), format!("writes {id} for {carrier}")))
        }
        Milestone::Established => told(Actor::ApiServer, "establishes its API"),
        Milestone::Discoverable => told(Actor::ApiServer, "lists it in discovery"),
        Milestone::Observed if is_workload(id) => told(Actor::Controller, "creates its pods"),
        Milestone::Bound if is_workload(id) => told(Actor::Scheduler, "binds its pods to nodes"),
        Milestone::Bound => told(Actor::Controller, "binds it to a volume"),
        Milestone::Started => told(Actor::Kubelet, "starts its containers"),
        Milestone::Ready if is_workload(id) => told(Actor::Kubelet, "reports its pods ready"),
        Milestone::Ready => told(maker(id), "reports it ready"),
        Milestone::Serving => told(Actor::Controller, "publishes an endpoint that answers"),
        Milestone::Complete => told(Actor::Controller, "reports it complete"),
        Milestone::Gone => told(Actor::ApiServer, "has deleted it"),
        _ => None,
    }
}

/// Who acts for an object.
pub(super) fn maker(id: &ObjectId) -> Actor {
    match (id.group(), id.kind()) {
        ("cert-manager.io", _) | ("networking.k8s.io", "Ingress") => Actor::Operator("cert-manager"),
        ("external-secrets.io", _) => Actor::Operator("external-secrets"),
        (group, _) if plimsoll_schema::is_builtin_group(group) => Actor::Controller,
        _ => Actor::Operator("its operator"),
    }
}

fn is_workload(id: &ObjectId) -> bool {
    matches!(id.group(), "apps" | "batch") || id.is("", "Pod")
}

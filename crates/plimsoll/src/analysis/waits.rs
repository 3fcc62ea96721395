//! Waits that fail by themselves: those that give up too early, and those in a circle.

use super::question::Asked;
use super::{mending, telling};
use plimsoll_model::{
    Action, Actor, Change, Class, Code, Confidence, Consequence, Deadline, End, Finding, Fix, Instant,
    Milestone, Moment, ObjectId, Operation, Safety, Subject, Timeline, Tool,
};
use plimsoll_order::{Due, Ground, Link, Stuck};
use std::time::Duration;

const TOO_SHORT: Code = Code("PLM-R040");
const CIRCLE: Code = Code("PLM-R044");
const FIRST_CONSUMER: Code = Code("PLM-R020");

/// Findings about waits alone: circles, and deadlines that no race explains.
pub(super) fn findings(asked: &Asked<'_>) -> Vec<Finding> {
    let circles = asked.order.stuck().into_iter().filter_map(|stuck| match stuck {
        Stuck::Circle(links) if !is_raced(asked, &links) => {
            later_hook(asked, &links).or_else(|| circle(asked, &links))
        }
        Stuck::Circle(_) | Stuck::Missing { .. } => None,
    });
    let missed = asked.order.deadlines().into_iter().filter(Due::is_missed);
    let short =
        missed.filter(|missed| !is_explained(asked, missed)).filter_map(|missed| too_short(asked, &missed));
    circles.chain(short).collect()
}

/// Whether a race tells the circle already: one of its links waits for what some order lacks.
fn is_raced(asked: &Asked<'_>, links: &[Link]) -> bool {
    let mut lacked =
        asked.races.iter().filter_map(|race| asked.requirement(race)).flat_map(|one| &one.first.0);
    lacked.any(|moment| {
        links.iter().any(|link| matches!(link.ground, Ground::Requirement(_)) && link.first == *moment)
    })
}

/// A race that heals is late all the same where a wait for the same object gives up before.
pub(super) fn judge(asked: &Asked<'_>, findings: &mut [Finding]) {
    for missed in asked.order.deadlines().into_iter().filter(Due::is_missed) {
        let Some(deadline) = asked.known.deadlines.get(missed.deadline) else { continue };
        for finding in findings.iter_mut().filter(|finding| finding.consequence == Consequence::Noise) {
            if awaited(deadline).any(|id| id == &finding.after.object) {
                finding.consequence = Consequence::Late;
                finding.timeline.0.push(gives_up(deadline, &missed));
                finding.timeline.0.sort_by_key(|instant| instant.time);
            }
        }
    }
}

fn awaited(deadline: &Deadline) -> impl Iterator<Item = &ObjectId> {
    deadline.awaited.iter().flat_map(|clause| &clause.0).filter_map(Moment::object)
}

/// Whether a race of an awaited object is why the wait is too short.
fn is_explained(asked: &Asked<'_>, missed: &Due) -> bool {
    let Some(deadline) = asked.known.deadlines.get(missed.deadline) else { return true };
    let raced: Vec<&ObjectId> =
        asked.races.iter().filter_map(|race| asked.requirement(race)?.then.object()).collect();
    awaited(deadline).any(|id| raced.contains(&id))
}

fn gives_up(deadline: &Deadline, missed: &Due) -> Instant {
    Instant {
        time: missed.start.unwrap_or_default().saturating_add(deadline.within),
        actor: Actor::Tool,
        object: None,
        does: format!("gives up: {}", deadline.says),
        answer: Some(timed_out(deadline)),
    }
}

/// What kubectl v1.36.4 prints. `kubectl wait` names what it waited for, except until it is created; `kubectl rollout
/// status` does not. The pods of a workload have names that nobody knows beforehand, and are left out.
fn timed_out(deadline: &Deadline) -> String {
    let text = "error: timed out waiting for the condition";
    let words =
        |name: &str| deadline.says.split_whitespace().any(|word| word.rsplit('/').next() == Some(name));
    let mut moments = deadline.awaited.iter().flat_map(|clause| &clause.0);
    let named = moments.find_map(|moment| {
        let id = moment.object().filter(|id| moment.milestone != Milestone::Stored && words(id.name()))?;
        Some(format!("{text} on {}/{}", plimsoll_schema::resource(id.group(), id.kind())?, id.name()))
    });
    named.filter(|_| deadline.says.starts_with("kubectl wait ")).unwrap_or_else(|| text.to_owned())
}

fn too_short(asked: &Asked<'_>, missed: &Due) -> Option<Finding> {
    let deadline = asked.known.deadlines.get(missed.deadline)?;
    let moment = deadline.awaited.iter().flat_map(|clause| &clause.0).next()?;
    let Subject::Step(step) = &deadline.start.subject else { return None };
    let needed = missed.usual?;
    let object = moment.object()?.clone();
    let within = seconds(deadline.within);
    let arrives = Instant {
        time: missed.start.unwrap_or_default().saturating_add(needed),
        actor: super::narration::maker(&object),
        object: Some(object.clone()),
        does: format!("is {} only now", moment.milestone),
        answer: None,
    };
    let patience = Duration::from_secs((needed * 2).as_secs().max(60));
    let mut finding = Finding {
        message: format!(
            "`{}` gives up after {within}, but {object} usually takes {}",
            deadline.says,
            seconds(needed)
        ),
        before: End {
            place: asked.index.place(&object),
            object,
            milestone: moment.milestone,
            carriers: Vec::new(),
        },
        after: End {
            object: telling::step_object(asked, *step),
            milestone: Milestone::Complete,
            carriers: Vec::new(),
            place: Some(deadline.place),
        },
        timeline: Timeline(vec![gives_up(deadline, missed), arrives]),
        fixes: vec![Fix::new(
            Safety::Safe,
            format!("give the wait more time, such as {} s", patience.as_secs()),
            Some(Change::Patience(patience)),
        )],
        ..empty(TOO_SHORT, Class::OneShotProbe, Consequence::Late, asked.operation)
    };
    telling::presume(asked, &mut finding, awaited(deadline));
    Some(finding)
}

fn circle(asked: &Asked<'_>, links: &[Link]) -> Option<Finding> {
    let moments = || links.iter().map(|link| &link.then);
    let is_step = |moment: &&Moment| matches!(moment.subject, Subject::Step(_));
    let is_wait = |moment: &&Moment| match moment.subject {
        Subject::Step(step) => {
            asked.bundle.step(step).is_some_and(|step| matches!(step.action, Action::Wait(_)))
        }
        _ => false,
    };
    let waiting = moments().find(is_wait).or(moments().find(is_step)).or(moments().next())?;
    let awaited = moments().find(|moment| matches!(moment.subject, Subject::Object(_)))?;
    let is_claim = awaited.object().is_some_and(|id| id.is("", "PersistentVolumeClaim"));
    let object = awaited.object()?.clone();
    let (after, place) = match &waiting.subject {
        Subject::Step(step) => {
            (telling::step_object(asked, *step), asked.bundle.step(*step).and_then(|step| step.place))
        }
        Subject::Object(id) | Subject::Request(_, id) => (id.clone(), asked.index.place(id)),
    };
    let told = links.iter().map(|link| Instant {
        time: Duration::ZERO,
        actor: Actor::Tool,
        object: link.then.object().cloned(),
        does: format!("{} waits for {}", words(asked, &link.then), words(asked, &link.first)),
        answer: None,
    });
    let summary = format!("move the wait behind what brings {object} about");
    let mut finding = Finding {
        message: format!("{} waits for {object}, which comes only after it", words(asked, waiting)),
        before: End {
            place: asked.index.place(&object),
            object,
            milestone: awaited.milestone,
            carriers: Vec::new(),
        },
        after: End { object: after, milestone: waiting.milestone, carriers: Vec::new(), place },
        timeline: Timeline(told.collect()),
        fixes: vec![Fix::new(Safety::Manual, summary, None)],
        ..empty(
            if is_claim { FIRST_CONSUMER } else { CIRCLE },
            Class::DependencyCycle,
            Consequence::Stuck,
            asked.operation,
        )
    };
    telling::presume(asked, &mut finding, moments().filter_map(Moment::object));
    Some(finding)
}

/// A circle through a hook that Helm runs only once everything of the release is ready.
fn later_hook(asked: &Asked<'_>, links: &[Link]) -> Option<Finding> {
    let is_deadlock = |link: &&Link| {
        let phases = mending::phases(asked, &link.first, &link.then);
        phases.is_some_and(|phases| phases.class(false) == Some(Class::HookDeadlock))
    };
    let link = links.iter().find(is_deadlock)?;
    let (hook, waiting) = (link.first.object()?, link.then.object()?);
    let end = |moment: &Moment, id: &ObjectId| End {
        object: id.clone(),
        milestone: moment.milestone,
        carriers: Vec::new(),
        place: asked.index.place(id),
    };
    let summary =
        format!("let {hook} be no hook, or one that comes before, such as `helm.sh/hook: pre-install`");
    let instant = |does: String| Instant {
        time: Duration::ZERO,
        actor: Actor::Tool,
        object: Some(waiting.clone()),
        does,
        answer: None,
    };
    let mut finding = Finding {
        message: format!("{waiting} waits for {hook}, a hook that Helm runs only once {waiting} is ready"),
        before: end(&link.first, hook),
        after: end(&link.then, waiting),
        tool: Tool::Helm,
        timeline: Timeline(vec![
            instant(format!("waits until {waiting} is ready")),
            instant(format!("would run {hook} after that")),
        ]),
        fixes: vec![Fix::new(Safety::Manual, summary, None)],
        ..empty(CIRCLE, Class::HookDeadlock, Consequence::Stuck, asked.operation)
    };
    telling::presume(asked, &mut finding, [hook, waiting].into_iter());
    Some(finding)
}

fn words(asked: &Asked<'_>, moment: &Moment) -> String {
    match &moment.subject {
        Subject::Step(step) => {
            let says = asked.bundle.step(*step).map(|step| asked.says(step)).unwrap_or_default();
            format!("`{says}`")
        }
        Subject::Object(id) | Subject::Request(_, id) => format!("{id} {}", moment.milestone),
    }
}

/// A finding with nothing filled in but what every finding about a wait shares.
fn empty(rule: Code, class: Class, consequence: Consequence, operation: Operation) -> Finding {
    let object = ObjectId::new("", "Step", None, "");
    let end = End { object, milestone: Milestone::Started, carriers: Vec::new(), place: None };
    Finding {
        rule,
        name: telling::rule_name(rule),
        class,
        consequence,
        confidence: Confidence::Proved,
        tool: Tool::Kubectl,
        operation,
        root: 0,
        message: String::new(),
        premise: None,
        before: end.clone(),
        after: end,
        timeline: Timeline::default(),
        heals: None,
        guard: None,
        fixes: Vec::new(),
    }
}

fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64().ceil())
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::{Clause, Place, StepIndex};

    fn waits(says: &str, object: &ObjectId, milestone: Milestone) -> String {
        timed_out(&Deadline {
            start: Moment::step(StepIndex(0), Milestone::Started),
            awaited: vec![Clause::one(object.at(milestone))],
            within: Duration::from_secs(10),
            place: Place::default(),
            says: says.to_owned(),
        })
    }

    #[test]
    fn a_wait_that_gives_up_names_what_kubectl_names() {
        let claim = ObjectId::new("", "PersistentVolumeClaim", Some("default"), "data");
        let web = ObjectId::new("apps", "Deployment", Some("default"), "web");
        let says = "kubectl wait --for=jsonpath={.status.phase}=Bound pvc/data --timeout=10s";
        let text = "error: timed out waiting for the condition";
        assert_eq!(waits(says, &claim, Milestone::Bound), format!("{text} on persistentvolumeclaims/data"));
        assert_eq!(waits("kubectl wait --for=create pvc data", &claim, Milestone::Stored), text);
        assert_eq!(waits("kubectl rollout status deployment/web", &web, Milestone::Ready), text);
        assert_eq!(waits("kubectl wait pod -l app=web --for=condition=Ready", &web, Milestone::Ready), text);
    }
}

//! A race as a finding: both ends, the sentence, the timeline, the consequence and the fix.

use super::question::Asked;
use super::{consequence, guards, mending, narration};
use plimsoll_model::{
    Action, Class, Code, Confidence, Consequence, End, Finding, Healing, Milestone, Moment, ObjectId,
    Reading, Requirement, Step, StepIndex, Subject, Tool,
};
use plimsoll_order::{Flaw, Race};

/// Tells one race.
pub(super) fn finding(
    asked: &Asked<'_>,
    requirement: &Requirement,
    race: &Race,
    is_full: bool,
) -> Result<Finding, Flaw> {
    let guard = guards::that_is_none(asked, requirement);
    let mut finding = Finding {
        rule: requirement.rule,
        name: rule_name(requirement.rule),
        class: class(asked, requirement, race),
        consequence: consequence::of(requirement.reading, race),
        confidence: requirement.confidence.min(surest(asked, requirement, race)),
        tool: tool(asked, requirement),
        operation: asked.operation,
        root: 0,
        message: sentence(asked, requirement, race),
        premise: None,
        before: before(asked, requirement),
        after: End {
            object: object(asked, &requirement.then),
            milestone: requirement.then.milestone,
            carriers: Vec::new(),
            place: Some(requirement.place),
        },
        timeline: narration::tell(asked, requirement, race, is_full)?,
        heals: heals(requirement, race),
        fixes: mending::fixes(asked, requirement, guard.as_ref()),
        guard,
    };
    let first = requirement.first.0.iter().chain(&requirement.told);
    let involved = first.flat_map(|first| asked.index.carriers(first).into_iter().chain(first.object()));
    finding.premise = requirement.premise.as_ref().map(|premise| premise.says.clone());
    presume(asked, &mut finding, involved.chain(requirement.then.object()));
    presume_together(asked, requirement, race, &mut finding);
    Ok(finding)
}

/// Of what nobody said is applied together, it is a guess that it is.
fn presume_together(asked: &Asked<'_>, requirement: &Requirement, race: &Race, finding: &mut Finding) {
    let needed = requirement.needed().into_iter().chain(asked.opened_by(race));
    let brought = needed.flat_map(|first| asked.index.carriers(first).into_iter().chain(first.object()));
    let mut involved: Vec<&ObjectId> = requirement.then.object().into_iter().chain(brought).collect();
    involved.dedup();
    let is_told = || requirement.then.object().is_some_and(|id| asked.index.is_told_to_others(id));
    let premise = if asked.index.are_apart(&asked.bundle.files, &involved) {
        "all of these folders and files are applied together"
    } else if requirement.needed().is_some_and(|needed| asked.index.are_in_turn(needed, &requirement.then)) {
        "these files are applied by one command, although there are instructions that name them one by one"
    } else if finding.heals.is_some() && is_told() {
        "kubectl applies what is written for a tool that tries again"
    } else {
        return;
    };
    finding.confidence = Confidence::Heuristic;
    finding.premise.get_or_insert_with(|| premise.to_owned());
}

/// Says what has to be true for the objects of a finding to be delivered; then it is not proved.
pub(super) fn presume<'a>(
    asked: &Asked<'_>,
    finding: &mut Finding,
    involved: impl Iterator<Item = &'a ObjectId>,
) {
    let said = finding.premise.take();
    let mut premises: Vec<&str> = said.as_deref().into_iter().collect();
    for premise in involved.filter_map(|id| asked.index.premise(id)) {
        if !premises.contains(&premise.says.as_str()) {
            premises.push(&premise.says);
        }
    }
    if !premises.is_empty() {
        finding.premise = Some(premises.join(", and "));
        finding.confidence = finding.confidence.min(Confidence::Assumed);
    }
    for end in [&mut finding.before, &mut finding.after] {
        let carrier = asked.index.premise(&end.object).and_then(|premise| premise.carrier.clone());
        end.carriers.extend(carrier);
    }
}

/// The phases of a release come before the thing that is missing: they are what keeps the two apart.
fn class(asked: &Asked<'_>, requirement: &Requirement, race: &Race) -> Class {
    if requirement.class == Class::HookDeletePolicy {
        return requirement.class;
    }
    let phases = requirement.needed().and_then(|first| mending::phases(asked, first, &requirement.then));
    phases.and_then(|phases| phases.class(race.recovers)).unwrap_or(requirement.class)
}

/// The tool that sends what fails; for what is no longer sent, the one that sends who needs it.
fn tool(asked: &Asked<'_>, requirement: &Requirement) -> Tool {
    let then = &requirement.then;
    let sent = |moment: &Moment| moment.object().and_then(|id| asked.index.step(id));
    let step = then.step_index().or_else(|| sent(then)).or_else(|| requirement.needed().and_then(sent));
    step.and_then(|step| asked.bundle.step(step)).map_or(Tool::Kubectl, Step::tool)
}

/// What nothing brings may yet be brought by a step or a chart that could not be read.
fn surest(asked: &Asked<'_>, requirement: &Requirement, race: &Race) -> Confidence {
    let is_opaque = |step: &Step| matches!(step.action, Action::Opaque(_));
    let is_read = |moment: &Moment| moment.object().is_some_and(|id| asked.index.step(id).is_some());
    let is_missing = race.arrival.is_none() && requirement.needed().is_some_and(|needed| !is_read(needed));
    if is_missing && (asked.bundle.coverage.opaque > 0 || asked.bundle.steps.iter().any(is_opaque)) {
        Confidence::Assumed
    } else {
        Confidence::Proved
    }
}

/// The name of a rule.
pub(super) fn rule_name(code: Code) -> &'static str {
    plimsoll_knowledge::rules().iter().find(|rule| rule.code == code).map_or("", |rule| rule.name)
}

/// The object of a moment; a step stands for itself by its place.
fn object(asked: &Asked<'_>, moment: &Moment) -> ObjectId {
    match &moment.subject {
        Subject::Object(id) | Subject::Request(_, id) => id.clone(),
        Subject::Step(step) => step_object(asked, *step),
    }
}

/// A step of a script as an end of a pair: `Step/deploy.sh:4`.
pub(super) fn step_object(asked: &Asked<'_>, step: StepIndex) -> ObjectId {
    let place = asked.bundle.step(step).and_then(|step| step.place);
    let name = place.map_or_else(
        || format!("{}", step.0 + 1),
        |place| format!("{}:{}", asked.bundle.files.path(place), place.line),
    );
    ObjectId::new("", "Step", None, &name)
}

fn before(asked: &Asked<'_>, requirement: &Requirement) -> End {
    let Some(moment) = requirement.needed() else {
        let object = object(asked, &requirement.then);
        let milestone = requirement.then.milestone;
        return End { object, milestone, carriers: Vec::new(), place: Some(requirement.place) };
    };
    let carriers = asked.index.carriers(moment);
    let place = carriers.iter().copied().chain(moment.object()).find_map(|id| asked.index.place(id));
    End {
        object: object(asked, moment),
        milestone: moment.milestone,
        carriers: carriers.iter().map(ToString::to_string).collect(),
        place,
    }
}

fn sentence(asked: &Asked<'_>, requirement: &Requirement, race: &Race) -> String {
    let message = &requirement.message;
    let Some(first) = requirement.needed().filter(|_| !requirement.first.0.is_empty()) else {
        return message.clone();
    };
    if let [Moment { subject: Subject::Step(step), .. }] = requirement.first.0.as_slice() {
        let says = asked.bundle.step(*step).map(|step| asked.says(step)).unwrap_or_default();
        return format!("{message} before `{says}` has run");
    }
    if race.arrival.is_none() {
        let mut bringers = asked.index.carriers(first).into_iter().chain(first.object());
        let is_brought = bringers.any(|id| asked.index.step(id).is_some());
        let never = if is_brought { "never comes about" } else { "nothing in the input brings" };
        return format!("{message}, which {never}");
    }
    if let Some(carrier) = asked.index.producers(first).next() {
        return format!("{message} before {carrier} has produced it");
    }
    let it = first.object().filter(|id| !ends_with(message, id)).map_or("it".to_owned(), ToString::to_string);
    let reached = match first.milestone {
        Milestone::Stored => "is there",
        Milestone::Established => return format!("{message} before that API is served"),
        Milestone::Discoverable => {
            return format!("{message} before that API is known to all who ask for it");
        }
        Milestone::Ready => "is ready",
        Milestone::Serving => "answers",
        Milestone::Bound => "is bound",
        Milestone::Complete => "is complete",
        Milestone::Gone => "is gone",
        Milestone::Observed => return format!("{message} before there are any"),
        Milestone::Started => "runs",
        Milestone::Submitted | Milestone::Checked => "is sent",
    };
    format!("{message} before {it} {reached}")
}

/// Whether an object is the last that a sentence speaks of, so that "it" can only mean that.
fn ends_with(message: &str, id: &ObjectId) -> bool {
    let last = message.rsplit(' ').map(|word| word.trim_matches([',', '`'])).find(|word| word.contains('/'));
    last == Some(id.to_string().as_str()) || message.ends_with(&format!(" {}", id.name()))
}

fn heals(requirement: &Requirement, race: &Race) -> Option<Healing> {
    let healed = race.healed_at?;
    let within = healed.saturating_sub(race.arrival?.max(race.fails_at));
    let is_noticed = !matches!(requirement.reading, Reading::OnceSilently);
    is_noticed.then(|| Healing { by: requirement.answer.actor.word().to_owned(), within })
}

/// Whether a finding is worth more than another for the same pair.
pub(super) fn rank(finding: &Finding) -> (Consequence, Confidence) {
    (finding.consequence, finding.confidence)
}

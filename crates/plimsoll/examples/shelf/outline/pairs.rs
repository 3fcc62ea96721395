//! Turns two switches at once where one alone does nothing, or where one takes away what the other brings.

use super::answers::Answers;
use super::facts::Facts;
use super::probe::{Probed, RELEASE};
use crate::question::{Change, Question, Setting};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Asks with changes that make a difference only together with others.
pub(crate) fn turn(answers: &mut Answers, probed: &mut Probed) {
    let mut questions = beside(answers, probed);
    questions.extend(quiet(answers, probed));
    questions.extend(offered(answers, probed));
    for question in questions {
        for change in &question.changes {
            answers.ask(&question.without(change), false);
            if !probed.changes.contains(change) {
                probed.changes.push(change.clone());
            }
        }
        answers.ask(&question, false);
    }
}

fn newest(answers: &Answers) -> usize {
    answers.versions.len().saturating_sub(1)
}

/// Changes that stand beside one that matters.
fn beside(answers: &mut Answers, probed: &Probed) -> Vec<Question> {
    let (plain, newest) = (Question::plain(RELEASE), newest(answers));
    let mut found = Vec::new();
    for (at, change) in probed.changes.iter().enumerate() {
        let later = probed.changes.iter().skip(at + 1).filter(|other| is_beside(change, other));
        found.extend(later.map(|other| plain.with(change).with(other)));
        let Change::Set(path, Setting::Bool(true)) = change else { continue };
        let Some((around, _)) = path.rsplit_once('.') else { continue };
        let question = plain.with(change);
        let Some(usual) = answers.one(&question, newest) else { continue };
        let is_below = |other: &&Change| matches!(other, Change::Set(other, _) if other.starts_with(&format!("{around}.")));
        for other in probed.possible.iter().filter(is_below).filter(|other| !probed.changes.contains(other)) {
            let both = question.with(other);
            if answers.one(&both, newest).is_some_and(|objects| objects != usual) {
                found.push(both);
            }
        }
    }
    found
}

/// Two changes that do nothing alone, where all APIs are offered that were asked for.
fn quiet(answers: &mut Answers, probed: &Probed) -> Vec<Question> {
    let newest = newest(answers);
    let apis: Vec<Change> = answers.unanswered.keys().cloned().map(Change::Offer).collect();
    let plain = apis.iter().fold(Question::plain(RELEASE), |question, api| question.with(api));
    let usual: Vec<_> = (0..=newest).map(|version| answers.one(&plain, version)).collect();
    let quiet: Vec<&Change> = probed.possible.iter().filter(|change| is_quiet(change, probed)).collect();
    let mut found = Vec::new();
    if quiet.len() > MOST_QUIET {
        return found;
    }
    for (at, change) in quiet.iter().enumerate() {
        for other in quiet.iter().skip(at + 1).filter(|other| is_near(change, other)) {
            let both = plain.with(change).with(other);
            let is_heard = [newest, newest / 2].into_iter().any(|version| {
                let objects = answers.one(&both, version);
                objects.is_some() && Some(&objects) != usual.get(version)
            });
            if is_heard {
                found.push(both);
            }
        }
    }
    found
}

/// Questions in which a chart asked for an API, with that API.
fn offered(answers: &mut Answers, probed: &mut Probed) -> Vec<Question> {
    let newest = newest(answers);
    let mut found = Vec::new();
    for (api, questions) in answers.unanswered.clone() {
        let offer = Change::Offer(api);
        if !probed.possible.contains(&offer) {
            probed.possible.push(offer.clone());
        }
        for question in questions {
            let both = question.with(&offer);
            let usual = answers.one(&question, newest);
            if usual.is_some() && answers.one(&both, newest) != usual {
                found.push(both);
            }
        }
    }
    found
}

/// Asks whether what a change brings goes with what another one takes away.
pub(crate) fn turn_off(answers: &mut Answers, changes: &[Change]) {
    let last = newest(answers);
    for version in BTreeSet::from([last, last / 2, 0]) {
        turn_off_in(answers, changes, version);
    }
}

fn turn_off_in(answers: &mut Answers, changes: &[Change], version: usize) {
    let plain = Question::plain(RELEASE);
    let Some(usual) = answers.one(&plain, version) else { return };
    let named = |objects: &[Rc<Facts>]| {
        let names =
            objects.iter().map(|facts| (facts.kind.clone(), facts.name.clone(), facts.namespace.clone()));
        names.collect::<BTreeSet<_>>()
    };
    let usual = named(&usual);
    let removing: Vec<Change> = changes
        .iter()
        .filter(|change| matches!(change, Change::Set(_, Setting::Bool(_))))
        .filter(|change| {
            answers.one(&plain.with(change), version).is_some_and(|left| !usual.is_subset(&named(&left)))
        })
        .cloned()
        .collect();
    for question in bringing(answers, Some(version)).into_iter().skip(1) {
        let Some(there) = answers.one(&question, version) else { continue };
        let brought: BTreeSet<_> = named(&there).difference(&usual).cloned().collect();
        if brought.is_empty() {
            continue;
        }
        for change in removing.iter().filter(|change| !question.changes.contains(*change)) {
            let both = question.with(change);
            if answers.one(&both, version).is_some_and(|left| !brought.is_subset(&named(&left))) {
                answers.ask(&both, false);
            }
        }
    }
}

/// Questions that bring objects that no question before them brought, in one version or in any.
pub(crate) fn bringing(answers: &Answers, version: Option<usize>) -> Vec<Question> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for (asked, given) in
        answers.asked.iter().zip(&answers.given).filter(|(asked, _)| asked.question.release == RELEASE)
    {
        let given = given.iter().enumerate().filter(|(at, _)| version.is_none_or(|version| version == *at));
        let objects = given.flat_map(|(_, objects)| objects).flatten();
        let before = known.len();
        known.extend(objects.map(|facts| (facts.kind.clone(), facts.name.clone(), facts.namespace.clone())));
        if known.len() > before {
            found.push(asked.question.clone());
        }
    }
    found
}

/// How many switches that do nothing alone are tried two by two.
const MOST_QUIET: usize = 150;

/// Whether a change turns something on that does nothing alone.
fn is_quiet(change: &Change, probed: &Probed) -> bool {
    matches!(change, Change::Set(_, Setting::Bool(true))) && !probed.changes.contains(change)
}

/// Whether two values belong to the same part of a chart.
pub(crate) fn is_near(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (Change::Set(one, _), Change::Set(other, _)) => one.split('.').next() == other.split('.').next(),
        _ => false,
    }
}

/// Whether two values stand beside each other in a map that is not the outermost one.
fn is_beside(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (Change::Set(one, _), Change::Set(other, _)) if one != other => {
            let around = |path: &str| path.rsplit_once('.').map(|(around, _)| around.to_owned());
            around(one).is_some() && around(one) == around(other)
        }
        _ => false,
    }
}

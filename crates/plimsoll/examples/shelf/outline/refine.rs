//! Holds what was found against random questions, and learns from the smallest ones that show it wrong.

use super::answers::Answers;
use super::blocks::{Template, said};
use super::explain::Condition;
use super::facts::Field;
use super::known::{Finder, Known};
use super::pairs;
use super::probe::{Probed, RELEASE, blocks, with_names};
use crate::question::{Change, Question};
use std::collections::BTreeSet;

/// How often what was found is held against questions, and how many at least; of a chart with many switches more, since
/// a fact may hang on three of them.
const ROUNDS: usize = 16;
const QUESTIONS: usize = 400;
const QUESTIONS_OF_EACH: usize = 12;

/// How many rounds in turn must show nothing wrong.
const CALM: usize = 3;

/// How many questions are learned from before everything is explained anew.
const LESSONS: usize = 12;

/// What is known of a chart, with nothing in it that a random question showed to be wrong.
pub(crate) fn refine(answers: &mut Answers, probed: &Probed) -> Vec<Known> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut known = find(answers, probed);
    crate::tell(&format!("{} objects", known.len()));
    let mut calm = 0;
    for _ in 0..ROUNDS {
        let found = learn(answers, probed, &known, &mut dice);
        crate::tell(&format!("{found} questions show something wrong"));
        calm = if found > 0 { 0 } else { calm + 1 };
        if calm == CALM {
            return known;
        }
        if found > 0 {
            known = find(answers, probed);
        }
    }
    for _ in 0..ROUNDS {
        let mut bad = BTreeSet::new();
        for (question, version) in questions(answers, probed, &known, &mut dice) {
            bad.extend(wrong(answers, &known, &question, version));
        }
        crate::tell(&format!("wrong after all: {bad:?}"));
        if bad.is_empty() {
            break;
        }
        for one in &mut known {
            let name = one.shown();
            for (_, field) in bad.iter().filter(|(wrong, _)| *wrong == name) {
                one.forget(field.as_ref());
            }
        }
    }
    known
}

/// Asks the smallest parts of questions that show something wrong, and gives how many there were.
fn learn(answers: &mut Answers, probed: &Probed, known: &[Known], dice: &mut Dice) -> usize {
    let mut found = 0;
    for (question, version) in questions(answers, probed, known, dice) {
        if wrong(answers, known, &question, version).is_empty() {
            continue;
        }
        let smallest = shrink(answers, known, question, version);
        for change in &smallest.changes {
            answers.ask(&smallest.without(change), false);
        }
        answers.ask(&smallest, false);
        with_names(answers, &probed.namings, &smallest);
        found += 1;
        if found == LESSONS {
            break;
        }
    }
    found
}

/// Questions to hold what was found against: every change that it depends on, without operators and with all of them,
/// and random mixtures.
fn questions(answers: &Answers, probed: &Probed, known: &[Known], dice: &mut Dice) -> Vec<(Question, usize)> {
    let paths: BTreeSet<String> = known.iter().flat_map(Known::paths).collect();
    let depends = |change: &&Change| matches!(change, Change::Set(path, _) if paths.contains(path));
    let asked: Vec<Change> = probed.possible.iter().filter(depends).cloned().collect();
    let plain = Question::plain(RELEASE);
    let offers = answers.unanswered.keys().cloned().map(Change::Offer);
    let offered = offers.fold(plain.clone(), |question, offer| question.with(&offer));
    let versions = answers.versions.len();
    let mut found = Vec::new();
    for change in &asked {
        let version = dice.below(versions);
        found.extend([(plain.with(change), version), (offered.with(change), version)]);
    }
    for _ in 0..QUESTIONS.max(QUESTIONS_OF_EACH * asked.len()) {
        let start = if dice.below(2) == 0 { &plain } else { &offered };
        let changes = match dice.below(4) {
            0 => &probed.possible,
            1 => &probed.changes,
            _ => &asked,
        };
        found.push((dice.question(start, changes), dice.below(versions)));
    }
    found
}

fn find(answers: &Answers, probed: &Probed) -> Vec<Known> {
    Finder::new(answers, &blocks(answers, &probed.parts)).find()
}

/// Objects about which something wrong is said, or nothing, each with the field if it is only that.
type Wrong = BTreeSet<(String, Option<Field>)>;

fn wrong(answers: &mut Answers, known: &[Known], question: &Question, version: usize) -> Wrong {
    let Some(objects) = answers.one(question, version) else { return BTreeSet::new() };
    let asked = answers.understood(question, version);
    let mut bad = BTreeSet::new();
    let mut explained = BTreeSet::new();
    for one in known {
        let there = objects.iter().position(|facts| one.is(facts, answers, question, version));
        let Some(presence) = &one.presence else {
            explained.extend(there);
            continue;
        };
        let is_said = presence.holds(&asked);
        if is_said {
            explained.extend(there);
        }
        match there.and_then(|at| objects.get(at)) {
            None if is_said => {
                bad.insert((one.shown(), None));
            }
            Some(facts) if is_said => {
                let is_wrong = |(path, forms): &(&Field, &Vec<(Template, Condition)>)| {
                    let form = forms.iter().find(|(_, condition)| condition.holds(&asked));
                    let text = form.and_then(|(template, _)| said(template, &asked));
                    text.as_ref() != facts.fields.get(&one.field(path, &asked))
                };
                let fields = one.fields.iter().filter(is_wrong);
                bad.extend(fields.map(|(path, _)| (one.shown(), Some(path.clone()))));
            }
            _ => {}
        }
    }
    for (_, facts) in objects.iter().enumerate().filter(|(at, _)| !explained.contains(at)) {
        bad.insert((format!("{}/{}", facts.kind, facts.name), None));
        // Whatever could have been this object is not known well enough.
        let similar = known.iter().filter(|one| one.is(facts, answers, question, version));
        bad.extend(similar.map(|one| (one.shown(), None)));
    }
    bad
}

/// The smallest part of a question that still shows something wrong.
fn shrink(answers: &mut Answers, known: &[Known], question: Question, version: usize) -> Question {
    let mut smallest = question;
    let changes: Vec<Change> = smallest.changes.iter().cloned().collect();
    for change in changes {
        let less = smallest.without(&change);
        if !wrong(answers, known, &less, version).is_empty() {
            smallest = less;
        }
    }
    smallest
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below.max(1)
    }

    /// A few changes, half of the time of values that stand near each other.
    fn question(&mut self, start: &Question, changes: &[Change]) -> Question {
        let Some(first) = changes.get(self.below(changes.len())) else { return start.clone() };
        let are_near = self.below(2) == 0;
        let near: Vec<&Change> =
            changes.iter().filter(|other| !are_near || pairs::is_near(first, other)).collect();
        let mut question = start.with(first);
        for _ in 0..=self.below(4) {
            if let Some(change) = near.get(self.below(near.len())) {
                question = question.with(change);
            }
        }
        question
    }
}

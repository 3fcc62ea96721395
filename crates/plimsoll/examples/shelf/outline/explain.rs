//! Explains facts: under which condition on values, versions and offered APIs each of them holds.

use super::answers::Answers;
use super::blocks::Understood;
use super::learn::{Bits, condition};
use crate::question::{Change, Setting};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Something that a condition can ask.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    /// Whether a value is true, or a text that is not empty.
    On(String),
    /// Whether a value is a certain text.
    Is(String, String),
    /// Whether the cluster offers an API.
    Offers(String),
    /// Whether the version is this one or a later one.
    Since(usize),
}

/// Groups of meanings, each with whether it must hold: all groups must, of each group one; or, if `is_any`, one group
/// must, and all of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Condition {
    pub(crate) groups: Vec<Vec<(Meaning, bool)>>,
    pub(crate) is_any: bool,
}

impl Meaning {
    /// The value that it asks.
    pub(crate) fn path(&self) -> Option<String> {
        match self {
            Self::On(path) | Self::Is(path, _) => Some(path.clone()),
            Self::Offers(_) | Self::Since(_) => None,
        }
    }

    pub(crate) fn holds(&self, asked: &Understood<'_>) -> bool {
        match self {
            Self::On(path) => match asked.value(path) {
                Some(Setting::Bool(on)) => on,
                Some(Setting::Text(text)) => !text.is_empty(),
                None => false,
            },
            Self::Is(path, text) => asked.value(path) == Some(Setting::Text(text.clone())),
            Self::Offers(api) => asked.question.offers(api),
            Self::Since(version) => asked.version >= *version,
        }
    }
}

impl Condition {
    pub(crate) fn is_always(&self) -> bool {
        self.groups.is_empty() && !self.is_any
    }

    pub(crate) fn holds(&self, asked: &Understood<'_>) -> bool {
        self.holds_where(|meaning| meaning.holds(asked))
    }

    /// Whether it holds where each meaning does or does not.
    pub(crate) fn holds_where(&self, is_so: impl Fn(&Meaning) -> bool) -> bool {
        let literal = |(meaning, must): &(Meaning, bool)| is_so(meaning) == *must;
        if self.is_any {
            self.groups.iter().any(|group| group.iter().all(literal))
        } else {
            self.groups.iter().all(|group| group.iter().any(literal))
        }
    }
}

/// Explains facts from answers.
pub(crate) struct Explainer<'a> {
    answers: &'a Answers,
    holds: RefCell<BTreeMap<Meaning, (Bits, Bits)>>,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(answers: &'a Answers) -> Self {
        Self { answers, holds: RefCell::default() }
    }

    /// Under which condition a fact holds that holds in these answers out of those.
    pub(crate) fn explain(&self, yes: &Bits, within: &Bits) -> Option<Condition> {
        let no = within.without(yes);
        if no.is_empty() {
            return Some(Condition::default());
        }
        let meanings = self.meanings(yes, within);
        let literals: Vec<Bits> = meanings
            .iter()
            .flat_map(|meaning| {
                let (yes, no) = self.holds(meaning);
                [yes, no]
            })
            .collect();
        let found = condition(yes, &no, &literals)?;
        let literal = |number: &usize| Some((meanings.get(number / 2)?.clone(), number.is_multiple_of(2)));
        let group = |group: &Vec<usize>| group.iter().filter_map(literal).collect::<Vec<_>>();
        Some(Condition { groups: found.groups.iter().map(group).collect(), is_any: found.is_any })
    }

    fn holds(&self, meaning: &Meaning) -> (Bits, Bits) {
        if let Some(known) = self.holds.borrow().get(meaning) {
            return known.clone();
        }
        let (mut yes, mut no) = (Bits::new(self.answers.count()), Bits::new(self.answers.count()));
        for (number, question, version, _) in self.answers.each() {
            let Some(asked) = self.answers.asked.get(question) else { continue };
            let holds = meaning.holds(&self.answers.understood(&asked.question, version));
            if holds { &mut yes } else { &mut no }.insert(number);
        }
        self.holds.borrow_mut().insert(meaning.clone(), (yes.clone(), no.clone()));
        (yes, no)
    }

    /// What a fact depends on: what makes a difference between two answers that differ in nothing else.
    fn meanings(&self, yes: &Bits, within: &Bits) -> Vec<Meaning> {
        let versions = self.answers.versions.len();
        let mut found = BTreeSet::new();
        for (at, asked) in self.answers.asked.iter().enumerate() {
            for version in 0..versions {
                let number = at * versions + version;
                if !within.contains(number) {
                    continue;
                }
                let differs =
                    |other: usize| within.contains(other) && yes.contains(other) != yes.contains(number);
                if version > 0 && differs(number - 1) {
                    found.insert(Meaning::Since(version));
                }
                if asked.nearby.iter().any(|(other, _)| differs(other * versions + version)) {
                    asked.question.changes.iter().for_each(|change| self.add(change, &mut found));
                }
            }
        }
        found.into_iter().collect()
    }

    fn add(&self, change: &Change, found: &mut BTreeSet<Meaning>) {
        match change {
            Change::Offer(api) => {
                found.insert(Meaning::Offers(api.clone()));
            }
            Change::Set(path, _) => {
                let Some(switch) = self.answers.switches.get(path) else { return };
                let usual = match switch.shared() {
                    Some(Setting::Text(text)) => text.as_str(),
                    _ => "",
                };
                if usual.is_empty() {
                    found.insert(Meaning::On(path.clone()));
                } else {
                    found.insert(Meaning::Is(path.clone(), usual.to_owned()));
                }
                let compared = switch.compared.iter().filter(|text| !text.is_empty());
                if matches!(switch.shared(), Some(Setting::Text(_))) {
                    found.extend(compared.map(|text| Meaning::Is(path.clone(), text.clone())));
                }
            }
        }
    }
}

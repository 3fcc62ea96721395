//! The answers of all versions of a chart to the questions that were asked so far.

use super::blocks::Understood;
use super::facts::{Facts, facts};
use super::switches::Switches;
use crate::question::{Change, Need, Question, Setting};
use plimsoll_chart::Chart;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// What a chart brings; `None` if it refuses the question.
pub(crate) type Objects = Option<Vec<Rc<Facts>>>;

/// A question and how it differs from others.
pub(crate) struct Asked {
    pub(crate) question: Question,
    /// Questions that lack one of its changes, each with that change.
    pub(crate) nearby: Vec<(usize, Change)>,
    /// Whether it only says where long names are cut.
    pub(crate) is_long: bool,
}

pub(crate) struct Answers {
    pub(crate) versions: Vec<String>,
    pub(crate) charts: Vec<Chart>,
    pub(crate) switches: Switches,
    /// What every question says besides.
    pub(crate) needs: Vec<Need>,
    pub(crate) asked: Vec<Asked>,
    /// By question, then by version.
    pub(crate) given: Vec<Vec<Objects>>,
    /// APIs that were asked for, each with the changes that led there.
    pub(crate) unanswered: BTreeMap<String, BTreeSet<Question>>,
    numbers: BTreeMap<Question, usize>,
    known: HashSet<Rc<Facts>>,
}

impl Answers {
    pub(crate) fn new(
        versions: Vec<String>,
        charts: Vec<Chart>,
        mut switches: Switches,
        needs: Vec<Need>,
    ) -> Self {
        for (path, text) in &needs {
            if let Some(switch) = switches.get_mut(path) {
                switch.defaults.fill(Some(Setting::Text(text.clone())));
            }
        }
        Self {
            versions,
            charts,
            switches,
            needs,
            asked: Vec::new(),
            given: Vec::new(),
            unanswered: BTreeMap::new(),
            numbers: BTreeMap::new(),
            known: HashSet::new(),
        }
    }

    /// How many answers there are room for.
    pub(crate) fn count(&self) -> usize {
        self.asked.len() * self.versions.len()
    }

    /// Every answer by number, with its question and its version.
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, usize, usize, &Vec<Rc<Facts>>)> {
        let versions = self.versions.len();
        self.given.iter().enumerate().flat_map(move |(question, answers)| {
            answers.iter().enumerate().filter_map(move |(version, objects)| {
                Some((question * versions + version, question, version, objects.as_ref()?))
            })
        })
    }

    /// A question as the chart of a version understands it.
    pub(crate) fn understood<'a>(&'a self, question: &'a Question, version: usize) -> Understood<'a> {
        Understood { question, version, switches: &self.switches }
    }

    /// The answer of one version, which is not kept.
    pub(crate) fn one(&mut self, question: &Question, version: usize) -> Objects {
        let answer = question.ask(self.charts.get(version)?, &self.needs).ok()?;
        for api in &answer.unanswered {
            let known = self.unanswered.entry(api.clone()).or_default();
            if known.len() < 4 {
                known.insert(question.clone());
            }
        }
        let mut objects = Vec::new();
        for facts in facts(&answer) {
            let facts = Rc::new(facts);
            let known = self.known.get(&facts).cloned();
            objects.push(known.unwrap_or_else(|| {
                self.known.insert(Rc::clone(&facts));
                facts
            }));
        }
        Some(objects)
    }

    /// In which versions a change makes a difference to a plain release, which was asked for first.
    pub(crate) fn heard(&self, change: &Change) -> Vec<bool> {
        let Some((plain, usual)) = self.asked.first().zip(self.given.first()) else { return Vec::new() };
        let number = self.numbers.get(&plain.question.with(change));
        let changed = number.and_then(|number| self.given.get(*number));
        changed.into_iter().flatten().zip(usual).map(|(one, other)| one != other).collect()
    }

    /// Asks all versions, and keeps the answers.
    pub(crate) fn ask(&mut self, question: &Question, is_long: bool) {
        if self.numbers.contains_key(question) {
            return;
        }
        let answers = (0..self.versions.len()).map(|version| self.one(question, version)).collect();
        let nearby = question
            .changes
            .iter()
            .filter_map(|change| Some((*self.numbers.get(&question.without(change))?, change.clone())));
        let nearby = nearby.collect();
        self.numbers.insert(question.clone(), self.asked.len());
        self.asked.push(Asked { question: question.clone(), nearby, is_long });
        self.given.push(answers);
    }
}

//! Writes what is known of a chart as a chart.

mod definitions;
mod objects;
mod text;
mod values;

use super::answers::Answers;
use super::explain::{Condition, Meaning};
use super::facts::UNSTATED;
use super::known::Known;
use crate::question::Setting;
use plimsoll_chart::Chart;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};
use text::Used;

/// What is stated of a chart, and where it was read.
pub(crate) struct Stated<'a> {
    pub(crate) name: &'a str,
    pub(crate) repositories: &'a str,
    pub(crate) sources: &'a str,
    pub(crate) digests: &'a [String],
    pub(crate) answers: &'a Answers,
}

impl Stated<'_> {
    /// Writes the files of the stand-in into a folder of its own. What cannot be said is not known any more.
    pub(crate) fn write(&self, known: &mut [Known], into: &Path) -> io::Result<()> {
        let folder = into.join(self.name);
        if folder.is_dir() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(folder.join("templates"))?;
        let installed = self.installed(known);
        let mut used = Used::default();
        let (definitions, objects): (Vec<&Known>, Vec<&Known>) = known
            .iter()
            .filter(|one| one.presence.is_some())
            .partition(|one| one.kind == "CustomResourceDefinition");
        fs::write(folder.join("templates/objects.yaml"), self.objects(&objects, &mut used))?;
        let delivered: Vec<(&Known, Condition)> = definitions
            .iter()
            .filter(|one| !one.is_definition)
            .map(|one| (*one, one.presence.clone().unwrap_or_default()))
            .collect();
        if !delivered.is_empty() {
            let text = self.definitions(&delivered, "templates", &mut used);
            fs::write(folder.join("templates/definitions.yaml"), text)?;
        }
        let mut inner = Vec::new();
        for (switch, installed) in &installed {
            let installed: Vec<(&Known, Condition)> = installed
                .iter()
                .filter_map(|(at, condition)| Some((known.get(*at)?, condition.clone())))
                .collect();
            let text = self.definitions(&installed, "crds", &mut Used::default());
            let folder = match switch {
                None => folder.clone(),
                Some(path) => {
                    used.path(path);
                    inner.push(path.as_str());
                    inside(&folder, inner.len())?
                }
            };
            fs::create_dir_all(folder.join("crds"))?;
            fs::write(folder.join("crds/definitions.yaml"), text)?;
        }
        fs::write(folder.join("values.yaml"), self.values(&used))?;
        fs::write(folder.join("Chart.yaml"), self.metadata(known, &used, &inner))
    }

    fn metadata(&self, known: &[Known], used: &Used, inner: &[&str]) -> String {
        let Self { name, repositories, sources, .. } = self;
        let sort = if name.contains(".yaml") { "manifest" } else { "chart" };
        let mut text = format!(
            "apiVersion: v2\nname: {name}\nversion: 0.0.0\ndescription: What is known of the {sort} {name}, as `cargo xtask \
             charts outline` wrote it.\nsources:\n  - {sources}\n"
        );
        if !inner.is_empty() {
            text.push_str("dependencies:\n");
        }
        for (path, name) in inner.iter().zip((1..).map(inner_name)) {
            let _ = writeln!(text, "  - {{name: {name}, version: 0.0.0, condition: {path}}}");
        }
        text.push_str("annotations:\n");
        let mut note = |name: &str, words: &str| {
            if !words.is_empty() {
                let _ = writeln!(
                    text,
                    "  plimsoll.dev/{name}: {}",
                    if words.contains(['*', '=']) { format!("'{words}'") } else { words.to_owned() }
                );
            }
        };
        note("versions", &self.answers.versions.join(" "));
        note("digests", &format!("\"{}\"", self.digests.join(" ")));
        note("repositories", repositories);
        let definitions: Vec<&Known> = known
            .iter()
            .filter(|one| one.presence.is_some() && one.kind == "CustomResourceDefinition")
            .collect();
        note("groups", &definitions::groups(&definitions));
        note("definitions", &self.bringing(&definitions));
        let left_out = known.iter().filter(|one| one.presence.is_none()).map(Known::pattern);
        let missing =
            self.answers.charts.iter().flat_map(Chart::missing).map(|chart| format!("chart/{}", chart.name));
        let left_out: BTreeSet<String> =
            left_out.chain(missing).chain(UNSTATED.iter().map(|kind| (*kind).to_owned())).collect();
        note("left-out", &left_out.into_iter().collect::<Vec<_>>().join(" "));
        note("tried", &self.tried(used));
        let needs = self.answers.needs.iter().map(|(path, value)| format!("{path}={value}"));
        note("needed", &needs.collect::<Vec<_>>().join(" "));
        text
    }

    /// The one change that brings definitions that are not there by default.
    fn bringing(&self, definitions: &[&Known]) -> String {
        let newest = self.answers.versions.len().saturating_sub(1);
        let brought = |at: usize| {
            let Some(asked) = self.answers.asked.get(at) else { return 0 };
            let understood = self.answers.understood(&asked.question, newest);
            let there = definitions.iter().filter_map(|one| one.presence.as_ref());
            there.filter(|presence| presence.holds(&understood)).count()
        };
        let usual = brought(0);
        let single =
            |at: &usize| self.answers.asked.get(*at).is_some_and(|asked| asked.question.changes.len() == 1);
        let best = (0..self.answers.asked.len()).filter(single).rev().max_by_key(|at| brought(*at));
        let Some(best) = best.filter(|best| brought(*best) > usual) else { return String::new() };
        let change = self.answers.asked.get(best).and_then(|asked| asked.question.changes.first());
        match change {
            Some(crate::question::Change::Set(path, to)) => format!("{path}={to}"),
            _ => String::new(),
        }
    }

    /// Values that a comparison cannot make up: texts that templates compare with, and names that are not empty.
    fn tried(&self, used: &Used) -> String {
        let mut tried = BTreeSet::new();
        for meaning in &used.meanings {
            if let Meaning::Is(path, text) = meaning {
                tried.insert(format!("{path}={text}"));
            }
        }
        for path in &used.paths {
            let usual = self.answers.switches.get(path).and_then(|switch| switch.shared());
            if let Some(Setting::Text(text)) = usual
                && !text.is_empty()
            {
                tried.remove(&format!("{path}={text}"));
                let is_compared = tried.iter().any(|tried| tried.starts_with(&format!("{path}=")));
                if !is_compared && used.is_printed(path) {
                    tried.insert(format!("{path}=other"));
                }
            }
        }
        tried.into_iter().collect::<Vec<_>>().join(" ")
    }
}

/// The folder of a new chart inside, which has nothing but definitions.
fn inside(folder: &Path, number: usize) -> io::Result<PathBuf> {
    let name = inner_name(number);
    let inner = folder.join("charts").join(&name);
    fs::create_dir_all(&inner)?;
    fs::write(inner.join("Chart.yaml"), format!("apiVersion: v2\nname: {name}\nversion: 0.0.0\n"))?;
    Ok(inner)
}

/// What a chart inside is called.
fn inner_name(number: usize) -> String {
    if number == 1 { "definitions".to_owned() } else { format!("definitions-{number}") }
}

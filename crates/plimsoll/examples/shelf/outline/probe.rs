//! Finds out which switches matter, and asks every version with each of them turned.

use super::answers::Answers;
use super::blocks::{AValue, Block, OVERRIDES, Part};
use super::folders;
use super::pairs;
use crate::question::{Change, Question, Setting};
use plimsoll_model::FileIndex;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What every release is called unless its name is the question.
pub(crate) const RELEASE: &str = "zqr";

/// What a release is called that shows where names are cut.
const LONG: &str = "averyverylongnameofareleaseindeed";

/// What was found out.
pub(crate) struct Probed {
    /// Changes that make a difference.
    pub(crate) changes: Vec<Change>,
    /// All changes that are not refused.
    pub(crate) possible: Vec<Change>,
    /// Changes of names that are made together.
    pub(crate) namings: Vec<Vec<Change>>,
    /// The chart and the charts inside.
    pub(crate) parts: Vec<Part>,
}

/// A chart and the charts inside, with the prefix of their values.
pub(crate) fn parts(name: &str, folder: &Path, prefix: &str) -> Vec<Part> {
    let mut found = vec![Part::new(prefix, name)];
    let text = fs::read_to_string(folder.join("Chart.yaml")).unwrap_or_default();
    let metadata = plimsoll_yaml::value(&text, FileIndex(0)).ok();
    let needed = metadata.as_ref().map_or(&[][..], |metadata| metadata.list_at(&["dependencies"]));
    for inside in folders(&folder.join("charts")) {
        let name = inside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of_it = needed.iter().filter(|needed| needed.text_at(&["name"]) == Some(&name));
        let mut aliases: Vec<&str> = of_it.map(|one| one.text_at(&["alias"]).unwrap_or(&name)).collect();
        if aliases.is_empty() {
            aliases.push(&name);
        }
        for alias in aliases {
            found.extend(parts(alias, &inside, &format!("{prefix}{alias}.")));
        }
    }
    found
}

/// Asks a chart with everything turned once.
pub(crate) fn probe(answers: &mut Answers, name: &str, parts: &[Part]) -> Probed {
    let parts: Vec<Part> = parts.iter().cloned().chain(components(answers, name, parts)).collect();
    let plain = Question::plain(RELEASE);
    answers.ask(&plain, false);
    let mut releases = BTreeSet::from([format!("a-{name}")]);
    releases.extend(parts.iter().map(|part| part.name.clone()));
    for release in &releases {
        answers.ask(&Question::plain(release), false);
    }
    answers.ask(&Question::plain(LONG), true);
    let mut probed = turn_each(answers, &plain);
    crate::tell(&format!(
        "{} switches, {} changes possible, {} matter",
        answers.switches.len(),
        probed.possible.len(),
        probed.changes.len()
    ));
    listen(answers, &probed.changes);
    pairs::turn(answers, &mut probed);
    pairs::turn_off(answers, &probed.changes);
    probed.namings = namings(answers, &parts, &probed.changes);
    for question in pairs::bringing(answers, None) {
        with_names(answers, &probed.namings, &question);
    }
    crate::tell(&format!("{} questions", answers.asked.len()));
    probed.parts = parts;
    for part in &mut probed.parts {
        let is_partial = |name: &&str| {
            let switch = answers.switches.get(&format!("{}{name}", part.prefix));
            switch.is_some_and(|switch| !switch.is_heard_by_all())
        };
        part.partial = OVERRIDES.into_iter().filter(is_partial).collect();
    }
    probed
}

/// Parts of a chart that have a full name of their own to override, under each name that they may have.
fn components(answers: &Answers, name: &str, parts: &[Part]) -> Vec<Part> {
    let mut found = Vec::new();
    for path in answers.switches.keys() {
        let Some(prefix) = path.strip_suffix("fullnameOverride") else { continue };
        if parts.iter().any(|part| part.prefix == prefix) || !prefix.ends_with('.') {
            continue;
        }
        let last = prefix.trim_end_matches('.').rsplit('.').next().unwrap_or(prefix);
        for name in [name.to_owned(), last.to_owned(), format!("{name}-{last}")] {
            let mut part = Part::new(prefix, &name);
            part.overrides.retain(|name| answers.switches.contains_key(&format!("{prefix}{name}")));
            found.push(part);
        }
    }
    found
}

/// Versions that are asked first: the newest, the oldest, and one between.
fn first(answers: &Answers) -> BTreeSet<usize> {
    let last = answers.versions.len().saturating_sub(1);
    BTreeSet::from([last, last / 2, 0])
}

fn turn_each(answers: &mut Answers, plain: &Question) -> Probed {
    let mut probed =
        Probed { changes: Vec::new(), possible: Vec::new(), namings: Vec::new(), parts: Vec::new() };
    let usual: Vec<_> = (0..answers.versions.len()).map(|version| answers.one(plain, version)).collect();
    let switches = answers.switches.iter();
    let mut changes: Vec<Change> = switches
        .flat_map(|(path, switch)| switch.changes().into_iter().map(|to| Change::Set(path.clone(), to)))
        .collect();
    changes.extend(answers.unanswered.keys().map(|api| Change::Offer(api.clone())));
    for change in changes {
        let question = plain.with(&change);
        let (mut is_possible, mut matters) = (false, false);
        for version in first(answers) {
            if let Some(objects) = answers.one(&question, version) {
                is_possible = true;
                matters |= usual.get(version).is_some_and(|usual| usual.as_ref() != Some(&objects));
            }
        }
        if matters {
            answers.ask(&question, false);
            probed.changes.push(change.clone());
        }
        if is_possible {
            probed.possible.push(change);
        }
    }
    probed
}

/// Notes which versions do not know a text and do not hear it.
fn listen(answers: &mut Answers, changes: &[Change]) {
    for change in changes {
        let Change::Set(path, Setting::Text(mark)) = change else { continue };
        let hears = answers.heard(change);
        if let Some(switch) = answers.switches.get_mut(path).filter(|switch| switch.mark == *mark) {
            switch.hears =
                switch.known.iter().copied().zip(hears).map(|(is_known, hears)| is_known || hears).collect();
        }
    }
}

/// Changes of names: all short ones, all full ones, each alone and with all other texts that names are made of.
fn namings(answers: &Answers, parts: &[Part], changes: &[Change]) -> Vec<Vec<Change>> {
    let paths =
        |name: &str| parts.iter().map(|part| format!("{}{name}", part.prefix)).collect::<BTreeSet<_>>();
    let (short, full) = (paths("nameOverride"), paths("fullnameOverride"));
    let (mut shorts, mut fulls, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        let Change::Set(path, Setting::Text(mark)) = change else { continue };
        let Some(switch) = answers.switches.get(path).filter(|switch| switch.mark == *mark) else { continue };
        let is_space = path.rsplit('.').next().is_some_and(|last| last.starts_with("namespace"));
        if short.contains(path) {
            shorts.push(change.clone());
        } else if full.contains(path) {
            fulls.push(change.clone());
        } else if is_space || switch.shared() != Some(&Setting::Text(String::new())) {
            others.push(change.clone());
        }
    }
    let with_others = [&shorts, &fulls].map(|names| names.iter().chain(&others).cloned().collect());
    [shorts, fulls].into_iter().chain(with_others).collect()
}

/// Asks for something that is not there by default once more, with all names changed at once and for a long release, so
/// that it is plain what its names are made of.
pub(crate) fn with_names(answers: &mut Answers, namings: &[Vec<Change>], question: &Question) {
    for changes in namings {
        let is_new =
            |change: &&Change| !matches!(change, Change::Set(path, _) if question.set(path).is_some());
        let named = changes.iter().filter(is_new).fold(question.clone(), |named, change| named.with(change));
        answers.ask(&named, false);
    }
    answers.ask(&Question { release: LONG.to_owned(), ..question.clone() }, true);
}

/// What names can be made of.
pub(crate) fn blocks(answers: &Answers, parts: &[Part]) -> Vec<Block> {
    let mut found = vec![Block::Release, Block::Namespace];
    let mut texts = BTreeSet::new();
    for (_, _, _, objects) in answers.each() {
        for facts in objects {
            texts.extend([facts.name.as_str(), facts.namespace.as_str()]);
            texts.extend(facts.fields.values().map(String::as_str));
        }
    }
    for part in parts {
        found.push(Block::Full(part.clone(), 0));
        found.push(Block::Both(part.clone()));
        found.push(Block::Name(part.clone()));
    }
    found.extend(limits(answers, parts));
    for (path, switch) in &answers.switches {
        if texts.iter().any(|text| text.contains(switch.mark.as_str())) {
            let value = AValue { path: path.clone(), is_heard_by_all: switch.is_heard_by_all() };
            let last = path.rsplit('.').next().unwrap_or(path);
            if last.starts_with("namespace") {
                found.push(Block::Space(value.clone()));
            }
            let is_of = |part: &Part| OVERRIDES.iter().any(|name| *path == format!("{}{name}", part.prefix));
            if !parts.iter().any(is_of) {
                found.push(Block::Value(value));
            }
        }
    }
    found
}

/// Full names that are cut short, as names of a long release show.
fn limits(answers: &Answers, parts: &[Part]) -> Vec<Block> {
    let mut found = BTreeSet::new();
    for (_, question, version, objects) in answers.each() {
        let Some(asked) = answers.asked.get(question).filter(|asked| asked.is_long) else { continue };
        for part in parts {
            let full = Block::Full(part.clone(), 0).value(&answers.understood(&asked.question, version));
            let full = full.unwrap_or_default();
            for facts in objects {
                let same =
                    facts.name.chars().zip(full.chars()).take_while(|(one, other)| one == other).count();
                if (20..full.len()).contains(&same) && same > asked.question.release.len().min(19) {
                    found.insert(Block::Full(part.clone(), 63 - same));
                    found.insert(Block::Full(part.clone(), 64 - same));
                }
            }
        }
    }
    found.into_iter().collect()
}

//! What names are made of: the release, values, and the names that `helm create` has given since Helm 3.

use super::switches::Switches;
use crate::question::{NAMESPACE, Question, Setting};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A part of a name that depends on the question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Block {
    /// The full name of a chart, and how much shorter than usual it is cut.
    Full(Part, usize),
    /// The same without a look at whether the release has the name in it already.
    Both(Part),
    /// The name of a chart.
    Name(Part),
    /// A value that takes the place of the release's namespace.
    Space(AValue),
    Namespace,
    Release,
    /// A value.
    Value(AValue),
}

/// A value by its path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AValue {
    pub(crate) path: String,
    /// Whether every version does something with it.
    pub(crate) is_heard_by_all: bool,
}

impl AValue {
    /// How a template asks for it.
    fn text(&self) -> String {
        if self.is_heard_by_all { path_text(&self.path) } else { variable(&self.path) }
    }
}

/// The variable for a value that versions treat differently.
pub(crate) fn variable(path: &str) -> String {
    format!("$set_{}", path.replace(['.', '-'], "_"))
}

/// A chart or one inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    /// The path of its values, with a dot behind it; empty for the outermost one.
    pub(crate) prefix: String,
    pub(crate) name: String,
    /// The values that override its names.
    pub(crate) overrides: BTreeSet<&'static str>,
    /// Those of them that some versions do nothing with.
    pub(crate) partial: BTreeSet<&'static str>,
}

/// What a chart's name and full name can be overridden with.
pub(crate) const OVERRIDES: [&str; 2] = ["nameOverride", "fullnameOverride"];

impl Part {
    pub(crate) fn new(prefix: &str, name: &str) -> Self {
        Self {
            prefix: prefix.to_owned(),
            name: name.to_owned(),
            overrides: OVERRIDES.into_iter().collect(),
            partial: BTreeSet::new(),
        }
    }

    /// The paths of some of its overrides.
    fn paths(&self, names: &[&str]) -> Vec<String> {
        let known = names.iter().filter(|name| self.overrides.contains(**name));
        known.map(|name| format!("{}{name}", self.prefix)).collect()
    }

    /// What variables for it begin with.
    fn variable(&self, word: &str) -> String {
        let letters = |text: &str| -> String {
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        };
        let is_called_so = self.prefix.is_empty() || self.prefix.trim_end_matches('.').ends_with(&self.name);
        let name = if is_called_so { String::new() } else { format!("{}_", letters(&self.name)) };
        format!("${}{name}{word}", letters(&self.prefix))
    }

    /// What `shelf.fullname` and the like are given.
    fn scope(&self) -> String {
        let is_plain = self.partial.is_empty() && self.overrides.len() == OVERRIDES.len();
        if self.prefix.is_empty() && is_plain {
            return ".".to_owned();
        }
        let values = if is_plain {
            path_text(self.prefix.trim_end_matches('.'))
        } else {
            let set = self.overrides.iter().map(|name| {
                let path = format!("{}{name}", self.prefix);
                let value = if self.partial.contains(name) { variable(&path) } else { path_text(&path) };
                format!(" \"{name}\" {value}")
            });
            format!("(dict{})", set.collect::<String>())
        };
        format!("(dict \"Values\" {values} \"Chart\" (dict \"Name\" \"{}\") \"Release\" .Release)", self.name)
    }
}

/// A text with blocks in it.
pub(crate) type Template = Vec<Piece>;

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
    Block(Block),
    Text(String),
}

impl Piece {
    /// Whether it has something in it that was made up for a question and is no part of the chart.
    pub(crate) fn is_made_up(&self) -> bool {
        matches!(self, Self::Text(text) if text.contains(MARK))
    }

    /// How a template says it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.replace("{{", "{{ \"{{\" }}"),
            Self::Block(block) => format!("{{{{ {} }}}}", block.expression()),
        }
    }
}

/// A question as the chart of a version understands it.
pub(crate) struct Understood<'a> {
    pub(crate) question: &'a Question,
    pub(crate) version: usize,
    pub(crate) switches: &'a Switches,
}

impl Understood<'_> {
    /// The value at a path.
    pub(crate) fn value(&self, path: &str) -> Option<Setting> {
        let switch = self.switches.get(path)?;
        let hears = switch.hears.get(self.version).copied().unwrap_or(true);
        let set = self.question.set(path).cloned().filter(|_| hears);
        Some(set.unwrap_or_else(|| switch.default_in(self.version)))
    }

    fn text(&self, path: &str) -> Option<String> {
        match self.value(path)? {
            Setting::Text(text) => Some(text).filter(|text| !text.is_empty()),
            Setting::Bool(_) => None,
        }
    }
}

impl Block {
    /// What it stands for.
    pub(crate) fn value(&self, asked: &Understood<'_>) -> Option<String> {
        let release = &asked.question.release;
        let name = |part: &Part| {
            let set = asked.text(&format!("{}nameOverride", part.prefix));
            set.unwrap_or_else(|| part.name.clone())
        };
        let own = |part: &Part| asked.text(&format!("{}fullnameOverride", part.prefix));
        match self {
            Self::Full(part, shorter) => {
                let name = name(part);
                let usual = || {
                    if release.contains(&name) { release.clone() } else { format!("{release}-{name}") }
                };
                Some(cut(&own(part).unwrap_or_else(usual), 63 - shorter))
            }
            Self::Both(part) => {
                Some(cut(&own(part).unwrap_or_else(|| format!("{release}-{}", name(part))), 63))
            }
            Self::Name(part) => Some(cut(&name(part), 63)),
            Self::Space(value) => Some(asked.text(&value.path).unwrap_or_else(|| NAMESPACE.to_owned())),
            Self::Namespace => Some(NAMESPACE.to_owned()),
            Self::Release => Some(release.clone()),
            Self::Value(value) => asked.text(&value.path),
        }
    }

    /// The variable that holds it, and what it is set to; none for what is short anyhow.
    pub(crate) fn variable(&self) -> Option<(String, String)> {
        let of = Part::scope;
        let named = |word: &str, part: &Part| part.variable(word);
        Some(match self {
            Self::Full(part, 0) => (named("full", part), format!("include \"shelf.fullname\" {}", of(part))),
            Self::Full(part, shorter) => (
                format!("{}{}", named("full", part), 63 - shorter),
                format!(
                    "include \"shelf.fullname\" {} | trunc {} | trimSuffix \"-\"",
                    of(part),
                    63 - shorter
                ),
            ),
            Self::Both(part) => (named("both", part), format!("include \"shelf.both\" {}", of(part))),
            Self::Name(part) => (named("name", part), format!("include \"shelf.name\" {}", of(part))),
            Self::Space(value) => {
                let name = match value.path.as_str() {
                    "namespaceOverride" => "$space".to_owned(),
                    path => format!("$space_{}", path.replace(['.', '-'], "_")),
                };
                (name, format!("{} | default .Release.Namespace", value.text()))
            }
            Self::Namespace | Self::Release | Self::Value(_) => return None,
        })
    }

    /// How a template says it.
    pub(crate) fn expression(&self) -> String {
        match self {
            Self::Namespace => ".Release.Namespace".to_owned(),
            Self::Release => ".Release.Name".to_owned(),
            Self::Value(value) => value.text().trim_matches(['(', ')']).to_owned(),
            _ => self.variable().map(|(name, _)| name).unwrap_or_default(),
        }
    }

    /// The values that it asks.
    pub(crate) fn paths(&self) -> Vec<String> {
        match self {
            Self::Full(part, _) | Self::Both(part) => part.paths(&OVERRIDES),
            Self::Name(part) => part.paths(&["nameOverride"]),
            Self::Space(value) | Self::Value(value) => vec![value.path.clone()],
            Self::Namespace | Self::Release => Vec::new(),
        }
    }
}

/// How a template asks for a value.
pub(crate) fn path_text(path: &str) -> String {
    if path.contains('-') {
        let mut words = String::new();
        path.split('.').for_each(|key| {
            let _ = write!(words, " \"{key}\"");
        });
        return format!("(index .Values{words})");
    }
    format!(".Values.{path}")
}

fn cut(text: &str, limit: usize) -> String {
    let cut: String = text.chars().take(limit).collect();
    cut.strip_suffix('-').map(str::to_owned).unwrap_or(cut)
}

/// What a template says.
pub(crate) fn said(template: &Template, asked: &Understood<'_>) -> Option<String> {
    let mut text = String::new();
    for piece in template {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Block(block) => text.push_str(&block.value(asked)?),
        }
    }
    Some(text)
}

/// All templates that say a text, those with the longest blocks first.
pub(crate) fn templates(text: &str, values: &[(&Block, String)]) -> Vec<Template> {
    let mut matches: BTreeMap<usize, Vec<(&Block, usize)>> = BTreeMap::new();
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    for (block, value) in values {
        for (at, _) in text.match_indices(value.as_str()) {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text.get(at + value.len()..).and_then(|text| text.chars().next());
            if !is_letter(before) && !is_letter(after) {
                matches.entry(at).or_default().push((block, value.len()));
            }
        }
    }
    for found in matches.values_mut() {
        found.sort_by_key(|(block, length)| (usize::MAX - length, *block));
    }
    let mut found = Vec::new();
    extend(text, 0, &matches, &mut Vec::new(), &mut found);
    found
}

const MOST_TEMPLATES: usize = 128;

/// How every text begins that is made up for a question.
const MARK: &str = "zq";

fn extend(
    text: &str,
    from: usize,
    matches: &BTreeMap<usize, Vec<(&Block, usize)>>,
    done: &mut Template,
    found: &mut Vec<Template>,
) {
    let next = matches.range(from..).next();
    let Some((at, blocks)) = next else {
        let mut whole = done.clone();
        whole.extend(
            text.get(from..).filter(|rest| !rest.is_empty()).map(|rest| Piece::Text(rest.to_owned())),
        );
        let whole = join(whole);
        if found.len() < MOST_TEMPLATES && !whole.iter().any(Piece::is_made_up) {
            found.push(whole);
        }
        return;
    };
    let length = done.len();
    let literal = text.get(from..*at).unwrap_or_default();
    for (block, size) in blocks {
        if found.len() >= MOST_TEMPLATES {
            return;
        }
        if !literal.is_empty() {
            done.push(Piece::Text(literal.to_owned()));
        }
        done.push(Piece::Block((*block).clone()));
        extend(text, at + size, matches, done, found);
        done.truncate(length);
    }
    // Or the match is by chance.
    let step = text.get(*at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    done.push(Piece::Text(text.get(from..at + step).unwrap_or_default().to_owned()));
    extend(text, at + step, matches, done, found);
    done.truncate(length);
}

/// The same with texts beside each other made one.
fn join(template: Template) -> Template {
    let mut joined: Template = Vec::new();
    for piece in template {
        match (joined.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

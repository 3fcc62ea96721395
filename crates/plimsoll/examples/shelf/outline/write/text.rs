//! How templates say conditions and names.

use super::Stated;
use crate::outline::blocks::{Block, Piece, Template, path_text, variable};
use crate::outline::explain::{Condition, Meaning};
use crate::outline::learn::{Bits, condition};
use crate::question::Setting;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What a file made use of.
#[derive(Default)]
pub(super) struct Used {
    pub(super) blocks: BTreeSet<Block>,
    pub(super) meanings: BTreeSet<Meaning>,
    pub(super) paths: BTreeSet<String>,
}

impl Used {
    pub(super) fn path(&mut self, path: &str) {
        self.paths.insert(path.to_owned());
    }

    /// Whether a value stands in a name.
    pub(super) fn is_printed(&self, path: &str) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Value(value) if value.path == path))
    }

    pub(super) fn template(&mut self, template: &Template) {
        for piece in template {
            if let Piece::Block(block) = piece {
                self.paths.extend(block.paths());
                self.blocks.insert(block.clone());
            }
        }
    }

    pub(super) fn condition(&mut self, condition: &Condition) {
        for (meaning, _) in condition.groups.iter().flatten() {
            if let Meaning::On(path) | Meaning::Is(path, _) = meaning {
                self.paths.insert(path.clone());
            }
            self.meanings.insert(meaning.clone());
        }
    }
}

/// A scalar or a flow of YAML that says a text of JSON with blocks in it.
pub(super) fn scalar(template: &Template) -> String {
    let whole: String = template.iter().map(Piece::shown).collect();
    let inner = whole.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(inner) = inner.filter(|_| is_text(template)) else { return whole };
    let literal: String = template.iter().filter_map(|piece| literal(piece)).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-' | '"');
    let word = literal.trim_matches('"');
    let is_word = !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&word)
        && (template.len() > 1 || word.starts_with(|c: char| c.is_ascii_alphabetic()));
    if literal.chars().all(is_plain) && is_word { inner.to_owned() } else { whole }
}

fn is_text(template: &Template) -> bool {
    let first = template.first().and_then(literal).is_some_and(|text| text.starts_with('"'));
    let last = template.last().and_then(literal).is_some_and(|text| text.ends_with('"'));
    let quotes: usize = template.iter().filter_map(literal).map(|text| text.matches('"').count()).sum();
    first && last && quotes == 2
}

fn literal(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Text(text) => Some(text),
        Piece::Block(_) => None,
    }
}

/// A template as the text between quotes, which it is as a name.
pub(super) fn quoted(template: &Template) -> Template {
    let mut whole = vec![Piece::Text("\"".to_owned())];
    whole.extend(template.iter().cloned());
    whole.push(Piece::Text("\"".to_owned()));
    whole
}

/// An expression that gives what a template of JSON text says.
pub(super) fn expression(template: &Template) -> String {
    let mut words = String::from("(print");
    for piece in template {
        match piece {
            Piece::Text(text) => {
                let text = text.trim_matches('"');
                if !text.is_empty() {
                    let _ = write!(words, " \"{text}\"");
                }
            }
            Piece::Block(block) => {
                // Inside `range` the dot is something else.
                let expression =
                    block.expression().replace(".Values", "$.Values").replace(".Release", "$.Release");
                let has_space = expression.contains(' ');
                let _ =
                    if has_space { write!(words, " ({expression})") } else { write!(words, " {expression}") };
            }
        }
    }
    words.push(')');
    words
}

impl Stated<'_> {
    /// A condition as `if` takes it.
    pub(super) fn condition(&self, condition: &Condition) -> String {
        let literal = |(meaning, must): &(Meaning, bool)| {
            let text = self.meaning(meaning);
            if *must { text } else { format!("(not {text})") }
        };
        let (inner, outer) = if condition.is_any { ("and", "or") } else { ("or", "and") };
        let groups: Vec<String> = condition
            .groups
            .iter()
            .map(|group| match group.as_slice() {
                [one] => literal(one),
                more => format!("({inner} {})", more.iter().map(literal).collect::<Vec<_>>().join(" ")),
            })
            .collect();
        match groups.as_slice() {
            [one] => {
                one.strip_prefix('(').and_then(|one| one.strip_suffix(')')).map_or(one.clone(), str::to_owned)
            }
            more => format!("{outer} {}", more.join(" ")),
        }
    }

    fn meaning(&self, meaning: &Meaning) -> String {
        match meaning {
            Meaning::On(path) => self.value(path),
            Meaning::Is(path, text) => format!("(eq (toString {}) \"{text}\")", self.value(path)),
            Meaning::Offers(api) => format!("(.Capabilities.APIVersions.Has \"{api}\")"),
            Meaning::Since(version) => self.since(*version),
        }
    }

    fn value(&self, path: &str) -> String {
        if self.varies(path) || self.is_partial(path) { variable(path) } else { path_text(path) }
    }

    fn since(&self, version: usize) -> String {
        let version = self.answers.versions.get(version).map_or("", String::as_str);
        format!("$from_{}", version.replace(['.', '-', '+'], "_"))
    }

    /// Whether versions have different defaults of a value.
    pub(super) fn varies(&self, path: &str) -> bool {
        self.answers.switches.get(path).is_some_and(|switch| switch.shared().is_none())
    }

    /// Whether some versions do nothing with a value.
    fn is_partial(&self, path: &str) -> bool {
        self.answers.switches.get(path).is_some_and(|switch| !switch.is_heard_by_all())
    }

    /// The variables that a file needs.
    pub(super) fn variables(&self, used: &Used) -> String {
        let mut text = String::new();
        let mut more = BTreeSet::new();
        let (mut defaults, mut partial) = (String::new(), String::new());
        for path in used.paths.iter().filter(|path| self.varies(path)) {
            if !used.meanings.contains(&Meaning::On(path.clone())) {
                continue;
            }
            let usual = self.in_versions(|version| {
                let default = self.answers.switches.get(path).map(|switch| switch.default_in(version));
                default == Some(Setting::Bool(true))
            });
            more.extend(usual.groups.iter().flatten().map(|(meaning, _)| meaning.clone()));
            let (name, value) = (variable(path), path_text(path));
            let usual = self.condition(&usual);
            let _ = writeln!(
                defaults,
                "{{{{- {name} := {value} -}}}}\n{{{{- if kindIs \"invalid\" {name} }}}}{{{{ {name} = {usual} }}}}{{{{ end -}}}}"
            );
        }
        for path in used.paths.iter().filter(|path| self.is_partial(path)) {
            let Some(switch) = self.answers.switches.get(path) else { continue };
            let heard = self.in_versions(|version| switch.hears.get(version) == Some(&true));
            more.extend(heard.groups.iter().flatten().map(|(meaning, _)| meaning.clone()));
            let usual = match switch.shared() {
                Some(Setting::Text(text)) => text.as_str(),
                _ => "",
            };
            let (name, value, heard) = (variable(path), path_text(path), self.condition(&heard));
            let _ = writeln!(partial, "{{{{- {name} := ternary {value} \"{usual}\" ({heard}) -}}}}");
        }
        for meaning in used.meanings.iter().chain(&more).collect::<BTreeSet<_>>() {
            if let Meaning::Since(version) = meaning {
                let first = self.answers.versions.get(*version).map_or("", String::as_str);
                let _ = writeln!(
                    text,
                    "{{{{- {} := semverCompare \">={first}\" .Chart.Version -}}}}",
                    self.since(*version)
                );
            }
        }
        text.push_str(&partial);
        for (name, value) in used.blocks.iter().filter_map(Block::variable) {
            let _ = writeln!(text, "{{{{- {name} := {value} -}}}}");
        }
        text + &defaults
    }

    /// A condition that holds in some of the versions.
    pub(super) fn in_versions(&self, is_one: impl Fn(usize) -> bool) -> Condition {
        let versions = self.answers.versions.len();
        let (mut yes, mut no) = (Bits::new(versions), Bits::new(versions));
        let mut meanings = Vec::new();
        let mut literals = Vec::new();
        for version in 0..versions {
            if is_one(version) { &mut yes } else { &mut no }.insert(version);
            let (mut since, mut before) = (Bits::new(versions), Bits::new(versions));
            (0..versions).for_each(|at| if at >= version { since.insert(at) } else { before.insert(at) });
            meanings.push(Meaning::Since(version));
            literals.extend([since, before]);
        }
        let found = condition(&yes, &no, &literals).unwrap_or_default();
        let literal = |number: &usize| Some((meanings.get(number / 2)?.clone(), number.is_multiple_of(2)));
        let groups = found.groups.iter().map(|group| group.iter().filter_map(literal).collect());
        Condition { groups: groups.collect(), is_any: found.is_any }
    }
}

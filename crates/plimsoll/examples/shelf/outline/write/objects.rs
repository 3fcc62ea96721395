//! Objects as templates: what all forms share as it is, the rest behind conditions.

use super::Stated;
use super::text::{Used, quoted, scalar};
use crate::outline::blocks::{Block, Piece, Template, said};
use crate::outline::explain::Condition;
use crate::outline::facts::Field;
use crate::outline::known::Known;
use crate::outline::probe::RELEASE;
use crate::question::Question;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How long a line may be that says several things.
const WIDTH: usize = 118;

/// A field and what is below it.
enum Tree {
    Leaf(Vec<(Template, Condition)>),
    Inner(Vec<(String, Tree)>),
}

impl Stated<'_> {
    /// A file of objects.
    pub(super) fn objects(&self, known: &[&Known], used: &mut Used) -> String {
        let made = self.made(known);
        let mut groups = BTreeMap::<(usize, Condition), Vec<String>>::new();
        for one in known {
            let presence = one.presence.clone().unwrap_or_default();
            used.condition(&presence);
            let fields = self.stated_fields(one, &made);
            for (template, condition) in fields.values().flatten() {
                used.template(template);
                used.condition(condition);
            }
            used.template(&one.name);
            let mut text = "---\n".to_owned();
            self.entries(&tree(one, &fields, used), 0, &mut text);
            groups.entry((presence.groups.iter().flatten().count(), presence)).or_default().push(text);
        }
        let mut text =
            format!("{{{{- /* The objects of the chart's templates. */ -}}}}\n{}", self.variables(used));
        for ((_, presence), objects) in groups {
            if !presence.is_always() {
                let _ = writeln!(text, "{{{{- if {} }}}}", self.condition(&presence));
            }
            text.extend(objects);
            if !presence.is_always() {
                text.push_str("{{- end }}\n");
            }
        }
        text
    }

    /// The names of Secrets that the chart itself sees to, for the plain release.
    fn made(&self, known: &[&Known]) -> BTreeSet<String> {
        let plain = Question::plain(RELEASE);
        let mut made = BTreeSet::new();
        for version in 0..self.answers.versions.len() {
            let asked = self.answers.understood(&plain, version);
            for one in known {
                if one.kind == "Secret" {
                    made.extend(said(&one.name, &asked));
                }
                let products = one.fields.iter().filter(|(path, _)| names_product(path));
                let texts = products.flat_map(|(_, forms)| forms).filter_map(|(form, _)| said(form, &asked));
                for text in texts {
                    let words = text.split(['"', ' ', '=']).filter(|word| !word.is_empty());
                    made.extend(words.map(str::to_owned));
                }
            }
        }
        made
    }

    /// The fields of an object without references to Secrets of which nobody knows where they come from.
    fn stated_fields(
        &self,
        one: &Known,
        made: &BTreeSet<String>,
    ) -> BTreeMap<Field, Vec<(Template, Condition)>> {
        let plain = Question::plain(RELEASE);
        let asked = self.answers.understood(&plain, self.answers.versions.len().saturating_sub(1));
        // A name that is empty by default is what a user gives to a Secret that is there.
        let is_known = |template: &Template| {
            said(template, &asked).is_none_or(|text| made.contains(text.trim_matches('"')))
        };
        let mut dropped = Vec::new();
        for (path, forms) in one.fields.iter().filter(|(path, _)| names_secret(path)) {
            if forms.iter().all(|(template, _)| is_known(template)) {
                continue;
            }
            let item = path.iter().rposition(|key| key.starts_with('[')).unwrap_or_default();
            dropped.extend(path.get(..=item).map(<[String]>::to_vec));
            let is_volume = path.iter().any(|key| key == "volumes");
            if let (true, Some(name)) = (is_volume, path.get(item)) {
                let mounts = one.fields.keys().filter_map(|path| {
                    let at = path.iter().position(|key| key == "volumeMounts")?;
                    (path.get(at + 1) == Some(name)).then(|| path.get(..=at + 1).map(<[String]>::to_vec))?
                });
                dropped.extend(mounts);
            }
        }
        let mut fields = one.fields.clone();
        fields.retain(|path, _| !dropped.iter().any(|dropped| path.starts_with(dropped)));
        fields
    }

    fn entries(&self, entries: &[(String, Tree)], indent: usize, text: &mut String) {
        for (key, tree) in entries {
            let hoisted = common(tree).or_else(|| presence(key, tree));
            match hoisted.filter(|condition| !condition.is_always()) {
                Some(condition) => {
                    let _ = writeln!(text, "{:indent$}{{{{- if {} }}}}", "", self.condition(&condition));
                    self.entry(key, &freed(tree, &condition), indent, text);
                    let _ = writeln!(text, "{:indent$}{{{{- end }}}}", "");
                }
                None => self.entry(key, tree, indent, text),
            }
        }
    }

    fn entry(&self, key: &str, tree: &Tree, indent: usize, text: &mut String) {
        let (lead, inner) =
            if key.starts_with('[') { ("- ".to_owned(), 2) } else { (format!("{}: ", shown(key)), 2) };
        if let Some(flow) =
            flow(tree).filter(|flow| indent + lead.len() + flow.len() <= WIDTH || is_scalar(tree))
        {
            let _ = writeln!(text, "{:indent$}{lead}{flow}", "");
            return;
        }
        match tree {
            Tree::Leaf(forms) => {
                for (at, (template, condition)) in forms.iter().enumerate() {
                    let words = match (at, condition.is_always()) {
                        (0, _) => format!("if {}", self.condition(condition)),
                        (_, false) => format!("else if {}", self.condition(condition)),
                        (_, true) => "else".to_owned(),
                    };
                    let _ = writeln!(text, "{:indent$}{{{{- {words} }}}}", "");
                    let _ = writeln!(text, "{:indent$}{lead}{}", "", scalar(template));
                }
                let _ = writeln!(text, "{:indent$}{{{{- end }}}}", "");
            }
            Tree::Inner(entries) if key.starts_with('[') => {
                let mut below = String::new();
                self.entries(entries, indent + inner, &mut below);
                // The first line begins the item.
                let below = below.get(indent + inner..).unwrap_or_default();
                let _ = write!(text, "{:indent$}- {below}", "");
            }
            Tree::Inner(entries) => {
                let _ = writeln!(text, "{:indent$}{}", "", lead.trim_end());
                self.entries(entries, indent + inner, text);
            }
        }
    }
}

/// Whether a field says which Secret comes into being.
fn names_product(path: &Field) -> bool {
    let last = path.last().map_or("", String::as_str);
    let is_certificate = path.len() == 2 && last == "secretName";
    is_certificate || last == "args"
}

/// Whether a field says which Secret is read.
fn names_secret(path: &Field) -> bool {
    let is_there = |key: &str| path.iter().any(|known| known == key);
    let last = path.last().map_or("", String::as_str);
    (is_there("volumes") && last == "secretName") || (is_there("secretKeyRef") && last == "name")
}

fn tree(
    one: &Known,
    fields: &BTreeMap<Field, Vec<(Template, Condition)>>,
    used: &mut Used,
) -> Vec<(String, Tree)> {
    let mut root = Vec::new();
    let always = |template: &Template| vec![(quoted(template), Condition::default())];
    let mut put = |path: &[String], forms: Vec<(Template, Condition)>| insert(&mut root, path, forms);
    let path = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    for field in ["apiVersion", "kind"] {
        if let Some(forms) = fields.get(&path(&[field])) {
            put(&path(&[field]), forms.clone());
        }
    }
    put(&path(&["metadata", "name"]), always(&one.name));
    if one.namespace != [Piece::Block(Block::Namespace)] {
        used.template(&one.namespace);
        put(&path(&["metadata", "namespace"]), always(&one.namespace));
    }
    for (path, forms) in fields
        .iter()
        .filter(|(path, _)| path.len() > 1 || !path.iter().all(|key| key == "apiVersion" || key == "kind"))
    {
        // The name of an item comes first, since the dash stands before it.
        put(path, forms.clone());
    }
    names_first(&mut root);
    root
}

fn names_first(entries: &mut Vec<(String, Tree)>) {
    for (key, tree) in entries {
        if let Tree::Inner(inner) = tree {
            if key.starts_with('[') {
                inner.sort_by_key(|(key, _)| key != "name");
            }
            names_first(inner);
        }
    }
}

fn insert(entries: &mut Vec<(String, Tree)>, path: &[String], forms: Vec<(Template, Condition)>) {
    let Some((first, rest)) = path.split_first() else { return };
    let at = entries.iter().position(|(key, _)| key == first).unwrap_or_else(|| {
        entries.push((first.clone(), Tree::Inner(Vec::new())));
        entries.len() - 1
    });
    let Some((_, tree)) = entries.get_mut(at) else { return };
    if rest.is_empty() {
        *tree = Tree::Leaf(forms);
    } else if let Tree::Inner(inner) = tree {
        insert(inner, rest, forms);
    }
}

/// The condition that everything below shares.
fn common(tree: &Tree) -> Option<Condition> {
    match tree {
        Tree::Leaf(forms) => match forms.as_slice() {
            [(_, condition)] => Some(condition.clone()),
            _ => None,
        },
        Tree::Inner(entries) => {
            let mut conditions = entries.iter().map(|(_, tree)| common(tree));
            let first = conditions.next()??;
            conditions.all(|other| other.as_ref() == Some(&first)).then_some(first)
        }
    }
}

/// When an item of a list is there: when its name is.
fn presence(key: &str, tree: &Tree) -> Option<Condition> {
    let Tree::Inner(entries) = tree else { return None };
    let (_, name) = entries.iter().find(|(inner, _)| key.starts_with('[') && inner == "name")?;
    common(name)
}

/// The same where a condition is known to hold.
fn freed(tree: &Tree, known: &Condition) -> Tree {
    let free =
        |condition: &Condition| if condition == known { Condition::default() } else { condition.clone() };
    match tree {
        Tree::Leaf(forms) => {
            Tree::Leaf(forms.iter().map(|(template, when)| (template.clone(), free(when))).collect())
        }
        Tree::Inner(entries) => {
            Tree::Inner(entries.iter().map(|(key, tree)| (key.clone(), freed(tree, known))).collect())
        }
    }
}

fn is_scalar(tree: &Tree) -> bool {
    matches!(tree, Tree::Leaf(_))
}

/// Everything on one line, if there is no condition in it.
fn flow(tree: &Tree) -> Option<String> {
    match tree {
        Tree::Leaf(forms) => match forms.as_slice() {
            [(template, condition)] if condition.is_always() => Some(scalar(template)),
            _ => None,
        },
        Tree::Inner(entries) => {
            let is_list = entries.iter().all(|(key, _)| key.starts_with('['));
            let inner: Option<Vec<String>> = entries
                .iter()
                .map(|(key, tree)| {
                    let value = flow(tree)?;
                    Some(if is_list { value } else { format!("{}: {value}", shown(key)) })
                })
                .collect();
            let inner = inner?.join(", ");
            Some(if is_list { format!("[{inner}]") } else { format!("{{{inner}}}") })
        }
    }
}

fn shown(key: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-');
    let is_safe = key.starts_with(|c: char| c.is_ascii_alphabetic()) && key.chars().all(is_plain);
    if is_safe { key.to_owned() } else { format!("\"{key}\"") }
}

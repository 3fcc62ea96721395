//! Strategic merge as kustomize does it, oddities included: the whole of both trees is walked, also where the patch says
//! nothing (`kyaml` v0.21.1, `yaml/merge2/merge2.go`, `yaml/walk`).

mod directive;
mod lists;

use crate::refusal::Refusal;
use crate::schema::{Definitions, Field, FieldForm};
use crate::tree::{Form, Node};
use directive::Directive;
use std::collections::BTreeSet;

/// What a patch makes of an object; nothing where it deletes it.
pub(crate) fn merge(object: Node, patch: Node, definitions: &Definitions) -> Result<Option<Node>, Refusal> {
    let definition = [&object, &patch].into_iter().find_map(|node| {
        let (api_version, kind) = (node.get("apiVersion")?.said(), node.get("kind")?.said());
        definitions.of_kind(api_version, kind)
    });
    let walker = Walker { definitions };
    let found = walker.walk(Some(object), Some(patch), Known::definition(definition))?;
    Ok(found.filter(|node| !node.is_null()))
}

/// What the schema says of a place in the trees.
#[derive(Clone, Copy, Default)]
struct Known<'d> {
    /// The type of what stands here.
    definition: Option<&'d str>,
    /// The field that holds it.
    field: Option<&'d Field>,
}

struct Walker<'d> {
    definitions: &'d Definitions,
}

/// What becomes of a field.
type Walked = Result<Option<Node>, Refusal>;

impl<'d> Known<'d> {
    fn definition(definition: Option<&'d str>) -> Self {
        Self { definition, field: None }
    }

    /// What is known of the items of a list.
    fn items(self) -> Self {
        let list = self.field.filter(|field| field.form == FieldForm::List);
        Self::definition(list.and_then(|field| field.target.as_deref()))
    }

    /// The fields by which the items of a list are told apart, where they are.
    fn keys(self) -> Option<&'d [Box<str>]> {
        self.field.filter(|field| field.form == FieldForm::List)?.keys.as_deref()
    }
}

impl<'d> Walker<'d> {
    fn walk(&self, dest: Option<Node>, patch: Option<Node>, known: Known<'d>) -> Walked {
        let is_there = |node: &&Node| !node.is_null();
        let first = dest.as_ref().filter(is_there).or(patch.as_ref().filter(is_there));
        let Some(first) = first else { return Ok(nulls(dest, patch)) };
        refuse_other_forms(first, dest.as_ref(), patch.as_ref())?;
        match first.form {
            Form::Map(_) => self.walk_map(dest, patch, known),
            Form::List(_) => match known.keys() {
                Some(keys) => self.walk_associative(dest, patch, keys, known),
                None => Ok(patch.or(dest)),
            },
            Form::Scalar(_) => Ok(patch.or(dest)),
        }
    }

    fn walk_map(&self, dest: Option<Node>, patch: Option<Node>, known: Known<'d>) -> Walked {
        let Some((mut dest, mut patch)) = meet(dest, patch)? else { return Ok(None) };
        let mut names: BTreeSet<Box<str>> = BTreeSet::new();
        for node in [Some(&dest), patch.as_ref()].into_iter().flatten() {
            names.extend(node.entries().iter().map(|(key, _)| key.text.clone()));
        }
        for name in names {
            let known = self.field(known, &name);
            let (key, own) = take(&mut dest, &name);
            let (patch_key, patched) = patch.as_mut().map_or((None, None), |patch| take(patch, &name));
            let was_null = own.as_ref().is_some_and(Node::is_null);
            let is_patched = patched.is_some();
            // What is new in a patch is merged with itself.
            let is_itself = own.as_ref().is_some_and(Node::is_scalar) && own == patched;
            let before = own.as_ref().map(|node| (node.twin, quotes(node)));
            let Some(mut value) = self.walk(own, patched, known)? else { continue };
            // Null that was written out stays where the patch says nothing.
            if value.is_null() && (is_patched || !was_null) {
                continue;
            }
            match before {
                Some((twin, quotes)) if is_patched && !is_itself => {
                    value.twin = twin;
                    keep_quotes(&mut value, quotes);
                }
                _ => value.quote(),
            }
            if let (Some(key), Form::Map(entries)) = (key.or(patch_key), &mut dest.form) {
                entries.push((key, value));
            }
        }
        Ok(Some(dest))
    }

    /// What is known of a field.
    fn field(&self, known: Known<'d>, name: &str) -> Known<'d> {
        // The values of a map have the type that the field says.
        if let Some(field) = known.field.filter(|field| field.form == FieldForm::Map) {
            return Known::definition(field.target.as_deref());
        }
        let field = known.definition.and_then(|definition| self.definitions.field(definition, name));
        let is_direct = |field: &&Field| field.form == FieldForm::Direct;
        Known { definition: field.filter(is_direct).and_then(|field| field.target.as_deref()), field }
    }
}

/// Both are null or missing: null that was written out stays, unless the patch says it again.
fn nulls(dest: Option<Node>, patch: Option<Node>) -> Option<Node> {
    match (dest, patch) {
        (Some(dest), None) if !dest.written().is_empty() => Some(dest),
        (_, patch) => patch,
    }
}

fn refuse_other_forms(first: &Node, dest: Option<&Node>, patch: Option<&Node>) -> Result<(), Refusal> {
    let form = std::mem::discriminant(&first.form);
    let is_other = |node: &&Node| !node.is_null() && std::mem::discriminant(&node.form) != form;
    match [dest, patch].into_iter().flatten().find(is_other) {
        Some(other) => {
            let cause = "kustomize refuses a patch that makes something else of a list, a map or a text";
            Err(Refusal::new(other.place, cause))
        }
        None => Ok(()),
    }
}

/// The map that goes on, and the patch for it; nothing where it is taken away. What is new in a patch is merged with
/// itself, which drops nulls and directives inside.
fn meet(dest: Option<Node>, patch: Option<Node>) -> Result<Option<(Node, Option<Node>)>, Refusal> {
    match (dest.filter(|node| !node.is_null()), patch) {
        (None, None) => Ok(None),
        (Some(dest), None) => Ok(Some((dest, None))),
        (None, Some(mut patch)) => Ok(match directive::of_map(&mut patch).unwrap_or(Directive::Merge) {
            Directive::Delete => None,
            _ => Some((patch.clone(), Some(patch))),
        }),
        (Some(_), Some(patch)) if patch.is_null() => Ok(None),
        (Some(mut dest), Some(mut patch)) => Ok(match directive::of_map(&mut patch)? {
            Directive::Delete => None,
            Directive::Replace => Some((patch.clone(), Some(patch))),
            Directive::Merge => {
                // Where a patch is merged with itself, the directive stands in both.
                dest.clear(directive::KEY);
                Some((dest, Some(patch)))
            }
        }),
    }
}

fn take(node: &mut Node, name: &str) -> (Option<crate::tree::Key>, Option<Node>) {
    let Form::Map(entries) = &mut node.form else { return (None, None) };
    match entries.iter().position(|(key, _)| &*key.text == name) {
        Some(at) => {
            let (key, node) = entries.remove(at);
            (Some(key), Some(node))
        }
        None => (None, None),
    }
}

fn quotes(node: &Node) -> Option<bool> {
    match &node.form {
        Form::Scalar(scalar) => Some(scalar.is_plain),
        _ => None,
    }
}

fn keep_quotes(node: &mut Node, quotes: Option<bool>) {
    if let (Form::Scalar(scalar), Some(is_plain)) = (&mut node.form, quotes) {
        scalar.is_plain = is_plain;
    }
}

//! The directive `$patch` inside a patch (`kyaml` v0.21.1, `yaml/merge2/smpdirective.go`).

use crate::refusal::Refusal;
use crate::tree::{Form, Node};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive {
    Merge,
    Replace,
    Delete,
}

/// The key of the directive.
pub(super) const KEY: &str = "$patch";

/// What a map of a patch asks for; the directive is taken out of it.
pub(super) fn of_map(patch: &mut Node) -> Result<Directive, Refusal> {
    let Some(node) = patch.get(KEY) else { return Ok(Directive::Merge) };
    let directive = parse(node)?;
    patch.clear(KEY);
    Ok(directive)
}

/// What a list of a patch asks for: an item that says nothing else. It is taken out.
pub(super) fn of_list(patch: &mut Node) -> Result<Directive, Refusal> {
    let found = patch.items().iter().find_map(|item| Some((item, item.get(KEY)?)));
    let Some((item, node)) = found else { return Ok(Directive::Merge) };
    // Counted as keys and values.
    if item.entries().len() > 1 {
        return Ok(Directive::Merge);
    }
    let directive = parse(node)?;
    let word = node.written().to_owned();
    if let Form::List(items) = &mut patch.form {
        items.retain(|item| {
            let is_directive = item.get(KEY).is_some_and(|node| node.written() == word);
            !is_directive
                && !item.is_null()
                && !matches!(&item.form, Form::Map(entries) if entries.is_empty())
        });
    }
    Ok(directive)
}

/// Whether a map of a patch replaces what it is merged into.
pub(super) fn replaces(patch: &Node) -> bool {
    patch.get(KEY).is_some_and(|node| node.written() == "replace")
}

fn parse(node: &Node) -> Result<Directive, Refusal> {
    match node.written() {
        "merge" => Ok(Directive::Merge),
        "replace" => Ok(Directive::Replace),
        "delete" => Ok(Directive::Delete),
        _ => Err(Refusal::new(node.place, "kustomize refuses any $patch but merge, replace and delete")),
    }
}

//! Finds one node by a path (`kyaml` v0.21.1, `yaml/fns.go`, `PathGetter`).

use super::{Form, Node};

/// One part of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Field(String),
    Index(usize),
    Last,
    /// The item whose field says this; with an empty field, the item that is this text.
    Item {
        field: String,
        value: String,
    },
}

/// The steps of a path, or why there are none.
pub(crate) fn steps(path: &[String]) -> Result<Vec<Step>, &'static str> {
    let parts = path.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.map(step).collect()
}

fn step(part: &str) -> Result<Step, &'static str> {
    if let Ok(index) = part.parse::<i64>() {
        return usize::try_from(index).map(Step::Index).map_err(|_| "an index cannot be negative");
    }
    match part {
        "-" => Ok(Step::Last),
        "*" => Err("`*` finds several fields, and one is needed here"),
        _ if part.starts_with('[') && part.ends_with(']') => {
            let inside = part.get(1..part.len() - 1).unwrap_or_default();
            let (field, value) = inside.split_once('=').ok_or("brackets in a path hold `field=value`")?;
            Ok(Step::Item { field: field.to_owned(), value: value.to_owned() })
        }
        _ => Ok(Step::Field(part.to_owned())),
    }
}

/// The node at the end of a path. A step into something of another form is an error.
pub(crate) fn follow<'n>(node: &'n Node, steps: &[Step]) -> Result<Option<&'n Node>, &'static str> {
    let mut found = node;
    for step in steps {
        match find(found, step)? {
            Found::Entry(at) => match &found.form {
                Form::Map(entries) => match entries.get(at) {
                    Some((_, node)) => found = node,
                    None => return Ok(None),
                },
                Form::List(items) => match items.get(at) {
                    Some(node) => found = node,
                    None => return Ok(None),
                },
                Form::Scalar(_) => return Ok(None),
            },
            Found::Nothing => return Ok(None),
        }
    }
    Ok(Some(found))
}

/// The same, to change it.
pub(crate) fn follow_mut<'n>(
    node: &'n mut Node,
    steps: &[Step],
) -> Result<Option<&'n mut Node>, &'static str> {
    let mut found = node;
    for step in steps {
        let Found::Entry(at) = find(found, step)? else { return Ok(None) };
        let next = match &mut found.form {
            Form::Map(entries) => entries.get_mut(at).map(|(_, node)| node),
            Form::List(items) => items.get_mut(at),
            Form::Scalar(_) => None,
        };
        match next {
            Some(next) => found = next,
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

enum Found {
    Entry(usize),
    Nothing,
}

fn find(node: &Node, step: &Step) -> Result<Found, &'static str> {
    if node.is_null() {
        return Ok(Found::Nothing);
    }
    let position = match (step, &node.form) {
        (Step::Field(name), Form::Map(entries)) => entries.iter().position(|(key, _)| *key.text == **name),
        (Step::Field(_), _) => return Err("there is no map at this path"),
        (Step::Index(at), Form::List(items)) => (*at < items.len()).then_some(*at),
        (Step::Last, Form::List(items)) => items.len().checked_sub(1),
        (Step::Item { field, value }, Form::List(items)) if field.is_empty() => {
            items.iter().position(|item| item.written() == value)
        }
        (Step::Item { field, value }, Form::List(items)) => {
            let is_it = |item: &Node| item.get(field).is_some_and(|found| found.written() == value);
            items.iter().position(is_it)
        }
        _ => return Err("there is no list at this path"),
    };
    Ok(position.map_or(Found::Nothing, Found::Entry))
}

//! Whether a value has the shape of its setting.

use super::settings::{Field, Shape};
use plimsoll_model::{Node, Place, Value};

/// Where a value does not have the shape, and why.
pub(super) type Misfit = (Place, String);

/// Says what of a value does not fit.
pub(super) fn misfits(shape: Shape, node: &Node) -> Vec<Misfit> {
    let wrong = |cause: &str| vec![(node.place, cause.to_owned())];
    match (shape, &node.value) {
        (Shape::Switch, Value::Bool(_)) => Vec::new(),
        (Shape::Switch, _) => wrong("this is true or false"),
        (Shape::Word(words), _) => word(words, node),
        (Shape::Text, _) => text(node),
        (Shape::Texts, Value::List(items)) => items.iter().flat_map(text).collect(),
        (Shape::Words(words), Value::List(items)) => {
            items.iter().flat_map(|item| word(words, item)).collect()
        }
        (Shape::Texts | Shape::Words(_), _) => wrong("this is a list"),
        (Shape::Rules(words), Value::Map(entries)) => {
            let levels = entries.iter().flat_map(|(_, level)| word(words, level));
            let unknown = entries.iter().filter_map(|(code, _)| unknown_rule(&code.text, code.place));
            levels.chain(unknown).collect()
        }
        (Shape::Allowances(fields), Value::List(items)) => {
            items.iter().flat_map(|item| allowance(fields, item)).collect()
        }
        (Shape::Allowances(_), _) => wrong("this is a list of what is allowed"),
        (Shape::Rules(_), _) => wrong("this is a map from the code of a rule to its weight"),
    }
}

/// Says that nothing is known of a rule.
fn unknown_rule(code: &str, place: Place) -> Option<Misfit> {
    let is_known = plimsoll_knowledge::rules().iter().any(|rule| rule.code.0 == code);
    (!is_known).then(|| (place, format!("there is no rule `{code}`; `plimsoll explain` lists every rule")))
}

fn word(words: &[&str], node: &Node) -> Vec<Misfit> {
    match node.text().filter(|text| words.contains(text)) {
        Some(_) => Vec::new(),
        None => vec![(node.place, format!("this is one of: {}", words.join(", ")))],
    }
}

fn text(node: &Node) -> Vec<Misfit> {
    match &node.value {
        Value::Text(_) => Vec::new(),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
            vec![(node.place, "write this in quotes".to_owned())]
        }
        _ => vec![(node.place, "this is a text".to_owned())],
    }
}

fn allowance(fields: &[Field], node: &Node) -> Vec<Misfit> {
    let mut misfits = Vec::new();
    for (key, value) in node.entries() {
        match fields.iter().find(|field| field.key == &*key.text) {
            Some(_) => misfits.extend(text(value)),
            None => misfits.push((key.place, format!("there is no `{}` in what is allowed", key.text))),
        }
    }
    for field in fields.iter().filter(|field| field.is_needed && node.get(field.key).is_none()) {
        misfits.push((node.place, format!("`{}` is missing", field.key)));
    }
    misfits.extend(node.get("rule").and_then(|rule| unknown_rule(rule.text()?, rule.place)));
    misfits
}

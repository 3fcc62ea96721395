//! Finds every field that a path of a replacement means, and makes it where that is asked for
//! (`kyaml` v0.21.1, `yaml/match.go`, `PathMatcher`).

use crate::tree::{Form, Node, Scalar, Tag, documents, read_document};
use plimsoll_model::Place;
use regex::Regex;

/// What is done to every field that is found.
pub(super) type Found<'f> = dyn FnMut(&mut Node) -> Result<(), String> + 'f;

/// How the fields of a path are found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matcher {
    /// The form of the field to make where there is none, and the place it gets.
    pub(super) made: Option<(Shape, Place)>,
}

/// The form of a node without its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    List,
    Map,
}

impl Shape {
    pub(super) fn of(node: &Node) -> Self {
        match node.form {
            Form::Scalar(_) => Self::Scalar,
            Form::List(_) => Self::List,
            Form::Map(_) => Self::Map,
        }
    }

    fn form(self) -> Form {
        match self {
            Self::Scalar => Form::Scalar(Scalar::empty(Tag::None)),
            Self::List => Form::List(Vec::new()),
            Self::Map => Form::Map(Vec::new()),
        }
    }
}

impl Matcher {
    /// Does something to every field that a path means; says how many there were.
    pub(super) fn visit(
        self,
        node: &mut Node,
        path: &[String],
        found: &mut Found<'_>,
    ) -> Result<usize, String> {
        let Some((first, rest)) = path.split_first() else {
            found(node)?;
            return Ok(1);
        };
        if let Ok(at) = first.parse::<usize>() {
            return self.visit_index(node, at, rest, found);
        }
        if first.starts_with('[') && first.ends_with(']') {
            return self.visit_items(node, first, rest, found);
        }
        if first == "*" {
            let items = items(node)?;
            return items.iter_mut().map(|item| self.visit(item, rest, found)).sum();
        }
        self.visit_field(node, first, rest, found)
    }

    fn visit_field(
        self,
        node: &mut Node,
        name: &str,
        rest: &[String],
        found: &mut Found<'_>,
    ) -> Result<usize, String> {
        if !node.is_null() && !matches!(node.form, Form::Map(_)) {
            return Err(format!("there is no map that could hold `{name}`"));
        }
        if node.get(name).is_none() {
            let Some((form, place)) = self.next(rest) else { return Ok(0) };
            node.append(name, Node::new(form, place));
        }
        let Some(field) = node.get_mut(name) else { return Ok(0) };
        if field.is_scalar() && !rest.is_empty() {
            return self.visit_inside(field, rest, found);
        }
        self.visit(field, rest, found)
    }

    /// A text may hold YAML; what is changed in there is lost.
    fn visit_inside(self, field: &Node, rest: &[String], found: &mut Found<'_>) -> Result<usize, String> {
        let mut inside = parse(field.written(), field.place).ok_or("there is no YAML in this text")?;
        self.visit(&mut inside, rest, found)
    }

    fn visit_index(
        self,
        node: &mut Node,
        at: usize,
        rest: &[String],
        found: &mut Found<'_>,
    ) -> Result<usize, String> {
        let made = self.next(rest);
        let items = items(node)?;
        if let (Some((form, place)), true) = (made, items.len() == at) {
            items.push(Node::new(form, place));
        }
        let count = items.len();
        let item = items.get_mut(at).ok_or_else(|| format!("there are only {count} items"))?;
        self.visit(item, rest, found)
    }

    fn visit_items(
        self,
        node: &mut Node,
        part: &str,
        rest: &[String],
        found: &mut Found<'_>,
    ) -> Result<usize, String> {
        let inside = part.get(1..part.len() - 1).unwrap_or_default();
        let (field, pattern) = inside.split_once('=').ok_or("brackets in a path hold `field=value`")?;
        let item = Item {
            field,
            pattern: Regex::new(pattern).map_err(|_| format!("`{pattern}` is no regular expression"))?,
        };
        let count = self.visit_matching(node, &item, rest, found)?;
        let (0, Some((_, place))) = (count, self.made) else { return Ok(count) };
        let value = Node::scalar(pattern, Tag::None, place);
        let made = if field.is_empty() {
            value
        } else {
            let mut map = Node::map(place);
            map.append(field, value);
            map
        };
        items(node)?.push(made);
        self.visit_matching(node, &item, rest, found)
    }

    fn visit_matching(
        self,
        node: &mut Node,
        wanted: &Item<'_>,
        rest: &[String],
        found: &mut Found<'_>,
    ) -> Result<usize, String> {
        let mut count = 0;
        for item in items(node)? {
            let is_scalar = wanted.field.is_empty();
            let value = if is_scalar { Some(&*item) } else { item.get(wanted.field) };
            if !value.is_some_and(|value| wanted.pattern.is_match(&printed(value))) {
                continue;
            }
            // An item that is a scalar is what is meant, whatever follows.
            count += self.visit(item, if is_scalar { &[] } else { rest }, found)?;
        }
        Ok(count)
    }

    /// What is made for the next part of a path.
    fn next(self, rest: &[String]) -> Option<(Form, Place)> {
        let (shape, place) = self.made?;
        let shape = match rest.first() {
            None => shape,
            Some(part) if part.is_empty() => shape,
            Some(part) if part.parse::<usize>().is_ok() || (part.starts_with('[') && part.ends_with(']')) => {
                Shape::List
            }
            Some(_) => Shape::Map,
        };
        Some((shape.form(), place))
    }
}

/// The items that a part of a path means: by a field, or scalars by themselves.
struct Item<'p> {
    field: &'p str,
    pattern: Regex,
}

/// The items of a list; null has none.
fn items(node: &mut Node) -> Result<&mut Vec<Node>, String> {
    node.fill(Form::List(Vec::new()));
    match &mut node.form {
        Form::List(items) => Ok(items),
        _ => Err("there is no list at this path".to_owned()),
    }
}

/// A scalar as kustomize prints it, with its quotes.
fn printed(node: &Node) -> String {
    match &node.form {
        Form::Scalar(scalar) if scalar.is_plain => scalar.text.to_string(),
        Form::Scalar(scalar) => format!("\"{}\"", scalar.text),
        _ => String::new(),
    }
}

/// What stands in a text, if it is YAML.
pub(super) fn parse(text: &str, place: Place) -> Option<Node> {
    let documents = documents(text, place).ok()?;
    read_document(documents.first()?).ok()?
}

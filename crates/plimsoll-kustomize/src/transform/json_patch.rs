//! JSON patches (`gopkg.in/evanphx/json-patch.v4` v4.13.0, `patch.go`).

use crate::inline::Origin;
use crate::refusal::Refusal;
use crate::tree::{Form, Key, Node, from_model};
use plimsoll_model as model;
use plimsoll_model::{Place, Value};
use plimsoll_yaml::{Form as PieceForm, Piece};

/// One operation.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    verb: Verb,
    path: Vec<String>,
    from: Vec<String>,
    value: Option<Node>,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Add,
    Remove,
    Replace,
    Move,
    Copy,
    Test,
}

impl Operation {
    /// The operations in a text; anything but a list of them is refused.
    pub(super) fn parse(text: &str, start: Place) -> Result<Vec<Self>, Refusal> {
        let node = plimsoll_yaml::piece_value(&Piece { text, start, form: PieceForm::Yaml })
            .map_err(|fault| Refusal::new(fault.place, fault.cause))?;
        match &node.value {
            Value::Null => Ok(Vec::new()),
            Value::List(items) => items.iter().map(Self::of).collect(),
            _ => Err(Refusal::new(node.place, "a JSON patch is a list of operations")),
        }
    }

    fn of(node: &model::Node) -> Result<Self, Refusal> {
        let refused = |cause: &str| Refusal::new(node.place, cause);
        if !matches!(node.value, Value::Map(_)) {
            return Err(refused("an operation of a JSON patch is a map"));
        }
        let verb = match node.text_at(&["op"]) {
            Some("add") => Verb::Add,
            Some("remove") => Verb::Remove,
            Some("replace") => Verb::Replace,
            Some("move") => Verb::Move,
            Some("copy") => Verb::Copy,
            Some("test") => Verb::Test,
            _ => return Err(refused("an operation is add, remove, replace, move, copy or test")),
        };
        let pointer = |name| node.text_at(&[name]).map(pointer).unwrap_or_default();
        let value =
            node.entries().iter().find(|(key, _)| &*key.text == "value").map(|(_, value)| from_model(value));
        Ok(Self { verb, path: pointer("path"), from: pointer("from"), value, place: node.place })
    }

    /// Lets the places of an inline patch point into its file.
    pub(super) fn settle(&mut self, origin: Origin) {
        origin.settle_place(&mut self.place);
        if let Some(value) = &mut self.value {
            origin.settle(value);
        }
    }

    fn value(&self) -> Node {
        self.value.clone().unwrap_or_else(|| Node::scalar("null", crate::tree::Tag::Null, self.place))
    }

    fn refusal(&self, cause: &str) -> Refusal {
        let path = self.path.join("/");
        Refusal::new(self.place, format!("kustomize refuses this JSON patch: {cause} at /{path}"))
    }
}

/// The parts of a pointer; what stands before the first slash does not count.
fn pointer(text: &str) -> Vec<String> {
    text.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

/// Applies operations one after another.
pub(super) fn apply(root: &mut Node, operations: &[Operation]) -> Result<(), Refusal> {
    operations.iter().try_for_each(|operation| apply_one(root, operation))
}

fn apply_one(root: &mut Node, operation: &Operation) -> Result<(), Refusal> {
    let refused = |cause: &str| operation.refusal(cause);
    let found = match operation.verb {
        Verb::Add => add(root, &operation.path, operation.value()),
        Verb::Remove => remove(root, &operation.path).map(drop),
        Verb::Replace => replace(root, operation),
        Verb::Move => {
            let moved = remove(root, &operation.from).map_err(refused)?;
            add(root, &operation.path, moved)
        }
        Verb::Copy => {
            let copied = get(root, &operation.from).ok_or("there is nothing to copy").map(Node::alone);
            add(root, &operation.path, copied.map_err(refused)?)
        }
        Verb::Test => test(root, operation),
    };
    found.map_err(refused)
}

type Applied<T = ()> = Result<T, &'static str>;

const MISSING: &str = "there is nothing";

fn add(root: &mut Node, path: &[String], value: Node) -> Applied {
    let (parent, last) = parent(root, path)?;
    match &mut parent.form {
        Form::Map(_) => {
            put(parent, last, value);
            Ok(())
        }
        Form::List(items) if last == "-" => {
            items.push(value);
            Ok(())
        }
        Form::List(items) => {
            let at = index(last, items.len() + 1)?;
            items.insert(at, value);
            Ok(())
        }
        Form::Scalar(_) => Err(MISSING),
    }
}

fn remove(root: &mut Node, path: &[String]) -> Applied<Node> {
    let (parent, last) = parent(root, path)?;
    match &mut parent.form {
        Form::Map(entries) => {
            let at = entries.iter().position(|(key, _)| &*key.text == last).ok_or(MISSING)?;
            Ok(entries.remove(at).1)
        }
        Form::List(items) => {
            let at = index(last, items.len())?;
            Ok(items.remove(at))
        }
        Form::Scalar(_) => Err(MISSING),
    }
}

fn replace(root: &mut Node, operation: &Operation) -> Applied {
    if operation.path.is_empty() {
        return Err("to replace the whole object is not understood");
    }
    let (parent, last) = parent(root, &operation.path)?;
    let value = operation.value();
    match &mut parent.form {
        // What is replaced in a map need not be there.
        Form::Map(_) => {
            put(parent, last, value);
            Ok(())
        }
        Form::List(items) => {
            let at = index(last, items.len())?;
            let slot = items.get_mut(at).ok_or(MISSING)?;
            *slot = value;
            Ok(())
        }
        Form::Scalar(_) => Err(MISSING),
    }
}

fn test(root: &Node, operation: &Operation) -> Applied {
    let (found, wanted) = (get(root, &operation.path), operation.value());
    let is_equal = match found {
        None => wanted.is_null(),
        Some(found) => is_equal(found, &wanted),
    };
    if is_equal { Ok(()) } else { Err("the test fails") }
}

fn is_equal(one: &Node, other: &Node) -> bool {
    match (&one.form, &other.form) {
        (Form::Scalar(one), Form::Scalar(other)) => one.text == other.text && one.tag == other.tag,
        (Form::List(one), Form::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Form::Map(entries), Form::Map(others)) => {
            entries.len() == others.len()
                && entries
                    .iter()
                    .all(|(key, node)| other.get(&key.text).is_some_and(|other| is_equal(node, other)))
        }
        _ => false,
    }
}

fn put(map: &mut Node, key: &str, value: Node) {
    let place = value.place;
    match map.get_mut(key) {
        Some(slot) => *slot = value,
        None => {
            if let Form::Map(entries) = &mut map.form {
                entries.push((Key::new(key, place), value));
            }
        }
    }
}

fn get<'n>(root: &'n Node, path: &[String]) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, part| match &node.form {
        Form::Map(_) => node.get(part),
        Form::List(items) => items.get(index(part, items.len()).ok()?),
        Form::Scalar(_) => None,
    })
}

/// The node that holds what a path names, and the last part of the path.
fn parent<'n, 'p>(root: &'n mut Node, path: &'p [String]) -> Applied<(&'n mut Node, &'p str)> {
    let (last, above) = path.split_last().ok_or(MISSING)?;
    let mut node = root;
    for part in above {
        node = match &mut node.form {
            Form::Map(entries) => {
                entries.iter_mut().find(|(key, _)| &*key.text == part).map(|(_, node)| node).ok_or(MISSING)?
            }
            Form::List(items) => {
                let at = index(part, items.len())?;
                items.get_mut(at).ok_or(MISSING)?
            }
            Form::Scalar(_) => return Err(MISSING),
        };
    }
    Ok((node, last))
}

/// A position; a negative one counts from the end.
fn index(part: &str, length: usize) -> Applied<usize> {
    let at: i64 = part.parse().map_err(|_| "this is a list, and there is no position")?;
    let length_signed = i64::try_from(length).unwrap_or(i64::MAX);
    let at = if at < 0 { at + length_signed } else { at };
    usize::try_from(at).ok().filter(|at| *at < length).ok_or("the list has no such position")
}

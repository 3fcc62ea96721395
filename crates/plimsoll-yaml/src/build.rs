//! Makes a tree of the events of one document, without recursion.

use super::anchor::{Anchors, Opened};
use super::document::Fault;
use super::events::{Event, Listener, Span};
use super::merge::{Entries, merge_into};
use super::number::{key_text, settle};
use plimsoll_model::{Key, Node, Place, Value};

/// Builds the tree of one document.
#[derive(Debug, Default)]
pub(super) struct Builder {
    root: Option<Node>,
    open: Vec<Frame>,
    /// The items of all open lists, those of the innermost last: so a list gets as much room as it needs.
    items: Vec<Node>,
    /// The entries of all open maps likewise.
    entries: Vec<(Key, Node)>,
    anchors: Anchors,
    duplicates: Vec<Place>,
}

/// A list or map that has begun and not ended.
#[derive(Debug)]
struct Frame {
    place: Place,
    content: Content,
    anchor: Option<Opened>,
}

#[derive(Debug)]
enum Content {
    /// Where its items begin.
    List(usize),
    Map {
        entries: Entries,
        key: Option<PendingKey>,
    },
}

/// A key whose value is still to come.
#[derive(Debug)]
enum PendingKey {
    Named(Key),
    Merge,
}

/// How a finished node came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was written here.
    Written,
    /// It is the copy of an anchored node.
    Alias,
}

impl Listener for Builder {
    fn hear(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let place = span.start;
        match event {
            Event::Scalar { scalar, anchor } => {
                if scalar.is_merge() && self.takes_merge() {
                    return Ok(());
                }
                let value = scalar.value().map_err(|cause| Fault::new(place, cause))?;
                self.scalar(Node { value, place }, anchor)
            }
            Event::Value(value) => self.scalar(Node { value, place }, None),
            Event::Alias(name) => {
                let node = self.anchors.copy(&name, place)?;
                self.attach(node, Origin::Alias)
            }
            Event::List(anchor) => {
                self.begin(place, Content::List(self.items.len()), anchor);
                Ok(())
            }
            Event::Map(anchor) => {
                let entries = Entries::from(&self.entries);
                self.begin(place, Content::Map { entries, key: None }, anchor);
                Ok(())
            }
            Event::End => self.end(),
        }
    }
}

impl Builder {
    /// The tree, and the places of keys that stand a second time in their map.
    pub(super) fn finish(self) -> (Option<Node>, Vec<Place>) {
        (self.root, self.duplicates)
    }

    fn scalar(&mut self, node: Node, anchor: Option<String>) -> Result<(), Fault> {
        self.anchors.count(&node.value);
        if let Some(name) = anchor {
            self.anchors.name(name, &node, node.place)?;
        }
        self.attach(node, Origin::Written)
    }

    fn begin(&mut self, place: Place, content: Content, anchor: Option<String>) {
        self.anchors.count(&Value::Null);
        let anchor = anchor.map(|name| self.anchors.open(name));
        self.open.push(Frame { place, content, anchor });
    }

    fn end(&mut self) -> Result<(), Fault> {
        let Some(frame) = self.open.pop() else {
            return Ok(());
        };
        let value = match frame.content {
            Content::List(start) => Value::List(self.items.split_off(start)),
            Content::Map { entries, .. } => {
                Value::Map(entries.finish(&mut self.entries, &mut self.duplicates))
            }
        };
        let node = Node { value, place: frame.place };
        if let Some(opened) = frame.anchor {
            self.anchors.close(opened, &node)?;
        }
        self.attach(node, Origin::Written)
    }

    /// Whether a map waits for a key, in whose place `<<` stands.
    fn takes_merge(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Frame { content: Content::Map { key: key @ None, .. }, .. }) => {
                *key = Some(PendingKey::Merge);
                true
            }
            _ => false,
        }
    }

    fn attach(&mut self, node: Node, origin: Origin) -> Result<(), Fault> {
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(settled(node)?);
            return Ok(());
        };
        match &mut frame.content {
            Content::List(_) => self.items.push(settled(node)?),
            Content::Map { entries, key } => match key.take() {
                None => *key = Some(PendingKey::Named(named(node)?)),
                Some(PendingKey::Named(key)) => entries.add(&mut self.entries, key, settled(node)?),
                Some(PendingKey::Merge) => merge_into((entries, &mut self.entries), node, origin)?,
            },
        }
        Ok(())
    }
}

/// A value on its way through JSON, which knows neither infinity nor the difference between `3.0` and `3`.
fn settled(mut node: Node) -> Result<Node, Fault> {
    if let Value::Float(value) = node.value {
        if !value.is_finite() {
            return Err(Fault::new(
                node.place,
                "Kubernetes has no infinite and no undefined numbers; quote the value",
            ));
        }
        node.value = settle(value);
    }
    Ok(node)
}

fn named(node: Node) -> Result<Key, Fault> {
    let text = match node.value {
        Value::Text(text) => text,
        Value::Int(value) => value.to_string().into(),
        Value::Bool(value) => if value { "true" } else { "false" }.into(),
        Value::Float(value) => key_text(value).into(),
        _ => {
            return Err(Fault::new(node.place, "a key must be text, a number or a truth value; quote it"));
        }
    };
    Ok(Key { text, place: node.place })
}

//! From one document to nodes: anchors are copied, merge keys are merged, as `kyaml` v0.21.1 does (`DeAnchor` in
//! `yaml/rnode.go`).

use super::fold::refold;
use super::{Document, Form, Key, Node, Scalar, Tag, tag_of_plain};
use crate::refusal::Refusal;
use plimsoll_model::{Place, Value};
use plimsoll_yaml::{Event, Fault, Listener, Span, listen};
use rustc_hash::FxHashMap;

/// What stands in a document; `None` where nothing does.
pub(crate) fn read_document(document: &Document<'_>) -> Result<Option<Node>, Refusal> {
    let refused = |fault: Fault| Refusal::new(fault.place, fault.cause);
    let (builder, _) = listen(document, Builder::default).map_err(refused)?;
    let mut root = builder.root.filter(|root| !root.is_null());
    if let (Some(root), false) = (&mut root, document.text.ends_with('\n')) {
        cut_last_block(root, document);
    }
    if let Some(root) = &mut root {
        refold(root, document);
    }
    Ok(root)
}

/// A block that ends with the text has no line break at its end if the text has none; the scanner adds one.
fn cut_last_block(root: &mut Node, document: &Document<'_>) {
    let mut last = root;
    loop {
        let next = match &mut last.form {
            Form::List(items) => items.last_mut(),
            Form::Map(entries) => entries.last_mut().map(|(_, node)| node),
            Form::Scalar(scalar) => {
                let line = last.place.line.saturating_sub(document.start.line) as usize;
                let sign = document.text.lines().nth(line).unwrap_or_default();
                let sign = sign.chars().nth(last.place.column.saturating_sub(1) as usize);
                if matches!(sign, Some('|' | '>')) && scalar.text.ends_with('\n') {
                    let kept = scalar.text.len() - 1;
                    scalar.text = scalar.text.get(..kept).unwrap_or_default().into();
                }
                None
            }
        };
        match next {
            Some(next) => last = next,
            None => return,
        }
    }
}

#[derive(Default)]
struct Builder {
    root: Option<Node>,
    open: Vec<Frame>,
    named: FxHashMap<String, Node>,
    copied: usize,
}

/// A list or map that has begun and not ended.
struct Frame {
    node: Node,
    key: Option<Pending>,
    merged: Vec<Node>,
    anchor: Option<String>,
}

enum Pending {
    Named(Key),
    Merge,
}

/// How many nodes aliases may copy in one document.
const MAX_COPIED: usize = 1_000_000;

impl Listener for Builder {
    fn hear(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let place = span.start;
        match event {
            Event::Scalar { scalar, anchor } => {
                if scalar.is_merge() && self.takes_merge() {
                    return Ok(());
                }
                let node = Node::new(Form::Scalar(scalar_of(scalar)), place);
                self.remember(anchor, &node);
                self.attach(node)
            }
            Event::Value(value) => self.attach(Node::new(Form::Scalar(json_scalar(&value)), place)),
            Event::Alias(name) => {
                let node = self.named.get(&name).cloned();
                let node = node.ok_or_else(|| fault(place, "this alias names no anchor"))?;
                self.copied += count(&node);
                if self.copied > MAX_COPIED {
                    return Err(fault(place, "aliases copy more than a million nodes; write them out"));
                }
                self.attach(node)
            }
            Event::List(anchor) => {
                self.begin(Node::list(place), anchor);
                Ok(())
            }
            Event::Map(anchor) => {
                self.begin(Node::map(place), anchor);
                Ok(())
            }
            Event::End => self.end(),
        }
    }
}

impl Builder {
    fn begin(&mut self, node: Node, anchor: Option<String>) {
        self.open.push(Frame { node, key: None, merged: Vec::new(), anchor });
    }

    fn end(&mut self) -> Result<(), Fault> {
        let Some(mut frame) = self.open.pop() else { return Ok(()) };
        if let Form::Map(entries) = &mut frame.node.form {
            refuse_equal_keys(entries)?;
            for merged in frame.merged {
                merge(entries, merged)?;
            }
        }
        self.remember(frame.anchor, &frame.node);
        self.attach(frame.node)
    }

    fn remember(&mut self, anchor: Option<String>, node: &Node) {
        if let Some(name) = anchor {
            self.named.insert(name, node.clone());
        }
    }

    fn takes_merge(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Frame { node: Node { form: Form::Map(_), .. }, key: key @ None, .. }) => {
                *key = Some(Pending::Merge);
                true
            }
            _ => false,
        }
    }

    fn attach(&mut self, node: Node) -> Result<(), Fault> {
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match (&mut frame.node.form, frame.key.take()) {
            (Form::List(items), _) => items.push(node),
            (Form::Map(entries), Some(Pending::Named(key))) => entries.push((key, node)),
            (Form::Map(_), Some(Pending::Merge)) => frame.merged.push(node),
            (_, _) => frame.key = Some(Pending::Named(key_of(node)?)),
        }
        Ok(())
    }
}

fn key_of(node: Node) -> Result<Key, Fault> {
    match node.form {
        Form::Scalar(scalar) => {
            let is_text = matches!(scalar.tag, Tag::Text | Tag::Binary);
            Ok(Key { text: scalar.text, place: node.place, is_text })
        }
        _ => Err(fault(node.place, "a key must be text; quote it")),
    }
}

/// kustomize reads equal keys and fails when it prints them.
fn refuse_equal_keys(entries: &[(Key, Node)]) -> Result<(), Fault> {
    let mut keys: Vec<&Key> = entries.iter().map(|(key, _)| key).collect();
    keys.sort_by(|one, other| one.text.cmp(&other.text));
    let pair = keys.windows(2).find(|pair| matches!(pair, [one, other] if one.text == other.text));
    match pair {
        Some([_, second]) => {
            Err(fault(second.place, "kustomize refuses a key that stands twice in one map; remove one"))
        }
        _ => Ok(()),
    }
}

/// What was written in the map itself wins; of several maps, the first.
fn merge(entries: &mut Vec<(Key, Node)>, merged: Node) -> Result<(), Fault> {
    match merged.form {
        Form::Map(more) => {
            for (key, node) in more {
                if !entries.iter().any(|(found, _)| found.text == key.text) {
                    entries.push((key, node));
                }
            }
            Ok(())
        }
        Form::List(items) => items.into_iter().try_for_each(|item| merge(entries, item)),
        Form::Scalar(_) => Err(fault(merged.place, "`<<` merges a map or a list of maps and nothing else")),
    }
}

fn scalar_of(scalar: plimsoll_yaml::Scalar<'_>) -> Scalar {
    let tag = match scalar.tag.as_deref().map(|tag| tag.strip_prefix("tag:yaml.org,2002:").unwrap_or(tag)) {
        None if scalar.is_plain => tag_of_plain(&scalar.text),
        Some("null") => Tag::Null,
        Some("bool") => Tag::Bool,
        Some("int") => Tag::Int,
        Some("float") => Tag::Float,
        Some("timestamp") => Tag::Time,
        Some("binary") => Tag::Binary,
        _ => Tag::Text,
    };
    // A tag that was written is printed with it, and then quotes do not matter.
    Scalar { text: scalar.text.into(), tag, is_plain: scalar.is_plain || scalar.tag.is_some() }
}

fn json_scalar(value: &Value) -> Scalar {
    let (text, tag): (Box<str>, Tag) = match value {
        Value::Bool(value) => (value.to_string().into(), Tag::Bool),
        Value::Int(value) => (value.to_string().into(), Tag::Int),
        Value::Uint(value) => (value.to_string().into(), Tag::Int),
        Value::Float(value) => (value.to_string().into(), Tag::Float),
        Value::Text(text) => (text.clone(), Tag::Text),
        _ => ("null".into(), Tag::Null),
    };
    Scalar { text, is_plain: tag != Tag::Text, tag }
}

fn count(node: &Node) -> usize {
    let inside: usize = match &node.form {
        Form::Scalar(_) => 0,
        Form::List(items) => items.iter().map(count).sum(),
        Form::Map(entries) => entries.iter().map(|(_, node)| count(node)).sum(),
    };
    inside + 1
}

fn fault(place: Place, cause: &str) -> Fault {
    Fault { place, cause: cause.to_owned(), is_fatal: true }
}

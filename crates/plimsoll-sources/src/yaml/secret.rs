//! Takes the values of Secrets out of sight: in the tree they are concealed, in the file their lines are hidden.

use super::document::Fault;
use super::events::{self, Event, Listener, Span};
use super::json;
use super::split::{Form, Piece};
use plimsoll_model::{Concealed, Node, Value};
use std::mem;
use std::ops::RangeInclusive;

/// Where kubectl keeps a copy of what it applied, values included.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Conceals the values of every Secret of a document, also inside a List; says whether there was one.
pub(super) fn conceal(root: &mut Node) -> bool {
    let mut found = false;
    let mut waiting = vec![(root, false)];
    while let Some((node, is_listed)) = waiting.pop() {
        let kind = node.text_at(&["kind"]).unwrap_or_default();
        let is_secret = kind == "Secret" || (is_listed && kind.is_empty());
        let lists_secrets = kind == "SecretList";
        found |= is_secret || lists_secrets;
        let Value::Map(entries) = &mut node.value else {
            continue;
        };
        for (key, value) in entries {
            match &*key.text {
                "metadata" if is_secret => conceal_annotation(value),
                "items" => {
                    if let Value::List(items) = &mut value.value {
                        waiting.extend(items.iter_mut().map(|item| (item, lists_secrets)));
                    }
                }
                "apiVersion" | "kind" | "type" | "immutable" => {}
                // `data`, `stringData`, and whatever else somebody keeps there.
                _ if is_secret => conceal_all(value),
                _ => {}
            }
        }
    }
    found
}

fn conceal_annotation(metadata: &mut Node) {
    let Value::Map(entries) = &mut metadata.value else {
        return;
    };
    let annotations = entries.iter_mut().filter(|(key, _)| &*key.text == "annotations");
    for (_, annotations) in annotations {
        let Value::Map(entries) = &mut annotations.value else {
            continue;
        };
        for (key, value) in entries {
            if &*key.text == LAST_APPLIED {
                conceal_all(value);
            }
        }
    }
}

fn conceal_all(node: &mut Node) {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        if let Some(text) = take_text(&mut node.value) {
            node.value = Value::Concealed(Concealed::new(text));
            continue;
        }
        match &mut node.value {
            Value::List(items) => waiting.extend(items),
            Value::Map(entries) => waiting.extend(entries.iter_mut().map(|(_, value)| value)),
            _ => {}
        }
    }
}

fn take_text(value: &mut Value) -> Option<Box<str>> {
    match value {
        Value::Text(text) => Some(mem::take(text)),
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Int(value) => Some(value.to_string().into()),
        Value::Uint(value) => Some(value.to_string().into()),
        Value::Float(value) => Some(value.to_string().into()),
        Value::Null | Value::Concealed(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// The lines of a document with a Secret that must not be shown: every value under a key that may hold secret text,
/// with the comments behind it, and every anchored value, since an alias may carry it there.
pub(super) fn lines(piece: &Piece<'_>) -> Vec<RangeInclusive<u32>> {
    let whole = piece.start.line..=piece.last_line();
    let mut hider = Hider { whole: whole.clone(), ..Hider::default() };
    let told = match piece.form {
        Form::Json => json::listen(piece, &mut hider),
        _ => events::listen(piece, &mut hider).map(|_| ()),
    };
    if told.is_err() {
        return vec![whole];
    }
    hider.finish()
}

struct Hider {
    open: Vec<Open>,
    hidden: Vec<RangeInclusive<u32>>,
    /// Hidden from this line on; the end is known when the next thing begins.
    ended: Option<RangeInclusive<u32>>,
    /// Where a hidden value began and how many lists and maps were open around it.
    inside: Option<(u32, usize)>,
    /// The last line on which something was written so far.
    last_line: u32,
    whole: RangeInclusive<u32>,
}

impl Default for Hider {
    fn default() -> Self {
        Self { last_line: 0, open: Vec::new(), hidden: Vec::new(), ended: None, inside: None, whole: 1..=1 }
    }
}

/// A list or map whose content is being told.
enum Open {
    List,
    /// A map that waits for a key.
    Key,
    /// A map that waits for a value, whose key may hide it.
    Value {
        hides_from: Option<u32>,
    },
}

impl Listener for Hider {
    fn hear(&mut self, event: Event, span: Span) -> Result<(), Fault> {
        self.last_line = self.last_line.max(span.last_line);
        if matches!(event, Event::End) {
            self.open.pop();
            self.ends_value();
            return Ok(());
        }
        self.begins(span);
        match event {
            Event::Scalar { value, anchor, .. } => {
                if let Some(Open::Key) = self.open.last() {
                    self.key(&value, span);
                    return Ok(());
                }
                self.value_begins(anchor.is_some(), span);
                self.ends_value();
            }
            Event::Alias(_) => {
                if let Some(Open::Key) = self.open.last() {
                    // A key that is written elsewhere may be any key.
                    self.hidden.push(self.whole.clone());
                    self.key(&Value::Null, span);
                    return Ok(());
                }
                self.value_begins(false, span);
                self.ends_value();
            }
            Event::List(anchor) => {
                self.value_begins(anchor.is_some(), span);
                self.open.push(Open::List);
            }
            Event::Map(anchor) => {
                self.value_begins(anchor.is_some(), span);
                self.open.push(Open::Key);
            }
            Event::End => {}
        }
        Ok(())
    }
}

impl Hider {
    fn begins(&mut self, span: Span) {
        if let Some(lines) = self.ended.take() {
            let last = span.start.line.saturating_sub(1).max(*lines.end());
            self.hidden.push(*lines.start()..=last);
        }
    }

    fn key(&mut self, value: &Value, span: Span) {
        let hides =
            matches!(value, Value::Text(text) if matches!(&**text, "data" | "stringData" | LAST_APPLIED));
        let hides_from = hides.then_some(span.start.line);
        if let Some(open) = self.open.last_mut() {
            *open = Open::Value { hides_from };
        }
    }

    fn value_begins(&mut self, is_anchored: bool, span: Span) {
        let from = match self.open.last() {
            Some(Open::Value { hides_from: Some(line) }) => Some(*line),
            _ => is_anchored.then_some(span.start.line),
        };
        if let (Some(line), None) = (from, self.inside) {
            self.inside = Some((line, self.open.len()));
        }
    }

    fn ends_value(&mut self) {
        if let Some(open @ Open::Value { .. }) = self.open.last_mut() {
            *open = Open::Key;
        }
        if let Some((line, _)) = self.inside.take_if(|(_, depth)| *depth == self.open.len()) {
            self.ended = Some(line..=self.last_line.max(line));
        }
    }

    fn finish(mut self) -> Vec<RangeInclusive<u32>> {
        let last = *self.whole.end();
        let unfinished = self.inside.take().map(|(line, _)| line..=last);
        let ended = self.ended.take().map(|lines| *lines.start()..=last.max(*lines.end()));
        self.hidden.extend(unfinished.into_iter().chain(ended));
        self.hidden
    }
}

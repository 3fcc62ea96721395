//! Finds the lines on which the values of Secrets stand, so that no snippet shows them.

use super::conceal::LAST_APPLIED;
use super::document::Fault;
use super::events::{self, Event, Listener, Span};
use super::json;
use super::split::{Form, Piece};
use plimsoll_model::Value;
use std::ops::RangeInclusive;

/// The lines of a document with a Secret that must not be shown: every value under a key that may hold secret text,
/// with the comments behind it, and every anchored value, since an alias may carry it there.
pub(super) fn hidden_lines(piece: &Piece<'_>) -> Vec<RangeInclusive<u32>> {
    let whole = piece.start.line..=piece.last_line();
    let fresh = || Hider { whole: whole.clone(), ..Hider::default() };
    let told = match piece.form {
        Form::Json => {
            let mut hider = fresh();
            json::listen(piece, &mut hider).map(|()| hider)
        }
        _ => events::listen(piece, fresh).map(|(hider, _)| hider),
    };
    told.map_or_else(|_| vec![whole.clone()], Hider::finish)
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
    fn hear(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        self.last_line = self.last_line.max(span.last_line);
        if matches!(event, Event::End) {
            self.open.pop();
            self.ends_value();
            return Ok(());
        }
        self.begins(span);
        match event {
            Event::Scalar { scalar, anchor } => self.scalar(&scalar.text, anchor.is_some(), span),
            Event::Value(Value::Text(text)) => self.scalar(&text, false, span),
            Event::Value(_) => self.scalar("", false, span),
            Event::Alias(_) => {
                if let Some(Open::Key) = self.open.last() {
                    // A key that is written elsewhere may be any key.
                    self.hidden.push(self.whole.clone());
                    self.key("", span);
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

    fn scalar(&mut self, text: &str, is_anchored: bool, span: Span) {
        if let Some(Open::Key) = self.open.last() {
            self.key(text, span);
            return;
        }
        self.value_begins(is_anchored, span);
        self.ends_value();
    }

    fn key(&mut self, text: &str, span: Span) {
        let hides = matches!(text, "data" | "stringData" | LAST_APPLIED);
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

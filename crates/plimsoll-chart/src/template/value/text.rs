//! Texts that know where their bytes come from.

use crate::template::origin::{Origin, Span, Spans};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A shared text. It reads as `str`; what it was made of is kept beside it.
#[derive(Clone)]
pub(crate) struct Text(Arc<Body>);

struct Body {
    text: Box<str>,
    /// The bytes themselves where they are not UTF-8; then `text` is what can be shown of them.
    raw: Option<Box<[u8]>>,
    /// Where the bytes come from; empty for a text that was just computed.
    spans: Spans,
}

impl Text {
    pub(crate) fn new(text: impl Into<Box<str>>, spans: Spans) -> Self {
        Self(Arc::new(Body { text: text.into(), raw: None, spans }))
    }

    /// A text of any bytes.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::from(text),
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into();
                let raw = Some(error.into_bytes().into());
                Self(Arc::new(Body { text, raw, spans: Spans::default() }))
            }
        }
    }

    /// The bytes as Go would have them.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.raw.as_deref().unwrap_or(self.0.text.as_bytes())
    }

    pub(crate) fn spans(&self) -> &Spans {
        &self.0.spans
    }

    /// A part of the text, with what is known of it.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        match self.0.text.get(range.clone()) {
            Some(part) if part.len() == self.0.text.len() => self.clone(),
            Some(part) => Self::new(part, self.0.spans.part(range)),
            None => {
                let bytes = self.bytes().get(range).unwrap_or_default();
                Self::from_bytes(bytes.to_vec())
            }
        }
    }

    /// A part of the text that was found in it.
    pub(crate) fn part_of(&self, found: &str) -> Self {
        let start = (found.as_ptr() as usize).wrapping_sub(self.0.text.as_ptr() as usize);
        if start > self.0.text.len() {
            return Self::from(found);
        }
        self.part(start..start + found.len())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.text, f)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text, Spans::default())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new(text, Spans::default())
    }
}

/// A text in the making.
#[derive(Debug, Default)]
pub(crate) struct TextBuilder {
    text: String,
    spans: Vec<Span>,
}

impl TextBuilder {
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Adds what comes from one place.
    pub(crate) fn push(&mut self, text: &str, origin: Origin) {
        if text.is_empty() {
            return;
        }
        self.begin(origin);
        self.text.push_str(text);
    }

    /// Adds a text; what is not known of it comes from a place.
    pub(crate) fn push_text(&mut self, text: &Text, origin: Origin) {
        if text.spans().is_empty() {
            return self.push(text, origin);
        }
        let start = self.text.len();
        for span in text.spans().iter() {
            self.begin_at(start + span.start as usize, span.origin);
        }
        self.text.push_str(text);
    }

    fn begin(&mut self, origin: Origin) {
        self.begin_at(self.text.len(), origin);
    }

    fn begin_at(&mut self, start: usize, origin: Origin) {
        if self.spans.last().is_some_and(|last| last.goes_on(start, origin)) {
            return;
        }
        self.spans.push(Span { start: u32::try_from(start).unwrap_or(u32::MAX), origin });
    }

    pub(crate) fn finish(self) -> Text {
        Text::new(self.text, Spans::from(self.spans))
    }
}

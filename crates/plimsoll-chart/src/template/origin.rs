//! Where output comes from: template, offset and call chain, and the value that was printed.
//!
//! A frame is one run of a template. A span says from where in which frame the bytes of a text come, up to the next
//! span. Both are numbers, so that a text costs little to move about.

use super::tree::Source;
use std::ops::Range;
use std::sync::Arc;

/// A run of a template, by its position in [`Frames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameIndex(pub(crate) u32);

/// A place of a value that the user wrote, by its position in a table of whoever made the values; 0 for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ValuePlace(pub(crate) u32);

impl ValuePlace {
    pub(crate) const NONE: Self = Self(0);

    /// This place, or another one where there is none.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == Self::NONE { other } else { self }
    }
}

/// Where a byte comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) frame: FrameIndex,
    /// In the source of the frame.
    pub(crate) offset: u32,
    pub(crate) value: ValuePlace,
    /// Whether the text was copied from the source, byte by byte, instead of made by an action.
    pub(crate) is_copied: bool,
}

/// From where on a text has another origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) origin: Origin,
}

impl Span {
    /// Whether text that is added has the same origin as what stands before it.
    pub(crate) fn goes_on(&self, start: usize, origin: Origin) -> bool {
        self.at(start) == origin
    }

    fn at(&self, position: usize) -> Origin {
        if !self.origin.is_copied {
            return self.origin;
        }
        let passed = u32::try_from(position).unwrap_or(u32::MAX).saturating_sub(self.start);
        Origin { offset: self.origin.offset.saturating_add(passed), ..self.origin }
    }
}

/// The origins of a text, by position.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans(Box<[Span]>);

impl From<Vec<Span>> for Spans {
    fn from(spans: Vec<Span>) -> Self {
        Self(spans.into())
    }
}

impl Spans {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Span> {
        self.0.iter()
    }

    /// Where a byte comes from.
    pub(crate) fn at(&self, position: usize) -> Option<Origin> {
        let index = self.0.partition_point(|span| span.start as usize <= position);
        Some(self.0.get(index.checked_sub(1)?)?.at(position))
    }

    /// The origins of a part, counted from its start.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let Some(first) = self.at(range.start) else {
            return Self::default();
        };
        let mut spans = vec![Span { start: 0, origin: first }];
        let begin = self.0.partition_point(|span| span.start as usize <= range.start);
        for span in self.0.get(begin..).unwrap_or_default() {
            if span.start as usize >= range.end {
                break;
            }
            let start = span.start - u32::try_from(range.start).unwrap_or(u32::MAX);
            spans.push(Span { start, origin: span.origin });
        }
        Self::from(spans)
    }
}

/// A run of a template.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// The template's name.
    pub(crate) template: Arc<str>,
    pub(crate) source: Arc<Source>,
    /// From where it was called.
    pub(crate) caller: Option<(FrameIndex, u32)>,
    /// Where the text of the template was written, if it is a value.
    pub(crate) value: ValuePlace,
}

/// Every run of a template.
#[derive(Debug, Default)]
pub(crate) struct Frames(Vec<Frame>);

impl Frames {
    pub(crate) fn add(&mut self, frame: Frame) -> FrameIndex {
        let index = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        self.0.push(frame);
        FrameIndex(index)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.0.iter()
    }
}

//! Tells events to a listener.

use crate::events::{Event, Listener, Span};
use crate::scalar::Scalar;
use plimsoll_model::{FileIndex, Place};

/// A line of the file and a column of it, from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) line: u32,
    pub(super) column: usize,
}

/// How a list or a map is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// With a sign that reaches beyond its beginning.
    Signed,
    /// By what stands in it.
    Implied,
}

/// Tells a listener what was read; gives up where the listener does.
pub(super) struct Voice<'l> {
    file: FileIndex,
    listener: &'l mut dyn Listener,
}

impl<'l> Voice<'l> {
    pub(super) fn new(file: FileIndex, listener: &'l mut dyn Listener) -> Self {
        Self { file, listener }
    }

    /// A scalar that reaches to a line.
    pub(super) fn scalar(&mut self, spot: Spot, last_line: u32, scalar: Scalar<'_>) -> Option<()> {
        self.tell(Event::Scalar { scalar, anchor: None }, spot, last_line)
    }

    /// The value of a key or an item that has none.
    pub(super) fn nothing(&mut self, spot: Spot) -> Option<()> {
        self.scalar(spot, 0, Scalar::plain(""))
    }

    pub(super) fn list(&mut self, spot: Spot, written: Written) -> Option<()> {
        self.tell(Event::List(None), spot, written.last_line(spot))
    }

    pub(super) fn map(&mut self, spot: Spot, written: Written) -> Option<()> {
        self.tell(Event::Map(None), spot, written.last_line(spot))
    }

    pub(super) fn end(&mut self, spot: Spot, written: Written) -> Option<()> {
        self.tell(Event::End, spot, written.last_line(spot))
    }

    fn tell(&mut self, event: Event<'_>, spot: Spot, last_line: u32) -> Option<()> {
        let column = u32::try_from(spot.column).ok()?.checked_add(1)?;
        let start = Place { file: self.file, line: spot.line, column };
        self.listener.hear(event, Span { start, last_line }).ok()
    }
}

impl Written {
    fn last_line(self, spot: Spot) -> u32 {
        if self == Self::Signed { spot.line } else { 0 }
    }
}

//! Maps and lists by indentation.

use super::block::block_scalar;
use super::flow::brackets;
use super::folded::folded;
use super::lines::{Line, Lines};
use super::quoted::quoted_lines;
use super::scalar::{Word, plain, word};
use super::voice::{Spot, Voice, Written};
use crate::scalar::Scalar;

/// Reads lines into maps and lists. Every step gives up with `None`.
pub(super) struct Structure<'t, 'l> {
    lines: Lines<'t>,
    voice: Voice<'l>,
    open: Vec<Frame>,
    /// Where the value of a key or an item would stand that has none on its line; the next lines may bring it.
    awaited: Option<Spot>,
}

/// A list or map that has begun and not ended.
#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: Kind,
    column: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    List,
    /// A list that stands at the column of the key it belongs to.
    FlushList,
}

/// What stands on a line behind a key or a dash.
enum Met<'t> {
    /// A value, which was told.
    Value,
    /// A key, which was not told yet.
    Key(Word<'t>),
}

/// Deeper nesting is left to the scanner, which knows the limit.
const MAX_OPEN: usize = 100;

impl<'t, 'l> Structure<'t, 'l> {
    pub(super) fn new(lines: Lines<'t>, voice: Voice<'l>) -> Self {
        Self { lines, voice, open: Vec::new(), awaited: None }
    }

    pub(super) fn read(mut self) -> Option<()> {
        // The separator that opens a text belongs to its first document.
        if self.lines.peek().is_some_and(|line| line.text.starts_with("---") && line.ends_at(3)) {
            self.lines.take();
        }
        let first = self.lines.take_content().filter(|line| self.lines.is_safe(line))?;
        self.begin(&first, first.indent)?;
        while let Some(line) = self.lines.take_content() {
            if !self.lines.is_safe(&line) {
                return None;
            }
            self.line(&line)?;
        }
        if let Some(spot) = self.awaited {
            self.voice.nothing(spot)?;
        }
        while !self.open.is_empty() {
            self.end()?;
        }
        Some(())
    }

    fn line(&mut self, line: &Line<'t>) -> Option<()> {
        let column = line.indent;
        let is_item = line.is_item(column);
        if let Some(spot) = self.awaited.take() {
            let frame = self.open.last()?;
            if column > frame.column {
                return self.awaited_value(line, frame.column);
            }
            if column == frame.column && frame.kind == Kind::Map && is_item {
                self.push(Kind::FlushList, column)?;
                self.voice.list(line.spot(column), Written::Signed)?;
                return self.item(line, column);
            }
            self.voice.nothing(spot)?;
        }
        while let Some(frame) = self.open.last() {
            let is_over = column < frame.column || (frame.kind == Kind::FlushList && !is_item);
            if !is_over {
                break;
            }
            self.end()?;
        }
        let frame = self.open.last().filter(|frame| frame.column == column)?;
        match (frame.kind, is_item) {
            (Kind::Map, false) => self.entry(line, column),
            (Kind::List | Kind::FlushList, true) => self.item(line, column),
            _ => None,
        }
    }

    /// The value that stands on a line below its key or dash.
    fn awaited_value(&mut self, line: &Line<'t>, outer: usize) -> Option<()> {
        let column = line.indent;
        if line.is_item(column) {
            return self.begin(line, column);
        }
        match self.value(line, column, outer)? {
            Met::Value => Some(()),
            Met::Key(key) => self.begin_map(line, column, key),
        }
    }

    /// Opens the list or map that begins at a column.
    fn begin(&mut self, line: &Line<'t>, column: usize) -> Option<()> {
        if line.is_item(column) {
            self.push(Kind::List, column)?;
            self.voice.list(line.spot(column), Written::Implied)?;
            return self.item(line, column);
        }
        let key = word(line.from(column))?;
        self.begin_map(line, column, key)
    }

    fn begin_map(&mut self, line: &Line<'t>, column: usize, key: Word<'_>) -> Option<()> {
        self.push(Kind::Map, column)?;
        self.voice.map(line.spot(column), Written::Implied)?;
        self.key(line, column, key)
    }

    fn entry(&mut self, line: &Line<'t>, column: usize) -> Option<()> {
        let key = word(line.from(column))?;
        self.key(line, column, key)
    }

    fn key(&mut self, line: &Line<'t>, column: usize, key: Word<'_>) -> Option<()> {
        if !key.is_key {
            return None;
        }
        let end = column + key.width + 1;
        self.voice.scalar(line.spot(column), line.number, key.scalar)?;
        if line.ends_at(end) {
            self.awaited = Some(line.spot(end));
            return Some(());
        }
        match self.value(line, line.skip_spaces(end), column)? {
            Met::Value => Some(()),
            Met::Key(_) => None,
        }
    }

    fn item(&mut self, line: &Line<'t>, column: usize) -> Option<()> {
        let end = column + 1;
        if line.ends_at(end) {
            self.awaited = Some(line.spot(end));
            return Some(());
        }
        let at = line.skip_spaces(end);
        if line.is_item(at) {
            return self.begin(line, at);
        }
        match self.value(line, at, column)? {
            Met::Value => Some(()),
            Met::Key(key) => self.begin_map(line, at, key),
        }
    }

    /// Tells the value that stands at a column of its line, inside a list or map of another column. A key is not told.
    fn value(&mut self, line: &Line<'t>, at: usize, outer: usize) -> Option<Met<'t>> {
        match line.byte(at)? {
            b'|' | b'>' => {
                let (text, last_line) = block_scalar(&mut self.lines, line, at, outer)?;
                self.voice.scalar(line.spot(at), last_line, Scalar::quoted(text))?;
            }
            b'[' | b'{' => {
                let end = brackets(line, at, &mut self.voice)?;
                return line.ends_at(end).then_some(Met::Value);
            }
            _ => {
                let Some(word) = word(line.from(at)) else {
                    return self.quoted(line, at, outer);
                };
                if word.is_key {
                    return Some(Met::Key(word));
                }
                if !line.ends_at(at + word.width) {
                    return None;
                }
                self.scalar(line, at, outer, word)?;
            }
        }
        Some(Met::Value)
    }

    /// A quoted scalar that does not end on its line.
    fn quoted(&mut self, line: &Line<'t>, at: usize, outer: usize) -> Option<Met<'t>> {
        if !line.from(at).starts_with(['\'', '"']) {
            return None;
        }
        let (text, last_line) = quoted_lines(&mut self.lines, line, at, outer)?;
        self.voice.scalar(line.spot(at), last_line, Scalar::quoted(text))?;
        Some(Met::Value)
    }

    fn scalar(&mut self, line: &Line<'t>, at: usize, outer: usize, word: Word<'_>) -> Option<()> {
        if self.lines.go_on_beyond(outer) {
            let first = line.from(at);
            if first.starts_with(['\'', '"']) || line.skip_spaces(at + word.width) != line.text.len() {
                return None;
            }
            let (text, last_line) = folded(&mut self.lines, first.trim_end_matches(' '), outer)?;
            return self.voice.scalar(line.spot(at), last_line, plain(text)?);
        }
        self.voice.scalar(line.spot(at), line.number, word.scalar)
    }

    fn push(&mut self, kind: Kind, column: usize) -> Option<()> {
        self.open.push(Frame { kind, column });
        (self.open.len() <= MAX_OPEN).then_some(())
    }

    fn end(&mut self) -> Option<()> {
        self.open.pop();
        // Nobody asks where an end stands that is not written.
        self.voice.end(Spot { line: 1, column: 0 }, Written::Implied)
    }
}

impl Line<'_> {
    fn spot(&self, column: usize) -> Spot {
        Spot { line: self.number, column }
    }
}

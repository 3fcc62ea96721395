//! Tells what stands in one YAML piece, node by node, with resolved values and places.

use super::contain::contain;
use super::document::Fault;
use super::limits::{MAX_DEPTH, MAX_DOCUMENT_BYTES};
use super::resolve::resolve;
use super::split::Piece;
use libyaml_safer::{Event as Raw, EventData, MappingStyle, Mark, Parser, ScalarStyle, SequenceStyle};
use plimsoll_model::{Place, Value};
use std::io::{BufRead, Read};

/// What is met while reading a piece.
#[derive(Debug)]
pub(super) enum Event {
    /// A value that is not a list or a map.
    Scalar {
        /// What it stands for.
        value: Value,
        /// The name it is given for aliases.
        anchor: Option<String>,
        /// Whether it is the key `<<` that merges a map into this one.
        is_merge: bool,
    },
    /// The value that was given this name before.
    Alias(String),
    /// A list begins.
    List(Option<String>),
    /// A map begins; keys and values follow in turn.
    Map(Option<String>),
    /// The innermost list or map ends.
    End,
}

/// Where an event stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Where it begins.
    pub(super) start: Place,
    /// The last line it reaches; 0 for an end that is not written.
    pub(super) last_line: u32,
}

/// Something that is told events.
pub(super) trait Listener {
    /// Takes one event, or says why the document cannot be read.
    fn hear(&mut self, event: Event, span: Span) -> Result<(), Fault>;
}

/// What comes after the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    Empty,
    /// Text behind `...`, which kubectl never reads.
    Unread,
}

/// Tells a listener what stands in a piece of YAML.
pub(super) fn listen(piece: &Piece<'_>, listener: &mut dyn Listener) -> Result<Tail, Fault> {
    if piece.text.len() > MAX_DOCUMENT_BYTES {
        let limit = MAX_DOCUMENT_BYTES / (1024 * 1024);
        return Err(Fault::new(
            piece.start,
            format!("this document is larger than {limit} MiB; split it into several documents"),
        ));
    }
    let told = contain(|| Teller::new(piece).tell(listener));
    told.unwrap_or_else(|| Err(Fault::new(piece.start, "this is not valid YAML; correct it and try again")))
}

struct Teller<'t> {
    parser: Parser<Feed<'t>>,
    marks: Marks<'t>,
    depth: usize,
    /// How many of the open lists and maps are written with brackets or stand inside such.
    flow_depth: usize,
}

impl<'t> Teller<'t> {
    fn new(piece: &Piece<'t>) -> Self {
        let mut parser = Parser::new();
        parser.set_input(Feed { text: piece.text.as_bytes(), newline: b"\n" });
        let marks = Marks { piece: *piece, has_odd_breaks: has_odd_breaks(piece.text) };
        Self { parser, marks, depth: 0, flow_depth: 0 }
    }

    fn tell(mut self, listener: &mut dyn Listener) -> Result<Tail, Fault> {
        loop {
            let raw = self.parser.parse().map_err(|error| self.marks.fault(&error))?;
            let span = self.marks.span(&raw);
            match raw.data {
                EventData::StreamStart { .. } => {}
                EventData::StreamEnd => return Ok(Tail::Empty),
                EventData::DocumentStart { version_directive, .. } => {
                    if version_directive.is_some_and(|version| (version.major, version.minor) != (1, 1)) {
                        let cause = "kubectl reads YAML 1.1 only; remove the %YAML line";
                        return Err(Fault::new(span.start, cause));
                    }
                }
                EventData::DocumentEnd { .. } => return Ok(self.tail()),
                data => {
                    self.look_at(&data, span)?;
                    listener.hear(event(data, span)?, span)?;
                }
            }
        }
    }

    /// Refuses what is nested too deep, and what the scanner takes while go-yaml's does not.
    fn look_at(&mut self, data: &EventData, span: Span) -> Result<(), Fault> {
        let is_flow = match data {
            EventData::SequenceStart { style, .. } => *style == SequenceStyle::Flow,
            EventData::MappingStart { style, .. } => *style == MappingStyle::Flow,
            EventData::SequenceEnd | EventData::MappingEnd => {
                self.depth = self.depth.saturating_sub(1);
                self.flow_depth = self.flow_depth.saturating_sub(1);
                return Ok(());
            }
            EventData::Scalar { value, style: ScalarStyle::Plain, .. }
                if self.flow_depth > 0 && value.contains('?') =>
            {
                let cause = "kubectl does not read a plain `?` inside brackets; quote the text";
                return Err(Fault::new(span.start, cause));
            }
            _ => return Ok(()),
        };
        self.depth += 1;
        if is_flow || self.flow_depth > 0 {
            self.flow_depth += 1;
        }
        if self.depth > MAX_DEPTH { Err(too_deep(span.start)) } else { Ok(()) }
    }

    fn tail(mut self) -> Tail {
        match self.parser.parse() {
            Ok(Raw { data: EventData::StreamEnd, .. }) => Tail::Empty,
            _ => Tail::Unread,
        }
    }
}

pub(super) fn too_deep(place: Place) -> Fault {
    Fault::new(place, format!("this is nested more than {MAX_DEPTH} levels deep; flatten it"))
}

fn event(data: EventData, span: Span) -> Result<Event, Fault> {
    Ok(match data {
        EventData::Alias { anchor } => Event::Alias(anchor),
        EventData::SequenceStart { anchor, .. } => Event::List(anchor),
        EventData::MappingStart { anchor, .. } => Event::Map(anchor),
        EventData::Scalar { anchor, tag, value, plain_implicit, .. } => {
            let is_merge =
                value == "<<" && (plain_implicit || tag.as_deref() == Some("tag:yaml.org,2002:merge"));
            let value = resolve(value, tag.as_deref(), plain_implicit)
                .map_err(|cause| Fault::new(span.start, cause))?;
            Event::Scalar { value, anchor, is_merge }
        }
        _ => Event::End,
    })
}

/// Turns the scanner's marks into places of the file.
struct Marks<'t> {
    piece: Piece<'t>,
    has_odd_breaks: bool,
}

impl Marks<'_> {
    fn span(&self, raw: &Raw) -> Span {
        let start = self.place(raw.start_mark);
        let end = self.place(raw.end_mark);
        // A block ends where the next thing begins, perhaps on another line.
        let last_line = if end == start {
            0
        } else if end.column == 1 {
            end.line.saturating_sub(1)
        } else {
            end.line
        };
        Span { start, last_line }
    }

    fn place(&self, mark: Mark) -> Place {
        if self.has_odd_breaks {
            // YAML 1.1 ends lines at characters where no editor does, so lines are counted anew.
            return self.place_at_byte(usize::try_from(mark.index).unwrap_or(usize::MAX));
        }
        self.place_at(mark.line, mark.column)
    }

    fn place_at_byte(&self, index: usize) -> Place {
        let text = self.piece.text;
        let before = text.get(..index.min(text.len())).unwrap_or_default();
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        self.place_at(lines as u64, column as u64)
    }

    /// A place by line and column from 0 inside the piece.
    fn place_at(&self, line: u64, column: u64) -> Place {
        let start = self.piece.start;
        let first_column = if line == 0 { start.column } else { 1 };
        Place {
            file: start.file,
            line: start.line.saturating_add(u32::try_from(line).unwrap_or(u32::MAX)),
            column: first_column.saturating_add(u32::try_from(column).unwrap_or(u32::MAX)),
        }
    }

    fn fault(&self, error: &libyaml_safer::Error) -> Fault {
        let place = error.problem_mark().map_or_else(|| self.first_control(), |mark| self.place(mark));
        let context = error.context().map(|context| format!(" {context}")).unwrap_or_default();
        Fault::new(
            place,
            format!("this is not valid YAML ({}{context}); correct it and try again", error.problem()),
        )
    }

    /// Where the character stands that YAML does not allow.
    fn first_control(&self) -> Place {
        let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}');
        self.place_at_byte(self.piece.text.find(is_control).unwrap_or_default())
    }
}

fn has_odd_breaks(text: &str) -> bool {
    if text.is_ascii() && !text.contains('\r') {
        return false;
    }
    text.contains(['\u{85}', '\u{2028}', '\u{2029}']) || text.replace("\r\n", "").contains('\r')
}

/// Hands the text to the scanner in small parts, so that it holds only a few decoded characters at a time, and ends
/// it with a line break: the scanner panics on some texts that lack it, and kubectl ends every line the same way.
struct Feed<'t> {
    text: &'t [u8],
    newline: &'static [u8],
}

const FEED_BYTES: usize = 4096;

impl Read for Feed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Feed<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if self.text.is_empty() {
            return Ok(self.newline);
        }
        let mut end = self.text.len().min(FEED_BYTES);
        // Never cut a character: the scanner decodes each part on its own.
        while self.text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
            end -= 1;
        }
        Ok(self.text.get(..end).unwrap_or(self.text))
    }

    fn consume(&mut self, count: usize) {
        match self.text.get(count..) {
            Some(rest) if !self.text.is_empty() => self.text = rest,
            _ => self.newline = self.newline.get(count..).unwrap_or_default(),
        }
    }
}

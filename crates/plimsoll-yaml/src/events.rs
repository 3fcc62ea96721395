//! Tells what stands in one YAML piece, node by node, with resolved values and places.

use super::contain::contain;
use super::document::Fault;
use super::feed::Feed;
use super::limits::{MAX_DEPTH, MAX_DOCUMENT_BYTES};
use super::marks::Marks;
use super::plain;
use super::scalar::Scalar;
use super::split::Piece;
use libyaml_safer::{Event as Raw, EventData, MappingStyle, Parser, ScalarStyle, SequenceStyle};
use plimsoll_model::{Place, Value};

/// What is met while reading a piece.
#[derive(Debug)]
pub enum Event<'t> {
    /// A value that is not a list or a map.
    Scalar {
        /// As it was written.
        scalar: Scalar<'t>,
        /// The name it is given for aliases.
        anchor: Option<String>,
    },
    /// A value of JSON, which can stand for one thing only.
    Value(Value),
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
pub struct Span {
    /// Where it begins.
    pub start: Place,
    /// The last line it reaches; 0 for an end that is not written.
    pub last_line: u32,
}

/// Something that is told events.
pub trait Listener {
    /// Takes one event, or says why the document cannot be read.
    fn hear(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault>;
}

/// What comes after the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    Empty,
    /// Text behind `...`, which kubectl never reads.
    Unread,
}

/// What a listener makes of a piece of YAML. It is made anew where the plain reader gives up.
pub fn listen<L: Listener>(piece: &Piece<'_>, fresh: impl Fn() -> L) -> Result<(L, Tail), Fault> {
    let mut listener = fresh();
    if piece.text.len() <= MAX_DOCUMENT_BYTES && plain::listen(piece, &mut listener).is_some() {
        return Ok((listener, Tail::Empty));
    }
    listener = fresh();
    let tail = scan(piece, &mut listener)?;
    Ok((listener, tail))
}

/// Tells a listener what stands in a piece of YAML, as the scanner sees it.
pub(super) fn scan(piece: &Piece<'_>, listener: &mut dyn Listener) -> Result<Tail, Fault> {
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
        parser.set_input(Feed::new(piece.text));
        let marks = Marks::new(piece);
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
                    listener.hear(event(data), span)?;
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

fn event(data: EventData) -> Event<'static> {
    match data {
        EventData::Alias { anchor } => Event::Alias(anchor),
        EventData::SequenceStart { anchor, .. } => Event::List(anchor),
        EventData::MappingStart { anchor, .. } => Event::Map(anchor),
        EventData::Scalar { anchor, tag, value, plain_implicit, .. } => {
            let tag = tag.map(String::into_boxed_str);
            Event::Scalar { scalar: Scalar { text: value.into(), tag, is_plain: plain_implicit }, anchor }
        }
        _ => Event::End,
    }
}

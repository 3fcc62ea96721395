//! A second opinion: whenever the plain reader does not give up, the scanner tells the very same.

mod corpus;
mod dice;
mod mutation;
mod regressions;

use crate::build::Builder;
use crate::document::Fault;
use crate::events::{Event, Listener, Span, Tail, scan};
use crate::plain;
use crate::split::{Form, Piece, pieces};
use plimsoll_model::{FileIndex, Place};

/// What was told, word for word. Nobody asks where an end stands.
#[derive(Default, PartialEq, Debug)]
struct Record(Vec<(String, Option<Place>, u32)>);

impl Listener for Record {
    fn hear(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let start = (!matches!(event, Event::End)).then_some(span.start);
        self.0.push((format!("{event:?}"), start, span.last_line));
        Ok(())
    }
}

/// How many bytes stand in documents that the scanner reads, and how many of them the plain reader takes.
#[derive(Default)]
struct Share {
    taken: usize,
    all: usize,
}

/// The one thing that the scanner does not know.
const ONLY_PLAIN: &str = r"\'";

/// Compares the two readers on every piece of a text.
fn compare(text: &str) -> Share {
    let start = Place { file: FileIndex(3), line: 1, column: 1 };
    let mut share = Share::default();
    for piece in pieces(text, start).iter().filter(|piece| piece.form == Form::Yaml) {
        let mut scanned = Record::default();
        let tail = scan(piece, &mut scanned);
        let size = piece.text.len();
        if tail.is_ok() && !scanned.0.is_empty() {
            share.all += size;
        }
        let mut told = Record::default();
        if plain::listen(piece, &mut told).is_some() && !piece.text.contains(ONLY_PLAIN) {
            assert_eq!(tail, Ok(Tail::Empty), "only the plain reader reads {:?}", piece.text);
            assert_eq!(told, scanned, "the readers differ on {:?}", piece.text);
            share.taken += if compare_trees(piece) { size } else { 0 };
        }
    }
    share
}

/// Whether a tree can be built of a piece; it must be the same tree then.
fn compare_trees(piece: &Piece<'_>) -> bool {
    let mut builder = Builder::default();
    if plain::listen(piece, &mut builder).is_none() {
        return false;
    }
    let mut other = Builder::default();
    assert_eq!(scan(piece, &mut other), Ok(Tail::Empty), "{:?}", piece.text);
    assert_eq!(builder.finish(), other.finish(), "{:?}", piece.text);
    true
}

//! Reads the YAML that nearly all manifests are written in, and nothing else.
//!
//! Block maps and lists by indentation, plain, quoted and block scalars, brackets on one line. At anything it is not
//! sure of it gives up, and the scanner reads the piece from its start: every fault and every oddity comes from there.
//! `docs/decisions/0005-a-reader-for-plain-yaml.md` says why; `tests` compares the two readers.

mod block;
mod flow;
mod folded;
mod lines;
mod quoted;
mod scalar;
mod structure;
mod voice;

#[cfg(test)]
mod tests;

use super::events::Listener;
use super::split::Piece;
use lines::Lines;
use structure::Structure;
use voice::Voice;

/// Tells a listener what stands in a piece of plain YAML, or gives up; then what was told holds for nothing.
pub(super) fn listen(piece: &Piece<'_>, listener: &mut dyn Listener) -> Option<()> {
    if piece.start.column != 1 || !is_clean(piece.text) {
        return None;
    }
    Structure::new(Lines::new(piece), Voice::new(piece.file(), listener)).read()
}

/// Whether a text has only characters that YAML allows and no line breaks but `\n`. Most parts of a text have nothing
/// but ASCII, which is looked at faster.
fn is_clean(text: &str) -> bool {
    const PART_BYTES: usize = 256;
    let mut rest = text;
    while !rest.is_empty() {
        let (part, tail) = rest.split_at(rest.floor_char_boundary(PART_BYTES));
        if !is_clean_ascii(part) && !part.chars().all(is_clean_character) {
            return false;
        }
        rest = tail;
    }
    true
}

fn is_clean_ascii(text: &str) -> bool {
    // Neither to stop at the first other byte nor to jump makes this look at many bytes at once.
    let is_other = |byte: u8| {
        let [is_sign, is_line_break, is_tab] =
            [byte.wrapping_sub(b' ') <= b'~' - b' ', byte == b'\n', byte == b'\t'].map(u8::from);
        1 - (is_sign | is_line_break | is_tab)
    };
    text.bytes().fold(0, |others, byte| others | is_other(byte)) == 0
}

fn is_clean_character(character: char) -> bool {
    match character {
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' => false,
        '\n' | '\t' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'.. => true,
        _ => false,
    }
}

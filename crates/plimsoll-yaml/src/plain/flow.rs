//! Lists and maps in brackets on one line.

use super::lines::Line;
use super::scalar::{is_value_sign, may_begin_plain, plain, quoted};
use super::voice::{Spot, Voice, Written};
use crate::scalar::Scalar;

/// Deeper brackets are left to the scanner.
const MAX_BRACKETS: usize = 16;

/// Tells what stands in brackets that open at a column; the column behind them.
pub(super) fn brackets(line: &Line<'_>, column: usize, voice: &mut Voice<'_>) -> Option<usize> {
    let mut flow = Flow { line, at: column, voice, depth: 0 };
    flow.collection()?;
    Some(flow.at)
}

struct Flow<'a, 't, 'l> {
    line: &'a Line<'t>,
    at: usize,
    voice: &'a mut Voice<'l>,
    depth: usize,
}

impl Flow<'_, '_, '_> {
    fn collection(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_BRACKETS {
            return None;
        }
        let is_map = self.line.byte(self.at)? == b'{';
        let close = if is_map { b'}' } else { b']' };
        if is_map {
            self.voice.map(self.spot(), Written::Signed)?;
        } else {
            self.voice.list(self.spot(), Written::Signed)?;
        }
        self.step();
        if self.line.byte(self.at)? != close {
            self.members(is_map, close)?;
        }
        self.voice.end(self.spot(), Written::Signed)?;
        self.at += 1;
        self.depth -= 1;
        Some(())
    }

    fn members(&mut self, is_map: bool, close: u8) -> Option<()> {
        loop {
            if is_map {
                self.key()?;
            }
            self.member()?;
            self.at = self.line.skip_spaces(self.at);
            match self.line.byte(self.at)? {
                b',' => self.step(),
                byte => return (byte == close).then_some(()),
            }
        }
    }

    fn key(&mut self) -> Option<()> {
        self.scalar()?;
        if !is_value_sign(self.line.text, self.at) {
            return None;
        }
        self.step();
        Some(())
    }

    fn member(&mut self) -> Option<()> {
        if matches!(self.line.byte(self.at)?, b'[' | b'{') {
            return self.collection();
        }
        self.scalar()
    }

    fn scalar(&mut self) -> Option<()> {
        let text = self.line.from(self.at);
        let (scalar, width) = if text.starts_with(['\'', '"']) { quoted(text)? } else { bare(text)? };
        if !text.get(..width)?.is_ascii() {
            return None;
        }
        self.voice.scalar(self.spot(), self.line.number, scalar)?;
        self.at += width;
        Some(())
    }

    /// Over one sign and the spaces behind it.
    fn step(&mut self) {
        self.at = self.line.skip_spaces(self.at + 1);
    }

    fn spot(&self) -> Spot {
        Spot { line: self.line.number, column: self.at }
    }
}

/// A plain scalar inside brackets, without any character that might mean more there.
fn bare(text: &str) -> Option<(Scalar<'_>, usize)> {
    let bytes = text.as_bytes();
    if !may_begin_plain(text) || (bytes.first() == Some(&b'-') && !bytes.get(1).copied().is_some_and(is_text))
    {
        return None;
    }
    let mut end = 0;
    loop {
        match bytes.get(end).copied()? {
            b',' | b']' | b'}' => break,
            b':' if is_value_sign(text, end) => break,
            b':' if bytes.get(end + 1).copied().is_some_and(is_text) => {}
            b' ' => {}
            byte if is_text(byte) => {}
            _ => return None,
        }
        end += 1;
    }
    let content = text.get(..end)?.trim_end_matches(' ');
    Some((plain(content)?, content.len()))
}

fn is_text(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b',' | b'[' | b']' | b'{' | b'}' | b'?' | b'#' | b':')
}

//! Block scalars: `|` and `>`, with the indentation that their first line shows.

use super::lines::{Line, Lines};

/// What becomes of the line breaks at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// The text of a block scalar whose sign stands in a line at a column, inside a list or map of another column; and the
/// last line that it reaches.
pub(super) fn block_scalar(
    lines: &mut Lines<'_>,
    line: &Line<'_>,
    column: usize,
    outer: usize,
) -> Option<(String, u32)> {
    let is_literal = line.byte(column)? == b'|';
    let (chomping, end) = match line.byte(column + 1) {
        Some(b'-') => (Chomping::Strip, column + 2),
        Some(b'+') => (Chomping::Keep, column + 2),
        _ => (Chomping::Clip, column + 1),
    };
    if !line.ends_at(end) {
        return None;
    }
    let (blank, indent) = first_line(lines, outer)?;
    let mut text =
        Folding { text: String::new(), is_literal, blank, has_line: false, is_after_indented: false };
    let mut last_line = line.number;
    while let Some(line) = lines.peek() {
        let content = line.from(indent.min(line.indent));
        if content.is_empty() {
            text.blank += 1;
        } else if line.indent >= indent {
            text.add(content);
        } else if content.starts_with('\t') {
            return None;
        } else {
            break;
        }
        last_line = line.number;
        lines.leave(&line);
    }
    Some((text.finish(chomping), last_line))
}

/// How many blank lines stand before the first that is not, and how far that one is indented.
fn first_line(lines: &mut Lines<'_>, outer: usize) -> Option<(usize, usize)> {
    let mut blank = 0;
    let mut widest = 0;
    loop {
        let line = lines.peek()?;
        let is_blank = line.indent == line.text.len();
        if !is_blank {
            // A blank line that is wider than the first line sets the indentation; the scanner knows how.
            let is_sure =
                line.indent > outer && line.indent >= widest && line.byte(line.indent) != Some(b'\t');
            return is_sure.then_some((blank, line.indent));
        }
        blank += 1;
        widest = widest.max(line.indent);
        lines.leave(&line);
    }
}

/// A block scalar while its lines are put together.
struct Folding {
    text: String,
    is_literal: bool,
    /// Blank lines since the last line that was not.
    blank: usize,
    has_line: bool,
    /// Whether the last line began with a blank, which keeps line breaks around it.
    is_after_indented: bool,
}

impl Folding {
    fn add(&mut self, content: &str) {
        let is_indented = content.starts_with([' ', '\t']);
        if self.has_line {
            let is_folded = !self.is_literal && !self.is_after_indented && !is_indented;
            if !is_folded {
                self.text.push('\n');
            } else if self.blank == 0 {
                self.text.push(' ');
            }
        }
        self.push_blank();
        self.text.push_str(content);
        self.has_line = true;
        self.is_after_indented = is_indented;
    }

    fn push_blank(&mut self) {
        for _ in 0..self.blank {
            self.text.push('\n');
        }
        self.blank = 0;
    }

    fn finish(mut self, chomping: Chomping) -> String {
        if chomping != Chomping::Strip {
            self.text.push('\n');
        }
        if chomping == Chomping::Keep {
            self.push_blank();
        }
        self.text
    }
}

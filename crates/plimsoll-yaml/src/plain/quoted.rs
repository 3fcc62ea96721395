//! Quoted scalars over several lines: a line break is a space, and blank lines are line breaks.

use super::lines::{Line, Lines};
use super::scalar::unquoted;

/// The text of a quoted scalar that begins at a column of a line and ends on a later one, inside a list or map of
/// another column; and the last line that it reaches.
pub(super) fn quoted_lines(
    lines: &mut Lines<'_>,
    line: &Line<'_>,
    column: usize,
    outer: usize,
) -> Option<(String, u32)> {
    let quote = line.byte(column)?;
    let (mut text, end) = part(line.from(column + 1), quote)?;
    if end.is_some() {
        return None;
    }
    loop {
        let mut blank = 0;
        let mut line = lines.take()?;
        while line.indent == line.text.len() {
            blank += 1;
            line = lines.take()?;
        }
        if line.indent <= outer || !lines.is_safe(&line) {
            return None;
        }
        text.push_str(if blank == 0 { " " } else { "" });
        text.extend(std::iter::repeat_n('\n', blank));
        let (content, end) = part(line.from(line.indent), quote)?;
        text.push_str(&content);
        if let Some(end) = end {
            let is_over = line.ends_at(line.indent + end + 1) && !lines.go_on_beyond(outer);
            return is_over.then_some((text, line.number));
        }
    }
}

/// What one line adds, and where the quote stands that ends it.
fn part(text: &str, quote: u8) -> Option<(String, Option<usize>)> {
    match unquoted(text, quote)? {
        // Spaces before a line break are none.
        (_, None) => unquoted(text.trim_end_matches(' '), quote),
        ended => Some(ended),
    }
}

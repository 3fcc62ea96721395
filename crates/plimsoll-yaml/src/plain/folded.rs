//! Plain scalars over several lines: a line break is a space, and blank lines are line breaks.

use super::lines::Lines;
use super::scalar::plain_end;

/// The text of a plain scalar that begins with these words and goes on on the next lines, inside a list or map of a
/// column; and the last line that it reaches.
pub(super) fn folded(lines: &mut Lines<'_>, first: &str, outer: usize) -> Option<(String, u32)> {
    let mut text = first.to_owned();
    let mut last_line = 0;
    while lines.go_on_beyond(outer) {
        let mut blank = 0;
        let mut line = lines.take()?;
        while line.indent == line.text.len() {
            blank += 1;
            line = lines.take()?;
        }
        let content = line.from(line.indent);
        let (end, is_key) = plain_end(content.as_bytes());
        // A key cannot have several lines, and a comment ends the scalar.
        if is_key || end != content.len() || !lines.is_safe(&line) {
            return None;
        }
        text.push_str(if blank == 0 { " " } else { "" });
        text.extend(std::iter::repeat_n('\n', blank));
        text.push_str(content.trim_end_matches(' '));
        last_line = line.number;
    }
    Some((text, last_line))
}

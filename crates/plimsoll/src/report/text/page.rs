//! Lines of a given width: wrapping, indents, labels.

use anstyle::Style;
use std::borrow::Cow;
use std::fmt::Write as _;

/// A text that grows line by line.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    width: usize,
}

impl Page {
    /// An empty page for lines of a given width.
    pub(crate) fn new(width: usize) -> Self {
        Self { text: String::new(), width }
    }

    /// How wide a line may be.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Ends one paragraph.
    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line as it is, without wrapping: text that must stay exact.
    pub(crate) fn exact(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A styled lead, then text that is wrapped and hangs under its own beginning.
    pub(crate) fn hanging(&mut self, lead: &str, style: Style, text: &str) {
        let (lead, text) = (visible(lead), visible(text));
        let lead_width = lead.chars().count();
        // A long lead would push all text to the right margin.
        let indent = if lead_width * 2 > self.width { 4 } else { lead_width };
        let _ = write!(self.text, "{style}{lead}{style:#}");
        let mut column = lead_width;
        let mut is_first = true;
        for word in text.trim_end().split(' ') {
            let length = word.chars().count();
            if !is_first && column + 1 + length > self.width {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(indent));
                column = indent;
            } else if !is_first {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(word);
            column += length;
            is_first = false;
        }
        self.text.push('\n');
    }

    /// The whole page.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A text in which control characters stand as words: a name from a file must not command the terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let shown =
        text.chars().map(|one| if one.is_control() { one.escape_default().to_string() } else { one.into() });
    Cow::Owned(shown.collect())
}

/// `1 object`, `2 objects`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The first few of a list and how many there are beyond them.
pub(crate) fn listed(items: &[String], most: usize) -> String {
    let shown = items.get(..most.min(items.len())).unwrap_or(items).join(", ");
    match items.len().saturating_sub(most) {
        0 => shown,
        left => format!("{shown} and {left} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_hangs_under_its_own_beginning() {
        let mut page = Page::new(42);
        page.hanging("  fix (safe)  ", Style::new(), "apply this one well before that one");
        assert_eq!(page.finish(), "  fix (safe)  apply this one well before\n              that one\n");
    }

    #[test]
    fn a_name_does_not_command_the_terminal() {
        let mut page = Page::new(80);
        page.hanging("  a\u{7}: ", Style::new(), "\u{1b}[31mred\nüber");
        assert_eq!(page.finish(), "  a\\u{7}: \\u{1b}[31mred\\nüber\n");
    }

    #[test]
    fn a_list_names_a_few_and_counts_the_rest() {
        let items: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(listed(&items, 5), "a, b, c");
        assert_eq!(listed(&items, 2), "a, b and 1 more");
    }
}

//! Go's syntax for patterns, in the words of the library used here.
//!
//! Both come from RE2. In Go `\d`, `\s`, `\w` and `\b` know ASCII only, and brackets and signs inside a class mean
//! themselves.

use std::iter::Peekable;
use std::str::Chars;

/// A pattern of Go as one for `regex`.
pub(super) fn translated(text: &str) -> String {
    let mut translation = Translation { rest: text.chars().peekable(), out: String::new(), in_class: false };
    while let Some(character) = translation.rest.next() {
        translation.take(character);
    }
    translation.out
}

struct Translation<'t> {
    rest: Peekable<Chars<'t>>,
    out: String,
    in_class: bool,
}

impl Translation<'_> {
    fn take(&mut self, character: char) {
        match character {
            '\\' => self.escape(),
            '[' if self.in_class => self.inner_bracket(),
            '[' => self.open_class(),
            ']' => {
                self.in_class = false;
                self.out.push(']');
            }
            '&' | '~' if self.in_class => self.out.extend(['\\', character]),
            '-' if self.in_class && self.rest.peek() == Some(&'-') => self.out.push_str("\\-"),
            _ => self.out.push(character),
        }
    }

    fn escape(&mut self) {
        match self.rest.next() {
            Some('d') => self.class("0-9"),
            Some('w') => self.class("0-9A-Za-z_"),
            Some('s') => self.class("\\t\\n\\f\\r "),
            Some('D') => self.out.push_str("[^0-9]"),
            Some('W') => self.out.push_str("[^0-9A-Za-z_]"),
            Some('S') => self.out.push_str("[^\\t\\n\\f\\r ]"),
            Some('b') => self.out.push_str("(?-u:\\b)"),
            Some('B') => self.out.push_str("(?-u:\\B)"),
            Some('Q') => self.quotation(),
            Some(other) => self.out.extend(['\\', other]),
            None => self.out.push('\\'),
        }
    }

    fn class(&mut self, members: &str) {
        if self.in_class {
            self.out.push_str(members);
        } else {
            self.out.extend(["[", members, "]"]);
        }
    }

    /// `\Q…\E`: text that means itself.
    fn quotation(&mut self) {
        let rest: String = self.rest.by_ref().collect();
        let (quoted, behind) = rest.split_once("\\E").unwrap_or((&rest, ""));
        self.out.push_str(&regex::escape(quoted));
        self.out.push_str(&translated(behind));
    }

    fn open_class(&mut self) {
        self.in_class = true;
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str("\\]");
        }
    }

    /// `[:alpha:]` is a class by name; any other bracket inside a class is a character.
    fn inner_bracket(&mut self) {
        if self.rest.peek() != Some(&':') {
            self.out.push_str("\\[");
            return;
        }
        self.out.push('[');
        for inner in self.rest.by_ref() {
            self.out.push(inner);
            if inner == ']' {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn patterns_mean_what_they_mean_in_go() {
        for (pattern, text, expect) in [
            (r"^\d+$", "12", true),
            (r"^\d+$", "१२", false),
            (r"^[\w.-]+$", "a.b-c", true),
            (r"[[:alpha:]]", "1a", true),
            (r"^[][]+$", "[]", true),
            (r"[a&&b]", "&", true),
            (r"\Qa.b\E+", "a.b", true),
            (r"^[^]]$", "]", false),
        ] {
            assert_eq!(regex::Regex::new(&translated(pattern)).unwrap().is_match(text), expect, "{pattern}");
        }
    }
}

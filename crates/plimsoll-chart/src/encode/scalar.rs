//! How go-yaml writes a text: plain, in quotes, or as a block (`go.yaml.in/yaml/v2` v2.4.4, `emitterc.go`).

/// The way a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// What an emitter would find in a text.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is found on its own")]
struct Found {
    indicators: bool,
    line_breaks: bool,
    special: bool,
    edge_blank: bool,
    trailing_space: bool,
    break_space: bool,
    space_break: bool,
}

/// The style for a text, which may stand as a key.
pub(super) fn style(text: &str, is_key: bool) -> Style {
    let wanted = if text.contains('\n') {
        Style::Literal
    } else if plimsoll_yaml::is_text(text) && !is_sexagesimal(text) {
        Style::Plain
    } else {
        Style::Double
    };
    let found = look(text);
    let is_plain = !(found.edge_blank
        || found.break_space
        || found.space_break
        || found.special
        || found.line_breaks
        || found.indicators);
    let is_single = !(found.break_space || found.space_break || found.special);
    let is_block = !(text.is_empty() || found.trailing_space || found.space_break || found.special || is_key);
    match wanted {
        _ if is_key && found.line_breaks => Style::Double,
        Style::Plain if is_plain => Style::Plain,
        Style::Plain if is_single => Style::Single,
        Style::Literal if is_block => Style::Literal,
        _ => Style::Double,
    }
}

fn look(text: &str) -> Found {
    let mut found =
        Found { indicators: text.starts_with("---") || text.starts_with("..."), ..Found::default() };
    let mut before: Option<char> = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let blank_follows = next.is_none_or(|next| next == ' ' || next == '\t');
        let is_first = before.is_none();
        found.indicators |= match character {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@'
            | '`'
                if is_first =>
            {
                true
            }
            '?' | '-' if is_first => blank_follows,
            ':' => blank_follows,
            '#' => before.is_none_or(is_blank_or_break),
            _ => false,
        };
        found.special |= !is_printable(character);
        let is_edge = is_first || next.is_none();
        if character == ' ' {
            found.edge_blank |= is_edge;
            found.trailing_space |= next.is_none();
            found.break_space |= before.is_some_and(is_break);
        } else if is_break(character) {
            found.line_breaks = true;
            found.edge_blank |= is_edge;
            found.space_break |= before == Some(' ');
        }
        before = Some(character);
    }
    found
}

pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank_or_break(character: char) -> bool {
    is_break(character) || matches!(character, ' ' | '\t' | '\0')
}

pub(super) fn is_printable(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}')
}

/// Numbers of base 60, which older parsers would read: `^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$`
fn is_sexagesimal(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let mut count = 0;
    let is_sixty = parts.all(|part| {
        count += 1;
        matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
    });
    first.starts_with(|digit: char| digit.is_ascii_digit())
        && is_digits(first)
        && is_digits(fraction)
        && is_sixty
        && count > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_those_of_go_yaml() {
        for (text, expect) in [
            ("plain", Style::Plain),
            ("", Style::Double),
            ("yes", Style::Double),
            ("8080", Style::Double),
            ("1:30", Style::Double),
            ("a: b", Style::Single),
            ("{{ x }}", Style::Single),
            ("- a", Style::Single),
            (" a", Style::Single),
            ("a #b", Style::Single),
            ("a#b", Style::Plain),
            ("a\tb", Style::Double),
            ("a\nb", Style::Literal),
            ("a \nb", Style::Double),
            ("😀", Style::Double),
        ] {
            assert_eq!(style(text, false), expect, "{text:?}");
        }
        assert_eq!(style("a\nb", true), Style::Double);
    }
}

//! Words and letters: case, initials, wrapping.

use super::case::connected;
use crate::template::function::{Call, Function, Outcome, Parameter};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("title", &[Parameter::Text], |call| Ok(title(call.str(0)).into())),
    Function::new("untitle", &[Parameter::Text], untitle),
    Function::new("swapcase", &[Parameter::Text], swapcase),
    Function::new("nospace", &[Parameter::Text], |call| {
        Ok(call.str(0).chars().filter(|next| !next.is_whitespace()).collect::<String>().into())
    }),
    Function::new("initials", &[Parameter::Text], |call| {
        Ok(call.str(0).split_whitespace().filter_map(|word| word.chars().next()).collect::<String>().into())
    }),
    Function::new("snakecase", &[Parameter::Text], |call| Ok(connected(call.str(0), '_').into())),
    Function::new("kebabcase", &[Parameter::Text], |call| Ok(connected(call.str(0), '-').into())),
    Function::new("camelcase", &[Parameter::Text], camelcase),
    Function::new("abbrev", &[Parameter::Int, Parameter::Text], abbrev),
    Function::new("abbrevboth", &[Parameter::Int, Parameter::Int, Parameter::Text], abbrev_both),
    Function::new("wrap", &[Parameter::Int, Parameter::Text], |call| {
        Ok(wrapped(call.str(1), call.int(0), "\n", false).into())
    }),
    Function::new("wrapWith", &[Parameter::Int, Parameter::Text, Parameter::Text], |call| {
        Ok(wrapped(call.str(2), call.int(0), call.str(1), true).into())
    }),
];

/// Each first letter of a word in upper case. What is neither letter, digit, underscore nor an apostrophe's kin ends one.
fn title(text: &str) -> String {
    let mut before = ' ';
    let mut titled = String::with_capacity(text.len());
    for character in text.chars() {
        if is_separator(before) {
            titled.extend(character.to_uppercase());
        } else {
            titled.push(character);
        }
        before = character;
    }
    titled
}

fn is_separator(character: char) -> bool {
    if character.is_ascii() {
        return !(character.is_ascii_alphanumeric() || character == '_');
    }
    !character.is_alphanumeric() && character.is_whitespace()
}

fn untitle(call: &mut Call<'_>) -> Outcome {
    let mut is_start = true;
    let changed: String = call
        .str(0)
        .chars()
        .map(|character| {
            let lowered =
                if is_start { character.to_lowercase().next().unwrap_or(character) } else { character };
            is_start = character.is_whitespace();
            lowered
        })
        .collect();
    Ok(changed.into())
}

fn swapcase(call: &mut Call<'_>) -> Outcome {
    let mut swapped = String::new();
    for character in call.str(0).chars() {
        if character.is_uppercase() {
            swapped.extend(character.to_lowercase());
        } else {
            swapped.extend(character.to_uppercase());
        }
    }
    Ok(swapped.into())
}

/// Punctuation, as Go's `unicode.IsPunct` knows it among the ASCII characters.
pub(super) fn is_sign(character: char) -> bool {
    character.is_ascii_punctuation()
        && !matches!(character, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~')
}

fn camelcase(call: &mut Call<'_>) -> Outcome {
    let mut camel = String::new();
    let mut is_start = true;
    for character in call.str(0).chars() {
        if matches!(character, '_' | '-' | ' ') {
            is_start = true;
        } else if is_start {
            camel.extend(character.to_uppercase());
            is_start = false;
        } else {
            camel.push(character);
        }
    }
    Ok(camel.into())
}

fn abbrev(call: &mut Call<'_>) -> Outcome {
    Ok(abbreviated(call.str(1), 0, call.int(0)).into())
}

fn abbrev_both(call: &mut Call<'_>) -> Outcome {
    let (left, right) = (call.int(0), call.int(1));
    if right < 4 || left > 0 && right < 7 {
        return Ok(call.item(2));
    }
    Ok(abbreviated(call.str(2), left, right).into())
}

fn abbreviated(text: &str, offset: i64, width: i64) -> String {
    let characters: Vec<char> = text.chars().collect();
    let (Ok(offset), Ok(width)) = (usize::try_from(offset), usize::try_from(width)) else {
        return text.to_owned();
    };
    if width < 4 || characters.len() <= width {
        return text.to_owned();
    }
    let offset = offset.min(characters.len());
    let offset = if characters.len() - offset < width - 3 { characters.len() - (width - 3) } else { offset };
    let part = |from: usize, count: usize| characters.iter().skip(from).take(count).collect::<String>();
    if offset <= 4 {
        return part(0, width - 3) + "...";
    }
    if offset + width - 3 < characters.len() {
        return format!("...{}...", part(offset, width.saturating_sub(6)));
    }
    format!("...{}", part(characters.len() - (width - 3), width - 3))
}

/// Lines of a width. A word that is longer is cut, or left whole.
fn wrapped(text: &str, width: i64, sign: &str, cuts_words: bool) -> String {
    let width = usize::try_from(width).unwrap_or(1).max(1);
    let characters: Vec<char> = text.chars().collect();
    let is_blank = |at: &usize| characters.get(*at) == Some(&' ');
    let part =
        |from: usize, to: usize| characters.get(from..to).unwrap_or_default().iter().collect::<String>();
    let mut out = String::new();
    let mut offset = 0;
    while characters.len() - offset > width {
        if is_blank(&offset) {
            offset += 1;
            continue;
        }
        let before = (offset..=offset + width).rev().find(is_blank);
        let after = || (offset + width..characters.len()).find(is_blank);
        let (end, next) = match before {
            Some(at) => (at, at + 1),
            None if cuts_words => (offset + width, offset + width),
            None => after().map_or((characters.len(), characters.len()), |at| (at, at + 1)),
        };
        out.push_str(&part(offset, end));
        if end < characters.len() {
            out.push_str(sign);
        }
        offset = next;
    }
    out + &part(offset, characters.len())
}

//! Scalars on one line: plain ones and quoted ones.

use crate::scalar::Scalar;
use memchr::memchr2_iter;
use std::borrow::Cow;

/// A scalar, and what follows it.
pub(super) struct Word<'t> {
    pub(super) scalar: Scalar<'t>,
    /// How many bytes it takes.
    pub(super) width: usize,
    /// Whether a colon makes it a key.
    pub(super) is_key: bool,
}

/// Longer keys are left to the scanner, which has a limit of its own.
const MAX_KEY: usize = 128;

/// The scalar that a text begins with, outside of brackets.
pub(super) fn word(text: &str) -> Option<Word<'_>> {
    if text.starts_with(['\'', '"']) {
        let (scalar, width) = quoted(text)?;
        let is_key = is_value_sign(text, width);
        return checked(text, Word { scalar, width, is_key });
    }
    if !may_begin_plain(text) {
        return None;
    }
    let (end, is_key) = plain_end(text.as_bytes());
    let content = text.get(..end)?.trim_end_matches(' ');
    // A space before the colon is allowed, but nobody writes it.
    if is_key && content.len() != end {
        return None;
    }
    let scalar = plain(content)?;
    checked(text, Word { scalar, width: content.len(), is_key })
}

/// A plain scalar, unless it merges.
pub(super) fn plain<'t>(content: impl Into<Cow<'t, str>>) -> Option<Scalar<'t>> {
    let scalar = Scalar::plain(content);
    (!scalar.is_merge()).then_some(scalar)
}

/// The quoted scalar at the beginning of a text, and its width with the quotes.
pub(super) fn quoted(text: &str) -> Option<(Scalar<'_>, usize)> {
    let quote = *text.as_bytes().first()?;
    let inside = text.get(1..)?;
    let end = inside.bytes().position(|byte| byte == quote || byte == b'\\')?;
    let content = inside.get(..end)?;
    let is_simple = inside.as_bytes().get(end) == Some(&quote)
        && (quote == b'"' || !inside.get(end + 1..)?.starts_with('\''));
    if is_simple {
        return Some((Scalar::quoted(content), end + 2));
    }
    let (content, end) = unquoted(inside, quote)?;
    Some((Scalar::quoted(content), end? + 2))
}

/// Whether a colon at this place makes what stands before it a key.
pub(super) fn is_value_sign(text: &str, at: usize) -> bool {
    let mut rest = text.bytes().skip(at);
    rest.next() == Some(b':') && matches!(rest.next(), None | Some(b' '))
}

fn checked<'t>(text: &'t str, word: Word<'t>) -> Option<Word<'t>> {
    let is_sound = !word.is_key || (word.width <= MAX_KEY && text.get(..word.width)?.is_ascii());
    is_sound.then_some(word)
}

/// Whether a text can begin a plain scalar.
pub(super) fn may_begin_plain(text: &str) -> bool {
    let mut bytes = text.bytes();
    match bytes.next() {
        None
        | Some(
            b' ' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>'
            | b'\'' | b'"' | b'%' | b'@' | b'`',
        ) => false,
        Some(b'-') => !matches!(bytes.next(), None | Some(b' ')),
        Some(_) => true,
    }
}

/// Where a plain scalar ends, spaces behind it included, and whether by a colon.
pub(super) fn plain_end(bytes: &[u8]) -> (usize, bool) {
    let is_free = |byte: Option<&u8>| matches!(byte, None | Some(b' '));
    for at in memchr2_iter(b':', b'#', bytes) {
        let is_colon = bytes.get(at) == Some(&b':');
        let beside = if is_colon { Some(at + 1) } else { at.checked_sub(1) };
        if is_free(beside.and_then(|beside| bytes.get(beside))) {
            return (at, is_colon);
        }
    }
    (bytes.len(), false)
}

/// The content behind a quote, and the place of the quote that ends it, if that is on the same line.
pub(super) fn unquoted(inside: &str, quote: u8) -> Option<(String, Option<usize>)> {
    if quote == b'"' { with_escapes(inside) } else { Some(with_doubled_quotes(inside)) }
}

fn with_escapes(inside: &str) -> Option<(String, Option<usize>)> {
    let mut content = String::new();
    let mut rest = inside;
    loop {
        let Some(at) = rest.find(['"', '\\']) else {
            content.push_str(rest);
            return Some((content, None));
        };
        content.push_str(rest.get(..at)?);
        if rest.as_bytes().get(at) == Some(&b'"') {
            return Some((content, Some(inside.len() - rest.len() + at)));
        }
        content.push(match rest.as_bytes().get(at + 1)? {
            b'n' => '\n',
            b't' => '\t',
            b'"' => '"',
            // Go's reader takes it (go.yaml.in/yaml v2.4.3, scannerc.go); the scanner does not.
            b'\'' => '\'',
            b'\\' => '\\',
            _ => return None,
        });
        rest = rest.get(at + 2..)?;
    }
}

fn with_doubled_quotes(inside: &str) -> (String, Option<usize>) {
    let mut content = String::new();
    let mut rest = inside;
    while let Some((before, after)) = rest.split_once('\'') {
        content.push_str(before);
        let Some(next) = after.strip_prefix('\'') else {
            return (content, Some(inside.len() - after.len() - 1));
        };
        content.push('\'');
        rest = next;
    }
    content.push_str(rest);
    (content, None)
}

//! A quoted text: everything in it must be there, letter by letter, except what `{…}` stands for.

/// Whether a text equals a pattern in which `{…}` stands for any text, also for none.
#[must_use]
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split("{…}");
    let Some(rest) = pieces.next().and_then(|head| text.strip_prefix(head)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(tail) = pieces.pop() else { return rest.is_empty() };
    let Some(mut rest) = rest.strip_suffix(tail) else {
        return false;
    };
    pieces.into_iter().all(|piece| match rest.split_once(piece) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn only_the_gaps_are_free() {
        for (pattern, text) in [
            ("pods \"web\" not found", "pods \"web\" not found"),
            ("pods \"web-{…}\" is forbidden", "pods \"web-5d9c-\" is forbidden"),
            ("{…} of {…}", "one of one of two"),
            ("a{…}", "a"),
        ] {
            assert!(fits(pattern, text), "{pattern} | {text}");
        }
        for (pattern, text) in [
            ("pods \"web\"", "pods \"web\" not found"),
            ("web", "a web"),
            ("a{…}b", "a c"),
            ("ab{…}bc", "abc"),
        ] {
            assert!(!fits(pattern, text), "{pattern} | {text}");
        }
    }
}

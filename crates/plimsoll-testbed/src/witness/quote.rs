//! Whether somebody said what a page quotes.

use plimsoll_knowledge::page::fits;

/// Whether a text of several lines has the quoted ones among its own.
pub(super) fn is_said(quoted: &str, text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let height = quoted.lines().count().max(1);
    lines.windows(height).any(|window| is_quoted(quoted, &window.join("\n")))
}

/// Whether one message is the quoted one. A page may quote the server's own words, without the words with which
/// kubectl or a controller hands them on.
pub(super) fn is_quoted(quoted: &str, message: &str) -> bool {
    let message = message.trim_end();
    let inner = WRAPPINGS.iter().filter_map(|wrapping| unwrap(wrapping, message));
    std::iter::once(message).chain(inner).any(|message| fits(quoted, message))
}

/// How messages are handed on: kubectl v1.36.4 `pkg/cmd/util/helpers.go`, controllers `FailedCreate` events, Helm with
/// the line of its source.
const WRAPPINGS: [&str; 6] = [
    "manifest_sorter.go:{…}: ",
    "Error creating: ",
    "Create Pod {…} in StatefulSet {…} failed error: ",
    "Error from server ({…}): error when creating \"{…}\": ",
    "Error from server ({…}): ",
    "error: ",
];

fn unwrap<'m>(wrapping: &str, message: &'m str) -> Option<&'m str> {
    let mut rest = message;
    for (number, piece) in wrapping.split("{…}").enumerate() {
        rest = if number == 0 { rest.strip_prefix(piece)? } else { rest.split_once(piece)?.1 };
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_around_an_answer_may_be_left_out() {
        let said = "configmap/a created\nError from server (Forbidden): error when creating \"2-web.yaml\": pods \"web\" is forbidden: no\n";
        assert!(is_said("pods \"web\" is forbidden: no", said));
        assert!(is_said(
            "Error from server (Forbidden): error when creating \"{…}\": pods \"web\" is forbidden: no",
            said
        ));
        assert!(!is_said("pods \"web\" is forbidden", said));
        assert!(is_quoted(
            "pods \"web-{…}\" is forbidden: x",
            "Error creating: pods \"web-5-\" is forbidden: x"
        ));
    }
}

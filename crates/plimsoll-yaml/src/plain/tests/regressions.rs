//! Texts on which the two readers could easily part.

use super::compare;

/// Both read the text.
fn taken(text: &str) {
    let share = compare(text);
    assert_eq!(share.taken, share.all, "the plain reader gives up on {text:?}");
}

/// The plain reader leaves the text to the scanner.
fn left(text: &str) {
    assert_eq!(compare(text).taken, 0, "the plain reader takes {text:?}");
}

#[test]
fn ordinary_texts_are_taken() {
    taken("a: 1\nb:\n  c: x\n  d:\n  - 1\n  - e: f\n    g:\nh:\n");
    taken("---\n- - 1\n  - 2\n-\n  a: b\n-\n- c\n");
    taken("a: \"x\\ty\" # c\nb: 'it''s'\nc: {}\nd: [1, 'b', {\"e\": f g}]\n");
    taken("a: ä # ü\nb: --flag=x:y\n");
    taken("a: b\n  - c \n\n\n 'd'\n\ne: f\n");
    taken("- a\n  b\n-  1\n\n  2\n  # c\n- d\n");
    taken("# only\n# then\n  a: 1\n\n  b: 2\n");
}

#[test]
fn quoted_scalars_over_several_lines_are_taken() {
    taken("a: 'b  \n  it''s # no comment\n\n\n   d ' # c\ne: \"f\n g'\n  \"\nh:\n- '\n i'\n");
    taken("a: \"b\\t \n  \\nc \\\"d\\\"\n  \\n\"\n");
}

#[test]
fn block_scalars_are_taken_with_every_ending() {
    for sign in ["|", "|-", "|+", ">", ">-", ">+"] {
        for tail in
            ["", "\n", "\n\n", "\n  \n", "\n      \nb: 1\n", "\nb: 1\n", "\n # c\nb: 1", "\n\n\n  # x\n  y\n"]
        {
            taken(&format!("a: {sign} # c\n  one\n  two\n\n\n    three\n\tx\n").replace("\n\tx\n", tail));
            taken(&format!("- {sign}\n\n one\n  \ttwo\n three{tail}").replace("\nb: 1", "\n- 1"));
        }
    }
}

#[test]
fn what_is_odd_is_left() {
    for text in [
        "",
        "# c\n",
        "a",
        "a: b\n c: d\n",
        "a: b # c\n d\n",
        "a: b\n # c\n d\n",
        "a: 'b\nc'\n",
        "a: 'b\n  c': d\n",
        "a: \"b\n  \\x41\"\n",
        "a: \"b\\\n  c\"\n",
        "a: 'b\n  c'\n d\n",
        "a: &x b\n",
        "a: *x\n",
        "a: !!str b\n",
        "? a\n",
        "<<: {a: b}\n",
        "a:\tb\n",
        "a: b\r\n",
        "a : b\n",
        "a: b: c\n",
        "a: - b\n",
        "a: [b,]\n",
        "a: [b\n]\n",
        "a: {b: }\n",
        "a: .inf\n",
        "a: |2\n   b\n",
        "a: |\nb: 1\n",
        "a: |\n    \n  b\n",
        "%YAML 1.1\na: b\n",
        "a: b\n...\n",
        "a: \"\\u00e4\"\n",
        "a:\n    b: 1\n  c: 2\n",
        "a: 1\n- b\n",
        "- a\nb: 1\n",
        "a: 'b'#c\n",
        "\u{FEFF}a: b\n",
        "a: b\u{2028}c\n",
        "~: 1\n",
        "a: @b\n",
        "a: [b?c]\n",
        "- |\n  a\n\tb\n",
    ] {
        left(text);
    }
}

//! The grammar: what bash takes is taken, what bash refuses is refused, with a place.

use super::super::grammar::parse;
use super::{bundle_of, shown};
use std::process::{Command, Stdio};

const GOOD: [&str; 45] = [
    "",
    "# only a comment",
    "a; b & c",
    "a && b || c\n",
    "a &&\n  b |\n c\n",
    "if a; then b; elif c; then d; else e; fi",
    "while a; do b; done < file",
    "until a\ndo\nb\ndone",
    "for x in a b; do c; done",
    "for x; do c; done",
    "for x in a b\ndo c\ndone",
    "for ((i=0; i<3; i++)); do a; done",
    "case $x in a|b) c;; (d) e ;; *) f\nesac",
    "case $x in\n  a) ;;\n  b)\n    c\n    ;;\nesac",
    "f() { a; }\nfunction g { b; }\nfunction h() ( c )",
    "{ a; b; } > x 2>&1",
    "(a; b)",
    "[[ -n $x && ( $y == a* || $z =~ ^[0-9]+$ ) ]]",
    "(( i++ ))",
    "x=1 y=\"2 3\" z=$(a `b`) cmd",
    "a=(1 2\n3)\na+=(4)",
    "echo \"a $(b \"c $(d)\") e\" 'f' $'g\\n' $((1 + (2 * 3)))",
    "echo ${a:-b} ${#a} ${a[@]} ${a[0]} ${a//x/y} ${a:1:2} ${!a} ${a:-\"}\"}",
    "cat <<EOF\n$x `y`\nEOF\n",
    "cat <<'EOF'\n$(\nEOF\necho b",
    "cat <<-A && cat <<B\n\ta\n\tA\nb\nB\n",
    "cat <<EOF | b\nx\nEOF\nc",
    "a <<< \"$x\" >> y 2>/dev/null &> z",
    "diff <(a) <(b)",
    "a \\\n  b \\\n  c",
    "! a | b",
    "time a",
    "a 2>&1 | tee b",
    "echo a#b c # d",
    "if ! a; then\n  # nothing to see\n  b\nfi",
    "x=\"\n\"; a",
    "a | while read -r l; do b; done",
    "echo \\; \\& \"\\$x\" '\\'",
    "ls @(a|b).yaml",
    "a\r\nb\r\n",
    "a & P+=(\"${!}\"); echo ${!P} ${#} ${?}",
    "cat <<EOF\n${a:-it's}\nEOF\n",
    "echo ${a:-'}'}",
    "x=${w[$((${#w[@]}-1))]} y=\"${m[\"$k\"]}\"",
    "for ((T = 0; T < $(($3 / 4)); T++))\ndo a; done",
];

const BAD: [&str; 16] = [
    "if a; then b",
    "for x in a; do b",
    "while a; b; done",
    "a &&",
    "a | | b",
    "echo \"a",
    "echo 'a",
    "echo $(a",
    "echo ${a",
    "(a",
    "a)",
    "fi",
    "case x in a) b",
    "{ a; ",
    "; a",
    "f() {",
];

#[test]
fn what_is_a_script_is_read() {
    for text in GOOD {
        assert!(parse(text).is_ok(), "{text:?}: {:?}", parse(text).err());
    }
}

#[test]
fn what_is_none_is_refused() {
    for text in BAD {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn bash_thinks_the_same() {
    let accepts = |text: &str| {
        let run =
            Command::new("bash").args(["-O", "extglob", "-n", "-c", text]).stderr(Stdio::null()).status();
        run.map(|status| status.success())
    };
    if accepts("").is_err() {
        println!("skipped: there is no bash to compare with");
        return;
    }
    for text in GOOD.iter().filter(|text| !text.contains('\r')) {
        assert!(accepts(text).unwrap(), "bash refuses {text:?}");
    }
    for text in BAD {
        assert!(!accepts(text).unwrap(), "bash takes {text:?}");
    }
}

#[test]
fn an_error_has_a_place_and_a_cause() {
    for (text, expected) in [
        (
            "echo a\nif b; then\n  c\n",
            "fatal 4:1: this is not a shell script: `fi` is missing at the end of the script",
        ),
        ("echo a\n  done\n", "fatal 2:3: this is not a shell script: `done` is not expected here"),
        ("a &&\n", "fatal 2:1: this is not a shell script: the script ends in the middle of a command"),
        ("x=$(a\n", "fatal 2:1: this is not a shell script: `)` is missing at the end of the script"),
    ] {
        assert_eq!(shown(&bundle_of(text)), [expected]);
    }
}

#[test]
fn nesting_is_bounded() {
    for text in [
        "(".repeat(100_000),
        "{ ".repeat(100_000),
        "$(".repeat(50_000),
        "if ".repeat(50_000),
        "\"$(".repeat(50_000),
        "${x:-".repeat(50_000),
        "`".repeat(100_001),
        "f() ".repeat(50_000),
        "! ".repeat(50_000),
    ] {
        assert!(parse(&text).is_err());
    }
    let deep = format!("{}a{}", "(".repeat(20), ")".repeat(20));
    assert!(parse(&deep).is_ok());
}

#[test]
fn a_script_that_is_too_large_is_refused() {
    let bundle = bundle_of(&"# comment\n".repeat(200_000));
    assert!(bundle.problems[0].is_fatal && bundle.problems[0].cause.contains("larger than 1 MiB"));
}

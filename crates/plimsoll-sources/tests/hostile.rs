//! Input made to do harm becomes a problem, in little time and without a panic.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use plimsoll_model::Bundle;
use plimsoll_sources::{Entry, EntryKind, Host, Input, Memory, Refusal, read};
use plimsoll_yaml::{MAX_DOCUMENT_BYTES, MAX_FILE_BYTES};
use std::fmt::Write;

fn bundle(text: impl Into<Vec<u8>>) -> Bundle {
    let host = Memory::new([("a.yaml", text)]);
    read(&Input { paths: vec!["a.yaml".to_owned()], ..Input::default() }, &host)
}

fn check(text: impl Into<Vec<u8>>, cause: &str) {
    let bundle = bundle(text);
    assert_eq!(bundle.problems.len(), 1, "{:?}", bundle.problems);
    let problem = &bundle.problems[0];
    assert!(problem.is_fatal);
    assert!(problem.cause.contains(cause), "{}", problem.cause);
}

#[test]
fn nesting_without_end_is_stopped() {
    check("[".repeat(100_000), "levels deep");
    check(format!("x: {}", "{a: ".repeat(100_000)), "levels deep");
    check("- ".repeat(60_000), "levels deep");
    let stairs: String = (0..2000).fold(String::new(), |mut text, depth| {
        let _ = writeln!(text, "{:depth$}a:", "");
        text
    });
    check(stairs, "levels deep");
    // JSON that fails is tried as YAML, which says the same.
    check("{\"a\":".repeat(100_000), "levels deep");
}

#[test]
fn a_billion_laughs_are_not_heard() {
    let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..12 {
        let _ = writeln!(text, "a{level}: &a{level} [{}]", vec![format!("*a{}", level - 1); 9].join(", "));
    }
    check(text, "multiply");
}

#[test]
fn large_texts_are_not_copied_without_end() {
    let mut text = format!("a: &a {}\nb:\n", "x".repeat(1 << 20));
    (0..5000).for_each(|_| text.push_str("- *a\n"));
    check(text, "MiB");
    let nested = (0..400).fold(String::new(), |text, name| format!("{text}&a{name} ["));
    check(format!("{nested}{}{}", "x".repeat(1 << 20), "]".repeat(400)), "MiB");
}

#[test]
fn anchors_in_a_circle_are_refused() {
    check("a: &a [*a]\n", "inside the value it names");
    check("a: &a {b: &b {c: *a}}\n", "inside the value it names");
    check("&a a: &b {*b : 1}\n", "inside the value it names");
}

#[test]
fn what_makes_the_scanner_panic_is_contained() {
    check("{!tag,", "not valid");
    check("a: {!tag,}\n", "not valid");
    for text in
        ["a: |", "a: >", "a: |2", "a: \"\\", "\"\\", "a: |+", "!", "%", "&", "*", "? ", "!<", "%TAG ! "]
    {
        let _ = bundle(text);
    }
}

#[test]
fn garbage_is_refused() {
    let mut state = 1u64;
    let mut noise = Vec::with_capacity(100_000_000);
    while noise.len() < 100_000_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        noise.extend_from_slice(&state.to_le_bytes());
    }
    check(noise, "UTF-8");
    check(vec![b'a'; MAX_DOCUMENT_BYTES + 1], "MiB");
    check(vec![0u8; 1 << 20], "not valid YAML");
    check("\u{1}".repeat(1 << 20), "not valid YAML");
}

#[test]
fn many_keys_and_many_documents_are_no_burden() {
    let keys = (0..50_000).fold("a: 1\n".to_owned(), |mut text, key| {
        let _ = writeln!(text, "k{key}: v");
        text
    });
    assert_eq!(bundle(keys).coverage.foreign, 1);
    assert_eq!(bundle("a: 1\n---\n".repeat(20_000)).coverage.foreign, 20_000);
}

/// A host whose files are all too large, or fail.
struct Hostile;

impl Host for Hostile {
    fn look(&self, _: &str) -> Result<EntryKind, Refusal> {
        Ok(EntryKind::Folder)
    }

    fn real(&self, path: &str) -> String {
        path.to_owned()
    }

    fn list(&self, _: &str) -> Result<Vec<Entry>, Refusal> {
        let entry = |name: &str| Entry { name: name.to_owned(), kind: EntryKind::File, is_link: false };
        Ok(vec![entry("large.yaml"), entry("denied.yaml")])
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        assert_eq!(limit, MAX_FILE_BYTES);
        Err(if path.ends_with("large.yaml") {
            Refusal::TooLarge
        } else {
            Refusal::Failed("denied".to_owned())
        })
    }

    fn run(&self, _: &str, _: &[String]) -> Result<String, Refusal> {
        Err(Refusal::Missing)
    }

    fn standard_input(&self, _: u64) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::Missing)
    }
}

#[test]
fn files_that_the_host_refuses_are_said() {
    let bundle = read(&Input { paths: vec!["k".to_owned()], ..Input::default() }, &Hostile);
    let causes: Vec<_> = bundle.problems.iter().map(|problem| problem.cause.as_str()).collect();
    // Files come in the order of names; the ignore file is asked for first.
    assert_eq!(causes.len(), 4, "{causes:?}");
    assert!(causes[2].contains("denied") && causes[3].contains("larger than"), "{causes:?}");
}

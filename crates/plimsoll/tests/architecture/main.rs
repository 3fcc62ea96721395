//! The house rules that a compiler does not check: who may use whom, how long files are, which names are drawers, and
//! that nothing is forgotten.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod tree;

use std::collections::{BTreeMap, BTreeSet};
use tree::{Source, manifests, root, sources};

/// All rooms that the program is made of.
const ROOMS: [&str; 8] = [
    "plimsoll-model",
    "plimsoll-schema",
    "plimsoll-order",
    "plimsoll-knowledge",
    "plimsoll-yaml",
    "plimsoll-chart",
    "plimsoll-kustomize",
    "plimsoll-sources",
];

/// Which rooms a room may use; the table of `ARCHITECTURE.md`.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let with = |more: &[&'static str]| ROOMS.iter().chain(more).copied().collect();
    BTreeMap::from([
        ("plimsoll-model", vec![]),
        ("plimsoll-schema", vec![]),
        ("plimsoll-order", vec!["plimsoll-model"]),
        ("plimsoll-knowledge", vec!["plimsoll-model", "plimsoll-schema"]),
        ("plimsoll-yaml", vec!["plimsoll-model"]),
        ("plimsoll-chart", vec!["plimsoll-model", "plimsoll-schema", "plimsoll-yaml"]),
        ("plimsoll-kustomize", vec!["plimsoll-model", "plimsoll-yaml"]),
        (
            "plimsoll-sources",
            vec![
                "plimsoll-model",
                "plimsoll-schema",
                "plimsoll-yaml",
                "plimsoll-chart",
                "plimsoll-kustomize",
            ],
        ),
        ("plimsoll", with(&[])),
        ("plimsoll-testbed", with(&[])),
        ("xtask", with(&["plimsoll", "plimsoll-testbed"])),
    ])
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let allowed = allowed();
    for (name, uses) in manifests() {
        let may = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not in the table"));
        for used in uses {
            assert!(may.contains(&used.as_str()), "{name} may not use {used}");
        }
    }
}

#[test]
fn the_reasoning_knows_no_kind_and_no_tool() {
    let words =
        ["Deployment", "Secret", "kubectl", "Helm", "apiVersion", "webhook", "CustomResourceDefinition"];
    for source in sources().filter(|source| source.path.starts_with("crates/plimsoll-order/src")) {
        for word in words {
            assert!(!source.product().contains(word), "{}: {word}", source.path);
        }
    }
}

#[test]
fn files_are_small_and_say_what_they_hold() {
    for source in sources() {
        assert!(source.text.lines().count() <= 450, "{} is longer than 450 lines", source.path);
        assert!(source.text.starts_with("//!"), "{} does not say what it holds", source.path);
    }
}

#[test]
fn no_file_is_a_drawer() {
    let drawers = ["util", "utils", "common", "helper", "helpers", "misc", "types", "manager", "imp"];
    for source in sources() {
        let parts = source.path.split(['/', '.']);
        for part in parts {
            assert!(!drawers.contains(&part), "{}: name what is inside", source.path);
        }
    }
}

#[test]
fn functions_fit_on_a_screen() {
    let mut lengths: Vec<(usize, String)> = Vec::new();
    for source in sources() {
        lengths.extend(
            source.functions().into_iter().map(|(name, lines)| (lines, format!("{}: {name}", source.path))),
        );
    }
    lengths.sort();
    let over: Vec<_> = lengths.iter().filter(|(lines, _)| *lines > 60).collect();
    assert!(over.is_empty(), "{over:?}");
}

#[test]
fn nothing_is_left_for_later() {
    for source in sources() {
        for word in ["TODO", "FIXME", "XXX", "#[ignore]"] {
            let own = source.path.ends_with("architecture/main.rs");
            assert!(own || !source.text.contains(word), "{}: {word}", source.path);
        }
    }
}

#[test]
fn every_rule_is_listed_and_has_a_page() {
    let folder = root().join("crates/plimsoll-knowledge/src/rules");
    let names = |ending: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(&folder).expect("rules");
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
    };
    let listed: BTreeSet<String> =
        plimsoll_knowledge::rules().iter().map(|rule| rule.name.replace('-', "_")).collect();
    assert_eq!(names(".rs"), listed, "files of rules and the list of rules");
    assert_eq!(names(".md"), listed, "pages and the list of rules");
    let mut codes: Vec<&str> = plimsoll_knowledge::rules().iter().map(|rule| rule.code.0).collect();
    let count = codes.len();
    assert!(codes.is_sorted(), "the list is sorted by code");
    codes.dedup();
    assert_eq!(codes.len(), count, "two rules have one code");
}

#[test]
fn the_glossary_says_what_the_types_say() {
    let glossary = std::fs::read_to_string(root().join("GLOSSARY.md")).expect("GLOSSARY.md");
    let model: Vec<Source> =
        sources().filter(|source| source.path.starts_with("crates/plimsoll-model/src")).collect();
    for row in glossary.lines().filter_map(|line| line.strip_prefix("| **")) {
        let (word, rest) = row.split_once("** | ").expect("a word and its meaning");
        let meaning = rest.trim_end_matches([' ', '|']);
        let said = model.iter().find_map(|source| source.doc_of(word));
        let said = said.unwrap_or_else(|| panic!("no type is called {word}"));
        assert!(said.starts_with(meaning), "{word}: the type says {said:?}");
    }
}

#[test]
fn the_tests_that_the_architecture_names_exist() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let table = page.split("| invariant | test |").nth(1).expect("the table of invariants");
    let named: Vec<&str> = table.split('`').filter(|word| word.starts_with("crates/")).collect();
    assert!(named.len() >= 8, "{named:?}");
    for path in named {
        assert!(root().join(path).is_file(), "{path}");
    }
}

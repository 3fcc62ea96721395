//! Every page of a rule, and every example of the reference table, is executed: the files are written to a folder,
//! deployed by the page's own script, and `plimsoll check` must find exactly the races that the comments announce.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod folder;

use folder::Checked;
use plimsoll_knowledge::page::{Example, HEADINGS, Page};
use std::collections::BTreeSet;

#[test]
fn every_page_has_its_headings_in_order() {
    for rule in plimsoll_knowledge::rules() {
        let page = Page::parse(rule.page);
        let headings: Vec<&str> = page.headings.iter().map(String::as_str).collect();
        assert!(
            headings.len() >= HEADINGS.len()
                && headings.iter().zip(HEADINGS).all(|(one, other)| *one == other),
            "{}: {headings:?}",
            rule.code.0
        );
        let title = format!("{} {}", rule.code.0, rule.name);
        assert_eq!(page.title, title, "the first line of {}'s page", rule.code.0);
    }
}

#[test]
fn examples_race_where_the_comments_say() {
    let mut count = 0;
    for rule in plimsoll_knowledge::rules() {
        let page = Page::parse(rule.page);
        let examples: Vec<&Example> = page.under("Example").collect();
        assert!(!examples.is_empty(), "{} has no example", rule.code.0);
        let mut announced = BTreeSet::new();
        for example in examples {
            announced.extend(example.races().into_iter().map(|race| race.code));
            check(rule.code.0, example);
            count += 1;
        }
        assert!(announced.contains(rule.code.0), "no example of {} shows it", rule.code.0);
    }
    println!("{count} examples race where they should");
}

#[test]
fn after_the_fix_and_where_it_stays_silent_nothing_is_found() {
    let mut count = 0;
    for rule in plimsoll_knowledge::rules() {
        let page = Page::parse(rule.page);
        for section in ["After the fix", "Stays silent"] {
            let examples: Vec<&Example> = page.under(section).collect();
            assert!(!examples.is_empty(), "{}: nothing to execute under {section}", rule.code.0);
            for example in examples {
                assert!(example.races().is_empty(), "{}: a race is announced under {section}", rule.code.0);
                check(rule.code.0, example);
                count += 1;
            }
        }
    }
    println!("{count} examples are silent");
}

#[test]
fn every_reference_has_an_example_that_races() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../plimsoll-knowledge/src/references/examples");
    for id in plimsoll_knowledge::reference_ids() {
        let path = format!("{folder}/{id}.yaml");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let example = Example::of_file(&id, &text);
        assert!(!example.races().is_empty(), "{path} announces no race");
        check(&id, &example);
    }
}

/// Runs one example and compares what was found with what was announced.
fn check(owner: &str, example: &Example) {
    let checked = Checked::run(example);
    let found: BTreeSet<String> = checked.races().collect();
    let announced: BTreeSet<String> = example
        .races()
        .into_iter()
        .map(|race| {
            let consequence =
                race.consequence.unwrap_or_else(|| checked.consequence(&race.code, &race.file, race.line));
            format!("{}:{} {} {consequence}", race.file, race.line, race.code)
        })
        .collect();
    assert_eq!(found, announced, "{owner}, {} (found on the left)\n{}", example.name, checked.text);
    assert!(checked.is_mended(), "{owner}, {}: a finding without a fix\n{}", example.name, checked.text);
    for answer in &example.answers {
        assert!(
            checked.answers(&answer.text),
            "{owner}, {}: no finding answers\n{answer:?}\n{}",
            example.name,
            checked.text
        );
    }
}

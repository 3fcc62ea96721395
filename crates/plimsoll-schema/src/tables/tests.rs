//! The data is whole, sorted and without doubles.

use super::*;

fn keys(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let key = |line: &'static str| {
        let mut fields = line.split('\t');
        (fields.next().unwrap(), fields.next().unwrap())
    };
    lines(text).map(key).collect()
}

#[test]
fn every_row_parses() {
    assert_eq!(BUILTIN.len(), keys(KINDS).len() + keys(REMOVED).len());
    assert_eq!(CUSTOM.len(), keys(ECOSYSTEM).len());
    assert!(keys(KINDS).len() > 100 && keys(REMOVED).len() > 40 && CUSTOM.len() > 400);
    assert!(BUILTIN.iter().all(|row| row.served.is_some() || row.optional.is_some()));
}

#[test]
fn rows_are_sorted_and_unique() {
    for text in [KINDS, REMOVED, ECOSYSTEM] {
        for pair in keys(text).windows(2) {
            assert!(pair[0] < pair[1], "{:?} does not come before {:?}", pair[0], pair[1]);
        }
    }
    for key in keys(REMOVED) {
        assert!(!keys(KINDS).contains(&key), "{key:?} is in both tables");
    }
}

#[test]
fn spans_are_in_order_and_do_not_overlap() {
    for row in BUILTIN.iter() {
        let name = (row.api_version, row.known.kind);
        for span in [row.served, row.optional].into_iter().flatten() {
            assert!(span.first <= span.last, "{name:?}");
        }
        if let (Some(served), Some(optional)) = (row.served, row.optional) {
            assert!(served.last < optional.first || optional.last < served.first, "{name:?}");
        }
    }
}

#[test]
fn the_known_versions_are_those_of_the_table() {
    let spans = || lines(KINDS).filter_map(|line| line.split('\t').nth(6)?.split_once('-'));
    let number = |text: &str| text.parse::<u32>().ok();
    assert_eq!(spans().filter_map(|(first, _)| number(first)).min(), Some(Version::OLDEST.minor));
    assert_eq!(spans().filter_map(|(_, last)| number(last)).max(), Some(Version::NEWEST.minor));
}

#[test]
fn what_was_removed_has_a_successor_that_is_served() {
    for row in lines(REMOVED).filter_map(KindVersion::read_removed) {
        let name = (row.api_version, row.known.kind);
        assert!(!row.served.unwrap().is_recent(), "{name:?}");
        if row.known.kind != "PodSecurityPolicy" {
            let is_successor = |other: &&KindVersion| {
                Some(other.known.group) == row.moved_to && other.known.kind == row.known.kind
            };
            let mut successors = BUILTIN.iter().filter(is_successor).filter_map(|other| other.served);
            assert!(successors.any(|span| span.contains(Version::NEWEST)), "{name:?}");
        }
    }
}

#[test]
fn a_kind_has_the_same_names_scope_and_verbs_in_all_its_versions() {
    for row in lines(KINDS).filter_map(KindVersion::read_known) {
        let found = crate::known::find(row.known.group, row.known.kind);
        assert_eq!(found, Some(row.known));
    }
}

#[test]
fn every_custom_kind_names_its_source_and_version() {
    for line in lines(ECOSYSTEM) {
        let source = line.rsplit('\t').next().unwrap();
        assert!(source.split_once('@').is_some_and(|(_, version)| !version.is_empty()), "{line}");
    }
}

//! Every case is judged as a real server judged it.

use crate::draft::Drafts;
use plimsoll_model::FileIndex;
use plimsoll_yaml::parse;

const CASES: &str = include_str!("cases.yaml");

/// The lines and texts that the comments of a case expect.
fn expected(case: &str) -> Vec<(u32, &str)> {
    let lines = (1..).zip(case.lines());
    lines.filter_map(|(line, text)| Some((line, text.split_once("# fault: ")?.1))).collect()
}

#[test]
fn every_case_is_judged_as_the_server_judges_it() {
    for case in CASES.split("---\n") {
        let drafts = Drafts::of(parse(case, FileIndex(0)));
        assert_eq!(drafts.objects.len(), 1, "{case}");
        let mut told: Vec<_> =
            drafts.problems.iter().map(|fault| (fault.place.line, fault.cause.as_str())).collect();
        told.dedup();
        let expected = expected(case);
        let is_same = told.len() == expected.len()
            && told
                .iter()
                .zip(&expected)
                .all(|(told, expected)| told.0 == expected.0 && told.1.contains(expected.1));
        assert!(is_same, "{case}\nfound {told:#?}");
    }
}

#[test]
fn other_objects_and_other_versions_are_not_judged() {
    for head in [
        "apiVersion: v1\nkind: ConfigMap",
        "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition",
    ] {
        let drafts = Drafts::of(parse(&format!("{head}\nmetadata: {{name: a}}\n"), FileIndex(0)));
        assert!(drafts.problems.is_empty(), "{head}");
    }
}

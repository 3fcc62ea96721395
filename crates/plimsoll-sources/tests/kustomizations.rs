//! Plain kustomizations come in the order in which the real programs put them, and what those refuse is not read.
//!
//! `tests/kustomizations/*/built` was written by `cargo xtask generate kustomizations` from `kubectl kustomize`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_model::{Action, Bundle};
use plimsoll_sources::{Disk, Input, read};
use std::fs;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kustomizations");

fn cases() -> Vec<String> {
    let entries = fs::read_dir(FOLDER).unwrap();
    let mut cases: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    cases.sort();
    cases
}

fn bundle(case: &str) -> Bundle {
    let paths = vec![format!("{FOLDER}/{case}/tree")];
    read(&Input { paths, ..Input::default() }, &Disk)
}

#[test]
fn objects_come_as_kubectl_kustomize_prints_them() {
    let mut count = 0;
    for case in cases() {
        let built = fs::read_to_string(format!("{FOLDER}/{case}/built")).unwrap();
        let expected: Vec<&str> = built.lines().filter(|line| !line.starts_with('#')).collect();
        let bundle = bundle(&case);
        if expected == ["refused"] {
            assert!(matches!(bundle.steps[0].action, Action::Opaque(_)), "{case}: {:?}", bundle.steps);
            continue;
        }
        assert!(bundle.problems.is_empty(), "{case}: {:?}", bundle.problems);
        let objects: Vec<String> = bundle
            .deliveries()
            .map(|(_, object)| format!("{} {}", object.api_version(), object.id))
            .collect();
        assert_eq!(objects, expected, "{case}");
        count += objects.len();
    }
    assert!(count > 100, "only {count} objects were compared");
}

#[test]
fn objects_of_charts_stand_at_their_templates() {
    let bundle = bundle("charts");
    let places: Vec<String> = bundle
        .deliveries()
        .map(|(_, object)| {
            let place = object.place_of(&["metadata", "name"]);
            let path = bundle.files.path(place).strip_prefix(FOLDER).unwrap();
            format!("{} {path}:{}:{}", object.id.kind(), place.line, place.column)
        })
        .collect();
    assert_eq!(places[1], "Deployment /charts/tree/shelf/shop/templates/all.yaml:4:12");
    assert_eq!(places[4], "CustomResourceDefinition /charts/tree/shelf/shop/crds/widgets.yaml:3:18");
    let replicas = bundle.deliveries().filter(|(_, object)| object.id.name() == "p-front");
    let replicas: Vec<u32> =
        replicas.map(|(_, object)| object.place_of(&["spec", "replicas"]).line).collect();
    assert!(replicas.contains(&20), "the patch says how many: {replicas:?}");
}

#[test]
fn places_point_into_the_files_that_are_listed() {
    let bundle = bundle("listed");
    let places: Vec<String> = bundle
        .deliveries()
        .map(|(_, object)| {
            let path = bundle.files.path(object.place());
            format!("{}:{}", path.strip_prefix(FOLDER).unwrap(), object.place().line)
        })
        .collect();
    assert_eq!(places[0], "/listed/tree/b.yaml:3");
    assert_eq!(places[5], "/listed/tree-2/y.yaml:1");
}

#[test]
fn what_is_refused_says_where_and_why() {
    let refusals: Vec<String> = cases()
        .iter()
        .filter(|case| case.starts_with("refused"))
        .map(|case| {
            let bundle = bundle(case);
            let [problem] = bundle.problems.as_slice() else { panic!("{case}: {:?}", bundle.problems) };
            let path = bundle.files.path(problem.place).strip_prefix(FOLDER).unwrap();
            let cause = problem.cause.split("was not read: ").nth(1).unwrap();
            format!("{path}:{} {cause}", problem.place.line)
        })
        .collect();
    assert_eq!(
        refusals,
        [
            "/refused-circle/tree/inner/kustomization.yaml:1 kustomize refuses a folder that holds the one it is listed in",
            "/refused-field/tree/kustomization.yaml:2 kustomize refuses the field `nothing`, which it does not know",
            "/refused-foreign/tree/a.yaml:1 kustomize refuses what has no apiVersion and kind",
            "/refused-key-twice/tree/a.yaml:5 kustomize refuses a key that stands twice in one map; remove one",
            "/refused-missing/tree/kustomization.yaml:1 there is no such file or folder",
            "/refused-no-kind/tree/a.yaml:4 kustomize refuses what has no apiVersion and kind",
            "/refused-no-name/tree/a.yaml:1 kustomize refuses an object without metadata.name",
            "/refused-order/tree/kustomization.yaml:2 kustomize refuses any order but `fifo` and `legacy`",
            "/refused-outside/tree/kustomization.yaml:1 kustomize refuses a file outside the folder of its kustomization",
            "/refused-twice/tree/b.yaml:1 kustomize refuses an object that is listed twice: ConfigMap/default/a",
            "/refused-two-files/tree:0 kustomize refuses a folder with several kustomization files; keep one",
        ]
    );
}

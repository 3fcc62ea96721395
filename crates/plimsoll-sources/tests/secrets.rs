//! No value of a Secret can be seen: not in a debug print of its objects, not in a line of its file, not in a problem.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_model::{Bundle, Place};
use plimsoll_sources::{Input, Memory, read};

const CANARY: &str = "c4n4ry";

fn bundle(text: &str) -> Bundle {
    let host = Memory::new([("secret.yaml", text)]);
    read(&Input { paths: vec!["secret.yaml".to_owned()], ..Input::default() }, &host)
}

/// The lines that may be shown.
fn visible(bundle: &Bundle) -> String {
    let file = bundle.files.iter().next().unwrap();
    let count = u32::try_from(file.text.split('\n').count()).unwrap();
    let line = |line| bundle.files.line(Place { line, column: 1, ..Place::default() });
    (1..=count).filter_map(line).flat_map(|line| [line, "\n"]).collect()
}

fn check(text: &str) -> String {
    assert!(text.contains(CANARY), "the test shows nothing");
    let bundle = bundle(text);
    let shown = visible(&bundle);
    assert!(!shown.contains(CANARY), "shown:\n{shown}");
    for (_, object) in bundle.deliveries() {
        assert!(!format!("{object:?}").contains(CANARY), "{object:?}");
    }
    assert!(!format!("{:?}", bundle.problems).contains(CANARY));
    shown
}

#[test]
fn block_style_hides_the_values_and_nothing_else() {
    let text = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  key: c4n4ry\n  more: |\n    c4n4ry\n\n\
                # old: c4n4ry\ntype: Opaque\n";
    assert_eq!(check(text), "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ntype: Opaque\n");
}

#[test]
fn the_kind_may_come_after_the_values() {
    let text =
        "stringData: {key: c4n4ry, list: [c4n4ry]}\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\n";
    assert_eq!(check(text), "kind: Secret\napiVersion: v1\nmetadata: {name: a}\n");
}

#[test]
fn values_that_are_no_text_are_hidden_too() {
    let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  pin: 31337\n  x: c4n4ry\n";
    check(text);
    let bundle = bundle(text);
    assert!(!format!("{:?}", bundle.deliveries().next().unwrap().1).contains("31337"));
}

#[test]
fn every_other_form_hides_them() {
    for text in [
        // One line, as YAML and as JSON.
        "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {k: c4n4ry}}",
        "{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"a\"}, \"data\": {\"k\": \"c4n4ry\"}}",
        "{\"apiVersion\": \"v1\",\n\"kind\": \"Secret\",\n\"metadata\": {\"name\": \"a\"},\n\"data\": {\n\"k\":\n\"c4n4ry\"}\n}",
        // Inside lists.
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n  data:\n    k: c4n4ry\n",
        "apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: a}\n  data:\n    k: c4n4ry\n",
        // What kubectl keeps beside the object.
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  annotations:\n    \
         kubectl.kubernetes.io/last-applied-configuration: |\n      {\"data\":{\"k\":\"c4n4ry\"}}\n",
        // Anchors and merges bring values from other lines.
        "x: &x c4n4ry\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {k: *x}\n",
        "x: &x\n  k: c4n4ry\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  <<: *x\n",
        "x: &x\n  data:\n    k: c4n4ry\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n<<: *x\n",
        "x: &x stringData\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n*x : {k: c4n4ry}\n",
        // Of equal keys only the last one holds, but both are written.
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  k: c4n4ry\ndata:\n  k: other\n",
        // A broken document may have been a Secret.
        "apiVersion: v1\nkind: Secret\ndata:\n  k: c4n4ry\n bad\n",
        "{\"kind\": \"Secret\", \"data\": {\"k\": \"c4n4ry\"",
        "--- c4n4ry\n",
        // No name, so no object; and no map.
        "apiVersion: v1\nkind: Secret\nmetadata: {}\ndata:\n  k: c4n4ry\n",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: c4n4ry\n",
        // Other line ends.
        "apiVersion: v1\r\nkind: Secret\r\nmetadata: {name: a}\r\ndata:\r\n  k: >\r\n    x\r\n    c4n4ry\r\ntype: x\r\n",
    ] {
        check(text);
    }
}

#[test]
fn an_object_that_is_no_secret_is_shown() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: plain}\n";
    assert_eq!(visible(&bundle(text)), text);
}

#[test]
fn what_a_kustomization_puts_into_secrets_is_hidden_in_every_file() {
    let files = [
        (
            "k/kustomization.yaml",
            "resources: [a.yaml]\nsecretGenerator:\n- name: made\n  literals:\n  - a=c4n4ry\n  envs: [e.env]\n  files: [f.txt]\n\
             patches:\n- patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    stringData:\n      x: c4n4ry\n\
             - target: {kind: Secret, name: a}\n  patch: |-\n    - op: add\n      path: /stringData/y\n      value: c4n4ry\n",
        ),
        ("k/a.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  z: c4n4ry\n"),
        ("k/e.env", "E=c4n4ry\n"),
        ("k/f.txt", "c4n4ry\n"),
    ];
    let input = Input { paths: vec!["k".to_owned()], ..Input::default() };
    let bundle = read(&input, &Memory::new(files));
    assert_eq!(bundle.coverage.objects, 2, "{:?}", bundle.problems);
    for (index, file) in (0u32..).zip(bundle.files.iter()) {
        let lines = u32::try_from(file.text.split('\n').count()).unwrap();
        for line in 1..=lines {
            let place = Place { file: plimsoll_model::FileIndex(index), line, column: 1 };
            let shown = bundle.files.line(place).unwrap_or_default();
            assert!(!shown.contains(CANARY), "{}:{line}: {shown}", file.path);
        }
    }
    for (_, object) in bundle.deliveries() {
        assert!(!format!("{object:?}").contains(CANARY), "{object:?}");
    }
}

//! Reports for other programs: each what its readers take, and none with the value of a Secret.

use crate::folder::{Folder, TOO_LATE};
use crate::sarif_schema;
use serde_json::Value;

const BROKEN: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: broken\ndata: [\n";

/// A Secret whose line at fault stands beside its values, in a file with a name that needs escapes.
const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop}
stringData: {password: CANARY}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
";

#[test]
fn sarif_is_what_its_schema_says() {
    let inputs: [&[(&str, &str)]; 4] = [
        &[("a.yaml", TOO_LATE)],
        &[("a.yaml", BROKEN)],
        &[("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")],
        &[("a b,c:d%.yaml", SECRET), ("z.yaml", BROKEN)],
    ];
    for files in inputs {
        for more in [&[][..], &["--pedantic", "--closed"]] {
            let answer = Folder::of(files).run(&[&["check", "-o", "sarif"], more].concat());
            assert_eq!(sarif_schema::faults(&answer.out), [] as [&str; 0], "{}", answer.out);
        }
    }
}

#[test]
fn the_example_is_told_in_sarif_as_in_json() {
    let shop = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/shop");
    let folder = Folder::of(&[]);
    let report = folder.report(&[shop]);
    let text = folder.run(&["check", "-o", "sarif", shop]).out;
    assert_eq!(sarif_schema::faults(&text), [] as [&str; 0]);
    let sarif: Value = serde_json::from_str(&text).expect("JSON");
    let names = |list: &Value, path: &str| -> Vec<Value> {
        list.as_array().expect("a list").iter().map(|one| one.pointer(path).expect(path).clone()).collect()
    };
    let results = &sarif["runs"][0]["results"];
    assert_eq!(
        names(results, "/partialFingerprints/plimsoll~1v1"),
        names(&report["findings"], "/fingerprint")
    );
    assert_eq!(names(results, "/ruleId"), names(&report["findings"], "/rule"));
}

#[test]
fn several_reports_are_written_at_once() {
    let folder = Folder::of(&[("a.yaml", TOO_LATE)]);
    let answer = folder.run(&["check", "-o", "sarif=s.json", "-o", "junit=j.xml", "-o", "github", "a.yaml"]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(
        answer.out.starts_with("::error file=a.yaml,line=5,col=14,title=PLM-R001/late "),
        "{}",
        answer.out
    );
    let saved = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a report");
    assert!(saved("s.json").contains("\"version\": \"2.1.0\""));
    assert!(saved("j.xml").contains("tests=\"1\" failures=\"1\" errors=\"0\""));
}

#[test]
fn no_format_holds_the_value_of_a_secret() {
    let folder = Folder::of(&[("a b,c:d%.yaml", SECRET)]);
    for format in ["text", "json", "sarif", "junit", "github"] {
        let answer = folder.run(&["check", "-o", format, "--pedantic", "--closed"]);
        assert_eq!(answer.code, 1, "{answer:?}");
        assert!(!format!("{}{}", answer.out, answer.err).contains("CANARY"), "{}", answer.out);
    }
    let annotations = folder.run(&["check", "-o", "github"]).out;
    assert!(annotations.contains("file=a b%2Cc%3Ad%25.yaml,"), "{annotations}");
}

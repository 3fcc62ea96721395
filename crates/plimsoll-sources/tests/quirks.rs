//! Every file in `quirks/` is read as kubectl reads it.
//!
//! The `.json` beside each file was written by `YAMLOrJSONDecoder` of `k8s.io/apimachinery` v0.36.4 with
//! `sigs.k8s.io/yaml` v1.6.0, behind the byte order mark decoder of `golang.org/x/text` that kubectl uses: the
//! documents as JSON, and how many could not be read. Go gives up a document before a separator it refuses; we keep it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_model::{FileIndex, Node, Value};
use plimsoll_sources::{Memory, Reading};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_quirk_is_read_as_kubectl_reads_it() {
    let mut checked = 0;
    for path in quirks() {
        let expected = fs::read_to_string(path.with_extension("json")).unwrap();
        let expected = plimsoll_yaml::parse(&expected, FileIndex(0)).documents.remove(0).root;
        let (documents, errors) = read(&path);
        let name = path.display();
        assert_eq!(expected.int_at(&["errors"]).unwrap() > 0, errors > 0, "{name}: errors");
        let wanted: Vec<String> = expected.list_at(&["documents"]).iter().map(plain).collect();
        let found: Vec<String> = documents.iter().map(plain).collect();
        assert_eq!(found, wanted, "{name}");
        checked += 1;
    }
    assert!(checked > 50, "only {checked} files");
}

fn quirks() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quirks");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> (Vec<Node>, usize) {
    let host = Memory::new([("quirk", fs::read(path).unwrap())]);
    let mut reading = Reading::new(&host);
    let file = reading.open("quirk").unwrap();
    let parsed = plimsoll_yaml::parse(&reading.text(file).unwrap(), file);
    let errors = parsed.faults.iter().filter(|fault| fault.is_fatal).count();
    (parsed.documents.into_iter().map(|document| document.root).collect(), errors)
}

/// The value without places and with sorted keys; a number as its value, however it was written.
fn plain(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => format!("{text:?}"),
        Value::Concealed(text) => format!("{:?}", text.reveal()),
        Value::List(items) => format!("{:?}", items.iter().map(plain).collect::<Vec<_>>()),
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| (&key.text, plain(value))).collect();
            entries.sort();
            format!("{entries:?}")
        }
    }
}

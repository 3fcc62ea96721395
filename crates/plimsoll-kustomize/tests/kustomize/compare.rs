//! Whether two lists of objects say the same.

use plimsoll_model::{FileIndex, Node, Value};

/// The objects that a program printed, as kubectl reads them.
pub(crate) fn printed(text: &str) -> Vec<Node> {
    let parsed = plimsoll_yaml::parse(text, FileIndex(0));
    assert!(parsed.faults.is_empty(), "{:?}", parsed.faults);
    parsed.documents.into_iter().map(|document| document.root).collect()
}

/// The first difference between what the program printed and what was built.
pub(crate) fn difference(expected: &[Node], built: &[Node]) -> Option<String> {
    if expected.len() != built.len() {
        let names = |nodes: &[Node]| nodes.iter().map(name).collect::<Vec<_>>().join(" ");
        return Some(format!("expected {}, built {}", names(expected), names(built)));
    }
    expected.iter().zip(built).find_map(|(expected, built)| {
        let mut built = built.clone();
        let _ = plimsoll_yaml::conceal(&mut built);
        differ(expected, &built).map(|path| format!("{}{path}", name(expected)))
    })
}

fn name(node: &Node) -> String {
    let text = |path: &[&str]| node.text_at(path).unwrap_or_default().to_owned();
    format!("{}/{}", text(&["kind"]), text(&["metadata", "name"]))
}

fn differ(expected: &Node, built: &Node) -> Option<String> {
    match (&expected.value, &built.value) {
        (Value::Map(one), Value::Map(other)) => {
            let find = |entries: &[(plimsoll_model::Key, Node)], key: &str| {
                entries.iter().find(|(found, _)| &*found.text == key).map(|(_, node)| node.clone())
            };
            let keys = one.iter().chain(other).map(|(key, _)| &*key.text);
            keys.into_iter().find_map(|key| match (find(one, key), find(other, key)) {
                (Some(one), Some(other)) => differ(&one, &other).map(|path| format!(".{key}{path}")),
                (Some(one), None) => Some(format!(".{key} is missing: {:?}", one.value)),
                (None, Some(other)) => Some(format!(".{key} is too much: {:?}", other.value)),
                (None, None) => None,
            })
        }
        (Value::List(one), Value::List(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(at, (one, other))| differ(one, other).map(|path| format!("[{at}]{path}")))
        }
        (one, other) if one == other => None,
        (one, other) => Some(format!(" expected {one:?}, built {other:?}")),
    }
}

//! The file: found by walking up, read with the place of everything it says.

use super::settings::Shape;
use super::{FILE, Said, Wanted, settings, shape};
use crate::failure::Failure;
use plimsoll_model::{FileIndex, Node, Place, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A larger file is no file of settings.
const MOST_BYTES: u64 = 1024 * 1024;

/// The file that is wanted. The nearest one is looked for from the current folder up to the top of its repository.
pub(super) fn find(wanted: &Wanted) -> Result<Option<PathBuf>, Failure> {
    match wanted {
        Wanted::Nothing => Ok(None),
        Wanted::Named(path) => Ok(Some(path.clone())),
        Wanted::Nearest => {
            let here =
                std::env::current_dir().map_err(|error| unreadable(Path::new("."), &error.to_string()))?;
            Ok(nearest(&here))
        }
    }
}

fn nearest(here: &Path) -> Option<PathBuf> {
    let mut written = PathBuf::new();
    for folder in here.ancestors() {
        if folder.join(FILE).is_file() {
            return Some(written.join(FILE));
        }
        // Settings belong to a repository: what lies above it speaks of something else.
        if folder.join(".git").exists() {
            return None;
        }
        written.push("..");
    }
    None
}

/// The text of the file.
pub(super) fn text(path: &Path) -> Result<String, Failure> {
    let size = std::fs::metadata(path).map_err(|error| unreadable(path, &error.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(unreadable(path, "it is larger than 1 MiB"));
    }
    std::fs::read_to_string(path).map_err(|error| unreadable(path, &error.to_string()))
}

/// What the file says. Everything that is wrong with it is named at once.
pub(super) fn read(path: &Path, text: &str) -> Result<BTreeMap<&'static str, Said>, Failure> {
    let mut parsed = plimsoll_yaml::parse(text, FileIndex(0));
    let mut wrong: Vec<(Place, String)> = Vec::new();
    for fault in &parsed.faults {
        let twice = "this key stands twice in one map; remove one".to_owned();
        wrong.push((fault.place, if fault.is_fatal { fault.cause.clone() } else { twice }));
    }
    if parsed.documents.len() > 1 {
        wrong.push((Place::default(), "there is more than one document in it".to_owned()));
    }
    let root = parsed.documents.pop().map(|document| document.root);
    let mut said = BTreeMap::new();
    if let Some(root) = root.filter(|root| wrong.is_empty() && !root.is_null()) {
        said = entries(path, &root, &mut wrong);
    }
    if wrong.is_empty() {
        return Ok(said);
    }
    let sentences: Vec<String> =
        wrong.iter().map(|(at, cause)| format!("{}: {cause}", spot(path, *at))).collect();
    Err(Failure::usage(sentences.join("\nerror: ")).hint(
        "`plimsoll config schema` prints the schema; docs/reference/configuration.md explains every key",
    ))
}

fn entries(path: &Path, root: &Node, wrong: &mut Vec<(Place, String)>) -> BTreeMap<&'static str, Said> {
    let mut said = BTreeMap::new();
    if !matches!(root.value, Value::Map(_)) {
        wrong.push((root.place, "this is not a map of settings".to_owned()));
    }
    for (key, value) in root.entries() {
        match settings::ALL.iter().find(|setting| setting.key == &*key.text) {
            Some(setting) => {
                let value = with_off(setting.shape, value.clone());
                wrong.extend(shape::misfits(setting.shape, &value));
                said.insert(setting.key, Said { value, origin: spot(path, key.place) });
            }
            None => wrong.push((key.place, unknown(&key.text))),
        }
    }
    said
}

/// YAML takes `off` for false; where a rule is switched off, the word is meant.
fn with_off(shape: Shape, mut value: Node) -> Node {
    if let (Shape::Rules(_), Value::Map(entries)) = (shape, &mut value.value) {
        for (_, level) in entries.iter_mut().filter(|(_, level)| level.value == Value::Bool(false)) {
            level.value = Value::Text("off".into());
        }
    }
    value
}

fn unknown(key: &str) -> String {
    let near = settings::ALL.iter().min_by_key(|setting| crate::nearness::edits(setting.key, key));
    let near = near.map_or("", |setting| setting.key);
    format!("there is no setting `{key}`; the nearest is `{near}`")
}

/// A place in the file.
pub(super) fn spot(path: &Path, place: Place) -> String {
    match place.line {
        0 => path.display().to_string(),
        line => format!("{}:{line}:{}", path.display(), place.column),
    }
}

fn unreadable(path: &Path, cause: &str) -> Failure {
    Failure::usage(format!("cannot read the settings in {}: {cause}", path.display()))
        .hint("name a file that can be read, or none: --no-config")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        read(Path::new(FILE), text).expect_err(text).chain.join(": ")
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, expected) in [
            (
                "fial-on: late\n",
                ".plimsoll.yaml:1:1: there is no setting `fial-on`; the nearest is `fail-on`",
            ),
            ("fail-on: noise\n", ".plimsoll.yaml:1:10: this is one of: late, stuck, damage, never"),
            ("pedantic: 3\n", ".plimsoll.yaml:1:11: this is true or false"),
            ("kube-version: 1.34\n", ".plimsoll.yaml:1:15: write this in quotes"),
            ("exclude: a\n", ".plimsoll.yaml:1:10: this is a list"),
            (
                "pedantic: true\n\npedantic: false\n",
                ".plimsoll.yaml:3:1: this key stands twice in one map; remove one",
            ),
            (
                "rules: {PLM-R999: off}\n",
                ".plimsoll.yaml:1:9: there is no rule `PLM-R999`; `plimsoll explain` lists every rule",
            ),
            ("rules: {PLM-R001: loud}\n", ".plimsoll.yaml:1:19: this is one of: off, note, warning, error"),
            ("- a\n", ".plimsoll.yaml:1:1: this is not a map of settings"),
            ("a: b\n---\nc: d\n", ".plimsoll.yaml: there is more than one document in it"),
        ] {
            assert_eq!(wrong(text), expected);
        }
        assert!(wrong("a: [\n").starts_with(".plimsoll.yaml:"));
        assert!(wrong("a: 1\nb: 2\n").contains("\nerror: .plimsoll.yaml:2:1: there is no setting `b`"));
    }

    #[test]
    fn an_empty_file_says_nothing() {
        assert!(read(Path::new(FILE), "# nothing\n").expect("an empty file").is_empty());
    }
}

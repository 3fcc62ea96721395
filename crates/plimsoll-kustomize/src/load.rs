//! From files to objects and to kustomizations (`resource/factory.go`, `internal/target/kusttarget.go`, `Load`).

use crate::build::Build;
use crate::files::{KUSTOMIZATION_NAMES, Opened, Root, Standing, shown};
use crate::kustomization::Kustomization;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node, documents, read_document};
use plimsoll_model::Place;
use plimsoll_yaml::{parse_piece, pieces};
use std::collections::VecDeque;

/// The kustomization of a folder.
pub(crate) fn load_kustomization(build: &mut Build<'_>, root: &Root) -> Result<Kustomization, Refusal> {
    let is_file = |name: &&str| build.files.look(&root.path(name)) == Some(Standing::File);
    let names: Vec<&str> = KUSTOMIZATION_NAMES.into_iter().filter(is_file).collect();
    let [name] = names.as_slice() else {
        let cause = match names.len() {
            0 => "there is no kustomization.yaml, kustomization.yml or Kustomization; check the path",
            _ => "kustomize refuses a folder with several kustomization files; keep one",
        };
        return Err(Refusal::new(build.files.place_of(shown(&root.folder)), cause));
    };
    let place = build.files.place_of(&root.path(name));
    let opened = root.open(build.files, name, place)?;
    let text = text_of(&opened, place)?;
    let node =
        plimsoll_yaml::value(text, opened.index).map_err(|fault| Refusal::new(fault.place, fault.cause))?;
    let kustomization = Kustomization::parse(&node)?;
    Ok(Kustomization { file_name: (*name).to_owned(), ..kustomization })
}

/// The text of a file.
pub(crate) fn text_of(opened: &Opened, place: Place) -> Result<&str, Refusal> {
    let text = std::str::from_utf8(&opened.bytes);
    let text = text.map_err(|_| Refusal::new(place, "this file is not text in UTF-8; convert it"))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The objects in a file.
pub(crate) fn load_objects(build: &mut Build<'_>, opened: &Opened) -> Result<Vec<Resource>, Refusal> {
    let start = Place { file: opened.index, line: 1, column: 1 };
    let text = text_of(opened, start)?;
    hide_secrets(build, text, start);
    objects_in(text, start)
}

/// Lines of a text that hold values of Secrets are never shown.
pub(crate) fn hide_secrets(build: &mut Build<'_>, text: &str, start: Place) {
    if text.contains("Secret") || text.contains("last-applied") {
        for piece in pieces(text, start) {
            for lines in parse_piece(&piece).hidden {
                build.files.hide(start.file, lines);
            }
        }
    }
}

/// The objects in a text; lists are opened, and their items come behind everything else.
pub(crate) fn objects_in(text: &str, start: Place) -> Result<Vec<Resource>, Refusal> {
    let mut waiting = VecDeque::new();
    let documents = documents(text, start)?;
    let is_alone = documents.len() == 1;
    for document in &documents {
        let Some(root) = read_document(document)? else { continue };
        let is_list = matches!(root.said_at("kind"), "List" | "ResourceList");
        match root.get("items") {
            // A file that is one list gives its items without a look at the list itself.
            Some(items) if is_alone && is_list => waiting.extend(items.items().iter().cloned()),
            _ => waiting.push_back(root),
        }
    }
    let mut found = Vec::new();
    while let Some(node) = waiting.pop_front() {
        if node.is_nothing() {
            continue;
        }
        validate(&node)?;
        let items = node.get("items").filter(|_| node.said_at("kind").ends_with("List"));
        match items.map(|items| &items.form) {
            Some(Form::List(items)) => waiting.extend(items.iter().cloned()),
            Some(_) if node.get("items").is_some_and(Node::is_null) => {}
            Some(_) => {
                return Err(Refusal::new(node.place, "kustomize refuses a List whose items are no list"));
            }
            None => found.push(Resource::new(node)),
        }
    }
    Ok(found)
}

/// What kustomize refuses in an object.
fn validate(node: &Node) -> Result<(), Refusal> {
    if !matches!(node.form, Form::Map(_)) || node.said_at("kind").is_empty() {
        return Err(Refusal::new(node.place, "kustomize refuses what has no apiVersion and kind"));
    }
    if !node.said_at("kind").ends_with("List") && crate::identity::name(node).is_empty() {
        return Err(Refusal::new(node.place, "kustomize refuses an object without metadata.name"));
    }
    Ok(())
}

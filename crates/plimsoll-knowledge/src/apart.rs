//! Which folders of the input stand for themselves. Whoever names a tree says that all of it is applied; the tree itself
//! may say otherwise.

use crate::{alternatives, tools};
use plimsoll_model::{Action, Arranged, Bundle, Object, Operation, Step, StepIndex, Tool};

/// Words in the name of a folder that holds what people try out, some at a time.
const TRIED: [&str; 16] = [
    "demo",
    "demos",
    "doc",
    "docs",
    "e2e",
    "example",
    "examples",
    "fixtures",
    "sample",
    "samples",
    "test",
    "testdata",
    "testing",
    "tests",
    "tutorial",
    "tutorials",
];

/// Whether an object is written for Argo CD, and nobody said that kubectl applies it.
#[must_use]
pub fn is_by_others(bundle: &Bundle, step: StepIndex, object: &Object) -> bool {
    let is_said = |step: &Step| match &step.action {
        Action::Deliver(unit) => step.place.is_some() || unit.delivery.tool != Tool::Kubectl,
        _ => true,
    };
    let annotations = object.root.at(&["metadata", "annotations"]).map_or(&[][..], |map| map.entries());
    annotations.iter().any(|(key, _)| key.text.starts_with("argocd.argoproj.io/"))
        && bundle.step(step).is_some_and(|step| !is_said(step))
}

/// What is known of the folders of each step.
#[derive(Debug)]
pub struct Folders {
    steps: Vec<Tree>,
    /// Folders that another tool is told to deliver. It has an order of its own, and tries again.
    by_others: Vec<String>,
}

/// The folders of one step.
#[derive(Debug)]
struct Tree {
    is_presumed: bool,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// One thing, wherever its parts lie: a chart, a kustomization, what a command of a script names.
    Whole,
    /// Each folder for itself.
    Collection,
    /// Applied as a whole, but for folders of examples and tests below this one.
    Folder(String),
}

impl Folders {
    /// Looks at every step of a bundle.
    #[must_use]
    pub fn new(bundle: &Bundle) -> Self {
        let told = bundle.deliveries().flat_map(|(_, object)| told_folders(object));
        Self {
            steps: bundle.steps.iter().map(|step| Tree::new(bundle, step)).collect(),
            by_others: told.collect(),
        }
    }

    /// Whether nobody said that what two folders hold is applied together.
    #[must_use]
    pub fn are_apart(&self, first: (StepIndex, &str), second: (StepIndex, &str)) -> bool {
        let tree = |(step, _): (StepIndex, &str)| self.steps.get(step.0 as usize);
        let (Some(one), Some(other)) = (tree(first), tree(second)) else { return false };
        if first.0 != second.0 {
            return one.is_presumed || other.is_presumed;
        }
        let is_by_others = |folder: &str| self.by_others.iter().any(|told| is_inside(folder, told));
        match &one.form {
            Form::Whole => false,
            _ if is_by_others(first.1) || is_by_others(second.1) => true,
            Form::Collection => first.1 != second.1,
            Form::Folder(root) => tried(root, first.1) != tried(root, second.1),
        }
    }
}

impl Tree {
    fn new(bundle: &Bundle, step: &Step) -> Self {
        Self { is_presumed: step.is_presumed, form: form(bundle, step) }
    }
}

/// The folders of its repository that an object of Flux or Argo CD names.
fn told_folders(object: &Object) -> Vec<String> {
    let spec: &[&str] = match (object.id.group(), object.id.kind()) {
        ("kustomize.toolkit.fluxcd.io", "Kustomization") | ("argoproj.io", "Application") => &["spec"],
        ("argoproj.io", "ApplicationSet") => &["spec", "template", "spec"],
        _ => return Vec::new(),
    };
    let Some(spec) = object.root.at(spec) else { return Vec::new() };
    let sources = spec.list_at(&["sources"]).iter().chain(spec.at(&["source"])).chain([spec]);
    let paths = sources.filter_map(|source| source.text_at(&["path"]));
    let named = paths.map(|path| path.trim_start_matches("./").trim_matches('/'));
    named.filter(|path| !path.is_empty() && !path.contains('{')).map(str::to_owned).collect()
}

/// Whether a folder is the one that is told, seen from the top of its repository, or below it.
fn is_inside(folder: &str, told: &str) -> bool {
    format!("/{folder}/").contains(&format!("/{told}/"))
}

fn form(bundle: &Bundle, step: &Step) -> Form {
    let Action::Deliver(unit) = &step.action else { return Form::Whole };
    let is_plain = unit.delivery.tool == Tool::Kubectl && unit.delivery.arranged == Arranged::AsWritten;
    if step.place.is_some() || !is_plain {
        return Form::Whole;
    }
    // A tree that says one object in several ways in several folders is a collection of examples or variants.
    let contradicts_itself = || {
        let twice = alternatives::contradictions(tools::sent(unit, Operation::Install));
        twice.into_iter().any(|(first, second)| alternatives::are_apart(bundle, [first, second]))
    };
    if step.is_presumed || contradicts_itself() {
        return Form::Collection;
    }
    let folders = unit.objects.iter().map(|object| bundle.files.folder(object.place()));
    Form::Folder(root(folders.reduce(shared).unwrap_or_default()).to_owned())
}

/// Where the search for folders of examples begins: one called `examples` holds several of them.
fn root(shared: &str) -> &str {
    let (parent, name) = shared.rsplit_once('/').unwrap_or(("", shared));
    if words(name).any(|word| word.ends_with('s') && TRIED.contains(&word)) { parent } else { shared }
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_', '.'])
}

/// The folder that holds both.
fn shared<'a>(first: &'a str, second: &str) -> &'a str {
    let mut end = 0;
    for (part, other) in first.split('/').zip(second.split('/')) {
        if part != other {
            break;
        }
        end += part.len() + 1;
    }
    first.get(..end.saturating_sub(1)).unwrap_or(first)
}

/// The part of a path that names one of the things to try out: `examples/shop` of `examples/shop/database`.
fn tried<'a>(root: &str, folder: &'a str) -> Option<&'a str> {
    let below = folder.strip_prefix(root)?;
    let is_tried = |part: &str| words(part).any(|word| TRIED.contains(&word));
    let mut end = 0;
    let mut is_inside = false;
    for part in below.split('/') {
        end += part.len() + 1;
        if is_inside {
            break;
        }
        is_inside = is_tried(part);
    }
    is_inside.then(|| below.get(..end.min(below.len() + 1) - 1)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_tests_are_told_apart_by_the_folder_below() {
        let check = |folder, expect: Option<&str>| assert_eq!(tried("app", folder), expect, "{folder}");
        check("app/config/crd", None);
        check("app", None);
        check("app/examples", Some("/examples"));
        check("app/examples/shop/database", Some("/examples/shop"));
        check("app/deploy/e2e-tests/first", Some("/deploy/e2e-tests/first"));
        check("app/latest", None);
        assert_eq!(root("app/examples"), "app");
        assert_eq!(root("examples"), "");
        assert_eq!(root("app/test"), "app/test", "one that was named is one thing");
    }

    #[test]
    fn a_folder_that_holds_both_is_no_longer_than_either() {
        assert_eq!(shared("a/b/c", "a/b"), "a/b");
        assert_eq!(shared("a/bc", "a/b"), "a");
        assert_eq!(shared("a", "b"), "");
    }
}

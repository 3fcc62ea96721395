//! Which folders of the input stand for themselves. Whoever names a tree says that all of it is applied; the tree itself
//! may say otherwise.

use crate::{alternatives, tools};
use plimsoll_model::{Action, Arranged, Bundle, FileIndex, Object, Operation, Page, Step, StepIndex, Tool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

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

/// Words in the name of a folder whose files tests read one by one.
const TESTED: [&str; 6] = ["e2e", "fixtures", "test", "testdata", "testing", "tests"];

/// Whether an object is written for Argo CD, and nobody said that kubectl applies it.
#[must_use]
pub fn is_by_others(bundle: &Bundle, step: StepIndex, object: &Object) -> bool {
    let annotations = object.root.at(&["metadata", "annotations"]).map_or(&[][..], |map| map.entries());
    annotations.iter().any(|(key, _)| key.text.starts_with("argocd.argoproj.io/"))
        && bundle.step(step).is_some_and(|step| !is_said(step))
}

/// Whether an object tells Flux or Argo CD what to deliver, and nobody said that kubectl applies it: it comes out of a
/// repository like all the rest, and is tried again as that is.
#[must_use]
pub fn is_told_to_others(bundle: &Bundle, step: StepIndex, object: &Object) -> bool {
    let (group, kind) = (object.id.group(), object.id.kind());
    let of_argo = group == "argoproj.io" && matches!(kind, "Application" | "ApplicationSet" | "AppProject");
    (of_argo || group.ends_with(".toolkit.fluxcd.io")) && bundle.step(step).is_some_and(|step| !is_said(step))
}

/// Whether somebody said which tool carries out a step.
fn is_said(step: &Step) -> bool {
    match &step.action {
        Action::Deliver(unit) => step.place.is_some() || unit.delivery.tool != Tool::Kubectl,
        _ => true,
    }
}

/// Where an object is declared.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// What delivers it.
    pub step: StepIndex,
    /// Its file.
    pub file: FileIndex,
    /// The folder of that.
    pub folder: &'a str,
    /// Whether another file of the step declares it too.
    pub is_elsewhere: bool,
}

/// What is known of the folders of each step.
#[derive(Debug)]
pub struct Folders {
    steps: Vec<Tree>,
    /// Folders that another tool is told to deliver, each between slashes. It has an order of its own, and tries again.
    by_others: BTreeSet<String>,
    /// Those among them that Flux is told to deliver. It is set up by a program of its own, which waits.
    by_flux: BTreeSet<String>,
    pages: Vec<Page>,
}

/// The folders of one step.
#[derive(Debug)]
struct Tree {
    is_presumed: bool,
    /// The folder that holds them all.
    top: String,
    form: Form,
    /// Folders whose files are alternatives: they say more than one object in several ways.
    disputed: BTreeSet<String>,
}

#[derive(Debug)]
enum Form {
    /// One thing, wherever its parts lie: a chart, what a command of a script names.
    Whole,
    /// A kustomization that was named. It is one thing too, unless what it brings tells Flux to deliver it.
    Kustomized,
    /// Each folder for itself.
    Collection,
    /// Applied as a whole, but for folders of examples and tests below this one.
    Folder(String),
}

impl Folders {
    /// Looks at every step of a bundle.
    #[must_use]
    pub fn new(bundle: &Bundle) -> Self {
        let told = |is_wanted: fn(&Object) -> bool| {
            let tellers = bundle.deliveries().filter(move |(_, object)| is_wanted(object));
            let folders = tellers.flat_map(|(_, object)| told_folders(object));
            folders.map(|folder| format!("/{folder}/").replace("//", "/")).collect()
        };
        Self {
            steps: bundle.steps.iter().map(|step| Tree::new(bundle, step)).collect(),
            by_others: told(|_| true),
            by_flux: told(|object| object.id.group() != "argoproj.io"),
            pages: bundle.pages.clone(),
        }
    }

    /// Whether nobody said that an object and something that it needs are applied together.
    #[must_use]
    pub fn are_apart(&self, object: Site<'_>, needed: Site<'_>) -> bool {
        let tree = |site: Site<'_>| self.steps.get(site.step.0 as usize);
        let (Some(one), Some(other)) = (tree(object), tree(needed)) else { return false };
        if object.step != needed.step {
            return one.is_presumed || other.is_presumed;
        }
        let is_told = |told: &BTreeSet<String>| {
            [object.folder, needed.folder].iter().any(|folder| is_inside(folder, told))
        };
        match &one.form {
            Form::Whole => false,
            Form::Kustomized => is_told(&self.by_flux),
            _ if object.file != needed.file
                && (needed.is_elsewhere || one.has_alternatives(object.folder)) =>
            {
                true
            }
            Form::Collection if object.folder != needed.folder => true,
            Form::Folder(root) if tried(root, object.folder) != tried(root, needed.folder) => true,
            _ => is_told(&self.by_others),
        }
    }

    /// Whether instructions apply one file, and another by a later command.
    #[must_use]
    pub fn are_in_turn(&self, first: FileIndex, then: FileIndex) -> bool {
        self.pages.iter().any(|page| {
            let at = |file| page.commands.iter().position(|files| files.contains(&file));
            at(first).zip(at(then)).is_some_and(|(first, then)| first < then)
        })
    }
}

impl Tree {
    fn new(bundle: &Bundle, step: &Step) -> Self {
        let whole = Self {
            is_presumed: step.is_presumed,
            top: String::new(),
            form: Form::Whole,
            disputed: BTreeSet::new(),
        };
        let Action::Deliver(unit) = &step.action else { return whole };
        if is_said(step) {
            return whole;
        }
        if unit.delivery.arranged != Arranged::AsWritten {
            return Self { form: Form::Kustomized, ..whole };
        }
        let twice = alternatives::contradictions(tools::sent(unit, Operation::Install));
        let folders = unit.objects.iter().map(|object| bundle.files.folder(object.place()));
        let top = folders.reduce(shared).unwrap_or_default();
        // A tree that says one object in several ways in several folders is a collection of examples or variants.
        let is_collection =
            || twice.iter().any(|(first, second)| alternatives::are_apart(bundle, [first, second]));
        let form = if step.is_presumed || is_collection() {
            Form::Collection
        } else {
            Form::Folder(root(top).to_owned())
        };
        Self { top: top.to_owned(), form, disputed: disputed(bundle, &twice), ..whole }
    }

    /// Whether the files of a folder are not applied together: tests read them one by one, or they are variants.
    fn has_alternatives(&self, folder: &str) -> bool {
        let below = folder.strip_prefix(&self.top).unwrap_or_default();
        self.disputed.contains(folder) || below.split('/').flat_map(words).any(|word| TESTED.contains(&word))
    }
}

/// The folders in which more than one file contradicts another.
fn disputed(bundle: &Bundle, twice: &[(&Object, &Object)]) -> BTreeSet<String> {
    let mut count: FxHashMap<&str, usize> = FxHashMap::default();
    for (first, second) in twice {
        if first.place().file != second.place().file && !alternatives::are_apart(bundle, [first, second]) {
            *count.entry(bundle.files.folder(first.place())).or_default() += 1;
        }
    }
    count.into_iter().filter(|(_, count)| *count > 1).map(|(folder, _)| folder.to_owned()).collect()
}

/// The folders of its repository that an object of Flux or Argo CD names.
fn told_folders(object: &Object) -> Vec<String> {
    let path = plimsoll_schema::delivering_spec(object.id.group(), object.id.kind());
    let Some(spec) = path.and_then(|path| object.root.at(path)) else { return Vec::new() };
    let sources = spec.list_at(&["sources"]).iter().chain(spec.at(&["source"])).chain([spec]);
    let paths = sources.filter_map(|source| source.text_at(&["path"]));
    let named = paths.map(|path| path.trim_start_matches("./").trim_matches('/'));
    // An instance of Flux takes all of its source, and lies there itself; the sources of others may be anything.
    let is_own = object.id.kind() == "FluxInstance";
    named.filter(|path| (is_own || !path.is_empty()) && !path.contains('{')).map(str::to_owned).collect()
}

/// Whether a folder is one of those that are told, seen from the top of its repository, or below it.
fn is_inside(folder: &str, told: &BTreeSet<String>) -> bool {
    let folder = (!told.is_empty()).then(|| format!("/{folder}/"));
    folder.is_some_and(|folder| told.iter().any(|told| folder.contains(told)))
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

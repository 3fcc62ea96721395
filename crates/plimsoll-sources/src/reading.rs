//! One reading of the input: what was read so far, and what could not be.

use crate::claim::Claim;
use crate::draft::{Draft, Drafts};
use crate::encoding::decode;
use crate::host::{Host, Refusal};
use crate::input::{Offered, Renderers};
use crate::live::Live;
use crate::operators::{self, Operators};
use crate::scope::Scopes;
use crate::search::Search;
use plimsoll_model::{
    Action, Bundle, Coverage, File, FileIndex, Node, Object, Outside, Place, Premise, Problem, StandIn, Step,
    Value,
};
use plimsoll_yaml::{Document, MAX_FILE_BYTES, Parsed, Piece, conceal, parse_piece, pieces};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// One reading of the input. Readers add to it; [`Reading::finish`] makes it a bundle.
pub struct Reading<'h> {
    host: &'h dyn Host,
    /// What was read so far; its steps are added by [`Reading::finish`].
    pub bundle: Bundle,
    scopes: Scopes,
    /// What the cluster offers to charts.
    pub(crate) offered: Offered,
    pub(crate) renderers: Renderers,
    /// The cluster that charts may ask.
    pub(crate) live: Option<Live>,
    /// Charts that are known by heart.
    pub(crate) shelf: &'static [StandIn],
    /// Operators that the cluster may have.
    pub(crate) operators: Operators,
    /// Whether a release is there already, and charts are rendered for its next revision.
    pub(crate) is_upgrade: bool,
    /// The APIs that charts have asked for which are printed, and that are not known to be served.
    pub(crate) asked: BTreeSet<String>,
    /// The APIs that definitions of the input serve.
    defined: BTreeSet<String>,
    /// The kustomizations that a survey of folders has met.
    kustomizations: Vec<String>,
    /// The pages that a survey of folders has met.
    pages: Vec<String>,
}

impl<'h> Reading<'h> {
    /// A reading that has read nothing yet.
    #[must_use]
    pub fn new(host: &'h dyn Host) -> Self {
        Self {
            host,
            bundle: Bundle::default(),
            scopes: Scopes::default(),
            offered: Offered::default(),
            renderers: Renderers::default(),
            live: None,
            shelf: &[],
            operators: Operators::default(),
            is_upgrade: false,
            asked: BTreeSet::new(),
            defined: BTreeSet::new(),
            kustomizations: Vec::new(),
            pages: Vec::new(),
        }
    }

    /// The objects that `-f` arguments stand for (files, folders, `-`), in the order in which kubectl sends them.
    pub fn objects_at(&mut self, paths: &[String], search: &Search) -> Vec<Object> {
        let mut files = Vec::new();
        for path in paths {
            if path == STANDARD_INPUT {
                files.push(path.clone());
            } else if path.starts_with("https://") || path.starts_with("http://") {
                self.remote(path);
            } else {
                files.extend(self.find(path, search));
            }
        }
        let opened = self.open_all(files);
        let texts: Vec<(Place, Arc<str>)> = opened
            .into_iter()
            .filter_map(|file| Some((Place { file, line: 1, column: 1 }, self.text(file)?)))
            .collect();
        let pieces: Vec<Piece<'_>> = texts.iter().flat_map(|(start, text)| pieces(text, *start)).collect();
        self.objects_of(&pieces, &search.namespace)
    }

    /// The objects in a text that stands inside a file that was opened, such as a here-document.
    pub fn objects_in(&mut self, text: &str, start: Place, namespace: &str) -> Vec<Object> {
        self.objects_of(&pieces(text, start), namespace)
    }

    /// Opens a file, or standard input for `-`, and keeps its text. What cannot be opened becomes a problem.
    pub fn open(&mut self, path: &str) -> Option<FileIndex> {
        self.open_all(vec![path.to_owned()]).first().copied()
    }

    /// Keeps a text that was read elsewhere, such as out of an archive, as an open file.
    pub(crate) fn keep(&mut self, path: &str, text: Arc<str>) -> FileIndex {
        let known = (0u32..).zip(self.bundle.files.iter()).find(|(_, file)| &*file.path == path);
        match known {
            Some((index, file)) if file.text == text => FileIndex(index),
            _ => self.bundle.files.add(File { path: path.into(), text, hidden: Vec::new() }),
        }
    }

    /// The APIs that the cluster has from what was read so far.
    pub(crate) fn defined(&self) -> impl Iterator<Item = String> {
        self.defined.iter().cloned()
    }

    /// Whether an API that is not known to be served may be: one of Kubernetes is not, nor a version that the operator
    /// of the kind, as far as that is known, does not have. Of a kind that no known operator defines nothing is known,
    /// since operators share groups.
    pub(crate) fn may_be_served(&mut self, api: &str) -> bool {
        let Some((group, version)) = api.split_once('/') else { return false };
        if plimsoll_schema::is_builtin_group(group) {
            return false;
        }
        let kind = version.split_once('/').map(|(_, kind)| kind);
        let is_meant = |one: &&Outside| {
            kind.is_none_or(|kind| one.definition.text_at(&["spec", "names", "kind"]) == Some(kind))
        };
        let mut known = self.operators.of_group(group).iter().filter(is_meant).peekable();
        known.peek().is_none() || known.any(|one| operators::may_serve(one, api))
    }

    /// The text of an open file.
    #[must_use]
    pub fn text(&self, file: FileIndex) -> Option<Arc<str>> {
        self.bundle.files.get(file).map(|file| Arc::clone(&file.text))
    }

    /// Says what could not be read.
    pub fn problem(&mut self, place: Place, cause: String, is_fatal: bool) {
        self.bundle.problems.push(Problem { place, cause, is_fatal });
    }

    /// Counts a step or folder whose content is not known.
    pub fn count_opaque(&mut self) {
        self.bundle.coverage.opaque += 1;
    }

    /// How much was read, for a reader that reads the same objects twice.
    pub(crate) fn coverage_mut(&mut self) -> &mut Coverage {
        &mut self.bundle.coverage
    }

    /// Marks lines of an open file as holding secret values.
    pub(crate) fn hide(&mut self, file: FileIndex, lines: RangeInclusive<u32>) {
        self.bundle.files.hide(file, lines);
    }

    /// A place that is a path as a whole, for a path that has no text to point into.
    pub fn place_of(&mut self, path: &str) -> Place {
        let known = (0u32..).zip(self.bundle.files.iter()).find(|(_, file)| &*file.path == path);
        let file = match known {
            Some((index, _)) => FileIndex(index),
            None => self.bundle.files.add(File { path: path.into(), text: "".into(), hidden: Vec::new() }),
        };
        Place { file, line: 0, column: 0 }
    }

    /// Everything that was read, with the steps that deliver it and those that have delivered what was there before.
    #[must_use]
    pub fn finish(mut self, mut steps: Vec<Step>, before: Option<Vec<Step>>, namespace: &str) -> Bundle {
        self.scopes.settle(&mut steps, namespace);
        self.bundle.steps = steps;
        self.bundle.before = before.map(|mut steps| {
            self.scopes.settle(&mut steps, namespace);
            Box::new(Bundle { steps, ..Bundle::default() })
        });
        self.look_outside();
        self.bundle
    }

    /// Adds what operators outside the input define, for the kinds that the input uses and does not define.
    fn look_outside(&mut self) {
        let mut used: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut defined: BTreeSet<(&str, &str)> = BTreeSet::new();
        for step in &self.bundle.steps {
            let Action::Deliver(unit) = &step.action else { continue };
            let otherwise = unit.otherwise.iter().flat_map(|otherwise| &otherwise.objects);
            for object in unit.objects.iter().chain(otherwise) {
                used.insert((object.id.group(), object.id.kind()));
                let text = |path: &[&str]| object.text_at(path).unwrap_or_default();
                if object.id.kind() == "CustomResourceDefinition" {
                    defined.insert((text(&["spec", "group"]), text(&["spec", "names", "kind"])));
                }
            }
        }
        self.operators.hear(self.bundle.deliveries().map(|(_, object)| object));
        for (group, kind) in used.difference(&defined) {
            let is_this = |one: &&Outside| one.definition.text_at(&["spec", "names", "kind"]) == Some(kind);
            let known = self.operators.of_group(group).iter();
            let of_group = |one: &&Outside| one.definition.text_at(&["spec", "group"]) == Some(group);
            self.bundle.outside.extend(known.filter(of_group).filter(is_this).cloned());
        }
    }

    pub(crate) fn host(&self) -> &'h dyn Host {
        self.host
    }

    /// Notes a kustomization that a survey has met.
    pub(crate) fn met(&mut self, folder: &str) {
        self.kustomizations.push(folder.to_owned());
    }

    /// The kustomizations that were met since this was asked for the last time.
    pub(crate) fn take_met(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kustomizations)
    }

    /// Notes a file that may say what is applied.
    pub(crate) fn met_page(&mut self, path: String) {
        self.pages.push(path);
    }

    /// The pages that were met since this was asked for the last time.
    pub(crate) fn take_pages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pages)
    }

    pub(crate) fn has_met(&self) -> bool {
        !self.kustomizations.is_empty()
    }

    pub(crate) fn claimed(&mut self, folder: &str, claim: Claim) {
        self.count_opaque();
        let place = self.place_of(folder);
        self.problem(place, claim.cause().to_owned(), false);
    }

    pub(crate) fn refused(&mut self, path: &str, refusal: &Refusal) {
        let place = self.place_of(path);
        self.problem(place, cause_of(refusal), true);
    }

    fn remote(&mut self, url: &str) {
        self.count_opaque();
        let place = self.place_of(url);
        let cause = "nothing is fetched from the network; download the file and name its path";
        self.problem(place, cause.to_owned(), true);
    }

    /// Reads files at the same time; the order of the answer is the order of the paths.
    fn open_all(&mut self, paths: Vec<String>) -> Vec<FileIndex> {
        let host = self.host;
        let texts: Vec<Result<Arc<str>, String>> = paths.par_iter().map(|path| fetch(host, path)).collect();
        let mut opened = Vec::new();
        for (path, text) in paths.into_iter().zip(texts) {
            match text {
                Ok(text) => {
                    let file = File { path: path.into(), text, hidden: Vec::new() };
                    opened.push(self.bundle.files.add(file));
                }
                Err(cause) => {
                    let place = self.place_of(&path);
                    self.problem(place, cause, true);
                }
            }
        }
        opened
    }

    fn objects_of(&mut self, pieces: &[Piece<'_>], namespace: &str) -> Vec<Object> {
        let read = pieces.par_iter().map(|piece| (piece.file(), Drafts::of(parse_piece(piece)))).collect();
        self.objects_from(read, namespace)
    }

    /// The objects of what was read, each part in its file.
    pub(crate) fn objects_from(&mut self, read: Vec<(FileIndex, Drafts)>, namespace: &str) -> Vec<Object> {
        let mut drafts: Vec<Draft> = Vec::new();
        for (file, mut found) in read {
            found.hidden.drain(..).for_each(|lines| self.bundle.files.hide(file, lines));
            drafts.extend(self.drafts_of(found));
        }
        self.settled(drafts, namespace)
    }

    /// The objects of documents that a tool has put together, whose values of Secrets are not concealed yet.
    pub(crate) fn objects_built(&mut self, mut roots: Vec<Node>, namespace: &str) -> Vec<Object> {
        for root in &mut roots {
            if conceal(root) {
                for (place, lines) in concealed(root) {
                    self.hide(place.file, place.line..=place.line.saturating_add(lines));
                }
            }
        }
        let documents = roots.into_iter().map(|root| Document { root }).collect();
        let found = Drafts::of(Parsed { documents, ..Parsed::default() });
        let drafts = self.drafts_of(found);
        self.settled(drafts, namespace)
    }

    /// Objects of which some are outlines: those whose place has a premise are known and not read. They are not counted, nor
    /// held against what a server demands.
    pub(crate) fn with_outlines(
        &mut self,
        read: impl FnOnce(&mut Self) -> Vec<Object>,
        premise: impl Fn(Place) -> Option<Arc<Premise>>,
    ) -> Vec<Object> {
        let told = self.bundle.problems.len();
        let mut objects = read(self);
        let new = self.bundle.problems.split_off(told);
        self.bundle.problems.extend(new.into_iter().filter(|problem| premise(problem.place).is_none()));
        for object in &mut objects {
            object.premise = premise(object.root.place);
            self.bundle.coverage.objects -= usize::from(object.premise.is_some());
        }
        objects
    }

    fn drafts_of(&mut self, found: Drafts) -> Vec<Draft> {
        self.bundle.problems.extend(found.problems);
        self.bundle.coverage.foreign += found.foreign;
        found.objects
    }

    fn settled(&mut self, drafts: Vec<Draft>, namespace: &str) -> Vec<Object> {
        self.bundle.coverage.objects += drafts.len();
        self.scopes.learn(&drafts);
        let objects: Vec<Object> =
            drafts.into_iter().map(|draft| self.scopes.object(draft, namespace)).collect();
        let definitions = objects.iter().filter(|object| object.id.kind() == "CustomResourceDefinition");
        self.defined.extend(definitions.flat_map(operators::served));
        objects
    }
}

/// Where values stand that must not be shown, and over how many lines more.
fn concealed(root: &Node) -> Vec<(Place, u32)> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if let Value::Concealed(text) = &node.value {
            let lines = u32::try_from(text.reveal().lines().count()).unwrap_or(u32::MAX);
            found.push((node.place, lines));
        }
        waiting.extend(node.items());
        waiting.extend(node.entries().iter().map(|(_, value)| value));
    }
    found
}

fn fetch(host: &dyn Host, path: &str) -> Result<Arc<str>, String> {
    let bytes = if path == STANDARD_INPUT {
        host.standard_input(MAX_FILE_BYTES)
    } else {
        host.read(path, MAX_FILE_BYTES)
    };
    let text = decode(bytes.map_err(|refusal| cause_of(&refusal))?);
    text.map(Arc::from).map_err(|at| format!("byte {at} is not text in UTF-8; convert the file to UTF-8"))
}

pub(crate) fn cause_of(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Missing => "there is no such file or folder; check the path".to_owned(),
        Refusal::TooLarge => {
            format!("this is larger than {} MiB; split it into several files", MAX_FILE_BYTES / (1024 * 1024))
        }
        Refusal::Failed(words) => {
            format!("this cannot be read ({words}); check that it is a file and its permissions")
        }
    }
}

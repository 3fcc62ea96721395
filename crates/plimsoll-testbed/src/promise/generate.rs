//! Cases out of dice: mixed kinds, several files and folders, Lists, and every way in which kubectl sends them.

use super::case::{Case, Document, Kustomization, Manifest, Sent, Shape, Source, Thing};
use super::dice::Dice;
use super::kinds::{CONFIG_MAP, DEFINITION, INSTANCE, KINDS, Kind, NAMESPACE, PRUNABLE};
use std::fmt::Write as _;

/// The case of a seed.
pub(super) fn case(seed: u64) -> Case {
    let dice = &mut Dice::new(seed);
    match dice.below(12) {
        0..=2 => kustomized(dice),
        3 | 7 => pruned(dice),
        4 => sent_again(dice),
        5 => taken_away(dice),
        6 => gated(dice),
        _ => plain(dice),
    }
}

const VERBS: [&str; 6] =
    ["apply", "apply", "apply --server-side", "apply --server-side", "create", "apply --validate=false"];

/// Files and folders by one to three commands.
fn plain(dice: &mut Dice) -> Case {
    let mut files = files(dice, "k", true);
    add_typed_list(dice, &mut files);
    repeat(dice, &mut files);
    let mut case = Case { files, stops: dice.once_in(2), ..Case::default() };
    let link = dice.one(&["", "", " &&", " || true", " &"]).copied().unwrap_or_default();
    let mut paths: Vec<String> = case.files.iter().map(|file| file.path.clone()).collect();
    dice.shuffle(&mut paths);
    let commands = if dice.once_in(2) { 1 } else { dice.between(2, 3) };
    for number in 0..commands {
        let verb = dice.one(&VERBS).copied().unwrap_or("apply");
        let share: Vec<String> = paths.iter().skip(number).step_by(commands).cloned().collect();
        let (verb, source) = match dice.below(4) {
            0 if commands == 1 => (verb.to_owned(), Source::Paths(vec!["k".to_owned()])),
            1 if commands == 1 => (format!("{verb} -R"), Source::Paths(vec!["k".to_owned()])),
            2 => (verb.to_owned(), Source::Paths(vec![share.join(",")])),
            _ => (verb.to_owned(), Source::Paths(share.clone())),
        };
        if !share.is_empty() {
            case.commands.push(Sent { verb, source, link });
        }
    }
    case
}

/// A list of a kind of its own may come to the files.
fn add_typed_list(dice: &mut Dice, files: &mut [Manifest]) {
    let at = dice.below(files.len());
    if let Some(file) = files.get_mut(at)
        && dice.once_in(4)
    {
        let typed = |number: usize| setting(&format!("t{number}"), 1, false);
        file.documents.push(Document::List(Shape::Typed, (0..2).map(typed).collect()));
    }
}

/// One object may stand in two files, or twice in one.
fn repeat(dice: &mut Dice, files: &mut [Manifest]) {
    let again = files.iter().flat_map(|file| &file.documents).find_map(|document| match document {
        Document::One(thing) => Some(Thing { turn: 2, ..thing.clone() }),
        Document::List(..) => None,
    });
    let at = dice.below(files.len());
    if let (Some(file), Some(thing)) = (files.get_mut(at), again)
        && dice.once_in(5)
    {
        file.documents.push(Document::One(thing));
    }
}

fn setting(name: &str, turn: usize, is_refused: bool) -> Thing {
    let name = format!("PREFIX-{name}");
    Thing { kind: CONFIG_MAP, name, namespace: "default".to_owned(), is_refused, turn }
}

/// A CRD, a wait until it is established, and its instances; sometimes without the wait.
fn gated(dice: &mut Dice) -> Case {
    let thing = |kind: Kind, name: String| Thing {
        kind,
        name,
        namespace: "default".to_owned(),
        is_refused: false,
        turn: 1,
    };
    let definition = thing(DEFINITION, "gadgets.PREFIX.example.com".to_owned());
    let mut first = vec![Document::One(definition), Document::One(setting("before", 1, dice.once_in(8)))];
    dice.shuffle(&mut first);
    let instances = (0..dice.between(1, 3)).map(|number| thing(INSTANCE, format!("PREFIX-g{number}")));
    let then = instances.map(Document::One).collect();
    let file = |path: &str, documents| Manifest { path: path.to_owned(), documents };
    let files = vec![file("first.yaml", first), file("then.yaml", then)];
    let mut case = Case { files, stops: dice.once_in(2), ..Case::default() };
    let verb = dice.one(&["apply", "apply --server-side", "create"]).copied().unwrap_or("apply");
    let send =
        |path: &str| Sent { verb: verb.to_owned(), source: Source::Paths(vec![path.to_owned()]), link: "" };
    case.commands.push(send("first.yaml"));
    if !dice.once_in(4) {
        let verb = "wait --for=condition=Established --timeout=60s".to_owned();
        let object = "crd/gadgets.PREFIX.example.com".to_owned();
        case.commands.push(Sent { verb, source: Source::Named(object), link: "" });
    }
    case.commands.push(send("then.yaml"));
    case
}

/// A kustomization, by `-k` or through a pipe.
fn kustomized(dice: &mut Dice) -> Case {
    const SORTINGS: [&str; 4] = [
        "",
        "sortOptions: {order: legacy}\n",
        "sortOptions: {order: fifo}\n",
        "sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Secret, Namespace], orderLast: [Role]}}\n",
    ];
    let sorting = dice.one(&SORTINGS).copied().unwrap_or_default();
    let mut case = Case { files: files(dice, "k", !sorting.contains("fifo")), ..Case::default() };
    // kustomize leaves out all but the first value of a JSON file.
    for file in case.files.iter_mut().filter(|file| file.path.contains(".json")) {
        file.documents.truncate(1);
    }
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    for file in &case.files {
        let below = file.path.strip_prefix("k/").unwrap_or(&file.path);
        match below.strip_prefix("sub/") {
            Some(name) => inner.push(name.to_owned()),
            None => outer.push(below.to_owned()),
        }
    }
    if !inner.is_empty() {
        dice.shuffle(&mut inner);
        outer.push("sub".to_owned());
        case.kustomizations.push(Kustomization { folder: "k/sub".to_owned(), resources: inner, sorting: "" });
    }
    dice.shuffle(&mut outer);
    case.kustomizations.push(Kustomization { folder: "k".to_owned(), resources: outer, sorting });
    let printers = ["kubectl kustomize", "kustomize build", "kustomize build --reorder none"];
    let source = match (dice.once_in(2), dice.one(&printers)) {
        // A List has no order that is known where kustomize keeps the order of files.
        (true, Some(printer)) if !(printer.ends_with("none") && has_lists(&case)) => {
            Source::Piped(printer, "k".to_owned())
        }
        _ => Source::Kustomization("k".to_owned()),
    };
    let verb = dice.one(&VERBS).copied().unwrap_or("apply").to_owned();
    case.commands.push(Sent { verb, source, link: "" });
    case
}

fn has_lists(case: &Case) -> bool {
    case.files.iter().flat_map(|file| &file.documents).any(|one| matches!(one, Document::List(..)))
}

/// All of it once, then again without some of it, with pruning by label or by an ApplySet.
fn pruned(dice: &mut Dice) -> Case {
    let mut case = Case { stops: true, ..Case::default() };
    let is_set = dice.once_in(3);
    let mut first = things(dice);
    first.retain(|thing| ![DEFINITION, INSTANCE].contains(&thing.kind));
    if is_set {
        // With `-n` nothing else is taken.
        first.retain(|thing| thing.kind.is_namespaced);
        for thing in &mut first {
            "default".clone_into(&mut thing.namespace);
        }
    }
    let place = first.iter().find(|thing| thing.kind.is_namespaced).map(|thing| thing.namespace.clone());
    for number in 0..dice.between(2, 8) {
        let kind = dice.one(&PRUNABLE).copied().unwrap_or(CONFIG_MAP);
        let namespace = place.clone().filter(|_| dice.once_in(2)).unwrap_or_else(|| "default".to_owned());
        first.push(Thing { kind, namespace, ..setting(&format!("p{number}"), 1, false) });
    }
    first.push(setting("kept", 1, false));
    // Namespaces come first.
    first.sort_by_key(|thing| thing.kind != NAMESPACE);
    for thing in &mut first {
        thing.is_refused = false;
    }
    let last = first.len() - 1;
    for (number, thing) in first.iter().enumerate() {
        let manifest = |folder: &str, thing: Thing| Manifest {
            path: format!("{folder}/{number:02}.yaml"),
            documents: vec![Document::One(thing)],
        };
        case.files.push(manifest("k", thing.clone()));
        if number == last || dice.once_in(2) {
            let again = Thing { turn: 2, is_refused: dice.once_in(12), ..thing.clone() };
            case.files.push(manifest("less", again));
        }
    }
    let flags = pruning(dice, is_set);
    let kept = dice.one(&["apply", "apply", "apply --server-side", "create"]).copied().unwrap_or("apply");
    let kept = if is_set { format!("apply {flags}") } else { kept.to_owned() };
    // By label kubectl refuses to prune together with a server-side apply.
    let is_server_side = is_set && dice.once_in(3);
    let then = if is_server_side { "apply --server-side --force-conflicts" } else { "apply" };
    let then = format!("{then} {flags}");
    for (verb, folder) in [(kept, "k"), (then, "less")] {
        case.commands.push(Sent { verb, source: Source::Paths(vec![folder.to_owned()]), link: "" });
    }
    case
}

/// The flags of a pruning: a set, or a label with all kinds that are pruned by themselves or with some of one's own.
fn pruning(dice: &mut Dice, is_set: bool) -> String {
    if is_set {
        return "--prune --applyset=PREFIX-set -n default".to_owned();
    }
    let mut flags = "--prune -l case=PREFIX".to_owned();
    if dice.once_in(2) {
        for _ in 0..dice.between(1, 5) {
            let kind = dice.one(&KINDS).copied().unwrap_or(CONFIG_MAP);
            let group = if kind.api_version == "v1" { "core/v1" } else { kind.api_version };
            let _ = write!(flags, " --prune-allowlist={group}/{}", kind.name);
        }
    }
    flags
}

/// Everything is sent, then sent again: as it was, or with another label.
fn sent_again(dice: &mut Dice) -> Case {
    let mut files = files(dice, "k", true);
    files.retain(|file| !file.path.contains("sub/"));
    add_typed_list(dice, &mut files);
    let mut case = Case { files, ..Case::default() };
    let turn = if dice.once_in(3) { 1 } else { 2 };
    let again: Vec<Manifest> = case.files.iter().map(|file| later(file, turn)).collect();
    case.files.extend(again);
    let first = dice.one(&["apply", "apply --server-side", "create"]).copied().unwrap_or("apply");
    let then = dice.one(&["apply", "apply --server-side --force-conflicts", "replace", "replace --force"]);
    for (verb, folder) in [(first, "k"), (then.copied().unwrap_or("apply"), "later")] {
        let source = Source::Paths(vec![folder.to_owned()]);
        case.commands.push(Sent { verb: verb.to_owned(), source, link: "" });
    }
    case
}

fn later(file: &Manifest, turn: usize) -> Manifest {
    let mut file = Manifest { path: file.path.replacen("k/", "later/", 1), ..file.clone() };
    for document in &mut file.documents {
        for thing in document.things_mut() {
            thing.turn = turn;
        }
    }
    file
}

/// Everything is sent, deleted, and sent again.
fn taken_away(dice: &mut Dice) -> Case {
    let mut case = Case { files: files(dice, "k", true), ..Case::default() };
    let delete = dice.one(&["delete", "delete --wait=false", "delete --ignore-not-found"]).copied();
    for verb in ["apply -R", delete.unwrap_or("delete"), "create -R"] {
        let verb = if verb.starts_with("delete") { format!("{verb} -R") } else { verb.to_owned() };
        let source = Source::Paths(vec!["k".to_owned()]);
        case.commands.push(Sent { verb, source, link: "" });
    }
    case
}

/// Two to twelve objects in up to five files of a folder and of one inside it.
fn files(dice: &mut Dice, folder: &str, with_lists: bool) -> Vec<Manifest> {
    const NAMES: [&str; 10] = [
        "a.yaml",
        "b.yml",
        "B.yaml",
        "10.yaml",
        "9.yaml",
        "z.json",
        "sub/a.yaml",
        "sub/c.json",
        "a-b.yaml",
        "sub.yaml",
    ];
    let mut names = NAMES.map(|name| format!("{folder}/{name}"));
    dice.shuffle(&mut names);
    let count = dice.between(1, 5);
    let paths = names.into_iter().take(count);
    let mut files: Vec<Manifest> = paths.map(|path| Manifest { path, documents: Vec::new() }).collect();
    // One file stands in the folder itself, or kubectl finds nothing there without `-R`.
    if let Some(first) = files.first_mut() {
        first.path = format!("{folder}/m.yaml");
    }
    for thing in things(dice) {
        let at = dice.below(files.len());
        let Some(file) = files.get_mut(at) else { continue };
        match file.documents.last_mut() {
            Some(Document::List(_, things)) if dice.once_in(2) => things.push(thing),
            _ if with_lists && dice.once_in(6) => {
                file.documents.push(Document::List(Shape::Plain, vec![thing]));
            }
            _ => file.documents.push(Document::One(thing)),
        }
    }
    files.retain(|file| !file.documents.is_empty());
    files
}

fn things(dice: &mut Dice) -> Vec<Thing> {
    let mut things = Vec::new();
    let mut add = |kind: Kind, name: String, namespace: &str, is_refused: bool| {
        things.push(Thing { kind, name, namespace: namespace.to_owned(), is_refused, turn: 1 });
    };
    let own = if dice.once_in(2) { "PREFIX-own" } else { "default" };
    if own != "default" {
        add(NAMESPACE, own.to_owned(), "", false);
    }
    for number in 0..dice.between(2, 9) {
        let kind = dice.one(&KINDS).copied().unwrap_or(CONFIG_MAP);
        add(kind, format!("PREFIX-{number}"), own, dice.once_in(15));
    }
    if dice.once_in(3) {
        add(DEFINITION, "gadgets.PREFIX.example.com".to_owned(), "", false);
        for number in 0..dice.between(1, 2) {
            add(INSTANCE, format!("PREFIX-g{number}"), own, false);
        }
    }
    dice.shuffle(&mut things);
    things
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promise::judge::bundle;
    use plimsoll_model::Action;

    #[test]
    fn every_case_is_read_whole_and_the_same_seed_gives_the_same_case() {
        for seed in 0..150 {
            let made = case(seed);
            assert_eq!(made, case(seed));
            let read = bundle(&made, "c1");
            assert!(read.problems.is_empty(), "{seed}: {:?}\n{:?}", read.problems, made.render("c1"));
            assert_eq!(read.steps.len(), made.commands.len(), "{seed}: {:?}", made.render("c1"));
            for step in &read.steps {
                assert!(
                    matches!(step.action, Action::Deliver(_) | Action::Remove(_) | Action::Wait(_)),
                    "{seed}: {:?}",
                    step.action
                );
            }
        }
    }
}

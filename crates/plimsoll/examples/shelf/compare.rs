//! Holds the chart shelf against real charts: what each stand-in brings, and what the chart itself brings.

use crate::outline::program;
use crate::question::{NAMESPACE, ask};
use plimsoll_chart::{Chart, DiskFolder, ValueSource};
use plimsoll_model::{FileIndex, Key, Node, Place, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

/// Compares every chart below some folders that is on the shelf.
pub(crate) fn compare(arguments: &[String]) -> ExitCode {
    let mut tally = Tally { random: 12, ..Tally::default() };
    let mut folders = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--show" => tally.shows = true,
            "--random" => tally.random = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(0),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    for folder in folders.iter().flat_map(|folder| crate::charts(folder)) {
        tally.compare(&folder);
    }
    let Tally { charts, sets, refused, objects, statements, differences, .. } = tally;
    println!(
        "{charts} charts, {sets} sets of values ({refused} that the chart refuses), {objects} objects with \
         {statements} statements about them, {differences} differences"
    );
    if differences > 0 || charts == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What was compared so far.
#[derive(Default)]
struct Tally {
    shows: bool,
    random: usize,
    charts: usize,
    sets: usize,
    refused: usize,
    objects: usize,
    statements: usize,
    differences: usize,
}

/// Objects by what tells them apart, each with whether it lies in `crds/`.
type Objects = BTreeMap<String, (bool, Rc<Node>)>;

impl Tally {
    fn compare(&mut self, folder: &Path) {
        let Ok(chart) = Chart::from_folder(&DiskFolder(folder.to_owned())) else { return };
        let name = &chart.metadata.name;
        let Some(files) = stand_in(name) else { return };
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let version = &chart.metadata.version;
        let Ok(known) = Chart::from_texts(&files, version) else { return };
        let words = |name: &str| known.metadata.annotation(name).unwrap_or_default().split_whitespace();
        if !words("plimsoll.dev/versions").any(|read| read == version.trim_start_matches('v')) {
            return;
        }
        let left_out: BTreeSet<&str> = words("plimsoll.dev/left-out").collect();
        let (mut differing, mut sets) = (BTreeMap::<String, Vec<String>>::new(), 0);
        let needed = words("plimsoll.dev/needed").collect::<Vec<_>>().join(",");
        for set in value_sets(&files, &known, self.random) {
            let Ok(real) = objects(&chart, &format!("{needed},{set}")) else {
                self.refused += 1;
                continue;
            };
            sets += 1;
            let ours = match objects(&known, &format!("{needed},{set}")) {
                Ok(ours) => ours,
                Err(cause) => BTreeMap::from([(
                    format!("is not rendered: {cause}"),
                    (false, Rc::new(Node { value: Value::Null, place: Place::default() })),
                )]),
            };
            self.objects += ours.len();
            for difference in self.differences(&real, &ours, &left_out) {
                differing.entry(difference).or_default().push(set.clone());
            }
        }
        self.charts += 1;
        self.sets += sets;
        self.differences += differing.len();
        // What refuses everything was held against nothing.
        self.differences += usize::from(sets == 0);
        println!("{name} {version}: {sets} sets of values, {} differences", differing.len());
        if self.shows {
            for (difference, sets) in differing {
                println!("  {difference} ({}x, {})", sets.len(), sets.first().map_or("", String::as_str));
            }
        }
    }

    fn differences(&mut self, real: &Objects, ours: &Objects, left_out: &BTreeSet<&str>) -> Vec<String> {
        let mut found = Vec::new();
        for (id, (_, outline)) in ours {
            let Some((is_definition, whole)) = real.get(id) else {
                found.push(format!("{id} is not in the chart"));
                continue;
            };
            self.statements += statements(outline);
            found.extend(untrue(outline, whole, id));
            if !is_definition && hook(outline) != hook(whole) {
                found.push(format!("{id}: its hook is {:?}, not {:?}", hook(whole), hook(outline)));
            }
        }
        let is_left_out = |id: &str| {
            let (kind, rest) = id.split_once('/').unwrap_or_default();
            if kind.ends_with("List") {
                return true;
            }
            let name = rest.split_once('/').map_or(rest, |(_, name)| name);
            left_out.contains(kind)
                || left_out.iter().any(|pattern| is_like(&format!("{kind}/{name}"), pattern))
        };
        let missing =
            real.keys().filter(|id| !ours.contains_key(*id) && !is_left_out(id) && !id.ends_with(AGAIN));
        found.extend(missing.map(|id| format!("{id} is not on the shelf")));
        found
    }
}

/// Whether a text is like a pattern, in which `*` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => text == pattern,
        Some((first, rest)) => text.strip_prefix(first).is_some_and(|after| {
            (0..=after.len()).any(|at| after.get(at..).is_some_and(|text| is_like(text, rest)))
        }),
    }
}

/// When Helm runs an object; it does not look at what lies in `crds/`.
fn hook(object: &Node) -> [Option<&str>; 3] {
    ["helm.sh/hook", "helm.sh/hook-weight", "helm.sh/hook-delete-policy"]
        .map(|name| object.text_at(&["metadata", "annotations", name]))
}

/// How much an outline says.
fn statements(outline: &Node) -> usize {
    match &outline.value {
        Value::Map(entries) => entries.iter().map(|(_, inner)| statements(inner)).sum(),
        Value::List(items) => items.iter().map(statements).sum(),
        _ => 1,
    }
}

/// What an outline says and the object does not. A list says what is in it, and nothing about its order.
fn untrue(outline: &Node, whole: &Node, path: &str) -> Vec<String> {
    let is_secret = |node: &Node| matches!(node.value, Value::Concealed(_));
    match &outline.value {
        Value::Map(entries) => {
            let entry = |(key, inner): &(Key, Node)| match whole.get(&key.text) {
                _ if inner.value == Value::Null => Vec::new(),
                // What has no namespace gets that of the release.
                None if &*key.text == "namespace" && inner.text() == Some(NAMESPACE) => Vec::new(),
                // Of an image only the program is said.
                Some(whole) if &*key.text == "image" && whole.text().map(program) == inner.text() => {
                    Vec::new()
                }
                Some(whole) => untrue(inner, whole, &format!("{path}.{}", key.text)),
                None => vec![format!("{path}.{}: not there", key.text)],
            };
            entries.iter().flat_map(entry).collect()
        }
        Value::List(items) => {
            let nearest = |item: &Node| {
                let candidates = whole.items().iter().map(|candidate| untrue(item, candidate, path));
                candidates
                    .min_by_key(Vec::len)
                    .unwrap_or_else(|| vec![format!("{path}: an item is not there")])
            };
            items.iter().flat_map(nearest).collect()
        }
        _ if is_secret(outline) || is_secret(whole) || outline.value == whole.value => Vec::new(),
        _ => vec![format!("{path}: {:?}, not {:?}", whole.value, outline.value)],
    }
}

/// Sets of values for `--set`, separated by `,`: the defaults, every switch, every name, and random mixtures.
fn value_sets(files: &[(&str, &str)], known: &Chart, random: usize) -> Vec<String> {
    let values = files.iter().find(|(path, _)| *path == "values.yaml").map_or("", |(_, text)| text);
    let mut switches = Vec::new();
    if let Ok(values) = plimsoll_yaml::value(values, FileIndex(0)) {
        leaves(&values, &mut Vec::new(), &mut switches);
    }
    let more = known.metadata.annotation("plimsoll.dev/tried").unwrap_or_default();
    switches.extend(more.split_whitespace().map(str::to_owned));
    // Two names that are the same would be one object.
    for (number, switch) in switches.iter_mut().enumerate().filter(|(_, switch)| switch.ends_with("=other")) {
        switch.push_str(&number.to_string());
    }
    let mut sets = vec![String::new()];
    sets.extend(switches.iter().cloned());
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut dice = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % below.max(1)
    };
    for _ in 0..random {
        let mut chosen = BTreeSet::new();
        for _ in 0..2 + dice(4) {
            chosen.extend(switches.get(dice(switches.len())).cloned());
        }
        sets.push(chosen.into_iter().collect::<Vec<_>>().join(","));
    }
    sets
}

fn leaves(node: &Node, path: &mut Vec<String>, found: &mut Vec<String>) {
    for (key, inner) in node.entries() {
        path.push(key.text.replace('.', "\\."));
        match &inner.value {
            Value::Map(_) => leaves(inner, path, found),
            Value::Bool(on) => found.push(format!("{}={}", path.join("."), !on)),
            Value::Text(text) if text.is_empty() => found.push(format!("{}=other", path.join("."))),
            _ => {}
        }
        path.pop();
    }
}

/// What marks an object that a chart brings a second time.
const AGAIN: &str = ", a second time";

/// What a chart brings for some values.
fn objects(chart: &Chart, set: &str) -> Result<Objects, String> {
    let sets = set.split(',').filter(|set| !set.is_empty()).map(|set| ValueSource::Set(set.to_owned()));
    let offered = ["monitoring.coreos.com/v1", "monitoring.coreos.com/v1/ServiceMonitor"].map(str::to_owned);
    let mut found = Objects::new();
    for (is_definition, object) in ask(chart, "rel", sets.collect(), offered.to_vec())?.objects {
        // Helm 3 and 4 leave out what Helm 2 took for definitions.
        if !is_definition && hook(&object)[0] == Some("crd-install") {
            continue;
        }
        let at = |path: &[&str]| object.text_at(path).unwrap_or_default();
        let namespace = Some(at(&["metadata", "namespace"])).filter(|text| *text != NAMESPACE);
        let (kind, name) = (at(&["kind"]), at(&["metadata", "name"]));
        let mut id = format!("{kind}/{}/{name}", namespace.unwrap_or_default());
        if found.contains_key(&id) {
            id.push_str(AGAIN);
        }
        found.insert(id, (is_definition, object));
    }
    Ok(found)
}

/// The files of the stand-in for a chart, as they lie in the folder of the shelf.
fn stand_in(name: &str) -> Option<Vec<(String, String)>> {
    let (shelf, mut files) = (crate::shelf(), Vec::new());
    let shared = fs::read_to_string(shelf.join("outlines.tpl")).ok()?;
    files.push(("templates/_outlines.tpl".to_owned(), shared));
    list(&shelf.join(name), &shelf.join(name), &mut files);
    (files.len() > 1).then_some(files)
}

fn list(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(root, &path, files);
        } else if let (Ok(below), Ok(text)) = (path.strip_prefix(root), fs::read_to_string(&path)) {
            files.push((below.to_string_lossy().into_owned(), text));
        }
    }
}

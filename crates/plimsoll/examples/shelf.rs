//! Holds the chart shelf against real charts: what each stand-in brings, and what the chart itself brings.
//!
//! `cargo run -p plimsoll --example shelf -- [--show] [--random N] DIR…` takes every chart below the folders that is on
//! the shelf, renders both with the same values (the defaults, every switch of the stand-in turned round, every name
//! overridden, and random mixtures), and compares names, phases and what the stand-in says of each object.

#![expect(clippy::print_stdout, reason = "what a program for developers says")]

use plimsoll_chart::{Capabilities, Chart, DiskFolder, Release, Request, ValueSource, render};
use plimsoll_model::{FileIndex, Key, Node, Place, StandIn, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let mut tally = Tally { random: 12, ..Tally::default() };
    let mut folders = Vec::new();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--show" => tally.shows = true,
            "--random" => tally.random = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(0),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    for folder in folders.iter().flat_map(|folder| charts(folder)) {
        tally.compare(&folder);
    }
    let Tally { charts, sets, refused, objects, statements, differences, .. } = tally;
    println!(
        "{charts} charts, {sets} sets of values ({refused} that the chart refuses), {objects} objects with \
         {statements} statements about them, {differences} differences"
    );
    std::process::exit(i32::from(differences > 0 || charts == 0));
}

/// The folders below one that hold a chart.
fn charts(folder: &Path) -> Vec<PathBuf> {
    if folder.join("Chart.yaml").is_file() {
        return vec![folder.to_owned()];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inside: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inside.sort();
    inside.iter().flat_map(|inside| charts(inside)).collect()
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

/// Objects by what tells them apart.
type Objects = BTreeMap<String, Node>;

impl Tally {
    fn compare(&mut self, folder: &Path) {
        let Ok(chart) = Chart::from_folder(&DiskFolder(folder.to_owned())) else { return };
        let name = &chart.metadata.name;
        let Some(stand_in) = plimsoll_knowledge::shelf().iter().find(|known| known.name == name) else {
            return;
        };
        let version = &chart.metadata.version;
        let Ok(known) = Chart::from_texts(stand_in.files, version) else { return };
        let words = |name: &str| known.metadata.annotation(name).unwrap_or_default().split_whitespace();
        if !words("plimsoll.dev/versions").any(|read| read == version.trim_start_matches('v')) {
            return;
        }
        let left_out: BTreeSet<&str> = words("plimsoll.dev/left-out").collect();
        let (mut differing, mut sets) = (BTreeMap::<String, Vec<String>>::new(), 0);
        for set in value_sets(stand_in, &known, self.random) {
            let Ok(real) = objects(&chart, &set) else {
                self.refused += 1;
                continue;
            };
            sets += 1;
            let ours = match objects(&known, &set) {
                Ok(ours) => ours,
                Err(cause) => BTreeMap::from([(
                    format!("is not rendered: {cause}"),
                    Node { value: Value::Null, place: Place::default() },
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
        println!("{name} {version}: {sets} sets of values, {} differences", differing.len());
        if self.shows {
            for (difference, sets) in differing {
                println!("  {difference} ({}x, {})", sets.len(), sets.first().map_or("", String::as_str));
            }
        }
    }

    fn differences(&mut self, real: &Objects, ours: &Objects, left_out: &BTreeSet<&str>) -> Vec<String> {
        let mut found = Vec::new();
        for (id, outline) in ours {
            let Some(whole) = real.get(id) else {
                found.push(format!("{id} is not in the chart"));
                continue;
            };
            self.statements += statements(outline);
            found.extend(untrue(outline, whole, id));
            if hook(outline) != hook(whole) {
                found.push(format!("{id}: its hook is {:?}, not {:?}", hook(whole), hook(outline)));
            }
        }
        let is_left_out = |id: &str| left_out.contains(id.split('/').next().unwrap_or_default());
        let missing = real.keys().filter(|id| !ours.contains_key(*id) && !is_left_out(id));
        found.extend(missing.map(|id| format!("{id} is not on the shelf")));
        found
    }
}

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
fn value_sets(stand_in: &StandIn, known: &Chart, random: usize) -> Vec<String> {
    let values = stand_in.files.iter().find(|(path, _)| *path == "values.yaml").map_or("", |(_, text)| text);
    let mut switches = Vec::new();
    if let Ok(values) = plimsoll_yaml::value(values, FileIndex(0)) {
        leaves(&values, &mut Vec::new(), &mut switches);
    }
    let more = known.metadata.annotation("plimsoll.dev/tried").unwrap_or_default();
    switches.extend(more.split_whitespace().map(str::to_owned));
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

/// What a chart brings for some values.
fn objects(chart: &Chart, set: &str) -> Result<Objects, String> {
    let sets = set.split(',').filter(|set| !set.is_empty()).map(|set| ValueSource::Set(set.to_owned()));
    let mut api_versions = plimsoll_schema::api_versions(plimsoll_schema::newest());
    api_versions
        .extend(["monitoring.coreos.com/v1", "monitoring.coreos.com/v1/ServiceMonitor"].map(str::to_owned));
    let request = Request {
        release: Release { name: "rel".to_owned(), namespace: "space".to_owned(), ..Release::default() },
        values: sets.collect(),
        capabilities: Capabilities {
            kube_version: format!("v{}.0", plimsoll_schema::newest()),
            api_versions,
        },
        ..Request::default()
    };
    let rendering = render(chart, &request).map_err(|failure| failure.to_string())?;
    let mut found = Objects::new();
    let texts = rendering.manifests().map(|manifest| manifest.text.to_owned());
    let definitions =
        chart.definitions().into_iter().map(|(_, file)| String::from_utf8_lossy(&file.content).into_owned());
    for text in texts.chain(definitions.collect::<Vec<_>>()) {
        for document in plimsoll_yaml::parse(&text, FileIndex(0)).documents {
            let Some(kind) = document.root.text_at(&["kind"]) else { continue };
            let at = |path: &[&str]| document.root.text_at(path).unwrap_or_default();
            let namespace = Some(at(&["metadata", "namespace"])).filter(|text| *text != "space");
            let id = format!("{kind}/{}/{}", namespace.unwrap_or_default(), at(&["metadata", "name"]));
            found.insert(id, document.root);
        }
    }
    Ok(found)
}

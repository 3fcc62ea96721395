//! The switches of a chart: values that are true or false or a short text, with what they are by default.

use super::blocks::{OVERRIDES, Part};
use crate::question::Setting;
use plimsoll_model::{FileIndex, Node, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A value that can be changed.
pub(crate) struct Switch {
    /// What it is by default, version by version; `None` where a version does not know it.
    pub(crate) defaults: Vec<Option<Setting>>,
    /// Texts that templates compare it with.
    pub(crate) compared: BTreeSet<String>,
    /// A text that nothing else has.
    pub(crate) mark: String,
    /// Which versions mention it.
    pub(crate) known: Vec<bool>,
    /// Which versions do something with it.
    pub(crate) hears: Vec<bool>,
}

/// Switches by their dotted paths.
pub(crate) type Switches = BTreeMap<String, Switch>;

impl Switch {
    /// The default that all versions share.
    pub(crate) fn shared(&self) -> Option<&Setting> {
        let mut known = self.defaults.iter().flatten();
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }

    /// The default in a version; where it is not known, that of the nearest one that knows it.
    pub(crate) fn default_in(&self, version: usize) -> Setting {
        let later = self.defaults.iter().skip(version).flatten().next();
        let earlier = || self.defaults.iter().take(version).rev().flatten().next();
        later.or_else(earlier).cloned().unwrap_or(Setting::Bool(false))
    }

    /// Whether every version does something with it.
    pub(crate) fn is_heard_by_all(&self) -> bool {
        self.hears.iter().all(|hears| *hears)
    }

    /// What it can be changed to.
    pub(crate) fn changes(&self) -> Vec<Setting> {
        match self.shared() {
            Some(Setting::Bool(on)) => vec![Setting::Bool(!on)],
            Some(Setting::Text(text)) => {
                let others = self.compared.iter().filter(|other| *other != text && !other.is_empty());
                let marked = std::iter::once(&self.mark).chain(others);
                marked.map(|text| Setting::Text(text.clone())).collect()
            }
            None => vec![Setting::Bool(false), Setting::Bool(true)],
        }
    }
}

/// Keys that say how programs run, and not what there is.
const UNTURNED: &[&str] = &[
    "affinity",
    "containerSecurityContext",
    "image",
    "imagePullPolicy",
    "livenessProbe",
    "podSecurityContext",
    "pullPolicy",
    "readinessProbe",
    "registry",
    "repository",
    "resources",
    "securityContext",
    "sha",
    "startupProbe",
    "tag",
];

/// The switches of all versions of a chart.
pub(crate) fn switches(folders: &[&Path], parts: &[Part], wrappers: &[Option<String>]) -> Switches {
    let mut found = Switches::new();
    let mut compared = BTreeMap::<String, BTreeSet<String>>::new();
    for (version, folder) in folders.iter().enumerate() {
        let mut defaults = BTreeMap::new();
        leaves_of(folder, "", &mut defaults, &mut compared);
        if let Some(wrapper) = wrappers.get(version).and_then(Option::as_ref) {
            defaults = unwrapped(defaults, wrapper);
        }
        for part in parts {
            // Said or not, it is the name of the chart.
            if let Some(Setting::Text(name)) = defaults.get_mut(&format!("{}nameOverride", part.prefix))
                && *name == part.name
            {
                name.clear();
            }
        }
        let known: BTreeSet<String> = defaults.keys().cloned().collect();
        // Charts do not always mention them.
        for name in OVERRIDES {
            for part in parts {
                defaults.entry(format!("{}{name}", part.prefix)).or_insert(Setting::Text(String::new()));
            }
        }
        for (path, setting) in defaults {
            let is_known = known.contains(&path);
            let switch = found.entry(path).or_insert_with(|| Switch {
                defaults: vec![None; folders.len()],
                compared: BTreeSet::new(),
                mark: String::new(),
                known: vec![false; folders.len()],
                hears: vec![true; folders.len()],
            });
            if let Some(place) = switch.defaults.get_mut(version) {
                *place = Some(setting);
            }
            if let Some(place) = switch.known.get_mut(version) {
                *place = is_known;
            }
        }
    }
    found.retain(|_, switch| {
        let is_truth = |setting: &&Setting| matches!(setting, Setting::Bool(_));
        let truths = switch.defaults.iter().flatten().filter(is_truth).count();
        truths == switch.defaults.iter().flatten().count() || (truths == 0 && switch.shared().is_some())
    });
    drop_older_shapes(&mut found);
    for (number, (path, switch)) in found.iter_mut().enumerate() {
        switch.mark = format!("zq{number}z");
        switch.compared = compared.remove(path).unwrap_or_default();
    }
    found
}

/// The same without a key that users leave out.
fn unwrapped(defaults: BTreeMap<String, Setting>, wrapper: &str) -> BTreeMap<String, Setting> {
    let inner = |path: &str| path.strip_prefix(wrapper)?.strip_prefix('.').map(str::to_owned);
    defaults.into_iter().map(|(path, setting)| (inner(&path).unwrap_or(path), setting)).collect()
}

/// Where a value is a map in one version and none in another, only what the newest one has can be turned.
fn drop_older_shapes(switches: &mut Switches) {
    let newest = |switch: &Switch| switch.defaults.iter().rposition(Option::is_some);
    let mut dropped = Vec::new();
    for (path, switch) in &*switches {
        let below = format!("{path}.");
        for (inner, other) in
            switches.range(below.clone()..).take_while(|(inner, _)| inner.starts_with(&below))
        {
            dropped.push(if newest(switch) > newest(other) { inner } else { path }.clone());
        }
    }
    for path in dropped {
        switches.remove(&path);
    }
}

/// The values of a chart and the charts inside, and what their templates compare them with.
pub(crate) fn leaves_of(
    folder: &Path,
    prefix: &str,
    found: &mut BTreeMap<String, Setting>,
    compared: &mut BTreeMap<String, BTreeSet<String>>,
) {
    let read = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).ok()?;
        plimsoll_yaml::value(&text, FileIndex(0)).ok()
    };
    let metadata = read("Chart.yaml");
    let needed = metadata.as_ref().map_or(&[][..], |metadata| metadata.list_at(&["dependencies"]));
    for inside in folders(&folder.join("charts")) {
        let name = inside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of_it = needed.iter().filter(|needed| needed.text_at(&["name"]) == Some(&name));
        let mut names: Vec<&str> = of_it.filter_map(|needed| needed.text_at(&["alias"])).collect();
        if names.is_empty() {
            names.push(&name);
        }
        for name in names {
            leaves_of(&inside, &format!("{prefix}{name}."), found, compared);
        }
    }
    if let Some(values) = read("values.yaml") {
        leaves(&values, &mut prefix.to_owned(), found);
    }
    comparisons(&folder.join("templates"), prefix, compared);
}

pub(crate) fn folders(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inside: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inside.sort();
    inside
}

/// Values of a chart that are texts or nothing yet, by their dotted paths.
pub(crate) fn texts(folder: &Path) -> BTreeSet<String> {
    fn gather(node: &Node, path: &str, found: &mut BTreeSet<String>) {
        for (key, inner) in node.entries().iter().filter(|(key, _)| !key.text.contains(['.', '/'])) {
            let path = if path.is_empty() { key.text.to_string() } else { format!("{path}.{}", key.text) };
            match &inner.value {
                Value::Map(_) => gather(inner, &path, found),
                Value::Text(_) | Value::Null => {
                    found.insert(path);
                }
                _ => {}
            }
        }
    }
    let text = fs::read_to_string(folder.join("values.yaml")).unwrap_or_default();
    let mut found = BTreeSet::new();
    if let Ok(values) = plimsoll_yaml::value(&text, FileIndex(0)) {
        gather(&values, "", &mut found);
    }
    found
}

fn leaves(node: &Node, path: &mut String, found: &mut BTreeMap<String, Setting>) {
    for (key, inner) in node.entries() {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        if !key.text.chars().all(is_plain) || UNTURNED.contains(&&*key.text) {
            continue;
        }
        let length = path.len();
        path.push_str(&key.text);
        let setting = match &inner.value {
            Value::Map(_) => {
                path.push('.');
                leaves(inner, path, found);
                None
            }
            Value::Bool(on) => Some(Setting::Bool(*on)),
            Value::Text(text) if text.len() < 64 && text.chars().all(|c| is_plain(c) || c == '.') => {
                Some(Setting::Text(text.to_string()))
            }
            Value::Null
                if ["ame", "verride", "amespace", "ecret"].iter().any(|end| key.text.ends_with(end)) =>
            {
                Some(Setting::Text(String::new()))
            }
            _ => None,
        };
        if let Some(setting) = setting {
            found.insert(path.clone(), setting);
        }
        path.truncate(length);
    }
}

/// Texts that templates compare values with: `eq .Values.kind "DaemonSet"`, in either order.
pub(crate) fn comparisons(folder: &Path, prefix: &str, compared: &mut BTreeMap<String, BTreeSet<String>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            comparisons(&entry.path(), prefix, compared);
        }
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        for (at, _) in text.match_indices(".Values.") {
            let (before, after) = text.split_at(at);
            let after = after.trim_start_matches(".Values.");
            let is_path = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
            let length = after.find(|letter| !is_path(letter)).unwrap_or(after.len());
            let (path, after) = after.split_at(length);
            let before = before.trim_end_matches(['$', '(', ' ']);
            let texts = compared.entry(format!("{prefix}{path}")).or_default();
            let is_comparison = |words: &str| {
                let words = words.trim_end_matches(['(', ' ']);
                words.ends_with("eq") || words.ends_with("ne")
            };
            if is_comparison(before)
                && let Some(rest) = after.trim_start_matches([')', ' ']).strip_prefix('"')
                && let Some((text, _)) = rest.split_once('"')
            {
                texts.insert(text.to_owned());
            }
            if let Some((words, text)) = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'))
                && is_comparison(words)
            {
                texts.insert(text.to_owned());
            }
        }
    }
}

//! Charts that another one needs and that are not in `charts/`: taken from where they lie, or from what is known of them.

use super::folder::HostFolder;
use super::locate::each_place;
use crate::draft::Drafts;
use crate::host::EntryKind;
use crate::reading::Reading;
use crate::search::join;
use plimsoll_chart::{Chart, Dependency, is_compatible};
use plimsoll_model::{FileIndex, Object, Place, Premise, StandIn};
use plimsoll_yaml::Parsed;
use std::sync::Arc;

/// A chart that is only known, inside a chart that was read.
pub(super) struct Supplied {
    /// How Helm's names of its templates begin.
    folder: String,
    /// How the paths of its files begin.
    inside: String,
    /// Where the other chart says that it needs it.
    place: Place,
    premise: Arc<Premise>,
}

/// Says which charts are not in `charts/`, and puts there what can be had of them.
pub(super) fn supply(chart: &mut Chart, path: &str, reading: &mut Reading<'_>) -> Vec<Supplied> {
    let missing: Vec<Dependency> = chart.missing().into_iter().cloned().collect();
    let mut supplied = Vec::new();
    for dependency in missing {
        let place = place(chart, &dependency, path, reading);
        let words = match supply_one(chart, &dependency, path, reading) {
            Supply::Beside(words) => words,
            Supply::Known(premise, words) => {
                let name = if dependency.alias.is_empty() { &dependency.name } else { &dependency.alias };
                let folder = format!("{}/charts/{name}/", chart.metadata.name);
                let inside = format!("charts/{}/", dependency.name);
                supplied.push(Supplied { folder, inside, place, premise: Arc::new(premise) });
                words
            }
            Supply::Nothing => {
                reading.count_opaque();
                "what it brings is not looked at".to_owned()
            }
        };
        let cause = format!(
            "the chart {} {}, which this one needs, is not in `charts/`; {words}; run `helm dependency build {path}`",
            dependency.name, dependency.version
        );
        reading.problem(place, cause, false);
    }
    supplied
}

/// What stands in for a chart, and the words for it.
enum Supply {
    /// The chart itself, from the folder that is named.
    Beside(String),
    /// What is known of it.
    Known(Premise, String),
    Nothing,
}

fn supply_one(chart: &mut Chart, dependency: &Dependency, path: &str, reading: &Reading<'_>) -> Supply {
    if let Some(folder) = dependency.repository.strip_prefix("file://") {
        let beside = join(path, folder);
        return match Chart::from_folder(&HostFolder::new(reading.host(), &beside)) {
            Ok(found) => {
                chart.supply(found);
                Supply::Beside(format!("`{beside}` is taken"))
            }
            Err(_) => Supply::Nothing,
        };
    }
    let Dependency { name, repository, version, locked, .. } = dependency;
    match take(&Wanted { name, repository, version, locked: locked.as_deref() }, reading) {
        Some((found, known)) => {
            chart.supply(found);
            Supply::Known(known.premise(name), format!("what is known of {} is taken", known.read))
        }
        None => Supply::Nothing,
    }
}

/// A chart that is named, and not at hand.
pub(crate) struct Wanted<'a> {
    pub(crate) name: &'a str,
    /// The address of its repository, or a name for it; empty where nobody says.
    pub(crate) repository: &'a str,
    /// The versions that will do.
    pub(crate) version: &'a str,
    pub(crate) locked: Option<&'a str>,
}

/// What is known of a chart that a script installs, as a chart whose objects stand where it is named.
pub(super) fn named(
    wanted: &Wanted<'_>,
    place: Place,
    reading: &mut Reading<'_>,
) -> Option<(Chart, Supplied)> {
    let (chart, known) = take(wanted, reading)?;
    let name = wanted.name;
    let premise = Arc::new(known.premise(name));
    let cause = format!("{} is not at hand; what is known of {} is taken", known.what(name), known.read);
    reading.problem(place, cause, false);
    let folder = format!("{}/", chart.metadata.name);
    Some((chart, Supplied { folder, inside: String::new(), place, premise }))
}

fn take(wanted: &Wanted<'_>, reading: &Reading<'_>) -> Option<(Chart, Known)> {
    let (stand_in, known) = reading.shelf.iter().find_map(|stand_in| known(stand_in, wanted))?;
    Some((Chart::from_texts(stand_in.files, &known.read).ok()?, known))
}

/// Which version a dependency means, and the nearest one that was read.
struct Known {
    version: String,
    read: String,
    is_manifest: bool,
}

impl Known {
    fn what(&self, name: &str) -> String {
        if self.is_manifest { name.to_owned() } else { format!("the chart {name}") }
    }

    fn premise(&self, name: &str) -> Premise {
        let Self { version, read, is_manifest } = self;
        let known = if version == read { "it" } else { read };
        let sort = if *is_manifest { "download" } else { "chart" };
        Premise {
            says: format!("{} {version} brings what is known of {known}", self.what(name)),
            carrier: Some(format!("{sort}/{name}")),
            is_outline: true,
        }
    }
}

/// Whether a chart of the shelf is meant, and in which version.
fn known<'s>(stand_in: &'s StandIn, wanted: &Wanted<'_>) -> Option<(&'s StandIn, Known)> {
    if stand_in.name != wanted.name {
        return None;
    }
    let chart = Chart::from_texts(stand_in.files, "").ok()?;
    let words = |name: &str| chart.metadata.annotation(name).unwrap_or_default().split_whitespace();
    let is_from = |word: &str| wanted.repository.contains(word);
    // Without a repository it is anybody's chart of that name.
    if !stand_in.is_manifest() && !words("plimsoll.dev/repositories").any(is_from) {
        return None;
    }
    let read: Vec<&str> = words("plimsoll.dev/versions").collect();
    let version = chosen(wanted, &read)?;
    let nearest = nearest(&version, &read)?.to_owned();
    Some((stand_in, Known { read: nearest, version, is_manifest: stand_in.is_manifest() }))
}

/// The next older version, but a newer one if only that is of the same series.
fn nearest<'r>(version: &str, read: &[&'r str]) -> Option<&'r str> {
    let older = read.iter().rev().find(|read| is_compatible(&format!("<={version}"), read));
    let is_near = |read: &&&str| is_compatible(&format!("~{version}"), read);
    older.filter(is_near).or_else(|| read.iter().find(is_near)).or(older).or(read.first()).copied()
}

/// The version that `Chart.lock` names, else the newest one that was read and fits, else the one that the range begins with.
fn chosen(wanted: &Wanted<'_>, read: &[&str]) -> Option<String> {
    if let Some(locked) = wanted.locked {
        return Some(locked.to_owned());
    }
    let fits = |version: &str| is_compatible(wanted.version, version);
    let newest = read.iter().rev().find(|version| fits(version)).map(|version| (*version).to_owned());
    newest.or_else(|| {
        let bare = wanted.version.trim_start_matches(['^', '~', '>', '<', '=', 'v', ' ']);
        let first: String =
            bare.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | 'x')).collect();
        let mut numbers = first.split('.').map(|part| if part == "x" { "0" } else { part });
        let mut number = || numbers.next().filter(|part| !part.is_empty()).unwrap_or("0");
        Some(format!("{}.{}.{}", number(), number(), number())).filter(|version| fits(version))
    })
}

/// Where a chart says that it needs another one.
fn place(chart: &Chart, dependency: &Dependency, path: &str, reading: &mut Reading<'_>) -> Place {
    let names =
        ["requirements.yaml", "Chart.yaml"].into_iter().skip(usize::from(chart.metadata.api_version != "v1"));
    for file in names.map(|name| join(path, name)) {
        if reading.host().look(&file) == Ok(EntryKind::File)
            && let Some(file) = reading.open(&file)
        {
            return Place { file, ..dependency.place };
        }
    }
    reading.place_of(path)
}

impl Supplied {
    /// What has to be true for its objects.
    pub(super) fn premise(&self) -> Arc<Premise> {
        Arc::clone(&self.premise)
    }

    /// Whether a rendered file comes from this chart.
    pub(super) fn brings(&self, name: &str) -> bool {
        name.starts_with(&self.folder)
    }

    /// Whether a file of `crds/`, by its path below the outermost chart, comes from this chart.
    pub(super) fn defines(&self, path: &str) -> bool {
        path.starts_with(&self.inside)
    }

    /// Moves everything to where the other chart says that it needs this one.
    pub(super) fn locate(&self, parsed: &mut Parsed) {
        parsed.hidden.clear();
        let mut move_here = |place: &mut Place| *place = self.place;
        parsed.documents.iter_mut().for_each(|document| each_place(&mut document.root, &mut move_here));
    }

    /// The outlines of objects, which are known and not read. They are not held against what a server demands.
    pub(super) fn objects(
        &self,
        read: Vec<(FileIndex, Drafts)>,
        namespace: &str,
        reading: &mut Reading<'_>,
    ) -> Vec<Object> {
        let (coverage, problems) = (reading.bundle.coverage, reading.bundle.problems.len());
        let mut objects = reading.objects_from(read, namespace);
        reading.bundle.coverage = coverage;
        reading.bundle.problems.truncate(problems);
        for object in &mut objects {
            object.premise = Some(Arc::clone(&self.premise));
        }
        objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_version_is_of_the_same_series() {
        let read = ["1.2.7", "1.3.4", "2.0.0"];
        for (version, expected) in [
            ("1.3.9", "1.3.4"),
            ("1.3.0", "1.3.4"),
            ("1.4.0", "1.3.4"),
            ("1.2.7", "1.2.7"),
            ("0.9.0", "1.2.7"),
        ] {
            assert_eq!(nearest(version, &read), Some(expected), "{version}");
        }
    }
}

//! Charts that another one needs and that are not in `charts/`: taken from where they lie, or from what is known of them.

use super::folder::HostFolder;
use super::known::{Wanted, take};
use super::locate::each_place;
use crate::draft::Drafts;
use crate::host::EntryKind;
use crate::reading::Reading;
use crate::search::join;
use plimsoll_chart::{Chart, Dependency};
use plimsoll_model::{FileIndex, Object, Place, Premise};
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

/// What is known of a chart that a script installs, as a chart whose objects stand where it is named.
pub(super) fn named(
    wanted: &Wanted<'_>,
    place: Place,
    reading: &mut Reading<'_>,
) -> Option<(Chart, Supplied)> {
    let (chart, known) = take(wanted, reading)?;
    let name = wanted.name;
    let premise = Arc::new(known.premise(name));
    let cause = format!(
        "{} is not at hand; what is known of {} is taken; {}",
        known.what(name),
        known.read,
        known.remedy()
    );
    reading.problem(place, cause, false);
    let folder = format!("{}/", chart.metadata.name);
    Some((chart, Supplied { folder, inside: String::new(), place, premise }))
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

    /// The outlines of objects, which are known and not read.
    pub(super) fn objects(
        &self,
        read: Vec<(FileIndex, Drafts)>,
        namespace: &str,
        reading: &mut Reading<'_>,
    ) -> Vec<Object> {
        reading.with_outlines(|reading| reading.objects_from(read, namespace), |_| Some(self.premise()))
    }
}

//! Which chart of the shelf stands in for one that is not at hand, and in which version.

use crate::reading::Reading;
use plimsoll_chart::{Chart, is_compatible};
use plimsoll_model::{Premise, StandIn};

/// A chart that is named, and not at hand.
pub(crate) struct Wanted<'a> {
    pub(crate) name: &'a str,
    /// The address of its repository, or a name for it; empty where nobody says.
    pub(crate) repository: &'a str,
    /// The versions that will do.
    pub(crate) version: &'a str,
    pub(crate) locked: Option<&'a str>,
}

/// The chart that stands in for one that is named.
pub(super) fn take(wanted: &Wanted<'_>, reading: &Reading<'_>) -> Option<(Chart, Known)> {
    let (stand_in, known) = reading.shelf.iter().find_map(|stand_in| known(stand_in, wanted))?;
    Some((Chart::from_texts(stand_in.files, &known.read).ok()?, known))
}

/// Which version a dependency means, and the nearest one that was read.
pub(super) struct Known {
    version: String,
    /// The version that was read.
    pub(super) read: String,
    is_manifest: bool,
}

impl Known {
    pub(super) fn what(&self, name: &str) -> String {
        if self.is_manifest { name.to_owned() } else { format!("the chart {name}") }
    }

    /// How to have the files themselves read.
    pub(super) const fn remedy(&self) -> &'static str {
        if self.is_manifest {
            "download it and name its path, then it is read itself"
        } else {
            "`helm pull` it and name its path, then it is read itself"
        }
    }

    pub(super) fn premise(&self, name: &str) -> Premise {
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

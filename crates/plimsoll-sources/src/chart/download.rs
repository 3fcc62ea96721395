//! Manifests that a command or a kustomization fetches: nothing is fetched from the network, but of popular ones it is known what they bring.
//!
//! A stand-in for such a manifest says under which addresses it is found (`plimsoll.dev/repositories`): `VERSION` stands
//! for the version, or for a word in its place such as `latest` or `main`; `*` for any one part of a path.

use super::known::Wanted;
use super::shelf::{self, Supplied};
use super::{Ordered, compose};
use crate::input::ChartInput;
use crate::reading::Reading;
use plimsoll_chart::{Chart, Release, Request, render};
use plimsoll_model::{Delivery, Object, Place, Premise, StandIn, Tool};
use std::sync::Arc;

/// What is known to be behind an address; nothing if it is not.
pub(crate) fn fetched(
    address: &str,
    namespace: &str,
    place: Place,
    reading: &mut Reading<'_>,
) -> Option<Vec<Object>> {
    let (chart, supplied) = known(address, place, reading)?;
    let chart_input = ChartInput { release: Some(chart.metadata.name.clone()), values: Vec::new() };
    let delivery = Delivery::by(Tool::Helm, "template");
    let ordered = Ordered { path: address, namespace, chart: chart_input, delivery };
    let mut objects = compose(&ordered, &chart, &[supplied], reading).ok()?.objects;
    // In which order they lie in the manifest is not known; that it can be applied is.
    objects.sort_by_key(|object| match object.id.kind() {
        "Namespace" => 0,
        "CustomResourceDefinition" => 1,
        _ => 2,
    });
    Some(objects)
}

/// The same as a text, and what has to be true for it.
pub(crate) fn fetched_text(
    address: &str,
    place: Place,
    reading: &mut Reading<'_>,
) -> Option<(String, Arc<Premise>)> {
    let (chart, supplied) = known(address, place, reading)?;
    let release = Release { name: chart.metadata.name.clone(), ..Release::default() };
    let rendering = render(&chart, &Request { release, ..Request::default() }).ok()?;
    let texts: Vec<&str> = rendering.manifests().map(|manifest| manifest.text).collect();
    Some((texts.join("\n---\n"), supplied.premise()))
}

fn known(address: &str, place: Place, reading: &mut Reading<'_>) -> Option<(Chart, Supplied)> {
    let address = plain(address);
    let mut known = reading.shelf.iter();
    let (name, version) = known.find_map(|known| Some((known.name, behind(known, &address)?)))?;
    let wanted = Wanted {
        name,
        repository: "",
        version: ">=0.0.0",
        locked: Some(&*version).filter(|version| !version.is_empty()),
    };
    shelf::named(&wanted, place, reading)
}

/// The version of a manifest that an address names, empty if it names no number; nothing if it leads elsewhere.
fn behind(known: &StandIn, address: &str) -> Option<String> {
    let chart = known.is_manifest().then(|| Chart::from_texts(known.files, "").ok())??;
    let patterns = chart.metadata.annotation("plimsoll.dev/repositories")?;
    patterns.split_whitespace().find_map(|pattern| version(pattern, address))
}

fn version(pattern: &str, address: &str) -> Option<String> {
    let (patterns, parts): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), address.split('/').collect());
    let last = patterns.len().checked_sub(1).filter(|_| patterns.len() == parts.len())?;
    let mut found = String::new();
    for (number, (pattern, part)) in patterns.into_iter().zip(parts).enumerate() {
        let Some((before, behind)) = pattern.split_once("VERSION") else {
            if pattern != "*" && pattern != part {
                return None;
            }
            continue;
        };
        let inside = part.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        // A branch or a variable may stand for the version, but not within the name of a file.
        if inside.is_none() && number == last {
            return None;
        }
        let numbered = inside.filter(|inside| inside.starts_with(|first: char| first.is_ascii_digit()));
        found = numbered.map_or(found, str::to_owned);
    }
    Some(found)
}

/// An address in the one form in which stand-ins write it.
fn plain(address: &str) -> String {
    let bare = address.split_once("://").map_or(address, |(_, rest)| rest);
    let bare = bare.split(['?', '#']).next().unwrap_or(bare);
    let bare = bare.replace("/refs/tags/", "/").replace("/refs/heads/", "/");
    let bare = bare.replace("/releases/latest/download/", "/releases/download/latest/");
    let mut parts = bare.splitn(5, '/');
    match (parts.next(), parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some("github.com"), Some(owner), Some(name), Some("raw" | "blob"), Some(rest)) => {
            format!("raw.githubusercontent.com/{owner}/{name}/{rest}")
        }
        _ => bare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, address: &str, expected: Option<&str>) {
        let found = version(pattern, &plain(address));
        assert_eq!(found.as_deref(), expected, "{address}");
    }

    #[test]
    fn an_address_names_a_version_or_a_word_in_its_place() {
        let asset = "github.com/a/b/releases/download/vVERSION/install.yaml";
        check(asset, "https://github.com/a/b/releases/download/v1.2.3/install.yaml", Some("1.2.3"));
        check(asset, "https://github.com/a/b/releases/latest/download/install.yaml", Some(""));
        check(asset, "https://github.com/a/b/releases/download/${VERSION}/install.yaml", Some(""));
        check(asset, "https://github.com/a/b/releases/download/v1.2.3/crds.yaml", None);
        check(asset, "https://github.com/x/b/releases/download/v1.2.3/install.yaml", None);
        let file = "raw.githubusercontent.com/a/b/vVERSION/deploy/*/all.yaml";
        check(
            file,
            "https://raw.githubusercontent.com/a/b/refs/tags/v2.0.0/deploy/kind/all.yaml",
            Some("2.0.0"),
        );
        check(file, "https://github.com/a/b/raw/main/deploy/aws/all.yaml", Some(""));
        check(file, "https://github.com/a/b/blob/v2.0.0/deploy/aws/all.yaml?raw=true", Some("2.0.0"));
        check(file, "https://raw.githubusercontent.com/a/b/main/deploy/all.yaml", None);
        let named = "raw.githubusercontent.com/a/b/release-VERSION/releases/b-VERSION.yaml";
        check(
            named,
            "https://raw.githubusercontent.com/a/b/release-1.2/releases/b-1.2.3.yaml",
            Some("1.2.3"),
        );
        check(named, "https://raw.githubusercontent.com/a/b/main/releases/c-1.2.3.yaml", None);
    }
}

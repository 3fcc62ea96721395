//! Operators that are not in the input: what they define, by what is known of their charts.

use plimsoll_chart::{Chart, Request, ValueSource, render};
use plimsoll_model::{FileIndex, Node, Object, ObjectId, Outside, Premise, StandIn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The operators that the cluster may have: of each chart of the shelf the version that was said, or else the newest.
#[derive(Default)]
pub(crate) struct Operators {
    shelf: &'static [StandIn],
    said: BTreeMap<String, String>,
    /// Charts that the input has in several versions, so that nothing is known of their definitions.
    unclear: BTreeSet<String>,
    known: BTreeMap<String, Vec<Outside>>,
}

impl Operators {
    pub(crate) fn new(shelf: &'static [StandIn], said: &[(String, String)]) -> Self {
        let said = said.iter().cloned().collect();
        Self { shelf, said, unclear: BTreeSet::new(), known: BTreeMap::new() }
    }

    /// Takes the versions of charts that objects of the input let Flux or Argo CD install.
    pub(crate) fn hear<'a>(&mut self, objects: impl Iterator<Item = &'a Object>) {
        let mut heard: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (chart, version) in objects.flat_map(installed) {
            heard.entry(chart).or_default().insert(version);
        }
        for (chart, versions) in heard {
            match (Vec::from_iter(versions).as_slice(), self.said.contains_key(chart)) {
                ([version], false) => drop(self.said.insert(chart.to_owned(), (*version).to_owned())),
                (_, false) => drop(self.unclear.insert(chart.to_owned())),
                (_, true) => {}
            }
        }
        self.known.clear();
    }

    /// What the operators of an API group define; nothing if there is none on the shelf.
    pub(crate) fn of_group(&mut self, group: &str) -> &[Outside] {
        if !self.known.contains_key(group) {
            let found = self.find(group);
            self.known.insert(group.to_owned(), found);
        }
        self.known.get(group).map_or(&[], Vec::as_slice)
    }

    /// The definitions of a group. Where charts define a kind differently, only what was said to be there counts.
    fn find(&self, group: &str) -> Vec<Outside> {
        let is_clear = |stand_in: &&StandIn| !self.unclear.contains(stand_in.name);
        let charts = self.shelf.iter().filter(|stand_in| !stand_in.is_manifest()).filter(is_clear);
        let bringing = charts.filter(|stand_in| groups(stand_in).any(|known| known == group));
        let all = bringing.flat_map(|stand_in| {
            defined(stand_in, self.said.get(stand_in.name).map(String::as_str)).into_iter()
        });
        let all: Vec<Outside> =
            all.filter(|one| one.definition.text_at(&["spec", "group"]) == Some(group)).collect();
        let is_plain = |one: &&Outside| {
            let others = all.iter().filter(|other| other.definition.id == one.definition.id);
            let mut others = others.filter(|other| served(&other.definition) != served(&one.definition));
            one.is_said || others.next().is_none()
        };
        all.iter().filter(is_plain).cloned().collect()
    }

    /// The APIs of the operators that were said to be there, as charts are told.
    pub(crate) fn said(&self) -> Vec<String> {
        let said = self.shelf.iter().filter_map(|stand_in| Some((stand_in, self.said.get(stand_in.name)?)));
        let outside = said.flat_map(|(stand_in, version)| defined(stand_in, Some(version)));
        outside.flat_map(|outside| served(&outside.definition)).collect()
    }
}

/// The charts that an object of Flux or Argo CD installs, each with its version, if that is a single one.
fn installed(object: &Object) -> Vec<(&str, &str)> {
    let (sources, version): (Vec<&Node>, &str) = match (object.id.group(), object.id.kind()) {
        ("helm.toolkit.fluxcd.io", "HelmRelease") => {
            (object.root.at(&["spec", "chart", "spec"]).into_iter().collect(), "version")
        }
        ("argoproj.io", "Application") => {
            let several = object.root.list_at(&["spec", "sources"]).iter();
            (several.chain(object.root.at(&["spec", "source"])).collect(), "targetRevision")
        }
        _ => return Vec::new(),
    };
    let charts = sources
        .into_iter()
        .filter_map(|source| Some((source.text_at(&["chart"])?, source.text_at(&[version])?)));
    charts.filter(|(_, version)| is_single(version)).collect()
}

/// Whether it is one version and not a range of them: `1.2.3`, but neither `1.x` nor `>=1.2.3`.
fn is_single(version: &str) -> bool {
    let is_number = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
    let parts = version.trim_start_matches('v').split('.');
    parts.clone().count() >= 3 && parts.take(3).all(is_number)
}

/// Whether an operator may serve an API: it does, or a version of it may that is newer than all that are known.
pub(crate) fn may_serve(outside: &Outside, api: &str) -> bool {
    let version = |api: &str| api.split('/').nth(1).unwrap_or_default().to_owned();
    let mut served = served(&outside.definition).into_iter();
    let is_newer = |served: String| plimsoll_schema::is_later(&version(api), &version(&served));
    served.clone().any(|served| served == api) || (!outside.is_said && served.all(is_newer))
}

/// The APIs that a definition serves: `group/version` and `group/version/Kind`.
pub(crate) fn served(definition: &Object) -> Vec<String> {
    let text = |path: &[&str]| definition.text_at(path).unwrap_or_default();
    let (group, kind) = (text(&["spec", "group"]), text(&["spec", "names", "kind"]));
    let versions = definition.root.list_at(&["spec", "versions"]).iter();
    let served = versions.filter(|version| version.bool_at(&["served"]) == Some(true));
    let named = served.filter_map(|version| version.text_at(&["name"]));
    named.flat_map(|name| [format!("{group}/{name}"), format!("{group}/{name}/{kind}")]).collect()
}

/// The API groups that a chart defines, read without reading the chart.
fn groups(stand_in: &StandIn) -> impl Iterator<Item = &'static str> {
    let metadata = stand_in.files.iter().find(|(path, _)| *path == "Chart.yaml").map_or("", |(_, text)| text);
    let line = metadata.lines().find_map(|line| line.trim().strip_prefix("plimsoll.dev/groups:"));
    line.unwrap_or_default().split_whitespace()
}

fn defined(stand_in: &StandIn, said: Option<&str>) -> Vec<Outside> {
    let annotated = |name: &str| {
        let chart = Chart::from_texts(stand_in.files, "").ok()?;
        chart.metadata.annotation(name).map(str::to_owned)
    };
    let newest = || annotated("plimsoll.dev/versions")?.split_whitespace().last().map(str::to_owned);
    let Some(version) = said.map(str::to_owned).or_else(newest) else { return Vec::new() };
    let Ok(chart) = Chart::from_texts(stand_in.files, &version) else { return Vec::new() };
    let switches = annotated("plimsoll.dev/definitions").unwrap_or_default();
    let values = switches.split_whitespace().map(|set| ValueSource::Set(set.to_owned())).collect();
    let Ok(rendering) = render(&chart, &Request { values, ..Request::default() }) else { return Vec::new() };
    let files = rendering.definitions.iter().map(|(_, file)| file.text());
    let texts = rendering.manifests().map(|manifest| Arc::from(manifest.text)).chain(files);
    let newest = if said.is_some() { "" } else { ", the newest that is known," };
    let premise = Arc::new(Premise {
        says: format!("{} {version}{newest} is what the cluster has", stand_in.name),
        carrier: Some(format!("chart/{}", stand_in.name)),
        is_outline: true,
    });
    let documents = texts.flat_map(|text| plimsoll_yaml::parse(&text, FileIndex(0)).documents);
    let roots = documents.map(|document| document.root);
    let definitions = roots.filter(|root| root.text_at(&["kind"]) == Some("CustomResourceDefinition"));
    let outside = definitions.filter_map(|root| {
        let name = root.text_at(&["metadata", "name"])?;
        let id = ObjectId::new("apiextensions.k8s.io", "CustomResourceDefinition", None, name);
        let definition = Object { premise: Some(Arc::clone(&premise)), ..Object::new(id, "v1", root) };
        let chart = (stand_in.name.to_owned(), version.clone());
        Some(Outside { definition, chart, is_said: said.is_some() })
    });
    outside.collect()
}

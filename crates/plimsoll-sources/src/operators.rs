//! Operators that are not in the input: what they define, by what is known of their charts.

mod release;

use plimsoll_chart::{Chart, Request, ValueSource, render};
use plimsoll_model::{FileIndex, Object, ObjectId, Outside, Premise, StandIn};
use release::{Release, releases};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The operators that the cluster may have: of each chart of the shelf the version that was said, or else the newest.
#[derive(Default)]
pub(crate) struct Operators {
    shelf: &'static [StandIn],
    said: BTreeMap<String, Said>,
    /// Charts that the input has in several versions, so that nothing is known of their definitions.
    unclear: BTreeSet<String>,
    known: BTreeMap<String, Vec<Outside>>,
}

/// What was said of a chart.
#[derive(Default)]
struct Said {
    version: Option<String>,
    /// The objects of the input that let another tool install it, each with what it turns on and off. Without any, the
    /// user said that it is there.
    installers: Vec<(ObjectId, Vec<ValueSource>)>,
}

impl Operators {
    pub(crate) fn new(shelf: &'static [StandIn], said: &[(String, String)]) -> Self {
        let there = |(chart, version): &(String, String)| {
            (chart.clone(), Said { version: Some(version.clone()), installers: Vec::new() })
        };
        let said = said.iter().map(there).collect();
        Self { shelf, said, unclear: BTreeSet::new(), known: BTreeMap::new() }
    }

    /// Takes the charts that objects of the input let Flux or Argo CD install.
    pub(crate) fn hear<'a>(&mut self, objects: impl Iterator<Item = &'a Object>) {
        let mut heard: BTreeMap<&str, Vec<Release<'_>>> = BTreeMap::new();
        for release in objects.flat_map(releases).filter(|release| !self.said.contains_key(release.chart)) {
            heard.entry(release.chart).or_default().push(release);
        }
        for (chart, releases) in heard {
            let versions: BTreeSet<&str> = releases.iter().filter_map(|release| release.version).collect();
            if versions.len() > 1 {
                self.unclear.insert(chart.to_owned());
                continue;
            }
            let version = versions.first().map(|version| (*version).to_owned());
            let installers = releases.into_iter().map(|release| (release.object.clone(), release.switches));
            self.said.insert(chart.to_owned(), Said { version, installers: installers.collect() });
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
        let all = bringing.flat_map(|stand_in| outside(stand_in, self.said.get(stand_in.name)));
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
        let outside = said.flat_map(|(stand_in, said)| outside(stand_in, Some(said)));
        let there = outside.filter(|outside| outside.is_there);
        there.flat_map(|outside| served(&outside.definition)).collect()
    }
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

/// What a chart defines with all its parts, and who installs each of it.
fn outside(stand_in: &StandIn, said: Option<&Said>) -> Vec<Outside> {
    let annotated = |name: &str| {
        let chart = Chart::from_texts(stand_in.files, "").ok()?;
        chart.metadata.annotation(name).map(str::to_owned)
    };
    let newest = || annotated("plimsoll.dev/versions")?.split_whitespace().last().map(str::to_owned);
    let named = said.and_then(|said| said.version.clone());
    let is_said = named.is_some();
    let Some(version) = named.or_else(newest) else { return Vec::new() };
    let switches = annotated("plimsoll.dev/definitions").unwrap_or_default();
    let values = switches.split_whitespace().map(|set| ValueSource::Set(set.to_owned())).collect();
    let installers = said.map_or(&[][..], |said| said.installers.as_slice());
    let brought: Vec<(&ObjectId, Vec<Object>)> =
        installers.iter().map(|(id, values)| (id, definitions(stand_in, &version, values.clone()))).collect();
    let by_whom = |definition: &Object| {
        let brings = |(_, all): &&(&ObjectId, Vec<Object>)| all.iter().any(|one| one.id == definition.id);
        brought.iter().find(brings).map(|(id, _)| (*id).clone())
    };
    let newest = if is_said { "" } else { ", the newest that is known," };
    let outside = definitions(stand_in, &version, values).into_iter().map(|definition| {
        let installer = by_whom(&definition);
        let what =
            installer.as_ref().map_or_else(|| "the cluster has".to_owned(), |by| format!("{by} installs"));
        let premise = Premise {
            says: format!("{} {version}{newest} is what {what}", stand_in.name),
            carrier: Some(format!("chart/{}", stand_in.name)),
            is_outline: true,
        };
        let definition = Object { premise: Some(Arc::new(premise)), ..definition };
        let chart = (stand_in.name.to_owned(), version.clone());
        Outside { definition, chart, is_said, is_there: is_said && installers.is_empty(), installer }
    });
    outside.collect()
}

/// The definitions that a chart brings with some values.
fn definitions(stand_in: &StandIn, version: &str, values: Vec<ValueSource>) -> Vec<Object> {
    let Ok(chart) = Chart::from_texts(stand_in.files, version) else { return Vec::new() };
    let Ok(rendering) = render(&chart, &Request { values, ..Request::default() }) else { return Vec::new() };
    let files = rendering.definitions.iter().map(|(_, file)| file.text());
    let texts = rendering.manifests().map(|manifest| Arc::from(manifest.text)).chain(files);
    let documents = texts.flat_map(|text| plimsoll_yaml::parse(&text, FileIndex(0)).documents);
    let roots = documents.map(|document| document.root);
    let definitions = roots.filter(|root| root.text_at(&["kind"]) == Some("CustomResourceDefinition"));
    let object = |root: plimsoll_model::Node| {
        let name = root.text_at(&["metadata", "name"])?;
        let id = ObjectId::new("apiextensions.k8s.io", "CustomResourceDefinition", None, name);
        Some(Object::new(id, "v1", root))
    };
    definitions.filter_map(object).collect()
}

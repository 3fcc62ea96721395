//! Charts that objects of Flux and Argo CD let these install.

use plimsoll_chart::ValueSource;
use plimsoll_model::{FileIndex, Node, Object, ObjectId, Value};

/// A chart that another tool is told to install.
pub(super) struct Release<'a> {
    /// The object that says so.
    pub(super) object: &'a ObjectId,
    pub(super) chart: &'a str,
    /// The version, if it is a single one.
    pub(super) version: Option<&'a str>,
    /// What of its values turns parts of a chart on and off.
    pub(super) switches: Vec<ValueSource>,
}

/// The charts that an object lets another tool install.
pub(super) fn releases(object: &Object) -> Vec<Release<'_>> {
    match (object.id.group(), object.id.kind()) {
        ("helm.toolkit.fluxcd.io", "HelmRelease") => {
            let values = object.root.at(&["spec", "values"]).map_or_else(Vec::new, switches);
            let chart = object.root.at(&["spec", "chart", "spec"]);
            chart.and_then(|chart| release(object, chart, "version", values)).into_iter().collect()
        }
        ("argoproj.io", "Application") => {
            let several = object.root.list_at(&["spec", "sources"]).iter();
            let sources = several.chain(object.root.at(&["spec", "source"]));
            sources
                .filter_map(|source| release(object, source, "targetRevision", of_source(source)))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn release<'a>(
    object: &'a Object,
    source: &'a Node,
    version: &str,
    switches: Vec<ValueSource>,
) -> Option<Release<'a>> {
    let version = source.text_at(&[version]).filter(|version| is_single(version));
    Some(Release { object: &object.id, chart: source.text_at(&["chart"])?, version, switches })
}

/// Whether it is one version and not a range of them: `1.2.3`, but neither `1.x` nor `>=1.2.3`.
fn is_single(version: &str) -> bool {
    let is_number = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
    let parts = version.trim_start_matches('v').split('.');
    parts.clone().count() >= 3 && parts.take(3).all(is_number) && !version.contains(' ')
}

/// The switches of a source of Argo CD: values as text, as a map, and single parameters, each over the one before.
fn of_source(source: &Node) -> Vec<ValueSource> {
    let text = source.text_at(&["helm", "values"]).unwrap_or_default();
    let parsed = plimsoll_yaml::parse(text, FileIndex(0)).documents.into_iter();
    let mut all: Vec<ValueSource> = parsed.flat_map(|document| switches(&document.root)).collect();
    all.extend(source.at(&["helm", "valuesObject"]).into_iter().flat_map(switches));
    let parameters = source.list_at(&["helm", "parameters"]).iter();
    let words = parameters.filter_map(|one| Some((one.text_at(&["name"])?, one.text_at(&["value"])?)));
    all.extend(
        words.filter(|(_, value)| matches!(*value, "true" | "false")).map(|(name, value)| set(name, value)),
    );
    all
}

/// The truth values among values, as flags.
fn switches(values: &Node) -> Vec<ValueSource> {
    let mut found = Vec::new();
    collect(values, "", &mut found);
    found
}

fn collect(values: &Node, path: &str, found: &mut Vec<ValueSource>) {
    match &values.value {
        Value::Bool(value) if !path.is_empty() => {
            found.push(set(path, if *value { "true" } else { "false" }));
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                let key = key.text.replace('\\', "\\\\").replace('.', "\\.").replace(',', "\\,");
                let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                collect(value, &path, found);
            }
        }
        _ => {}
    }
}

fn set(path: &str, value: &str) -> ValueSource {
    ValueSource::Set(format!("{path}={value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, Option<&str>, &[&str])]) {
        let root = plimsoll_yaml::parse(text, FileIndex(0)).documents.remove(0).root;
        let (group, version) =
            root.text_at(&["apiVersion"]).and_then(|api| api.split_once('/')).expect("a group");
        let id = ObjectId::new(group, root.text_at(&["kind"]).expect("a kind"), Some("ops"), "one");
        let version = version.to_owned();
        let object = Object::new(id, &version, root);
        let found: Vec<_> = releases(&object)
            .into_iter()
            .map(|release| (release.chart.to_owned(), release.version.map(str::to_owned), release.switches))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(chart, version, switches)| {
                let switches: Vec<_> =
                    switches.iter().map(|switch| ValueSource::Set((*switch).to_owned())).collect();
                ((*chart).to_owned(), version.map(str::to_owned), switches)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_release_of_flux_names_chart_version_and_switches() {
        let text = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  chart: {spec: {chart: a, version: 1.2.3}}\n";
        check(text, &[("a", Some("1.2.3"), &[])]);
        let values = format!("{text}  values: {{crds: {{enabled: true}}, replicas: 2, a.b: {{c: false}}}}\n");
        check(&values, &[("a", Some("1.2.3"), &["crds.enabled=true", "a\\.b.c=false"])]);
        check(&text.replace("1.2.3", "1.x"), &[("a", None, &[])]);
        check(&text.replace("1.2.3", "1.2.3 - 2.0.0"), &[("a", None, &[])]);
    }

    #[test]
    fn an_application_has_sources_and_values_in_several_forms() {
        let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  sources:\n  - {path: folder}\n  - chart: a\n    targetRevision: v1.2.3\n    helm:\n      values: |\n        crds: {enabled: false}\n      valuesObject: {crds: {enabled: true}}\n      parameters: [{name: x, value: 'true'}, {name: y, value: word}]\n";
        check(text, &[("a", Some("v1.2.3"), &["crds.enabled=false", "crds.enabled=true", "x=true"])]);
    }
}

//! Reads `pkg/controlplane/instance.go`: which API versions a server of this release serves by default, that is the
//! lists `*APIGroupVersionsEnabledByDefault` and `legacyBetaEnabledByDefaultResources`.

use super::discovery::Resource;
use anyhow::{Context as _, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Served by servers of their own inside kube-apiserver, which have no such list and always serve `v1`.
const OWN_SERVERS: [&str; 2] = ["apiextensions.k8s.io/v1", "apiregistration.k8s.io/v1"];

/// What is served by default; packages are `core/v1`, `apps/v1`, as below `k8s.io/api`.
#[derive(Default)]
pub(super) struct Defaults {
    packages: BTreeSet<String>,
    resources: BTreeSet<(String, String)>,
}

impl Defaults {
    /// Whether the resource is served without any flag.
    pub(super) fn serves(&self, resource: &Resource) -> bool {
        let package = package_of(&resource.api_version);
        OWN_SERVERS.contains(&resource.api_version.as_str())
            || self.resources.contains(&(package.clone(), resource.plural.clone()))
            || self.packages.contains(&package)
    }
}

/// Reads the lists of one release.
pub(super) fn read(root: &Path) -> Result<Defaults> {
    parse(&std::fs::read_to_string(root.join("pkg/controlplane/instance.go"))?)
}

fn parse(source: &str) -> Result<Defaults> {
    let imports = imports(source);
    let mut defaults = Defaults::default();
    let mut list = "";
    for line in source.lines().map(str::trim) {
        if let Some((name, _)) = line.split_once(" = []schema.GroupVersion") {
            list = name;
        } else if line == "}" {
            list = "";
        } else if let Some((alias, rest)) = line.split_once(".SchemeGroupVersion")
            && list.ends_with("EnabledByDefault")
        {
            ensure!(rest == ",", "an unforeseen entry in {list}: {line}");
            defaults.packages.insert(package(&imports, alias)?);
        } else if let Some((alias, rest)) = line.split_once(".SchemeGroupVersion.WithResource(\"")
            && list == "legacyBetaEnabledByDefaultResources"
        {
            let (plural, _) = rest.split_once('"').context("a resource ends with a quote")?;
            defaults.resources.insert((package(&imports, alias)?, plural.to_owned()));
        }
    }
    ensure!(!defaults.packages.is_empty(), "no list of versions that are enabled by default");
    Ok(defaults)
}

/// Import alias to package below `k8s.io/api`, or below its twin with the defaults and conversions.
fn imports(source: &str) -> BTreeMap<&str, &str> {
    source.lines().filter_map(import).collect()
}

fn import(line: &str) -> Option<(&str, &str)> {
    let (alias, path) = line.trim().split_once(" \"k8s.io/")?;
    let path = path.trim_end_matches('"');
    let package = path.strip_prefix("api/").or(path.strip_prefix("kubernetes/pkg/apis/"))?;
    Some((alias, package))
}

fn package(imports: &BTreeMap<&str, &str>, alias: &str) -> Result<String> {
    let package = imports.get(alias).with_context(|| format!("{alias} is not imported from k8s.io/api"))?;
    Ok((*package).to_owned())
}

/// A group's package is named after the first label of the group.
fn package_of(api_version: &str) -> String {
    let (group, version) = api_version.split_once('/').unwrap_or(("core", api_version));
    let label = group.split('.').next().unwrap_or(group);
    format!("{label}/{version}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
import (
	things "k8s.io/api/apps/v1"
	thingsbeta "k8s.io/api/apps/v1beta1"
	flow "k8s.io/kubernetes/pkg/apis/flowcontrol/v1beta3"
)
var (
	stableAPIGroupVersionsEnabledByDefault = []schema.GroupVersion{
		things.SchemeGroupVersion,
	}
	legacyBetaEnabledByDefaultResources = []schema.GroupVersionResource{
		flow.SchemeGroupVersion.WithResource("flowschemas"), // until some day
	}
	betaAPIGroupVersionsDisabledByDefault = []schema.GroupVersion{
		thingsbeta.SchemeGroupVersion,
		flow.SchemeGroupVersion,
	}
)
"#;

    fn resource(api_version: &str, plural: &str) -> Resource {
        Resource {
            api_version: api_version.to_owned(),
            kind: String::new(),
            plural: plural.to_owned(),
            short: Vec::new(),
            is_namespaced: true,
            verbs: Vec::new(),
        }
    }

    #[test]
    fn stable_versions_and_legacy_resources_are_served() {
        let defaults = parse(SOURCE).unwrap();
        assert!(defaults.serves(&resource("apps/v1", "deployments")));
        assert!(!defaults.serves(&resource("apps/v1beta1", "deployments")));
        let group = "flowcontrol.apiserver.k8s.io/v1beta3";
        assert!(defaults.serves(&resource(group, "flowschemas")));
        assert!(!defaults.serves(&resource(group, "others")));
        assert!(defaults.serves(&resource("apiregistration.k8s.io/v1", "apiservices")));
    }

    #[test]
    fn a_source_that_reads_differently_is_refused() {
        assert!(parse("").is_err());
        assert!(parse(&SOURCE.replace("things \"k8s.io/api/apps/v1\"", "")).is_err());
        assert!(
            parse(&SOURCE.replace("things.SchemeGroupVersion,", "things.SchemeGroupVersion(),")).is_err()
        );
    }
}

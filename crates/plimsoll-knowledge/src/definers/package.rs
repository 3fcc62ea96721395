//! A Subscription of the Operator Lifecycle Manager, for which a package is installed: `data/packages.tsv` knows what
//! its bundle defines.
//!
//! operator-lifecycle-manager v0.46.0 `pkg/controller/operators/catalog/operator.go`: an InstallPlan makes the definitions
//! of a bundle, and the ClusterServiceVersion.

use super::Installed;
use plimsoll_model::Object;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What each package defines.
static PACKAGES: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let rows = include_str!("../../data/packages.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        columns.next().zip(columns.next())
    })
    .collect()
});

/// A Subscription has no condition that says so; these are written by the installation.
const AWAITED: [&str; 3] = ["csv", "clusterserviceversion", "installplan"];

/// Groups that OpenShift serves without any package: openshift/cluster-monitoring-operator
/// `manifests/0000_50_cluster-monitoring-operator_00_*-custom-resource-definition.yaml`.
const OF_OPENSHIFT: [&str; 1] = ["monitoring.coreos.com"];

pub(super) fn installed(object: &Object) -> Option<Installed> {
    if !object.id.is("operators.coreos.com", "Subscription") {
        return None;
    }
    let defines = PACKAGES.get(object.text_at(&["spec", "name"])?)?;
    let is_openshift = object.text_at(&["spec", "sourceNamespace"]) == Some("openshift-marketplace");
    let defines = defines.split(' ').filter(|group| !(is_openshift && OF_OPENSHIFT.contains(group)));
    Some(Installed { defines: defines.map(str::to_owned).collect(), awaited: &AWAITED })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use serde_json::json;

    fn defines(package: &str, group: &str, kind: &str) -> bool {
        defines_from("olm", package, group, kind)
    }

    fn defines_from(catalogues: &str, package: &str, group: &str, kind: &str) -> bool {
        let subscription = sample::object(&json!({
            "apiVersion": "operators.coreos.com/v1alpha1", "kind": "Subscription",
            "metadata": {"name": "any", "namespace": "operators"},
            "spec": {"name": package, "sourceNamespace": catalogues},
        }));
        installed(&subscription).is_some_and(|installed| installed.defines(group, kind))
    }

    #[test]
    fn what_the_platform_serves_does_not_come_with_a_package() {
        let monitors =
            |catalogues| defines_from(catalogues, "prometheus", "monitoring.coreos.com", "ServiceMonitor");
        assert!(monitors("olm") && !monitors("openshift-marketplace"));
    }

    #[test]
    fn a_package_defines_what_its_bundle_holds() {
        assert!(defines("strimzi-kafka-operator", "kafka.strimzi.io", "Kafka"));
        assert!(defines("group-sync-operator", "redhatcop.redhat.io", "GroupSync"));
        assert!(!defines("group-sync-operator", "redhatcop.redhat.io", "Patch"), "another package's");
        assert!(!defines("unheard-of", "kafka.strimzi.io", "Kafka"));
    }

    #[test]
    fn every_row_says_what_is_defined_and_where_that_was_read() {
        let rows = include_str!("../../data/packages.tsv").lines().filter(|line| !line.starts_with('#'));
        let mut names: Vec<&str> = Vec::new();
        for row in rows {
            let columns: Vec<&str> = row.split('\t').collect();
            let [name, defines, read] = columns.as_slice() else { panic!("{row}") };
            assert!(defines.contains('.') && read.len() > 10, "{row}");
            names.push(name);
        }
        assert!(names.is_sorted_by(|one, next| one < next), "sorted, each once");
    }
}

//! "No matches for kind": the definition is there, but not in the version that the chart speaks. It is often taken for a
//! matter of order, and cured with hooks; a Namespace that a hook makes has nothing to do with it.

use super::stage::Stage;
use plimsoll_testbed::operators::Helm;

/// Both versions of Helm, once external-secrets serves.
pub(crate) fn helm_refuses_a_version_that_is_not_served(stage: &Stage) {
    for name in ["helm3", "helm4"] {
        let helm = Helm::new(name, &stage.cluster).expect("helm");
        let (chart, tenant) = (Stage::chart("tenant"), format!("tenant-{name}"));
        let output = helm.run(&["install", &tenant, &chart, "--set", "version=v1beta1"]).expect("helm");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{name} installs what is not served");
        let words = "no matches for kind \"ExternalSecret\" in version \"external-secrets.io/v1beta1\"";
        assert!(said.contains(words), "{name}: {said}");
        println!("{name}: {}", said.trim());
        let namespace = stage.kubectl(&["get", "namespace", &tenant], "");
        assert!(!namespace.status.success(), "{name} maps everything before its first hook runs");
        let output = helm.run(&["install", &tenant, &chart]).expect("helm");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: in a version that is served all of it passes: {said}");
        stage.wait(&tenant, "externalsecret/greeting", "condition=Ready");
    }
}

//! What `helm install --wait` waits for when it installs a DaemonSet.

use super::stage::Stage;
use plimsoll_testbed::operators::Helm;

#[test]
fn helm_3_does_not_wait_for_the_last_pod_of_a_daemon_set_and_helm_4_does() {
    let Some(stage) = Stage::shared() else { return };
    let install = |name: &str| {
        let helm = Helm::new(name, &stage.cluster).expect("helm");
        let release = format!("agent-{name}");
        let words = ["install", &release, &Stage::chart("agent"), "--wait", "--timeout=10s"];
        let output = helm.run(&words).expect("helm");
        println!("{name}: {} {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        output.status.success()
    };
    // By default one pod of a DaemonSet may be missing during an update, and Helm 3 counts an install as one: on a
    // cluster with one node it waits for none.
    assert!(install("helm3"), "no pod is ready, and helm 3 is content");
    assert!(!install("helm4"), "helm 4 waits for every pod");
}

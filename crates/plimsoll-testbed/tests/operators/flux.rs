//! Flux's controllers reconcile a tree and a chart that the test serves.

use super::stage::Stage;
use plimsoll_testbed::operators::{Flux, Helm, Storage};
use std::path::Path;
use std::time::Instant;

#[test]
fn flux_reconciles_a_chain_of_kustomizations_and_installs_a_chart() {
    let Some(stage) = Stage::shared() else { return };
    let began = Instant::now();
    let tell = |what: &str| println!("flux: {what} after {:.1} s", began.elapsed().as_secs_f64());
    // The default is 30 s for each link of the chain.
    let flux = Flux::with_arguments(&["--requeue-dependency=1s"]).expect("manifests");
    flux.install(&stage.cluster).expect("an install");
    tell("controllers are ready");
    let storage = Storage::open(&stage.cluster).expect("a file server");
    let tree = storage.pack("tree", &folder("tree")).expect("an archive");
    let packed = stage.cluster.workplace().expect("a folder");
    let helm = Helm::new("helm4", &stage.cluster).expect("helm");
    let chart = Stage::chart("greeter");
    let target = packed.path().display().to_string();
    let output = helm.run(&["package", &chart, "--destination", &target]).expect("helm");
    assert!(output.status.success(), "{output:?}");
    let chart = storage.take(&packed.path().join("greeter-1.0.0.tgz")).expect("a chart");
    stage.apply(include_str!("flux/objects.yaml"));
    storage.publish("gitrepository/tree", "flux-system", &tree, "main@sha1:0000000").expect("a status");
    storage.publish("helmchart/greeter", "flux-system", &chart, "1.0.0").expect("a status");
    for name in ["namespaces", "config", "web"] {
        stage.wait("flux-system", &format!("kustomization/{name}"), "condition=Ready");
    }
    tell("the chain is ready");
    stage.wait("flux-system", "helmrelease/greeter", "condition=Ready");
    tell("the release is ready");
    let word = stage.must(&["get", "configmap", "-n", "greeter", "greeter", "-o", "jsonpath={.data.word}"]);
    assert_eq!(word, "hello");
    assert_order(stage);
}

/// Each link was sent when the one before it was healthy, not before.
fn assert_order(stage: &Stage) {
    let mut trail = stage.trail();
    let events = trail.events().expect("events");
    let first = |resource: &str, namespace: &str, name: &str| {
        let is_write = |event: &&plimsoll_testbed::audit::Event| {
            event.is_write() && !event.is_dry_run() && event.is_about(resource, namespace, name)
        };
        let found = events.iter().find(is_write);
        found.unwrap_or_else(|| panic!("{resource} {namespace}/{name} was not written")).received
    };
    let times = [
        // The log counts a Namespace as lying in itself.
        first("namespaces", "web", "web"),
        first("configmaps", "web", "settings"),
        first("deployments", "web", "web"),
    ];
    assert!(times.is_sorted(), "{times:?}");
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/operators/flux").join(name)
}

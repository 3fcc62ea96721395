//! The right column of the table in `fault/transport.rs`: what the API server says without any proxy of ours.

use crate::webhook::{CALL, behind};
use crate::{SOON, apply, process, said};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::fault::transport::translate;
use serde_json::json;
use std::time::Instant;

#[test]
fn a_network_says_it_as_the_table_has_it() {
    let Some(cluster) = Cluster::start_for_test(Options::default()).unwrap() else { return };
    let _network = process::inside(&cluster, &["network", "--kubeconfig", crate::services::KUBECONFIG]);
    // Nothing listens on this port of the API server's address.
    apply(&cluster, &behind("10.96.0.1", 9, ""));
    until(&cluster, |cause| cause == "dial tcp 10.96.0.1:9: connect: connection refused");
    // A Service whose endpoint refuses takes connections and resets them.
    apply(&cluster, &broken());
    apply(&cluster, &behind("10.96.50.50", 8443, ""));
    until(&cluster, |cause| {
        let (verb, rest) = cause.split_once(' ').unwrap_or_default();
        matches!(verb, "read" | "write")
            && rest.starts_with("tcp 10.96.")
            && rest.ends_with(&format!("->10.96.50.50:8443: {verb}: connection reset by peer"))
    });
    // No pod has this address of the bridge; the kernel asks for three seconds.
    apply(&cluster, &behind("10.244.200.200", 8443, ""));
    until(&cluster, |cause| cause == "dial tcp 10.244.200.200:8443: connect: no route to host");
}

/// A change of the endpoints is seen a moment after it was made.
fn until(cluster: &Cluster, expected: impl Fn(&str) -> bool) {
    let deadline = Instant::now() + SOON;
    loop {
        let output = cluster.kubectl(["create", "configmap", "probe", "--dry-run=server"]).unwrap();
        let heard = said(&output);
        let cause = heard.split_once(CALL).map(|(_, cause)| cause.trim()).unwrap_or_default();
        assert_eq!(translate(cause), cause, "there is no proxy whose words could be translated");
        if expected(cause) {
            return;
        }
        assert!(Instant::now() < deadline, "{heard}");
    }
}

fn broken() -> [serde_json::Value; 2] {
    [
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "broken", "namespace": "default"},
               "spec": {"clusterIP": "10.96.50.50", "ports": [{"port": 8443}]}}),
        json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
               "metadata": {"name": "broken", "namespace": "default",
                            "labels": {"kubernetes.io/service-name": "broken"}},
               "addressType": "IPv4", "ports": [{"port": 9}],
               "endpoints": [{"addresses": ["10.96.0.1"], "conditions": {"ready": true}}]}),
    ]
}

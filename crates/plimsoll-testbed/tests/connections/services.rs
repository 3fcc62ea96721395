//! A Service answers by its name while it has an endpoint, and refuses otherwise.

use crate::pod::Pod;
use crate::{SOON, apply, kubectl, process, said};
use plimsoll_testbed::cluster::{Cluster, Options};
use serde_json::{Value, json};
use std::time::Instant;

/// The kubeconfig as it is seen inside the cluster.
pub(crate) const KUBECONFIG: &str = "/run/plimsoll/inside.kubeconfig";

#[test]
fn a_service_answers_by_name_from_a_pod_while_it_has_an_endpoint() {
    let Some(cluster) = Cluster::start_for_test(Options::default()).unwrap() else { return };
    let _network = process::inside(&cluster, &["network", "--kubeconfig", KUBECONFIG]);
    let address = kubectl(
        &cluster,
        &["get", "service", "kube-dns", "-n", "kube-system", "-o=jsonpath={.spec.clusterIP}"],
    );
    assert_eq!(address, "10.96.0.10");
    apply(&cluster, &[service(), slice(true)]);

    let pod = Pod::new(&cluster);
    // The short name by the search list, the full name, the port on a node's address, and the API server's own Service.
    for server in [
        "https://web:8443",
        "https://web.default.svc.cluster.local:8443",
        "https://10.244.0.1:30443",
        "https://kubernetes.default.svc",
    ] {
        until(&pod, server, "ok");
    }
    until(&pod, "https://away:8443", "no such host");

    apply(&cluster, &[slice(false)]);
    until(&pod, "https://web:8443", "was refused");
    until(&pod, "https://10.244.0.1:30443", "was refused");
    apply(&cluster, &[slice(true)]);
    until(&pod, "https://web:8443", "ok");
}

/// A change is seen a moment after it was made.
fn until(pod: &Pod<'_>, server: &str, expected: &str) {
    let deadline = Instant::now() + SOON;
    loop {
        let heard = said(&pod.ask(server));
        if heard.contains(expected) {
            return;
        }
        assert!(Instant::now() < deadline, "{server}: {heard:?} and never {expected:?}");
    }
}

fn service() -> Value {
    json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web", "namespace": "default"},
           "spec": {"type": "NodePort", "ports": [{"port": 8443, "nodePort": 30443}]}})
}

/// The API server stands in for a pod: it is the one server that is always there.
fn slice(is_ready: bool) -> Value {
    json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
           "metadata": {"name": "web", "namespace": "default", "labels": {"kubernetes.io/service-name": "web"}},
           "addressType": "IPv4", "ports": [{"port": 443}],
           "endpoints": [{"addresses": ["10.96.0.1"], "conditions": {"ready": is_ready}}]})
}

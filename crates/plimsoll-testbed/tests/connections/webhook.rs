//! A webhook and an aggregated API behind the egress proxy: each fault, and what the API server says of it.

use crate::{SOON, apply, kubectl, webhook_server};
use k8s_openapi::ByteString;
use plimsoll_testbed::audit::{Event, Trail};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::fault::egress::{Egress, EgressFault, EgressOutcome, EgressRule, EgressWhen, Routes};
use plimsoll_testbed::fault::transport::translate;
use plimsoll_testbed::workplace::Workplace;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const POD: &str = "10.244.9.9:8443";

/// What comes before the cause in every refusal.
pub(crate) const CALL: &str = "Internal error occurred: failed calling webhook \"hook.example.com\": failed to call webhook: Post \
                    \"https://hook.default.svc:443/?timeout=10s\": ";

#[tokio::test(flavor = "multi_thread")]
async fn the_api_server_says_what_happened_to_its_call() {
    let folder = Workplace::open().unwrap();
    let egress = Egress::start(folder.path().join("egress.sock"), false).unwrap();
    let server = webhook_server::serve("hook.default.svc").await;
    egress.set_routes(Routes::from([(POD.parse().unwrap(), server.address)]));
    let options = Options { egress_socket: Some(egress.socket().to_owned()), ..Options::default() };
    let Some(cluster) = Cluster::start_for_test(options).unwrap() else { return };
    apply(&cluster, &behind("10.244.9.9", 8443, &server.certificate));
    until_called(&cluster, &egress);

    let cases = [
        (EgressFault::Refuse, "dial tcp 10.244.9.9:8443: connect: connection refused"),
        (EgressFault::Reset, "read tcp: read: connection reset by peer"),
        (EgressFault::BlackHole, "context deadline exceeded"),
    ];
    for (fault, expected) in cases {
        egress.set_rules(vec![EgressRule::always(EgressWhen::default(), fault)]);
        assert_eq!(refusal(&cluster, &format!("{fault:?}").to_lowercase()), expected);
    }
    delayed(&cluster, &egress);
    aggregated(&cluster, &egress);
}

/// What the API server says of the webhook when this ConfigMap is created, as a network would have it said.
pub(crate) fn refusal(cluster: &Cluster, name: &str) -> String {
    let mut trail = Trail::from_now(cluster.audit_log()).unwrap();
    assert!(!cluster.kubectl(["create", "configmap", name]).unwrap().status.success());
    let refused = |event: &Event| event.is_about("configmaps", "default", name) && event.verb == "create";
    let event = trail.wait_for("the refusal", SOON, refused).unwrap();
    assert_eq!(event.code(), 500);
    let message = translate(event.message());
    message.strip_prefix(CALL).unwrap_or_else(|| panic!("{message}")).to_owned()
}

fn delayed(cluster: &Cluster, egress: &Egress) {
    let delay = Duration::from_millis(700);
    egress.set_rules(vec![EgressRule::late(EgressWhen::default(), delay)]);
    let began = Instant::now();
    kubectl(cluster, &["create", "configmap", "late"]);
    assert!(began.elapsed() >= delay);
    let last = egress.records().pop().unwrap();
    assert_eq!((last.target.as_str(), last.outcome), (POD, EgressOutcome::Open));
    assert!(last.sent > 0 && last.received > 0);
}

/// Calls to aggregated APIs go the same way.
fn aggregated(cluster: &Cluster, egress: &Egress) {
    egress.set_rules(vec![EgressRule::always(EgressWhen::default(), EgressFault::Refuse)]);
    let service = json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "metadata": {"name": "v1.example.com"},
        "spec": {"group": "example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 100,
                 "insecureSkipTLSVerify": true, "service": {"name": "hook", "namespace": "default"}}});
    apply(cluster, &[service]);
    let expected = "failing or missing response from https://10.244.9.9:8443/apis/example.com/v1: Get \
                    \"https://10.244.9.9:8443/apis/example.com/v1\": dial tcp 10.244.9.9:8443: connect: connection refused";
    let deadline = Instant::now() + SOON;
    loop {
        let message = "-o=jsonpath={.status.conditions[0].message}";
        let message = translate(&kubectl(cluster, &["get", "apiservice/v1.example.com", message]));
        if message == expected {
            return;
        }
        assert!(Instant::now() < deadline, "{message}");
    }
}

/// The API server learns of a webhook a moment after it was stored.
fn until_called(cluster: &Cluster, egress: &Egress) {
    let deadline = Instant::now() + SOON;
    while egress.records().is_empty() {
        assert!(Instant::now() < deadline, "the webhook was never called");
        cluster.kubectl(["create", "configmap", "probe", "--dry-run=server"]).unwrap();
    }
}

/// A webhook for ConfigMaps at an address that no pod of the cluster has.
pub(crate) fn behind(address: &str, port: u16, certificate: &str) -> [Value; 3] {
    let certificate = json!(ByteString(certificate.as_bytes().to_vec()));
    [
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "hook", "namespace": "default"},
               "spec": {"ports": [{"port": 443, "targetPort": port}]}}),
        json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
               "metadata": {"name": "hook", "namespace": "default", "labels": {"kubernetes.io/service-name": "hook"}},
               "addressType": "IPv4", "ports": [{"port": port}],
               "endpoints": [{"addresses": [address], "conditions": {"ready": true}}]}),
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "hook"},
        "webhooks": [{
            "name": "hook.example.com", "sideEffects": "None", "timeoutSeconds": 10,
            "admissionReviewVersions": ["v1"], "failurePolicy": "Fail",
            "clientConfig": {"caBundle": certificate,
                             "service": {"name": "hook", "namespace": "default"}},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
                       "resources": ["configmaps"]}],
        }]}),
    ]
}

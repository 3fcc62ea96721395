//! A webhook behind the egress proxy: each fault, and what the API server says of it.

use crate::{SOON, apply, said, webhook_server};
use k8s_openapi::ByteString;
use plimsoll_testbed::audit::Trail;
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::fault::egress::{Egress, EgressFault, EgressOutcome, EgressRule, EgressWhen, Routes};
use plimsoll_testbed::fault::transport::translate;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const POD: &str = "10.244.9.9:8443";

/// What comes before the cause in every refusal.
const CALL: &str = "Internal error occurred: failed calling webhook \"hook.example.com\": failed to call webhook: Post \
                    \"https://hook.default.svc:443/?timeout=2s\": ";

#[tokio::test(flavor = "multi_thread")]
async fn the_api_server_says_what_happened_to_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let egress = Egress::start(folder.path().join("egress.sock"), false).unwrap();
    let server = webhook_server::serve("hook.default.svc").await;
    egress.set_routes(Routes::from([(POD.parse().unwrap(), server.address)]));
    let options = Options { egress_socket: Some(egress.socket().to_owned()), ..Options::default() };
    let cluster = Cluster::start(options).unwrap();
    apply(&cluster, &objects(&server.certificate));
    let mut trail = Trail::from_start(cluster.audit_log()).unwrap();
    until_called(&cluster, &egress);

    let refuse = |fault| vec![EgressRule::always(EgressWhen::default(), fault)];
    let cases = [
        (EgressFault::Refuse, "dial tcp 10.244.9.9:8443: connect: connection refused"),
        (EgressFault::Reset, "read tcp: read: connection reset by peer"),
        (EgressFault::BlackHole, "context deadline exceeded"),
    ];
    for (fault, expected) in cases {
        egress.set_rules(refuse(fault));
        let name = format!("{fault:?}").to_lowercase();
        let output = cluster.kubectl(["create", "configmap", &name]).unwrap();
        assert!(!output.status.success());
        let refused = |event: &plimsoll_testbed::audit::Event| {
            event.is_about("configmaps", "default", &name) && event.verb == "create"
        };
        let event = trail.wait_for("the refusal", SOON, refused).unwrap();
        assert_eq!((event.code(), translate(event.message())), (500, format!("{CALL}{expected}")));
    }

    let delay = Duration::from_millis(700);
    egress.set_rules(vec![EgressRule::late(EgressWhen::default(), delay)]);
    let began = Instant::now();
    let output = cluster.kubectl(["create", "configmap", "late"]).unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(began.elapsed() >= delay);
    let last = egress.records().pop().unwrap();
    assert_eq!((last.target.as_str(), last.outcome), (POD, EgressOutcome::Open));
    assert!(last.sent > 0 && last.received > 0);
}

/// The API server learns of a webhook a moment after it was stored.
fn until_called(cluster: &Cluster, egress: &Egress) {
    let deadline = Instant::now() + SOON;
    while egress.records().is_empty() {
        assert!(Instant::now() < deadline, "the webhook was never called");
        let output = cluster.kubectl(["create", "configmap", "probe", "--dry-run=server"]).unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
}

fn objects(certificate: &str) -> [Value; 3] {
    let certificate = json!(ByteString(certificate.as_bytes().to_vec()));
    [
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "hook", "namespace": "default"},
               "spec": {"ports": [{"port": 443, "targetPort": 8443}]}}),
        json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
               "metadata": {"name": "hook", "namespace": "default", "labels": {"kubernetes.io/service-name": "hook"}},
               "addressType": "IPv4", "ports": [{"port": 8443}],
               "endpoints": [{"addresses": ["10.244.9.9"], "conditions": {"ready": true}}]}),
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "hook"},
        "webhooks": [{
            "name": "hook.example.com", "sideEffects": "None", "timeoutSeconds": 2,
            "admissionReviewVersions": ["v1"], "failurePolicy": "Fail",
            "clientConfig": {"caBundle": certificate,
                             "service": {"name": "hook", "namespace": "default"}},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
                       "resources": ["configmaps"]}],
        }]}),
    ]
}

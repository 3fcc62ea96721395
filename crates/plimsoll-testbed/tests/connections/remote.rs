//! The proxies as processes of their own, told what to do over a socket.

use crate::webhook::{behind, refusal};
use crate::{SOON, process, said};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::fault::Remote;
use plimsoll_testbed::fault::api_proxy::{ApiCall, ApiFault, ApiRule, ApiWhen};
use plimsoll_testbed::fault::egress::{EgressCall, EgressFault, EgressOutcome, EgressRule, EgressWhen};
use std::time::Instant;

/// Inside the cluster the pods themselves are dialled. The API server stands in for one: it is the one server that is
/// always there.
#[tokio::test(flavor = "multi_thread")]
async fn inside_the_cluster_pods_are_reached_and_faults_are_set_from_outside() {
    let socket = "/run/plimsoll/egress.sock";
    let Some(cluster) =
        Cluster::start_for_test(Options { egress_socket: Some(socket.into()), ..Options::default() })
            .unwrap()
    else {
        return;
    };
    let _egress = process::inside(&cluster, &["egress", "--pod-network", "--socket", socket]);
    let remote = Remote::new(cluster.folder().join("egress.sock"));
    crate::apply(&cluster, &behind("10.96.0.1", 443, ""));
    let deadline = Instant::now() + SOON;
    let call = loop {
        let output = cluster.kubectl(["create", "configmap", "probe", "--dry-run=server"]).unwrap();
        if let Some(call) = remote.records::<EgressCall>().await.unwrap().pop() {
            assert!(said(&output).contains("failed to verify certificate"), "{}", said(&output));
            break call;
        }
        assert!(Instant::now() < deadline, "the webhook was never called");
    };
    assert_eq!(call.target, "10.96.0.1:443");
    assert!(call.sent > 0 && call.received > 0, "{call:?}");

    remote.set_rules(&[EgressRule::always(EgressWhen::default(), EgressFault::Refuse)]).await.unwrap();
    let expected = "dial tcp 10.96.0.1:443: connect: connection refused";
    assert_eq!(refusal(&cluster, "refused"), expected);
    let last = remote.records::<EgressCall>().await.unwrap().pop().unwrap();
    assert_eq!(last.outcome, EgressOutcome::Refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_proxy_is_told_over_its_socket() {
    let Some(cluster) = Cluster::start_for_test(Options::default()).unwrap() else { return };
    let folder = cluster.workplace().unwrap();
    let control = folder.path().join("control.sock");
    let path = |name: &str| cluster.folder().join(name).to_str().unwrap().to_owned();
    let (_proxy, address) = process::outside(&[
        "api-proxy",
        &format!("--upstream={}", cluster.address()),
        &format!("--authority={}", path("ca.crt")),
        &format!("--authority-key={}", path("ca.key")),
        &format!("--control={}", control.display()),
    ]);
    let remote = Remote::new(control);
    let get = || {
        let server = format!("--server=https://{address}");
        said(&cluster.kubectl([&server, "get", "namespace", "default", "-o=name"]).unwrap())
    };
    assert_eq!(get(), "namespace/default\n");
    let rule = ApiRule::always(ApiWhen::asked("get", "namespaces"), ApiFault::InternalError).times(1);
    remote.set_rules(&[rule]).await.unwrap();
    assert!(get().contains("InternalError"));
    remote.order("/stop").await.unwrap();
    assert!(get().contains("was refused"));
    remote.order("/resume").await.unwrap();
    assert_eq!(get(), "namespace/default\n");
    let calls: Vec<ApiCall> = remote.records().await.unwrap();
    let codes: Vec<_> =
        calls.iter().filter(|call| call.uri.ends_with("/namespaces/default")).map(|call| call.code).collect();
    assert_eq!(codes, [Some(200), Some(500), Some(200)]);
}

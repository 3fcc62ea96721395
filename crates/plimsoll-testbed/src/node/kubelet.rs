//! The settings and arguments of a kubelet whose containers are processes.

use super::order::Place;
use super::settings::NodeSettings;
use serde_json::{Value, json};

/// Its `KubeletConfiguration`.
pub(super) fn configuration(place: &Place, settings: &NodeSettings) -> Value {
    let socket = format!("unix://{}", place.socket().display());
    let file = |name: &str| place.folder.join(name).display().to_string();
    let mut configuration = json!({
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "containerRuntimeEndpoint": socket,
        "imageServiceEndpoint": socket,
        // Containers are processes: there are no cgroups to manage, and no pressure is felt.
        "failSwapOn": false,
        "failCgroupV1": false,
        "cgroupsPerQOS": false,
        "enforceNodeAllocatable": [],
        "cgroupDriver": "cgroupfs",
        "makeIPTablesUtilChains": false,
        "evictionHard": {},
        "imageGCHighThresholdPercent": 100,
        // Pulling costs nothing here, and the usual limits of the kubelet would dominate whatever is measured.
        "registryPullQPS": 0,
        "serializeImagePulls": false,
        "eventRecordQPS": 0,
        "kubeAPIQPS": 500,
        "kubeAPIBurst": 1000,
        "maxPods": 250,
        "resolvConf": "",
        "clusterDNS": ["10.96.0.10"],
        "clusterDomain": "cluster.local",
        // Its own address only: the nodes share one network namespace.
        "address": place.address,
        "readOnlyPort": 0,
        "healthzPort": 0,
        "authentication": {
            "anonymous": {"enabled": false},
            "webhook": {"enabled": true},
            "x509": {"clientCAFile": place.authority},
        },
        "authorization": {"mode": "Webhook"},
        "tlsCertFile": file("kubelet.crt"),
        "tlsPrivateKeyFile": file("kubelet.key"),
    });
    if let Value::Object(fields) = &mut configuration {
        fields.extend(settings.kubelet.clone());
    }
    configuration
}

/// Its arguments.
pub(super) fn arguments(place: &Place, settings: &NodeSettings) -> Vec<String> {
    let file = |name: &str| place.folder.join(name).display().to_string();
    let mut arguments = vec![
        format!("--config={}", file("kubelet.json")),
        format!("--kubeconfig={}", file("kubeconfig")),
        format!("--hostname-override={}", place.name),
        format!("--node-ip={}", place.address),
    ];
    if !settings.taints.is_empty() {
        arguments.push(format!("--register-with-taints={}", settings.taints.join(",")));
    }
    if !settings.labels.is_empty() {
        arguments.push(format!("--node-labels={}", settings.labels.join(",")));
    }
    arguments
}

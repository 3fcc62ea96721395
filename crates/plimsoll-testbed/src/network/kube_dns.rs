//! The Service that programs and charts know the cluster's DNS by.

use super::NetworkError;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, Patch, PatchParams};
use serde_json::json;
use std::net::Ipv4Addr;

/// Applies kube-system/kube-dns with the address that the kubelets give to pods.
pub(super) async fn ensure(client: &kube::Client, address: Ipv4Addr) -> Result<(), NetworkError> {
    let port =
        |name: &str, protocol: &str| json!({"name": name, "port": super::dns::PORT, "protocol": protocol});
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": "kube-dns",
            "labels": {"k8s-app": "kube-dns", "kubernetes.io/cluster-service": "true", "kubernetes.io/name": "CoreDNS"},
        },
        "spec": {"clusterIP": address.to_string(), "ports": [port("dns", "UDP"), port("dns-tcp", "TCP")]},
    });
    let services: Api<Service> = Api::namespaced(client.clone(), "kube-system");
    let applied = PatchParams::apply("plimsoll-testbed").force();
    services
        .patch("kube-dns", &applied, &Patch::Apply(service))
        .await
        .map(drop)
        .map_err(|cause| NetworkError::KubeDns(Box::new(cause)))
}

//! The ports that the kubelet will probe. They need not be declared, so a container that only behaves would have to
//! guess them; the pod itself says.

use k8s_openapi::api::core::v1::{Container, Pod, Probe};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{Api, Client};
use std::collections::BTreeSet;

/// The ports of a container's probes; none if the pod cannot be asked for.
pub(crate) async fn ports(client: &Client, (namespace, pod): (&str, &str), container: &str) -> BTreeSet<u16> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let spec = pods.get_opt(pod).await.ok().flatten().and_then(|pod| pod.spec).unwrap_or_default();
    let mut all = spec.containers.iter().chain(spec.init_containers.iter().flatten());
    all.find(|candidate| candidate.name == container).map(of).unwrap_or_default()
}

fn of(container: &Container) -> BTreeSet<u16> {
    let probes = [&container.startup_probe, &container.readiness_probe, &container.liveness_probe];
    probes.into_iter().flatten().filter_map(|probe| port(container, probe)).collect()
}

fn port(container: &Container, probe: &Probe) -> Option<u16> {
    let http = probe.http_get.as_ref().map(|action| action.port.clone());
    let tcp = || probe.tcp_socket.as_ref().map(|action| action.port.clone());
    let grpc = || probe.grpc.as_ref().map(|action| IntOrString::Int(action.port));
    let number = match http.or_else(tcp).or_else(grpc)? {
        IntOrString::Int(number) => number,
        IntOrString::String(name) => {
            let mut declared = container.ports.iter().flatten();
            declared.find(|port| port.name.as_ref() == Some(&name))?.container_port
        }
    };
    u16::try_from(number).ok().filter(|port| *port > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_all_kinds_of_probes_are_found() {
        let container = serde_json::json!({
            "name": "manager",
            "ports": [{"name": "metrics", "containerPort": 8443}],
            "livenessProbe": {"httpGet": {"path": "/healthz", "port": 8081}},
            "readinessProbe": {"tcpSocket": {"port": "metrics"}},
            "startupProbe": {"grpc": {"port": 9000}},
        });
        let container: Container = serde_json::from_value(container).expect("a container");
        assert_eq!(of(&container).into_iter().collect::<Vec<_>>(), [8081, 8443, 9000]);
        let exec = serde_json::json!({"name": "db", "livenessProbe": {"exec": {"command": ["pg_isready"]}}});
        let container: Container = serde_json::from_value(exec).expect("a container");
        assert_eq!(of(&container), BTreeSet::new());
    }
}

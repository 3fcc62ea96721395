//! What a container that only behaves would have to guess, and its pod says: the ports that the kubelet will probe, which
//! need not be declared, and whether others wait for its end.

use k8s_openapi::api::core::v1::{Container, Pod, PodSpec, Probe};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{Api, Client};
use std::collections::BTreeSet;

/// A container's part in its pod.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The ports of its probes.
    pub(crate) ports: BTreeSet<u16>,
    /// Whether others wait for its end: an init container, or one of a Job.
    pub(crate) is_awaited: bool,
}

/// A container's part in its pod; nothing is known of it if the pod cannot be asked for.
pub(crate) async fn part(client: &Client, (namespace, pod): (&str, &str), container: &str) -> Part {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let spec = pods.get_opt(pod).await.ok().flatten().and_then(|pod| pod.spec).unwrap_or_default();
    part_of(&spec, container).unwrap_or_default()
}

fn part_of(spec: &PodSpec, name: &str) -> Option<Part> {
    let named = |container: &&Container| container.name == name;
    let ends = spec.restart_policy.as_deref().is_some_and(|policy| policy != "Always");
    if let Some(container) = spec.containers.iter().find(named) {
        return Some(Part { ports: ports(container), is_awaited: ends });
    }
    let container = spec.init_containers.iter().flatten().find(named)?;
    let is_sidecar = container.restart_policy.as_deref() == Some("Always");
    Some(Part { ports: ports(container), is_awaited: !is_sidecar })
}

fn ports(container: &Container) -> BTreeSet<u16> {
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
    fn init_containers_and_jobs_are_awaited_and_sidecars_are_not() {
        let spec = |policy: &str| -> PodSpec {
            serde_json::from_value(serde_json::json!({
                "restartPolicy": policy,
                "containers": [{"name": "main"}],
                "initContainers": [{"name": "first"}, {"name": "beside", "restartPolicy": "Always"}],
            }))
            .expect("a pod")
        };
        let is_awaited = |policy: &str, name: &str| part_of(&spec(policy), name).expect("a part").is_awaited;
        assert!(!is_awaited("Always", "main") && is_awaited("Always", "first"));
        assert!(!is_awaited("Always", "beside") && is_awaited("OnFailure", "main"));
        assert!(part_of(&spec("Always"), "debugger").is_none());
    }

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
        assert_eq!(ports(&container).into_iter().collect::<Vec<_>>(), [8081, 8443, 9000]);
        let exec = serde_json::json!({"name": "db", "livenessProbe": {"exec": {"command": ["pg_isready"]}}});
        let container: Container = serde_json::from_value(exec).expect("a container");
        assert_eq!(ports(&container), BTreeSet::new());
    }
}

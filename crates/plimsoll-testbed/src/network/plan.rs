//! Which addresses answer, and which pods stand behind each.

use super::snapshot::Snapshot;
use k8s_openapi::api::core::v1::{Service, ServicePort};
use k8s_openapi::api::discovery::v1::{Endpoint, EndpointSlice};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Every front with at least one endpoint behind it.
pub(super) type Plan = BTreeMap<Front, Vec<SocketAddr>>;

/// An address and port that clients connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Front {
    pub(super) protocol: Protocol,
    pub(super) address: SocketAddr,
}

/// What is spoken there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Protocol {
    Tcp,
    Udp,
}

/// The plan for a snapshot.
pub(super) fn plan(snapshot: &Snapshot) -> Plan {
    let mut plan = Plan::new();
    for service in &snapshot.services {
        let ports = service.spec.as_ref().and_then(|spec| spec.ports.as_deref()).unwrap_or_default();
        for port in ports {
            let endpoints = endpoints(snapshot, service, port);
            if endpoints.is_empty() {
                continue;
            }
            for front in fronts(service, port) {
                plan.insert(front, endpoints.clone());
            }
        }
    }
    plan
}

/// Cluster addresses with the port, and every address with the node port.
fn fronts(service: &Service, port: &ServicePort) -> Vec<Front> {
    let Some(protocol) = protocol(port.protocol.as_deref()) else { return Vec::new() };
    let addresses = cluster_addresses(service).into_iter().map(|address| (address, Some(port.port)));
    let every = (Ipv4Addr::UNSPECIFIED, port.node_port.filter(|port| *port != 0));
    addresses
        .chain([every])
        .filter_map(|(address, port)| {
            let address = SocketAddr::from((address, u16::try_from(port?).ok()?));
            Some(Front { protocol, address })
        })
        .collect()
}

/// The cluster addresses of a Service; none for a headless one.
pub(super) fn cluster_addresses(service: &Service) -> Vec<Ipv4Addr> {
    let addresses = service.spec.as_ref().and_then(|spec| spec.cluster_ips.as_deref()).unwrap_or_default();
    addresses.iter().filter_map(|address| address.parse().ok()).collect()
}

fn protocol(name: Option<&str>) -> Option<Protocol> {
    match name {
        None | Some("TCP") => Some(Protocol::Tcp),
        Some("UDP") => Some(Protocol::Udp),
        Some(_) => None,
    }
}

/// The endpoints behind a port: the ready ones; if there are none, those that end and still serve (as kube-proxy does,
/// `pkg/proxy/topology.go`). That a Service publishes what is not ready stands in its slices already.
fn endpoints(snapshot: &Snapshot, service: &Service, port: &ServicePort) -> Vec<SocketAddr> {
    let all = || snapshot.slices_of(service).flat_map(|slice| in_slice(slice, port));
    let mut found: Vec<SocketAddr> =
        all().filter(|(endpoint, _)| is_ready(endpoint)).map(|(_, address)| address).collect();
    if found.is_empty() {
        found = all().filter(|(endpoint, _)| ends_serving(endpoint)).map(|(_, address)| address).collect();
    }
    found.sort();
    found.dedup();
    found
}

fn in_slice<'a>(
    slice: &'a EndpointSlice,
    port: &ServicePort,
) -> impl Iterator<Item = (&'a Endpoint, SocketAddr)> + use<'a> {
    let name = port.name.clone().unwrap_or_default();
    let wanted = protocol(port.protocol.as_deref());
    let matching = slice.ports.iter().flatten().find(|there| {
        there.name.as_deref().unwrap_or_default() == name && protocol(there.protocol.as_deref()) == wanted
    });
    let number = matching.and_then(|there| u16::try_from(there.port?).ok());
    let endpoints = slice.endpoints.iter().flatten();
    endpoints.filter_map(move |endpoint| Some((endpoint, SocketAddr::new(first_address(endpoint)?, number?))))
}

/// The address of an endpoint; of several all lead to the same pod.
pub(super) fn first_address(endpoint: &Endpoint) -> Option<IpAddr> {
    endpoint.addresses.first()?.parse().ok()
}

/// Whether an endpoint takes traffic; one that says nothing does.
pub(super) fn is_ready(endpoint: &Endpoint) -> bool {
    endpoint.conditions.as_ref().and_then(|conditions| conditions.ready).unwrap_or(true)
}

fn ends_serving(endpoint: &Endpoint) -> bool {
    endpoint
        .conditions
        .as_ref()
        .is_some_and(|conditions| conditions.serving == Some(true) && conditions.terminating == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn snapshot(spec: &Value, endpoints: &Value) -> Snapshot {
        let service = json!({"metadata": {"name": "web", "namespace": "d"}, "spec": spec});
        let slice = json!({
            "metadata": {"name": "web-1", "namespace": "d", "labels": {"kubernetes.io/service-name": "web"}},
            "addressType": "IPv4",
            "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}, {"name": "dns", "port": 5353, "protocol": "UDP"}],
            "endpoints": endpoints,
        });
        Snapshot {
            services: vec![Arc::new(serde_json::from_value(service).unwrap())],
            slices: vec![Arc::new(serde_json::from_value(slice).unwrap())],
        }
    }

    fn spec() -> Value {
        json!({"clusterIPs": ["10.96.7.7"], "ports": [
            {"name": "http", "port": 80, "nodePort": 30080},
            {"name": "dns", "port": 53, "protocol": "UDP"},
            {"name": "absent", "port": 99},
        ]})
    }

    fn told(plan: &Plan) -> Vec<String> {
        plan.iter()
            .map(|(front, behind)| format!("{:?} {} {behind:?}", front.protocol, front.address))
            .collect()
    }

    #[test]
    fn ready_endpoints_stand_behind_cluster_addresses_and_node_ports() {
        let endpoints = json!([
            {"addresses": ["10.244.0.6"], "conditions": {"ready": true}},
            {"addresses": ["10.244.0.5"], "conditions": {}},
            {"addresses": ["10.244.0.7"], "conditions": {"ready": false, "serving": false}},
        ]);
        assert_eq!(
            told(&plan(&snapshot(&spec(), &endpoints))),
            [
                "Tcp 0.0.0.0:30080 [10.244.0.5:8080, 10.244.0.6:8080]",
                "Tcp 10.96.7.7:80 [10.244.0.5:8080, 10.244.0.6:8080]",
                "Udp 10.96.7.7:53 [10.244.0.5:5353, 10.244.0.6:5353]",
            ]
        );
    }

    #[test]
    fn without_a_ready_endpoint_nothing_listens() {
        let endpoints = json!([{"addresses": ["10.244.0.7"], "conditions": {"ready": false}}]);
        assert_eq!(plan(&snapshot(&spec(), &endpoints)), Plan::new());
    }

    #[test]
    fn the_last_endpoint_serves_while_it_ends() {
        let endpoints = json!([
            {"addresses": ["10.244.0.7"], "conditions": {"ready": false, "serving": true, "terminating": true}},
        ]);
        let plan = plan(&snapshot(&spec(), &endpoints));
        assert!(told(&plan).contains(&"Tcp 10.96.7.7:80 [10.244.0.7:8080]".to_owned()));
    }

    #[test]
    fn a_headless_service_has_no_front() {
        let spec =
            json!({"clusterIP": "None", "clusterIPs": ["None"], "ports": [{"name": "http", "port": 80}]});
        let endpoints = json!([{"addresses": ["10.244.0.7"]}]);
        assert_eq!(plan(&snapshot(&spec, &endpoints)), Plan::new());
    }
}

//! Which names the cluster has, after the "DNS-Based Service Discovery" specification of Kubernetes and what CoreDNS
//! v1.13.1 does where it is silent (`plugin/kubernetes/kubernetes.go`).

use super::plan::{cluster_addresses, first_address, is_ready};
use super::snapshot::Snapshot;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::discovery::v1::{Endpoint, EndpointPort};
use std::net::{IpAddr, Ipv4Addr};

/// One thing that is known of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Its address.
    Address(Ipv4Addr),
    /// It is another name for this one.
    Alias(String),
    /// A port of it, at another name with an address.
    Port { port: u16, target: String, address: Ipv4Addr },
    /// The name of an address.
    Name(String),
}

/// The names of one cluster.
pub(super) struct Names<'a> {
    pub(super) snapshot: &'a Snapshot,
    /// `cluster.local`
    pub(super) domain: &'a str,
}

/// A pod behind a Service, with the label that it has in the Service's domain.
struct Pod<'a> {
    label: String,
    address: Ipv4Addr,
    ports: &'a [EndpointPort],
}

impl Names<'_> {
    /// Everything known of a name (lower case, no dot at the end); nothing if there is no such name.
    pub(super) fn look_up(&self, name: &str) -> Option<Vec<Known>> {
        if let Some(reversed) = name.strip_suffix(".in-addr.arpa") {
            return self.pointers(reversed);
        }
        let inside = name.strip_suffix(self.domain)?;
        let inside = if inside.is_empty() { inside } else { inside.strip_suffix('.')? };
        let labels: Vec<&str> = inside.split('.').filter(|label| !label.is_empty()).collect();
        match labels.as_slice() {
            [] | ["svc" | "pod"] => Some(Vec::new()),
            [namespace, "svc" | "pod"] => self.has_namespace(namespace).then(Vec::new),
            [address, namespace, "pod"] if self.has_namespace(namespace) => {
                Some(vec![Known::Address(address.replace('-', ".").parse().ok()?)])
            }
            [name, namespace, "svc"] => self.of_service(self.snapshot.service(namespace, name)?, None),
            [label, name, namespace, "svc"] => self.of_pod(label, self.snapshot.service(namespace, name)?),
            [port, protocol, name, namespace, "svc"] => {
                let port = (port.strip_prefix('_')?, protocol.strip_prefix('_')?);
                self.of_service(self.snapshot.service(namespace, name)?, Some(port))
            }
            _ => None,
        }
    }

    /// A Service, or one port of it by name and protocol.
    fn of_service(&self, service: &Service, wanted: Option<(&str, &str)>) -> Option<Vec<Known>> {
        let spec = service.spec.as_ref()?;
        if let Some(alias) =
            spec.external_name.as_ref().filter(|_| spec.type_.as_deref() == Some("ExternalName"))
        {
            return wanted.is_none().then(|| vec![Known::Alias(alias.trim_end_matches('.').to_lowercase())]);
        }
        let addresses = cluster_addresses(service);
        let mut known: Vec<Known> = Vec::new();
        for address in &addresses {
            known.extend(wanted.is_none().then_some(Known::Address(*address)));
            for port in spec.ports.iter().flatten() {
                if is_wanted(wanted, port.name.as_deref(), port.protocol.as_deref()) {
                    let target = self.name_of(service)?;
                    known.extend(to_port(port.port, target, *address));
                }
            }
        }
        if addresses.is_empty() {
            for pod in self.pods(service) {
                known.extend(self.of_headless(service, &pod, wanted));
            }
        }
        // A headless Service without a pod has no name at all.
        (!known.is_empty()).then_some(known)
    }

    fn of_headless(&self, service: &Service, pod: &Pod<'_>, wanted: Option<(&str, &str)>) -> Vec<Known> {
        let address = wanted.is_none().then_some(Known::Address(pod.address));
        let ports =
            pod.ports.iter().filter(|port| is_wanted(wanted, port.name.as_deref(), port.protocol.as_deref()));
        let ports = ports.filter_map(|port| {
            let target = format!("{}.{}", pod.label, self.name_of(service)?);
            to_port(port.port?, target, pod.address)
        });
        address.into_iter().chain(ports).collect()
    }

    /// One pod of a Service, by its host name or its address with dashes.
    fn of_pod(&self, label: &str, service: &Service) -> Option<Vec<Known>> {
        let pods = self.pods(service).into_iter().filter(|pod| pod.label == label);
        let known: Vec<Known> = pods.map(|pod| Known::Address(pod.address)).collect();
        (!known.is_empty()).then_some(known)
    }

    fn pointers(&self, reversed: &str) -> Option<Vec<Known>> {
        let digits: Vec<&str> = reversed.split('.').rev().collect();
        let address: Ipv4Addr = digits.join(".").parse().ok()?;
        let mut known = Vec::new();
        for service in &self.snapshot.services {
            if cluster_addresses(service).contains(&address) {
                known.extend(self.name_of(service).map(Known::Name));
            }
            for pod in self.pods(service).iter().filter(|pod| pod.address == address) {
                known.extend(self.name_of(service).map(|name| Known::Name(format!("{}.{name}", pod.label))));
            }
        }
        (!known.is_empty()).then_some(known)
    }

    /// The ready pods of a Service.
    fn pods(&self, service: &Service) -> Vec<Pod<'_>> {
        let slices = self.snapshot.slices_of(service);
        let pods = slices.flat_map(|slice| {
            let ports = slice.ports.as_deref().unwrap_or_default();
            let ready = slice.endpoints.iter().flatten().filter(|endpoint| is_ready(endpoint));
            ready.filter_map(move |endpoint| pod(endpoint, ports))
        });
        pods.collect()
    }

    fn name_of(&self, service: &Service) -> Option<String> {
        let (name, namespace) = (service.metadata.name.as_ref()?, service.metadata.namespace.as_ref()?);
        Some(format!("{name}.{namespace}.svc.{}", self.domain))
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        self.snapshot.services.iter().any(|service| service.metadata.namespace.as_deref() == Some(namespace))
    }
}

fn pod<'a>(endpoint: &Endpoint, ports: &'a [EndpointPort]) -> Option<Pod<'a>> {
    let IpAddr::V4(address) = first_address(endpoint)? else { return None };
    let label = endpoint.hostname.clone().unwrap_or_else(|| address.to_string().replace('.', "-"));
    Some(Pod { label, address, ports })
}

fn is_wanted(wanted: Option<(&str, &str)>, name: Option<&str>, protocol: Option<&str>) -> bool {
    wanted.is_none_or(|(port, spoken)| {
        name == Some(port) && protocol.unwrap_or("TCP").eq_ignore_ascii_case(spoken)
    })
}

fn to_port(port: i32, target: String, address: Ipv4Addr) -> Option<Known> {
    Some(Known::Port { port: u16::try_from(port).ok()?, target, address })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn snapshot() -> Snapshot {
        let service = |name: &str, spec: Value| {
            Arc::new(
                serde_json::from_value(json!({"metadata": {"name": name, "namespace": "d"}, "spec": spec}))
                    .unwrap(),
            )
        };
        let slice = json!({
            "metadata": {"name": "db-1", "namespace": "d", "labels": {"kubernetes.io/service-name": "db"}},
            "addressType": "IPv4",
            "ports": [{"name": "sql", "port": 5432, "protocol": "TCP"}],
            "endpoints": [
                {"addresses": ["10.244.0.5"], "hostname": "db-0", "conditions": {"ready": true}},
                {"addresses": ["10.244.0.6"], "conditions": {"ready": true}},
                {"addresses": ["10.244.0.7"], "hostname": "db-2", "conditions": {"ready": false}},
            ],
        });
        Snapshot {
            services: vec![
                service("web", json!({"clusterIPs": ["10.96.7.7"], "ports": [{"name": "http", "port": 80}]})),
                service("db", json!({"clusterIPs": ["None"], "ports": [{"name": "sql", "port": 5432}]})),
                service("empty", json!({"clusterIPs": ["None"], "ports": [{"name": "sql", "port": 5432}]})),
                service("away", json!({"type": "ExternalName", "externalName": "Example.org."})),
            ],
            slices: vec![Arc::new(serde_json::from_value(slice).unwrap())],
        }
    }

    fn look_up(name: &str) -> Option<Vec<Known>> {
        Names { snapshot: &snapshot(), domain: "cluster.local" }.look_up(name)
    }

    fn address(last: u8) -> Known {
        Known::Address(Ipv4Addr::new(10, 244, 0, last))
    }

    #[test]
    fn a_service_has_its_cluster_address_and_ports() {
        let at = Ipv4Addr::new(10, 96, 7, 7);
        let port = Known::Port { port: 80, target: "web.d.svc.cluster.local".to_owned(), address: at };
        assert_eq!(look_up("web.d.svc.cluster.local"), Some(vec![Known::Address(at), port.clone()]));
        assert_eq!(look_up("_http._tcp.web.d.svc.cluster.local"), Some(vec![port]));
        assert_eq!(look_up("_http._udp.web.d.svc.cluster.local"), None);
        assert_eq!(look_up("away.d.svc.cluster.local"), Some(vec![Known::Alias("example.org".to_owned())]));
    }

    #[test]
    fn a_headless_service_has_its_ready_pods() {
        let known = look_up("db.d.svc.cluster.local").unwrap();
        let addresses: Vec<&Known> =
            known.iter().filter(|known| matches!(known, Known::Address(_))).collect();
        assert_eq!(addresses, [&address(5), &address(6)]);
        assert_eq!(look_up("db-0.db.d.svc.cluster.local"), Some(vec![address(5)]));
        assert_eq!(look_up("10-244-0-6.db.d.svc.cluster.local"), Some(vec![address(6)]));
        assert_eq!(look_up("db-2.db.d.svc.cluster.local"), None);
        assert_eq!(look_up("empty.d.svc.cluster.local"), None);
    }

    #[test]
    fn a_port_of_a_headless_service_is_at_each_pod() {
        let targets: Vec<String> = look_up("_sql._tcp.db.d.svc.cluster.local")
            .unwrap()
            .into_iter()
            .map(|known| match known {
                Known::Port { port: 5432, target, .. } => target,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(targets, ["db-0.db.d.svc.cluster.local", "10-244-0-6.db.d.svc.cluster.local"]);
    }

    #[test]
    fn addresses_have_names() {
        let name = |name: &str| Some(vec![Known::Name(name.to_owned())]);
        assert_eq!(look_up("7.7.96.10.in-addr.arpa"), name("web.d.svc.cluster.local"));
        assert_eq!(look_up("5.0.244.10.in-addr.arpa"), name("db-0.db.d.svc.cluster.local"));
        assert_eq!(look_up("9.9.9.9.in-addr.arpa"), None);
        assert_eq!(look_up("10-244-0-9.d.pod.cluster.local"), Some(vec![address(9)]));
    }

    #[test]
    fn no_other_name_is_there() {
        for name in
            ["web.other.svc.cluster.local", "example.org", "xcluster.local", "a.b.c.d.e.svc.cluster.local"]
        {
            assert_eq!(look_up(name), None, "{name}");
        }
        for name in ["cluster.local", "svc.cluster.local", "d.svc.cluster.local"] {
            assert_eq!(look_up(name), Some(Vec::new()), "{name}");
        }
    }
}

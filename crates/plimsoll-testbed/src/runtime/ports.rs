//! The ports of a container that only behaves. The interface does not carry them; the kubelet leaves the declared ones
//! in an annotation, and programs are usually told theirs by argument or variable.

use super::interface::ContainerConfig;
use serde::Deserialize;
use std::collections::BTreeSet;

/// kubelet v1.36.4, pkg/kubelet/kuberuntime/labels.go: `containerPortsLabel`.
const ANNOTATION: &str = "io.kubernetes.container.ports";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Declared {
    container_port: u16,
    #[serde(default)]
    protocol: String,
}

/// The TCP ports a container declares, and those its arguments name.
#[must_use]
pub(crate) fn of(config: &ContainerConfig) -> BTreeSet<u16> {
    let text = config.annotations.get(ANNOTATION).map_or("[]", String::as_str);
    let declared: Vec<Declared> = serde_json::from_str(text).unwrap_or_default();
    let declared = declared.into_iter().filter(|port| matches!(port.protocol.as_str(), "" | "TCP"));
    let words = config.command.iter().chain(&config.args);
    declared.map(|port| port.container_port).chain(words.filter_map(|word| named(word))).collect()
}

/// The port in `--health-probe-bind-address=:8081`, `--listen=0.0.0.0:80`, `--metrics-port=9402` or `:8080`.
fn named(word: &str) -> Option<u16> {
    let (name, value) = word.split_once('=').unwrap_or(("", word));
    let port = match value.rsplit_once(':') {
        Some((host, port)) if host.is_empty() || is_own(host) => port,
        None if name.to_lowercase().trim_end_matches(['s']).ends_with("port") => value,
        _ => return None,
    };
    port.parse().ok().filter(|port| *port > 0)
}

/// Whether an address is one to listen on, and not another machine's.
fn is_own(host: &str) -> bool {
    matches!(host, "0.0.0.0" | "[::]" | "*" | "localhost" | "127.0.0.1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_declared_or_named() {
        let declared =
            r#"[{"name":"web","containerPort":8080,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]"#;
        let config = ContainerConfig {
            annotations: [(ANNOTATION.to_owned(), declared.to_owned())].into(),
            command: vec!["/manager".to_owned()],
            args: ["--health-probe-bind-address=:8081", "--metrics-port=9402", "--leader-elect", "--v=2"]
                .map(str::to_owned)
                .to_vec(),
            ..ContainerConfig::default()
        };
        assert_eq!(of(&config).into_iter().collect::<Vec<_>>(), [8080, 8081, 9402]);
    }

    #[test]
    fn other_numbers_are_no_ports() {
        let cases =
            ["http://vault:8200", "--timeout=30", "redis:6379", "--addr=vault:8200", ":0", "--ratio=1:2"];
        for word in cases {
            assert_eq!(named(word), None, "{word}");
        }
        for (word, port) in [("0.0.0.0:80", 80), ("--bind=[::]:443", 443), ("--webhook-port=9443", 9443)] {
            assert_eq!(named(word), Some(port), "{word}");
        }
    }
}

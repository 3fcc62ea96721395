//! A pod: namespaces and files that its containers share.

use super::error::RuntimeError;
use super::interface::{self as cri, NamespaceMode, NamespaceOption, PodSandboxConfig, PodSandboxState};
use super::network::{Wanted, held, release};
use super::node::{Node, now};
use super::selection::selects;
use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// One pod, from its start to its removal.
#[derive(Debug)]
pub(crate) struct Pod {
    /// Its identifier.
    pub(crate) id: String,
    /// What the kubelet asked for.
    pub(crate) config: PodSandboxConfig,
    /// Its address; nothing if it shares the node's network.
    pub(crate) address: Option<Ipv4Addr>,
    folder: PathBuf,
    created: i64,
    ready: AtomicBool,
}

impl Pod {
    /// Starts a pod.
    pub(crate) async fn start(node: &Node, config: PodSandboxConfig) -> Result<String, RuntimeError> {
        let id = node.identifier();
        let folder = node.options.state.join("pods").join(&id);
        std::fs::create_dir_all(&folder).map_err(RuntimeError::at(format!("create {}", folder.display())))?;
        let shares_network = network_mode(&config) == NamespaceMode::Node;
        let address = if shares_network { None } else { Some(node.take_address().await?) };
        let pod =
            Self { id: id.clone(), config, address, folder, created: now(), ready: AtomicBool::new(true) };
        let no_settings = HashMap::new();
        let settings = pod.config.linux.as_ref().map_or(&no_settings, |linux| &linux.sysctls);
        let connected = node.network.connect(&node.program, &pod.wanted(settings)).await;
        let written = pod.write_files().map_err(RuntimeError::at("write the pod's files"));
        if let Err(error) = connected.map_err(RuntimeError::from).and(written) {
            pod.stop(node).await;
            pod.remove_files();
            return Err(error);
        }
        node.add_pod(pod).await;
        Ok(id)
    }

    /// Ends a pod whose containers have ended; its address may be given again.
    pub(crate) async fn stop(&self, node: &Node) {
        if self.ready.swap(false, Ordering::SeqCst) {
            release(&self.folder);
            if let Some(address) = self.address {
                node.give_back(address).await;
            }
        }
    }

    /// Removes what the pod has written.
    pub(crate) fn remove_files(&self) {
        // What stays, stays on a file system that ends with the cluster.
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// The namespaces that its containers join.
    #[must_use]
    pub(crate) fn namespaces(&self) -> Vec<PathBuf> {
        held(&self.wanted(&HashMap::new())).into_iter().map(|(_, file)| file).collect()
    }

    /// Its network namespace; nothing if it shares the node's.
    #[must_use]
    pub(crate) fn network_namespace(&self) -> Option<PathBuf> {
        self.address.map(|_| self.folder.join("net"))
    }

    /// Files of the pod that stand in each container, by name under `/etc`.
    #[must_use]
    pub(crate) fn files(&self) -> Vec<(PathBuf, PathBuf)> {
        let named = ["resolv.conf", "hostname"]
            .map(|name| (self.folder.join(name), PathBuf::from("/etc").join(name)));
        named.into_iter().filter(|(file, _)| file.exists()).collect()
    }

    fn wanted<'a>(&'a self, settings: &'a HashMap<String, String>) -> Wanted<'a> {
        let own_name = self.address.is_some() && !self.config.hostname.is_empty();
        let host_name = Some(self.config.hostname.as_str()).filter(|_| own_name);
        Wanted { folder: &self.folder, address: self.address, host_name, settings }
    }

    fn write_files(&self) -> std::io::Result<()> {
        if !self.config.hostname.is_empty() {
            std::fs::write(self.folder.join("hostname"), format!("{}\n", self.config.hostname))?;
        }
        let Some(dns) = &self.config.dns_config else { return Ok(()) };
        if dns.servers.is_empty() && dns.searches.is_empty() && dns.options.is_empty() {
            return Ok(());
        }
        std::fs::write(self.folder.join("resolv.conf"), resolver(dns))
    }

    /// Its state.
    #[must_use]
    pub(crate) fn state(&self) -> PodSandboxState {
        if self.ready.load(Ordering::SeqCst) {
            PodSandboxState::SandboxReady
        } else {
            PodSandboxState::SandboxNotready
        }
    }

    /// Whether a filter of the kubelet's lets it through.
    #[must_use]
    pub(crate) fn passes(&self, filter: &cri::PodSandboxFilter) -> bool {
        (filter.id.is_empty() || filter.id == self.id)
            && filter.state.is_none_or(|wanted| wanted.state() == self.state())
            && selects(&filter.label_selector, &self.config.labels)
    }

    /// The pod in a list.
    #[must_use]
    pub(crate) fn item(&self) -> cri::PodSandbox {
        cri::PodSandbox {
            id: self.id.clone(),
            metadata: self.config.metadata.clone(),
            state: self.state().into(),
            created_at: self.created,
            labels: self.config.labels.clone(),
            annotations: self.config.annotations.clone(),
            runtime_handler: String::new(),
        }
    }

    /// The pod's status.
    #[must_use]
    pub(crate) fn status(&self) -> cri::PodSandboxStatus {
        let item = self.item();
        let ip = self.address.map(|address| address.to_string()).unwrap_or_default();
        let options = namespace_options(&self.config);
        cri::PodSandboxStatus {
            id: item.id,
            metadata: item.metadata,
            state: item.state,
            created_at: item.created_at,
            network: Some(cri::PodSandboxNetworkStatus { ip, additional_ips: Vec::new() }),
            linux: Some(cri::LinuxPodSandboxStatus { namespaces: Some(cri::Namespace { options }) }),
            labels: item.labels,
            annotations: item.annotations,
            runtime_handler: String::new(),
        }
    }
}

fn namespace_options(config: &PodSandboxConfig) -> Option<NamespaceOption> {
    config.linux.as_ref()?.security_context.as_ref()?.namespace_options.clone()
}

fn network_mode(config: &PodSandboxConfig) -> NamespaceMode {
    namespace_options(config).map_or(NamespaceMode::Pod, |options| options.network())
}

fn resolver(dns: &cri::DnsConfig) -> String {
    let line = |name: &str, words: &[String]| {
        if words.is_empty() { String::new() } else { format!("{name} {}\n", words.join(" ")) }
    };
    let servers: Vec<String> = dns.servers.iter().map(|server| format!("nameserver {server}\n")).collect();
    line("search", &dns.searches) + &servers.concat() + &line("options", &dns.options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resolver_is_told_what_the_kubelet_says() {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let dns = cri::DnsConfig {
            servers: owned(&["10.96.0.10", "10.96.0.11"]),
            searches: owned(&["default.svc.cluster.local", "svc.cluster.local"]),
            options: owned(&["ndots:5"]),
        };
        let expected = "search default.svc.cluster.local svc.cluster.local\n\
                        nameserver 10.96.0.10\nnameserver 10.96.0.11\noptions ndots:5\n";
        assert_eq!(resolver(&dns), expected);
        assert_eq!(resolver(&cri::DnsConfig::default()), "");
    }
}

//! Usage figures. Containers here have no limits and no control groups, so only what the kubelet needs to see is told.

use super::container::Container;
use super::interface as cri;
use super::node::now;
use super::pod::Pod;

const NOTHING: Option<cri::UInt64Value> = Some(cri::UInt64Value { value: 0 });

fn cpu() -> cri::CpuUsage {
    cri::CpuUsage { timestamp: now(), usage_core_nano_seconds: NOTHING, usage_nano_cores: NOTHING }
}

fn memory() -> cri::MemoryUsage {
    cri::MemoryUsage { timestamp: now(), working_set_bytes: NOTHING, ..cri::MemoryUsage::default() }
}

impl Container {
    /// The container's usage.
    #[must_use]
    pub(crate) fn stats(&self) -> cri::ContainerStats {
        let attributes = cri::ContainerAttributes {
            id: self.id.clone(),
            metadata: self.config.metadata.clone(),
            labels: self.config.labels.clone(),
            annotations: self.config.annotations.clone(),
        };
        let writable_layer = cri::FilesystemUsage {
            timestamp: now(),
            fs_id: Some(cri::FilesystemIdentifier { mountpoint: self.folder.to_string_lossy().into_owned() }),
            used_bytes: NOTHING,
            inodes_used: NOTHING,
        };
        cri::ContainerStats {
            attributes: Some(attributes),
            cpu: Some(cpu()),
            memory: Some(memory()),
            writable_layer: Some(writable_layer),
        }
    }
}

impl Pod {
    /// The pod's usage.
    #[must_use]
    pub(crate) fn stats(&self) -> cri::PodSandboxStats {
        let attributes = cri::PodSandboxAttributes {
            id: self.id.clone(),
            metadata: self.config.metadata.clone(),
            labels: self.config.labels.clone(),
            annotations: self.config.annotations.clone(),
        };
        let linux =
            cri::LinuxPodSandboxStats { cpu: Some(cpu()), memory: Some(memory()), containers: Vec::new() };
        cri::PodSandboxStats { attributes: Some(attributes), linux: Some(linux) }
    }
}

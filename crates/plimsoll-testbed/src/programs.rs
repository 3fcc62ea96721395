//! The real programs of a cluster: found among `$KUBEBUILDER_ASSETS`, then in the cache by version, else built through
//! the Go module proxy.

mod cache;
mod failure;

pub use failure::ProgramError;

use std::path::PathBuf;

/// The version of Kubernetes that clusters have when nobody asks for another.
pub const KUBERNETES: &str = "v1.36.4";

/// A real program in a certain version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    name: &'static str,
    version: String,
    is_kubernetes: bool,
}

impl Program {
    /// A program of the table.
    pub fn named(name: &str) -> Result<Self, ProgramError> {
        let row = TABLE.iter().find(|(known, _)| *known == name);
        let (name, version) = row.ok_or_else(|| ProgramError::Unknown { name: name.to_owned() })?;
        let is_kubernetes = *version == KUBERNETES;
        Ok(Self { name, version: (*version).to_owned(), is_kubernetes })
    }

    /// The same in the given version of Kubernetes, if it is a part of Kubernetes.
    #[must_use]
    pub fn of_kubernetes(mut self, version: &str) -> Self {
        if self.is_kubernetes {
            version.clone_into(&mut self.version);
        }
        self
    }

    /// Where it lies, if it is there already.
    #[must_use]
    pub fn find(&self) -> Option<PathBuf> {
        let assets =
            std::env::var_os("KUBEBUILDER_ASSETS").map(|folder| PathBuf::from(folder).join(self.name));
        assets.into_iter().chain(cache::path(self.name, &self.version)).find(|path| path.is_file())
    }

    /// Where it lies; it is built if it must be.
    pub fn obtain(&self, _progress: &mut dyn FnMut(&str)) -> Result<PathBuf, ProgramError> {
        self.find().ok_or_else(|| ProgramError::Missing { name: self.name, version: self.version.clone() })
    }
}

/// The folders of all programs that are in the cache in the versions of the table.
#[must_use]
pub fn folders() -> Vec<PathBuf> {
    let paths = TABLE.iter().filter_map(|(name, version)| cache::path(name, version));
    paths.filter(|path| path.is_file()).filter_map(|path| path.parent().map(PathBuf::from)).collect()
}

/// Names and versions.
const TABLE: &[(&str, &str)] = &[
    ("cert-manager", "v1.21.2"),
    ("etcd", "v3.6.8"),
    ("external-secrets", "v0.20.4"),
    ("helm3", "v3.22.0"),
    ("helm4", "v4.3.1"),
    ("helm-controller", "v1.4.0"),
    ("kube-apiserver", KUBERNETES),
    ("kube-controller-manager", KUBERNETES),
    ("kube-scheduler", KUBERNETES),
    ("kubeconform", "v0.8.0"),
    ("kubectl", KUBERNETES),
    ("kubelet", KUBERNETES),
    ("kustomize", "v5.8.1"),
    ("kustomize-controller", "v1.9.4"),
    ("kwok", "v0.8.0"),
];

//! A real control plane that lives exactly as long as it is wanted: [`Cluster::start`] gives one to a test, and when the
//! value is dropped, or its process dies in whatever way, nothing of it is left. `docs/decisions/0004` says how.

mod certificates;
mod clean;
mod control_plane;
mod etcd;
mod failure;
mod for_test;
mod forwarder;
mod kubeconfig;
mod launch;
mod messages;
mod nodes;
mod options;
pub(crate) mod patience;
mod readiness;
mod reset;
mod room;
mod running;
mod services;
mod supervisor;

pub use failure::ClusterError;
pub use launch::PROGRAMS;
pub use options::{AuditLevel, Isolation, Options};
pub use reset::ResetSettings;
pub use running::{Running, running};
pub use supervisor::supervise;

pub(crate) use launch::own_program;

use crate::processes::tied;
use launch::Launched;
use std::ffi::OsStr;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A running cluster; it is gone when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    launched: Launched,
    kubectl: PathBuf,
    options: Options,
}

impl Deref for Cluster {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.launched.running
    }
}

impl Cluster {
    /// Starts a cluster and waits until it is ready: the API server answers `/readyz`, the controllers have made the
    /// ServiceAccount that every pod needs, and every real node says that it is ready.
    pub fn start(options: Options) -> Result<Self, ClusterError> {
        Self::start_with_progress(options, &mut |_| {})
    }

    /// As [`Cluster::start`], and tells what it is at, one short line at a time.
    pub fn start_with_progress(
        options: Options,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Self, ClusterError> {
        let (launched, kubectl) = launch::launch(&options, progress)?;
        Ok(Self { launched, kubectl, options })
    }

    /// Where a file of the cluster lies for processes inside it.
    #[must_use]
    pub fn seen_inside(&self, file: &Path) -> PathBuf {
        self.launched.inside_folder.join(file.strip_prefix(self.folder()).unwrap_or(file))
    }

    /// The kubeconfig for processes inside the cluster's network, as they see it.
    #[must_use]
    pub fn inside_kubeconfig_path(&self) -> PathBuf {
        self.launched.inside_folder.join(kubeconfig::INSIDE)
    }

    /// Runs `kubectl` with these arguments against the cluster.
    pub fn kubectl<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<Output, ClusterError> {
        self.command(&self.kubectl)
            .args(arguments)
            .output()
            .map_err(|cause| ClusterError::Program { program: "kubectl".to_owned(), cause })
    }

    /// Where the `kubectl` of the cluster's version lies.
    #[must_use]
    pub fn kubectl_path(&self) -> &Path {
        &self.kubectl
    }

    /// A command with `KUBECONFIG` set to this cluster, run outside it as any client would be. It ends with the thread
    /// that starts it.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let mut command = tied(program);
        command.env("KUBECONFIG", self.kubeconfig_path());
        // Otherwise kubectl leaves what it has discovered in the home of the user.
        command.env("KUBECACHEDIR", self.cache_path());
        command
    }

    /// A command inside the cluster's namespaces, where its network is; it ends with the cluster. Without namespaces
    /// of its own the cluster is on this machine's loopback, and so is the command.
    #[must_use]
    pub fn command_inside(&self, program: &Path) -> Command {
        let mut command = match self.launched.isolation {
            Isolation::Plain => Command::new(program),
            isolation => {
                let mut command = Command::new("nsenter");
                let target = self.supervisor().to_string();
                if isolation == Isolation::User {
                    command.args(["--user", "--preserve-credentials"]);
                }
                command.args(["--target", &target, "--mount", "--net", "--pid", "--"]).arg(program);
                command
            }
        };
        command.env("KUBECONFIG", self.inside_kubeconfig_path());
        command
    }

    /// The address of the API server from outside, `127.0.0.1:PORT`.
    #[must_use]
    pub fn address(&self) -> std::net::SocketAddr {
        self.launched.address
    }

    /// How the cluster is kept apart from this machine.
    #[must_use]
    pub fn isolation(&self) -> Isolation {
        self.launched.isolation
    }

    /// What was asked for.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Lets the cluster live on without this process; it then ends by [`Running::end`].
    pub fn detach(self) -> Result<Running, ClusterError> {
        self.launched.detach()
    }
}

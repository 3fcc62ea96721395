//! A used cluster as good as new, for tests that do not need one of their own.

use super::failure::ClusterError;
use super::{Cluster, launch, running, supervisor};
use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

/// How long the API server may take to hear of what is gone.
const PATIENCE: Duration = Duration::from_secs(30);

impl Cluster {
    /// Deletes everything that was created since the cluster was ready: namespaces, definitions, webhooks, all objects
    /// in the namespaces that stay. Nodes stay. An object that was there and was changed stays changed. Gives the keys
    /// of what is gone, as etcd has them.
    pub fn clean(&self) -> Result<Vec<String>, ClusterError> {
        let since = running::read(&self.folder().join(supervisor::BEGINNING))?;
        let output = self
            .command_inside(&launch::own_program()?)
            .arg("reset")
            .args(since.split_whitespace())
            .output()
            .map_err(|cause| self.unclean(cause))?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(self.unclean(io::Error::other(complaint)));
        }
        let gone: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
        self.wait_until_heard(&gone)?;
        Ok(gone)
    }

    /// The API server hears of deletions by watching: for a moment it may still call a webhook, or serve a kind, that
    /// is gone.
    fn wait_until_heard(&self, gone: &[String]) -> Result<(), ClusterError> {
        let deadline = Instant::now() + PATIENCE;
        let names = |part: &'static str| gone.iter().filter_map(move |key| Some(key.split_once(part)?.1));
        let groups: BTreeSet<&str> =
            names("/customresourcedefinitions/").filter_map(|name| Some(name.split_once('.')?.1)).collect();
        for group in groups {
            self.until(&["get", "--raw", &format!("/apis/{group}")], false, deadline)?;
        }
        if names("webhookconfigurations/").next().is_some() {
            self.until(&["create", "configmap", "is-clean", "--dry-run=server"], true, deadline)?;
        }
        Ok(())
    }

    /// Asks until it succeeds, or until it fails, whichever is wanted.
    fn until(&self, arguments: &[&str], wanted: bool, deadline: Instant) -> Result<(), ClusterError> {
        loop {
            let output = self.kubectl(arguments)?;
            if output.status.success() == wanted {
                return Ok(());
            }
            if Instant::now() > deadline {
                let complaint = String::from_utf8_lossy(&output.stderr);
                return Err(
                    self.unclean(io::Error::other(format!("kubectl {}: {complaint}", arguments.join(" "))))
                );
            }
        }
    }

    fn unclean(&self, cause: io::Error) -> ClusterError {
        ClusterError::Clean { name: self.name().to_owned(), cause }
    }
}

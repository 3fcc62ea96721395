//! A used cluster as good as new, for tests that do not need one of their own.

use super::failure::ClusterError;
use super::patience::{PROBE, Patience};
use super::{Cluster, launch, running, supervisor};
use std::collections::BTreeSet;
use std::io;

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
        self.wait_until_heard(&gone).map_err(|cause| self.unclean(cause))?;
        Ok(gone)
    }

    /// The API server hears of deletions by watching: for a moment it may still call a webhook, serve a kind or ask a
    /// policy that is gone.
    fn wait_until_heard(&self, gone: &[String]) -> io::Result<()> {
        let names = |part: &'static str| gone.iter().filter_map(move |key| Some(key.split_once(part)?.1));
        let groups: BTreeSet<&str> =
            names("/customresourcedefinitions/").filter_map(|name| Some(name.split_once('.')?.1)).collect();
        let patience = Patience::new(|arguments| self.kubectl(arguments).map_err(io::Error::other));
        for group in groups {
            patience.until(&["get", "--raw", &format!("/apis/{group}")], false)?;
        }
        if names("webhookconfigurations/").next().is_some() {
            patience.until(&PROBE, true)?;
        }
        if names("admissionpolicies/").next().is_some() {
            patience.until_policies_are_renewed(self.folder())?;
        }
        Ok(())
    }

    fn unclean(&self, cause: io::Error) -> ClusterError {
        ClusterError::Clean { name: self.name().to_owned(), cause }
    }
}

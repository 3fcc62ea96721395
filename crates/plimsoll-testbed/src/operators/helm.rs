//! The real Helm, in either of its major versions, against one cluster.

use super::chart::Chart;
use super::failure::{OperatorError, succeeded};
use crate::cluster::{Cluster, ClusterError};
use crate::programs::Program;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

/// Helm with a home of its own, so that nothing of this user's Helm takes part.
#[derive(Debug)]
pub struct Helm<'a> {
    program: PathBuf,
    cluster: &'a Cluster,
    home: TempDir,
}

impl<'a> Helm<'a> {
    /// `helm3` or `helm4`.
    pub fn new(name: &str, cluster: &'a Cluster) -> Result<Self, OperatorError> {
        let program = Program::named(name)?.obtain(&mut |_| {})?;
        Ok(Self { program, cluster, home: cluster.workplace()? })
    }

    /// `helm install`, into a namespace that it makes.
    pub fn install(&self, chart: &Chart, words: &[&str]) -> Result<(), OperatorError> {
        let path = chart.path().display().to_string();
        let mut all = vec!["install", chart.name, &path, "--namespace", chart.name, "--create-namespace"];
        all.extend(chart.values);
        all.extend(words);
        succeeded(&format!("helm install {}", chart.name), &self.run(&all)?).map(drop)
    }

    /// Runs Helm with these words; how it ended is for the caller to judge.
    pub fn run<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<Output, OperatorError> {
        let home = self.home.path();
        self.cluster
            .command(&self.program)
            .envs([("HELM_CACHE_HOME", home), ("HELM_CONFIG_HOME", home), ("HELM_DATA_HOME", home)])
            .args(words)
            .output()
            .map_err(|cause| ClusterError::Program { program: "helm".to_owned(), cause }.into())
    }
}

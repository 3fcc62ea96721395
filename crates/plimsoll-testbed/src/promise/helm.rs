//! What helm 3 and helm 4 were seen to send, and what `--wait` was seen to wait for.
//!
//! What is seen is kept as a table, `observed/helm.tsv`: one line for requests of one kind that follow each other, in the
//! order of the audit log. Tests of the knowledge hold its promises against it (`tools/helm/observed.rs`).

mod chart;
mod compare;
mod table;

pub use compare::differences;

use super::failure::PromiseError;
use super::run::refuse_labelled;
use super::trace;
use crate::audit::Trail;
use crate::cluster::{Cluster, Options};
use crate::programs::Program;
use chart::{CHARTS, PROBES, Probe};
use std::path::{Path, PathBuf};
use std::process::Output;

/// The tools, by the name of their program.
const TOOLS: [&str; 2] = ["helm3", "helm4"];

/// What is done with a release, and the chart it is done with.
const OPERATIONS: [(&str, &[&str]); 6] = [
    ("install", &["install", "whole", "CHARTS/whole"]),
    ("upgrade", &["upgrade", "whole", "CHARTS/later"]),
    ("rollback", &["rollback", "whole", "1"]),
    ("uninstall", &["uninstall", "whole"]),
    ("install-refused", &["install", "TOOL-refused", "CHARTS/refused"]),
    ("install-stuck-hook", &["install", "TOOL-stuck", "CHARTS/stuck", "--timeout", "5s"]),
];

/// Plays every operation and every probe with both tools; the text of `observed/helm.tsv`.
pub fn observe(progress: &mut dyn FnMut(&str)) -> Result<String, PromiseError> {
    let cluster = Cluster::start_with_progress(Options::default(), progress)?;
    refuse_labelled(&cluster)?;
    let mut waits = Vec::new();
    let mut codes = Vec::new();
    for tool in TOOLS {
        let helm = Helm::new(&cluster, tool, progress)?;
        for (operation, words) in OPERATIONS {
            progress(&format!("{tool} {operation}"));
            let code = helm.run(&format!("{tool}-{operation}"), words)?.status.code().unwrap_or(-1);
            codes.push((tool, operation, code));
        }
        for (probe, output) in helm.probe_all()? {
            waits.push((tool, probe.name, outcome(&output)));
        }
    }
    let mut trail = Trail::from_start(cluster.audit_log())?;
    let traces = trace::traces(trail.events()?);
    Ok(table::write(&codes, &waits, &traces))
}

/// Whether the wait was over before its time was.
fn outcome(output: &Output) -> &'static str {
    let said = String::from_utf8_lossy(&output.stderr);
    let is_timeout =
        ["deadline exceeded", "timed out", "context canceled"].iter().any(|words| said.contains(words));
    match (output.status.success(), is_timeout) {
        (true, _) => "returns",
        (false, true) => "waits",
        (false, false) => "fails",
    }
}

/// One of the tools, with charts that carry its name.
struct Helm<'a> {
    cluster: &'a Cluster,
    tool: &'static str,
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl<'a> Helm<'a> {
    fn new(
        cluster: &'a Cluster,
        tool: &'static str,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Self, PromiseError> {
        let program = Program::named(tool)?.obtain(progress)?;
        let folder = cluster.workplace()?;
        for (name, files) in CHARTS {
            chart::write(&folder.path().join(name), files(), tool)?;
        }
        Ok(Self { cluster, tool, program, folder })
    }

    /// Runs the tool in the name of a user, by which its requests are told apart.
    fn run(&self, user: &str, words: &[&str]) -> Result<Output, PromiseError> {
        let charts = self.folder.path().display().to_string();
        let words = words.iter().map(|word| word.replace("CHARTS", &charts).replace("TOOL", self.tool));
        self.cluster
            .command(&self.program)
            .args(words)
            .args(["--namespace", "default", "--kube-as-user", user, "--kube-as-group", "system:masters"])
            .env("HOME", self.folder.path())
            .output()
            .map_err(|cause| PromiseError::Run { program: self.program.display().to_string(), cause })
    }

    /// Every probe with `--wait`, all at once, and long enough for controllers on a busy machine.
    fn probe_all(&self) -> Result<Vec<(&'static Probe, Output)>, PromiseError> {
        std::thread::scope(|scope| {
            let probes: Vec<_> =
                PROBES.iter().map(|probe| (probe, scope.spawn(move || self.probe(probe)))).collect();
            let ended = probes.into_iter().filter_map(|(probe, thread)| Some((probe, thread.join().ok()?)));
            ended.map(|(probe, output)| Ok((probe, output?))).collect()
        })
    }

    fn probe(&self, probe: &Probe) -> Result<Output, PromiseError> {
        let folder: &Path = &self.folder.path().join(probe.name);
        chart::write(folder, vec![("templates/probe.yaml".to_owned(), (probe.object)())], probe.name)?;
        let path = folder.display().to_string();
        let mut words = vec!["install", probe.name, &path, "--wait", "--timeout", "45s"];
        words.extend(probe.flag);
        let output = self.run("probe", &words)?;
        self.run("probe", &["uninstall", probe.name])?;
        Ok(output)
    }
}

//! The one client of the witness: real kubectl, as somebody who reads a page would use it.

use super::failure::Failure;
use crate::processes::tied;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// kubectl, and the configuration with which it reaches a cluster.
#[derive(Debug, Clone)]
pub(super) struct Kubectl {
    /// The folder of the programs; it comes first on the path of scripts.
    pub(super) programs: PathBuf,
    pub(super) kubeconfig: PathBuf,
    /// Where it remembers what the server has: one folder a play, so that no play knows more than a first run would.
    pub(super) memory: PathBuf,
}

/// What a command said, and how it ended.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) is_success: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Kubectl {
    /// Runs it.
    pub(super) fn run(&self, arguments: &[&str]) -> Result<Said, Failure> {
        let mut command = self.command(&self.programs.join("kubectl"));
        Ok(command.args(arguments).output().map_err(Failure::program("kubectl"))?.into())
    }

    /// Sends a file or a folder, whoever has sent it before.
    pub(super) fn apply(&self, path: &Path) -> Result<Said, Failure> {
        let path = path.to_string_lossy();
        self.run(&["apply", "--server-side", "--force-conflicts", "--filename", &path])
    }

    /// Runs a line or a script of the shell in a folder, for at most so many seconds.
    pub(super) fn shell(&self, folder: &Path, arguments: &[&str], seconds: u32) -> Result<Said, Failure> {
        let mut command = self.command(Path::new("timeout"));
        command.current_dir(folder).args(["--kill-after=5", &seconds.to_string(), "bash"]).args(arguments);
        Ok(command.output().map_err(Failure::program("bash"))?.into())
    }

    /// A process that ends with the thread that starts it, also if that is killed.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = tied(program);
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(self.programs.clone()).chain(std::env::split_paths(&rest));
        if let Ok(path) = std::env::join_paths(paths) {
            command.env("PATH", path);
        }
        command.env("KUBECONFIG", &self.kubeconfig).env("KUBECACHEDIR", &self.memory);
        for home in ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"] {
            command.env(home, &self.memory);
        }
        command
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            is_success: output.status.success(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

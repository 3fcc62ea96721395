//! The program measured beside ours: kubeconform, which holds the same manifests against Kubernetes' schemas.

use super::schemas;
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The version that is measured.
pub(super) const VERSION: &str = "v0.8.0";

/// kubeconform with the schemas of every kind of Kubernetes in files of its own.
pub(super) struct Kubeconform {
    program: PathBuf,
    schemas: TempDir,
}

/// Finds or builds kubeconform, gives it schemas, and makes sure that it refuses what it should.
pub(super) fn prepare() -> Result<Kubeconform> {
    let program = match found().into_iter().find(|program| is_wanted(program)) {
        Some(program) => program,
        None => build()?,
    };
    let kubeconform = Kubeconform { program, schemas: schemas::write()? };
    kubeconform.prove()?;
    Ok(kubeconform)
}

impl Kubeconform {
    /// The path of the program.
    pub(super) fn program(&self) -> String {
        self.program.display().to_string()
    }

    /// Where it finds the schema of a kind.
    pub(super) fn location(&self) -> String {
        format!("{}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json", self.schemas.path().display())
    }

    /// A time without work is worth nothing: a good object must pass and a broken one must not.
    fn prove(&self) -> Result<()> {
        let folder = TempDir::with_prefix("plimsoll-bench-")?;
        let passes = |replicas: &str| -> Result<bool> {
            let file = folder.path().join("deployment.yaml");
            let text = include_str!("input/deployment.yaml").replace("replicas: 3", replicas);
            std::fs::write(&file, text)?;
            let location = self.location();
            let mut command = Command::new(&self.program);
            let status = command.args(["-schema-location", &location]).arg(&file).output()?.status;
            Ok(status.success())
        };
        ensure!(passes("replicas: 3")?, "kubeconform refuses a Deployment that is right");
        ensure!(!passes("replicas: three")?, "kubeconform accepts a Deployment that is wrong");
        Ok(())
    }
}

/// Where the program may be: beside the test cluster's programs, in the cache, or on the path.
fn found() -> Vec<PathBuf> {
    let assets = std::env::var_os("KUBEBUILDER_ASSETS").map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders = assets.into_iter().chain(cache().ok()).chain(std::env::split_paths(&paths));
    folders.map(|folder| folder.join("kubeconform")).filter(|program| program.is_file()).collect()
}

/// A released program says its version; one that `go install` built says so only to `go`.
fn is_wanted(program: &Path) -> bool {
    let said = |command: &mut Command| {
        let stdout = command.arg(program).output().map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&stdout).into_owned()
    };
    let built = said(Command::new("go").args(["version", "-m"]));
    built.split_whitespace().any(|word| word == VERSION)
}

fn build() -> Result<PathBuf> {
    let folder = cache()?;
    let status = Command::new("go")
        .current_dir(std::env::temp_dir())
        .env("GOBIN", &folder)
        .args(["install", &format!("github.com/yannh/kubeconform/cmd/kubeconform@{VERSION}")])
        .status()
        .context("running go")?;
    ensure!(status.success(), "go install kubeconform@{VERSION}: {status}");
    Ok(folder.join("kubeconform"))
}

fn cache() -> Result<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    Ok(cache.context("no home folder")?.join("plimsoll/bin"))
}

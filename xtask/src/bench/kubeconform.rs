//! The program measured beside ours: kubeconform, which holds the same manifests against Kubernetes' schemas.

use super::schemas;
use anyhow::{Result, ensure};
use plimsoll_testbed::programs::Program;
use plimsoll_testbed::workplace::Workplace;
use std::path::PathBuf;
use std::process::Command;

/// kubeconform with the schemas of every kind of Kubernetes in files of its own.
pub(super) struct Kubeconform {
    program: PathBuf,
    version: String,
    schemas: Workplace,
}

/// Finds or builds kubeconform, gives it schemas, and makes sure that it refuses what it should.
pub(super) fn prepare() -> Result<Kubeconform> {
    let program = Program::named("kubeconform")?;
    let version = program.version().to_owned();
    let kubeconform =
        Kubeconform { program: program.obtain(&mut super::say)?, version, schemas: schemas::write()? };
    kubeconform.prove()?;
    Ok(kubeconform)
}

impl Kubeconform {
    /// Its version.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

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
        let folder = Workplace::open()?;
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

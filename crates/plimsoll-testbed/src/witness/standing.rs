//! What every cluster of the witness has from the start: the kinds of cert-manager and of the Gateway API, as their own
//! releases define them, devices without a driver, and a running cert-manager with an authority to sign for. Where a play
//! needs it, external-secrets as well.

use super::company::Company;
use super::failure::Failure;
use super::kubectl::Kubectl;
use super::trust::{Trust, base64};
use crate::processes::tied;
use crate::programs::Program;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// Modules whose archives hold definitions, and the folder inside.
const DEFINITIONS: [(&str, &str); 2] = [
    ("github.com/cert-manager/cert-manager@v1.21.2", "deploy/crds"),
    ("sigs.k8s.io/gateway-api@v1.6.0", "config/crd/standard"),
];
/// The same for external-secrets.
const OF_EXTERNAL_SECRETS: (&str, &str) =
    ("github.com/external-secrets/external-secrets@v0.20.4", "config/crds/bases");

/// Programs that run beside a cluster; they end with this.
#[derive(Debug)]
pub(super) struct Standing {
    operators: Vec<Child>,
}

impl Standing {
    /// Sets it all up and waits until it works.
    pub(super) fn set(
        kubectl: &Kubectl,
        folder: &Path,
        trust: &Trust,
        company: &[Company],
    ) -> Result<Self, Failure> {
        let has_secrets = company.contains(&Company::ExternalSecrets);
        for (module, inside) in DEFINITIONS.into_iter().chain(has_secrets.then_some(OF_EXTERNAL_SECRETS)) {
            let path = download(module)?.join(inside);
            let path = path.to_string_lossy();
            kubectl.run(&["apply", "--server-side", "--force-conflicts", "--filename", &path])?;
        }
        kubectl.run(&["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"])?;
        kubectl.run(&["create", "namespace", "cert-manager"])?;
        let devices = folder.join("devices.yaml");
        std::fs::write(&devices, include_str!("stage/devices.yaml")).map_err(Failure::file(&devices))?;
        kubectl.run(&["apply", "--filename", &devices.to_string_lossy()])?;
        let kubeconfig = format!("--kubeconfig={}", kubectl.kubeconfig.display());
        let arguments = ["--only=controller,cainjector", "--enable-gateway-api", &kubeconfig];
        let mut standing = Self { operators: vec![run(kubectl, "cert-manager", &arguments)?] };
        if has_secrets {
            // Several run on one machine, and nobody asks for their figures.
            let arguments = ["--metrics-addr=0", "--live-addr=0"];
            standing.operators.push(run(kubectl, "external-secrets", &arguments)?);
        }
        let authority = folder.join("authority.yaml");
        let text = include_str!("stage/authority.yaml")
            .replace("CERTIFICATE", &base64(trust.certificate.as_bytes()))
            .replace("KEY", &base64(trust.key.as_bytes()));
        std::fs::write(&authority, text).map_err(Failure::file(&authority))?;
        let authority = authority.to_string_lossy();
        kubectl.run(&["apply", "--filename", &authority])?;
        let said =
            kubectl.run(&["wait", "--for=condition=Ready", "clusterissuer/witness", "--timeout=60s"])?;
        if said.is_success {
            return Ok(standing);
        }
        let cause = format!("cert-manager does not answer: {}", said.stderr);
        Err(Failure::Cluster { kubeconfig: kubectl.kubeconfig.display().to_string(), cause })
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        for operator in &mut self.operators {
            // One that has ended already needs no end.
            let _ = operator.kill();
            let _ = operator.wait();
        }
    }
}

/// Runs an operator beside the cluster.
fn run(kubectl: &Kubectl, name: &str, arguments: &[&str]) -> Result<Child, Failure> {
    let missing = || Failure::Cluster {
        kubeconfig: kubectl.kubeconfig.display().to_string(),
        cause: format!(
            "there is no {name} to run beside it; `cargo xtask test-cluster up --with {name}` builds it"
        ),
    };
    let program = Program::named(name).ok().and_then(|program| program.find()).ok_or_else(missing)?;
    let mut command = kubectl.command(&program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(Failure::program(name))
}

/// The folder of a Go module, fetched if it is not there.
fn download(module: &str) -> Result<PathBuf, Failure> {
    let mut command = tied("go");
    // Outside any Go module, so that no go.mod of the caller takes part.
    command.current_dir(std::env::temp_dir()).args(["mod", "download", "-json", module]);
    let output = command.output().map_err(Failure::program("go"))?;
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    match answer.get("Dir").and_then(Value::as_str) {
        Some(folder) => Ok(folder.into()),
        None => Err(Failure::Program {
            program: format!("go mod download {module}"),
            cause: std::io::Error::other(
                answer.get("Error").and_then(Value::as_str).unwrap_or("no folder").to_owned(),
            ),
        }),
    }
}

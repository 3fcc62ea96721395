//! Flux's kustomize-controller and helm-controller, from the manifests in their modules.

use super::chart;
use super::failure::{OperatorError, succeeded};
use crate::cluster::Cluster;
use crate::programs::{Program, module_folder};
use crate::workplace::Workplace;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The release whose definitions of sources both controllers understand.
const SOURCES: &str = "github.com/fluxcd/source-controller@v1.9.6";

/// The controllers of this part of Flux.
const CONTROLLERS: [&str; 2] = ["kustomize-controller", "helm-controller"];

/// Where an argument is added in a Deployment.
const ARGUMENTS: &str = "/spec/template/spec/containers/0/args/-";

/// A kustomization with everything that is installed; gone when dropped.
#[derive(Debug)]
pub struct Flux {
    folder: Workplace,
}

impl Flux {
    /// As the projects publish it, in the namespace `flux-system`.
    pub fn lay_out() -> Result<Self, OperatorError> {
        Self::with_arguments(&[])
    }

    /// The same with more arguments for both controllers, such as `--requeue-dependency=1s` for tests that shall not
    /// wait for the default of 30 s.
    pub fn with_arguments(arguments: &[&str]) -> Result<Self, OperatorError> {
        let folder = Workplace::open().map_err(OperatorError::file(&std::env::temp_dir()))?;
        let mut resources = vec!["namespace.json".to_owned(), "sources".to_owned()];
        chart::copy(&module_folder(SOURCES)?.join("config/crd"), &folder.path().join("sources"))?;
        for name in CONTROLLERS {
            let version = Program::named(name)?.version().to_owned();
            let config = module_folder(&format!("github.com/fluxcd/{name}@{version}"))?.join("config");
            for part in ["crd", "rbac", "manager"] {
                chart::copy(&config.join(part), &folder.path().join(name).join(part))?;
                resources.push(format!("{name}/{part}"));
            }
        }
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "flux-system"}});
        write(&folder.path().join("namespace.json"), &namespace)?;
        let kustomization = json!({
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "namespace": "flux-system",
            "resources": resources,
            "patches": patches(arguments),
        });
        write(&folder.path().join("kustomization.yaml"), &kustomization)?;
        Ok(Self { folder })
    }

    /// Applies it and waits until both controllers are ready.
    pub fn install(&self, cluster: &Cluster) -> Result<(), OperatorError> {
        let path = self.folder.path().display().to_string();
        let apply = cluster.kubectl(["apply", "--server-side", "--kustomize", &path])?;
        succeeded("kubectl apply of Flux", &apply)?;
        let wait = ["--namespace=flux-system", "wait", "deployment", "--all", "--timeout=180s"];
        let wait = cluster.kubectl(wait.into_iter().chain(["--for=condition=Available"]))?;
        succeeded("waiting for Flux", &wait).map(drop)
    }
}

fn patches(arguments: &[&str]) -> Value {
    let adding = |argument: &&str| json!({"op": "add", "path": ARGUMENTS, "value": argument});
    let patch = Value::Array(arguments.iter().map(adding).collect()).to_string();
    let patches = (!arguments.is_empty()).then(|| json!({"target": {"kind": "Deployment"}, "patch": patch}));
    patches.into_iter().collect()
}

fn write(path: &Path, content: &Value) -> Result<(), OperatorError> {
    fs::write(path, content.to_string()).map_err(OperatorError::file(path))
}

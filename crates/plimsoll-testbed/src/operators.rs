//! Real operators from their real charts and manifests, which lie in their Go modules: cert-manager, external-secrets and
//! the two controllers of Flux that deploy. Their images are rows of `operators/images.yaml`; the programs behind them
//! are built from the same modules.

mod artifact;
mod chart;
mod failure;
mod flux;
mod helm;
mod images;
mod refusal;
mod serve;

pub use artifact::{Artifact, Storage};
pub use chart::Chart;
pub use failure::OperatorError;
pub use flux::Flux;
pub use helm::Helm;
pub use images::IMAGES;
pub use refusal::{Refusal, Refused};
pub use serve::ServeSettings;

use crate::cluster::Cluster;
use crate::programs::Program;
use std::str::FromStr;
use std::thread;

/// An operator that the testbed can install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// cert-manager: controllers, webhook, CA injector and start-up check, by Helm in the namespace `cert-manager`.
    CertManager,
    /// External Secrets: controller, webhook and certificate controller, by Helm in `external-secrets`.
    ExternalSecrets,
    /// Flux: kustomize-controller and helm-controller in `flux-system`. There is no source-controller, because there is
    /// nothing that it could fetch; [`Storage`] stands in for it.
    Flux,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CertManager, Self::ExternalSecrets, Self::Flux];

    /// What it is called, also on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CertManager => "cert-manager",
            Self::ExternalSecrets => "external-secrets",
            Self::Flux => "flux",
        }
    }

    /// The programs behind its images, and the one that installs it.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Self::CertManager => &["cert-manager", "helm4"],
            Self::ExternalSecrets => &["external-secrets", "helm4"],
            Self::Flux => &["kustomize-controller", "helm-controller"],
        }
    }

    /// Installs it and waits until it is ready.
    fn install(self, cluster: &Cluster) -> Result<(), OperatorError> {
        let chart = match self {
            Self::CertManager => Chart::cert_manager(cluster)?,
            Self::ExternalSecrets => Chart::external_secrets(cluster)?,
            Self::Flux => return Flux::lay_out()?.install(cluster),
        };
        Helm::new("helm4", cluster)?.install(&chart, &["--wait"])
    }
}

impl FromStr for Operator {
    type Err = OperatorError;

    fn from_str(name: &str) -> Result<Self, OperatorError> {
        let found = Self::ALL.into_iter().find(|operator| operator.name() == name);
        found.ok_or_else(|| OperatorError::Unknown { name: name.to_owned() })
    }
}

/// Makes sure that the programs of these operators are there; a node only knows those that were there when it started.
pub fn prepare(operators: &[Operator], progress: &mut dyn FnMut(&str)) -> Result<(), OperatorError> {
    for program in operators.iter().flat_map(|operator| operator.programs()) {
        Program::named(program)?.obtain(progress)?;
    }
    Ok(())
}

/// Installs operators side by side and waits until all are ready.
pub fn install(
    cluster: &Cluster,
    operators: &[Operator],
    progress: &mut dyn FnMut(&str),
) -> Result<(), OperatorError> {
    thread::scope(|scope| {
        let mut started = Vec::new();
        for operator in operators {
            progress(&format!("installing {}", operator.name()));
            started.push((operator.name(), scope.spawn(|| operator.install(cluster))));
        }
        for (name, one) in started {
            one.join().unwrap_or(Err(OperatorError::Lost { name }))?;
            progress(&format!("{name} is ready"));
        }
        Ok(())
    })
}

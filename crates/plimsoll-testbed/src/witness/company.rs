//! The programs that take part in a play besides Kubernetes itself.

use super::failure::Failure;
use crate::programs::Program;
use std::path::{Path, PathBuf};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Company {
    CertManager,
    ExternalSecrets,
    /// The generation that `plimsoll check` takes the `helm` of a script for.
    Helm,
}

impl Company {
    pub(super) const ALL: [Self; 3] = [Self::CertManager, Self::ExternalSecrets, Self::Helm];

    /// The group of its kinds, for an operator.
    pub(super) fn group(self) -> Option<&'static str> {
        match self {
            Self::CertManager => Some("cert-manager.io"),
            Self::ExternalSecrets => Some("external-secrets.io"),
            Self::Helm => None,
        }
    }

    /// Name and version, as a record has them.
    pub(super) fn told(self) -> String {
        let (name, program) = match self {
            Self::CertManager => ("cert-manager", "cert-manager"),
            Self::ExternalSecrets => ("external-secrets", "external-secrets"),
            Self::Helm => ("Helm", "helm3"),
        };
        let program = Program::named(program);
        format!("{name} {}", program.as_ref().map_or("unknown", Program::version))
    }

    /// A folder with the tools that scripts call, under the names by which they call them.
    pub(super) fn tools(company: &[Self], kubectl: &Path, folder: &Path) -> Result<PathBuf, Failure> {
        let tools = folder.join("tools");
        std::fs::create_dir_all(&tools).map_err(Failure::file(&tools))?;
        let mut links = vec![("kubectl", kubectl.join("kubectl"))];
        if company.contains(&Self::Helm) {
            let helm = Program::named("helm3").and_then(|program| program.obtain(&mut |_| {}));
            let helm = helm.map_err(|cause| Failure::program("helm")(std::io::Error::other(cause)))?;
            links.push(("helm", helm));
        }
        for (name, program) in links {
            let link = tools.join(name);
            std::os::unix::fs::symlink(program, &link).map_err(Failure::file(link))?;
        }
        Ok(tools)
    }
}

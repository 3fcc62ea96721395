//! Folders that belong to another form of input and are never read as plain manifests.

use crate::host::{Entry, EntryKind};

/// A form of input that claims a whole folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    Chart,
    Kustomization,
    Terraform,
    Pulumi,
}

/// The three names that kustomize looks for: sigs.k8s.io/kustomize/api v0.21.1, konfig/general.go.
pub(crate) const KUSTOMIZATION_NAMES: [&str; 3] =
    ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Which form of input a folder with these entries is, if it is not plain manifests.
pub(crate) fn claim(entries: &[Entry]) -> Option<Claim> {
    let files =
        || entries.iter().filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.name.as_str());
    let holds = |name: &str| files().any(|file| file == name);
    if holds("Chart.yaml") {
        return Some(Claim::Chart);
    }
    if KUSTOMIZATION_NAMES.into_iter().any(holds) {
        return Some(Claim::Kustomization);
    }
    if files().any(|file| file.rsplit_once('.').is_some_and(|(_, ending)| ending == "tf")) {
        return Some(Claim::Terraform);
    }
    (holds("Pulumi.yaml") || holds("Pulumi.yml")).then_some(Claim::Pulumi)
}

impl Claim {
    /// What the user is told about the folder.
    pub(crate) fn cause(self) -> &'static str {
        match self {
            Self::Chart => {
                "this folder is a Helm chart and was not read with the rest; to check it, name it as a path of its own"
            }
            Self::Kustomization => {
                "this folder is a kustomization that is a variant of another, or that another tool delivers; to check it, name it as a path of its own"
            }
            Self::Terraform => {
                "this folder is a Terraform module and was not read; to check plain manifests inside it, name them"
            }
            Self::Pulumi => {
                "this folder is a Pulumi program and was not read; to check plain manifests inside it, name them"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_claimed_by_their_files() {
        let entry = |name: &str, kind| Entry { name: name.to_owned(), kind, is_link: false };
        let check = |name, expect| assert_eq!(claim(&[entry(name, EntryKind::File)]), expect, "{name}");
        check("Chart.yaml", Some(Claim::Chart));
        check("kustomization.yml", Some(Claim::Kustomization));
        check("Kustomization", Some(Claim::Kustomization));
        check("main.tf", Some(Claim::Terraform));
        check("Pulumi.yaml", Some(Claim::Pulumi));
        check("deployment.yaml", None);
        assert_eq!(claim(&[entry("Chart.yaml", EntryKind::Folder)]), None);
    }
}

//! Objects by which Flux and Argo CD are told what to deliver.

/// Where such an object names folders of a repository: the path of the fields that do.
#[must_use]
pub fn delivering_spec(group: &str, kind: &str) -> Option<&'static [&'static str]> {
    match (group, kind) {
        ("kustomize.toolkit.fluxcd.io", "Kustomization") | ("argoproj.io", "Application") => Some(&["spec"]),
        ("argoproj.io", "ApplicationSet") => Some(&["spec", "template", "spec"]),
        ("fluxcd.controlplane.io", "FluxInstance") => Some(&["spec", "sync"]),
        _ => None,
    }
}

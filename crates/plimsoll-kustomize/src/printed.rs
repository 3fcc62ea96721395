//! What is left to do before objects are printed (`krusty/kustomizer.go`, `resource/resource.go`).

use crate::kustomization::Kustomization;
use crate::refusal::Refusal;
use crate::resource::{ORIGIN, Resource};
use crate::tree::{Form, Node, to_value};
use plimsoll_model as model;

/// Annotations that kustomize keeps for itself.
const OWN: [&str; 19] = [
    "internal.config.kubernetes.io/previousKinds",
    "internal.config.kubernetes.io/previousNames",
    "internal.config.kubernetes.io/prefixes",
    "internal.config.kubernetes.io/suffixes",
    "internal.config.kubernetes.io/previousNamespaces",
    "internal.config.kubernetes.io/allowNameChange",
    "internal.config.kubernetes.io/allowKindChange",
    "internal.config.kubernetes.io/refBy",
    "internal.config.kubernetes.io/generatorBehavior",
    "internal.config.kubernetes.io/needsHashSuffix",
    "internal.config.kubernetes.io/path",
    "internal.config.kubernetes.io/index",
    "internal.config.kubernetes.io/seqindent",
    "internal.config.kubernetes.io/annotations-migration-resource-id",
    "internal.config.kubernetes.io/id",
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
    "config.k8s.io/id",
    "internal.config.kubernetes.io/helm-generated",
];

const TRANSFORMATIONS: &str = "alpha.config.kubernetes.io/transformations";
const LOCAL: &str = "config.kubernetes.io/local-config";

/// Whether an object is meant for tools only and is left out.
pub(crate) fn is_local(resource: &Resource) -> bool {
    resource.texts("annotations").get(LOCAL).is_some_and(|(text, _)| &**text != "false")
}

/// The objects as they are printed. Annotations are all text, and an empty map of them goes.
pub(crate) fn print(
    resources: Vec<Resource>,
    kustomization: &Kustomization,
) -> Result<Vec<model::Node>, Refusal> {
    let has = |option: &str| kustomization.build_metadata.iter().any(|(found, _)| found == option);
    let mut objects = Vec::with_capacity(resources.len());
    for mut resource in resources {
        if has("managedByLabel") {
            add_label(&mut resource)?;
        }
        let mut annotations = resource.texts("annotations");
        for name in OWN.iter().chain(&[TRANSFORMATIONS]) {
            annotations.remove(*name);
        }
        if !has("originAnnotations") {
            annotations.remove(ORIGIN);
        }
        resource.set_texts("annotations", &annotations);
        objects.push(to_value(&resource.root)?);
    }
    Ok(objects)
}

/// The label that says who made an object: kustomize, in the version that is built here and in kubectl v1.36.4.
fn add_label(resource: &mut Resource) -> Result<(), Refusal> {
    let place = resource.root.place;
    let metadata = resource.root.map_at("metadata", place);
    let labels = metadata.and_then(|metadata| metadata.map_at("labels", place));
    let Some(labels) = labels.filter(|labels| matches!(labels.form, Form::Map(_))) else {
        return Err(resource.refusal("kustomize can only add labels to a map"));
    };
    labels.set("app.kubernetes.io/managed-by", Node::text(VERSION, place));
    Ok(())
}

const VERSION: &str = "kustomize-v5.8.1";

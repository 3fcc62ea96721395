//! The life of each kind: which moment of an object follows which, and what it brings about in others.
//!
//! A life says what happens by itself once the object is stored. What it *needs* from others is a rule's business.

mod certificate;
mod copies;
mod custom_resource;
mod definer;
mod definition;
mod external_secret;
mod namespace;
mod service;
mod volume_claim;
mod webhook;
mod workload;

use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Ready, Stored};
use plimsoll_model::{Moment, Object};

/// Adds the life of every object of the bundle.
pub(crate) fn live(view: &View<'_>, found: &mut Found) {
    for object in view.objects() {
        for request in view.requests(&object.id, Stored) {
            found.cause(object.id.at(Stored), vec![request.into()], plimsoll_model::Delay::NONE);
        }
        live_one(view, object, found);
        definer::live(view, object, found);
    }
}

fn live_one(view: &View<'_>, object: &Object, found: &mut Found) {
    match (object.id.group(), object.id.kind()) {
        ("", "Namespace") => namespace::live(object, found),
        ("", "Secret" | "ConfigMap") => {
            custom_resource::live(view, object, found);
            copies::bring(view, object, found);
        }
        ("", "Service") => service::live(view, object, found),
        ("", "PersistentVolumeClaim") => volume_claim::live(view, object, found),
        ("apps" | "batch", _) | ("", "Pod" | "ReplicationController") => workload::live(view, object, found),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => definition::live(view, object, found),
        ("admissionregistration.k8s.io", _) => webhook::live(object, found),
        ("apiregistration.k8s.io", "APIService") => service::live_api(view, object, found),
        ("cert-manager.io", "Certificate") => certificate::live(view, object, found),
        ("networking.k8s.io", "Ingress") | ("gateway.networking.k8s.io", "Gateway") => {
            certificate::live_annotated(view, object, found);
        }
        ("cert-manager.io", "Issuer" | "ClusterIssuer") => {
            found.cause(object.id.at(Ready), stored(object), DELAYS.issuer_ready.delay());
        }
        ("external-secrets.io", "SecretStore" | "ClusterSecretStore") => {
            found.cause(object.id.at(Ready), stored(object), DELAYS.secret_fetched.delay());
        }
        ("external-secrets.io", "ExternalSecret") => external_secret::live(view, object, found),
        _ => custom_resource::live(view, object, found),
    }
}

/// The clause that the object is stored.
fn stored(object: &Object) -> Vec<plimsoll_model::Clause> {
    vec![object.id.at(Stored).into()]
}

/// Adds a moment that follows another of the same object.
fn follow(found: &mut Found, moment: Moment, after: Moment, figure: &crate::delays::Figure) {
    found.cause(moment, vec![after.into()], figure.delay());
}

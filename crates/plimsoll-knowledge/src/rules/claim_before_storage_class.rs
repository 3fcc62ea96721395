//! PLM-R019: a claim may wait for a StorageClass that is stored later.
//!
//! A PersistentVolume of the same class name is as good: kubernetes v1.36.4
//! `pkg/controller/volume/persistentvolume/pv_controller.go` `syncUnboundClaim`; seen on a real server.

use crate::clocks;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Bound, Stored};
use plimsoll_model::{Actor, Class, Clause, Code, Moment, Node, ObjectId};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R019"),
    name: "claim-before-storage-class",
    class: Class::StorageClassMissing,
    page: include_str!("claim_before_storage_class.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for claim in view.of_kind("", "PersistentVolumeClaim") {
        if let Some(spec) = claim.root.get("spec") {
            look(view, (spec, &claim.id), claim.id.at(Bound), found);
        }
    }
    // Claims that are made from a template: of a StatefulSet, or of a volume that lives with its pod.
    for pods in view.pods().iter().filter(|pods| pods.run) {
        let templates = pods.owner.root.list_at(&["spec", "volumeClaimTemplates"]).iter();
        let volumes = pods.spec.list_at(&["volumes"]).iter();
        let ephemeral = volumes.filter_map(|volume| volume.at(&["ephemeral", "volumeClaimTemplate"]));
        for spec in templates.chain(ephemeral).filter_map(|template| template.get("spec")) {
            look(view, (spec, &pods.owner.id), pods.owner.id.at(Bound), found);
        }
    }
}

fn look(view: &View<'_>, (spec, owner): (&Node, &ObjectId), then: Moment, found: &mut Found) {
    let Some(class) = spec.get("storageClassName") else { return };
    // A claim that names its volume is bound to that; an empty name asks for a volume without a class.
    let Some(name) = class.text().filter(|name| !name.is_empty() && spec.get("volumeName").is_none()) else {
        return;
    };
    RULE.requires(providers(view, name), then)
        .read(clocks::VOLUME_BINDER)
        .at(class.place)
        .says(format!("{owner} asks for a volume of StorageClass/{name}"))
        .answered(
            Actor::Controller,
            format!("looks for a volume of StorageClass/{name}"),
            format!("storageclass.storage.k8s.io \"{name}\" not found"),
        )
        .push(found);
}

/// The class, or any volume of that class name; what the input delivers counts before what it does not.
fn providers(view: &View<'_>, name: &str) -> Clause {
    let class = ObjectId::new("storage.k8s.io", "StorageClass", None, name);
    let volumes = view.of_kind("", "PersistentVolume").into_iter();
    let same = volumes.filter(|volume| volume.text_at(&["spec", "storageClassName"]) == Some(name));
    let mut moments: Vec<Moment> = same.map(|volume| volume.id.at(Stored)).collect();
    if moments.is_empty() || view.delivers(&class) {
        moments.push(class.at(Stored));
    }
    Clause(moments)
}

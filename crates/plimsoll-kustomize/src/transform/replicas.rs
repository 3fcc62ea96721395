//! `replicas` (`internal/builtins/ReplicaCountTransformer.go`).

use crate::field_spec::{FieldSpec, Made};
use crate::identity::Id;
use crate::kustomization::Replica;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node, Scalar, Tag};

/// Sets how many copies objects of a name have.
pub(crate) fn set_replicas(
    resources: &mut [Resource],
    replica: &Replica,
    specs: &[FieldSpec],
    is_incomplete: bool,
) -> Result<(), Refusal> {
    let mut is_found = false;
    for spec in specs {
        let is_it = |id: &Id| id.name == replica.name && spec.fits(&id.gvk);
        for resource in resources.iter_mut() {
            if !is_it(&resource.id()) && !resource.previous_ids().iter().any(is_it) {
                continue;
            }
            is_found = true;
            let gvk = resource.gvk();
            let count = replica.count.to_string();
            let made = Made { form: Form::Scalar(Scalar::empty(Tag::Int)), place: replica.place };
            let mut change = |node: &mut Node| node.set_scalar(&count, Tag::Int, replica.place);
            spec.apply(&mut resource.root, &gvk, Some(&made), &mut change)?;
        }
    }
    if is_found || is_incomplete {
        return Ok(());
    }
    Err(Refusal::new(
        replica.place,
        format!("kustomize finds nothing called `{}` that has replicas", replica.name),
    ))
}

//! Labels and annotations (`filters/labels/labels.go`, `filters/annotations/annotations.go`).

use crate::build::Build;
use crate::field_spec::{FieldSpec, Made};
use crate::fields::Pairs;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node};

/// Adds labels or annotations to the fields that are meant. What is added to several fields of an object is one node for
/// kustomize from then on.
pub(crate) fn add_pairs(
    build: &mut Build<'_>,
    resources: &mut [Resource],
    pairs: &Pairs,
    specs: &[FieldSpec],
) -> Result<(), Refusal> {
    for resource in resources {
        let gvk = resource.gvk();
        let specs: Vec<&FieldSpec> = specs.iter().filter(|spec| spec.fits(&gvk)).collect();
        for (key, (text, place)) in pairs {
            let twin = build.twin();
            let mut added: Option<Form> = None;
            let mut change =
                |node: &mut Node| set_entry(node, key, Node::text(text.clone(), *place), twin, &mut added);
            let made = Made { form: Form::Map(Vec::new()), place: *place };
            for spec in &specs {
                spec.walk(&mut resource.root, Some(&made), &mut change)?;
            }
            if let Some(form) = added {
                resource.add_twin(twin, form);
            }
            resource.settle_twins();
        }
    }
    Ok(())
}

fn set_entry(
    node: &mut Node,
    key: &str,
    mut value: Node,
    twin: u32,
    added: &mut Option<Form>,
) -> Result<(), Refusal> {
    if !matches!(node.form, Form::Map(_)) {
        return Err(Refusal::new(node.place, "kustomize can only add labels and annotations to a map"));
    }
    if node.get(key).is_some() {
        node.set(key, value);
        return Ok(());
    }
    value.twin = twin;
    node.append(key, value);
    *added = node.get(key).map(|node| node.form.clone());
    Ok(())
}

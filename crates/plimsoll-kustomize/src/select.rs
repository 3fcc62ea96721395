//! Finding the objects that a patch means (`resmap/reswrangler.go`, `Select` and `GetById`).

use crate::identity::Id;
use crate::kustomization::Selector;
use crate::resource::Resource;

/// The positions of the objects that a selector means.
pub(crate) fn select(resources: &[Resource], selector: &Selector) -> Vec<usize> {
    let is_meant = |resource: &Resource| {
        let (now, first) = (resource.id(), resource.original_id());
        (selector.fits_namespace(first.effective_namespace())
            || selector.fits_namespace(now.effective_namespace()))
            && (selector.fits_name(&first.name) || selector.fits_name(&now.name))
            && selector.fits_kind(&now.gvk)
            && fits_texts(resource, selector)
    };
    positions(resources, is_meant)
}

/// Whether the labels and annotations of an object are those that a selector asks for.
pub(crate) fn fits_texts(resource: &Resource, selector: &Selector) -> bool {
    let fits = |wanted: &Option<crate::labels::LabelSelector>, field: &str| {
        wanted.as_ref().is_none_or(|wanted| wanted.fits(&resource.texts(field)))
    };
    fits(&selector.labels, "labels") && fits(&selector.annotations, "annotations")
}

/// The positions of the objects that have or had an identity.
pub(crate) fn with_any_id(resources: &[Resource], wanted: &Id) -> Vec<usize> {
    positions(resources, |resource| {
        !resource.is_gone()
            && (resource.id().is_same(wanted)
                || resource.previous_ids().iter().any(|previous| previous.is_same(wanted)))
    })
}

fn positions(resources: &[Resource], is_meant: impl Fn(&Resource) -> bool) -> Vec<usize> {
    resources.iter().enumerate().filter(|(_, resource)| is_meant(resource)).map(|(at, _)| at).collect()
}

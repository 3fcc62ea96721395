//! `namePrefix` and `nameSuffix` (`internal/builtins/PrefixTransformer.go`).

use crate::field_spec::{FieldSpec, Made};
use crate::identity::Gvk;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node, Scalar, Tag};
use plimsoll_model::Place;

/// A text before or behind names.
pub(crate) struct Affix<'a> {
    pub(crate) side: Side,
    pub(crate) text: &'a str,
    pub(crate) place: Place,
    pub(crate) specs: &'a [FieldSpec],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Prefix,
    Suffix,
}

impl Affix<'_> {
    /// Adds it to the names of all objects but those whose names mean something.
    pub(crate) fn add(&self, resources: &mut [Resource]) -> Result<(), Refusal> {
        for resource in resources {
            let original = resource.original_id().gvk;
            if is_left_alone(&original) {
                continue;
            }
            for spec in self.specs.iter().filter(|spec| spec.fits(&original)) {
                if &*spec.path == "metadata/name" && !self.text.is_empty() {
                    let texts = match self.side {
                        Side::Prefix => &mut resource.prefixes,
                        Side::Suffix => &mut resource.suffixes,
                    };
                    texts.push(self.text.into());
                    resource.remember();
                }
                let gvk = resource.gvk();
                let made = Made { form: Form::Scalar(Scalar::empty(Tag::Text)), place: self.place };
                spec.apply(&mut resource.root, &gvk, Some(&made), &mut |node| self.change(node))?;
            }
            resource.settle_twins();
        }
        Ok(())
    }

    fn change(&self, node: &mut Node) -> Result<(), Refusal> {
        let name = match self.side {
            Side::Prefix => format!("{}{}", self.text, node.written()),
            Side::Suffix => format!("{}{}", node.written(), self.text),
        };
        let place = node.place;
        node.set_scalar(&name, Tag::None, place)
    }
}

fn is_left_alone(gvk: &Gvk) -> bool {
    match &*gvk.kind {
        "CustomResourceDefinition" | "Namespace" => true,
        "APIService" => &*gvk.group == "apiregistration.k8s.io",
        _ => false,
    }
}

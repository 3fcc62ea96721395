//! Which objects a patch or a replacement means (`types/selector.go`, `k8s.io/kube-openapi`'s label selectors in
//! `kyaml/yaml/internal/k8sgen`).

use crate::fields::Fields;
use crate::identity::{Gvk, Id};
use crate::labels::LabelSelector;
use crate::refusal::Refusal;
use plimsoll_model::Node;
use regex::Regex;

/// Objects by name, as written; what is empty selects everything.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResourceSelector {
    pub(crate) gvk: Gvk,
    pub(crate) name: Box<str>,
    pub(crate) namespace: Box<str>,
}

/// Objects by regular expressions, labels and annotations.
#[derive(Debug, Clone)]
pub(crate) struct Selector {
    pub(crate) name: Option<Regex>,
    namespace: Option<Regex>,
    group: Option<Regex>,
    version: Option<Regex>,
    kind: Option<Regex>,
    pub(crate) labels: Option<LabelSelector>,
    pub(crate) annotations: Option<LabelSelector>,
}

const NAMES: [&str; 5] = ["group", "version", "kind", "name", "namespace"];

impl ResourceSelector {
    pub(crate) fn parse(fields: &Fields<'_>) -> Result<Self, Refusal> {
        let text = |name| Ok(Box::<str>::from(fields.text(name)?));
        Ok(Self {
            gvk: Gvk { group: text("group")?, version: text("version")?, kind: text("kind")? },
            name: text("name")?,
            namespace: text("namespace")?,
        })
    }

    /// Whether an identity is meant (`resid.go`, `IsSelectedBy`).
    pub(crate) fn selects(&self, id: &Id) -> bool {
        let own = if self.namespace.is_empty() { "default" } else { &*self.namespace };
        (self.name.is_empty() || self.name == id.name)
            && (self.namespace.is_empty() || own == id.effective_namespace())
            && id.gvk.is_selected(&self.gvk)
    }
}

impl Selector {
    pub(crate) fn parse(node: &Node) -> Result<Self, Refusal> {
        let fields = Fields::of(node)?;
        let known: Vec<&str> = NAMES.into_iter().chain(["annotationSelector", "labelSelector"]).collect();
        fields.only(&known)?;
        let pattern = |name: &str| match fields.placed(name)? {
            None => Ok(None),
            Some((text, place)) => Regex::new(&format!("^(?:{text})$")).map(Some).map_err(|_| {
                Refusal::new(place, format!("kustomize refuses `{text}`, which is no regular expression"))
            }),
        };
        let selector = |name: &str| match fields.placed(name)? {
            None => Ok(None),
            Some((text, place)) => LabelSelector::parse(text).map(Some).ok_or_else(|| {
                Refusal::new(place, format!("kustomize refuses `{text}`, which is no selector"))
            }),
        };
        Ok(Self {
            name: pattern("name")?,
            namespace: pattern("namespace")?,
            group: pattern("group")?,
            version: pattern("version")?,
            kind: pattern("kind")?,
            labels: selector("labelSelector")?,
            annotations: selector("annotationSelector")?,
        })
    }

    pub(crate) fn fits_kind(&self, gvk: &Gvk) -> bool {
        fits(self.group.as_ref(), &gvk.group)
            && fits(self.version.as_ref(), &gvk.version)
            && fits(self.kind.as_ref(), &gvk.kind)
    }

    pub(crate) fn fits_name(&self, name: &str) -> bool {
        fits(self.name.as_ref(), name)
    }

    pub(crate) fn fits_namespace(&self, namespace: &str) -> bool {
        fits(self.namespace.as_ref(), namespace)
    }

    /// Whether it names nothing but labels and annotations.
    pub(crate) fn has_no_id(&self) -> bool {
        [&self.name, &self.namespace, &self.group, &self.version, &self.kind]
            .iter()
            .all(|part| part.is_none())
    }
}

fn fits(pattern: Option<&Regex>, text: &str) -> bool {
    pattern.is_none_or(|pattern| pattern.is_match(text))
}

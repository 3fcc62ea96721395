//! Which object is meant: kustomize's own idea of group, version, kind, namespace and name
//! (`kyaml` v0.21.1, `resid/gvk.go`, `resid/resid.go`).

use crate::schema;
use crate::tree::Node;

/// Group, version and kind; as a selector, what is empty selects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gvk {
    pub(crate) group: Box<str>,
    pub(crate) version: Box<str>,
    pub(crate) kind: Box<str>,
}

/// Which object is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Id {
    pub(crate) gvk: Gvk,
    pub(crate) name: Box<str>,
    /// The namespace that was written, or nothing.
    pub(crate) namespace: Box<str>,
    pub(crate) is_cluster_scoped: bool,
}

/// The namespace of what is in none.
pub(crate) const NO_NAMESPACE: &str = "_non_namespaceable_";

impl Gvk {
    pub(crate) fn of(root: &Node) -> Self {
        let api_version = root.get("apiVersion").map_or("", Node::written);
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let kind = root.get("kind").map_or("", Node::written);
        Self { group: group.into(), version: version.into(), kind: kind.into() }
    }

    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// Whether a selector lets this pass.
    pub(crate) fn is_selected(&self, selector: &Gvk) -> bool {
        let fits = |own: &str, asked: &str| asked.is_empty() || own == asked;
        fits(&self.group, &selector.group)
            && fits(&self.version, &selector.version)
            && fits(&self.kind, &selector.kind)
    }

    /// The text that kustomize sorts by, with signs of its own for what is empty.
    pub(crate) fn sort_text(&self) -> String {
        let or = |text: &str, sign: &str| if text.is_empty() { sign.to_owned() } else { text.to_owned() };
        format!("{}_{}_{}", or(&self.group, "~G"), or(&self.version, "~V"), or(&self.kind, "~K"))
    }
}

impl Id {
    pub(crate) fn of(root: &Node) -> Self {
        let gvk = Gvk::of(root);
        let is_cluster_scoped = schema::is_cluster_scoped(&gvk);
        let (name, namespace) = (name(root).into(), namespace(root).into());
        Self { gvk, name, namespace, is_cluster_scoped }
    }

    /// The namespace that is meant.
    pub(crate) fn effective_namespace(&self) -> &str {
        match &*self.namespace {
            _ if self.is_cluster_scoped => NO_NAMESPACE,
            "" => "default",
            namespace => namespace,
        }
    }

    pub(crate) fn is_same_namespace(&self, other: &Id) -> bool {
        self.effective_namespace() == other.effective_namespace()
    }

    pub(crate) fn is_same(&self, other: &Id) -> bool {
        self.name == other.name && self.gvk == other.gvk && self.is_same_namespace(other)
    }

    /// The object as a person names it.
    pub(crate) fn words(&self) -> String {
        match &*self.namespace {
            "" => format!("{}/{}", self.gvk.kind, self.name),
            namespace => format!("{}/{namespace}/{}", self.gvk.kind, self.name),
        }
    }
}

pub(crate) fn name(root: &Node) -> &str {
    meta(root, "name")
}

pub(crate) fn namespace(root: &Node) -> &str {
    meta(root, "namespace")
}

fn meta<'n>(root: &'n Node, field: &str) -> &'n str {
    root.filled("metadata").and_then(|metadata| metadata.filled(field)).map_or("", Node::written)
}

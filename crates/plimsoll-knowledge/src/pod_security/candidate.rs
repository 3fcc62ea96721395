//! A pod as Pod Security admission sees it.

use plimsoll_model::Node;

/// A pod and the version of the policy it is held against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) spec: &'a Node,
    pub(crate) annotations: Option<&'a Node>,
    pub(crate) version: u32,
}

/// A container of any sort.
#[derive(Debug, Clone, Copy)]
pub(super) struct Container<'a> {
    pub(super) name: &'a str,
    pub(super) node: &'a Node,
    pub(super) is_ephemeral: bool,
}

impl<'a> Candidate<'a> {
    /// Init containers, ordinary ones, ephemeral ones.
    pub(super) fn containers(&self) -> impl Iterator<Item = Container<'a>> {
        let spec = self.spec;
        ["initContainers", "containers", "ephemeralContainers"].into_iter().flat_map(move |field| {
            spec.list_at(&[field]).iter().map(move |node| Container {
                name: node.text_at(&["name"]).unwrap_or_default(),
                node,
                is_ephemeral: field == "ephemeralContainers",
            })
        })
    }

    /// A field of the pod's own security context.
    pub(super) fn context(&self, field: &str) -> Option<&'a Node> {
        self.spec.at(&["securityContext", field])
    }

    /// Whether the pod says that it is for Windows.
    pub(super) fn is_windows(&self) -> bool {
        self.spec.text_at(&["os", "name"]) == Some("windows")
    }

    /// Whether the pod has a user namespace of its own, and the policy makes allowance for it.
    pub(super) fn is_in_user_namespace(&self) -> bool {
        self.version >= 35 && self.spec.bool_at(&["hostUsers"]) == Some(false)
    }

    /// The value of an annotation and where it is written.
    pub(super) fn annotation(&self, key: &str) -> Option<&'a Node> {
        self.annotations.and_then(|annotations| annotations.get(key))
    }
}

impl<'a> Container<'a> {
    /// A field of the container's security context.
    pub(super) fn context(&self, field: &str) -> Option<&'a Node> {
        self.node.at(&["securityContext", field])
    }
}

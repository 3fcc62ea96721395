//! One Kubernetes object as declared, and the identity by which others refer to it.

use crate::{Milestone, Moment, Node, Place, Subject};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Which object is meant: group, kind, namespace and name. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId(Arc<Identity>);

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Identity {
    kind: Box<str>,
    namespace: Option<Box<str>>,
    name: Box<str>,
    group: Box<str>,
}

/// One Kubernetes object as declared.
#[derive(Debug, Clone)]
pub struct Object {
    /// Which object it is; the namespace is filled in for namespaced kinds.
    pub id: ObjectId,
    /// The API version without the group: `v1`, `v1beta1`.
    pub version: Box<str>,
    /// The whole declaration.
    pub root: Node,
}

impl ObjectId {
    /// The identity of an object; the core group is the empty text, a cluster-scoped object has no namespace.
    #[must_use]
    pub fn new(group: &str, kind: &str, namespace: Option<&str>, name: &str) -> Self {
        Self(Arc::new(Identity {
            kind: kind.into(),
            namespace: namespace.map(Into::into),
            name: name.into(),
            group: group.into(),
        }))
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.0.group
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.0.kind
    }

    /// The namespace of a namespaced object.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.0.namespace.as_deref()
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether this is the given kind of the given group.
    #[must_use]
    pub fn is(&self, group: &str, kind: &str) -> bool {
        self.kind() == kind && self.group() == group
    }

    /// The moment at which this object reaches a milestone.
    #[must_use]
    pub fn at(&self, milestone: Milestone) -> Moment {
        Moment { subject: Subject::Object(self.clone()), milestone }
    }
}

impl Hash for ObjectId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.namespace() {
            Some(namespace) => write!(f, "{}/{namespace}/{}", self.kind(), self.name()),
            None => write!(f, "{}/{}", self.kind(), self.name()),
        }
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Object {
    /// Where the declaration begins.
    #[must_use]
    pub fn place(&self) -> Place {
        self.root.place
    }

    /// The place of a field, or of the nearest field above it that was written.
    #[must_use]
    pub fn place_of(&self, path: &[&str]) -> Place {
        let mut node = &self.root;
        for key in path {
            match node.get(key) {
                Some(next) => node = next,
                None => break,
            }
        }
        node.place
    }

    /// The text at the end of a path of keys.
    #[must_use]
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.root.text_at(path)
    }

    /// The `apiVersion` as written.
    #[must_use]
    pub fn api_version(&self) -> String {
        match self.id.group() {
            "" => self.version.to_string(),
            group => format!("{group}/{}", self.version),
        }
    }
}

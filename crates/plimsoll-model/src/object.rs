//! One Kubernetes object as declared, and the identity by which others refer to it.

use crate::{Milestone, Moment, Node, Place, Premise, Subject};
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// Which object is meant: group, kind, namespace and name. Cheap to clone, to compare and to look up.
#[derive(Clone)]
pub struct ObjectId(Arc<Identity>);

struct Identity {
    /// The hash of everything else: identities are looked up far more often than they are made.
    hash: u64,
    /// Kind, namespace, name and group, one behind the other.
    text: Box<str>,
    /// Where kind, namespace and name end.
    ends: [u32; 3],
    is_namespaced: bool,
}

/// One Kubernetes object as declared.
#[derive(Debug, Clone)]
pub struct Object {
    /// Which object it is; the namespace is filled in for namespaced kinds.
    pub id: ObjectId,
    /// The API version without the group: `v1`, `v1beta1`.
    pub version: Box<str>,
    /// The whole declaration; copies of the object share it.
    pub root: Arc<Node>,
    /// What has to be true for it to be delivered, where the input does not say.
    pub premise: Option<Arc<Premise>>,
}

impl ObjectId {
    /// The identity of an object; the core group is the empty text, a cluster-scoped object has no namespace.
    #[must_use]
    pub fn new(group: &str, kind: &str, namespace: Option<&str>, name: &str) -> Self {
        let parts = [kind, namespace.unwrap_or_default(), name, group];
        let mut end = 0;
        let [kind_end, namespace_end, name_end, _] = parts.map(|part| {
            end += u32::try_from(part.len()).unwrap_or(u32::MAX);
            end
        });
        let (text, is_namespaced) = (parts.concat().into(), namespace.is_some());
        let ends = [kind_end, namespace_end, name_end];
        let hash = FxBuildHasher.hash_one((&text, ends, is_namespaced));
        Self(Arc::new(Identity { hash, text, ends, is_namespaced }))
    }

    fn part(&self, start: u32, end: u32) -> &str {
        self.0.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        let [_, _, name] = self.0.ends;
        self.0.text.get(name as usize..).unwrap_or_default()
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        let [kind, ..] = self.0.ends;
        self.part(0, kind)
    }

    /// The namespace of a namespaced object.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        let [kind, namespace, _] = self.0.ends;
        self.0.is_namespaced.then(|| self.part(kind, namespace))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        let [_, namespace, name] = self.0.ends;
        self.part(namespace, name)
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

impl PartialEq for ObjectId {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (&self.0, &other.0);
        Arc::ptr_eq(one, other)
            || (one.hash == other.hash
                && one.ends == other.ends
                && one.is_namespaced == other.is_namespaced
                && one.text == other.text)
    }
}

impl Eq for ObjectId {}

impl Ord for ObjectId {
    /// By kind, namespace, name and group: what is alike stands together in a report.
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        let one = (self.kind(), self.namespace(), self.name(), self.group());
        one.cmp(&(other.kind(), other.namespace(), other.name(), other.group()))
    }
}

impl PartialOrd for ObjectId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for ObjectId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
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
    /// An object that the input declares.
    #[must_use]
    pub fn new(id: ObjectId, version: &str, root: Node) -> Self {
        Self { id, version: version.into(), root: Arc::new(root), premise: None }
    }

    /// Whether all of it is known, so that a field that is not there is missing.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.premise.as_ref().is_some_and(|premise| premise.is_outline)
    }

    /// Where the declaration begins.
    #[must_use]
    pub fn place(&self) -> Place {
        self.root.place
    }

    /// The place of a field, or of the nearest field above it that was written.
    #[must_use]
    pub fn place_of(&self, path: &[&str]) -> Place {
        let mut node = &*self.root;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_differ_wherever_a_part_differs() {
        let parts: [(&str, &str, Option<&str>, &str); 6] = [
            ("", "Pod", Some("a"), "bc"),
            ("", "Pod", Some("ab"), "c"),
            ("", "Pod", Some(""), "abc"),
            ("", "Pod", None, "abc"),
            ("c", "Pod", None, "ab"),
            ("", "Po", None, "dabc"),
        ];
        for one in parts {
            for other in parts {
                let [first, second] = [one, other]
                    .map(|(group, kind, namespace, name)| ObjectId::new(group, kind, namespace, name));
                let in_words = |(group, kind, namespace, name)| (kind, namespace, name, group);
                assert_eq!(first == second, one == other, "{one:?} {other:?}");
                assert_eq!(first.cmp(&second), in_words(one).cmp(&in_words(other)), "{one:?} {other:?}");
                assert_eq!((first.group(), first.kind(), first.namespace(), first.name()), one);
            }
        }
    }
}

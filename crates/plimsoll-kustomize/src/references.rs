//! Names that other objects are called by, after those were renamed
//! (`internal/accumulator/namereferencetransformer.go`, `filters/nameref/nameref.go`).

mod candidate;

use crate::config::Config;
use crate::field_spec::FieldSpec;
use crate::identity::Gvk;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node, Tag};
use candidate::{Candidate, Candidates};
use rustc_hash::FxHashSet;

/// Mends every field that holds the name of an object that is called otherwise now.
pub(crate) fn mend(resources: &mut [Resource], config: &Config) -> Result<(), Refusal> {
    let candidates = Candidates::of(resources);
    for (at, resource) in resources.iter_mut().enumerate() {
        let Some(own) = candidates.all.get(at) else { continue };
        let original = resource.original_id().gvk;
        let mut mending = Mending {
            own,
            candidates: &candidates,
            namespaces: namespaces_of_subjects(&resource.root),
            role: None,
            target: &Gvk::default(),
        };
        for reference in &config.name_reference {
            for spec in reference.referrers.iter().filter(|spec| spec.fits(&original)) {
                mending.target = &reference.target;
                mending.role = spec.path.ends_with("roleRef/name").then(|| role(&resource.root)).flatten();
                mending.mend(&mut resource.root, spec)?;
            }
        }
        resource.settle_twins();
    }
    Ok(())
}

/// One object whose references are mended.
struct Mending<'c> {
    own: &'c Candidate,
    candidates: &'c Candidates,
    /// The namespaces of the service accounts that a RoleBinding names.
    namespaces: FxHashSet<Box<str>>,
    /// The kind that `roleRef` says.
    role: Option<Gvk>,
    /// The kind of what is referred to.
    target: &'c Gvk,
}

impl Mending<'_> {
    fn mend(&self, root: &mut Node, spec: &FieldSpec) -> Result<(), Refusal> {
        spec.walk(root, None, &mut |node| self.change(node))
    }

    fn change(&self, node: &mut Node) -> Result<(), Refusal> {
        if node.is_null() {
            return Ok(());
        }
        match &mut node.form {
            Form::Scalar(_) => self.change_scalar(node),
            Form::Map(_) => self.change_map(node),
            Form::List(items) => {
                for item in items.iter_mut().filter(|item| !item.is_null()) {
                    match item.form {
                        Form::Scalar(_) => self.change_scalar(item)?,
                        Form::Map(_) => self.change_map(item)?,
                        Form::List(_) => {
                            return Err(Refusal::new(item.place, "kustomize refuses a list of lists here"));
                        }
                    }
                }
                Ok(())
            }
        }
    }

    fn change_scalar(&self, node: &mut Node) -> Result<(), Refusal> {
        let found = self.find(node, node.written(), |_| true, |one, other| one.id.name == other.id.name)?;
        match found {
            Some(found) if *found.id.name != *node.written() => {
                let place = node.place;
                node.set_scalar(&found.id.name, Tag::None, place)
            }
            _ => Ok(()),
        }
    }

    fn change_map(&self, node: &mut Node) -> Result<(), Refusal> {
        let Some(name) = node.get("name") else {
            return Err(Refusal::new(node.place, "kustomize looks for a `name` here and finds none"));
        };
        let (name, place) = (name.written().to_owned(), name.place);
        let namespace = node.get("namespace").map(|node| node.written().to_owned());
        let chosen = namespace.map(|namespace| self.in_namespace(&namespace));
        let is_chosen = |at: usize| chosen.as_ref().is_none_or(|chosen| chosen.contains(&at));
        let is_same = |one: &Candidate, other: &Candidate| {
            one.id.name == other.id.name && one.id.namespace == other.id.namespace
        };
        let Some(found) = self.find(node, &name, is_chosen, is_same)? else { return Ok(()) };
        if *found.id.name == *name && found.id.namespace.is_empty() {
            return Ok(());
        }
        node.set("name", Node::scalar(found.id.name.clone(), Tag::None, place));
        if !found.id.namespace.is_empty() {
            let place = node.get("namespace").map_or(place, |node| node.place);
            node.set("namespace", Node::scalar(found.id.namespace.clone(), Tag::None, place));
        }
        Ok(())
    }

    /// Objects that were in a namespace first; if there are none, those that are there now.
    fn in_namespace(&self, namespace: &str) -> FxHashSet<usize> {
        let among = |is_there: &dyn Fn(&Candidate) -> bool| -> FxHashSet<usize> {
            let all = self.candidates.all.iter().enumerate();
            all.filter(|(_, one)| self.may_refer_to(one) && is_there(one)).map(|(at, _)| at).collect()
        };
        let first = among(&|one| !one.was_cluster_scoped() && one.original_namespace() == namespace);
        if first.is_empty() {
            return among(&|one| !one.id.is_cluster_scoped && one.id.effective_namespace() == namespace);
        }
        first
    }

    /// Whether the object could refer to another at all.
    fn may_refer_to(&self, other: &Candidate) -> bool {
        self.own.id.is_cluster_scoped
            || other.id.is_cluster_scoped
            || other.id.is_same_namespace(&self.own.id)
            || self.namespaces.contains(&other.id.namespace)
    }

    /// The object that a name means, if it was ever called so.
    fn find(
        &self,
        node: &Node,
        name: &str,
        is_chosen: impl Fn(usize) -> bool,
        is_same: impl Fn(&Candidate, &Candidate) -> bool,
    ) -> Result<Option<&Candidate>, Refusal> {
        let mut found: Vec<&Candidate> = self
            .candidates
            .called(name)
            .filter(|(at, one)| is_chosen(*at) && self.may_refer_to(one) && self.fits(one))
            .map(|(_, one)| one)
            .collect();
        if found.len() != 1 {
            found.retain(|one| one.has_same_affixes(self.own, true));
            if found.len() > 1 {
                found.retain(|one| one.has_same_affixes(self.own, false));
            }
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            [one, rest @ ..] if rest.iter().all(|other| is_same(one, other)) => Ok(Some(one)),
            _ => Err(Refusal::new(
                node.place,
                format!("kustomize finds several objects that `{name}` could mean"),
            )),
        }
    }

    fn fits(&self, one: &Candidate) -> bool {
        one.previous.iter().any(|id| id.gvk.is_selected(self.target))
            && self.role.as_ref().is_none_or(|role| one.previous.iter().any(|id| id.gvk.is_selected(role)))
            && (self.own.id.is_cluster_scoped
                || one.id.is_cluster_scoped
                || &*one.id.gvk.kind == "ServiceAccount"
                || one.id.is_same_namespace(&self.own.id))
    }
}

fn namespaces_of_subjects(root: &Node) -> FxHashSet<Box<str>> {
    if root.get("kind").map(Node::written) != Some("RoleBinding") {
        return FxHashSet::default();
    }
    let subjects = root.get("subjects").map_or(&[][..], Node::items).iter();
    let accounts = subjects.filter(|subject| subject.said_at("kind") == "ServiceAccount");
    accounts.filter_map(|subject| Some(subject.get("namespace")?.written().into())).collect()
}

fn role(root: &Node) -> Option<Gvk> {
    let reference = root.get("roleRef")?;
    let (group, kind) = (reference.get("apiGroup")?.written(), reference.get("kind")?.written());
    Some(Gvk { group: group.into(), version: "".into(), kind: kind.into() })
}

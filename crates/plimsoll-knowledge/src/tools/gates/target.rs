//! What a wait looks at: a target as written becomes the objects of the input that it means.

use crate::read::{resource, scope};
use crate::view::View;
use plimsoll_model::{ObjectId, Selector, Target};

/// The objects that a target names. Pods stand for the workloads that make them, endpoints for their Service.
pub(crate) fn watched(view: &View<'_>, target: &Target) -> Vec<ObjectId> {
    match target {
        Target::Files(ids) => ids.clone(),
        Target::Named { resource, name, namespace } => {
            let Some((group, kind)) = kind(view, resource) else { return Vec::new() };
            named(view, &group, &kind, namespace.as_deref(), name).into_iter().collect()
        }
        Target::Selected { resource, selector, namespace, all_namespaces } => {
            let Some((group, kind)) = kind(view, resource) else { return Vec::new() };
            let namespace =
                if *all_namespaces { None } else { Some(namespace.as_deref().unwrap_or("default")) };
            selected(view, (&group, &kind), namespace, selector)
        }
    }
}

/// The custom objects for which operators make the pods that a target means, where nothing in the input makes such pods: a
/// label of the operator's own domain says the name of the object, as `cnpg.io/cluster=db` does.
pub(crate) fn made_for(view: &View<'_>, target: &Target) -> Vec<ObjectId> {
    let Target::Selected { selector, namespace, all_namespaces, .. } = target else { return Vec::new() };
    let Some(wanted) = Selector::parse(selector).filter(|_| is_pods(view, target)) else { return Vec::new() };
    if !watched(view, target).is_empty() {
        return Vec::new();
    }
    let namespace = namespace.as_deref().unwrap_or("default");
    let here = |id: &ObjectId| *all_namespaces || id.namespace() == Some(namespace);
    let is_of = |group: &str, domain: &str| {
        group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let is_named = |id: &ObjectId| {
        let mut domains = wanted.values().filter(|(_, value)| *value == id.name());
        domains.any(|(key, _)| key.split_once('/').is_some_and(|(domain, _)| is_of(id.group(), domain)))
    };
    let custom = view.objects().map(|object| &object.id).filter(|id| !id.group().is_empty());
    custom.filter(|id| here(id) && is_named(id)).cloned().collect()
}

/// Whether a target means pods that a controller may have to make first.
pub(crate) fn is_pods(view: &View<'_>, target: &Target) -> bool {
    let (Target::Named { resource, .. } | Target::Selected { resource, .. }) = target else { return false };
    kind(view, resource).is_some_and(|(group, kind)| group.is_empty() && kind == "Pod")
}

fn named(view: &View<'_>, group: &str, kind: &str, namespace: Option<&str>, name: &str) -> Option<ObjectId> {
    let is_cluster_scoped = scope::is_cluster_scoped(view, group, kind);
    let namespace = if is_cluster_scoped { None } else { Some(namespace.unwrap_or("default")) };
    match (group, kind) {
        ("", "Endpoints") => Some(ObjectId::new("", "Service", namespace, name)),
        ("", "Pod") => {
            let pod = ObjectId::new("", "Pod", namespace, name);
            let made_by = || {
                let mut owners = view.pods().iter().filter(|pods| Some(pods.namespace()) == namespace);
                // A StatefulSet's pods have names that can be known: web-0, web-1 …
                owners.find(|pods| {
                    let owner = pods.owner.id.name();
                    pods.owner.id.kind() == "StatefulSet"
                        && name.strip_prefix(owner).is_some_and(|rest| rest.starts_with('-'))
                })
            };
            if view.delivers(&pod) {
                Some(pod)
            } else {
                made_by().map(|pods| pods.owner.id.clone()).or(Some(pod))
            }
        }
        _ => {
            let id = ObjectId::new(group, kind, namespace, name);
            let alone = ObjectId::new(group, kind, None, name);
            Some(if view.delivers(&alone) { alone } else { id })
        }
    }
}

fn selected(
    view: &View<'_>,
    (group, kind): (&str, &str),
    namespace: Option<&str>,
    text: &str,
) -> Vec<ObjectId> {
    let Some(wanted) = Selector::parse(text) else { return Vec::new() };
    let here = |id: &ObjectId| namespace.is_none() || id.namespace().is_none() || id.namespace() == namespace;
    if (group, kind) == ("", "Pod") {
        let pods = view.pods().iter().filter(|pods| pods.run && here(&pods.owner.id));
        return pods.filter(|pods| wanted.matches(pods.labels)).map(|pods| pods.owner.id.clone()).collect();
    }
    let kind = if kind == "Endpoints" { "Service" } else { kind };
    let objects = view.of_kind(group, kind).into_iter();
    objects
        .filter(|object| here(&object.id) && wanted.matches(object.root.at(&["metadata", "labels"])))
        .map(|object| object.id.clone())
        .collect()
}

/// Group and kind of a resource as a user writes it: from the input's own CRDs, or from what is known.
fn kind(view: &View<'_>, written: &str) -> Option<(String, String)> {
    let asked = written.to_ascii_lowercase();
    let (name, group) = asked.split_once('.').unwrap_or((&asked, ""));
    let own = view.of_kind("apiextensions.k8s.io", "CustomResourceDefinition").into_iter().find(|crd| {
        let names = crd.root.at(&["spec", "names"]);
        let is = |key: &str| names.and_then(|names| names.text_at(&[key])) == Some(name);
        let by_kind = names.and_then(|names| names.text_at(&["kind"]));
        let short = names.is_some_and(|n| n.list_at(&["shortNames"]).iter().any(|s| s.text() == Some(name)));
        let right_group =
            group.is_empty() || crd.text_at(&["spec", "group"]).is_some_and(|g| group.ends_with(g));
        right_group
            && (is("plural")
                || is("singular")
                || short
                || by_kind.is_some_and(|k| k.eq_ignore_ascii_case(name)))
    });
    if let Some(crd) = own {
        let group = crd.text_at(&["spec", "group"])?;
        let kind = crd.text_at(&["spec", "names", "kind"])?;
        return Some((group.to_owned(), kind.to_owned()));
    }
    let known = plimsoll_schema::kinds_of_resource(written);
    let first = known.first().copied();
    // Of kinds that are not Kubernetes' own, the objects of the input tell which is meant.
    let is_meant = |id: &&ObjectId| {
        let is_known = known.contains(&(id.group(), id.kind()));
        let is_named =
            || id.kind().eq_ignore_ascii_case(name) || resource::of(view, id.group(), id.kind()) == name;
        !plimsoll_schema::is_builtin_group(id.group())
            && (is_known || is_named() && (group.is_empty() || group.ends_with(id.group())))
    };
    let (group, kind) = match first {
        Some((group, kind)) if plimsoll_schema::is_builtin_group(group) => (group, kind),
        _ => {
            let own = view.objects().map(|object| &object.id).find(is_meant);
            own.map(|id| (id.group(), id.kind())).or(first)?
        }
    };
    Some((group.to_owned(), kind.to_owned()))
}

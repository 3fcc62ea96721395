//! PLM-R017: a container may mount a key by `subPath` before the key is there, and gets a directory for good.
//!
//! kubernetes v1.36.4 `pkg/kubelet/kubelet_pods.go` `makeMounts` (`SafeMakeDir`). Seen on a real kubelet: the
//! directory outlives the key's arrival and restarts of the container, until the pod is deleted.

use crate::read::keys;
use crate::read::pods::Pods;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Node, ObjectId, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R017"),
    name: "subpath-before-key",
    class: Class::ConfigMissing,
    page: include_str!("subpath_before_key.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for pods in view.pods().iter().filter(|pods| pods.run) {
        let inits = pods.spec.list_at(&["initContainers"]);
        let mounts = pods.all_containers().flat_map(|container| {
            let is_init = inits.iter().any(|init| std::ptr::eq(init, container));
            container.list_at(&["volumeMounts"]).iter().map(move |mount| (mount, is_init))
        });
        for (mount, is_init) in mounts {
            let Some(path) = mount.get("subPath") else { continue };
            // One that only prepares things can look whether the file is there, and often does.
            let sure = if is_init { Confidence::Assumed } else { Confidence::Proved };
            let volumes = pods.spec.list_at(&["volumes"]).iter();
            let mut named = volumes.filter(|volume| volume.text_at(&["name"]) == mount.text_at(&["name"]));
            if let Some((source, target)) = named.next().and_then(|volume| source(pods, volume)) {
                look(view, pods, (path, sure), (source, &target), found);
            }
        }
    }
}

/// The Secret or ConfigMap that a volume is made from.
fn source<'a>(pods: &Pods<'_>, volume: &'a Node) -> Option<(&'a Node, ObjectId)> {
    if let Some(source) = volume.get("secret") {
        return Some((source, pods.neighbour("Secret", source.text_at(&["secretName"])?)));
    }
    let source = volume.get("configMap")?;
    Some((source, pods.neighbour("ConfigMap", source.text_at(&["name"])?)))
}

fn look(
    view: &View<'_>,
    pods: &Pods<'_>,
    (path, sure): (&Node, Confidence),
    (source, target): (&Node, &ObjectId),
    found: &mut Found,
) {
    let Some(wanted) = path.text().filter(|path| !path.is_empty() && !path.contains('$')) else { return };
    let is_optional = source.bool_at(&["optional"]) == Some(true);
    let is_brought = view.delivers(target) || found.is_brought(target);
    let first = if is_never_there((view, found), source, target, wanted) {
        Clause(Vec::new())
    } else if is_optional && is_brought {
        target.at(Stored).into()
    } else {
        return;
    };
    let remedy = format!("add {wanted} to {target}, or mount a key that it has");
    let statement = RULE.requires(first.clone(), pods.start());
    let statement = if first.0.is_empty() { statement.mended(remedy) } else { statement };
    statement
        .read(Reading::OnceForGood)
        .sure(sure)
        .class(if target.kind() == "Secret" { Class::SecretNotYetProduced } else { Class::ConfigMissing })
        .at(path.place)
        .says(format!("{} mounts {wanted} of {target} by subPath", pods.owner.id))
        .answered(Actor::Kubelet, format!("makes a directory where the file {wanted} should be"), "")
        .push(found);
}

/// Whether the volume has no such file: no item has this path, or the source lacks the key of that name.
fn is_never_there(
    (view, found): (&View<'_>, &Found),
    source: &Node,
    target: &ObjectId,
    wanted: &str,
) -> bool {
    let items = source.list_at(&["items"]);
    if items.is_empty() {
        return !wanted.contains('/') && keys::lack(view, found, target, wanted);
    }
    let within =
        |path: &str| path == wanted || path.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'));
    !items.iter().filter_map(|item| item.text_at(&["path"])).any(within)
}

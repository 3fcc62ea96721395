//! PLM-R063: a Secret or ConfigMap changes, and the pods that have read it keep what they have.
//!
//! kubernetes v1.36.4 `pkg/kubelet/kubelet_pods.go` (`makeEnvironmentVariables`, `makeMounts`): variables and subPath
//! mounts are made once, when a container starts. Seen on a real kubelet: neither ever changed.

use crate::read::pods::Pods;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Moment, Node, Object, ObjectId, Place, Reading};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R063"),
    name: "changed-source-reaches-nobody",
    class: Class::ConfigMissing,
    page: include_str!("changed_source_reaches_nobody.md"),
    find,
};

/// Annotations by which a workload asks another program to restart it.
const RESTARTERS: [&str; 2] = ["reloader.stakater.com/", "wave.pusher.com/update-on-config-change"];

fn find(view: &View<'_>, found: &mut Found) {
    let Some(before) = view.bundle.before.as_deref().filter(|_| view.scene.operation.is_change()) else {
        return;
    };
    let old: FxHashMap<&ObjectId, &Object> = before.deliveries().map(|(_, one)| (&one.id, one)).collect();
    for pods in view.pods().iter().filter(|pods| pods.run && is_kept(pods, &old)) {
        let mut told = FxHashSet::default();
        for read in reads(pods) {
            let (Some(new), Some(old)) = (view.object(&read.source), old.get(&read.source)) else { continue };
            if is_changed(old, new, read.key) && told.insert(read.source.clone()) {
                state(view, pods, &read, found);
            }
        }
    }
}

/// Whether the pods stay as they are: nothing about them is declared otherwise, and nobody restarts them.
fn is_kept(pods: &Pods<'_>, old: &FxHashMap<&ObjectId, &Object>) -> bool {
    let path = ["spec", "template"];
    let (now, then) = (pods.owner.root.at(&path), old.get(&pods.owner.id).and_then(|old| old.root.at(&path)));
    let is_same = now.zip(then).is_some_and(|(now, then)| now.means(then));
    let annotations = pods.owner.root.at(&["metadata", "annotations"]).into_iter().chain(pods.annotations);
    let mut keys = annotations.flat_map(Node::entries).map(|(key, _)| &*key.text);
    let is_restarter = |key: &str| RESTARTERS.iter().any(|restarter| key.contains(restarter));
    pods.owner.id.group() == "apps" && is_same && !keys.any(is_restarter)
}

/// Something that a container reads once.
struct Read<'a> {
    source: ObjectId,
    /// The key that it reads, or all of them.
    key: Option<&'a str>,
    place: Place,
}

fn reads<'a>(pods: &Pods<'a>) -> Vec<Read<'a>> {
    let mut reads = Vec::new();
    for container in pods.containers() {
        for variable in container.list_at(&["env"]) {
            for (field, kind) in [("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap")] {
                let Some(reference) = variable.at(&["valueFrom", field]) else { continue };
                reads.extend(read(pods, kind, reference, "name", reference.text_at(&["key"])));
            }
        }
        for from in container.list_at(&["envFrom"]) {
            for (field, kind) in [("secretRef", "Secret"), ("configMapRef", "ConfigMap")] {
                reads.extend(from.get(field).and_then(|reference| read(pods, kind, reference, "name", None)));
            }
        }
        for mount in container.list_at(&["volumeMounts"]) {
            let Some(key) = mount.text_at(&["subPath"]) else { continue };
            let volumes = pods.spec.list_at(&["volumes"]).iter();
            for volume in volumes.filter(|volume| volume.text_at(&["name"]) == mount.text_at(&["name"])) {
                let secret = volume.get("secret").filter(|source| source.get("items").is_none());
                reads.extend(secret.and_then(|one| read(pods, "Secret", one, "secretName", Some(key))));
                let map = volume.get("configMap").filter(|source| source.get("items").is_none());
                reads.extend(map.and_then(|one| read(pods, "ConfigMap", one, "name", Some(key))));
            }
        }
    }
    reads
}

fn read<'a>(
    pods: &Pods<'_>,
    kind: &str,
    reference: &'a Node,
    name: &str,
    key: Option<&'a str>,
) -> Option<Read<'a>> {
    let name = reference.get(name)?;
    Some(Read { source: pods.neighbour(kind, name.text()?), key, place: name.place })
}

/// Whether a key has another value than before; without a key, whether any has.
fn is_changed(old: &Object, new: &Object, key: Option<&str>) -> bool {
    let fields = ["data", "stringData", "binaryData"];
    fields.into_iter().any(|field| {
        let [old, new] = [old, new].map(|object| object.root.get(field));
        match (old, new, key) {
            (Some(old), Some(new), None) => !old.means(new),
            (Some(old), Some(new), Some(key)) => match (old.get(key), new.get(key)) {
                (Some(old), Some(new)) => !old.means(new),
                _ => false,
            },
            _ => false,
        }
    })
}

fn state(view: &View<'_>, pods: &Pods<'_>, read: &Read<'_>, found: &mut Found) {
    let (owner, source) = (&pods.owner.id, &read.source);
    let Some(step) = view.step_of(source) else { return };
    let kind = owner.kind().to_ascii_lowercase();
    RULE.requires(Clause(Vec::new()), Moment::request(step, source, Stored))
        .read(Reading::OnceSilently)
        .at(read.place)
        .says(format!("the pods of {owner} have read {source} when they started, and nothing makes them anew"))
        .answered(Actor::Kubelet, format!("leaves the containers of {owner} as they are"), "")
        .mended(format!(
            "annotate the pod template of {owner} with a checksum of {source}, so that both change together, or run \
             `kubectl rollout restart {kind}/{} -n {}` afterwards",
            owner.name(),
            pods.namespace()
        ))
        .push(found);
}

//! Fields that the API server refuses to change, and what it says then.
//!
//! kubernetes v1.36.4 `pkg/apis/*/validation`. A field that one side leaves out may be the default of the other, so only
//! what both sides say counts, but for labels and other maps that have no defaults.

use plimsoll_model::{Node, Object, Place, Value};

/// A field that is declared otherwise than before.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) field: &'static str,
    /// Where it is declared now.
    pub(crate) place: Place,
    /// What is said behind "is invalid: ".
    pub(crate) answer: String,
}

/// How a refusal is worded.
#[derive(Debug, Clone, Copy)]
enum Words {
    /// The field, the new value, and that it is immutable.
    Immutable,
    /// Always the same.
    Said(&'static str),
}

use Words::{Immutable, Said};

const STATEFUL: Words = Said(
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', \
     'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
);
const CLAIM: Words = Said(
    "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound \
     claims",
);
const VOLUME: Words =
    Said("spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation");
const TEMPLATE: Words = Said("spec.template: Invalid value: …: field is immutable");

/// Group, kind, field, words.
const FIELDS: [(&str, &str, &str, Words); 26] = [
    ("apps", "Deployment", "spec.selector", Immutable),
    ("apps", "DaemonSet", "spec.selector", Immutable),
    ("apps", "ReplicaSet", "spec.selector", Immutable),
    ("apps", "StatefulSet", "spec.selector", STATEFUL),
    ("apps", "StatefulSet", "spec.serviceName", STATEFUL),
    ("apps", "StatefulSet", "spec.podManagementPolicy", STATEFUL),
    ("apps", "StatefulSet", "spec.volumeClaimTemplates", STATEFUL),
    ("batch", "Job", "spec.template", TEMPLATE),
    ("", "PersistentVolumeClaim", "spec.storageClassName", CLAIM),
    ("", "PersistentVolumeClaim", "spec.accessModes", CLAIM),
    ("", "PersistentVolumeClaim", "spec.selector", CLAIM),
    ("", "PersistentVolumeClaim", "spec.volumeMode", CLAIM),
    ("", "PersistentVolume", "spec.hostPath", VOLUME),
    ("", "PersistentVolume", "spec.nfs", VOLUME),
    ("", "PersistentVolume", "spec.csi", VOLUME),
    ("", "Secret", "type", Immutable),
    ("storage.k8s.io", "StorageClass", "parameters", Immutable),
    ("storage.k8s.io", "StorageClass", "provisioner", Immutable),
    ("storage.k8s.io", "StorageClass", "reclaimPolicy", Immutable),
    ("storage.k8s.io", "StorageClass", "volumeBindingMode", Immutable),
    (
        "scheduling.k8s.io",
        "PriorityClass",
        "value",
        Said("value: Forbidden: may not be changed in an update."),
    ),
    ("node.k8s.io", "RuntimeClass", "handler", Immutable),
    ("networking.k8s.io", "IngressClass", "spec.controller", Immutable),
    ("apiextensions.k8s.io", "CustomResourceDefinition", "spec.scope", Immutable),
    ("rbac.authorization.k8s.io", "RoleBinding", "roleRef", Said("")),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding", "roleRef", Said("")),
];

/// The fields of an object that are declared otherwise and cannot be changed.
pub(crate) fn changes(old: &Object, new: &Object) -> Vec<Fixed> {
    // A Job that deletes itself is gone by then.
    if old.root.at(&["spec", "ttlSecondsAfterFinished"]).is_some() {
        return Vec::new();
    }
    let fields = FIELDS.iter().filter(|(group, kind, ..)| new.id.is(group, kind));
    let fixed = fields.filter_map(|(_, _, field, words)| {
        let path: Vec<&str> = field.split('.').collect();
        let (before, now) = (old.root.at(&path)?, new.root.at(&path)?);
        differ(before, now, is_plain(field)).then(|| Fixed {
            field,
            place: now.place,
            answer: match words {
                Said("") => format!("roleRef: Invalid value: {}: cannot change roleRef", role(now)),
                Said(text) => (*text).to_owned(),
                Immutable => format!("{field}: Invalid value: {}: field is immutable", json(now)),
            },
        })
    });
    fixed.chain(sealed(old, new)).chain(headless(old, new)).collect()
}

/// A Secret or `ConfigMap` that was declared immutable.
fn sealed(old: &Object, new: &Object) -> Option<Fixed> {
    let is_sealed =
        matches!(new.id.kind(), "Secret" | "ConfigMap") && old.root.bool_at(&["immutable"]) == Some(true);
    let data = ["data", "stringData", "binaryData"].into_iter().filter(|_| is_sealed).find_map(|field| {
        let (before, now) = (old.root.get(field)?, new.root.get(field)?);
        (!before.means(now)).then_some(now)
    })?;
    let answer = "data: Forbidden: field is immutable when `immutable` is set".to_owned();
    Some(Fixed { field: "data", place: data.place, answer })
}

/// A Service that had an address cannot lose it.
fn headless(old: &Object, new: &Object) -> Option<Fixed> {
    let path = ["spec", "clusterIP"];
    let now = new.root.at(&path).filter(|now| new.id.is("", "Service") && now.text() == Some("None"))?;
    let had_address =
        old.text_at(&path) != Some("None") && old.text_at(&["spec", "type"]) != Some("ExternalName");
    let answer = "spec.clusterIPs[0]: Invalid value: [\"None\"]: may not change once set".to_owned();
    had_address.then_some(Fixed { field: "spec.clusterIP", place: now.place, answer })
}

/// Whether a field has no parts that the server fills in.
fn is_plain(field: &str) -> bool {
    matches!(field, "spec.selector" | "parameters" | "roleRef")
}

/// Whether two values say different things, as far as both say something.
fn differ(old: &Node, new: &Node, is_plain: bool) -> bool {
    match (&old.value, &new.value) {
        (Value::Map(_), Value::Map(_)) if !is_plain => old.entries().iter().any(|(key, before)| {
            let is_plain = matches!(&*key.text, "labels" | "annotations");
            new.get(&key.text).is_some_and(|now| differ(before, now, is_plain))
        }),
        (Value::List(before), Value::List(now)) => {
            before.len() != now.len() || before.iter().zip(now).any(|(old, new)| differ(old, new, is_plain))
        }
        (Value::Null, _) | (_, Value::Null) => false,
        _ => !old.means(new),
    }
}

/// A role as the server names it.
fn role(node: &Node) -> String {
    let text = |key: &str| node.text_at(&[key]).unwrap_or_default();
    format!(
        "{{\"APIGroup\":\"{}\",\"Kind\":\"{}\",\"Name\":\"{}\"}}",
        text("apiGroup"),
        text("kind"),
        text("name")
    )
}

/// A value as the server prints it: keys in their order, nothing between.
fn json(node: &Node) -> String {
    match &node.value {
        Value::Map(_) => {
            let mut entries: Vec<_> = node.entries().iter().collect();
            entries.sort_by(|(one, _), (other, _)| one.text.cmp(&other.text));
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{:?}:{}", key.text, json(value))).collect();
            format!("{{{}}}", entries.join(","))
        }
        Value::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(",")),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        _ => format!("{:?}", node.text().unwrap_or_default()),
    }
}

//! What a stand-in says of an object: the fields that rules ask for, as a flat list of paths and texts.

use crate::question::{Answer, NAMESPACE};
use plimsoll_model::{Node, Value};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds that stand-ins do not state: rules ask next to nothing of them, and charts bring many.
pub(crate) const UNSTATED: &[&str] = &[
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "HorizontalPodAutoscaler",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "PodSecurityPolicy",
    "PrometheusRule",
    "Role",
    "RoleBinding",
    "VerticalPodAutoscaler",
];

/// The field of a definition that says everything: "Kind plural Scope version…", as `shelf.definition` takes it.
pub(crate) const ROW: &str = "row";

/// A field: the keys that lead there; an item of a list is called by its name in brackets.
pub(crate) type Field = Vec<String>;

/// An object of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Facts {
    pub(crate) kind: String,
    pub(crate) is_definition: bool,
    pub(crate) name: String,
    pub(crate) namespace: String,
    /// What is said of it, as JSON.
    pub(crate) fields: BTreeMap<Field, String>,
}

/// Labels by which the webhooks of other charts tell whether they are meant.
const ASKED: [&str; 2] = ["istio.io/rev", "sidecar.istio.io/inject"];

/// What there is to say about an answer.
pub(crate) fn facts(answer: &Answer) -> Vec<Facts> {
    let mut labels = BTreeSet::from(ASKED);
    for (_, object) in &answer.objects {
        for path in [&["spec", "selector"][..], &["spec", "selector", "matchLabels"]] {
            let selector = object.at(path).map_or(&[][..], Node::entries);
            labels.extend(selector.iter().map(|(key, _)| &*key.text));
        }
        for webhook in object.list_at(&["webhooks"]) {
            let equal = webhook.at(&["objectSelector", "matchLabels"]).map_or(&[][..], Node::entries);
            labels.extend(equal.iter().map(|(key, _)| &*key.text));
            let expressions = webhook.list_at(&["objectSelector", "matchExpressions"]).iter();
            labels.extend(expressions.filter_map(|one| one.text_at(&["key"])));
        }
    }
    let stated = answer.objects.iter().filter_map(|(is_definition, object)| {
        let text = |path: &[&str]| object.text_at(path).unwrap_or_default().to_owned();
        let kind = text(&["kind"]);
        if UNSTATED.contains(&&*kind) || kind.ends_with("List") {
            return None;
        }
        let mut fields = BTreeMap::new();
        flatten(&outline(object, &kind, &labels), &mut Vec::new(), &mut fields);
        let namespace = Some(text(&["metadata", "namespace"])).filter(|namespace| !namespace.is_empty());
        Some(Facts {
            kind,
            is_definition: *is_definition,
            name: text(&["metadata", "name"]),
            namespace: namespace.unwrap_or_else(|| NAMESPACE.to_owned()),
            fields,
        })
    });
    stated.collect()
}

/// Everything but the name, as far as it is stated.
fn outline(object: &Node, kind: &str, labels: &BTreeSet<&str>) -> Json {
    if kind == "CustomResourceDefinition" {
        return definition(object);
    }
    let mut said = json!({ "apiVersion": object.text_at(&["apiVersion"]), "kind": kind });
    for name in [
        "helm.sh/hook",
        "helm.sh/hook-weight",
        "helm.sh/hook-delete-policy",
        "helm.sh/resource-policy",
        "cert-manager.io/inject-ca-from",
        "cert-manager.io/inject-ca-from-secret",
    ] {
        copy(object, &mut said, &["metadata", "annotations", name]);
    }
    for path in plain_fields(kind) {
        copy(object, &mut said, path);
    }
    match kind {
        "Deployment" | "StatefulSet" | "DaemonSet" => {
            put(
                &mut said,
                &["spec", "selector", "matchLabels"],
                kept(object, &["spec", "selector", "matchLabels"], labels),
            );
            let path = ["spec", "template", "metadata", "labels"];
            put(&mut said, &path, kept(object, &path, labels));
            pods(object, &mut said, &["spec", "template", "spec"]);
        }
        "Job" => pods(object, &mut said, &["spec", "template", "spec"]),
        "CronJob" => pods(object, &mut said, &["spec", "jobTemplate", "spec", "template", "spec"]),
        "Pod" => pods(object, &mut said, &["spec"]),
        "Secret" => {
            for part in ["data", "stringData"] {
                let keys = object.at(&[part]).map_or(&[][..], Node::entries).iter();
                for (key, _) in keys.filter(|(_, value)| !value.is_empty()) {
                    put(&mut said, &[part, &key.text], Some("bWFkZQ==".into()));
                }
            }
        }
        "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration" => webhooks(object, &mut said),
        _ => {}
    }
    said
}

/// Fields that are stated as they are.
fn plain_fields(kind: &str) -> &'static [&'static [&'static str]] {
    match kind {
        "Deployment" | "StatefulSet" | "DaemonSet" => &[&["spec", "serviceName"]],
        "Service" => &[&["spec", "selector"], &["spec", "externalName"]],
        "Certificate" => {
            &[&["spec", "secretName"], &["spec", "issuerRef", "kind"], &["spec", "issuerRef", "name"]]
        }
        "APIService" => &[
            &["spec", "group"],
            &["spec", "version"],
            &["spec", "service", "name"],
            &["spec", "service", "namespace"],
        ],
        "IngressClass" => &[&["spec", "controller"]],
        "GatewayClass" => &[&["spec", "controllerName"]],
        "StorageClass" => &[&["provisioner"]],
        "Secret" => &[&["type"]],
        _ => &[],
    }
}

/// The labels that tell pods apart.
fn kept(object: &Node, path: &[&str], labels: &BTreeSet<&str>) -> Option<Json> {
    let entries = object.at(path)?.entries().iter();
    let kept = entries.filter(|(key, _)| labels.contains(&*key.text));
    Some(Json::Object(kept.map(|(key, value)| (key.text.to_string(), json(value))).collect()))
}

fn pods(object: &Node, said: &mut Json, path: &[&str]) {
    let Some(spec) = object.at(path) else { return };
    let mut pods = Map::new();
    for field in ["serviceAccountName", "restartPolicy"] {
        if let Some(value) = spec.get(field) {
            pods.insert(field.to_owned(), json(value));
        }
    }
    let mut secrets = BTreeMap::new();
    for volume in spec.list_at(&["volumes"]) {
        if let (Some(name), Some(secret)) = (volume.text_at(&["name"]), volume.at(&["secret", "secretName"]))
        {
            let mut reference = json!({ "secretName": json(secret) });
            copy(volume.get("secret").unwrap_or(volume), &mut reference, &["optional"]);
            secrets.insert(name, json!({ "name": name, "secret": reference }));
        }
    }
    for part in ["initContainers", "containers"] {
        let containers = spec.list_at(&[part]).iter().map(|one| container(one, &secrets));
        let containers: Vec<Json> = containers.collect();
        if !containers.is_empty() {
            pods.insert(part.to_owned(), Json::Array(containers));
        }
    }
    if !secrets.is_empty() {
        pods.insert("volumes".to_owned(), Json::Array(secrets.into_values().collect()));
    }
    put(said, path, Some(Json::Object(pods)));
}

fn container(container: &Node, secrets: &BTreeMap<&str, Json>) -> Json {
    let mut said = json!({ "name": container.text_at(&["name"]) });
    let image = container.text_at(&["image"]).map(program).unwrap_or_default();
    // What this program makes is told from its arguments.
    let is_producer = image == "kube-webhook-certgen";
    if is_producer {
        put(&mut said, &["image"], Some(image.into()));
        let matters = |argument: &&str| {
            !argument.starts_with('-')
                || ["--secret-name", "--namespace"].iter().any(|name| argument.starts_with(name))
        };
        let arguments = container.list_at(&["args"]).iter().filter_map(Node::text).filter(matters);
        put(&mut said, &["args"], Some(arguments.collect()));
    }
    let mut variables = BTreeMap::new();
    for variable in container.list_at(&["env"]) {
        let Some(name) = variable.text_at(&["name"]) else { continue };
        let mut reference = json!({ "name": name });
        for field in ["name", "key", "optional"] {
            copy(variable, &mut reference, &["valueFrom", "secretKeyRef", field]);
        }
        if is_producer {
            copy(variable, &mut reference, &["valueFrom", "fieldRef", "fieldPath"]);
        }
        if reference.get("valueFrom").is_some() {
            variables.insert(name, reference);
        }
    }
    if !variables.is_empty() {
        put(&mut said, &["env"], Some(Json::Array(variables.into_values().collect())));
    }
    let mounts = container.list_at(&["volumeMounts"]).iter().filter_map(|mount| mount.text_at(&["name"]));
    let mounts: BTreeSet<&str> = mounts.filter(|name| secrets.contains_key(name)).collect();
    if !mounts.is_empty() {
        let mounts = mounts.into_iter().map(|name| json!({ "name": name }));
        put(&mut said, &["volumeMounts"], Some(mounts.collect()));
    }
    said
}

/// The last part of an image's name.
pub(crate) fn program(image: &str) -> &str {
    let last = image.rsplit('/').next().unwrap_or(image);
    last.split(['@', ':']).next().unwrap_or(last)
}

fn webhooks(object: &Node, said: &mut Json) {
    let webhooks = object.list_at(&["webhooks"]).iter().map(|webhook| {
        let mut said = json!({});
        for field in
            ["name", "rules", "failurePolicy", "namespaceSelector", "objectSelector", "matchConditions"]
        {
            copy(webhook, &mut said, &[field]);
        }
        for field in ["name", "namespace"] {
            copy(webhook, &mut said, &["clientConfig", "service", field]);
        }
        copy(webhook, &mut said, &["clientConfig", "url"]);
        said
    });
    put(said, &["webhooks"], Some(webhooks.collect()));
}

fn definition(object: &Node) -> Json {
    let text = |path: &[&str]| object.text_at(path).unwrap_or_default();
    let (kind, plural) = (text(&["spec", "names", "kind"]), text(&["spec", "names", "plural"]));
    let mut row = format!("{} {kind} {plural} {}", text(&["spec", "group"]), text(&["spec", "scope"]));
    for version in object.list_at(&["spec", "versions"]) {
        let mark = match (version.bool_at(&["storage"]), version.bool_at(&["served"])) {
            (Some(true), Some(false)) => "*-",
            (Some(true), _) => "*",
            (_, Some(false)) => "-",
            _ => "",
        };
        let name = version.text_at(&["name"]).unwrap_or_default();
        row.extend([" ", name, mark]);
    }
    let mut said = json!({ ROW: row });
    for field in ["name", "namespace"] {
        let path = ["spec", "conversion", "webhook", "clientConfig", "service", field];
        if let Some(value) = object.at(&path) {
            put(&mut said, &["converter", field], Some(json(value)));
        }
    }
    said
}

fn copy(from: &Node, into: &mut Json, path: &[&str]) {
    put(into, path, from.at(path).filter(|value| !value.is_empty()).map(json));
}

fn put(into: &mut Json, path: &[&str], value: Option<Json>) {
    let (Some(value), Some((last, keys))) = (value, path.split_last()) else { return };
    let mut at = into;
    for key in keys {
        if let Json::Object(map) = at {
            at = map.entry(*key).or_insert_with(|| json!({}));
        }
    }
    if let Json::Object(map) = at {
        map.insert((*last).to_owned(), value);
    }
}

fn json(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(on) => (*on).into(),
        Value::Int(number) => (*number).into(),
        Value::Uint(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Text(text) => (&**text).into(),
        Value::Concealed(_) => "made".into(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|(key, value)| (key.text.to_string(), json(value))).collect())
        }
    }
}

fn flatten(said: &Json, path: &mut Field, found: &mut BTreeMap<Field, String>) {
    let is_whole = |key: &str| matches!(key, "namespaceSelector" | "objectSelector");
    match said {
        Json::Object(map) if !path.last().is_some_and(|key| is_whole(key)) => {
            for (key, inner) in map {
                path.push(key.clone());
                flatten(inner, path, found);
                path.pop();
            }
        }
        Json::Array(items) if !items.is_empty() && items.iter().all(|item| item.get("name").is_some()) => {
            for item in items {
                let name = item.get("name").and_then(Json::as_str).unwrap_or_default();
                path.push(format!("[{name}]"));
                flatten(item, path, found);
                path.pop();
            }
        }
        Json::Null => {}
        _ => {
            found.insert(path.clone(), said.to_string());
        }
    }
}

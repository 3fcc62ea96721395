//! Objects that `kubectl create <kind> <name>` makes up. Secret values are concealed as soon as they are read.
//!
//! Shapes as in kubectl v0.36.4 `pkg/cmd/create/`.

use super::super::expand::Field;
use super::super::flags::Flags;
use super::super::paths;
use super::super::reader::Reader;
use super::super::state::State;
use super::super::syntax::Position;
use super::namespace_of;
use super::shape::Shape;
use plimsoll_model::{Object, ObjectId};

/// The object that `create` makes; `None` for kinds that are not made up here and for names that are not known.
pub(super) fn object(
    reader: &mut Reader<'_, '_>,
    flags: &Flags,
    at: Position,
    state: &State,
) -> Option<Object> {
    let shape = Shape { place: reader.place(at) };
    let words: Vec<&Field> = flags.words.iter().skip(1).collect();
    let kind = words.first()?.text.as_str();
    let typed = matches!(kind, "secret" | "service" | "svc");
    let name = words.get(if typed { 2 } else { 1 }).filter(|name| name.unknown.is_none())?.text.clone();
    let subtype = if typed { words.get(1)?.text.as_str() } else { "" };
    let made = match kind {
        "namespace" | "ns" => Made::of("", "v1", "Namespace", Vec::new()),
        "serviceaccount" | "sa" => Made::of("", "v1", "ServiceAccount", Vec::new()),
        "configmap" | "cm" => {
            let data = shape
                .map(data(reader, flags, state).into_iter().map(|(key, value)| (key, shape.text(&value))));
            Made::of("", "v1", "ConfigMap", vec![("data", data)])
        }
        "secret" => Made::of("", "v1", "Secret", secret(reader, flags, state, subtype, &shape)?),
        "service" | "svc" => Made::of("", "v1", "Service", service(flags, subtype, &name, &shape)),
        "deployment" | "deploy" => Made::of("apps", "v1", "Deployment", deployment(flags, &name, &shape)),
        "job" if flags.value("from").is_none() => Made::of("batch", "v1", "Job", job(flags, &name, &shape)),
        "role" | "clusterrole" => Made::of(
            "rbac.authorization.k8s.io",
            "v1",
            role_kind(kind),
            vec![("rules", rules(flags, &shape))],
        ),
        "rolebinding" | "clusterrolebinding" => {
            Made::of("rbac.authorization.k8s.io", "v1", role_kind(kind), binding(flags, &shape)?)
        }
        _ => return None,
    };
    let is_namespaced = !matches!(made.kind, "Namespace" | "ClusterRole" | "ClusterRoleBinding");
    let namespace = namespace_of(flags, state).unwrap_or_else(|| reader.namespace.to_owned());
    let namespace = is_namespaced.then_some(namespace.as_str());
    let mut fields = vec![
        ("apiVersion", shape.text(&made.api_version())),
        ("kind", shape.text(made.kind)),
        ("metadata", shape.metadata(&name, flags.text("namespace").filter(|_| is_namespaced))),
    ];
    fields.extend(made.fields.iter().cloned());
    let id = ObjectId::new(made.group, made.kind, namespace, &name);
    reader.reading.coverage_mut().objects += 1;
    Some(Object::new(id, made.version, shape.map(fields)))
}

struct Made {
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    fields: Vec<(&'static str, plimsoll_model::Node)>,
}

impl Made {
    fn of(
        group: &'static str,
        version: &'static str,
        kind: &'static str,
        fields: Vec<(&'static str, plimsoll_model::Node)>,
    ) -> Self {
        Self { group, version, kind, fields }
    }

    fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_owned()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

type Fields = Vec<(&'static str, plimsoll_model::Node)>;

fn role_kind(word: &str) -> &'static str {
    match word {
        "role" => "Role",
        "clusterrole" => "ClusterRole",
        "rolebinding" => "RoleBinding",
        _ => "ClusterRoleBinding",
    }
}

/// Keys and values of `--from-literal`, `--from-file` and `--from-env-file`.
fn data(reader: &Reader<'_, '_>, flags: &Flags, state: &State) -> Vec<(String, String)> {
    let mut data = Vec::new();
    for literal in flags.values("from-literal") {
        let (key, value) = literal.text.split_once('=').unwrap_or((&literal.text, ""));
        data.push((key.to_owned(), value.to_owned()));
    }
    for file in flags.values("from-file") {
        let (key, path) = match file.text.split_once('=') {
            Some((key, path)) => (key, path),
            None => (file.text.rsplit('/').next().unwrap_or_default(), file.text.as_str()),
        };
        let resolved = paths::resolve(state.folder.as_deref(), path);
        let value = resolved.and_then(|path| reader.shelf.text(&path).ok()).unwrap_or_default();
        data.push((key.to_owned(), value));
    }
    for file in flags.values("from-env-file") {
        let resolved = paths::resolve(state.folder.as_deref(), &file.text);
        let text = resolved.and_then(|path| reader.shelf.text(&path).ok()).unwrap_or_default();
        let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with('#'));
        data.extend(lines.filter_map(|line| line.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())));
    }
    data
}

fn secret(
    reader: &mut Reader<'_, '_>,
    flags: &Flags,
    state: &State,
    subtype: &str,
    shape: &Shape,
) -> Option<Fields> {
    let (kind, data) = match subtype {
        "generic" => (flags.text("type").unwrap_or("Opaque"), data(reader, flags, state)),
        "tls" => {
            let keys = ["tls.crt", "tls.key"].map(|key| (key.to_owned(), String::new()));
            ("kubernetes.io/tls", keys.to_vec())
        }
        "docker-registry" => {
            reader.keep_secret(flags.text("docker-password"));
            ("kubernetes.io/dockerconfigjson", vec![(".dockerconfigjson".to_owned(), String::new())])
        }
        _ => return None,
    };
    for (_, value) in &data {
        reader.keep_secret(Some(value));
    }
    let data = shape.map(data.into_iter().map(|(key, value)| (key, shape.concealed(value))));
    Some(vec![("type", shape.text(kind)), ("data", data)])
}

fn service(flags: &Flags, subtype: &str, name: &str, shape: &Shape) -> Fields {
    let kind = match subtype {
        "nodeport" => "NodePort",
        "loadbalancer" => "LoadBalancer",
        "externalname" => "ExternalName",
        _ => "ClusterIP",
    };
    let port = |field: &Field| {
        let (port, target) = field.text.split_once(':').unwrap_or((&field.text, &field.text));
        shape.map([("port", shape.number_or_text(port)), ("targetPort", shape.number_or_text(target))])
    };
    let spec = [
        ("type", shape.text(kind)),
        ("selector", shape.map([("app", shape.text(name))])),
        ("ports", shape.list(flags.values("tcp").map(port))),
    ];
    vec![("spec", shape.map(spec))]
}

fn deployment(flags: &Flags, name: &str, shape: &Shape) -> Fields {
    let labels = || shape.map([("app", shape.text(name))]);
    let template =
        shape.map([("metadata", shape.map([("labels", labels())])), ("spec", pod(flags, name, None, shape))]);
    let spec = [
        ("replicas", shape.number_or_text(flags.text("replicas").unwrap_or("1"))),
        ("selector", shape.map([("matchLabels", labels())])),
        ("template", template),
    ];
    vec![("spec", shape.map(spec))]
}

fn job(flags: &Flags, name: &str, shape: &Shape) -> Fields {
    let template = shape.map([("spec", pod(flags, name, Some("Never"), shape))]);
    vec![("spec", shape.map([("template", template)]))]
}

fn pod(flags: &Flags, name: &str, restarts: Option<&str>, shape: &Shape) -> plimsoll_model::Node {
    let container =
        |image: &Field| shape.map([("name", shape.text(name)), ("image", shape.text(&image.text))]);
    let mut spec = vec![("containers", shape.list(flags.values("image").map(container)))];
    spec.extend(restarts.map(|restarts| ("restartPolicy", shape.text(restarts))));
    shape.map(spec)
}

fn comma_list(flags: &Flags, name: &str, shape: &Shape) -> plimsoll_model::Node {
    shape.list(flags.values(name).flat_map(|field| field.text.split(',')).map(|text| shape.text(text)))
}

fn rules(flags: &Flags, shape: &Shape) -> plimsoll_model::Node {
    let resources: Vec<&str> = flags.values("resource").flat_map(|field| field.text.split(',')).collect();
    let groups = resources.iter().map(|resource| {
        let group = resource
            .split_once('.')
            .map_or_else(|| super::kind_of(resource).map_or("", |k| k.0), |(_, group)| group);
        shape.text(group)
    });
    let plain = resources.iter().map(|resource| shape.text(resource.split('.').next().unwrap_or(resource)));
    let rule = [
        ("apiGroups", shape.list(groups)),
        ("resources", shape.list(plain)),
        ("verbs", comma_list(flags, "verb", shape)),
    ];
    shape.list([shape.map(rule)])
}

fn binding(flags: &Flags, shape: &Shape) -> Option<Fields> {
    let (kind, role) = match (flags.text("clusterrole"), flags.text("role")) {
        (Some(role), _) => ("ClusterRole", role),
        (None, Some(role)) => ("Role", role),
        (None, None) => return None,
    };
    let group = || shape.text("rbac.authorization.k8s.io");
    let reference =
        shape.map([("apiGroup", group()), ("kind", shape.text(kind)), ("name", shape.text(role))]);
    let accounts =
        flags.values("serviceaccount").filter_map(|field| field.text.split_once(':')).map(|(ns, name)| {
            shape.map([
                ("kind", shape.text("ServiceAccount")),
                ("name", shape.text(name)),
                ("namespace", shape.text(ns)),
            ])
        });
    let named = |kind: &'static str| {
        move |field: &Field| {
            shape.map([("apiGroup", group()), ("kind", shape.text(kind)), ("name", shape.text(&field.text))])
        }
    };
    let users = flags.values("user").map(named("User"));
    let groups = flags.values("group").map(named("Group"));
    Some(vec![("roleRef", reference), ("subjects", shape.list(accounts.chain(users).chain(groups)))])
}

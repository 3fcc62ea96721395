//! The charts that are installed: every kind, hooks of every phase, and objects that never become ready.

use crate::promise::case::Thing;
use crate::promise::failure::PromiseError;
use crate::promise::kinds::{CONFIG_MAP, DEFINITION, INSTANCE, KINDS, Kind, NAMESPACE, PREFIX};
use serde_json::{Value, json};
use std::path::Path;

/// Files of a chart by their path.
type Files = Vec<(String, Value)>;

/// A chart by its name.
type Chart = (&'static str, fn() -> Files);

/// A release of one object that is never ready, or that nobody makes ready.
pub(super) struct Probe {
    pub(super) name: &'static str,
    pub(super) flag: Option<&'static str>,
    pub(super) object: fn() -> Value,
}

/// Every chart by its name.
pub(super) const CHARTS: [Chart; 4] =
    [("whole", || whole(1)), ("later", || whole(2)), ("refused", refused), ("stuck", stuck)];

/// What `--wait` is tried with.
pub(super) const PROBES: [Probe; 15] = [
    probe("deployment", || workload("Deployment", json!({"replicas": 1}))),
    probe("deployment-max-unavailable-1", || {
        let strategy = json!({"rollingUpdate": {"maxUnavailable": 1}});
        workload("Deployment", json!({"replicas": 1, "strategy": strategy}))
    }),
    probe("stateful-set", || workload("StatefulSet", json!({"replicas": 1, "serviceName": "x"}))),
    probe("stateful-set-on-delete", || {
        let strategy = json!({"type": "OnDelete"});
        workload("StatefulSet", json!({"replicas": 1, "serviceName": "x", "updateStrategy": strategy}))
    }),
    probe("daemon-set-without-nodes", || workload("DaemonSet", json!({}))),
    probe("job", job),
    Probe { name: "job-with-wait-for-jobs", flag: Some("--wait-for-jobs"), object: job },
    probe("pod", || {
        let spec = json!({"containers": [{"name": "x", "image": "example.com/x"}]});
        object("v1", "Pod", json!({"spec": spec}))
    }),
    probe("volume-claim", || {
        let spec = json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}});
        object("v1", "PersistentVolumeClaim", json!({"spec": spec}))
    }),
    probe("service", || object("v1", "Service", json!({"spec": {"ports": [{"port": 80}]}}))),
    probe("service-load-balancer", || {
        object("v1", "Service", json!({"spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}}))
    }),
    probe("ingress", || {
        let backend = json!({"service": {"name": "x", "port": {"number": 80}}});
        object("networking.k8s.io/v1", "Ingress", json!({"spec": {"defaultBackend": backend}}))
    }),
    probe("autoscaler", || {
        let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"});
        let spec = json!({"maxReplicas": 2, "scaleTargetRef": target});
        object("autoscaling/v2", "HorizontalPodAutoscaler", json!({"spec": spec}))
    }),
    probe("api-service-without-backend", || {
        let service = json!({"name": "x", "namespace": "default"});
        let spec = json!({"group": "PREFIX.example.com", "version": "v1", "groupPriorityMinimum": 100,
            "versionPriority": 100, "insecureSkipTLSVerify": true, "service": service});
        json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": "v1.PREFIX.example.com"}, "spec": spec})
    }),
    probe(
        "custom-resource-without-status",
        || json!({"apiVersion": "helm3.example.com/v1", "kind": "Gadget", "metadata": {"name": "PREFIX"}}),
    ),
];

const fn probe(name: &'static str, object: fn() -> Value) -> Probe {
    Probe { name, flag: None, object }
}

/// Every kind, four objects of one of them, a CRD of the chart with an instance, and hooks. The second one has lost an
/// object, gained one, and changed the others.
fn whole(turn: usize) -> Files {
    let mut files: Files = Vec::new();
    let mut add = |kind: Kind, name: &str| {
        let file = format!("templates/{:02}-{}.yaml", files.len(), name.to_lowercase());
        files.push((file, thing(kind, name, turn, false)));
    };
    for kind in KINDS.iter().copied().chain([INSTANCE, NAMESPACE]) {
        add(kind, kind.name);
    }
    let more = if turn == 1 { ["second", "third", "lost"] } else { ["second", "third", "gained"] };
    for name in more {
        add(CONFIG_MAP, name);
    }
    let crd = json!({"apiVersion": DEFINITION.api_version, "kind": DEFINITION.name,
        "metadata": {"name": "gadgets.PREFIX.example.com"}, "spec": DEFINITION.body().get("spec")});
    files.push(("crds/gadget.yaml".to_owned(), crd));
    for (name, phases, weight, kind) in [
        ("pre-b", "pre-install,pre-upgrade,pre-rollback", 0, "ConfigMap"),
        ("pre-a", "pre-install,pre-upgrade,pre-rollback", 0, "Secret"),
        ("pre-first", "pre-install,pre-upgrade,pre-rollback", -5, "Secret"),
        ("pre-a", "pre-install,pre-upgrade,pre-rollback", 0, "ConfigMap"),
        ("post-b", "post-install,post-upgrade,post-rollback", 1, "ConfigMap"),
        ("post-a", "post-install,post-upgrade,post-rollback", 1, "ConfigMap"),
        ("delete-pre", "pre-delete", 0, "ConfigMap"),
        ("delete-post", "post-delete", 0, "ConfigMap"),
    ] {
        let path = format!("templates/hook-{name}-{}.yaml", kind.to_lowercase());
        files.push((path, hook(json!({"apiVersion": "v1", "kind": kind}), name, phases, weight)));
    }
    files
}

/// The second of four kinds is refused.
fn refused() -> Files {
    let wanted = ["ServiceAccount", "ConfigMap", "Service", "Deployment"];
    let kinds = KINDS.iter().copied().filter(|kind| wanted.contains(&kind.name));
    kinds
        .map(|kind| {
            let name = format!("refused-{}", kind.name);
            let path = format!("templates/{}.yaml", name.to_lowercase());
            (path, thing(kind, &name, 1, kind == CONFIG_MAP))
        })
        .collect()
}

/// A hook that never completes, and an object behind it.
fn stuck() -> Files {
    vec![
        ("templates/hook.yaml".to_owned(), hook(job(), "stuck", "pre-install", 0)),
        ("templates/behind.yaml".to_owned(), thing(CONFIG_MAP, "behind", 1, false)),
    ]
}

fn thing(kind: Kind, name: &str, turn: usize, is_refused: bool) -> Value {
    let name = format!("{PREFIX}-{}", name.to_lowercase());
    Thing { kind, name, namespace: "default".to_owned(), is_refused, turn }.value()
}

/// A hook out of an object without metadata.
fn hook(object: Value, name: &str, phases: &str, weight: i32) -> Value {
    let annotations = json!({"helm.sh/hook": phases, "helm.sh/hook-weight": weight.to_string()});
    let metadata = json!({"name": format!("{PREFIX}-{name}"), "annotations": annotations});
    with(object, json!({"metadata": metadata}))
}

fn workload(kind: &str, more: Value) -> Value {
    let labels = json!({"app": "PREFIX"});
    let template = json!({"metadata": {"labels": labels},
        "spec": {"containers": [{"name": "x", "image": "example.com/x"}]}});
    let spec = with(json!({"selector": {"matchLabels": labels}, "template": template}), more);
    object("apps/v1", kind, json!({"spec": spec}))
}

fn job() -> Value {
    let pod = json!({"restartPolicy": "Never", "containers": [{"name": "x", "image": "example.com/x"}]});
    object("batch/v1", "Job", json!({"spec": {"template": {"spec": pod}}}))
}

fn object(api_version: &str, kind: &str, body: Value) -> Value {
    with(json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": PREFIX}}), body)
}

fn with(mut value: Value, more: Value) -> Value {
    if let (Some(value), Value::Object(more)) = (value.as_object_mut(), more) {
        value.extend(more);
    }
    value
}

/// Writes a chart whose objects carry a prefix.
pub(super) fn write(folder: &Path, files: Files, prefix: &str) -> Result<(), PromiseError> {
    let about = json!({"apiVersion": "v2", "name": "observed", "version": "0.1.0"});
    for (path, value) in files.into_iter().chain([("Chart.yaml".to_owned(), about)]) {
        let path = folder.join(path);
        let text = value.to_string().replace(PREFIX, prefix);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|cause| PromiseError::File { path: path.clone(), cause })?;
    }
    Ok(())
}

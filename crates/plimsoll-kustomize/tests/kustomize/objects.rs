//! Random objects that refer to each other, as text.

use crate::dice::Dice;

pub(crate) const NAMES: [&str; 4] = ["web", "db", "api", "web-db"];
const NAMESPACES: [&str; 3] = ["one", "two", "default"];

/// One object on a few lines.
pub(crate) fn object(dice: &mut Dice) -> (String, String, String) {
    let kind = dice.pick(&[
        "Deployment",
        "Deployment",
        "Deployment",
        "StatefulSet",
        "Service",
        "ConfigMap",
        "Secret",
        "ServiceAccount",
        "Role",
        "RoleBinding",
        "ClusterRole",
        "ClusterRoleBinding",
        "Ingress",
        "HorizontalPodAutoscaler",
        "CronJob",
        "PersistentVolumeClaim",
        "Widget",
        "CustomResourceDefinition",
        "Namespace",
        "ValidatingWebhookConfiguration",
    ]);
    let name = dice.pick(&NAMES).to_owned();
    let body = body(dice, kind);
    let text = format!(
        "apiVersion: {}\nkind: {kind}\nmetadata:\n{}{body}",
        version(kind),
        metadata(dice, kind, &name)
    );
    (kind.to_owned(), name, text)
}

pub(crate) fn version(kind: &str) -> &'static str {
    match kind {
        "Deployment" | "StatefulSet" => "apps/v1",
        "Role" | "RoleBinding" | "ClusterRole" | "ClusterRoleBinding" => "rbac.authorization.k8s.io/v1",
        "Ingress" => "networking.k8s.io/v1",
        "HorizontalPodAutoscaler" => "autoscaling/v2",
        "CronJob" => "batch/v1",
        "Widget" => "example.org/v1",
        "CustomResourceDefinition" => "apiextensions.k8s.io/v1",
        "ValidatingWebhookConfiguration" => "admissionregistration.k8s.io/v1",
        _ => "v1",
    }
}

fn metadata(dice: &mut Dice, kind: &str, name: &str) -> String {
    let mut text = format!("  name: {name}\n");
    let is_namespaced = !matches!(kind, "Namespace") && !kind.starts_with("Cluster");
    if is_namespaced && dice.once_in(4) {
        text.push_str(&format!("  namespace: {}\n", dice.pick(&NAMESPACES)));
    }
    if dice.once_in(2) {
        text.push_str(&format!("  labels: {{app: {name}, tier: {}}}\n", scalar(dice)));
    }
    if dice.once_in(3) {
        text.push_str(&format!("  annotations: {{note: {}, empty: \"\"}}\n", scalar(dice)));
    }
    if dice.once_in(20) {
        text.push_str("  annotations: {config.kubernetes.io/local-config: \"true\"}\n");
        let at = text.find("  annotations: {note").map(|at| (at, at + text[at..].find('\n').unwrap() + 1));
        if let Some((from, to)) = at {
            text.replace_range(from..to, "");
        }
    }
    text
}

/// A scalar in one of the ways to write it.
pub(crate) fn scalar(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "a",
        "\"b\"",
        "'c d'",
        "\"1\"",
        "8080",
        "\"8080\"",
        "1.10",
        "true",
        "\"true\"",
        "on",
        "yes",
        "0644",
        "null",
        "~",
        "2024-01-02",
        "1e3",
        "x-y",
        "\"\"",
    ])
}

fn body(dice: &mut Dice, kind: &str) -> String {
    match kind {
        "Deployment" | "StatefulSet" => {
            let more = if kind == "StatefulSet" {
                format!("  serviceName: {}\n", dice.pick(&NAMES))
            } else if dice.once_in(2) {
                "  replicas: 2\n".to_owned()
            } else {
                String::new()
            };
            let selector = if dice.once_in(2) { "  selector: {matchLabels: {app: x}}\n" } else { "" };
            format!("spec:\n{more}{selector}  template:\n{}", pod(dice, 4))
        }
        "CronJob" => {
            format!("spec:\n  schedule: \"* * * * *\"\n  jobTemplate:\n    spec:\n      template:\n{}", pod(dice, 8))
        }
        "Service" => format!("spec:\n  selector: {{app: {}}}\n  ports:\n{}", scalar_text(dice), ports(dice, "port", 2)),
        "ConfigMap" => format!("data:\n  a: {}\n  key: \"text\"\n  json: '{{\"a\": {{\"b\": 1}}}}'\n", scalar(dice)),
        "Secret" => "type: Opaque\ndata: {a: eA==}\nstringData: {b: y}\n".to_owned(),
        "Role" | "ClusterRole" => {
            format!("rules:\n- {{apiGroups: [\"\"], resources: [secrets], verbs: [get], resourceNames: [{}]}}\n", dice.pick(&NAMES))
        }
        "RoleBinding" | "ClusterRoleBinding" => binding(dice, kind),
        "Ingress" => format!(
            "spec:\n  tls: [{{hosts: [h], secretName: {}}}]\n  rules:\n  - host: h\n    http: {{paths: [{{path: /, backend: {{service: {{name: {}, port: {{number: 80}}}}}}}}]}}\n",
            dice.pick(&NAMES),
            dice.pick(&NAMES)
        ),
        "HorizontalPodAutoscaler" => format!(
            "spec:\n  scaleTargetRef: {{apiVersion: apps/v1, kind: {}, name: {}}}\n  maxReplicas: 3\n",
            dice.pick(&["Deployment", "StatefulSet"]),
            dice.pick(&NAMES)
        ),
        "PersistentVolumeClaim" => "spec: {accessModes: [ReadWriteOnce], storageClassName: fast}\n".to_owned(),
        "Widget" => format!(
            "spec:\n  image: nginx:1\n  items: [{{name: a, v: {}}}, {{name: b}}]\n  list: [1, 2]\n  ref: {{name: {}}}\n  none:\n  nil: null\n",
            scalar(dice),
            dice.pick(&NAMES)
        ),
        "CustomResourceDefinition" => "spec:\n  group: example.org\n  names: {kind: Widget}\n  conversion: {webhook: {clientConfig: {service: {name: web, namespace: one}}}}\n".to_owned(),
        "ValidatingWebhookConfiguration" => format!(
            "webhooks:\n- name: a.example.org\n  clientConfig: {{service: {{name: {}, namespace: one}}}}\n- name: b.example.org\n  clientConfig: {{url: https://x}}\n",
            dice.pick(&NAMES)
        ),
        _ => String::new(),
    }
}

fn scalar_text(dice: &mut Dice) -> &'static str {
    dice.pick(&["web", "\"db\"", "api"])
}

fn binding(dice: &mut Dice, kind: &str) -> String {
    let role = if kind == "RoleBinding" { dice.pick(&["Role", "ClusterRole"]) } else { "ClusterRole" };
    format!(
        "roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: {role}, name: {}}}\nsubjects:\n- {{kind: ServiceAccount, name: {}, namespace: {}}}\n- {{kind: ServiceAccount, name: default}}\n- {{kind: User, name: {}}}\n",
        dice.pick(&NAMES),
        dice.pick(&NAMES),
        dice.pick(&NAMESPACES),
        dice.pick(&NAMES)
    )
}

fn pod(dice: &mut Dice, indent: usize) -> String {
    let mut lines = vec!["metadata: {labels: {app: x}}".to_owned(), "spec:".to_owned()];
    if dice.once_in(3) {
        lines.push(format!("  serviceAccountName: {}", dice.pick(&NAMES)));
    }
    lines.push("  containers:".to_owned());
    for name in ["main", "side"].iter().take(1 + dice.below(2)) {
        lines.extend(container(dice, name).into_iter().map(|line| format!("  {line}")));
    }
    if dice.once_in(3) {
        lines.push("  initContainers:".to_owned());
        lines.extend(container(dice, "init").into_iter().map(|line| format!("  {line}")));
    }
    if dice.once_in(2) {
        lines.push("  volumes:".to_owned());
        lines.push(format!("  - {{name: c, configMap: {{name: {}}}}}", dice.pick(&NAMES)));
        lines.push(format!("  - {{name: s, secret: {{secretName: {}}}}}", dice.pick(&NAMES)));
    }
    if dice.once_in(4) {
        lines.push("  tolerations: [{key: a, operator: Exists}]".to_owned());
    }
    let margin = " ".repeat(indent);
    lines.iter().map(|line| format!("{margin}{line}\n")).collect()
}

fn container(dice: &mut Dice, name: &str) -> Vec<String> {
    let image =
        dice.pick(&["nginx", "nginx:1.25", "\"nginx:1.25@sha256:ab\"", "host:5000/team/app:2", "busybox"]);
    let mut lines = vec![format!("- name: {name}"), format!("  image: {image}")];
    if dice.once_in(2) {
        lines.push("  env:".to_owned());
        lines.push(format!(
            "  - {{name: A, value: {}}}",
            dice.pick(&["\"1\"", "x", "\"$(THE_NAME)\"", "'pre-$(THE_NAME)'"])
        ));
        lines.push(format!(
            "  - {{name: B, valueFrom: {{configMapKeyRef: {{name: {}, key: a}}}}}}",
            dice.pick(&NAMES)
        ));
        lines.push(format!(
            "  - {{name: C, valueFrom: {{secretKeyRef: {{name: {}, key: a}}}}}}",
            dice.pick(&NAMES)
        ));
    }
    if dice.once_in(3) {
        lines.push(format!("  envFrom: [{{configMapRef: {{name: {}}}}}]", dice.pick(&NAMES)));
    }
    if dice.once_in(2) {
        lines.push("  ports:".to_owned());
        lines.extend(ports(dice, "containerPort", 2).lines().map(str::to_owned));
    }
    if dice.once_in(3) {
        lines.push("  args: [a, $(THE_NAME), b]".to_owned());
    }
    if dice.once_in(3) {
        lines.push("  volumeMounts: [{name: c, mountPath: /c}, {name: s, mountPath: /s}]".to_owned());
    }
    lines
}

fn ports(dice: &mut Dice, key: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut text = format!("{margin}- {{{key}: 80, name: http}}\n");
    if dice.once_in(2) {
        text.push_str(&format!("{margin}- {{{key}: 53, protocol: TCP}}\n"));
    }
    if dice.once_in(2) {
        text.push_str(&format!("{margin}- {{{key}: 53, protocol: UDP, name: dns}}\n"));
    }
    text
}

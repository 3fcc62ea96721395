//! Bundles that are correct by construction: whatever is needed is delivered, and waited for, in an earlier stage.

use crate::dice::Dice;
use std::fmt::Write;

/// Something that others need, and the stage it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Crd,
    Namespace,
    Account,
    Config,
    Secret,
    Priority,
    Claim,
    Certificate,
}

impl Piece {
    pub(crate) const ALL: [Self; 8] = [
        Self::Crd,
        Self::Namespace,
        Self::Account,
        Self::Config,
        Self::Secret,
        Self::Priority,
        Self::Claim,
        Self::Certificate,
    ];
}

/// Stages of documents; each is one file and one `kubectl apply`, with the waits that follow it.
#[derive(Clone)]
pub(crate) struct Bundle {
    stages: Vec<Stage>,
}

#[derive(Clone, Default)]
struct Stage {
    documents: Vec<(Option<Piece>, String)>,
    waits: Vec<(Option<Piece>, String)>,
}

const STAGES: usize = 6;

/// The parts of a pod that refer to other pieces.
#[derive(Default)]
struct Pod {
    spec: String,
    container: String,
    volumes: String,
    mounts: String,
}

impl Pod {
    /// Adds a volume and mounts it; the kubelet ignores a volume that no container mounts.
    fn mount(&mut self, name: &str, source: &str) {
        let _ = writeln!(self.volumes, "      - {{name: {name}, {source}}}");
        let _ = writeln!(self.mounts, "        - {{name: {name}, mountPath: /{name}}}");
    }

    fn deployment(&self) -> String {
        let list = |title: &str, items: &str| {
            if items.is_empty() { String::new() } else { format!("{title}:\n{items}") }
        };
        let volumes = list("      volumes", &self.volumes);
        let mounts = list("        volumeMounts", &self.mounts);
        format!(
            "spec:\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: {{labels: {{app: web}}}}\n    spec:\n{}{volumes}      containers:\n      - name: web\n        image: registry.example.com/web:1\n{}{mounts}",
            self.spec, self.container
        )
    }
}

fn object(namespace: &str, kind: &str, name: &str) -> String {
    format!("kind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n")
}

impl Bundle {
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let mut bundle = Self { stages: vec![Stage::default(); STAGES] };
        for number in 0..=dice.below(3) {
            bundle.add_app(dice, &format!("app{number}"));
        }
        for stage in &mut bundle.stages {
            dice.shuffle(&mut stage.documents);
        }
        bundle
    }

    fn add(&mut self, stage: usize, piece: Option<Piece>, document: String) {
        self.stages[stage].documents.push((piece, document));
    }

    fn add_app(&mut self, dice: &mut Dice, app: &str) {
        self.add(
            1,
            Some(Piece::Namespace),
            format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {app}}}\n"),
        );
        let mut pod = Pod::default();
        self.add_environment(dice, app, &mut pod);
        self.add_volumes(dice, app, &mut pod);
        self.add(
            4,
            None,
            format!(
                "apiVersion: v1\n{}spec: {{selector: {{app: web}}, ports: [{{port: 80}}]}}\n",
                object(app, "Service", "web")
            ),
        );
        self.add(
            4,
            None,
            format!("apiVersion: apps/v1\n{}{}", object(app, "Deployment", "web"), pod.deployment()),
        );
        self.add_instance(dice, app);
    }

    fn add_environment(&mut self, dice: &mut Dice, app: &str, pod: &mut Pod) {
        if dice.one_in(2) {
            self.add(
                2,
                Some(Piece::Account),
                format!("apiVersion: v1\n{}", object(app, "ServiceAccount", "web")),
            );
            pod.spec += "      serviceAccountName: web\n";
        }
        if dice.one_in(2) {
            let settings = object(app, "ConfigMap", "settings");
            self.add(2, Some(Piece::Config), format!("apiVersion: v1\n{settings}data: {{mode: fast}}\n"));
            pod.container += "        envFrom: [{configMapRef: {name: settings}}]\n";
        }
        if dice.one_in(3) {
            let name = format!("{app}-first");
            let class = format!("kind: PriorityClass\nmetadata: {{name: {name}}}\nvalue: 1000\n");
            self.add(2, Some(Piece::Priority), format!("apiVersion: scheduling.k8s.io/v1\n{class}"));
            let _ = writeln!(pod.spec, "      priorityClassName: {name}");
        }
    }

    fn add_volumes(&mut self, dice: &mut Dice, app: &str, pod: &mut Pod) {
        if dice.one_in(2) {
            let token = object(app, "Secret", "token");
            self.add(2, Some(Piece::Secret), format!("apiVersion: v1\n{token}stringData: {{token: abc}}\n"));
            pod.mount("token", "secret: {secretName: token}");
        }
        if dice.one_in(3) {
            let claim = object(app, "PersistentVolumeClaim", "files");
            let spec = "spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n";
            self.add(2, Some(Piece::Claim), format!("apiVersion: v1\n{claim}{spec}"));
            let wait = format!(
                "kubectl wait --for=jsonpath='{{.status.phase}}'=Bound pvc/files -n {app} --timeout=120s\n"
            );
            self.stages[2].waits.push((Some(Piece::Claim), wait));
            pod.mount("files", "persistentVolumeClaim: {claimName: files}");
        }
        if dice.one_in(2) {
            let certificate = object(app, "Certificate", "web");
            let spec = "spec: {secretName: web-tls, dnsNames: [web.example.com], issuerRef: {kind: ClusterIssuer, name: letsencrypt}}\n";
            self.add(
                3,
                Some(Piece::Certificate),
                format!("apiVersion: cert-manager.io/v1\n{certificate}{spec}"),
            );
            let wait =
                format!("kubectl wait --for=condition=Ready certificate/web -n {app} --timeout=300s\n");
            self.stages[3].waits.push((Some(Piece::Certificate), wait));
            pod.mount("tls", "secret: {secretName: web-tls}");
        }
    }

    fn add_instance(&mut self, dice: &mut Dice, app: &str) {
        if !dice.one_in(2) {
            return;
        }
        let crd = format!("things.{app}.example");
        self.add(0, Some(Piece::Crd), format!("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {crd}}}\nspec:\n  group: {app}.example\n  scope: Namespaced\n  names: {{kind: Thing, plural: things, singular: thing}}\n  versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}}}]\n"));
        self.stages[0].waits.push((
            Some(Piece::Crd),
            format!("kubectl wait --for=condition=Established crd/{crd} --timeout=60s\n"),
        ));
        self.add(
            5,
            None,
            format!("apiVersion: {app}.example/v1\nkind: Thing\nmetadata: {{name: one, namespace: {app}}}\n"),
        );
    }

    /// The same with every document of a piece in a stage of its own at the end, and the rule that must find it.
    pub(crate) fn with_late(&self, piece: Piece) -> Option<(Self, &'static str)> {
        let mut late = self.clone();
        let mut moved = Stage::default();
        for stage in &mut late.stages {
            let (taken, kept) =
                std::mem::take(&mut stage.documents).into_iter().partition(|(one, _)| *one == Some(piece));
            stage.documents = kept;
            moved.documents.extend::<Vec<_>>(taken);
            stage.waits.retain(|(one, _)| *one != Some(piece));
        }
        if moved.documents.is_empty() {
            return None;
        }
        late.stages.push(moved);
        let rule = match piece {
            Piece::Crd => "PLM-R002",
            Piece::Namespace => "PLM-R001",
            Piece::Account => "PLM-R010",
            Piece::Config => "PLM-R013",
            Piece::Secret | Piece::Certificate => "PLM-R012",
            Piece::Priority => "PLM-R021",
            Piece::Claim => "PLM-R018",
        };
        Some((late, rule))
    }

    /// The same with an object that nothing refers to.
    pub(crate) fn with_unrelated(&self, dice: &mut Dice) -> Self {
        let mut bundle = self.clone();
        let stage = dice.below(bundle.stages.len());
        bundle.add(
            stage,
            None,
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unrelated, namespace: default}\n".to_owned(),
        );
        bundle
    }

    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let stages = self.stages.iter().enumerate().filter(|(_, stage)| !stage.documents.is_empty());
        stages
            .map(|(number, stage)| {
                let documents: Vec<&str> = stage.documents.iter().map(|(_, text)| text.as_str()).collect();
                (format!("{number}.yaml"), documents.join("---\n"))
            })
            .collect()
    }

    pub(crate) fn script(&self) -> String {
        let mut script = "set -euo pipefail\n".to_owned();
        for (number, stage) in self.stages.iter().enumerate().filter(|(_, stage)| !stage.documents.is_empty())
        {
            let _ = writeln!(script, "kubectl apply -f {number}.yaml");
            script.extend(stage.waits.iter().map(|(_, wait)| wait.as_str()));
        }
        script
    }

    pub(crate) fn text(&self) -> String {
        let files: Vec<String> =
            self.files().into_iter().map(|(name, text)| format!("# {name}\n{text}")).collect();
        format!("{}\n{}", self.script(), files.join("\n"))
    }
}

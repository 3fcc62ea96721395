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
        let mut spec = String::new();
        let mut container = String::new();
        let mut volumes = String::new();
        let object =
            |kind: &str, name: &str| format!("kind: {kind}\nmetadata: {{name: {name}, namespace: {app}}}\n");
        if dice.one_in(2) {
            self.add(2, Some(Piece::Account), format!("apiVersion: v1\n{}", object("ServiceAccount", "web")));
            spec += "      serviceAccountName: web\n";
        }
        if dice.one_in(2) {
            self.add(
                2,
                Some(Piece::Config),
                format!("apiVersion: v1\n{}data: {{mode: fast}}\n", object("ConfigMap", "settings")),
            );
            container += "        envFrom: [{configMapRef: {name: settings}}]\n";
        }
        if dice.one_in(2) {
            self.add(
                2,
                Some(Piece::Secret),
                format!("apiVersion: v1\n{}stringData: {{token: abc}}\n", object("Secret", "token")),
            );
            volumes += "      - {name: token, secret: {secretName: token}}\n";
        }
        if dice.one_in(3) {
            let name = format!("{app}-first");
            self.add(
                2,
                Some(Piece::Priority),
                format!("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {name}}}\nvalue: 1000\n"),
            );
            let _ = writeln!(spec, "      priorityClassName: {name}");
        }
        if dice.one_in(3) {
            self.add(2, Some(Piece::Claim), format!("apiVersion: v1\n{}spec:\n  accessModes: [ReadWriteOnce]\n  resources: {{requests: {{storage: 1Gi}}}}\n", object("PersistentVolumeClaim", "files")));
            self.stages[2].waits.push((Some(Piece::Claim), format!("kubectl wait --for=jsonpath='{{.status.phase}}'=Bound pvc/files -n {app} --timeout=120s\n")));
            volumes += "      - {name: files, persistentVolumeClaim: {claimName: files}}\n";
        }
        if dice.one_in(2) {
            self.add(3, Some(Piece::Certificate), format!("apiVersion: cert-manager.io/v1\n{}spec: {{secretName: web-tls, dnsNames: [web.example.com], issuerRef: {{kind: ClusterIssuer, name: letsencrypt}}}}\n", object("Certificate", "web")));
            self.stages[3].waits.push((
                Some(Piece::Certificate),
                format!("kubectl wait --for=condition=Ready certificate/web -n {app} --timeout=300s\n"),
            ));
            volumes += "      - {name: tls, secret: {secretName: web-tls}}\n";
        }
        self.add(
            4,
            None,
            format!(
                "apiVersion: v1\n{}spec: {{selector: {{app: web}}, ports: [{{port: 80}}]}}\n",
                object("Service", "web")
            ),
        );
        if !volumes.is_empty() {
            spec = format!("{spec}      volumes:\n{volumes}");
        }
        self.add(4, None, format!("apiVersion: apps/v1\n{}spec:\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: {{labels: {{app: web}}}}\n    spec:\n{spec}      containers:\n      - name: web\n        image: registry.example.com/web:1\n{container}", object("Deployment", "web")));
        self.add_instance(dice, app);
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

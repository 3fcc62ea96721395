//! The chart shelf: every stand-in is a chart that renders, and takes the place of a chart that is not at hand.
#![expect(clippy::expect_used, clippy::panic, reason = "what the tests share may fail as loudly as a test")]

use plimsoll_chart::{Chart, Release, Request, render};
use plimsoll_model::{FileIndex, Node};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../plimsoll-knowledge/data/shelf")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path => found.push(path),
        }
    }
}

#[test]
fn every_file_of_the_shelf_is_used() {
    let mut lying = Vec::new();
    files(&folder(), &mut lying);
    for path in lying {
        let below = path.strip_prefix(folder()).expect("below the shelf").to_string_lossy().into_owned();
        let Some((name, file)) = below.split_once('/') else { continue };
        let stand_in = plimsoll_knowledge::shelf().iter().find(|known| known.name == name);
        let stand_in = stand_in.unwrap_or_else(|| panic!("{name} is not in the list"));
        assert!(stand_in.files.iter().any(|(path, _)| *path == file), "{below} is not in the list");
    }
}

#[test]
fn every_stand_in_says_where_it_was_read_and_renders_in_every_version() {
    for stand_in in plimsoll_knowledge::shelf() {
        let name = stand_in.name;
        let chart = Chart::from_texts(stand_in.files, "").expect(name);
        let annotation = |key: &str| {
            chart.metadata.annotation(key).unwrap_or_else(|| panic!("{name} has no {key}")).to_owned()
        };
        assert_eq!(chart.metadata.name, name);
        assert!(!annotation("plimsoll.dev/repositories").is_empty());
        let templates = stand_in.files.iter().filter(|(path, _)| path.starts_with("templates/"));
        for (path, text) in templates {
            assert!(text.contains("/* "), "{name} {path} does not say where it was read");
        }
        for version in annotation("plimsoll.dev/versions").split_whitespace() {
            assert!(objects(stand_in.files, version) > 1, "{name} {version} brings next to nothing");
        }
    }
}

/// How many objects a stand-in brings.
fn objects(files: &[(&str, &str)], version: &str) -> usize {
    let chart = Chart::from_texts(files, version).expect("a chart");
    let release = Release { name: "rel".to_owned(), ..Release::default() };
    let rendering = render(&chart, &Request { release, ..Request::default() })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let texts = rendering.manifests().map(|manifest| manifest.text.to_owned());
    let definitions = rendering.definitions.iter().map(|(_, file)| file.text().to_string());
    let mut known: BTreeMap<String, Node> = BTreeMap::new();
    for text in texts.chain(definitions) {
        let parsed = plimsoll_yaml::parse(&text, FileIndex(0));
        assert!(parsed.faults.is_empty(), "{text}");
        for document in parsed.documents {
            let at = |path: &[&str]| document.root.text_at(path).unwrap_or_default();
            assert!(!at(&["metadata", "name"]).is_empty(), "{text}");
            let metadata = ["namespace", "name"].map(|field| at(&["metadata", field]));
            let id = format!("{} {} {}", at(&["apiVersion"]), at(&["kind"]), metadata.join("/"));
            if let Some(first) = known.get(&id) {
                assert!(
                    first.means(&document.root),
                    "{} {version} brings {id} in two ways",
                    chart.metadata.name
                );
            }
            known.insert(id, document.root);
        }
    }
    known.len()
}

const CHART: &str = "\
apiVersion: v2
name: shop
version: 1.0.0
dependencies:
  - {name: postgresql, version: ~15.5.0, repository: 'https://charts.bitnami.com/bitnami', condition: db.enabled}
  - {name: unheard-of, version: 1.x.x, repository: 'https://example.org'}
";

const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: pre-install}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: example.org/migrate
          env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: '{{ .Release.Name }}-postgresql', key: password}}}]
";

/// The answer about a chart whose dependencies are not there.
fn check(arguments: &[&str]) -> Json {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("templates")).expect("a folder");
    let values = "db: {enabled: true}\npostgresql: {auth: {username: app}}\n";
    for (name, text) in [("Chart.yaml", CHART), ("values.yaml", values), ("templates/job.yaml", JOB)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "--tool", "helm", "--release", "one", "."])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn text<'a>(answer: &'a Json, pointer: &str) -> &'a str {
    answer.pointer(pointer).and_then(Json::as_str).unwrap_or("nothing")
}

#[test]
fn a_chart_that_is_not_at_hand_brings_what_is_known_of_it() {
    let answer = check(&[]);
    assert_eq!(text(&answer, "/findings/0/class"), "hook-order");
    assert_eq!(text(&answer, "/findings/0/confidence"), "assumed");
    assert_eq!(text(&answer, "/findings/0/before/object"), "Secret/default/one-postgresql");
    assert_eq!(text(&answer, "/findings/0/before/carriers/0"), "chart/postgresql");
    assert_eq!(text(&answer, "/findings/0/before/file"), "Chart.yaml");
    assert!(text(&answer, "/findings/0/premise").contains("postgresql 15.5.38"));
    assert!(text(&answer, "/coverage/problems/0/cause").contains("helm dependency build"));
    assert!(text(&answer, "/coverage/problems/1/cause").contains("not looked at"));
    assert_eq!(answer.pointer("/coverage/objects").and_then(Json::as_u64), Some(1), "outlines are not read");
    assert_eq!(text(&answer, "/coverage/assumed/0/object"), "Secret/default/one-postgresql");
}

#[test]
fn a_chart_that_is_turned_off_or_overridden_brings_something_else() {
    let off = check(&["--set", "db.enabled=false"]);
    assert_eq!(off.pointer("/findings").and_then(Json::as_array).map(Vec::len), Some(0));
    assert_eq!(off.pointer("/coverage/assumed").and_then(Json::as_array).map(Vec::len), Some(0));
    let other = check(&["--set", "postgresql.auth.existingSecret=mine"]);
    assert_eq!(other.pointer("/findings").and_then(Json::as_array).map(Vec::len), Some(0));
}

const ISSUER: &str =
    "apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: {name: self}\nspec: {selfSigned: {}}\n";

/// The answer about a folder with these files, and the exit code.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> (Json, Option<i32>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    (serde_json::from_slice(&output.stdout).expect("JSON"), output.status.code())
}

/// The answer about a script that sends an issuer of cert-manager after these lines.
fn script(lines: &str) -> Json {
    let script = format!("set -e\n{lines}\nkubectl apply -f issuer.yaml\n");
    run(&[("issuer.yaml", ISSUER), ("deploy.sh", &script)], &["--script", "deploy.sh"]).0
}

/// Rule and confidence of every finding.
fn rules(report: &Json) -> Vec<String> {
    let findings = report.get("findings").and_then(Json::as_array).cloned().unwrap_or_default();
    findings.iter().map(|one| format!("{} {}", text(one, "/rule"), text(one, "/confidence"))).collect()
}

#[test]
fn a_chart_that_a_script_installs_from_a_repository_is_known() {
    for install in [
        "helm install c jetstack/cert-manager --set crds.enabled=true",
        "helm repo add j https://charts.jetstack.io\nhelm upgrade -i c j/cert-manager --set crds.enabled=true",
        "helm install c cert-manager --repo https://charts.jetstack.io --set crds.enabled=true",
        "helm install c oci://quay.io/jetstack/charts/cert-manager --version v1.20.3 --set crds.enabled=true",
    ] {
        assert_eq!(rules(&script(install)), ["PLM-R004 assumed"], "{install}");
        let waited = script(&format!("{install} --wait"));
        assert_eq!(
            (rules(&waited).len(), waited.get("needs")),
            (0, Some(&Json::Array(Vec::new()))),
            "{install}"
        );
    }
    assert_eq!(rules(&script("helm install c elsewhere/cert-manager")).len(), 0);
}

#[test]
fn a_manifest_that_is_fetched_from_the_network_is_known() {
    let address = "https://github.com/cert-manager/cert-manager/releases/download/v1.15.0/cert-manager.yaml";
    for fetch in [
        &format!("kubectl apply -f {address}"),
        &format!("curl -sL {address} | kubectl apply -f -"),
        "kubectl apply -f https://github.com/jetstack/cert-manager/releases/latest/download/cert-manager.yaml",
    ] {
        let answer = script(fetch);
        assert_eq!(rules(&answer), ["PLM-R004 assumed"], "{fetch}");
        assert!(text(&answer, "/findings/0/premise").contains("cert-manager.yaml 1."));
        for wait in [
            "kubectl wait --for=condition=Available deployment --all -n cert-manager --timeout=5m",
            "kubectl rollout status -n cert-manager deployment/cert-manager-webhook",
            "cmctl check api --wait=2m",
        ] {
            let waited = script(&format!("{fetch}\n{wait}"));
            assert_eq!(rules(&waited).len(), 0, "{fetch}; {wait}");
            assert_eq!(waited.get("needs"), Some(&Json::Array(Vec::new())));
        }
    }
    let other = script("kubectl apply -f https://example.com/cert-manager.yaml");
    assert_eq!(rules(&other).len(), 0);
}

#[test]
fn a_kustomization_that_fetches_is_known_too_and_may_change_what_it_fetches() {
    let kustomization = "\
namespace: certs
resources:
  - https://github.com/cert-manager/cert-manager/releases/download/v1.15.0/cert-manager.yaml
  - issuer.yaml
patches:
  - target: {kind: Deployment, name: cert-manager}
    patch: |-
      - {op: add, path: /spec/template/spec/containers/0/args/-, value: --v=2}
";
    let (answer, code) = run(&[("kustomization.yaml", kustomization), ("issuer.yaml", ISSUER)], &["."]);
    assert_eq!(rules(&answer), ["PLM-R002 assumed"]);
    assert_eq!(text(&answer, "/findings/0/before/file"), "kustomization.yaml");
    let assumed = answer.pointer("/coverage/assumed").map(ToString::to_string).unwrap_or_default();
    assert!(assumed.contains("\"Deployment/certs/cert-manager\""), "{assumed}");
    assert_eq!(answer.pointer("/coverage/objects").and_then(Json::as_u64), Some(1), "outlines are not read");
    assert_eq!(answer.pointer("/coverage/problems").and_then(Json::as_array).map(Vec::len), Some(1));
    assert_eq!(code, Some(0), "late findings alone fail nothing");
}

#[test]
fn a_patch_that_kustomize_refuses_is_refused_beside_what_is_fetched_too() {
    let kustomization = "\
resources: [https://github.com/cert-manager/cert-manager/releases/download/v1.15.0/cert-manager.yaml, issuer.yaml]
patches:
  - target: {kind: ClusterIssuer}
    patch: '[{op: replace, path: /spec/unheard/of, value: 2}]'
";
    let (answer, code) = run(&[("kustomization.yaml", kustomization), ("issuer.yaml", ISSUER)], &["."]);
    assert_eq!(code, Some(2), "{answer}");
}

#[test]
fn nothing_is_said_of_the_order_inside_what_is_fetched() {
    let known = plimsoll_knowledge::shelf().iter().filter(|known| known.is_manifest());
    let lines: Vec<String> = known
        .map(|known| {
            let chart = Chart::from_texts(known.files, "").expect(known.name);
            let addresses = chart.metadata.annotation("plimsoll.dev/repositories").expect(known.name);
            let address = addresses.split(' ').next().unwrap_or_default().replace('*', "any");
            format!("kubectl apply -f https://{}", address.replace("VERSION", "latest"))
        })
        .collect();
    assert!(lines.len() > 25, "{lines:?}");
    for line in lines {
        let line = line.replace("-latest.yaml", "-99.0.0.yaml");
        let answer = script(&format!("{line}\nexit 0"));
        assert_eq!(rules(&answer), Vec::<String>::new(), "{line}");
        let brought = answer.pointer("/coverage/assumed").and_then(Json::as_array).map_or(0, Vec::len);
        assert!(brought > 1, "{line} brings next to nothing");
    }
}

#[test]
fn a_release_makes_its_namespace_and_is_told_as_helms_work() {
    let answer =
        script("helm install c jetstack/cert-manager --set crds.enabled=true -n certs --create-namespace");
    assert_eq!(answer.get("needs"), Some(&Json::Array(Vec::new())));
    assert_eq!(text(&answer, "/findings/0/timeline/0/actor"), "helm");
    assert_eq!(text(&answer, "/findings/0/tool"), "kubectl");
}

/// Rules and confidence of what is found in one manifest.
fn manifest(text: &str, arguments: &[&str]) -> Vec<String> {
    rules(&run(&[("all.yaml", text)], &[&["all.yaml"], arguments].concat()).0)
}

#[test]
fn what_argo_cd_installs_is_not_there_before() {
    let application = "\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: cert-manager, namespace: default}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: cert-manager}
  source:
    repoURL: https://charts.jetstack.io
    chart: cert-manager
    targetRevision: v1.16.2
    helm: {valuesObject: {crds: {enabled: true}}}
";
    let both = format!("{application}---\n{ISSUER}");
    let closed = ["--closed", "--assume", "CustomResourceDefinition/applications.argoproj.io"];
    assert_eq!(manifest(&both, &[]), ["PLM-R002 assumed"]);
    assert_eq!(manifest(&both, &closed), ["PLM-R002 assumed"]);
    let without = both.replace("enabled: true", "enabled: false");
    assert_eq!(manifest(&without, &[]), [] as [&str; 0], "somebody else brings them");
    assert_eq!(manifest(&without, &closed), ["PLM-R002 proved"], "nobody else is there");
    assert_eq!(manifest(&both, &["--assume", "chart/cert-manager@1.16.2"]), [] as [&str; 0]);
}

//! What the cluster offers: what a chart asks for is answered yes a second time, and operators are known by version.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use serde_json::Value as Json;
use std::process::Command;

const CHART: &str = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";

/// A hook that needs an object of the release, and that is there only where an API is served.
const ASKING: &str = r#"
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: x}
{{- if .Capabilities.APIVersions.Has "example.org/v1" }}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-install}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: example.org/migrate
          env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: db, key: password}}}]
{{- end }}
"#;

const OLD: &str = "
apiVersion: external-secrets.io/v1beta1
kind: ExternalSecret
metadata: {name: db}
spec: {secretStoreRef: {name: vault}, data: []}
";

const EITHER: &str = r#"
apiVersion: external-secrets.io/{{ ternary "v1" "v1beta1" (.Capabilities.APIVersions.Has "external-secrets.io/v1") }}
kind: ExternalSecret
metadata: {name: db}
spec: {secretStoreRef: {name: vault}, data: []}
"#;

/// The answer about a chart with one template.
fn check(template: &str, arguments: &[&str]) -> Json {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("templates")).expect("a folder");
    for (name, text) in [("Chart.yaml", CHART), ("templates/all.yaml", template)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "--tool", "helm", "."])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Class, confidence and premise of every finding.
fn found(answer: &Json) -> Vec<[&str; 3]> {
    let findings = answer.pointer("/findings").and_then(Json::as_array).expect("findings");
    findings
        .iter()
        .map(|one| {
            ["class", "confidence", "premise"].map(|name| one.get(name).and_then(Json::as_str).unwrap_or(""))
        })
        .collect()
}

#[test]
fn what_a_chart_asks_for_is_answered_yes_a_second_time() {
    let answer = check(ASKING, &[]);
    assert_eq!(found(&answer), [["hook-order", "assumed", "example.org/v1 is served"]]);
    let assumed = answer.pointer("/coverage/assumed/0").expect("what hangs on it");
    assert_eq!(assumed["object"], "Job/default/migrate");
    assert_eq!(answer.pointer("/coverage/objects").and_then(Json::as_u64), Some(1));
    let served = check(ASKING, &["--api-versions", "example.org/v1"]);
    assert_eq!(found(&served), [["hook-order", "proved", ""]]);
    assert!(found(&check(ASKING, &["--closed"])).is_empty(), "nothing else is on the cluster");
    let builtin = ASKING.replace("example.org/v1\"", "apps/v1beta1\"");
    assert!(found(&check(&builtin, &[])).is_empty(), "Kubernetes does not serve that");
}

#[test]
fn a_chart_that_defines_what_it_asks_for_is_told_so() {
    let definition = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
";
    let folder = tempfile::tempdir().expect("a temporary folder");
    for inner in ["templates", "crds"] {
        std::fs::create_dir(folder.path().join(inner)).expect("a folder");
    }
    for (name, text) in
        [("Chart.yaml", CHART), ("templates/all.yaml", ASKING), ("crds/thing.yaml", definition)]
    {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "--tool", "helm", "."])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found(&answer), [["hook-order", "proved", ""]]);
}

#[test]
fn an_operator_outside_the_input_is_the_newest_that_is_known_unless_said() {
    let answer = check(OLD, &[]);
    let found_here = found(&answer);
    let [[class, confidence, premise]] = found_here.as_slice() else { panic!("{found_here:?}") };
    assert_eq!((*class, *confidence), ("api-version-not-served", "assumed"));
    assert!(premise.contains("the newest that is known"), "{premise}");
    assert!(found(&check(OLD, &["--assume", "chart/external-secrets@0.16.2"])).is_empty());
    let said = check(OLD, &["--assume", "chart/external-secrets@0.20.4", "--closed"]);
    assert_eq!(
        found(&said),
        [["api-version-not-served", "assumed", "external-secrets 0.20.4 is what the cluster has"]]
    );
}

#[test]
fn a_version_after_all_that_are_known_may_be_that_of_a_newer_operator() {
    let later = OLD.replace("v1beta1", "v2alpha1");
    assert!(later != OLD && found(&check(&later, &[])).is_empty());
    let said = check(&later, &["--assume", "chart/external-secrets@0.20.4"]);
    assert_eq!(found(&said).len(), 1, "{said}");
}

#[test]
fn a_chart_that_adapts_to_the_operator_is_left_alone() {
    assert!(found(&check(EITHER, &[])).is_empty());
    let old = check(EITHER, &["--assume", "chart/external-secrets@0.15.1"]);
    assert!(found(&old).is_empty(), "{old}");
}

#[test]
fn a_chart_that_nobody_knows_is_said_to_be_unknown() {
    let answer = check(OLD, &["--assume", "chart/unheard-of@1.0.0"]);
    let causes = answer.pointer("/coverage/problems").expect("problems").to_string();
    assert!(causes.contains("nothing is known of the chart unheard-of"), "{causes}");
}

/// A chart that stops where an API is not served.
const INSISTING: &str = r#"
{{- if not (.Capabilities.APIVersions.Has "example.org/v1") }}
{{- fail "example.org/v1 must be installed first" }}
{{- end }}
"#;

fn told(report: &Json) -> Vec<String> {
    let text = |one: &Json, key: &str| one.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let findings = report.get("findings").and_then(Json::as_array).cloned().unwrap_or_default();
    findings.iter().map(|one| format!("{} {}", text(one, "rule"), text(one, "confidence"))).collect()
}

fn problems(report: &Json) -> String {
    report.pointer("/coverage/problems").map(ToString::to_string).unwrap_or_default()
}

#[test]
fn a_chart_that_stops_without_an_api_is_rendered_as_if_it_were_served() {
    let chart = INSISTING.to_owned() + ASKING;
    let report = check(&chart, &[]);
    assert_eq!(told(&report), ["PLM-R012 assumed"]);
    assert!(
        problems(&report).contains("the chart asks for example.org/v1, which is taken as served"),
        "{report}"
    );
    let served = check(&chart, &["--api-versions", "example.org/v1"]);
    assert_eq!(told(&served), ["PLM-R012 proved"]);
    let closed = check(&chart, &["--closed"]);
    assert!(problems(&closed).contains("must be installed first"), "{closed}");
}

#[test]
fn what_printed_charts_ask_for_is_answered_yes_as_well() {
    let pod = r#"
{{- if .Capabilities.APIVersions.Has "example.org/v1" }}
apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: a, image: example.org/a, envFrom: [{secretRef: {name: db}}]}]}
---
apiVersion: example.org/v1
kind: Gadget
metadata: {name: a}
{{- end }}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gizmos.example.net}
spec:
  group: example.net
  scope: Namespaced
  names: {kind: Gizmo, listKind: GizmoList, plural: gizmos, singular: gizmo}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
{{- if .Capabilities.APIVersions.Has "example.org/v1" }}
---
apiVersion: example.net/v1
kind: Gizmo
metadata: {name: a}
{{- end }}
"#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir_all(folder.path().join("charts/shop/templates")).expect("a folder");
    let kustomization = "helmCharts: [{name: shop, releaseName: shop}]\n";
    let script = "helm template shop charts/shop | kubectl apply -f -\n";
    for (name, text) in [
        ("charts/shop/Chart.yaml", CHART),
        ("charts/shop/templates/all.yaml", pod),
        ("charts/shop/values.yaml", ""),
        ("kustomization.yaml", kustomization),
        ("deploy.sh", script),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    for arguments in [["--script", "deploy.sh"].as_slice(), &["."]] {
        let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
            .args(["check", "-o", "json"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(told(&report), ["PLM-R002 assumed"], "{arguments:?}: {report:#}");
    }
}

#[test]
fn what_lies_behind_a_refusal_is_found_and_says_so() {
    let asks = "{{- if .Capabilities.APIVersions.Has \"example.org/v1\" }}\n";
    let certain = ASKING.replace(asks, "").replace("{{- end }}\n", "");
    let answer = check(&format!("{OLD}---{certain}"), &["--assume", "chart/external-secrets@1.0.0"]);
    let found = found(&answer);
    // What follows from an assumed refusal is a guess, and not told.
    let [refused, behind] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(refused[0], "api-version-not-served");
    assert_eq!(*behind, ["hook-order", "assumed", "what is not served is mended"]);

    let undefined = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: plans.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: plans, kind: Plan}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
apiVersion: example.org/v1
kind: Plan
metadata: {name: gold}
";
    let answer = check(&format!("{undefined}---{certain}"), &[]);
    let found = self::found(&answer);
    let [refused, _, behind] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(refused[0], "cr-before-crd");
    assert_eq!(*behind, ["hook-order", "assumed", "what is not served is mended"]);
}

#[test]
fn helm_4_is_chosen_by_its_version() {
    // Helm 4 shows what `Chart.yaml` says as a map, Helm 3 as a structure.
    let template =
        "{{ if kindIs \"map\" .Chart }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: four}\n{{ end }}";
    for (version, objects) in [("4", 1), ("v4.3.1", 1), ("3.22", 0), ("3", 0)] {
        let answer = check(template, &["--tool-version", version]);
        assert_eq!(answer.pointer("/coverage/objects").and_then(Json::as_u64), Some(objects), "{answer}");
    }
}

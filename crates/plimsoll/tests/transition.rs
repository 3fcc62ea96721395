//! The way from one state of a deployment to the next: what was there stays, what is left out goes, what is new may be late.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what the tests share may fail as loudly as a test"
)]

use serde_json::Value as Json;
use std::path::Path;
use std::process::Command;

const SETTINGS: &str = "
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
";

const MIGRATION: &str = "
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-upgrade}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: example.org/migrate, envFrom: [{configMapRef: {name: settings}}]}]
";

const WEB: &str = "
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {version: \"{{ .Chart.Version }}\"}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: example.org/web, envFrom: [{configMapRef: {name: settings}}]}]}
";

const GADGET: &str = "
---
apiVersion: example.org/v2
kind: Gadget
metadata: {name: one}
";

fn definition(version: &str) -> String {
    format!(
        "
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: gadgets.example.org}}
spec:
  group: example.org
  scope: Namespaced
  names: {{kind: Gadget, listKind: GadgetList, plural: gadgets, singular: gadget}}
  versions: [{{name: {version}, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]
"
    )
}

/// A chart, by what lies in `templates/` and in `crds/`.
fn write(folder: &Path, version: &str, templates: &str, definitions: &str) {
    for (name, text) in [
        ("Chart.yaml", format!("apiVersion: v2\nname: shop\nversion: {version}\n").as_str()),
        ("templates/all.yaml", templates),
        ("crds/all.yaml", definitions),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}

/// What is found on the way from one chart to another, as `rule consequence`, and the whole report.
fn check(old: (&str, &str), new: (&str, &str), arguments: &[&str]) -> (Vec<String>, Json) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder.path().join("old"), "1.0.0", old.0, old.1);
    write(&folder.path().join("new"), "2.0.0", new.0, new.1);
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "new"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let word = |finding: &Json, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let rules = findings.iter().map(|one| format!("{} {}", word(one, "rule"), word(one, "consequence")));
    (rules.collect(), report)
}

fn found(old: (&str, &str), new: (&str, &str)) -> Vec<String> {
    check(old, new, &["--from", "old"]).0
}

#[test]
fn a_hook_before_the_upgrade_has_what_was_there_and_not_what_is_new() {
    let new = [SETTINGS, MIGRATION].concat();
    assert_eq!(found(("", ""), (&new, "")), ["PLM-R013 stuck"]);
    assert_eq!(found((SETTINGS, ""), (&new, "")), Vec::<String>::new());
    // What the revision before needed was there as well.
    assert_eq!(found((WEB, ""), (&[SETTINGS, MIGRATION, WEB].concat(), "")), Vec::<String>::new());
}

#[test]
fn what_is_left_out_is_deleted_and_may_be_needed() {
    let old = [SETTINGS, WEB].concat();
    assert_eq!(found((&old, ""), (WEB, "")), ["PLM-R061 stuck"]);
    let kept = SETTINGS.replace("settings}", "settings, annotations: {helm.sh/resource-policy: keep}}");
    assert_eq!(found((&[&kept, WEB].concat(), ""), (WEB, "")), Vec::<String>::new());
    let hook = SETTINGS.replace("settings}", "settings, annotations: {helm.sh/hook: pre-upgrade}}");
    assert_eq!(found((&old, ""), (&[&hook, WEB].concat(), "")), ["PLM-R061 stuck"]);
    let after = hook.replace("pre-", "post-");
    assert_eq!(found((&old, ""), (&[&after, WEB].concat(), "")), Vec::<String>::new());
}

#[test]
fn values_may_have_been_others_before() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let chart = ["{{ if .Values.settings }}", SETTINGS, "{{ end }}", WEB].concat();
    write(&folder.path().join("new"), "1.0.0", &chart, "");
    for (name, text) in [("old.yaml", "settings: true\n"), ("new.yaml", "settings: false\n")] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let found = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command.args(["check", "new", "--values", "new.yaml", "-o", "json"]).args(arguments);
        let output = command.current_dir(folder.path()).output().expect("the program runs");
        let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        report["findings"].as_array().expect("findings").len()
    };
    assert_eq!(found(&["--from", "new"]), 0);
    assert_eq!(found(&["--from-values", "old.yaml"]), 1);
    assert_eq!(found(&["--from", "new", "--from-values", "old.yaml"]), 1);
    assert_eq!(found(&["--from-values", "old.yaml", "--from-values", "new.yaml"]), 0);
}

#[test]
fn an_upgrade_sends_nothing_of_the_folder_of_definitions() {
    let (v1, v2) = (definition("v1"), definition("v2"));
    assert_eq!(found(("", ""), (GADGET, &v2)), ["PLM-R002 stuck"]);
    assert_eq!(found(("", &v1), (GADGET, &v2)), ["PLM-R003 stuck"]);
    assert_eq!(found(("", &v2), (GADGET, &v2)), Vec::<String>::new());
    // In the templates it is sent, but only after every kind was looked up.
    assert_eq!(found((&v1, ""), (&[&v2, GADGET].concat(), "")), ["PLM-R002 stuck"]);
}

#[test]
fn charts_are_rendered_for_the_next_revision_and_commands_are_told_as_upgrades() {
    let asks = "{{ if .Release.IsUpgrade }}".to_owned() + MIGRATION + "{{ end }}" + SETTINGS;
    let (rules, report) = check(("", ""), (&asks, ""), &["--from", "old"]);
    assert_eq!(rules, ["PLM-R013 stuck"]);
    assert_eq!(report["findings"][0]["operation"], "upgrade");
    assert_eq!(report["findings"][0]["timeline"][0]["does"], "runs helm upgrade new");
    assert_eq!(report["coverage"]["objects"], 2);
}

#[test]
fn a_rollback_deletes_what_the_revision_before_had_not() {
    let new = [SETTINGS, WEB].concat();
    assert_eq!(found((WEB, ""), (&new, "")), Vec::<String>::new());
    let (rules, report) = check((WEB, ""), (&new, ""), &["--from", "old", "--operation", "rollback"]);
    assert_eq!(rules, ["PLM-R061 stuck"]);
    assert_eq!(report["findings"][0]["operation"], "rollback");
    assert_eq!(report["findings"][0]["timeline"][0]["does"], "runs helm rollback shop");
    let hook = MIGRATION.replace("pre-upgrade", "pre-rollback");
    let (rules, _) =
        check((&[&hook, SETTINGS].concat(), ""), ("", ""), &["--from", "old", "--operation", "rollback"]);
    assert_eq!(rules, ["PLM-R013 stuck"], "the hooks of the revision that it goes back to are run");
}

#[test]
fn a_hook_of_upgrades_that_is_gone_after_them_is_missed_later() {
    let policy = "annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-delete-policy: hook-succeeded}}";
    let hook = SETTINGS.replace("settings}", &format!("settings, {policy}"));
    let (rules, report) = check(("", ""), (&[&hook, WEB].concat(), ""), &[]);
    assert_eq!(rules, ["PLM-R051 stuck"]);
    assert_eq!(report["findings"][0]["operation"], "upgrade");
    assert_eq!(found(("", ""), (&[&hook, WEB].concat(), "")), ["PLM-R051 stuck"]);
}

#[test]
fn the_kinds_of_the_revision_before_must_still_be_served() {
    let budget = "
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
";
    let new = budget.replace("v1beta1", "v1");
    let (rules, report) = check((budget, ""), (&new, ""), &["--from", "old"]);
    assert_eq!(rules, ["PLM-R003 stuck"]);
    let answer = report["findings"][0]["timeline"][1]["answer"].as_str().unwrap_or_default();
    assert!(answer.contains("from current release manifest: resource mapping not found"), "{report:#}");
}

#[test]
fn an_upgrade_waits_for_its_own_job_and_not_for_the_one_before() {
    let namespace = "
---
apiVersion: v1
kind: Namespace
metadata: {name: data, annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-weight: \"-1\"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: inside, namespace: data}
";
    let job = MIGRATION.replace(", envFrom: [{configMapRef: {name: settings}}]", "");
    let (rules, _) = check(("", ""), (&[namespace, &job].concat(), ""), &["--operation", "upgrade"]);
    assert_eq!(rules, ["PLM-R050 damage"], "what is behind the hooks is sent into the new namespace");
}

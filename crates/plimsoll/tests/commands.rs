//! The program as people run it: arguments in, text and exit code out.
#![expect(clippy::expect_used, clippy::panic, reason = "what the tests share may fail as loudly as a test")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {mode: fast}\n";
const BROKEN: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: broken\ndata: [\n";
const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata:
  name: db
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{\"stringData\":{\"a\":\"CANARY-annotation\"}}'
stringData:
  password: CANARY-plain
  lines: |
    CANARY-first
    CANARY-second
  flow: {nested: CANARY-nested}
data: {key: Q0FOQVJZLWJhc2U2NA==}
";
const CANARIES: [&str; 2] = ["CANARY", "Q0FOQVJZ"];

struct Answer {
    code: i32,
    out: String,
    err: String,
}

/// Runs the program in a folder with these files.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> Answer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    run_in(folder.path(), arguments, "")
}

fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program may end without reading; that is not what is tested.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Answer { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

fn json(answer: &Answer) -> serde_json::Value {
    serde_json::from_str(&answer.out).unwrap_or_else(|error| panic!("{error}: {}{}", answer.out, answer.err))
}

#[test]
fn a_sound_input_is_clean() {
    let answer = run(&[("a.yaml", CONFIG)], &["check"]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{}", answer.out);
    assert!(answer.out.contains("read 1 object in 1 file"), "{}", answer.out);
    assert!(answer.out.contains("clean: "), "{}", answer.out);
}

/// A Namespace that is sent after what lives in it, and one that is sent before.
const TOO_LATE: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
";

#[test]
fn a_finding_makes_the_exit_code_1_where_it_is_bad_enough() {
    let code = |more: &[&str]| {
        let arguments = [["check", "a.yaml"].as_slice(), more].concat();
        run(&[("a.yaml", TOO_LATE)], &arguments).code
    };
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--fail-on", "late"]), 1);
    assert_eq!(code(&["--fail-on", "damage"]), 0);
    assert_eq!(code(&["--assume", "Namespace/shop"]), 0);
    assert_eq!(code(&["missing.yaml"]), 2, "a missing answer outweighs a negative one");
    assert_eq!(code(&["missing.yaml", "--allow-incomplete"]), 1);
}

#[test]
fn the_same_finding_is_told_to_people_and_to_programs() {
    let files = [("a.yaml", TOO_LATE)];
    let text = run(&files, &["check", "a.yaml"]).out;
    assert!(text.starts_with("error[PLM-R001/late] ConfigMap/shop/settings"), "{text}");
    assert!(text.contains("3 | metadata: {name: settings, namespace: shop}"), "{text}");
    assert!(text.contains("one order that fails"), "{text}");

    let report = json(&run(&files, &["check", "a.yaml", "-o", "json"]));
    let findings = report["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{report:#}");
    let finding = &findings[0];
    assert_eq!(finding["before"]["object"], "Namespace/shop");
    assert_eq!(finding["after"]["object"], "ConfigMap/shop/settings");
    assert_eq!(finding["after"]["line"], 3);
}

#[test]
fn a_protected_pair_is_explained_by_its_guarantees() {
    let (object, namespace) = TOO_LATE.split_once("---\n").expect("two documents");
    let in_order = format!("{namespace}---\n{object}");
    let why_not = ["check", "a.yaml", "--why-not", "Namespace/shop", "ConfigMap/shop/settings"];
    let held = run(&[("a.yaml", &in_order)], &why_not);
    assert_eq!(held.code, 0, "{}", held.out);
    assert!(held.out.starts_with("held: ") && held.out.contains("because "), "{}", held.out);
    let open = run(&[("a.yaml", TOO_LATE)], &why_not);
    assert_eq!(open.code, 1, "{}", open.out);
    assert!(open.out.starts_with("not held: "), "{}", open.out);
    let unknown =
        run(&[("a.yaml", TOO_LATE)], &["check", "a.yaml", "--why-not", "Secret/none", "ConfigMap/settings"]);
    assert_eq!(unknown.code, 2, "{}", unknown.out);
}

/// A wait whose failure stops nothing still takes its time, and is mended by stopping.
#[test]
fn a_script_goes_on_only_when_its_wait_has_given_up() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.io}\n\
               spec: {group: b.io, scope: Cluster, names: {kind: A, plural: as}, versions: [{name: v1, served: true, \
               storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n";
    let script = "kubectl apply -f a.yaml\nkubectl wait --for=condition=Established crd/as.b.io --timeout=45s\n\
                  kubectl apply -f b.yaml\n";
    let object = "apiVersion: b.io/v1\nkind: A\nmetadata: {name: one}\n";
    let files = [("a.yaml", crd), ("b.yaml", object), ("deploy.sh", script)];
    let answer = run(&files, &["check", "--script", "deploy.sh", "--pedantic"]);
    let second = answer.out.lines().find(|line| line.contains("runs kubectl apply -f b.yaml"));
    assert!(second.is_some_and(|line| line.trim_start().starts_with("T+45s")), "{}", answer.out);
    assert!(answer.out.contains("stop the script: put"), "{}", answer.out);
}

#[test]
fn the_standard_input_is_read_where_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for arguments in [["check", "-f", "-", "-ojson"].as_slice(), &["check", "-", "-o", "json"]] {
        let answer = run_in(folder.path(), arguments, CONFIG);
        assert_eq!(answer.code, 0, "{}{}", answer.out, answer.err);
        assert_eq!(json(&answer)["coverage"]["objects"], 1);
    }
}

#[test]
fn wrong_usage_is_told_on_standard_error_with_code_2() {
    let cases: &[&[&str]] = &[
        &[],
        &["chekc"],
        &["check", "--nonsense"],
        &["check", "--fail-on", "noise"],
        &["check", "--operation", "recreate"],
        &["check", "--tool", "ansible"],
        &["check", "--kube-version", "banana"],
        &["check", "--assume", "web"],
        &["check", "--assume", "Secret/web=shiny"],
        &["check", "-o", "xml"],
        &["check", "-o", "json="],
        &["check", "-o", "json", "-o", "text"],
        &["check", "--why-not", "A/b"],
        &["explain", "PLM-R999"],
    ];
    for arguments in cases {
        let answer = run(&[("a.yaml", CONFIG)], arguments);
        assert_eq!(answer.code, 2, "{arguments:?}: {}{}", answer.out, answer.err);
        assert_eq!(answer.out, "", "{arguments:?}");
        assert!(!answer.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_path_that_does_not_exist_is_named_with_code_2() {
    for arguments in
        [["check", "nowhere"].as_slice(), &["check", "--script", "nowhere.sh"], &["render", "nowhere"]]
    {
        let answer = run(&[("a.yaml", CONFIG)], arguments);
        assert_eq!(answer.code, 2, "{}{}", answer.out, answer.err);
        assert!(format!("{}{}", answer.out, answer.err).contains("nowhere"), "{}{}", answer.out, answer.err);
    }
}

#[test]
fn a_broken_document_has_a_place_and_the_rest_is_still_read() {
    let files = [("a.yaml", CONFIG), ("b.yaml", BROKEN)];
    let answer = run(&files, &["check", "-o", "json"]);
    assert_eq!(answer.code, 2, "{}", answer.out);
    let report = json(&answer);
    assert_eq!(report["coverage"]["objects"], 1);
    let problem = &report["coverage"]["problems"][0];
    assert_eq!(problem["file"], "b.yaml");
    assert!(problem["line"].as_u64().is_some_and(|line| line >= 3), "{problem}");

    let answer = run(&files, &["check"]);
    assert!(answer.out.contains("error: b.yaml:"), "{}", answer.out);
    assert!(!answer.out.contains("clean"), "{}", answer.out);
    assert_eq!(run(&files, &["check", "--allow-incomplete"]).code, 0);
}

#[test]
fn hostile_input_gets_a_place_a_cause_and_code_2() {
    let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (last, next) in ('a'..'k').zip('b'..) {
        let aliases = [format!("*{last}").as_str(); 9].join(", ");
        bomb.extend([next.to_string(), ": &".to_owned(), next.to_string(), format!(" [{aliases}]\n")]);
    }
    let deep = "[".repeat(100_000);
    let cases = [
        ("bomb", format!("{CONFIG}{bomb}")),
        ("circle", format!("{CONFIG}a: &a {{b: *a}}\n")),
        ("deep", format!("{CONFIG}a: {deep}\n")),
        ("control", format!("{CONFIG}a: \u{0}\u{1}\n")),
        ("tab", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n".to_owned()),
    ];
    for (name, text) in &cases {
        let answer = run(&[("bad.yaml", text), ("good.yaml", CONFIG)], &["check"]);
        assert_eq!(answer.code, 2, "{name}: {}{}", answer.out, answer.err);
        assert!(answer.out.contains("error: bad.yaml:"), "{name}: {}", answer.out);
        assert!(answer.out.contains("read 1 object in 2 files"), "{name}: {}", answer.out);
    }
}

#[test]
fn an_input_without_any_object_is_no_answer() {
    let answer = run(&[("values.yaml", "replicas: 3\n")], &["check"]);
    assert_eq!(answer.code, 2, "{}", answer.out);
    assert!(answer.out.contains("nothing to judge"), "{}", answer.out);
}

#[test]
fn a_version_without_data_is_named_and_does_not_fail_the_run() {
    let answer = run(&[("a.yaml", CONFIG)], &["check", "--kube-version", "1.99"]);
    assert_eq!(answer.code, 0, "{}", answer.out);
    assert!(answer.out.contains("note: the kinds of Kubernetes 1.99 are not known"), "{}", answer.out);
    assert!(!run(&[("a.yaml", CONFIG)], &["check", "--kube-version", "1.30"]).out.contains("not known"));
}

#[test]
fn reports_go_to_files_where_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.yaml"), CONFIG).expect("a file");
    let answer = run_in(folder.path(), &["check", "-o", "text", "-o", "json=report.json", "a.yaml"], "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains("clean: "));
    let saved = std::fs::read_to_string(folder.path().join("report.json")).expect("the report");
    assert!(saved.contains("plimsoll.check/v1"));

    let answer = run_in(folder.path(), &["check", "-o", "json=no/such/folder.json", "a.yaml"], "");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("cannot write no/such/folder.json"), "{}", answer.err);
}

#[test]
fn no_output_holds_the_value_of_a_secret() {
    let broken = format!("{SECRET}  bad: [\n");
    let twice = format!("{SECRET}data: {{other: CANARY}}\n");
    let wrong = SECRET.replace("password: CANARY-plain", "password: [CANARY-list, {a: CANARY-map}]");
    // The namespace comes too late, so that the lines with the values are lines at fault.
    let script = "\
set -e
PASSWORD=CANARY-variable
kubectl apply -n late -f secret.yaml
kubectl create secret generic x -n late --from-literal=a=CANARY-literal
kubectl create secret generic y -n late --from-literal=a=$PASSWORD
kubectl apply -n late -f - <<END
apiVersion: v1
kind: Secret
metadata: {name: here}
stringData: {a: CANARY-here}
END
helm install shop ./shop --set password=CANARY-helm
curl -H 'Authorization: Bearer CANARY-header' https://example.org
kubectl create namespace late
";
    let commands: &[&[&str]] = &[
        &["check", "--pedantic", "--closed"],
        &["check", "--pedantic", "--closed", "-o", "json"],
        &["check", "--pedantic", "--closed", "--operation", "uninstall"],
        &["check", "--script", "deploy.sh", "--closed", "--pedantic"],
        &["check", "--script", "deploy.sh", "--closed", "--pedantic", "-o", "json"],
        &["check", "--why-not", "Secret/db", "Secret/db"],
        &["render"],
        &["render", "-o", "json"],
        &["render", "--script", "deploy.sh"],
        &["render", "--script", "deploy.sh", "-o", "json"],
    ];
    let renamed = format!("kind: ConfigMap\n{SECRET}");
    let listed =
        format!("apiVersion: v1\nkind: List\nitems:\n  - {}", SECRET.trim_end().replace('\n', "\n    "));
    let anchored = SECRET.replace("password: CANARY-plain", "password: &p CANARY-plain\n  again: *p");
    for secret in [SECRET, &broken, &twice, &wrong, &renamed, &listed, &anchored] {
        for arguments in commands {
            let answer = run(&[("secret.yaml", secret), ("deploy.sh", script)], arguments);
            let all = format!("{}{}", answer.out, answer.err);
            for canary in CANARIES {
                assert!(!all.contains(canary), "{arguments:?} shows a secret:\n{all}");
            }
        }
    }
}

#[test]
fn render_shows_secrets_only_when_asked_to() {
    let answer = run(&[("secret.yaml", SECRET)], &["render", "--show-secrets"]);
    assert!(answer.out.contains("CANARY-plain"), "{}{}", answer.out, answer.err);
    let answer = run(&[("secret.yaml", SECRET)], &["render"]);
    assert!(answer.out.contains("password: (hidden)"), "{}", answer.out);
}

#[test]
fn render_prints_objects_in_the_order_of_sending_with_places() {
    let two = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\napiVersion: apps/v1\nkind: Deployment\n\
               metadata: {name: web, namespace: shop}\nspec: {replicas: 2}\n";
    let answer = run(&[("b.yaml", two), ("a.yaml", CONFIG)], &["render", "b.yaml", "a.yaml"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    insta::assert_snapshot!(answer.out);
    let answer = run(&[("b.yaml", two), ("a.yaml", CONFIG)], &["render", "b.yaml", "a.yaml", "-o", "json"]);
    insta::assert_snapshot!(answer.out);
}

/// What `render` prints is the same input again, whatever the text looks like.
#[test]
fn rendered_yaml_is_read_back_as_the_same_objects() {
    let odd = r#"
apiVersion: v1
kind: ConfigMap
metadata:
  name: odd
  labels: {"y": "yes", "1": "1", "null": "null"}
data:
  empty: ""
  number: "0x1f"
  date: "2024-01-01"
  time: "12:30:45"
  colon: "a: b"
  hash: "a #b"
  dash: "- a"
  quotes: "a \"b\" 'c' \\ d"
  control: "\u0001\t\u0085\u2028"
  lines: |
    first

      indented
    last
  kept: |+
    first

  stripped: |-
    first
    last
  leading: "  a\nb"
  trailing: "a \nb\n"
  tilde: "~"
  float: "1e3"
list: [[1, [2, {a: []}]], {}, [], null, true, 1.5, 1e30, -0.0, 18446744073709551615]
"#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let objects = |input: &str| {
        let answer = run_in(folder.path(), &["render", "-", "-o", "json"], input);
        assert_eq!(answer.code, 0, "{}{}", answer.out, answer.err);
        let report = json(&answer);
        report["objects"]
            .as_array()
            .expect("objects")
            .iter()
            .map(|one| one["object"].clone())
            .collect::<Vec<_>>()
    };
    let rendered = run_in(folder.path(), &["render", "-"], odd).out;
    assert_eq!(objects(odd), objects(&rendered), "{rendered}");
}

#[test]
fn colour_is_for_those_who_see_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shown = |variable: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command
            .args(["check", "nowhere"])
            .current_dir(folder.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env(variable, "1");
        String::from_utf8(command.output().expect("the program runs").stdout).expect("text")
    };
    assert!(shown("CLICOLOR_FORCE").contains('\u{1b}'));
    assert!(!shown("NO_COLOR").contains('\u{1b}'));
    assert!(!shown("UNRELATED").contains('\u{1b}'), "a pipe is no terminal");
}

#[test]
fn explain_lists_rules_and_knows_each_by_its_code() {
    let list = run(&[], &["explain"]);
    assert_eq!(list.code, 0);
    let code = list.out.split_whitespace().next().expect("a rule").to_owned();
    let page = run(&[], &["explain", &code.to_lowercase()]);
    assert_eq!(page.code, 0, "{}", page.err);
    assert!(!page.out.is_empty());

    let unknown = run(&[], &["explain", "PLM-R998"]);
    assert!(unknown.err.contains("there is no rule `PLM-R998`"), "{}", unknown.err);
    assert!(unknown.err.contains("near it: PLM-"), "{}", unknown.err);
}

#[test]
fn the_help_shows_what_is_built_and_nothing_else() {
    for (name, arguments) in [
        ("help", ["--help"].as_slice()),
        ("help_check", &["check", "--help"]),
        ("help_explain", &["explain", "--help"]),
        ("help_render", &["render", "--help"]),
    ] {
        let answer = run(&[], arguments);
        assert_eq!(answer.code, 0, "{}", answer.err);
        insta::assert_snapshot!(name, answer.out);
    }
    assert!(run(&[], &["--version"]).out.starts_with("plimsoll 0."));
}

#[test]
fn a_finding_in_a_chart_shows_the_value_and_what_was_rendered() {
    let template = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations: {helm.sh/hook: pre-install}\nspec:\n  containers:\n    - name: web\n      image: web\n      envFrom:\n        - secretRef:\n            name: {{ .Values.secret }}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Values.secret }}}\nstringData: {password: {{ .Values.password }}}\n";
    let files = [
        ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
        ("shop/values.yaml", "secret: db\npassword: CANARY\n"),
        ("shop/templates/all.yaml", template),
    ];
    let answer = run(&files, &["check", "shop", "--show", "rendered"]);
    assert_eq!(answer.code, 1, "{}{}", answer.out, answer.err);
    for shown in
        ["shop/values.yaml:1:1", "the value comes from here", "rendered      Pod/default/web", "(hidden)"]
    {
        assert!(answer.out.contains(shown), "{shown} in {}", answer.out);
    }
    assert!(!answer.out.contains("CANARY"), "{}", answer.out);
}

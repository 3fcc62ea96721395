//! Charts become a release: objects at their template lines, definitions first, problems where the fault is.

use plimsoll_model::{Action, Arranged, Bundle, Outcome, Problem, Tool, Unit};
use plimsoll_sources::{Input, Live, Memory, Offered, Values, read};
use std::time::Duration;

const CHART: &str = "apiVersion: v2\nname: shop\nversion: 0.1.0\n";

fn input() -> Input {
    let offered = Offered { kube_version: "v1.36.0".to_owned(), ..Offered::default() };
    Input { paths: vec!["deploy/shop".to_owned()], offered, ..Input::default() }
}

/// A chart of these files, and others beside it.
fn host(files: &[(&str, &str)]) -> Memory {
    let chart = [("deploy/shop/Chart.yaml", CHART)];
    Memory::new(chart.iter().chain(files).map(|(path, text)| (*path, *text)))
}

fn unit(bundle: &Bundle) -> Option<&Unit> {
    bundle.steps.iter().find_map(|step| match &step.action {
        Action::Deliver(unit) => Some(unit),
        _ => None,
    })
}

/// Objects with the file and line of their names.
fn places(bundle: &Bundle) -> Vec<String> {
    let place = |object: &plimsoll_model::Object| {
        let place = object.place_of(&["metadata", "name"]);
        format!("{} {}:{}:{}", object.id, bundle.files.path(place), place.line, place.column)
    };
    unit(bundle).into_iter().flat_map(|unit| &unit.objects).map(place).collect()
}

#[test]
fn objects_stand_at_the_lines_that_made_them() {
    let template = "{{- if .Values.enabled }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include \"shop.name\" . }}\n{{- end }}\n---\n\
                    {{ range list \"a\" \"b\" }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ . }}}\n---\n{{ end }}";
    let bundle = read(
        &input(),
        &host(&[
            ("deploy/shop/templates/config.yaml", template),
            (
                "deploy/shop/templates/_names.tpl",
                "{{ define \"shop.name\" -}}\n{{ .Release.Name }}-config\n{{- end }}",
            ),
            ("deploy/shop/values.yaml", "enabled: true\n"),
        ]),
    );
    let expect = [
        "ConfigMap/default/shop-config deploy/shop/templates/_names.tpl:2:4",
        "ConfigMap/default/a deploy/shop/templates/config.yaml:11:21",
        "ConfigMap/default/b deploy/shop/templates/config.yaml:11:21",
    ];
    assert_eq!(places(&bundle), expect);
    assert_eq!(unit(&bundle).unwrap().delivery.tool, Tool::Helm);
    assert_eq!(bundle.steps[0].says, "helm install deploy/shop");
    assert!(bundle.problems.is_empty(), "{:?}", bundle.problems);
}

#[test]
fn values_and_the_release_come_from_the_command_line() {
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .Release.Name }}-{{ .Values.a }}-{{ .Values.b }}\"}\n";
    let mut input = input();
    input.chart.release = Some("one".to_owned());
    input.chart.values = vec![Values::File("mine.yaml".to_owned()), Values::Set("b=set".to_owned())];
    let files =
        [("deploy/shop/templates/a.yaml", template), ("mine.yaml", "a: file\nb: file\n"), ("other.yaml", "")];
    let bundle = read(&input, &host(&files));
    assert_eq!(unit(&bundle).unwrap().objects[0].id.name(), "one-file-set");
    assert_eq!(bundle.steps[0].says, "helm install one deploy/shop");
}

#[test]
fn definitions_come_first_and_are_not_rendered() {
    let definition =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: \"{{x}}\"}\n";
    let bundle = read(
        &input(),
        &host(&[
            ("deploy/shop/crds/a.yaml", definition),
            ("deploy/shop/charts/inner/Chart.yaml", "apiVersion: v2\nname: inner\nversion: 1.0.0\n"),
            ("deploy/shop/charts/inner/crds/b.yaml", &definition.replace("{{x}}", "inner")),
            ("deploy/shop/templates/a.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"),
        ]),
    );
    let expect = [
        "CustomResourceDefinition/{{x}} deploy/shop/crds/a.yaml:3:18",
        "CustomResourceDefinition/inner deploy/shop/charts/inner/crds/b.yaml:3:18",
        "Secret/default/s deploy/shop/templates/a.yaml:3:18",
    ];
    assert_eq!(places(&bundle), expect);
    assert_eq!(unit(&bundle).unwrap().delivery.arranged, Arranged::AsChart { definitions: 2 });
}

/// The first problem, with its place.
fn problem(files: &[(&str, &str)]) -> String {
    let bundle = read(&input(), &host(files));
    let told = |problem: &Problem| {
        let place = problem.place;
        format!("{}:{}: {}", bundle.files.path(place), place.line, problem.cause)
    };
    bundle.problems.first().map_or_else(String::new, told)
}

#[test]
fn what_stops_a_template_is_told_where_it_stands() {
    let template = "a: 1\nb: {{ required \"tell me b\" .Values.b }}\n";
    let told = problem(&[("deploy/shop/templates/a.yaml", template)]);
    assert!(told.starts_with("deploy/shop/templates/a.yaml:2: "), "{told}");
    assert!(told.contains("tell me b"), "{told}");
    let told = problem(&[("deploy/shop/templates/a.yaml", "apiVersion: v1\nkind: [\n")]);
    assert!(told.starts_with("deploy/shop/templates/a.yaml:"), "{told}");
    let told = problem(&[("deploy/shop/templates/a.yaml", "a: 1\nb: {{ .Values.b\n")]);
    assert!(told.starts_with("deploy/shop/templates/a.yaml:3: "), "{told}");
}

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: here}\n";

/// The objects, whether each has a premise, and what is fatal.
fn all_the_same(bundle: &Bundle) -> (Vec<(String, bool)>, Vec<String>) {
    let objects = bundle.deliveries().map(|(_, object)| (object.id.to_string(), object.premise.is_some()));
    let fatal = bundle.problems.iter().filter(|problem| problem.is_fatal);
    (objects.collect(), fatal.map(|problem| problem.cause.clone()).collect())
}

#[test]
fn templates_that_need_a_missing_chart_are_left_out_and_the_rest_is_read() {
    let needs = "dependencies:\n- {name: common, version: 2.x.x, repository: \"oci://example.com\"}\n";
    let files = [
        ("deploy/shop/templates/a.yaml", "a: {{ include \"common.names.fullname\" . }}\n"),
        ("deploy/shop/templates/b.yaml", CONFIG),
        ("deploy/shop/templates/c.yaml", "a: {{ include \"common.names.fullname\" . }}\n"),
        ("deploy.sh", "helm template x deploy/shop | kubectl apply -f -\n"),
    ];
    let chart = format!("{CHART}{needs}");
    let metadata = [("deploy/shop/Chart.yaml", chart.as_str())];
    let host = Memory::new(files.iter().chain(&metadata).map(|(path, text)| (*path, *text)));
    for paths in ["deploy/shop", "deploy.sh"] {
        let bundle = read(&Input { paths: vec![paths.to_owned()], ..input() }, &host);
        let (objects, fatal) = all_the_same(&bundle);
        assert_eq!(objects, [("ConfigMap/default/here".to_owned(), false)]);
        assert_eq!(fatal.len(), 1, "{fatal:?}");
        assert!(fatal[0].starts_with("this template is not read, and neither is one more"), "{fatal:?}");
        let note = bundle.problems.iter().filter(|problem| problem.cause.contains("helm dependency build"));
        assert_eq!(note.count(), 1);
    }
    // Where nothing is missing, it is a mistake in the chart.
    let (objects, fatal) = all_the_same(&read(&input(), &self::host(&files)));
    assert!(objects.is_empty() && fatal[0].starts_with("template: shop/templates/"), "{fatal:?}");
}

#[test]
fn what_a_chart_brings_that_demands_more_is_looked_at() {
    let files = [
        ("deploy/shop/templates/a.yaml", CONFIG),
        ("deploy/shop/templates/c.yaml", "{{ if not .Values.host }}{{ fail \"name a host\" }}{{ end }}"),
        ("deploy/shop/templates/b.yaml", "{{ .Values.no.such.thing }}"),
        ("deploy.sh", "helm template x deploy/shop | kubectl apply -f -\n"),
    ];
    for paths in ["deploy/shop", "deploy.sh"] {
        let bundle = read(&Input { paths: vec![paths.to_owned()], ..input() }, &host(&files));
        let (objects, fatal) = all_the_same(&bundle);
        assert_eq!(objects, [("ConfigMap/default/here".to_owned(), true)]);
        assert!(fatal[0].contains("name a host; what the chart brings otherwise"), "{fatal:?}");
    }
}

#[test]
fn a_chart_that_is_not_there_is_named() {
    let chart = format!(
        "{CHART}dependencies: [{{name: database, version: 1.2.3, repository: \"https://example.com\"}}]\n"
    );
    let told = problem(&[("deploy/shop/Chart.yaml", &chart)]);
    assert!(told.contains("database 1.2.3") && told.contains("helm dependency build deploy/shop"), "{told}");
}

#[test]
fn secret_values_stay_hidden_in_the_template_that_holds_them() {
    let template = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: canary\n";
    let bundle = read(&input(), &host(&[("deploy/shop/templates/a.yaml", template)]));
    let place = unit(&bundle).unwrap().objects[0].place_of(&["stringData", "password"]);
    assert_eq!((bundle.files.path(place), place.line), ("deploy/shop/templates/a.yaml", 5));
    assert_eq!(bundle.files.line(place), None);
}

#[test]
fn a_script_installs_a_chart_that_lies_beside_it() {
    let script = "set -e\ncd deploy\nhelm upgrade --install one ./shop -n \"$NAMESPACE\" --wait --timeout 90s -f mine.yaml --set b=$TAG\n\
                  kubectl apply -f after.yaml\n";
    let template =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .Release.Name }}-{{ .Values.a }}\"}\n";
    let files = [
        ("deploy.sh", script),
        ("deploy/shop/templates/a.yaml", template),
        ("deploy/mine.yaml", "a: file\n"),
        ("deploy/after.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: after}\n"),
    ];
    let input = Input { paths: vec!["deploy.sh".to_owned()], offered: input().offered, ..Input::default() };
    let bundle = read(&input, &host(&files));
    let unit = unit(&bundle).unwrap();
    assert_eq!(unit.objects[0].id.name(), "one-file");
    assert_eq!(bundle.files.path(unit.objects[0].place()), "deploy/shop/templates/a.yaml");
    assert_eq!(unit.delivery.flags, ["--wait"]);
    assert_eq!(unit.delivery.timeout, Some(Duration::from_secs(90)));
    assert_eq!(bundle.steps[1].after[0].outcome, Outcome::Succeeded);
    assert_eq!(bundle.coverage.opaque, 0);
}

#[test]
fn what_helm_prints_is_applied_in_its_order() {
    let script = "cd deploy\nhelm template one ./shop -n rel --include-crds -a example.org/v1 --set a=b | kubectl apply -n x -f -\n";
    let template = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: {{ .Release.Namespace }}}\n---\n\
                    apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Values.a }}\nstringData:\n  password: canary\n---\n\
                    {{ if .Capabilities.APIVersions.Has \"example.org/v1\" }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: has}\n{{ end }}---\n\
                    apiVersion: batch/v1\nkind: Job\nmetadata: {name: hook, annotations: {helm.sh/hook: pre-install}}\n";
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a.example.org\n";
    let files = [
        ("deploy.sh", script),
        ("deploy/shop/templates/a.yaml", template),
        ("deploy/shop/crds/a.yaml", definition),
    ];
    let input = Input { paths: vec!["deploy.sh".to_owned()], offered: input().offered, ..Input::default() };
    let bundle = read(&input, &host(&files));
    assert_eq!(
        places(&bundle),
        [
            "CustomResourceDefinition/a.example.org deploy/shop/crds/a.yaml:4:9",
            "Secret/x/b deploy/shop/templates/a.yaml:8:12",
            "ConfigMap/x/has deploy/shop/templates/a.yaml:15:18",
            "Deployment/rel/web deploy/shop/templates/a.yaml:3:18",
            "Job/x/hook deploy/shop/templates/a.yaml:19:18",
        ]
    );
    assert_eq!(unit(&bundle).unwrap().delivery.tool, Tool::Kubectl);
    let secret = unit(&bundle).unwrap().objects[1].place_of(&["stringData", "password"]);
    assert_eq!(bundle.files.line(secret), None, "a value of a Secret is not shown");
}

#[test]
fn values_are_found_where_they_are_set_and_secret_ones_are_hidden() {
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n---\n\
                    apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Values.secret.name }}\nstringData:\n  password: {{ .Values.secret.password }}\n";
    let files = [
        ("deploy/shop/templates/a.yaml", template),
        ("deploy/shop/values.yaml", "name: own\nsecret:\n  name: s\n  password: canary\n"),
        ("mine.yaml", "\nname: mine\n"),
    ];
    let mut input = input();
    input.chart.values = vec![Values::File("mine.yaml".to_owned())];
    let bundle = read(&input, &host(&files));
    let value = |object: usize, path: &[&str]| {
        let place = unit(&bundle).unwrap().objects[object].place_of(path);
        let value = bundle.files.value_of(place)?;
        Some(format!("{}:{}", bundle.files.path(value), value.line))
    };
    assert_eq!(value(0, &["metadata", "name"]).as_deref(), Some("mine.yaml:2"));
    assert_eq!(value(1, &["metadata", "name"]).as_deref(), Some("deploy/shop/values.yaml:3"));
    assert_eq!(value(1, &["stringData", "password"]), None);
    for (index, file) in (0u32..).zip(bundle.files.iter()) {
        let count = u32::try_from(file.text.lines().count()).unwrap();
        let place = |line| plimsoll_model::Place { file: plimsoll_model::FileIndex(index), line, column: 1 };
        let shown: Vec<&str> = (1..=count).filter_map(|line| bundle.files.line(place(line))).collect();
        assert!(!shown.concat().contains("canary"), "{}: {shown:?}", file.path);
    }
}

#[test]
fn a_chart_that_helm_cannot_print_is_a_problem_of_the_script() {
    let files = [
        ("deploy.sh", "helm template one deploy/shop | kubectl apply -f -\n"),
        ("deploy/shop/templates/a.yaml", "a: 1\n{{ if }}\n"),
    ];
    let input = Input { paths: vec!["deploy.sh".to_owned()], offered: input().offered, ..Input::default() };
    let bundle = read(&input, &host(&files));
    assert!(matches!(bundle.steps[0].action, Action::Opaque(_)), "{:?}", bundle.steps);
    let told: Vec<&Problem> = bundle.problems.iter().filter(|problem| problem.is_fatal).collect();
    assert!(told.len() == 1 && told[0].cause.contains("missing value for if"), "{told:?}");
}

#[test]
fn an_installed_helm_renders_where_that_is_wanted() {
    let call =
        "helm template shop deploy/shop --include-crds --namespace default --kube-version v1.36.0 --set a=b";
    let output = "---\n# Source: shop/crds/crd.yaml\napiVersion: apiextensions.k8s.io/v1\n\
                  kind: CustomResourceDefinition\nmetadata: {name: as.b.io}\n---\n\
                  # Source: shop/templates/crds/a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    let mut input = input();
    input.renderers.helm = true;
    input.chart.values = vec![Values::Set("a=b".to_owned())];
    let bundle =
        read(&input, &host(&[("deploy/shop/templates/a.yaml", "{{ broken")]).with_program(call, output));
    let unit = unit(&bundle).expect("a release");
    let ids: Vec<String> = unit.objects.iter().map(|object| object.id.to_string()).collect();
    assert_eq!(ids, ["CustomResourceDefinition/as.b.io", "ConfigMap/default/a"]);
    assert_eq!(unit.delivery.arranged, Arranged::AsChart { definitions: 1 });
    assert!(
        places(&bundle).iter().all(|place| place.contains("deploy/shop, as Helm renders it")),
        "{:?}",
        places(&bundle)
    );
    let without = read(&input, &host(&[]));
    let causes: Vec<&str> = without.problems.iter().map(|problem| problem.cause.as_str()).collect();
    assert_eq!(causes, ["helm is not installed; install it, or leave out --renderer=helm"]);
}

#[test]
fn an_installed_kustomize_builds_where_that_is_wanted() {
    let call = "kustomize build k --enable-helm";
    let output = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: built}\n";
    let mut input = Input { paths: vec!["k".to_owned()], ..Input::default() };
    input.renderers.kustomize = true;
    let host = Memory::new([("k/kustomization.yaml", "plugins: nobody knows")]).with_program(call, output);
    let bundle = read(&input, &host);
    assert!(bundle.problems.is_empty(), "{:?}", bundle.problems);
    assert_eq!(unit(&bundle).expect("a unit").objects.len(), 1);
}

/// A cluster as kubectl tells of it.
fn cluster(files: &[(&str, &str)]) -> Memory {
    let get = |path: &str| format!("kubectl get --raw {path} --context=test");
    let resource = |plural: &str, kind: &str, is_namespaced: bool| {
        format!(
            r#"{{"resources": [{{"name": "{plural}", "kind": "{kind}", "namespaced": {is_namespaced}}}]}}"#
        )
    };
    host(files)
        .with_program(&get("/version"), r#"{"gitVersion": "v1.34.5"}"#)
        .with_program(&get("/apis"), r#"{"groups": [{"versions": [{"groupVersion": "shop.example/v1"}]}]}"#)
        .with_program(&get("/api/v1"), &resource("configmaps", "ConfigMap", true))
        .with_program(&get("/apis/shop.example/v1"), &resource("plans", "Plan", false))
        .with_program(
            &get("/api/v1/namespaces/default/configmaps/first"),
            r#"{"data": {"next": "gold"}, "count": 1000000}"#,
        )
        .with_program(&get("/apis/shop.example/v1/plans/gold"), r#"{"metadata": {"name": "gold"}}"#)
}

#[test]
fn charts_ask_a_cluster_where_that_is_wanted() {
    let template = r#"
{{- $first := lookup "v1" "ConfigMap" .Release.Namespace "first" }}
{{- $next := dig "data" "next" "" $first }}
{{- if $next }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ (lookup "shop.example/v1" "Plan" "" $next).metadata.name }}-{{ $first.count }}
data:
  version: {{ .Capabilities.KubeVersion }}
  serves: {{ .Capabilities.APIVersions.Has "shop.example/v1/Plan" | quote }}
{{- end }}"#;
    let files = [("deploy/shop/templates/a.yaml", template)];
    let live = Live { context: Some("test".to_owned()), is_version_said: false };
    let input = Input { live: Some(live), ..input() };
    let bundle = read(&input, &cluster(&files));
    assert!(bundle.problems.is_empty(), "{:?}", bundle.problems);
    let object = &unit(&bundle).expect("a release").objects[0];
    assert_eq!(object.id.name(), "gold-1000000");
    let data = |key| object.root.text_at(&["data", key]).map(str::to_owned);
    assert_eq!((data("version"), data("serves")), (Some("v1.34.5".to_owned()), Some("true".to_owned())));

    let without = read(&input, &host(&files));
    let causes: Vec<&str> = without.problems.iter().map(|problem| problem.cause.as_str()).collect();
    assert_eq!(causes, ["kubectl is not installed; install it, or leave out --live"]);
}

#[test]
fn what_a_cluster_does_not_tell_stops_the_chart() {
    for (asks, cause) in [
        ("\"v1\" \"Secret\" \"default\" \"a\"", "does not serve v1 Secret"),
        ("\"v1\" \"ConfigMap\" \"default\" \"a/proxy\"", "`a/proxy` cannot stand in the name of an object"),
        ("\"v1\" \"ConfigMap\" \"..\" \"a\"", "`..` cannot stand"),
        ("\"v1\" \"ConfigMap\" \"default\" \"a?watch=1\"", "cannot stand"),
    ] {
        let template = format!("{{{{ lookup {asks} }}}}");
        let live = Live { context: Some("test".to_owned()), is_version_said: false };
        let host = cluster(&[("deploy/shop/templates/a.yaml", &template)]);
        let bundle = read(&Input { live: Some(live), ..input() }, &host);
        let causes: Vec<&str> = bundle.problems.iter().map(|problem| problem.cause.as_str()).collect();
        assert!(matches!(causes[..], [told] if told.contains(cause)), "{asks}: {causes:?}");
    }
}

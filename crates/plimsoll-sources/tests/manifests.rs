//! From paths to a bundle: steps, objects, places, problems and what is counted.

use plimsoll_model::{Action, Bundle, Outcome, StepIndex};
use plimsoll_sources::{Input, Memory, read};

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: NAME\ndata: {}\n";

fn config(name: &str) -> String {
    CONFIG.replace("NAME", name)
}

fn input(paths: &[&str]) -> Input {
    Input { paths: paths.iter().map(|path| (*path).to_owned()).collect(), ..Input::default() }
}

fn names(bundle: &Bundle) -> Vec<String> {
    bundle.deliveries().map(|(step, object)| format!("{} {}", step.0, object.id)).collect()
}

fn problems(bundle: &Bundle) -> Vec<String> {
    let line = |problem: &plimsoll_model::Problem| {
        let mark = if problem.is_fatal { "!" } else { "" };
        format!("{mark}{}:{}:{}", bundle.files.path(problem.place), problem.place.line, problem.place.column)
    };
    bundle.problems.iter().map(line).collect()
}

#[test]
fn each_path_is_one_apply_after_the_one_before() {
    let host = Memory::new([("b.yaml", config("b")), ("a/x.yaml", config("x")), ("a/c/z.yml", config("z"))])
        .with_input(config("piped"));
    let bundle = read(&input(&["b.yaml", "a", "-"]), &host);
    let expect = [
        "0 ConfigMap/default/b",
        "1 ConfigMap/default/z",
        "1 ConfigMap/default/x",
        "2 ConfigMap/default/piped",
    ];
    assert_eq!(names(&bundle), expect);
    let says: Vec<_> = bundle.steps.iter().map(|step| step.says.as_str()).collect();
    assert_eq!(says, ["kubectl apply -R -f b.yaml", "kubectl apply -R -f a", "kubectl apply -f -"]);
    assert!(bundle.steps[0].after.is_empty());
    assert_eq!(
        (bundle.steps[2].after[0].step, bundle.steps[2].after[0].outcome),
        (StepIndex(1), Outcome::Ended)
    );
    assert!(bundle.problems.is_empty());
    assert_eq!(bundle.coverage.objects, 4);
}

#[test]
fn the_flags_of_the_delivery_are_said_and_kept() {
    let host = Memory::new([("b.yaml", config("b"))]);
    let mut input = input(&["b.yaml"]);
    input.delivery.flags = vec!["--server-side".to_owned()];
    input.is_recursive = false;
    let bundle = read(&input, &host);
    assert_eq!(bundle.steps[0].says, "kubectl apply --server-side -f b.yaml");
    let Action::Deliver(unit) = &bundle.steps[0].action else { panic!("no delivery") };
    assert_eq!(unit.delivery.flags, ["--server-side"]);
}

#[test]
fn the_order_of_a_listing_changes_nothing() {
    let files =
        ["k/b/1.yaml", "k/a.yaml", "k/b.yaml", "k/b/0.json", "k/c/Chart.yaml", "k/d/x.yaml", "k/z.yaml"];
    let host = Memory::new(files.map(|path| (path, config(&path.replace(['/', '.'], "-")))));
    let forward = read(&input(&["k"]), &host);
    let backward = read(&input(&["k"]), &host.clone().reversed());
    assert_eq!(names(&forward), names(&backward));
    assert_eq!(format!("{forward:?}"), format!("{backward:?}"));
}

#[test]
fn places_point_into_the_file() {
    let text = "# ä\r\n---\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {näme: ü, name: x}\r\n";
    let host = Memory::new([("a.yaml", text)]);
    let bundle = read(&input(&["a.yaml"]), &host);
    let object = bundle.deliveries().next().unwrap().1;
    let at = |path: &[&str]| {
        let place = object.place_of(path);
        (place.line, place.column, bundle.files.line(place).unwrap())
    };
    assert_eq!(at(&[]), (3, 1, "apiVersion: v1"));
    assert_eq!(at(&["kind"]), (4, 7, "kind: ConfigMap"));
    assert_eq!(at(&["metadata", "name"]).1, 27);
    let (key, _) = &object.root.get("metadata").unwrap().entries()[1];
    assert_eq!((key.place.line, key.place.column), (5, 21));
}

#[test]
fn places_hold_where_yaml_counts_other_lines() {
    let text = "apiVersion: v1\nkind: ConfigMap\ndata: {a: \"x\u{2028}y\"}\nmetadata:\n  name: x\n";
    let bundle = read(&input(&["a.yaml"]), &Memory::new([("a.yaml", text)]));
    let object = bundle.deliveries().next().unwrap().1;
    let place = object.place_of(&["metadata", "name"]);
    assert_eq!((place.line, place.column), (5, 9));
}

#[test]
fn places_hold_in_json() {
    let text =
        "\n{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\",\n \"metadata\": {\"ü\": 1, \"name\": \"x\"}}";
    let bundle = read(&input(&["a.json"]), &Memory::new([("a.json", text)]));
    let object = bundle.deliveries().next().unwrap().1;
    assert_eq!((object.place().line, object.place().column), (2, 1));
    let place = object.place_of(&["metadata", "name"]);
    assert_eq!((place.line, place.column), (3, 31));
}

#[test]
fn what_is_missing_at_the_end_of_a_document_is_said_inside_it() {
    let text =
        "kind: ConfigMap\nmetadata: {name: a\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n";
    let parsed = plimsoll_yaml::parse(text, plimsoll_model::FileIndex(0));
    let lines: Vec<u32> = parsed.faults.iter().map(|fault| fault.place.line).collect();
    assert_eq!(lines, [2]);
    assert_eq!(parsed.documents.len(), 1);
}

#[test]
fn a_broken_document_is_said_and_the_rest_is_read() {
    let text = format!("{}---\na: [1\nb: 2\n---\n{}", config("a"), config("b"));
    let bundle = read(&input(&["k.yaml"]), &Memory::new([("k.yaml", text)]));
    assert_eq!(names(&bundle), ["0 ConfigMap/default/a", "0 ConfigMap/default/b"]);
    assert_eq!(problems(&bundle), ["!k.yaml:8:2"]);
    assert!(bundle.problems[0].cause.contains("not valid YAML"), "{}", bundle.problems[0].cause);
}

#[test]
fn what_is_doubtful_is_said_without_being_fatal() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nkind: Secret\n...\nleft: out\n";
    let bundle = read(&input(&["k.yaml"]), &Memory::new([("k.yaml", text)]));
    assert_eq!(names(&bundle), ["0 Secret/default/a"]);
    assert_eq!(problems(&bundle), ["k.yaml:1:1", "k.yaml:4:1"]);
}

#[test]
fn what_cannot_be_read_is_fatal() {
    let files: [(&str, &[u8]); 3] = [
        ("bytes.yaml", b"a: \xFF\n"),
        ("template.yaml", b"a: {{ .b }}\n{{ c }}\n"),
        ("empty/readme.md", b""),
    ];
    let host = Memory::new(files.map(|(path, bytes)| (path, bytes.to_vec())));
    let paths = ["nowhere", "bytes.yaml", "template.yaml", "empty", "https://example.org/a.yaml"];
    let bundle = read(&input(&paths), &host);
    let expect = [
        "!nowhere:0:0",
        "!bytes.yaml:0:0",
        "!template.yaml:1:5",
        "!empty:0:0",
        "!https://example.org/a.yaml:0:0",
    ];
    assert_eq!(problems(&bundle), expect);
    assert!(bundle.problems[2].cause.contains("helm template"), "{}", bundle.problems[2].cause);
    assert_eq!(bundle.steps.len(), paths.len());
}

#[test]
fn folders_of_other_readers_are_named_and_not_read() {
    let files = ["chart/Chart.yaml", "chart/templates/a.yaml", "main/main.tf", "main/b.yaml", "c.yaml"];
    let host = Memory::new(files.map(|path| (format!("k/{path}"), config("x"))));
    let bundle = read(&input(&["k"]), &host);
    assert_eq!(names(&bundle), ["0 ConfigMap/default/x"]);
    assert_eq!(problems(&bundle), ["k/chart:0:0", "k/main:0:0"]);
    assert_eq!(bundle.coverage.opaque, 2);
}

#[test]
fn kustomizations_inside_a_folder_are_applied_on_their_own() {
    let mut files = vec![
        ("k/base/kustomization.yaml", "resources: [a.yaml]\n".to_owned()),
        ("k/base/a.yaml", config("a")),
        ("k/over/kustomization.yaml", "resources: [../base]\nnamePrefix: x-\n".to_owned()),
        ("k/other/kustomization.yaml", "resources: [b.yaml]\n".to_owned()),
        ("k/other/b.yaml", config("b")),
        ("k/c.yaml", config("c")),
    ];
    let bundle = read(&input(&["k"]), &Memory::new(files.clone()));
    assert_eq!(names(&bundle), ["0 ConfigMap/default/c", "1 ConfigMap/default/b", "2 ConfigMap/default/x-a"]);
    assert_eq!(bundle.steps[1].says, "kubectl apply -k k/other");
    assert!(bundle.problems.is_empty(), "{:?}", bundle.problems);

    files.push(("k/second/kustomization.yaml", "resources: [../base]\n".to_owned()));
    let bundle = read(&input(&["k"]), &Memory::new(files.clone()));
    assert_eq!(names(&bundle), ["0 ConfigMap/default/c", "1 ConfigMap/default/b"]);
    assert_eq!(problems(&bundle), ["k/over:0:0", "k/second:0:0"]);

    let flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: {path: ./other}\n";
    files.push(("k/flux.yaml", flux.to_owned()));
    let bundle = read(&input(&["k"]), &Memory::new(files));
    assert_eq!(bundle.steps.len(), 1);
    assert_eq!(problems(&bundle), ["k/other:0:0", "k/over:0:0", "k/second:0:0"]);
}

#[test]
fn documents_that_are_no_objects_are_counted() {
    let host = Memory::new([
        ("k/compose.yaml", "services: {}\n"),
        ("k/a.yaml", &config("a")),
        ("k/values.yml", "- 1"),
    ]);
    let bundle = read(&input(&["k"]), &host);
    assert_eq!((bundle.coverage.objects, bundle.coverage.foreign), (1, 2));
    assert!(bundle.problems.is_empty());
}

#[test]
fn a_crd_that_comes_later_still_decides() {
    let instance = "apiVersion: x.io/v1\nkind: Thing\nmetadata: {name: a}\n";
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.x.io}\n\
               spec: {group: x.io, scope: Cluster, names: {kind: Thing}}\n";
    let host = Memory::new([("a.yaml", instance), ("b.yaml", crd)]);
    let bundle = read(&input(&["a.yaml", "b.yaml"]), &host);
    assert_eq!(names(&bundle), ["0 Thing/a", "1 CustomResourceDefinition/things.x.io"]);
}

#[test]
fn an_object_whose_name_the_server_makes_up_cannot_be_applied() {
    let job = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  generateName: run-\n";
    let host = Memory::new([("a.yaml", job)]);
    assert_eq!(problems(&read(&input(&["a.yaml"]), &host)), ["a.yaml:1:1"]);
    let mut create = input(&["a.yaml"]);
    create.delivery.verb = "create".to_owned();
    let bundle = read(&create, &host);
    assert!(bundle.problems.is_empty());
    assert_eq!(names(&bundle), ["0 Job/default/run-*"]);
}

#[test]
fn exclude_and_the_ignore_file_leave_out() {
    let files = [
        ("k/.plimsollignore", "gen/\n".to_owned()),
        (".plimsollignore", "*.old.yaml\n".to_owned()),
        ("k/gen/a.yaml", config("a")),
        ("k/b.old.yaml", config("b")),
        ("k/c.test.yaml", config("c")),
        ("k/d.yaml", config("d")),
        ("k/.hidden/e.yaml", config("e")),
    ];
    let mut input = input(&["k"]);
    input.exclude = vec!["*.test.yaml".to_owned()];
    let bundle = read(&input, &Memory::new(files));
    assert_eq!(names(&bundle), ["0 ConfigMap/default/d"]);
}

#[test]
fn a_kustomization_is_one_apply_with_its_own_flag() {
    let files = [
        ("k/kustomization.yaml", "resources: [b.yaml, a.yaml]\n".to_owned()),
        ("k/a.yaml", config("a")),
        ("k/b.yaml", config("b")),
        ("plain/c.yaml", config("c")),
    ];
    let host = Memory::new(files);
    let bundle = read(&input(&["k", "plain"]), &host);
    assert_eq!(names(&bundle), ["0 ConfigMap/default/a", "0 ConfigMap/default/b", "1 ConfigMap/default/c"]);
    assert_eq!(bundle.steps[0].says, "kubectl apply -k k");
    let mut asked = input(&["plain"]);
    asked.delivery.flags = vec!["-k".to_owned(), "--server-side".to_owned()];
    let bundle = read(&asked, &host);
    assert_eq!(bundle.steps[0].says, "kubectl apply --server-side -k plain");
    assert!(matches!(&bundle.steps[0].action, Action::Opaque(why) if why.contains("no kustomization.yaml")));
    assert_eq!((problems(&bundle), bundle.coverage.opaque), (vec!["!plain:0:0".to_owned()], 1));
}

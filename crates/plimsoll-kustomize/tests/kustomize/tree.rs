//! Random trees of kustomizations: a base or two, perhaps a component, and an overlay.

use crate::dice::Dice;
use crate::objects::{NAMES, object, scalar, version};
use std::collections::{BTreeMap, BTreeSet};

/// Files by their paths.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// The objects of a folder: kind and name.
type Known = Vec<(String, String)>;

/// A tree whose outermost kustomization is `overlay`.
pub(crate) fn tree(dice: &mut Dice) -> Tree {
    let mut tree = Tree::new();
    let mut known = folder(dice, &mut tree, "base", &[], &Known::new(), Role::Base);
    let mut bases = vec!["../base"];
    if dice.once_in(3) {
        known.extend(folder(dice, &mut tree, "more", &[], &Known::new(), Role::Base));
        bases.push("../more");
    }
    let components: &[&str] = if dice.once_in(4) {
        folder(dice, &mut tree, "part", &[], &known, Role::Component);
        &["../part"]
    } else {
        &[]
    };
    let role = Role::Overlay { components };
    folder(dice, &mut tree, "overlay", &bases, &known, role);
    tree
}

#[derive(Clone, Copy, PartialEq)]
enum Role<'r> {
    Base,
    Component,
    Overlay { components: &'r [&'r str] },
}

fn folder(
    dice: &mut Dice,
    tree: &mut Tree,
    folder: &str,
    bases: &[&str],
    known: &Known,
    role: Role<'_>,
) -> Known {
    let mut known = known.clone();
    let mut text = String::new();
    if role == Role::Component {
        text.push_str("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n");
    }
    let mut resources: Vec<String> = bases.iter().map(|base| (*base).to_owned()).collect();
    let count = if role == Role::Base { 2 + dice.below(4) } else { dice.below(2) };
    let objects = distinct(dice, count);
    if !objects.is_empty() {
        let parts: Vec<&str> = objects.iter().map(|(_, _, text)| text.as_str()).collect();
        tree.insert(format!("{folder}/all.yaml"), parts.join("---\n").into_bytes());
        resources.push("all.yaml".to_owned());
        known.extend(objects.iter().map(|(kind, name, _)| (kind.clone(), name.clone())));
    }
    if !resources.is_empty() {
        text.push_str(&format!("resources: [{}]\n", resources.join(", ")));
    }
    if let Role::Overlay { components } = role
        && !components.is_empty()
    {
        text.push_str(&format!("components: [{}]\n", components.join(", ")));
    }
    simple(dice, &mut text);
    generators(dice, tree, folder, &mut text, role != Role::Base);
    let meant = |dice: &mut Dice| -> (String, String) {
        if known.is_empty() {
            ("Deployment".into(), "web".into())
        } else {
            known[dice.below(known.len())].clone()
        }
    };
    let patches: Vec<String> = (0..dice.below(3))
        .map(|_| {
            let (kind, name) = meant(dice);
            patch(dice, &kind, &name)
        })
        .collect();
    if !patches.is_empty() {
        text.push_str(&format!("patches:\n{}", patches.concat()));
    }
    older(dice, &mut text, &meant);
    replacements(dice, &mut text, &meant);
    if text.is_empty() {
        text.push_str("namePrefix: p-\n");
    }
    tree.insert(format!("{folder}/kustomization.yaml"), text.into_bytes());
    known
}

fn distinct(dice: &mut Dice, count: usize) -> Vec<(String, String, String)> {
    let mut seen = BTreeSet::new();
    (0..count)
        .map(|_| object(dice))
        .filter(|(kind, name, _)| seen.insert((kind.clone(), name.clone())))
        .collect()
}

/// Fields that hold a word or a list of small things.
fn simple(dice: &mut Dice, text: &mut String) {
    let mut maybe = |times: usize, line: &dyn Fn(&mut Dice) -> String| {
        if dice.once_in(times) {
            let line = line(dice);
            text.push_str(&line);
        }
    };
    maybe(3, &|dice| format!("namespace: {}\n", dice.pick(&["one", "three"])));
    maybe(3, &|dice| format!("namePrefix: {}\n", dice.pick(&["p-", "\"1\"", "q-"])));
    maybe(4, &|_| "nameSuffix: -s\n".to_owned());
    maybe(4, &|dice| format!("commonLabels: {{app: {}, \"n\": \"1\"}}\n", dice.pick(&["all", "\"true\""])));
    maybe(3, &|dice| {
        let option = dice.pick(&["", ", includeSelectors: true", ", includeTemplates: true"]);
        format!("labels: [{{pairs: {{team: x, app: lab}}{option}}}]\n")
    });
    maybe(4, &|dice| {
        format!(
            "commonAnnotations: {{note: common, {}: \"2\"}}\n",
            if dice.once_in(20) { "\"1\"" } else { "more" }
        )
    });
    maybe(3, &|dice| {
        let change = dice.pick(&[
            "newTag: \"2\"",
            "newName: other/x",
            "digest: \"sha256:ff\"",
            "newTag: v3, newName: yy",
            "tagSuffix: -t",
        ]);
        format!("images: [{{name: {}, {change}}}]\n", dice.pick(&["nginx", "host:5000/team/app", "busybox"]))
    });
    maybe(25, &|dice| format!("replicas: [{{name: {}, count: 7}}]\n", dice.pick(&NAMES)));
    maybe(12, &|_| "sortOptions: {order: fifo}\n".to_owned());
    maybe(10, &|_| "buildMetadata: [originAnnotations]\n".to_owned());
}

fn generators(dice: &mut Dice, tree: &mut Tree, folder: &str, text: &mut String, is_over: bool) {
    let mut any = false;
    for field in ["configMapGenerator", "secretGenerator"] {
        if !dice.once_in(4) {
            continue;
        }
        any = true;
        let behavior = if is_over && dice.once_in(6) {
            dice.pick(&[", behavior: merge", ", behavior: replace"])
        } else {
            ""
        };
        let options = dice.pick(&[
            "",
            "",
            ", options: {disableNameSuffixHash: true}",
            ", options: {labels: {g: \"1\"}, immutable: true}",
        ]);
        let name = dice.pick(&["web", "gen", "gen2", "gen3"]);
        text.push_str(&format!(
            "{field}:\n- {{name: {name}, literals: [\"a=1\", 'b=\"x y\"', \"c=<&>\"], files: [data.txt, k=data.txt], envs: [e.env]{behavior}{options}}}\n"
        ));
    }
    if any {
        let data =
            if dice.once_in(4) { [0xff, 0xfe, 7].repeat(40) } else { b"line one\nline two\n".to_vec() };
        tree.insert(format!("{folder}/data.txt"), data);
        tree.insert(format!("{folder}/e.env"), b"# c\nE1=1\n\n  E2=x=y\nE3\n".to_vec());
        if dice.once_in(4) {
            text.push_str("generatorOptions: {annotations: {made: \"yes\"}, disableNameSuffixHash: false}\n");
        }
    }
}

fn patch(dice: &mut Dice, kind: &str, name: &str) -> String {
    let target = match dice.below(4) {
        0 => format!("  target: {{kind: {kind}}}\n"),
        1 => format!("  target: {{kind: {kind}, name: \"{}.*\"}}\n", &name[..1]),
        2 => "  target: {labelSelector: \"app in (web, db, all)\"}\n".to_owned(),
        _ => String::new(),
    };
    if dice.once_in(3) {
        let target =
            if target.is_empty() { format!("  target: {{kind: {kind}, name: {name}}}\n") } else { target };
        return format!("- patch: |-\n{}{target}", indented(&operations(dice, kind)));
    }
    let options = if dice.once_in(6) { "  options: {allowNameChange: true}\n" } else { "" };
    format!("- patch: |-\n{}{target}{options}", indented(&strategic(dice, kind, name)))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn operations(dice: &mut Dice, kind: &str) -> String {
    let has_pods = matches!(kind, "Deployment" | "StatefulSet");
    let mut text = String::new();
    for _ in 0..=dice.below(2) {
        text.push_str(&match dice.below(6) {
            0 => format!("- {{op: add, path: /metadata/labels, value: {{j: {}}}}}\n", "\"1\""),
            1 => format!("- {{op: add, path: /metadata/annotations, value: {{x: {}}}}}\n", scalar(dice)),
            2 => "- {op: replace, path: /metadata/name, value: renamed}\n".to_owned(),
            3 => format!("- {{op: add, path: /extra, value: [{}, 1000000, 0.5]}}\n", scalar(dice)),
            4 if has_pods => {
                "- {op: replace, path: /spec/template/spec/containers/0/image, value: json:1}\n".to_owned()
            }
            5 if dice.once_in(4) => "- {op: remove, path: /metadata/labels}\n".to_owned(),
            _ => "- {op: add, path: /metadata/annotations/a~1b, value: c}\n".to_owned(),
        });
    }
    text
}

fn strategic(dice: &mut Dice, kind: &str, name: &str) -> String {
    let mut text = format!("apiVersion: {}\nkind: {kind}\nmetadata:\n  name: {name}\n", version(kind));
    if dice.once_in(2) {
        text.push_str(&format!(
            "  labels: {{app: {}, tier: {}}}\n",
            dice.pick(&["patched", "null"]),
            scalar(dice)
        ));
    }
    if dice.once_in(3) {
        text.push_str(&format!("  annotations: {{note: {}}}\n", scalar(dice)));
    }
    if dice.once_in(12) {
        text.push_str("$patch: delete\n");
        return text;
    }
    text.push_str(&match kind {
        "Deployment" | "StatefulSet" => {
            format!("spec:\n  replicas: 5\n  template:\n    spec:\n{}", pod_patch(dice))
        }
        "Service" => {
            "spec:\n  ports:\n  - {port: 53, protocol: UDP, targetPort: 5353}\n  - {port: 443}\n".to_owned()
        }
        "ConfigMap" => format!("data:\n  a: {}\n  key: null\n  more: {}\n", scalar(dice), scalar(dice)),
        "Widget" => format!(
            "spec:\n  items: [{{name: b, v: 2}}]\n  list: [3]\n  nil: {}\n  deep: {{a: {{b: null, c: 1}}}}\n",
            scalar(dice)
        ),
        "ValidatingWebhookConfiguration" => {
            "webhooks:\n- {name: b.example.org, failurePolicy: Ignore}\n- {name: c.example.org}\n".to_owned()
        }
        _ => String::new(),
    });
    text
}

fn pod_patch(dice: &mut Dice) -> String {
    let mut text = String::from("      containers:\n");
    let directive = dice.pick(&["", "", "", "        $patch: delete\n", "        $patch: replace\n"]);
    text.push_str(&format!(
        "      - name: {}\n{directive}        image: {}\n",
        dice.pick(&["main", "side", "new"]),
        dice.pick(&["nginx:9", "p"])
    ));
    if dice.once_in(2) {
        text.push_str("        env:\n        - {name: A, value: \"9\"}\n        - {name: Z, value: z}\n");
    }
    if dice.once_in(2) {
        text.push_str("        ports:\n        - {containerPort: 53, protocol: UDP, hostPort: 1}\n        - {containerPort: 81}\n");
    }
    if dice.once_in(4) {
        text.push_str("      - $patch: replace\n");
    }
    if dice.once_in(3) {
        text.push_str("      tolerations: [{key: b}]\n");
    }
    if dice.once_in(3) {
        text.push_str("      volumes:\n      - {name: c, $patch: delete}\n      - {name: d, emptyDir: {}}\n");
    }
    text
}

/// The fields with older names.
fn older(dice: &mut Dice, text: &mut String, meant: &dyn Fn(&mut Dice) -> (String, String)) {
    if dice.once_in(6) {
        let (kind, name) = meant(dice);
        text.push_str(&format!("patchesStrategicMerge:\n- |-\n{}", indented(&strategic(dice, &kind, &name))));
    }
    if dice.once_in(8) {
        let (kind, name) = meant(dice);
        let (group, version) = version(&kind).split_once('/').unwrap_or(("", version(&kind)));
        let operations = operations(dice, &kind);
        text.push_str(&format!(
            "patchesJson6902:\n- target: {{group: \"{group}\", version: {version}, kind: {kind}, name: {name}}}\n  patch: |-\n{}",
            indented(&operations)
        ));
    }
    if dice.once_in(8) {
        let (kind, name) = meant(dice);
        text.push_str(&format!(
            "vars:\n- {{name: THE_NAME, objref: {{apiVersion: {}, kind: {kind}, name: {name}}}}}\n",
            version(&kind)
        ));
    }
}

fn replacements(dice: &mut Dice, text: &mut String, meant: &dyn Fn(&mut Dice) -> (String, String)) {
    if !dice.once_in(4) {
        return;
    }
    let (kind, name) = meant(dice);
    let (target, _) = meant(dice);
    let path = dice.pick(&[
        "metadata.name",
        "metadata.name",
        "metadata.name",
        "kind",
        "kind",
        "metadata.labels.app",
        "spec.replicas",
        "spec.template.metadata.labels",
    ]);
    let to = dice.pick(&[
        "metadata.annotations.from",
        "metadata.labels.app",
        "spec.template.spec.containers.[name=main].image",
        "spec.template.spec.containers.*.env.[name=A].value",
        "spec.replicas",
        "data.json.a.b",
        "spec.items.0.v",
    ]);
    let options = dice.pick(&[
        "",
        "      options: {create: true}\n",
        "      options: {delimiter: \":\", index: 1}\n",
        "      options: {delimiter: \"-\", index: 0, create: true}\n",
    ]);
    text.push_str(&format!(
        "replacements:\n- source: {{kind: {kind}, name: {name}, fieldPath: {path}}}\n  targets:\n  - select: {{kind: {target}}}\n    fieldPaths: [\"{to}\"]\n{}",
        options.replacen("      ", "    ", 1)
    ));
}

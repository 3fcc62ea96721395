//! Every node points to what a person wrote.

use crate::files::Memory;
use plimsoll_kustomize::{Settings, build};
use plimsoll_model::Node;
use std::collections::BTreeMap;

fn files() -> Memory {
    let files = [
        (
            "base/kustomization.yaml",
            "resources: [a.yaml]\nconfigMapGenerator:\n- name: conf\n  literals:\n  - k=v\n  files: [data.txt]\n",
        ),
        (
            "base/a.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: c\n        image: nginx\n        envFrom: [{configMapRef: {name: conf}}]\n",
        ),
        ("base/data.txt", "x\n"),
        (
            "overlay/kustomization.yaml",
            "resources: [../base]\nnamePrefix: p-\nnamespace: shop\nimages:\n- name: nginx\n  newTag: '2'\npatches:\n- path: patch.yaml\n- target: {kind: Deployment}\n  patch: |-\n    - op: add\n      path: /spec/paused\n      value: true\n",
        ),
        (
            "overlay/patch.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n",
        ),
    ];
    let bytes = |(path, text): (&str, &str)| (path.to_owned(), text.as_bytes().to_vec());
    Memory::new(files.into_iter().map(bytes).collect::<BTreeMap<_, _>>())
}

fn place(memory: &Memory, node: &Node) -> String {
    format!("{}:{}:{}", memory.opened[node.place.file.0 as usize], node.place.line, node.place.column)
}

#[test]
fn nodes_point_to_what_was_written() {
    let mut memory = files();
    let built = build(&mut memory, "overlay", &Settings::default()).unwrap();
    let [map, web] = built.objects.as_slice() else { panic!("{:?}", built.objects) };
    let check = |node: &Node, path: &[&str], expected: &str| {
        assert_eq!(place(&memory, node.at(path).unwrap()), expected, "{path:?}");
    };
    check(map, &[], "base/kustomization.yaml:3:3");
    check(map, &["data", "k"], "base/kustomization.yaml:5:5");
    check(map, &["data", "data.txt"], "base/data.txt:1:1");
    check(web, &[], "base/a.yaml:1:1");
    check(web, &["metadata", "name"], "base/a.yaml:4:9");
    check(web, &["metadata", "namespace"], "overlay/kustomization.yaml:3:12");
    check(web, &["spec", "replicas"], "overlay/patch.yaml:6:13");
    check(web, &["spec", "paused"], "overlay/kustomization.yaml:13:14");
    let container = &web.list_at(&["spec", "template", "spec", "containers"])[0];
    check(container, &["image"], "overlay/kustomization.yaml:5:3");
    check(container, &["name"], "base/a.yaml:9:15");
    assert_eq!(container.text_at(&["image"]), Some("nginx:2"));
    let reference = &container.list_at(&["envFrom"])[0];
    check(reference, &["configMapRef", "name"], "base/a.yaml:11:41");
    assert_eq!(reference.text_at(&["configMapRef", "name"]), map.text_at(&["metadata", "name"]));
}

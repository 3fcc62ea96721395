//! `plimsoll explain KIND/NAME`: what an object needs, what protects it, what it holds up.

use crate::folder::Folder;

const SHOP: [(&str, &str); 3] = [
    (
        "k8s/1-shop.yaml",
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n",
    ),
    (
        "k8s/2-web.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n  serviceAccountName: web\n  containers:\n  - name: web\n    \
         image: web\n    envFrom:\n    - configMapRef: {name: settings}\n    - secretRef: {name: db}\n    - secretRef: {name: vault}\n",
    ),
    ("k8s/3-settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n"),
];

const PLATFORM: &str = "apiVersion: plimsoll.dev/v1alpha1\nkind: Externals\nprovides:\n- {object: Secret/shop/vault, by: platform team}\n";

#[test]
fn an_object_is_explained_from_both_ends() {
    let folder = Folder::of(&[SHOP.as_slice(), &[("platform.yaml", PLATFORM)]].concat());
    let pod = folder.run(&["explain", "pod/web", "k8s", "--externals", "platform.yaml"]);
    assert_eq!(pod.code, 0, "{}", pod.err);
    insta::assert_snapshot!("explain_pod", pod.out);
    let settings = folder.run(&["explain", "ConfigMap/shop/settings", "k8s"]);
    insta::assert_snapshot!("explain_config_map", settings.out);
}

#[test]
fn operations_that_differ_and_what_no_order_helps_are_told() {
    let shop = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  labels: {pod-security.kubernetes.io/enforce: restricted}\n";
    let folder = Folder::of(&[("k8s/1-shop.yaml", shop), SHOP[1], SHOP[2]]);
    let both = ["--operation", "install", "--operation", "uninstall"];
    let pod = folder.run(&[["explain", "Pod/web", "k8s"].as_slice(), &both].concat());
    insta::assert_snapshot!("explain_operations", pod.out);
}

#[test]
fn what_is_not_here_and_what_is_too_much_is_said() {
    let folder = Folder::of(&SHOP);
    for (arguments, cause) in [
        (["explain", "Secret/nowhere", "k8s"].as_slice(), "nothing in the input is called Secret/nowhere"),
        (&["explain", "a/b/c/d", "k8s"], "an object is written Kind/name or Kind/namespace/name"),
        (&["explain", "PLM-R001", "k8s"], "a rule is explained without an input"),
        (&["explain", "Pod/web", "nowhere"], "nowhere"),
    ] {
        let answer = folder.run(arguments);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains(cause), "{}", answer.err);
    }
}

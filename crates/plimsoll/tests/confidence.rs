//! How sure a finding is where a part of the input could not be read, or was meant so.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const ISSUER: &str = "\
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: internal}
spec: {selfSigned: {}}
";

/// The confidence of the first finding in a folder with these files.
fn confidence(files: &[(&str, &str)], arguments: &[&str]) -> String {
    first(files, arguments, "confidence")
}

/// What the first finding says under a key.
fn first(files: &[(&str, &str)], arguments: &[&str], key: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let said = answer.pointer(&format!("/findings/0/{key}"));
    said.and_then(|said| said.as_str()).unwrap_or("nothing").to_owned()
}

#[test]
fn what_was_not_read_may_bring_what_is_missing() {
    let script = |script| {
        confidence(&[("issuer.yaml", ISSUER), ("deploy.sh", script)], &["--closed", "--script", "deploy.sh"])
    };
    assert_eq!(script("kubectl apply -f issuer.yaml\n"), "proved");
    let remote = "kubectl apply -f https://example.org/cert-manager.yaml\nkubectl apply -f issuer.yaml\n";
    assert_eq!(script(remote), "assumed");
}

/// A version that newer operators do not serve, and a pod that reads what comes of the object.
const OLD_VERSION: &str = "\
apiVersion: external-secrets.io/v1beta1
kind: ExternalSecret
metadata: {name: database}
spec:
  secretStoreRef: {name: vault, kind: ClusterSecretStore}
  target: {name: database}
  dataFrom: [{extract: {key: database}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:1
          env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: database, key: password}}}]
";

#[test]
fn nothing_is_proved_by_a_refusal_that_is_only_assumed() {
    assert_eq!(confidence(&[("all.yaml", OLD_VERSION)], &["all.yaml"]), "assumed");
    let optional = OLD_VERSION.replace("key: password}", "key: password, optional: true}");
    let message = first(&[("all.yaml", &optional)], &["all.yaml"], "message");
    assert!(message.ends_with("before ExternalSecret/default/database has produced it"), "{message}");
}

#[test]
fn the_version_that_another_tool_installs_is_the_one_that_is_there() {
    let application = |name: &str, version: &str| {
        format!(
            "---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\n\
             spec: {{source: {{chart: external-secrets, targetRevision: {version}, \
             helm: {{parameters: [{{name: installCRDs, value: \"false\"}}]}}}}}}\n"
        )
    };
    let check = |more: &str| {
        let all = OLD_VERSION.to_owned() + more;
        first(&[("all.yaml", &all)], &["all.yaml"], "premise")
    };
    assert_eq!(check(""), "external-secrets 2.9.0, the newest that is known, is what the cluster has");
    assert_eq!(check(&application("a", "0.10.7")), "nothing");
    assert_eq!(check(&application("a", "1.0.0")), "external-secrets 1.0.0 is what the cluster has");
    let several = application("a", "0.10.7") + &application("b", "1.0.0");
    assert_eq!(check(&several), "nothing", "nobody knows which");
}

#[test]
fn what_is_written_for_another_tool_is_not_applied_by_kubectl_for_sure() {
    let waved = POD.replace("{name: a,", "{name: a, annotations: {argocd.argoproj.io/sync-wave: \"2\"},");
    let files =
        [("all.yaml", waved + "---\n" + NAMESPACE), ("deploy.sh", "kubectl apply -f all.yaml\n".to_owned())];
    let files = [(files[0].0, files[0].1.as_str()), (files[1].0, files[1].1.as_str())];
    assert_eq!(confidence(&files, &["all.yaml"]), "nothing");
    assert_eq!(confidence(&files, &["--script", "deploy.sh"]), "proved");
}

/// A webhook that lets writes pass while it does not answer, and an object that it should change.
const TOLERANT: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {defaults: wanted}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: guard}
webhooks:
  - name: guard.acme.io
    clientConfig: {service: {name: guard, namespace: default}}
    rules: [{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
    failurePolicy: Ignore
    objectSelector: {matchLabels: {defaults: wanted}}
";

#[test]
fn who_writes_a_chart_knows_what_its_own_webhook_lets_pass() {
    assert_eq!(confidence(&[("all.yaml", TOLERANT)], &["all.yaml"]), "proved");
    let chart = [
        ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
        ("shop/templates/all.yaml", TOLERANT),
    ];
    assert_eq!(confidence(&chart, &["shop"]), "nothing");
    assert_eq!(confidence(&chart, &["shop", "--pedantic"]), "heuristic");
}

/// A definition, an object of its kind, and a webhook that adds defaults to such objects.
const OWN_KIND: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.io}
spec:
  group: acme.io
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
apiVersion: acme.io/v1
kind: Widget
metadata: {name: first}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: widgets}
webhooks:
  - name: defaults.acme.io
    clientConfig: {service: {name: widgets, namespace: default}}
    rules: [{apiGroups: [acme.io], apiVersions: [v1], operations: [CREATE], resources: [widgets]}]
";

#[test]
fn that_an_object_needs_the_defaults_of_its_own_kind_is_a_guess() {
    let established = "--assume=CustomResourceDefinition/*=established";
    assert_eq!(confidence(&[("all.yaml", OWN_KIND)], &["all.yaml", established]), "nothing");
    assert_eq!(confidence(&[("all.yaml", OWN_KIND)], &["all.yaml", established, "--pedantic"]), "heuristic");
    let (_, undefined) = OWN_KIND.split_once("---\n").expect("the definition comes first");
    assert_eq!(confidence(&[("all.yaml", undefined)], &["all.yaml"]), "nothing");
    let of_others = undefined.replace("name: defaults.acme.io", "name: defaults.example.org");
    assert_eq!(confidence(&[("all.yaml", &of_others)], &["all.yaml"]), "assumed");
}

#[test]
fn files_of_a_folder_may_be_alternatives() {
    let settings = |mode: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings}}\ndata: {{mode: {mode}}}\n")
    };
    let with = |name: &str, mode: &str| {
        let account =
            |name: String| format!("---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}}}\n");
        settings(mode) + &account(format!("{name}-1")) + &account(format!("{name}-2"))
    };
    let check = |first: (&str, &str), second: (&str, &str), arguments: &[&str]| {
        confidence(&[first, second], arguments)
    };
    let [fast, slow] = ["fast", "slow"].map(settings);
    assert_eq!(check(("k8s/fast.yaml", &fast), ("k8s/slow.yaml", &slow), &["k8s"]), "nothing");
    assert_eq!(
        check(("k8s/a.yaml", &with("a", "fast")), ("k8s/b.yaml", &with("b", "slow")), &["k8s"]),
        "assumed"
    );
    assert_eq!(
        check(("k8s/a/a.yaml", &with("a", "fast")), ("k8s/b/b.yaml", &with("b", "slow")), &["k8s"]),
        "nothing"
    );
    assert_eq!(
        check(("k8s/web.yaml", &with("a", "fast")), ("k8s/web-2.yaml", &with("b", "slow")), &["k8s"]),
        "nothing",
        "one name goes on where the other ends"
    );
    let third = ("k8s/c.yaml", with("c", "idle"));
    let three = [("k8s/a.yaml", with("a", "fast")), ("k8s/b.yaml", with("b", "slow")), third];
    assert_eq!(confidence(&three.each_ref().map(|(path, text)| (*path, text.as_str())), &["k8s"]), "nothing");
    let both = format!("{fast}---\n{slow}");
    assert_eq!(confidence(&[("k8s/both.yaml", both.as_str())], &["k8s"]), "proved");
    let script = ("deploy.sh", "kubectl apply -f fast.yaml -f slow.yaml\n");
    let files = [("fast.yaml", fast.as_str()), ("slow.yaml", slow.as_str()), script];
    assert_eq!(confidence(&files, &["--script", "deploy.sh"]), "proved");
}

const POD: &str = "\
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: shop}
spec: {containers: [{name: a, image: a:1}]}
";
const NAMESPACE: &str = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";

#[test]
fn that_folders_of_a_collection_are_applied_together_is_a_guess() {
    let other = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: shop}}\n";
    let tree = [("k8s/a/pod.yaml", POD), ("k8s/b/namespace.yaml", NAMESPACE)];
    assert_eq!(confidence(&tree, &["k8s"]), "proved");
    let collection = [tree[0], tree[1], ("k8s/c/namespace.yaml", other)];
    assert_eq!(confidence(&collection, &["k8s"]), "nothing");
    assert_eq!(confidence(&collection, &["k8s", "--pedantic"]), "heuristic");
}

#[test]
fn that_a_limit_of_another_example_holds_is_a_guess() {
    let range = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: small}\n\
                 spec: {limits: [{type: PersistentVolumeClaim, max: {storage: 1Gi}}]}\n";
    let claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n\
                 spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}}\n";
    let check =
        |range_at: &str, claim_at: &str| confidence(&[(range_at, range), (claim_at, claim)], &["app"]);
    assert_eq!(check("app/a/range.yaml", "app/b/claim.yaml"), "proved");
    assert_eq!(check("app/examples/a/range.yaml", "app/examples/b/claim.yaml"), "nothing");
}

#[test]
fn that_examples_and_tests_are_applied_with_the_rest_is_a_guess() {
    let check = |pod: &str, namespace: &str, arguments: &[&str]| {
        confidence(&[(pod, POD), (namespace, NAMESPACE)], arguments)
    };
    assert_eq!(check("app/deploy/pod.yaml", "app/examples/shop.yaml", &["app"]), "nothing");
    assert_eq!(check("app/examples/a/pod.yaml", "app/examples/b/shop.yaml", &["app"]), "nothing");
    assert_eq!(check("demo/a/pod.yaml", "demo/b/shop.yaml", &["demo"]), "proved");
    assert_eq!(check("app/tests/a/one/pod.yaml", "app/tests/a/two/shop.yaml", &["app"]), "proved");
    assert_eq!(check("app/examples/pod.yaml", "app/examples/shop.yaml", &["app"]), "proved");
    assert_eq!(check("deploy/pod.yaml", "examples/shop.yaml", &["deploy", "examples"]), "proved");
}

#[test]
fn that_kustomizations_are_applied_in_the_order_of_their_folders_is_a_guess() {
    let lists = |file: &str| format!("resources: [{file}]\n");
    let (pod, namespace) = (lists("pod.yaml"), lists("namespace.yaml"));
    let tree = [
        ("k8s/a/kustomization.yaml", pod.as_str()),
        ("k8s/a/pod.yaml", POD),
        ("k8s/b/kustomization.yaml", namespace.as_str()),
        ("k8s/b/namespace.yaml", NAMESPACE),
    ];
    assert_eq!(confidence(&tree, &["k8s"]), "nothing");
    assert_eq!(confidence(&tree, &["k8s/a", "k8s/b"]), "proved");
}

#[test]
fn folders_that_flux_delivers_are_not_applied_together() {
    let flux = "\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 1h, path: ./a, prune: true, sourceRef: {kind: GitRepository, name: all}}
";
    let tree = [("k8s/a/pod.yaml", POD), ("k8s/b/namespace.yaml", NAMESPACE), ("k8s/c/flux.yaml", flux)];
    assert_eq!(confidence(&tree, &["k8s"]), "nothing");
    let together = [("k8s/a/a-pod.yaml", POD), ("k8s/a/namespace.yaml", NAMESPACE)];
    assert_eq!(confidence(&together, &["k8s"]), "proved");
    assert_eq!(confidence(&[together[0], together[1], ("k8s/c/flux.yaml", flux)], &["k8s"]), "nothing");
}

#[test]
fn what_a_script_has_found_need_not_be_looked_for() {
    let script = |first: &str| {
        format!(
            "set -e\nfor name in a b; do\n  {first} kubectl get pod $name -n shop; then\n    \
             STATUS=$(kubectl get pod $name -n shop -o name)\n    if [ \"$STATUS\" = x ]; then exit 1; fi\n  fi\ndone\n\
             kubectl apply -f pod.yaml\n"
        )
    };
    let check =
        |script: &str| confidence(&[("pod.yaml", POD), ("deploy.sh", script)], &["--script", "deploy.sh"]);
    assert_eq!(check(&script("if")), "nothing");
    assert_eq!(check(&script("if !")), "proved");
}

#[test]
fn files_that_instructions_name_one_by_one_are_not_applied_by_one_command() {
    let check = |page: (&str, &str)| {
        confidence(&[("k8s/app/a-pod.yaml", POD), ("k8s/app/namespace.yaml", NAMESPACE), page], &["k8s"])
    };
    let in_turn =
        "First the namespace:\n\n    kubectl apply -f namespace.yaml\n    kubectl apply -f a-pod.yaml\n";
    assert_eq!(check(("k8s/app/README.md", in_turn)), "nothing");
    let whole = "Apply it:\n\n    kubectl apply -f .\n";
    assert_eq!(check(("k8s/app/README.md", whole)), "proved");
    let other_way = "kubectl apply -f app/a-pod.yaml\nkubectl apply -f app/namespace.yaml\n";
    assert_eq!(check(("k8s/deploy.sh", other_way)), "proved");
    let one_command = "kubectl apply -f app/namespace.yaml -f app/a-pod.yaml\n";
    assert_eq!(check(("k8s/deploy.sh", one_command)), "proved");
}

#[test]
fn instructions_in_the_right_order_do_not_wait_for_what_an_operator_makes() {
    let template = "apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nmetadata: {name: k8sdeny}\n\
                    spec: {crd: {spec: {names: {kind: K8sDeny}}}}\n";
    let constraint = "apiVersion: constraints.gatekeeper.sh/v1beta1\nkind: K8sDeny\nmetadata: {name: all}\n";
    let page = "kubectl apply -f template.yaml\nkubectl apply -f constraint.yaml\n";
    let files =
        [("k8s/template.yaml", template), ("k8s/constraint.yaml", constraint), ("k8s/README.md", page)];
    assert_eq!(confidence(&files, &["k8s"]), "proved");
}

#[test]
fn files_of_a_folder_that_contradict_each_other_are_applied_one_at_a_time() {
    let settings = |mode: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings}}\ndata: {{mode: {mode}}}\n")
    };
    let [fast, slow, idle] = ["fast", "slow", "idle"].map(settings);
    let pair = [("k8s/a-pod.yaml", POD), ("k8s/namespace.yaml", NAMESPACE)];
    let two = [pair[0], pair[1], ("k8s/fast.yaml", &fast), ("k8s/slow.yaml", &slow)];
    assert_eq!(confidence(&two, &["k8s"]), "proved", "a slip");
    let three = [two[0], two[1], two[2], two[3], ("k8s/idle.yaml", &idle)];
    assert_eq!(confidence(&three, &["k8s"]), "nothing");
}

#[test]
fn what_several_files_bring_is_brought_by_one_of_them() {
    let (crd, rest) = OWN_KIND.split_once("---\n").expect("the definition comes first");
    let (widget, _) = rest.split_once("---\n").expect("then an object");
    let operator = crd.to_owned() + "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: operator}\n";
    let files = [("deploy/cr.yaml", widget), ("deploy/operator.yaml", &operator), ("deploy/crd.yaml", crd)];
    assert_eq!(confidence(&files[..2], &["deploy"]), "proved");
    assert_eq!(confidence(&files, &["deploy"]), "nothing");
    let own = [("deploy/a-pod.yaml", POD), ("deploy/b.yaml", NAMESPACE), ("deploy/c.yaml", NAMESPACE)];
    assert_eq!(confidence(&own, &["deploy"]), "proved", "files that go together repeat their namespace");
}

#[test]
fn files_of_tests_are_read_one_by_one() {
    let deploy = ("app/deploy/service.yaml", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n");
    let tests = [("app/test/a-pod.yaml", POD), ("app/test/namespace.yaml", NAMESPACE), deploy];
    assert_eq!(confidence(&tests, &["app"]), "nothing");
    assert_eq!(confidence(&tests, &["app/test"]), "proved");
}

#[test]
fn what_tells_argo_cd_or_flux_what_to_deliver_is_tried_again() {
    let project =
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: shop, namespace: argocd}\n";
    let application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\n\
                       spec: {project: shop, source: {repoURL: 'https://example.org/shop', path: web}}\n";
    let files = [("k8s/application.yaml", application), ("k8s/project.yaml", project)];
    assert_eq!(confidence(&files, &["k8s"]), "nothing");
    let script = ("deploy.sh", "kubectl apply -f k8s/application.yaml -f k8s/project.yaml\n");
    assert_eq!(confidence(&[files[0], files[1], script], &["--script", "deploy.sh"]), "proved");
}

#[test]
fn what_flux_sets_up_for_itself_is_not_applied_by_kubectl() {
    let definition = OWN_KIND.split_once("---\n").expect("the definition comes first").0;
    let own = definition
        .replace("widgets.acme.io", "kustomizations.kustomize.toolkit.fluxcd.io")
        .replace("group: acme.io", "group: kustomize.toolkit.fluxcd.io")
        .replace("plural: widgets, kind: Widget", "plural: kustomizations, kind: Kustomization");
    let sync = |path: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
             metadata: {{name: all, namespace: default}}\n\
             spec: {{interval: 1h, path: {path}, prune: true, sourceRef: {{kind: GitRepository, name: all}}}}\n"
        )
    };
    let check = |path: &str| {
        let files = [
            ("clusters/one/flux/kustomization.yaml", "resources: [definitions.yaml, sync.yaml]\n".to_owned()),
            ("clusters/one/flux/definitions.yaml", own.clone()),
            ("clusters/one/flux/sync.yaml", sync(path)),
        ];
        confidence(&files.each_ref().map(|(path, text)| (*path, text.as_str())), &["clusters/one/flux"])
    };
    assert_eq!(check("./apps"), "proved");
    assert_eq!(check("./clusters/one"), "nothing");
    let instance = |more: &str| {
        let instance = "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\n\
                        metadata: {name: flux, namespace: default}\nspec: {distribution: {version: 2.x}";
        let files = [
            ("one/kustomization.yaml", "resources: [instance.yaml, apps.yaml]\n".to_owned()),
            ("one/instance.yaml", format!("{instance}{more}}}\n")),
            ("one/apps.yaml", sync("./apps")),
        ];
        confidence(&files.each_ref().map(|(path, text)| (*path, text.as_str())), &["one"])
    };
    assert_eq!(instance(""), "proved");
    assert_eq!(instance(", sync: {kind: OCIRepository, url: 'oci://example.org/one', path: ./}"), "nothing");
}

#[test]
fn a_namespace_outside_the_input_has_the_label_that_spares_its_own_webhook() {
    let webhook = |namespace: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: guard, namespace: {namespace}}}\n\
             spec:\n  selector: {{matchLabels: {{app: guard}}}}\n  template:\n    metadata: {{labels: {{app: guard}}}}\n    \
             spec: {{containers: [{{name: guard, image: guard:1}}]}}\n---\n\
             apiVersion: v1\nkind: Service\nmetadata: {{name: guard, namespace: {namespace}}}\n\
             spec: {{selector: {{app: guard}}, ports: [{{port: 443}}]}}\n---\n\
             apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {{name: guard}}\n\
             webhooks:\n  - name: guard.acme.io\n    admissionReviewVersions: [v1]\n    sideEffects: None\n    \
             clientConfig: {{service: {{name: guard, namespace: {namespace}}}}}\n    \
             namespaceSelector: {{matchExpressions: [{{key: guard, operator: NotIn, values: [\"off\"]}}]}}\n    \
             rules: [{{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [pods]}}]\n"
        )
    };
    assert_eq!(confidence(&[("all.yaml", &webhook("default"))], &["all.yaml"]), "proved");
    assert_eq!(confidence(&[("all.yaml", &webhook("guards"))], &["all.yaml"]), "nothing");
}

#[test]
fn a_version_without_a_group_is_a_slip_only_for_kinds_that_kubernetes_has() {
    let check = |kind: &str| {
        let text = format!("apiVersion: v1beta1\nkind: {kind}\nmetadata: {{name: a}}\n");
        confidence(&[("a.yaml", &text)], &["a.yaml"])
    };
    assert_eq!(check("Ingress"), "assumed");
    assert_eq!(check("AgentConfig"), "nothing");
}

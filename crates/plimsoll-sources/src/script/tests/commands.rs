//! What each command of a script does.

use super::{bundle_at, bundle_of, check, shown};
use plimsoll_model::{Action, Written};

#[test]
fn files_folders_and_lists_of_them() {
    check("kubectl apply -f a.yaml -f b.yaml\n", &["1 apply [ConfigMap/default/a ConfigMap/default/b]"]);
    check("kubectl apply -f a.yaml,b.yaml\n", &["1 apply [ConfigMap/default/a ConfigMap/default/b]"]);
    check(
        "kubectl apply --filename=b.yaml -fa.yaml\n",
        &["1 apply [ConfigMap/default/b ConfigMap/default/a]"],
    );
    check("kubectl apply -f k8s\n", &["1 apply [Namespace/one ConfigMap/default/two]"]);
    check(
        "kubectl apply -R -f k8s/\n",
        &["1 apply [Namespace/one ConfigMap/default/two ConfigMap/default/three]"],
    );
    check("kubectl apply -Rf k8s/sub\n", &["1 apply [ConfigMap/default/three]"]);
    check("kubectl -n x apply -f a.yaml\n", &["1 apply [ConfigMap/x/a]"]);
    check("kubectl create -f a.yaml --namespace y\n", &["1 create [ConfigMap/y/a]"]);
    check("kubectl replace --force -f a.yaml\n", &["1 replace --force [ConfigMap/default/a]"]);
}

#[test]
fn flags_that_matter_are_kept() {
    check(
        "kubectl apply --validate=false --context prod --prune --all -f a.yaml\n",
        &["1 apply --validate=false --prune [ConfigMap/default/a]"],
    );
    check(
        "kubectl apply --server-side --prune --all -f a.yaml\n",
        &[
            "1 apply --server-side --prune []",
            "fatal 1:1: kubectl refuses this command, and sends nothing: --prune is in alpha and doesn't currently work \
             on objects created by server-side apply",
        ],
    );
    for flag in ["--dry-run", "--dry-run=client", "--dry-run=server"] {
        check(&format!("kubectl apply {flag} -f a.yaml\n"), &[]);
    }
    check("kubectl apply --dry-run=none -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
}

#[test]
fn with_a_selector_only_what_it_matches_is_sent() {
    check("kubectl apply -l app!=x -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
    check("kubectl apply -l app=x -f a.yaml\n", &["1 apply []"]);
    check(
        "kubectl apply --prune --selector \"$WHAT\" -f a.yaml\n",
        &["1 apply --prune --selector=${WHAT} [ConfigMap/default/a]"],
    );
    check("kubectl delete -l app=x -f a.yaml\n", &["1 delete []"]);
}

#[test]
fn who_looks_into_a_container_needs_it_to_run() {
    check("kubectl exec -it -n x web-0 -- psql -c 'select 1'\n", &["1 wait x:pod/web-0 running 0s"]);
    check("kubectl logs -f job/migrate --tail 10\n", &["1 wait job/migrate running 0s"]);
    check("kubectl logs -l app=web\n", &[]);
    check("kubectl exec $POD -- true\n", &[]);
    check(
        "until kubectl exec deploy/web -c web -- true; do sleep 1; done\n",
        &["1 wait deploy/web running for ever absent-ok", "2 sleep after 1 maybe"],
    );
}

#[test]
fn a_missing_file_is_fatal_at_the_line_of_the_script() {
    check(
        "set -e\ncd k8s\nkubectl apply -f a.yaml\n",
        &[
            "1 apply []",
            "fatal 3:1: there is no file or folder `k8s/a.yaml`; check the path and the folder the script runs in",
        ],
    );
}

#[test]
fn here_documents_are_manifests_with_places_in_the_script() {
    let script = "NAME=web\nkubectl apply -n shop -f - <<EOF\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${NAME}-config\nEOF\n";
    let bundle = bundle_of(script);
    assert_eq!(shown(&bundle), ["1 apply [ConfigMap/shop/web-config]"]);
    let (_, object) = bundle.deliveries().next().unwrap();
    assert_eq!(object.place_of(&["metadata", "name"]).line, 6);
    assert_eq!(bundle.files.path(object.place()), "deploy.sh");
    check(
        "cat <<'EOF' | kubectl apply -f -\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"$X\"}\nEOF\n",
        &["1 apply [ConfigMap/default/$X]"],
    );
    check(
        "\tkubectl apply -f - <<-EOF\n\tapiVersion: v1\n\tkind: ConfigMap\n\tmetadata: {name: x}\n\tEOF\nkubectl apply -f a.yaml\n",
        &["1 apply [ConfigMap/default/x]", "2 apply [ConfigMap/default/a] after 1"],
    );
    check(
        "kubectl apply -f - <<< '{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"x\"}}'\n",
        &["1 apply [ConfigMap/default/x]"],
    );
    check(
        "kubectl apply -f - <<EOF\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"${WHO}\"}\nEOF\n",
        &[
            "1 apply [ConfigMap/default/${WHO}]",
            "note 1:1: `${WHO}` is not known; the text is read as it stands",
        ],
    );
}

#[test]
fn manifests_come_through_pipes() {
    check("cat a.yaml | kubectl apply -f -\n", &["1 apply [ConfigMap/default/a]"]);
    check("kubectl apply -f - < a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
    check(
        "sed 's/x/y/' a.yaml | kubectl apply -f -\n",
        &[
            "1 apply [ConfigMap/default/a]",
            "note 1:23: sed changes a.yaml on the way; the file is read as it stands",
        ],
    );
    check(
        "envsubst < a.yaml | kubectl apply -f -\n",
        &[
            "1 apply [ConfigMap/default/a]",
            "note 1:21: envsubst changes a.yaml on the way; the file is read as it stands",
        ],
    );
    check(
        "cat a.yaml | envsubst | kubectl apply -n z -f -\n",
        &[
            "1 apply [ConfigMap/z/a]",
            "note 1:25: envsubst changes a.yaml on the way; the file is read as it stands",
        ],
    );
}

#[test]
fn what_is_not_read_is_opaque() {
    let why = "there is no kustomization.yaml, kustomization.yml or Kustomization; check the path";
    let opaque = format!("1 opaque: the kustomization `deploy/base` is not read: {why} (deploy/base)");
    let fatal = format!("fatal 0:0: {why}");
    check("kustomize build deploy/base | kubectl apply -f -\n", &[&opaque, &fatal]);
    check("kubectl apply -k deploy/base\n", &[&opaque, &fatal]);
    check(
        "kubectl apply -k $DIR\n",
        &["1 opaque: the kustomization `${DIR}` holds `${DIR}`, which is not known"],
    );
    check(
        "kubectl apply -k https://example.com/x?ref=main\n",
        &[
            "1 opaque: nothing is fetched from the network; download `https://example.com/x?ref=main` and name its folder",
        ],
    );
    check(
        "kubectl apply -f https://example.com/x.yaml\n",
        &[
            "1 opaque: nothing is fetched from the network; download `https://example.com/x.yaml` and name its path",
        ],
    );
    check(
        "kubectl apply -f https://example.com/x.yaml,https://example.com/y.yaml\n",
        &[
            "1 opaque: nothing is fetched from the network; download `https://example.com/x.yaml`, `https://example.com/y.yaml` and name their paths",
        ],
    );
    check(
        "helm upgrade --install x repo/chart --wait\n",
        &["1 opaque: what the chart `repo/chart` brings is not read: it does not lie beside the script"],
    );
    check(
        "helm rollback x 1\n",
        &["1 opaque: `helm rollback` goes back to a revision that the script does not show"],
    );
    check(
        "helm uninstall x\n",
        &[
            "1 delete --wait=false []",
            "note 1:1: what the release `x` holds, which this deletes, is not known",
        ],
    );
    check(
        "helm template x | kubectl apply -f -\n",
        &["1 opaque: what the chart `x` brings is not read: it does not lie beside the script"],
    );
    check("helm repo add a b\nhelm list\n", &[]);
    check("make deploy\n", &["1 opaque: what `make` delivers is not read"]);
    check("kubectl apply -f $FILE\n", &["1 opaque: `${FILE}` holds `${FILE}`, which is not known"]);
    assert_eq!(bundle_of("make x\nhelm install y z\n").coverage.opaque, 2);
}

/// A script beside a kustomization that lists a workload, its settings and its namespace, in the wrong order.
fn check_kustomization(script: &str, field: &str, expected: &[&str]) {
    let list = format!("resources: [web.yaml, deep]\n{field}");
    let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n---\n\
               apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n";
    let space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
    let files = [
        ("k/kustomization.yaml", list.as_str()),
        ("k/web.yaml", web),
        ("k/deep/kustomization.yml", "resources: [space.yaml]\n"),
        ("k/deep/space.yaml", space),
    ];
    assert_eq!(shown(&bundle_at("deploy.sh", script, &files)), expected, "\n{script}");
}

#[test]
fn kustomizations_are_sent_in_the_order_of_kinds() {
    let sorted = ["1 apply [Namespace/shop ConfigMap/x/web Deployment/x/web]"];
    let listed = ["1 apply [Deployment/x/web ConfigMap/x/web Namespace/shop]"];
    for script in [
        "kubectl apply -n x -k k\n",
        "cd k\nkubectl apply -n x -k .\n",
        "kubectl apply -n x --kustomize=./k/\n",
        "kubectl kustomize k | kubectl apply -n x -f -\n",
        "cd k/deep; kubectl kustomize .. | kubectl apply -n x -f -\n",
        "kustomize build k | kubectl -n x apply -f -\n",
        "kustomize build --enable-helm --reorder legacy k | kubectl apply -n x -f -\n",
    ] {
        check_kustomization(script, "", &sorted);
        check_kustomization(script, "sortOptions: {order: fifo}\n", &listed);
    }
    let unsorted = "kustomize build k --reorder=none | kubectl apply -n x -f -\n";
    check_kustomization(unsorted, "", &listed);
    check_kustomization(unsorted, "sortOptions: {order: legacy}\n", &sorted);
    check_kustomization(
        "kubectl delete -k k\n",
        "",
        &["1 delete [Namespace/shop ConfigMap/default/web Deployment/default/web]"],
    );
}

#[test]
fn a_kustomization_changes_its_objects_or_is_not_read() {
    check_kustomization(
        "kubectl apply -k k\n",
        "namespace: shop\nnamePrefix: a-\n",
        &["1 apply [Namespace/shop ConfigMap/shop/a-web Deployment/shop/a-web]"],
    );
    for (field, column, cause) in [
        ("nonsense: 1\n", 1, "kustomize refuses the field `nonsense`, which it does not know"),
        (
            "helmCharts: [{name: a}]\n",
            21,
            "this command refuses `helmCharts`: must specify --enable-helm; run `kustomize build --enable-helm` and pipe what it prints into `kubectl apply -f -`",
        ),
    ] {
        check_kustomization(
            "kubectl apply -k k\n",
            field,
            &[
                &format!("1 opaque: the kustomization `k` is not read: {cause} (k/kustomization.yaml:2)"),
                &format!("fatal 2:{column}: {cause}"),
            ],
        );
    }
    check_kustomization(
        "kustomize build -o out.yaml k | kubectl apply -f -\n",
        "",
        &["1 opaque: the output of `kustomize build -o out.yaml k`"],
    );
}

#[test]
fn objects_that_create_makes_up() {
    check("kubectl create namespace x\n", &["1 create [Namespace/x]"]);
    check("kubectl create ns x\n", &["1 create [Namespace/x]"]);
    check(
        "kubectl create namespace x --dry-run=client -o yaml | kubectl apply -f -\n",
        &["1 apply [Namespace/x]"],
    );
    check("kubectl create secret generic s -n x --from-literal=a=b\n", &["1 create [Secret/x/s]"]);
    check("kubectl create secret tls s --cert=a --key=b\n", &["1 create [Secret/default/s]"]);
    check("kubectl create secret docker-registry s --docker-password=x\n", &["1 create [Secret/default/s]"]);
    check("kubectl create configmap c --from-file=a.yaml\n", &["1 create [ConfigMap/default/c]"]);
    check("kubectl create serviceaccount s\n", &["1 create [ServiceAccount/default/s]"]);
    check("kubectl create role r --verb=get --resource=pods\n", &["1 create [Role/default/r]"]);
    check(
        "kubectl create clusterrolebinding b --clusterrole=admin --serviceaccount=a:b\n",
        &["1 create [ClusterRoleBinding/b]"],
    );
    check("kubectl create deployment d --image=nginx\n", &["1 create [Deployment/default/d]"]);
    check("kubectl create job j --image=busybox -- true\n", &["1 create [Job/default/j]"]);
    check("kubectl create service clusterip s --tcp=80:8080\n", &["1 create [Service/default/s]"]);
    check(
        "kubectl create ingress i --rule=a/b=c:80\n",
        &["1 opaque: what this `kubectl create` sends is not known"],
    );
}

#[test]
fn made_up_objects_have_the_fields_that_others_refer_to() {
    let bundle = bundle_of(
        "kubectl create configmap c --from-literal=k=v --from-file=x.conf=a.yaml\nkubectl create deployment d --image=nginx\n",
    );
    let objects: Vec<_> = bundle.deliveries().map(|(_, object)| object).collect();
    assert_eq!(objects[0].text_at(&["data", "k"]), Some("v"));
    assert!(objects[0].text_at(&["data", "x.conf"]).unwrap().contains("ConfigMap"));
    assert_eq!(objects[1].text_at(&["spec", "selector", "matchLabels", "app"]), Some("d"));
    assert_eq!(
        objects[1].root.list_at(&["spec", "template", "spec", "containers"])[0].text_at(&["image"]),
        Some("nginx")
    );
    assert_eq!(objects[1].place().line, 2);
    assert_eq!(bundle.coverage.objects, 2);
}

#[test]
fn removals() {
    check("kubectl delete -f a.yaml\n", &["1 delete [ConfigMap/default/a]"]);
    check("kubectl delete ns x --wait=false\n", &["1 delete --wait=false [Namespace/x]"]);
    check("kubectl delete deploy a b -n y\n", &["1 delete [Deployment/y/a Deployment/y/b]"]);
    check(
        "kubectl delete secret/s crd/widgets.example.com\n",
        &["1 delete [Secret/default/s CustomResourceDefinition/widgets.example.com]"],
    );
    check(
        "kubectl delete pods --all\n",
        &["1 delete []", "note 1:1: which objects this deletes is not known"],
    );
}

#[test]
fn a_namespace_that_does_not_match_is_said_in_kubectls_words() {
    let manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: a}\n";
    let bundle = bundle_at("deploy.sh", "kubectl apply -n b -f x.yaml\n", &[("x.yaml", manifest)]);
    assert_eq!(
        shown(&bundle),
        [
            "1 apply [ConfigMap/a/x]",
            "note 1:1: kubectl refuses ConfigMap/a/x: the namespace from the provided object \"a\" does not match the namespace \"b\". You must pass '--namespace=a' to perform this operation.",
        ]
    );
}

#[test]
fn the_context_can_set_the_namespace() {
    check(
        "set -e\nkubectl config set-context --current --namespace=shop\nkubectl apply -f a.yaml\nkubectl apply -n x -f b.yaml\n",
        &["1 apply [ConfigMap/shop/a]", "2 apply [ConfigMap/x/b] after 1+"],
    );
}

#[test]
fn variables_are_expanded() {
    check("F=a\nkubectl apply -f \"$F.yaml\"\n", &["1 apply [ConfigMap/default/a]"]);
    check("kubectl apply -n \"${NS:-shop}\" -f a.yaml\n", &["1 apply [ConfigMap/shop/a]"]);
    check("export NS=x; kubectl apply -n ${NS} -f a.yaml\n", &["1 apply [ConfigMap/x/a]"]);
    check("F=a.yml; kubectl apply -f ${F%.yml}.yaml\n", &["1 apply [ConfigMap/default/a]"]);
    check("K=kubectl\n$K apply -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
}

#[test]
fn other_programs_pass_a_command_on() {
    check("sudo -E kubectl apply -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
    check("env KUBECONFIG=x kubectl apply -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
    check("KUBECONFIG=x kubectl apply -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
    check("bash -c 'kubectl apply -f a.yaml'\n", &["1 apply [ConfigMap/default/a]"]);
    check("eval \"kubectl apply -f a.yaml\"\n", &["1 apply [ConfigMap/default/a]"]);
    check("/usr/local/bin/kubectl apply -f a.yaml\n", &["1 apply [ConfigMap/default/a]"]);
}

#[test]
fn an_unknown_command_is_said_once() {
    check(
        "frobnicate a\nfrobnicate b\necho done\ndate\ncommand -v kubectl\n",
        &["note 1:1: `frobnicate` at deploy.sh:1 is not understood; it is taken to deliver nothing"],
    );
}

#[test]
fn a_step_says_what_was_written_and_where() {
    let bundle = bundle_of("set -e\n  kubectl apply \\\n    -f a.yaml\ncat b.yaml | kubectl apply -f -\n");
    let says: Vec<&str> = bundle.steps.iter().map(|step| step.says.as_str()).collect();
    assert_eq!(says, ["kubectl apply -f a.yaml", "cat b.yaml | kubectl apply -f -"]);
    let places: Vec<_> = bundle.steps.iter().map(|step| step.place.map(|p| (p.line, p.column))).collect();
    assert_eq!(places, [Some((2, 3)), Some((4, 14))]);
    let long = format!("kubectl apply -f a.yaml --context {}\n", "x".repeat(300));
    assert_eq!(bundle_of(&long).steps[0].says.chars().count(), 120);
}

#[test]
fn sleep_is_a_step_that_guards_nothing() {
    let bundle = bundle_of("set -e\nkubectl apply -f a.yaml\nsleep 1m 30\nkubectl apply -f b.yaml\n");
    assert!(matches!(bundle.steps[1].action, Action::Sleep(span) if span.as_secs() == 90));
    assert_eq!(shown(&bundle)[2], "3 apply [ConfigMap/default/b] after 2+");
}

#[test]
fn labels_and_annotations_are_marks() {
    let script = "kubectl label ns one a=b c- d=$MODE --overwrite\nkubectl annotate -n one deploy/web x.y/z=1\nkubectl label ns --all a=b\n\
        kubectl patch ns two -p '{\"metadata\":{\"labels\":{\"a\":\"b\",\"c\":null}}}'\n\
        kubectl patch sc fast --type=json -p '[{\"op\":\"remove\",\"path\":\"/metadata/labels/a\"}]'\n";
    let bundle = bundle_of(script);
    let marks = bundle.steps.iter().flat_map(|step| &step.marks);
    let shown: Vec<String> = marks
        .map(|mark| {
            let written = match &mark.written {
                Written::As(value) => value,
                Written::Somehow => "?",
                Written::Away => "-",
            };
            format!("{} {} {} {written}", mark.object, mark.field, mark.key)
        })
        .collect();
    let expected = [
        "Namespace/one labels a b",
        "Namespace/one labels c -",
        "Namespace/one labels d ?",
        "Deployment/one/web annotations x.y/z 1",
        "Namespace/two labels a b",
        "Namespace/two labels c -",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_restart_is_a_step_whoever_it_names() {
    for restart in ["rollout restart deploy/web", "rollout restart deploy", "rollout restart deploy -l a=b"] {
        let bundle = bundle_of(&format!("kubectl apply -f a.yaml\nkubectl {restart}\n"));
        assert_eq!(bundle.steps.get(1).map(|step| step.says.as_str()), Some(&*format!("kubectl {restart}")));
    }
}

#[test]
fn what_is_fetched_from_an_address_that_nobody_knows_is_named() {
    let opaque = "1 opaque: nothing is fetched from the network; download `https://example.com/x.yaml` and name its path";
    check("curl -sSL https://example.com/x.yaml | kubectl apply -f -\n", &[opaque]);
    check("wget -qO- https://example.com/x.yaml | kubectl apply -f -\n", &[opaque]);
    check("wget -O - https://example.com/x.yaml | kubectl apply -f -\n", &[opaque]);
    let kept = "1 opaque: the output of `curl -o x.yaml https://example.com/x.yaml`";
    check("curl -o x.yaml https://example.com/x.yaml | kubectl apply -f -\n", &[kept]);
}

#[test]
fn a_program_that_asks_an_operator_is_a_wait() {
    let pods = "*:pods(app.kubernetes.io/component=webhook,app.kubernetes.io/name=webhook)";
    check("cmctl check api --wait=2m\n", &[&format!("1 wait {pods} Ready=True 120s absent-ok")]);
    check("kubectl cert-manager check api\n", &[&format!("1 wait {pods} Ready=True 0s absent-ok")]);
    let injector = "*:pods(linkerd.io/control-plane-component=proxy-injector)";
    check(
        "linkerd check --pre\nlinkerd check --crds\n/opt/linkerd check -o short\n",
        &[&format!("1 wait {injector} Ready=True 300s absent-ok")],
    );
}

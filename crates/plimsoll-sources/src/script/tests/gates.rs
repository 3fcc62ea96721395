//! Waits: what they look at, for what, for how long, and whether they guard.

use super::{bundle_at, check, shown};
use crate::{Input, Memory, read};

#[test]
fn every_form_of_wait() {
    for (flags, expected) in [
        ("--for=condition=Ready pod/x", "pod/x Ready=True 30s"),
        ("--for condition=Available deploy x y", "deploy/x deploy/y Available=True 30s"),
        ("--for=condition=Ready=False pod/x", "pod/x Ready=False 30s"),
        ("--for=condition=established --timeout=60s crd/a.b.c", "crd/a.b.c established=True 60s"),
        ("--for=jsonpath='{.status.phase}'=Active ns/x", "ns/x .status.phase=Active 30s"),
        ("--for=jsonpath='{.status.loadBalancer.ingress}' svc/x", "svc/x .status.loadBalancer.ingress=* 30s"),
        (
            "--for=jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}'=True pod/x",
            "pod/x Ready=True 30s",
        ),
        ("--for=delete pod/x --timeout=2m", "pod/x gone 120s absent-ok"),
        ("--for=create secret/x", "secret/x exists 30s absent-ok"),
        ("--for=condition=Ready pod -l app=x -n y", "y:pod(app=x) Ready=True 30s"),
        ("--for=condition=Ready pods --all -A", "*:pods() Ready=True 30s"),
        ("--for=condition=Ready pod/x --timeout=0", "pod/x Ready=True 0s"),
        ("--for=condition=Ready pod/x --timeout=-1s", "pod/x Ready=True 604800s"),
        ("--for=condition=Ready -f a.yaml", "[ConfigMap/default/a] Ready=True 30s"),
        ("--for=nonsense pod/x", "pod/x unknown(nonsense) 30s"),
        ("--for=condition=Ready pod/$X", " unknown(what it looks at is not known) 30s"),
    ] {
        check(&format!("kubectl wait {flags}\n"), &[&format!("1 wait {expected}")]);
    }
}

#[test]
fn several_conditions_are_waited_for_one_after_the_other() {
    check(
        "set -e\nkubectl wait --for=condition=Ready --for=create pod/x\nkubectl apply -f a.yaml\n",
        &[
            "1 wait pod/x exists 30s absent-ok",
            "2 wait pod/x Ready=True 30s absent-ok after 1+",
            "3 apply [ConfigMap/default/a] after 2+",
        ],
    );
}

#[test]
fn a_rollout_has_no_limit_unless_one_is_said() {
    check("kubectl rollout status deploy/x -n y\n", &["1 wait y:deploy/x rolled out for ever"]);
    check("kubectl rollout status deployment x --timeout=90s\n", &["1 wait deployment/x rolled out 90s"]);
    check("kubectl rollout restart deploy/x\n", &["1 wait deploy/x exists 0s"]);
}

#[test]
fn a_look_at_a_named_object_proves_that_it_exists() {
    check(
        "set -e\nkubectl get secret s -n x\nkubectl apply -f a.yaml\n",
        &["1 wait x:secret/s exists 0s", "2 apply [ConfigMap/default/a] after 1+"],
    );
    // Without a name, or with a selector, kubectl ends with success even if there is nothing.
    check("kubectl get pods\nkubectl get pods -l app=x\nkubectl get secret s --ignore-not-found\n", &[]);
}

#[test]
fn the_loop_of_the_first_write_up_is_a_gate_even_without_errexit() {
    let script = "kubectl apply -f a.yaml\n\
        until kubectl get certificate ai-ops-agent-cert -o jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}' | grep -q \"True\"; do\n  \
        echo \"Waiting for certificate...\"\n  sleep 5\ndone\nkubectl get secret ai-ops-agent-tls\nkubectl apply -f b.yaml\n";
    check(
        script,
        &[
            "1 apply [ConfigMap/default/a]",
            "2 wait certificate/ai-ops-agent-cert Ready=True for ever absent-ok after 1",
            "3 sleep after 2 maybe",
            "4 wait secret/ai-ops-agent-tls exists 0s after 2+",
            "5 apply [ConfigMap/default/b] after 4",
        ],
    );
}

#[test]
fn loops_that_poll() {
    let path = "-o jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}'";
    for (head, expected) in [
        ("until kubectl get secret x".to_owned(), "secret/x exists"),
        ("while ! kubectl get secret x >/dev/null 2>&1".to_owned(), "secret/x exists"),
        (format!("until [ \"$(kubectl get cert x {path})\" = \"True\" ]"), "cert/x Ready=True"),
        (format!("until [[ $(kubectl get cert x {path}) == True ]]"), "cert/x Ready=True"),
        (format!("while [ \"$(kubectl get cert x {path})\" != \"True\" ]"), "cert/x Ready=True"),
        (format!("while [[ \"$(kubectl get cert x {path})\" != \"True\" ]]"), "cert/x Ready=True"),
        (format!("until test \"$(kubectl get cert x {path})\" = True"), "cert/x Ready=True"),
        (
            "until [ -n \"$(kubectl get svc x -o jsonpath='{.spec.clusterIP}')\" ]".to_owned(),
            "svc/x .spec.clusterIP=*",
        ),
        (
            "while [ -z \"$(kubectl get svc x -o jsonpath='{.spec.clusterIP}')\" ]".to_owned(),
            "svc/x .spec.clusterIP=*",
        ),
        ("until kubectl wait --for=condition=Ready pod/x --timeout=5s".to_owned(), "pod/x Ready=True"),
        (
            "until [[ $(kubectl wait --for=condition=Ready pod/x) == *\"condition met\"* ]]".to_owned(),
            "pod/x Ready=True",
        ),
    ] {
        check(
            &format!("{head}; do :; done\nkubectl apply -f a.yaml\n"),
            &[&format!("1 wait {expected} for ever absent-ok"), "2 apply [ConfigMap/default/a] after 1+"],
        );
    }
}

#[test]
fn an_endless_loop_with_a_break_is_a_gate() {
    check(
        "while true; do\n  kubectl get secret x && break\n  sleep 2\ndone\nkubectl apply -f a.yaml\n",
        &[
            "1 wait secret/x exists for ever absent-ok",
            "2 sleep after 1",
            "3 apply [ConfigMap/default/a] after 1+",
        ],
    );
    check(
        "while :; do\n  S=$(kubectl get job x -o jsonpath='{.status.succeeded}')\n  if [ \"$S\" = 1 ]; then break; fi\ndone\nkubectl apply -f a.yaml\n",
        &[
            "1 wait job/x exists for ever absent-ok",
            "2 wait job/x .status.succeeded=1 for ever absent-ok after 1",
            "3 apply [ConfigMap/default/a] after 2+",
        ],
    );
}

#[test]
fn what_a_wait_has_printed_tells_whether_it_has_succeeded() {
    check(
        "while true; do\n  res=$(kubectl wait --for=condition=Ready pod/x)\n  \
         if [[ $res == *\"condition met\"* ]]; then break; fi\ndone\nkubectl apply -f a.yaml\n",
        &[
            "1 wait pod/x Ready=True for ever absent-ok",
            "2 wait pod/x Ready=True for ever absent-ok after 1",
            "3 apply [ConfigMap/default/a] after 2+",
        ],
    );
}

#[test]
fn a_bounded_loop_guards_nothing_behind_it() {
    for head in ["for i in $(seq 1 30)", "for i in {1..30}", "for ((i=0;i<30;i++))"] {
        let bundle = super::bundle_of(&format!(
            "set -e\n{head}; do\n  kubectl get secret x && break\n  sleep 2\ndone\nkubectl apply -f a.yaml\n"
        ));
        let lines = shown(&bundle);
        assert!(!lines[2].contains("1+"), "{head}: {lines:?}");
    }
}

#[test]
fn a_bounded_loop_guards_where_its_end_is_checked() {
    let get = "kubectl get secret x";
    let scripts = [
        format!("for i in {{1..30}}; do {get} && break; sleep 2; done\nif [ $i -eq 30 ]; then exit 1; fi"),
        format!(
            "for i in $(seq 1 9); do\n  if {get}; then break; fi\n  if [ $i -eq 9 ]; then exit 1; fi\ndone"
        ),
        format!(
            "ok=no\nfor i in 1 2 3; do if {get}; then ok=yes; break; fi; done\n[ \"$ok\" = yes ] || exit 1"
        ),
        format!("f() {{ for i in 1 2 3; do {get} && return 0; sleep 1; done; return 1; }}\nf || exit 1"),
        format!("n=0\nwhile [ $n -lt 9 ]; do {get} && break; n=$((n+1)); done\n[ $n -lt 9 ] || exit 1"),
        format!("n=0\nuntil {get}; do n=$((n+1)); if [ $n -gt 9 ]; then exit 1; fi; done"),
        "kubectl wait --for=create secret x\nrc=$?\nif [ $rc -ne 0 ]; then exit $rc; fi".to_owned(),
    ];
    for script in scripts {
        let lines = shown(&super::bundle_of(&format!("{script}\nkubectl apply -f a.yaml\n")));
        let last = lines.last().map_or("", String::as_str);
        assert!(last.contains("apply") && last.contains("1+"), "{script}\n{lines:?}");
    }
}

#[test]
fn a_bounded_loop_whose_end_is_only_told_guards_nothing() {
    for check in [
        "if [ $i -eq 3 ]; then echo late; fi",
        "[ $i -lt 3 ] || echo late",
        "if [ $j -eq 3 ]; then exit 1; fi",
    ] {
        let script = format!(
            "for i in 1 2 3; do kubectl get secret x && break; done\n{check}\nkubectl apply -f a.yaml\n"
        );
        let lines = shown(&super::bundle_of(&script));
        let last = lines.last().map_or("", String::as_str);
        assert!(last.contains("apply") && !last.contains("1+"), "{script}\n{lines:?}");
    }
    // Numbers that name what is sent are no way of counting.
    check(
        "set -e\nfor i in 1 2; do kubectl create namespace n$i || exit 1; done\n",
        &["1 create [Namespace/n1]", "2 create [Namespace/n2] after 1+"],
    );
}

#[test]
fn a_deadline_around_a_loop() {
    check(
        "set -e\ntimeout 60 bash -c 'until kubectl get secret x; do sleep 1; done'\nkubectl apply -f a.yaml\n",
        &[
            "1 wait secret/x exists 60s absent-ok",
            "2 sleep after 1 maybe",
            "3 apply [ConfigMap/default/a] after 1+",
        ],
    );
    // Without errexit the deadline passes and the script goes on.
    check(
        "timeout 60 bash -c 'until kubectl get secret x; do :; done'\nkubectl apply -f a.yaml\n",
        &["1 wait secret/x exists 60s absent-ok maybe", "2 apply [ConfigMap/default/a]"],
    );
}

#[test]
fn what_is_not_understood_guards_nothing_and_says_so() {
    check(
        "set -e\nuntil kubectl get pods | grep -q Running; do :; done\nkubectl apply -f a.yaml\n",
        &[
            "1 wait pods() unknown(kubectl get pods | grep -q Running) for ever absent-ok",
            "2 apply [ConfigMap/default/a] after 1+",
        ],
    );
}

#[test]
fn assignments_take_the_outcome_of_their_command() {
    check(
        "set -e\nX=$(kubectl get secret x -o yaml)\nkubectl apply -f a.yaml\n",
        &["1 wait secret/x exists 0s", "2 apply [ConfigMap/default/a] after 1+"],
    );
    check(
        "set -e\nexport X=$(kubectl get secret x -o yaml)\nkubectl apply -f a.yaml\n",
        &["1 wait secret/x exists 0s", "2 apply [ConfigMap/default/a] after 1"],
    );
}

#[test]
fn the_steps_of_the_recorded_cases() {
    let start = "set -euo pipefail\n";
    let with = |script: &str| {
        let text = |kind: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: x}}\n");
        let (one, two, three) = (text("Service"), text("ServiceAccount"), text("Secret"));
        let files = [
            ("input/cluster/ai-ops-agent/k8s/certificate.yaml", one.as_str()),
            ("input/cluster/ai-ops-agent/k8s/service.yaml", two.as_str()),
            ("input/cluster/ai-ops-agent/k8s/deployment.yaml", three.as_str()),
            ("input/manifests/setup/0.yaml", one.as_str()),
            ("input/manifests/1.yaml", two.as_str()),
        ];
        shown(&bundle_at("deploy.sh", &format!("{start}{script}"), &files))
    };
    let base = "input/cluster/ai-ops-agent/k8s";
    assert_eq!(
        with(&format!(
            "kubectl apply -f {base}/certificate.yaml\nkubectl wait --for=condition=Ready certificate/ai-ops-agent-cert -n default --timeout=300s\nkubectl apply -f {base}/service.yaml\nkubectl apply -f {base}/deployment.yaml\n"
        )),
        [
            "1 apply [Service/default/x]",
            "2 wait default:certificate/ai-ops-agent-cert Ready=True 300s after 1+",
            "3 apply [ServiceAccount/default/x] after 2+",
            "4 apply [Secret/default/x] after 3+",
        ]
    );
    assert_eq!(
        with("kubectl apply --server-side -f input/manifests/setup -f input/manifests\n"),
        ["1 apply --server-side [Service/default/x ServiceAccount/default/x]"]
    );
    assert_eq!(
        with(
            "kustomize build input/a | kubectl apply -f -\nkubectl wait --for=condition=ready pod -l 'app in (cert-manager,webhook)' --timeout=180s -n cert-manager\nkubectl wait --for=jsonpath='{.subsets[0].addresses[0].targetRef.kind}'=Pod endpoints -l 'app in (cert-manager,webhook)' --timeout=180s -n cert-manager\nkustomize build input/b | kubectl apply -f -\n"
        ),
        [
            "1 opaque: the kustomization `input/a` is not read: there is no kustomization.yaml, kustomization.yml or Kustomization; check the path (input/a)",
            "2 wait cert-manager:pod(app in (cert-manager,webhook)) ready=True 180s after 1+",
            "3 wait cert-manager:endpoints(app in (cert-manager,webhook)) .subsets[0].addresses[0].targetRef.kind=Pod 180s after 2+",
            "4 opaque: the kustomization `input/b` is not read: there is no kustomization.yaml, kustomization.yml or Kustomization; check the path (input/b) after 3+",
            "fatal 0:0: there is no kustomization.yaml, kustomization.yml or Kustomization; check the path",
            "fatal 0:0: there is no kustomization.yaml, kustomization.yml or Kustomization; check the path",
        ]
    );
}

#[test]
fn what_a_command_changes_is_looked_for_and_what_it_writes_is_not() {
    check("kubectl label namespace x team=a role-\n", &["1 wait namespace/x exists 0s"]);
    check("kubectl set image deployment/x c=registry.io/c:2\n", &["1 wait deployment/x exists 0s"]);
    check("kubectl annotate deploy x y=$Y\n", &["1 wait deploy/x exists 0s"]);
}

#[test]
fn what_is_exposed_or_copied_must_be_there() {
    let steps = |script: &str| shown(&bundle_at("deploy.sh", &format!("{script}\n"), &[]));
    for (script, looked_for) in [
        ("kubectl expose deployment/x --port=80", "deployment/x"),
        ("kubectl autoscale deployment x --max=3", "deployment/x"),
        ("kubectl create job x --from=cronjob/y", "cronjob/y"),
    ] {
        let steps = steps(script);
        assert!(
            steps.first().is_some_and(|step| step.contains(&format!("wait {looked_for} exists"))),
            "{steps:?}"
        );
        assert_eq!(steps.len(), 2, "{steps:?}");
    }
}

#[test]
fn what_the_caller_says_is_the_namespace_of_every_command() {
    let host = Memory::new([(
        "deploy.sh",
        "kubectl rollout status deploy/x\nkubectl -n y rollout restart deploy/x\n",
    )]);
    let input =
        Input { scripts: vec!["deploy.sh".to_owned()], namespace: "shop".to_owned(), ..Input::default() };
    let steps = shown(&read(&input, &host));
    assert_eq!(steps, ["1 wait shop:deploy/x rolled out for ever", "2 wait y:deploy/x exists 0s after 1"]);
}

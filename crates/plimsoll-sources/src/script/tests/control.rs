//! What stops a script, and what may be passed over.

use super::{bundle_at, bundle_of, check, shown};

const WAIT: &str = "kubectl wait --for=condition=Ready certificate/x --timeout=300s";

#[test]
fn under_errexit_each_step_waits_for_success() {
    for start in
        ["set -e", "set -euo pipefail", "set -o errexit", "set -eu -o pipefail", "set -o pipefail -e"]
    {
        check(
            &format!("{start}\nkubectl apply -f a.yaml\n{WAIT}\nkubectl apply -f b.yaml\n"),
            &[
                "1 apply [ConfigMap/default/a]",
                "2 wait certificate/x Ready=True 300s after 1+",
                "3 apply [ConfigMap/default/b] after 2+",
            ],
        );
    }
}

#[test]
fn the_first_line_can_switch_errexit_on() {
    let script = "#!/bin/bash -e\nkubectl apply -f a.yaml\nkubectl apply -f b.yaml\n";
    check(script, &["1 apply [ConfigMap/default/a]", "2 apply [ConfigMap/default/b] after 1+"]);
}

#[test]
fn without_errexit_a_wait_that_fails_stops_nothing() {
    check(
        &format!("kubectl apply -f a.yaml\n{WAIT}\nkubectl apply -f b.yaml\n"),
        &[
            "1 apply [ConfigMap/default/a]",
            "2 wait certificate/x Ready=True 300s after 1",
            "3 apply [ConfigMap/default/b] after 2",
        ],
    );
    check(
        "set -e\nset +e\nkubectl apply -f a.yaml\nkubectl apply -f b.yaml\n",
        &["1 apply [ConfigMap/default/a]", "2 apply [ConfigMap/default/b] after 1"],
    );
}

#[test]
fn or_true_takes_the_guard_away() {
    for tail in ["|| true", "|| :", "|| echo not yet", "|| { echo no; }"] {
        check(
            &format!("set -e\n{WAIT} {tail}\nkubectl apply -f b.yaml\n"),
            &["1 wait certificate/x Ready=True 300s", "2 apply [ConfigMap/default/b] after 1"],
        );
    }
}

#[test]
fn or_exit_is_a_guard_without_errexit() {
    for tail in ["|| exit 1", "|| { echo no; exit 1; }", "|| (echo no; false) || exit 1"] {
        check(
            &format!("{WAIT} {tail}\nkubectl apply -f b.yaml\n"),
            &["1 wait certificate/x Ready=True 300s", "2 apply [ConfigMap/default/b] after 1+"],
        );
    }
}

#[test]
fn behind_and_a_step_is_guarded_and_may_be_skipped() {
    check(
        &format!("set -e\n{WAIT} && kubectl apply -f b.yaml\nkubectl apply -f c.yaml\n"),
        &[
            "1 wait certificate/x Ready=True 300s",
            "2 apply [ConfigMap/default/b] after 1+ maybe",
            "3 apply [ConfigMap/default/c] after 1 2+",
        ],
    );
}

#[test]
fn an_if_that_goes_on_after_failure_guards_nothing_behind_it() {
    check(
        &format!(
            "set -e\nif {WAIT}; then\n  kubectl apply -f b.yaml\nelse\n  echo no\nfi\nkubectl apply -f c.yaml\n"
        ),
        &[
            "1 wait certificate/x Ready=True 300s",
            "2 apply [ConfigMap/default/b] after 1+ maybe",
            "3 apply [ConfigMap/default/c] after 1 2+",
        ],
    );
}

#[test]
fn an_if_that_leaves_on_failure_is_a_guard() {
    for script in [
        format!("if ! {WAIT}; then echo no; exit 1; fi\nkubectl apply -f b.yaml\n"),
        format!("if {WAIT}; then echo ok; else exit 1; fi\nkubectl apply -f b.yaml\n"),
        format!("{WAIT}\nif [ $? -ne 0 ]; then exit 1; fi\nkubectl apply -f b.yaml\n"),
        format!("{WAIT}\n[[ $? -eq 0 ]] || exit 1\nkubectl apply -f b.yaml\n"),
    ] {
        check(&script, &["1 wait certificate/x Ready=True 300s", "2 apply [ConfigMap/default/b] after 1+"]);
    }
}

#[test]
fn a_wait_that_may_be_skipped_is_no_guard_behind_the_if_but_one_inside() {
    check(
        &format!(
            "set -e\nif [ -n \"$CI\" ]; then\n  {WAIT}\n  kubectl apply -f a.yaml\nfi\nkubectl apply -f b.yaml\n"
        ),
        &[
            "1 wait certificate/x Ready=True 300s maybe",
            "2 apply [ConfigMap/default/a] after 1+ maybe",
            "3 apply [ConfigMap/default/b] after 2+",
        ],
    );
    check(
        &format!("set -e\nif [ -n \"$CI\" ]; then {WAIT}; fi\nkubectl apply -f b.yaml\n"),
        &["1 wait certificate/x Ready=True 300s maybe", "2 apply [ConfigMap/default/b]"],
    );
}

#[test]
fn a_wait_beside_what_may_be_passed_over_guards_what_comes_behind() {
    let second = "2 wait certificate/x Ready=True 300s after 1+ maybe";
    for (wait, over) in [(WAIT.to_owned(), "2+/1"), (format!("{WAIT} || true"), "2/1")] {
        check(
            &format!(
                "set -e\nif [ -n \"$CI\" ]; then\n  kubectl apply -f a.yaml\n  {wait}\nfi\nkubectl apply -f b.yaml\n"
            ),
            &[
                "1 apply [ConfigMap/default/a] maybe",
                second,
                &format!("3 apply [ConfigMap/default/b] after {over}"),
            ],
        );
    }
}

#[test]
fn branches_that_exclude_each_other_are_not_concurrent() {
    check(
        "set -e\ncase $1 in\n  up) kubectl apply -f a.yaml ;;\n  down) kubectl delete -f a.yaml ;;\nesac\n",
        &["1 apply [ConfigMap/default/a] maybe", "2 delete [ConfigMap/default/a] after 1 maybe"],
    );
}

#[test]
fn a_background_step_is_over_only_after_wait() {
    check(
        "set -e\nkubectl apply -f a.yaml &\nkubectl apply -f b.yaml\nwait\nkubectl apply -f c.yaml\n",
        &[
            "1 apply [ConfigMap/default/a]",
            "2 apply [ConfigMap/default/b]",
            "3 apply [ConfigMap/default/c] after 1 2+",
        ],
    );
    check(
        "set -e\nkubectl apply -f a.yaml &\nkubectl apply -f c.yaml\n",
        &["1 apply [ConfigMap/default/a]", "2 apply [ConfigMap/default/c]"],
    );
}

#[test]
fn wait_for_one_job_ends_as_the_job_did() {
    for wait in ["wait $!", "wait %1", "wait $P"] {
        check(
            &format!("set -e\nkubectl apply -f a.yaml & P=$!\n{wait}\nkubectl apply -f c.yaml\n"),
            &["1 apply [ConfigMap/default/a]", "2 apply [ConfigMap/default/c] after 1+"],
        );
    }
}

#[test]
fn jobs_in_an_array_are_waited_for_one_by_one() {
    let script = "set -e\nfor f in a b; do\n  kubectl apply -f $f.yaml &\n  PIDS+=(\"$!\")\ndone\n\
                  for pid in \"${PIDS[@]}\"; do wait \"$pid\" || exit 1; done\nkubectl apply -f c.yaml\n";
    check(
        script,
        &[
            "1 apply [ConfigMap/default/a]",
            "2 apply [ConfigMap/default/b]",
            "3 apply [ConfigMap/default/c] after 1+ 2+",
        ],
    );
}

#[test]
fn a_pipe_hides_failure_unless_pipefail_is_set() {
    check(
        &format!("set -e\n{WAIT} | tee log\nkubectl apply -f b.yaml\n"),
        &["1 wait certificate/x Ready=True 300s", "2 apply [ConfigMap/default/b] after 1"],
    );
    check(
        &format!("set -eo pipefail\n{WAIT} | tee log\nkubectl apply -f b.yaml\n"),
        &["1 wait certificate/x Ready=True 300s", "2 apply [ConfigMap/default/b] after 1+"],
    );
}

#[test]
fn loops_over_lists_are_unrolled() {
    check(
        "set -e\nfor f in a b; do\n  kubectl apply -f $f.yaml\ndone\nkubectl apply -f c.yaml\n",
        &[
            "1 apply [ConfigMap/default/a]",
            "2 apply [ConfigMap/default/b] after 1+",
            "3 apply [ConfigMap/default/c] after 2+",
        ],
    );
    check(
        "set -e\nfor f in k8s/*.yaml; do kubectl apply -f \"$f\"; done\n",
        &["1 apply [Namespace/one]", "2 apply [ConfigMap/default/two] after 1+"],
    );
    check(
        "set -e\nFILES=(a.yaml b.yaml)\nfor f in \"${FILES[@]}\"; do kubectl apply -f \"$f\"; done\n",
        &["1 apply [ConfigMap/default/a]", "2 apply [ConfigMap/default/b] after 1+"],
    );
}

#[test]
fn an_unknown_list_is_said() {
    check(
        "set -e\nls | while read f; do kubectl apply -f $f; done\nkubectl apply -f a.yaml\n",
        &[
            "1 opaque: `${f}` holds `${f}`, which is not known maybe",
            "2 apply [ConfigMap/default/a] after 1+",
        ],
    );
}

#[test]
fn functions_are_read_where_they_are_called() {
    check(
        "set -e\nready() { kubectl wait --for=condition=Ready \"$1\" --timeout=60s; }\napply() {\n  local f=$1\n  kubectl apply -f \"$f\"\n}\n\
         apply a.yaml\nready certificate/x\napply b.yaml\n",
        &[
            "1 apply [ConfigMap/default/a]",
            "2 wait certificate/x Ready=True 60s after 1+",
            "3 apply [ConfigMap/default/b] after 2+",
        ],
    );
    check(
        "f() { kubectl wait --for=condition=Ready pod/x || return 1; echo ok; }\nf || exit 1\nkubectl apply -f a.yaml\n",
        &["1 wait pod/x Ready=True 30s", "2 apply [ConfigMap/default/a] after 1+"],
    );
    // Inside a condition errexit is ignored, also in the function.
    check(
        "set -e\nf() { kubectl wait --for=condition=Ready pod/x; echo ok; }\nif f; then kubectl apply -f a.yaml; fi\n",
        &["1 wait pod/x Ready=True 30s", "2 apply [ConfigMap/default/a] after 1"],
    );
}

#[test]
fn recursion_ends() {
    let bundle = bundle_of("f() { kubectl apply -f a.yaml; f; }\nf\n");
    assert!(
        bundle.problems.iter().any(|p| p.is_fatal && p.cause.contains("too deeply")),
        "{:?}",
        bundle.problems
    );
}

#[test]
fn work_that_multiplies_is_bounded() {
    let doubling: Vec<String> = (1..40).map(|n| format!("f{n}() {{ f{0}; f{0}; }}\n", n + 1)).collect();
    let doubling = doubling.concat();
    let loops =
        "for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do echo $a $b $c; done; done; done\n";
    let scripts = [
        format!("{doubling}f40() {{ :; }}\nf1\n"),
        loops.to_owned(),
        "source deploy.sh\nsource deploy.sh\n".to_owned(),
    ];
    for script in scripts {
        let bundle = bundle_of(&script);
        assert!(bundle.problems.iter().any(|problem| problem.is_fatal), "{script}");
    }
}

#[test]
fn a_subshell_keeps_its_folder_and_its_exit_to_itself() {
    check(
        "set -e\n(cd k8s && kubectl apply -f 2.yaml)\nkubectl apply -f a.yaml\n",
        &["1 apply [ConfigMap/default/two]", "2 apply [ConfigMap/default/a] after 1+"],
    );
    check(
        "(kubectl apply -f a.yaml; exit 1)\nkubectl apply -f b.yaml\n",
        &["1 apply [ConfigMap/default/a]", "2 apply [ConfigMap/default/b] after 1"],
    );
}

#[test]
fn nothing_is_read_behind_an_exit() {
    check("kubectl apply -f a.yaml\nexit 0\nkubectl apply -f b.yaml\n", &["1 apply [ConfigMap/default/a]"]);
}

#[test]
fn folders_are_followed() {
    check(
        "set -e\ncd k8s\nkubectl apply -f 2.yaml\ncd ..\npushd k8s/sub >/dev/null\nkubectl apply -f 3.yaml\npopd\nkubectl apply -f a.yaml\n",
        &[
            "1 apply [ConfigMap/default/two]",
            "2 apply [ConfigMap/default/three] after 1+",
            "3 apply [ConfigMap/default/a] after 2+",
        ],
    );
    for line in [
        "cd \"$(dirname \"$0\")\"",
        "cd \"$(dirname \"${BASH_SOURCE[0]}\")\"",
        "DIR=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\ncd $DIR",
        "cd `dirname $0`",
    ] {
        let bundle = bundle_at("k8s/run", &format!("{line}\nkubectl apply -f 2.yaml\n"), &[]);
        assert_eq!(shown(&bundle), ["1 apply [ConfigMap/default/two]"], "{line}");
    }
}

#[test]
fn other_scripts_are_read_in_place() {
    let other = "kubectl wait --for=condition=Ready pod/x\nkubectl apply -f b.yaml\n";
    for (line, expected) in [
        ("bash other.sh", ["2 wait pod/x Ready=True 30s after 1+", "3 apply [ConfigMap/default/b] after 2"]),
        (
            "bash -e other.sh",
            ["2 wait pod/x Ready=True 30s after 1+", "3 apply [ConfigMap/default/b] after 2"],
        ),
        ("./other.sh", ["2 wait pod/x Ready=True 30s after 1+", "3 apply [ConfigMap/default/b] after 2"]),
        (
            "source other.sh",
            ["2 wait pod/x Ready=True 30s after 1+", "3 apply [ConfigMap/default/b] after 2+"],
        ),
        (". ./other.sh", ["2 wait pod/x Ready=True 30s after 1+", "3 apply [ConfigMap/default/b] after 2+"]),
    ] {
        let bundle = bundle_at(
            "deploy.sh",
            &format!("set -e\nkubectl apply -f a.yaml\n{line}\n"),
            &[("other.sh", other)],
        );
        let lines = shown(&bundle);
        let expected = if line.starts_with("bash -e") {
            ["2 wait pod/x Ready=True 30s after 1+", "3 apply [ConfigMap/default/b] after 2+"]
        } else {
            expected
        };
        assert_eq!(lines[1..], expected, "{line}");
    }
}

#[test]
fn a_script_that_cannot_be_read_is_opaque() {
    check(
        "set -e\n./missing.sh\nkubectl apply -f a.yaml\n",
        &[
            "1 opaque: the script `./missing.sh` cannot be read",
            "2 apply [ConfigMap/default/a] after 1+",
            "note 2:1: the script `./missing.sh` cannot be read",
        ],
    );
}

#[test]
fn a_list_of_scripts_is_one_order() {
    let host = crate::Memory::new([
        ("1.sh", "kubectl create namespace x\n"),
        ("2.sh", "kubectl create namespace y\n"),
    ]);
    let input = crate::Input { scripts: vec!["1.sh".into(), "2.sh".into()], ..crate::Input::default() };
    assert_eq!(
        shown(&crate::read(&input, &host)),
        ["1 create [Namespace/x]", "2 create [Namespace/y] after 1"]
    );
}

#[test]
fn a_flag_that_only_a_loop_raises_tells_that_it_was_left() {
    let looped = |given: &str, test: &str| {
        format!(
            "set -e\n{given}for ((i=0;i<120;i++)); do\n  if ! kubectl rollout status deploy/a; then\n    sleep 1\n    \
             continue\n  fi\n  READY=1\n  break\ndone\nif [ {test} ]; then\n  exit 1\nfi\nkubectl apply -f b.yaml\n"
        )
    };
    let held = |script: &str| {
        let shown = shown(&bundle_of(script));
        shown.iter().any(|step| step.contains("apply") && step.contains("after 1+"))
    };
    for test in ["-z \"${READY}\"", "! -n \"$READY\"", "\"$READY\" != 1"] {
        assert!(held(&looped("", test)), "{test}");
    }
    let from_outside = looped("echo \"$READY\"\n", "-z \"$READY\"");
    assert!(!held(&from_outside), "whoever runs the script may have set it");
}

//! What a change introduced: the earlier state is read out of git, and nothing of it is touched.

use crate::folder::{Folder, TOO_LATE, run_in};
use std::process::Command;

fn git(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]).args(arguments);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.current_dir(folder.path()).output().expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A repository whose first commit, `before`, has one finding.
fn repository() -> Folder {
    let folder = Folder::of(&[("deploy/k8s/a.yaml", TOO_LATE), ("README.md", "a shop\n")]);
    git(&folder, &["init", "-q"]);
    commit(&folder);
    git(&folder, &["tag", "before"]);
    folder
}

fn commit(folder: &Folder) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "a change"]);
}

#[test]
fn only_what_is_new_is_told_also_from_a_folder_below_and_after_a_rename() {
    let folder = repository();
    let same = folder.run(&["check", "deploy/k8s", "--since", "before"]);
    assert_eq!(same.code, 0, "{}", same.out);
    assert!(same.out.contains("set aside: 1 finding an earlier revision has too"), "{}", same.out);

    git(&folder, &["mv", "deploy/k8s/a.yaml", "deploy/k8s/renamed.yaml"]);
    folder.write("deploy/k8s/b.yaml", &TOO_LATE.replace("settings", "options").replace("shop", "market"));
    commit(&folder);
    let status = git(&folder, &["status", "--porcelain"]);
    let below = folder.path().join("deploy");
    for revision in ["before", "HEAD~1"] {
        let answer = run_in(&below, &["check", "k8s", "--since", revision]);
        assert_eq!(answer.code, 1, "{answer:?}");
        assert!(answer.out.contains("ConfigMap/market/options"), "{}", answer.out);
        assert!(!answer.out.contains("ConfigMap/shop/settings"), "{}", answer.out);
    }
    let absolute = below.join("k8s").display().to_string();
    assert!(!folder.run(&["check", &absolute, "--since", "before"]).out.contains("ConfigMap/shop/settings"));
    assert_eq!(git(&folder, &["status", "--porcelain"]), status);
}

#[test]
fn a_folder_that_was_not_there_has_only_new_findings() {
    let folder = repository();
    folder.write("more/a.yaml", TOO_LATE);
    let answer = folder.run(&["check", "more", "--since", "before"]);
    assert_eq!(answer.code, 1, "{answer:?}");
}

#[test]
fn taking_back_an_allowance_is_new() {
    let allowed =
        TOO_LATE.replace("namespace: shop\n-", "namespace: shop # plimsoll:allow PLM-R001 reason=known\n-");
    let folder = Folder::of(&[("a.yaml", &allowed)]);
    git(&folder, &["init", "-q"]);
    commit(&folder);
    assert_eq!(folder.run(&["check", "--since", "HEAD"]).code, 0);
    folder.write("a.yaml", TOO_LATE);
    assert_eq!(folder.run(&["check", "--since", "HEAD"]).code, 1);
}

#[test]
fn a_chart_is_read_out_of_the_revision_too() {
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: {{ .Values.in }}}\n---\n\
                    apiVersion: v1\nkind: Namespace\nmetadata: {name: {{ .Values.in }}}\n";
    let folder = Folder::of(&[
        ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
        ("shop/values.yaml", "in: shop\n"),
        ("shop/templates/all.yaml", template),
    ]);
    git(&folder, &["init", "-q"]);
    commit(&folder);
    let before = folder.report(&["shop"])["findings"].as_array().expect("findings").len();
    assert_eq!(
        folder.report(&["shop", "--since", "HEAD"])["findings"].as_array().map(Vec::len),
        Some(0),
        "{before}"
    );
}

#[test]
fn what_is_no_revision_is_no_answer() {
    let folder = repository();
    for (arguments, cause) in [
        (["check", "deploy", "--since", "nowhere"].as_slice(), "cannot read the revision `nowhere`"),
        (&["check", "deploy", "--since=--output=x"], "cannot read the revision `--output=x`"),
        (&["check", "-", "--since", "before"], "--since has nothing to compare the standard input with"),
    ] {
        let answer = folder.run(arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{answer:?}");
        assert!(answer.err.contains(cause), "{}", answer.err);
    }
    let outside = Folder::of(&[("a.yaml", TOO_LATE)]).run(&["check", "--since", "HEAD"]);
    assert_eq!(outside.code, 2, "{outside:?}");
}

/// The entry of the pre-commit hook, as pre-commit runs it.
#[test]
fn the_hook_tells_what_the_last_commit_does_not_have() {
    let hooks = include_str!("../../../../.pre-commit-hooks.yaml");
    let entry =
        hooks.lines().find_map(|line| line.trim().strip_prefix("entry: plimsoll ")).expect("an entry");
    let arguments: Vec<&str> = entry.split(' ').chain(["deploy"]).collect();
    let folder = repository();
    assert_eq!(folder.run(&arguments).code, 0);
    folder.write("deploy/k8s/b.yaml", &TOO_LATE.replace("settings", "options").replace("shop", "market"));
    assert_eq!(folder.run(&arguments).code, 1);
}

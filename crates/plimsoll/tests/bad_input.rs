//! Input and flags that are wrong in some way: each is named, with its place and cause, and nothing else is lost.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";
const LATE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n---\n\
                    apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: text}
";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        path.parent().map(std::fs::create_dir_all).transpose().expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.args(arguments).current_dir(folder).env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
    command
}

/// Exit code, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(folder, arguments).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

#[test]
fn a_definition_that_no_server_takes_has_a_place_and_the_rest_is_still_judged() {
    let folder = folder(&[("crd.yaml", DEFINITION), ("late.yaml", LATE)]);
    let (code, out, _) = run(folder.path(), &["check"]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("error: crd.yaml:16:24: the API server refuses this"), "{out}");
    assert!(out.contains("`text` is no type"), "{out}");
    assert!(out.contains("error[PLM-R001/late]"), "{out}");
    let (code, ..) = run(folder.path(), &["check", "--allow-incomplete"]);
    assert_eq!(code, 1);
}

#[cfg(unix)]
#[test]
fn what_is_neither_file_nor_folder_is_named_and_not_waited_for() {
    let folder = folder(&[("a.yaml", CONFIG)]);
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("b.yaml")).expect("a socket");
    let (code, out, _) = run(folder.path(), &["check"]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("error: b.yaml: this is neither a file nor a folder"), "{out}");
    assert!(out.contains("read 1 object"), "{out}");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_and_links_to_nowhere_are_named() {
    let folder = folder(&[("a.yaml", CONFIG)]);
    let link =
        |to: &str, name: &str| std::os::unix::fs::symlink(to, folder.path().join(name)).expect("a link");
    link("round.yaml", "round.yaml");
    link("nowhere.yaml", "lost.yaml");
    link(".", "here");
    let (code, out, _) = run(folder.path(), &["check"]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("error: round.yaml: ") && out.contains("error: lost.yaml: "), "{out}");
    assert!(out.contains("read 1 object in 1 file"), "{out}");
}

#[cfg(unix)]
#[test]
fn links_of_a_chart_lead_to_what_lies_with_it_and_nowhere_else() {
    const CHART: &str = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
    let all = folder(&[
        ("secret.yaml", CONFIG),
        ("work/.git/config.yaml", CONFIG),
        ("work/shared.yaml", CONFIG),
        ("work/web/Chart.yaml", CHART),
        ("work/web/templates/none.txt", ""),
    ]);
    let (work, web) = (all.path().join("work"), all.path().join("work/web"));
    let place = web.join("templates/link.yaml");
    for (to, from_work, from_web) in [
        ("../../shared.yaml", "read 1 object", "read 1 object"),
        ("../../../secret.yaml", "a link leads out of the chart", "a link leads out of the chart"),
        ("../../.git/config.yaml", "a link leads out of the chart", "a link leads out of the chart"),
        ("link.yaml", "levels of symbolic links", "levels of symbolic links"),
        ("nowhere.yaml", "cannot be read: entity not found", "cannot be read: entity not found"),
    ] {
        std::os::unix::fs::symlink(to, &place).expect("a link");
        for (folder, path, expected) in [(&work, "web", from_work), (&web, ".", from_web)] {
            let (code, out, _) = run(folder, &["check", path]);
            assert_eq!(code, if expected.starts_with("read") { 0 } else { 2 }, "{to}: {out}");
            let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(expected), "{to}: {out}");
        }
        std::fs::remove_file(&place).expect("the link was there");
    }
}

#[test]
fn an_assumption_that_speaks_of_nothing_is_said() {
    let folder = folder(&[("a.yaml", LATE)]);
    let (code, out, _) =
        run(folder.path(), &["check", "--assume", "Secret/none", "--assume", "Namespace/shop"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("note: --assume Secret/none speaks of nothing"), "{out}");
    assert!(!out.contains("--assume Namespace/shop"), "{out}");
}

#[test]
fn slips_on_the_command_line_are_refused() {
    let folder = folder(&[("a.yaml", CONFIG)]);
    let cases: &[(&[&str], &str)] = &[
        (&["check", ""], "a path is empty"),
        (&["check", "-n", ""], "not the name of a namespace"),
        (&["check", "-n", "Bad Name"], "not the name of a namespace"),
        (&["check", "--tool-version", "banana"], "not a version such as 1.34"),
        (&["check", "--tool-flag=--serverside"], "has a flag `--serverside`"),
        (&["check", "--why-not", "A/b", "C/d", "-o", "json"], "cannot be used with"),
        (&["check", "--script", "a", "--script", "b"], "multiple times"),
        (&["explain", "nonsense"], "there is no rule `nonsense`"),
    ];
    for (arguments, cause) in cases {
        let (code, out, err) = run(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(cause), "{arguments:?}: {err}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = folder(&[("a.yaml", LATE)]);
    for (arguments, expected) in [
        (["check", "a.yaml"].as_slice(), 1),
        (&["check", "a.yaml", "-o", "json"], 1),
        (&["explain", "R004"], 0),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command(folder.path(), arguments).stdout(writer).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_same_bytes_come_out_again_and_again() {
    let folder = folder(&[("a.yaml", LATE), ("b.yaml", DEFINITION), ("c.yaml", CONFIG)]);
    for arguments in [["check", "--pedantic"].as_slice(), &["check", "--pedantic", "-o", "json"], &["render"]]
    {
        let first = run(folder.path(), arguments);
        for _ in 0..10 {
            assert_eq!(run(folder.path(), arguments), first, "{arguments:?}");
        }
    }
}

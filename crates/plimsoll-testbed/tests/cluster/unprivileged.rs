//! A cluster of a user who is not root: in a user namespace, and without any namespace.

use crate::traces::Traces;
use plimsoll_testbed::cluster::{Cluster, Isolation, Options};
use plimsoll_testbed::programs::Program;
use plimsoll_testbed::workplace::{Workplace, sweep};
use std::path::Path;
use std::process::Command;

/// Set for this program when it is run as another user: how the cluster shall be kept apart.
const AS_USER: &str = "PLIMSOLL_TEST_IS_ANOTHER_USER";

#[test]
fn a_user_namespace_is_enough_for_a_control_plane() {
    as_another_user("user");
}

#[test]
fn plain_processes_are_enough_for_a_control_plane() {
    as_another_user("plain");
}

#[test]
fn a_folder_that_was_left_is_swept() {
    let options =
        Options { name: "swept".to_owned(), isolation: Some(Isolation::Plain), ..Options::default() };
    let Some(cluster) = crate::started(options) else { return };
    let folder = std::fs::read_link(cluster.folder()).expect("a folder");
    crate::kill(cluster.supervisor());
    drop(cluster);
    assert!(folder.exists(), "nobody was left to remove it");
    let _ = sweep();
    assert!(!folder.exists());
}

#[test]
fn a_port_that_is_taken_is_tried_again_and_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let options = Options {
        name: "port".to_owned(),
        isolation: Some(Isolation::Plain),
        api_server_arguments: vec![format!("--secure-port={port}")],
        ..Options::default()
    };
    let mut tries = 1;
    let failure = Cluster::start_with_progress(options, &mut |text| {
        tries += usize::from(text.contains("has taken a port"));
    });
    let failure = failure.expect_err("the port is taken").to_string();
    assert!(
        failure.contains("kube-apiserver ended") && failure.contains("address already in use"),
        "{failure}"
    );
    assert_eq!(tries, 3);
}

/// Not a test of its own: what the others run as another user.
#[test]
fn another_user_starts_a_cluster() {
    let Ok(way) = std::env::var(AS_USER) else { return };
    let isolation = if way == "user" { Isolation::User } else { Isolation::Plain };
    assert!(!rustix::process::geteuid().is_root());
    assert!(isolation.limits().is_some_and(|limits| limits.contains("no real nodes")));
    let options = Options { name: way.clone(), isolation: Some(isolation), ..Options::default() };
    let cluster = Cluster::start(options.clone()).expect("a cluster");
    assert!(crate::kubectl(&cluster, &["get", "namespaces", "-o", "name"]).contains("kube-system"));
    let traces = Traces::of(&cluster);
    drop(cluster);
    traces.assert_gone();
    let refused = Cluster::start(Options { nodes: 1, ..options }).expect_err("no nodes").to_string();
    assert_eq!(refused, "a real node needs root: run it as root, or ask for no nodes");
}

/// Runs this program as a user without any right, with programs that it may read.
fn as_another_user(way: &str) {
    let folder = Workplace::open().expect("a folder");
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777))
        .expect("open to all");
    let own = std::env::current_exe().expect("this program");
    let testbed = Path::new(env!("CARGO_BIN_EXE_plimsoll-testbed"));
    for name in ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"] {
        let program = Program::named(name).expect("a program").obtain(&mut |_| {}).expect("the program");
        std::fs::copy(program, folder.path().join(name)).expect("a copy");
    }
    std::fs::copy(&own, folder.path().join("tests")).expect("a copy");
    std::fs::copy(testbed, folder.path().join("plimsoll-testbed")).expect("a copy");
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig=KILL"])
        .arg(folder.path().join("tests"))
        .args(["--exact", "unprivileged::another_user_starts_a_cluster", "--nocapture"])
        .env(AS_USER, way)
        .env("KUBEBUILDER_ASSETS", folder.path())
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .output()
        .expect("this program as another user");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

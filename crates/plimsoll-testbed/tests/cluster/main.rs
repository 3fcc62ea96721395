//! A cluster starts, answers, and leaves nothing behind, however it ends.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod killed;
mod nodes;
mod traces;
mod unprivileged;

use plimsoll_testbed::cluster::{Cluster, Options, running};
use plimsoll_testbed::processes::State;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use traces::Traces;

/// Set for the process that [`Owner::start`] starts.
const OWNED: &str = "PLIMSOLL_TEST_OWNS_A_CLUSTER";

#[test]
fn a_cluster_answers_and_is_gone_when_dropped() {
    let began = std::time::Instant::now();
    let Some(cluster) = start("answers") else { return };
    println!("ready after {:?}", began.elapsed());
    assert!(kubectl(&cluster, &["get", "namespaces", "-o", "name"]).contains("namespace/kube-system"));
    let audit = std::fs::read_to_string(cluster.audit_log()).expect("audit log");
    assert!(audit.contains("\"user\":{\"username\":\"admin\""), "the request of kubectl is in the audit log");
    assert!(cluster.logs("kube-apiserver").expect("a log").contains("Serving securely"));
    let traces = Traces::of(&cluster);
    drop(cluster);
    traces.assert_gone();
}

#[test]
fn two_clusters_live_at_once_and_know_nothing_of_each_other() {
    let names = ["one", "other"];
    let clusters = names.map(|name| std::thread::spawn(move || start(name)));
    let [Some(one), Some(other)] = clusters.map(|thread| thread.join().expect("a cluster")) else { return };
    kubectl(&one, &["create", "namespace", "only-here"]);
    assert!(!kubectl(&other, &["get", "namespaces", "-o", "name"]).contains("only-here"));
    let found: Vec<String> = running().iter().map(|one| one.name().to_owned()).collect();
    assert!(names.iter().all(|name| found.contains(&(*name).to_owned())), "{found:?}");
}

#[test]
fn nothing_is_left_when_the_owner_is_killed() {
    let Some(mut owner) = Owner::start() else { return };
    let traces = owner.traces();
    owner.process.kill().expect("kill -9");
    traces.assert_gone();
}

#[test]
fn nothing_is_left_when_the_supervisor_is_killed() {
    let Some(cluster) = start("supervisor-killed") else { return };
    let traces = Traces::of(&cluster);
    kill(cluster.supervisor());
    traces.assert_gone();
}

#[test]
fn nothing_is_left_when_owner_and_supervisor_are_killed() {
    let Some(mut owner) = Owner::start() else { return };
    let traces = owner.traces();
    owner.process.kill().expect("kill -9");
    kill(owner.supervisor);
    traces.assert_gone();
}

#[test]
fn a_detached_cluster_lives_until_it_is_ended() {
    let Some(cluster) = start("detached") else { return };
    let traces = Traces::of(&cluster);
    let found = cluster.detach().expect("detached");
    assert!(found.is_detached());
    assert!(running().contains(&found));
    assert_eq!(found.states().expect("states")["etcd"], State::Running);
    found.end().expect("an end");
    traces.assert_gone();
    assert!(!running().contains(&found));
}

#[test]
fn a_program_that_is_down_is_seen_and_can_be_started_again() {
    let Some(cluster) = start("down") else { return };
    cluster.stop_program("kube-apiserver").expect("a stop");
    let state = cluster.states().expect("states").remove("kube-apiserver");
    assert_eq!(state, Some(State::Stopped));
    cluster.start_program("kube-apiserver").expect("a start");
    assert!(kubectl(&cluster, &["get", "--raw", "/readyz"]).contains("ok"));
    let refused = cluster.stop_program("kube-proxy").expect_err("no such program").to_string();
    assert_eq!(refused, "no program here is called kube-proxy");
}

#[test]
fn a_program_that_cannot_start_is_named_with_its_last_words() {
    let options = Options {
        name: "refused".to_owned(),
        api_server_arguments: vec!["--no-such-flag".to_owned()],
        ..Options::default()
    };
    let failure = Cluster::start(options).expect_err("the flag is unknown").to_string();
    assert!(
        failure.starts_with("cluster refused did not start: kube-apiserver ended with exit code 1"),
        "{failure}"
    );
    assert!(failure.contains("unknown flag: --no-such-flag"), "{failure}");
}

#[test]
fn a_cleaned_cluster_is_as_good_as_new() {
    let Some(cluster) = start("cleaned") else { return };
    let file = |name: &str| format!("{}/tests/cluster/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    let (definitions, objects) = (file("definitions"), file("objects"));
    kubectl(&cluster, &["apply", "-f", &definitions]);
    kubectl(&cluster, &["wait", "--for=condition=Established", "crd/shops.example.com"]);
    kubectl(&cluster, &["apply", "-f", &objects]);
    let gone = cluster.clean().expect("a clean cluster");
    for part in [
        "/namespaces/shop",
        "/example.com/shops/shop/one",
        "/clusterroles/reader",
        "/configmaps/default/kept",
    ] {
        assert!(gone.iter().any(|key| key.ends_with(part)), "{part} is not among {gone:?}");
    }
    let names =
        kubectl(&cluster, &["get", "namespaces,crd,clusterrole,configmap,serviceaccount", "-o", "name"]);
    assert!(!names.contains("shop") && !names.contains("reader") && !names.contains("kept"), "{names}");
    assert!(
        names.contains("serviceaccount/default") && names.contains("configmap/kube-root-ca.crt"),
        "{names}"
    );
    // All of it can be made again, and nothing remembers the first time.
    kubectl(&cluster, &["apply", "-f", &definitions]);
    assert!(cluster.clean().expect("clean again").len() >= 3);
}

#[test]
fn nodes_of_kwok_are_ready_and_run_pods() {
    let options = Options { name: "kwok".to_owned(), kwok: 3, ..Options::default() };
    let Some(cluster) = started(options) else { return };
    assert_eq!(kubectl(&cluster, &["get", "nodes", "-o", "name"]).lines().count(), 3);
    kubectl(&cluster, &["create", "deployment", "web", "--image=web", "--replicas=20"]);
    kubectl(&cluster, &["rollout", "status", "deployment/web", "--timeout=60s"]);
}

/// Not a test of its own: the process that other tests kill.
#[test]
fn an_owner_waits_to_be_killed() {
    if std::env::var_os(OWNED).is_none() {
        return;
    }
    let Some(cluster) = start("owned") else { return };
    println!("\nsupervisor {}", cluster.supervisor());
    loop {
        std::thread::park();
    }
}

/// A process that owns a cluster.
struct Owner {
    process: Child,
    supervisor: u32,
}

impl Owner {
    /// Nothing where the test is skipped.
    fn start() -> Option<Self> {
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "an_owner_waits_to_be_killed", "--nocapture"])
            .env(OWNED, "yes")
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program again");
        let output = process.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let supervisor = lines.find_map(|line| line.strip_prefix("supervisor ")?.parse().ok());
        let mut owner = Self { process, supervisor: supervisor.unwrap_or_default() };
        if supervisor.is_none() {
            // It has said why; a failure is a failure here too.
            assert!(owner.process.wait().expect("its end").success(), "the owner has no cluster");
            return None;
        }
        Some(owner)
    }

    fn traces(&self) -> Traces {
        let found = running().into_iter().find(|one| one.supervisor() == self.supervisor);
        Traces::of(&found.expect("the owner's cluster"))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A cluster, or nothing where the test is skipped.
fn start(name: &str) -> Option<Cluster> {
    started(Options { name: name.to_owned(), ..Options::default() })
}

fn started(options: Options) -> Option<Cluster> {
    Cluster::start_for_test(options).expect("a cluster")
}

fn kubectl(cluster: &Cluster, arguments: &[&str]) -> String {
    let output = cluster.kubectl(arguments).expect("kubectl");
    assert!(output.status.success(), "kubectl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn kill(process: u32) {
    let process = Pid::from_raw(i32::try_from(process).expect("a number")).expect("a process");
    kill_process(process, Signal::KILL).expect("kill -9");
}

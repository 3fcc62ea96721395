//! What the real kubelet makes of our runtime: one cluster with one node, and pods of every sort on it.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test fails by panicking")]

mod bench;
mod hooks;
mod playground;

use playground::Playground;
use std::time::{Duration, Instant};

#[test]
fn a_pod_finds_what_it_names_where_it_says() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/furnished.yaml"));
    playground.wait("pod/furnished", "condition=Ready");
    let log = playground.must(&["logs", "furnished"]);
    let lines: Vec<&str> = log.lines().collect();
    for expected in [
        "user 1000 2000",
        "host furnished",
        "secret hunter2",
        "config blue",
        "variable green",
        "init done",
        "root read-only",
        "account default",
        "temporary 0 files",
        "nameserver 10.96.0.10",
    ] {
        assert!(lines.contains(&expected), "{expected} is not in:\n{log}");
    }
    let address = playground.must(&["get", "pod", "furnished", "-o", "jsonpath={.status.podIP}"]);
    assert!(address.starts_with("10.244."), "{address}");
    assert_eq!(playground.must(&["logs", "furnished", "-c", "init"]), "preparing\n");
}

#[test]
fn what_a_pod_does_to_its_node_the_machine_does_not_see() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/housed.yaml"));
    playground.wait("pod/housed", "condition=Ready");
    for file in ["/opt/plimsoll-was-here/folder/file", "/var/lib/plimsoll-was-here"] {
        let seen = playground.must(&["exec", "housed", "--", "cat", &format!("/machine{file}")]);
        assert_eq!(seen, "here\n", "{file} on the node");
        assert!(!std::path::Path::new(file).exists(), "{file} on the machine");
    }
}

#[test]
fn programs_in_pods_reach_the_api_server_by_its_service_address() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/client.yaml"));
    playground.wait("job/client", "condition=Complete");
    assert!(
        playground.must(&["logs", "job/client"]).contains("kube-system"),
        "kubectl in the pod lists namespaces"
    );
}

#[test]
fn behaviours_are_played_start_by_start() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/behaving.yaml"));
    playground.wait("pod/stumbling", "condition=Ready");
    let restarts = "jsonpath={.status.containerStatuses[0].restartCount}";
    assert_eq!(playground.must(&["get", "pod", "stumbling", "-o", restarts]), "2");
    playground.wait("pod/probed", "condition=Ready");
    playground.wait("job/finishing", "condition=Complete");
    playground.wait("pod/unready", "jsonpath={.status.phase}=Running");
    let ready = "jsonpath={.status.containerStatuses[0].ready}";
    assert_eq!(playground.must(&["get", "pod", "unready", "-o", ready]), "false");
}

#[test]
fn images_fail_and_come_as_the_table_says() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/pulling.yaml"));
    let reason = "jsonpath={.status.containerStatuses[0].state.waiting.reason}";
    playground.wait("pod/unknown", &format!("{reason}=ImagePullBackOff"));
    playground.until(&["get", "events", "--field-selector", "involvedObject.name=unknown"], |events| {
        events.contains("docker.io/nobody/knows:1: not found")
    });
    playground.wait("pod/flaky", "condition=Ready");
    playground.wait("pod/missing", &format!("{reason}=RunContainerError"));
    let message = "jsonpath={.status.containerStatuses[0].lastState.terminated.message}";
    playground.until(&["get", "pod", "missing", "-o", message], |message| {
        message.contains("exec: \"/no/such/program\": stat /no/such/program: no such file")
    });
}

#[test]
fn commands_are_executed_with_their_streams_and_codes() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/shell.yaml"));
    playground.wait("pod/shell", "condition=Ready");
    let output =
        playground.kubectl(&["exec", "shell", "--", "sh", "-c", "echo out; echo err >&2; exit 3"], "");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "out\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("err\n"), "{output:?}");
    let output = playground.kubectl(&["exec", "-i", "shell", "--", "cat"], "typed\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "typed\n", "{output:?}");
    let output = playground.kubectl(&["exec", "shell", "--", "no-such-program"], "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("executable file not found in $PATH"), "{said}");
    assert_eq!(playground.fetch("shell", 8080), "ok\n", "through kubectl port-forward");
}

#[test]
fn a_program_that_ignores_the_end_of_its_pod_does_not_delay_it() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/stubborn.yaml"));
    playground.wait("pod/stubborn", "condition=Ready");
    let began = Instant::now();
    playground.must(&["delete", "pod", "stubborn"]);
    let took = began.elapsed();
    println!("gone after {took:?}");
    assert!(took < Duration::from_secs(10), "its grace period is 30 s: {took:?}");
}

#[test]
fn the_log_of_an_earlier_start_is_kept() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/crashing.yaml"));
    playground.wait("pod/crashing", "jsonpath={.status.containerStatuses[0].restartCount}=1");
    playground.until(&["logs", "crashing", "--previous"], |log| log == "attempt\n");
    let code = "jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}";
    assert_eq!(playground.must(&["get", "pod", "crashing", "-o", code]), "7");
}

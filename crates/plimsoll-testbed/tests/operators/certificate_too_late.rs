//! A pod that mounts the Secret of a Certificate which is not issued yet.

use super::stage::Stage;
use plimsoll_testbed::audit::Event;
use plimsoll_testbed::operators::{Chart, Helm};
use std::time::{Duration, Instant};

#[test]
fn a_pod_waits_for_its_certificate_and_the_kubelet_does_not_give_up() {
    let Some(stage) = Stage::shared() else { return };
    let chart = Chart::cert_manager(&stage.cluster).expect("a chart");
    let began = Instant::now();
    // Without --wait: the start-up check is a hook, and Helm waits for hooks.
    Helm::new("helm3", &stage.cluster).expect("helm").install(&chart, &[]).expect("an install");
    println!("helm install with its start-up check: {:.1} s", began.elapsed().as_secs_f64());
    // The start-up check promises that what follows is admitted at the first attempt.
    stage.apply(include_str!("objects/agent.yaml"));
    let began = Instant::now();
    let failure = wait_for_event(stage, "FailedMount");
    assert_eq!(failure, "MountVolume.SetUp failed for volume \"tls\" : secret \"agent-tls\" not found");
    println!("{:5.1} s  kubelet: {failure}", began.elapsed().as_secs_f64());
    // Volumes come before init containers: none has started.
    let waits = "--for=jsonpath={.status.initContainerStatuses[0].state.waiting.reason}=PodInitializing";
    stage.must(&["wait", "pods", "-l", "app=agent", waits, "--timeout=60s"]);
    let uid = stage.must(&["get", "pods", "-l", "app=agent", "-o", POD]);
    // The issuer comes late, as a remote one answers late.
    stage.apply(include_str!("objects/issuer.yaml"));
    stage.wait("default", "certificate/agent", "condition=Ready");
    println!("{:5.1} s  the Certificate is issued", began.elapsed().as_secs_f64());
    stage.wait("default", "deployment/agent", "condition=Available");
    println!("{:5.1} s  the pod is ready", began.elapsed().as_secs_f64());
    let pod = stage.must(&["get", "pods", "-l", "app=agent", "-o", POD]);
    assert_eq!(pod, uid, "the same pod: the kubelet tried again, nothing was replaced");
    let mut trail = stage.trail();
    let is_issue = |event: &Event| {
        event.is_write() && event.is_about("secrets", "default", "agent-tls") && !event.is_refused()
    };
    let issued = trail.wait_for("the Secret", Duration::from_secs(10), is_issue).expect("the Secret");
    println!("healed by {issued}");
    assert_eq!(issued.user.username, "system:serviceaccount:cert-manager:cert-manager", "{issued}");
}

/// A pod's identity.
const POD: &str = "jsonpath={.items[*].metadata.uid}";

/// The message of the first event with this reason about the agent's pod.
fn wait_for_event(stage: &Stage, reason: &str) -> String {
    let selector = format!("--field-selector=reason={reason},involvedObject.kind=Pod");
    let message = "jsonpath={range .items[*]}{.message}{\"\\n\"}{end}";
    let mut trail = stage.trail();
    let is_event = |event: &Event| {
        event.verb == "create" && event.object.as_ref().is_some_and(|object| object.resource == "events")
    };
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        let all = stage.must(&["get", "events", &selector, "-o", message]);
        if let Some(line) = all.lines().find(|line| line.contains("agent-tls")) {
            return line.to_owned();
        }
        assert!(Instant::now() < deadline, "no {reason} came");
        let _ = trail.wait_for("an event", Duration::from_secs(1), is_event);
    }
}

//! An operator in a namespace whose Pod Security level its pods do not meet.

use super::stage::Stage;
use plimsoll_testbed::audit::Event;
use plimsoll_testbed::operators::Refused;
use std::time::Duration;

#[test]
fn pods_are_refused_until_the_namespace_lets_them_in() {
    let Some(stage) = Stage::shared() else { return };
    stage.apply(include_str!("objects/restricted.yaml"));
    let mut trail = stage.trail();
    let is_pod = |event: &Event| {
        event
            .object
            .as_ref()
            .is_some_and(|object| object.resource == "pods" && object.namespace == "restricted")
    };
    let refused = |event: &Event| is_pod(event) && event.is_refused();
    let refusal = trail.wait_for("a refused pod", Duration::from_mins(2), refused).expect("a refusal");
    println!("{refusal}");
    let words = "violates PodSecurity \"restricted:latest\": seccompProfile (pod or container \"operator\" must set \
                 securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")";
    assert!(refusal.message().contains(words), "{refusal}");
    assert_eq!(refusal.user.username, "system:serviceaccount:kube-system:replicaset-controller");
    // Nothing is scaled or restarted: the controller tries again by itself, each time after twice as long.
    stage.must(&[
        "label",
        "namespace",
        "restricted",
        "--overwrite",
        "pod-security.kubernetes.io/enforce=privileged",
    ]);
    stage.wait("restricted", "deployment/operator", "condition=Available");
    let events = trail.events().expect("events");
    let is_label = |event: &Event| event.is_about("namespaces", "restricted", "restricted");
    // A pod has no name yet when it is sent.
    let story =
        Refused::read(events, ("pods", "restricted", ""), is_label).expect("refused and then admitted");
    println!("{story}");
    assert_eq!(story.healed_by.expect("a cure").user.username, "admin");
}

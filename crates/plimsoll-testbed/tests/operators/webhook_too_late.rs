//! `helm install` says "deployed" long before the webhook that it brought answers. What is sent meanwhile is refused.

use super::stage::Stage;
use super::version_not_served;
use plimsoll_testbed::audit::Event;
use plimsoll_testbed::operators::{Chart, Helm, Refused};
use std::time::{Duration, Instant};

const STORE: &str = include_str!("objects/store.yaml");
const EXTERNAL_SECRET: &str = include_str!("objects/external_secret.yaml");

#[test]
fn a_store_is_refused_until_the_webhook_serves_and_is_then_synced() {
    let Some(stage) = Stage::shared() else { return };
    let chart = Chart::external_secrets(&stage.cluster).expect("a chart");
    let began = Instant::now();
    Helm::new("helm4", &stage.cluster).expect("helm").install(&chart, &[]).expect("an install");
    println!("helm install without --wait: deployed after {:.1} s", began.elapsed().as_secs_f64());
    let first = stage.kubectl(&["apply", "-f", "-"], STORE);
    assert!(!first.status.success(), "sent at once, the store is refused");
    apply_until_admitted(stage, STORE, "ClusterSecretStore");
    apply_until_admitted(stage, EXTERNAL_SECRET, "ExternalSecret");
    stage.wait("default", "externalsecret/greeting", "condition=Ready");
    let value = stage.must(&["get", "secret", "greeting", "-o", "jsonpath={.data.word}"]);
    assert_eq!(value, "aGVsbG8=", "the word that the store holds, in base64");
    tell(stage);
    version_not_served::helm_refuses_a_version_that_is_not_served(stage);
}

/// What the log says of the store: in which words it was refused, and what healed it.
fn tell(stage: &Stage) {
    let mut trail = stage.trail();
    let events = trail.events().expect("events");
    let object = ("clustersecretstores", "", "words");
    let story = Refused::read(events, object, serves).expect("a store that was refused and then admitted");
    println!("{story}");
    let call = "failed calling webhook \"validate.clustersecretstore.external-secrets.io\": failed to call webhook: ";
    for refusal in &story.refusals {
        assert!(refusal.message.contains(call), "{}", refusal.message);
    }
    let words = &story.refusals[0].message;
    assert!(words.ends_with("no endpoints available for service \"external-secrets-webhook\""), "{words}");
    // The Service was there all the time: Helm sends it before the configuration of the webhook.
    assert!(story.refusals.iter().all(|refusal| !refusal.message.contains("not found")));
    let cure = story.healed_by.expect("a cure");
    assert_eq!(cure.user.username, "system:serviceaccount:kube-system:endpointslice-controller", "{cure}");
}

/// The webhook's addresses change: its pod is ready now.
fn serves(event: &Event) -> bool {
    let slice = event.object.as_ref();
    slice.is_some_and(|slice| {
        slice.resource == "endpointslices" && slice.name.starts_with("external-secrets-webhook-")
    })
}

/// Sends an object again at every change in the cluster, as a patient client does.
fn apply_until_admitted(stage: &Stage, object: &str, kind: &str) {
    let deadline = Instant::now() + Duration::from_mins(3);
    let mut trail = stage.trail();
    loop {
        let output = stage.kubectl(&["apply", "-f", "-"], object);
        if output.status.success() {
            return;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("failed calling webhook"), "{kind}: {said}");
        assert!(Instant::now() < deadline, "{kind}: {said}");
        // The next change of anything, or a second without any.
        let _ = trail.wait_for("a change", Duration::from_secs(1), serves);
    }
}

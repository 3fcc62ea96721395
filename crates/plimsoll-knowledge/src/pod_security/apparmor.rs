//! AppArmor profiles must be the runtime's default or a local one: `policy/check_appArmorProfile.go`.

use super::candidate::{Candidate, Container};
use super::fault::{Faults, Violation, counted, quoted};
use plimsoll_model::{Node, Place};

const ANNOTATION: &str = "container.apparmor.security.beta.kubernetes.io/";

pub(super) fn check(pod: &Candidate<'_>) -> Option<Violation> {
    let mut faults = Faults::default();
    if let Some(profile) = pod.context("appArmorProfile")
        && let Some(kind) = forbidden(profile)
    {
        faults.add_pod(profile.place);
        faults.add_value(kind);
    }
    for container in pod.containers() {
        if let Some((kind, place)) = profile_of(pod, &container) {
            faults.add(&container, place);
            faults.add_value(kind);
        }
    }
    let annotations = forbidden_annotations(pod);
    let place = if faults.is_empty() { annotations.first()?.1 } else { faults.place() };
    let mut setters = faults.setters();
    if !annotations.is_empty() {
        setters.push(counted("annotation", "annotations", annotations.len()).to_owned());
    }
    let values: Vec<&String> =
        faults.values().iter().chain(annotations.iter().map(|(text, _)| text)).collect();
    Some(Violation {
        reason: counted("forbidden AppArmor profile", "forbidden AppArmor profiles", values.len()),
        detail: format!("{} must not set AppArmor profile type to {}", setters.join(" and "), quoted(values)),
        place,
    })
}

/// The type of a profile, if it is not permitted.
fn forbidden(profile: &Node) -> Option<&str> {
    let kind = profile.text_at(&["type"]).unwrap_or_default();
    (!matches!(kind, "RuntimeDefault" | "Localhost")).then_some(kind)
}

/// The forbidden profile of a container. The API server copies the deprecated annotation into an absent field before
/// admission looks: kubernetes v1.36.4 `pkg/registry/core/pod/strategy.go` `applyAppArmorVersionSkew`.
fn profile_of<'a>(pod: &Candidate<'a>, container: &Container<'a>) -> Option<(&'a str, Place)> {
    if let Some(profile) = container.context("appArmorProfile") {
        return forbidden(profile).map(|kind| (kind, profile.place));
    }
    let annotation = pod.annotation(&format!("{ANNOTATION}{}", container.name))?;
    let of_pod = pod.context("appArmorProfile").and_then(|profile| profile.text_at(&["type"]));
    let is_copied =
        annotation.text() == Some("unconfined") && of_pod != Some("Unconfined") && !pod.is_windows();
    is_copied.then_some(("Unconfined", annotation.place))
}

fn forbidden_annotations(pod: &Candidate<'_>) -> Vec<(String, Place)> {
    let entries = pod.annotations.map_or(&[][..], Node::entries);
    let mut found: Vec<_> = entries
        .iter()
        .filter(|(key, _)| key.text.starts_with(ANNOTATION))
        .filter_map(|(key, value)| {
            let text = value.text().unwrap_or_default();
            let is_permitted = text.is_empty() || text == "runtime/default" || text.starts_with("localhost/");
            (!is_permitted).then(|| (format!("{}={text:?}", key.text), value.place))
        })
        .collect();
    found.sort();
    found
}

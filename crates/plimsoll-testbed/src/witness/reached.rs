//! Whether a consumer has reached the moment that the race was about, as the cluster shows it.

use super::asked::End;
use super::failure::Failure;
use super::room::Room;

/// Waits until an end of a finding is reached, at most so many seconds. Nothing if the cluster does not show it.
pub(super) fn wait(room: &Room<'_>, end: &End, replicas: u64, seconds: u32) -> Result<Option<bool>, Failure> {
    let Some((kind, namespace, name)) = parts(&end.object) else { return Ok(None) };
    let Some(sign) = sign(kind, &end.milestone).filter(|_| replicas > 0) else { return Ok(None) };
    let sign = sign.replace("COUNT", &replicas.to_string());
    let is_pod = sign.ends_with("PodScheduled");
    let target = if is_pod { "pod".to_owned() } else { format!("{kind}/{name}") };
    let timeout = format!("--timeout={seconds}s");
    let mut arguments = vec!["wait", sign.as_str(), target.as_str(), timeout.as_str()];
    // The pods of every workload on the pages carry its name.
    let label = format!("--selector=app={name}");
    if is_pod {
        arguments.push(&label);
    }
    if let Some(namespace) = namespace {
        arguments.extend(["--namespace", room.namespace_of(namespace)]);
    }
    Ok(Some(room.kubectl(&arguments)?.is_success))
}

/// Kind, namespace and name of an object as reports write it; a step of a script is none.
pub(super) fn parts(object: &str) -> Option<(&str, Option<&str>, &str)> {
    let pieces: Vec<&str> = object.split('/').collect();
    match pieces.as_slice() {
        ["Step", ..] => None,
        [kind, name] => Some((kind, None, name)),
        [kind, namespace, name] => Some((kind, Some(namespace), name)),
        _ => None,
    }
}

/// What `kubectl wait` waits for.
fn sign(kind: &str, milestone: &str) -> Option<&'static str> {
    Some(match (kind, milestone) {
        (_, "stored") => "--for=create",
        (_, "gone") => "--for=delete",
        ("CustomResourceDefinition", "established") => "--for=condition=Established",
        ("Deployment" | "ReplicaSet" | "StatefulSet", "observed") => {
            "--for=jsonpath={.status.replicas}=COUNT"
        }
        ("Deployment" | "StatefulSet", "bound") => "--for=condition=PodScheduled",
        ("StatefulSet", _) => "--for=jsonpath={.status.availableReplicas}=COUNT",
        ("Deployment", _) | ("APIService", "ready") => "--for=condition=Available",
        ("Job", _) => "--for=condition=Complete",
        ("PersistentVolumeClaim", _) => "--for=jsonpath={.status.phase}=Bound",
        ("SealedSecret", _) => "--for=condition=Synced",
        ("HorizontalPodAutoscaler", "ready") => "--for=condition=AbleToScale",
        (
            "Pod" | "Certificate" | "Issuer" | "ClusterIssuer" | "ExternalSecret" | "PushSecret"
            | "SecretStore" | "ClusterSecretStore",
            _,
        ) => "--for=condition=Ready",
        _ => return None,
    })
}

//! How a missing order is put right for kubectl and for scripts: a wait between the two, or another order of files.

use plimsoll_model::{Fix, Milestone, Moment, ObjectId, Safety};

/// The wait that proves a moment, as a command.
fn wait_command(moment: &Moment) -> Option<String> {
    let id = moment.object()?;
    let named = format!("{}/{}", resource(id), id.name());
    let namespace = id.namespace().map_or_else(String::new, |namespace| format!(" -n {namespace}"));
    let wait = |what: &str| Some(format!("kubectl wait --for={what} {named}{namespace} --timeout=300s"));
    match moment.milestone {
        Milestone::Discoverable | Milestone::Ready if id.kind() == "APIService" => {
            wait("condition=Available")
        }
        Milestone::Established | Milestone::Discoverable => wait("condition=Established"),
        Milestone::Stored => wait("create"),
        Milestone::Complete => wait("condition=Complete"),
        Milestone::Bound => wait("jsonpath='{.status.phase}'=Bound"),
        Milestone::Gone => wait("delete"),
        Milestone::Ready | Milestone::Started if is_rolled_out(id) => {
            Some(format!("kubectl rollout status {named}{namespace} --timeout=300s"))
        }
        Milestone::Ready => wait("condition=Ready"),
        _ => None,
    }
}

/// What to do about a race whose provider is brought by `carrier`, or delivered itself.
#[must_use]
pub fn fix(first: &Moment, then: &ObjectId, carrier: Option<&ObjectId>, is_script: bool) -> Fix {
    let awaited = match carrier {
        Some(carrier) => carrier.at(Milestone::Ready),
        None => first.clone(),
    };
    let Some(provider) = awaited.object() else {
        return Fix { safety: Safety::Manual, summary: format!("make {then} wait for it") };
    };
    if first.milestone == Milestone::Stored && carrier.is_none() {
        return if is_script {
            let summary = format!("run the command that sends {provider} before the one that sends {then}");
            Fix { safety: Safety::Review, summary }
        } else {
            let order = "kubectl sends in the order of arguments, files and documents";
            Fix { safety: Safety::Safe, summary: format!("send {provider} before {then}: {order}") }
        };
    }
    match wait_command(&awaited) {
        Some(wait) if is_script => {
            Fix { safety: Safety::Review, summary: format!("before {then} is sent: {wait}") }
        }
        Some(wait) => Fix {
            safety: Safety::Manual,
            summary: format!("apply {provider} on its own, then `{wait}`, then the rest"),
        },
        None => Fix {
            safety: Safety::Manual,
            summary: format!("deliver {then} in a later step, once {provider} is {}", awaited.milestone),
        },
    }
}

fn is_rolled_out(id: &ObjectId) -> bool {
    id.group() == "apps" && matches!(id.kind(), "Deployment" | "StatefulSet" | "DaemonSet")
}

/// The resource as kubectl takes it: the kind in lower case, with its group where two could be meant.
fn resource(id: &ObjectId) -> String {
    let kind = id.kind().to_ascii_lowercase();
    match id.group() {
        "" | "apps" | "batch" => kind,
        "apiextensions.k8s.io" => "crd".to_owned(),
        group => format!("{kind}.{group}"),
    }
}

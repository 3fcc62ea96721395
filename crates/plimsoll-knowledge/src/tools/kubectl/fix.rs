//! How a missing order is put right for kubectl and for scripts: a wait between the two, or another order of files.

use crate::tools::helm::{self, Phases};
use plimsoll_model::{Arranged, Change, Condition, Fix, Gate, Milestone, Moment, ObjectId, Safety, Target};
use std::time::Duration;

/// How long a wait that is proposed lasts.
const PATIENCE: Duration = Duration::from_mins(5);

/// What is known of a race when its fix is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Broken<'a> {
    /// What must come first.
    pub first: &'a Moment,
    /// What needs it.
    pub then: &'a Moment,
    /// What needs it, in words: an object, or a command of a script.
    pub who: &'a str,
    /// What makes it at run time, if that is another object.
    pub producer: Option<&'a ObjectId>,
    /// What answers for it, nearest first: a service, a workload.
    pub behind: &'a [&'a ObjectId],
    /// How the two are sent.
    pub sending: Sending<'a>,
}

/// How the two ends of a race are sent.
#[derive(Debug, Clone, Copy)]
pub enum Sending<'a> {
    /// By different commands of a script.
    Commands,
    /// By one command, from these files; the first file holds nothing else where `is_alone`.
    Files {
        /// The file of what must come first.
        first: &'a str,
        /// The file of what needs it.
        then: &'a str,
        /// Whether the first file holds nothing else.
        is_alone: bool,
        /// What puts the objects of the command into their order.
        arranged: Arranged,
    },
    /// By one release of a chart.
    Release(Phases),
    /// Nothing in the input sends what must come first.
    Nobody,
}

/// What to do about a race.
#[must_use]
pub fn fix(broken: &Broken<'_>) -> Fix {
    let (first, who) = (broken.first, broken.who);
    let Some(object) = first.object() else {
        return Fix::new(Safety::Manual, format!("let {who} wait for it"), None);
    };
    if let (Sending::Nobody, None) = (broken.sending, broken.producer) {
        let summary = format!("add {object} to what is sent, or make sure that it is there before");
        return Fix::new(Safety::Manual, summary, None);
    }
    if let Sending::Release(phases) = broken.sending {
        return helm::fix::fix(broken.producer.unwrap_or(object), first, who, phases);
    }
    if first.milestone == Milestone::Stored && broken.producer.is_none() {
        return reorder(object, broken);
    }
    if let Some(gate) = gate(broken) {
        return behind_a_wait(object, gate, broken);
    }
    let summary = format!("send {who} with a later command, once {object} is {}", first.milestone);
    Fix::new(Safety::Manual, summary, None)
}

fn reorder(object: &ObjectId, broken: &Broken<'_>) -> Fix {
    let who = broken.who;
    let order = "kubectl sends in the order of arguments, file names and documents";
    let (safety, summary) = match broken.sending {
        Sending::Files { first, then, arranged: Arranged::ByKind, .. } => {
            let list = if first == then { String::new() } else { format!(" and list {first} before {then}") };
            let why = "kustomize sorts by kind unless it is told to keep the order of `resources`";
            let summary = format!("set `sortOptions: {{order: fifo}}` in the kustomization{list}: {why}");
            // Everything else moves with it.
            return Fix::new(Safety::Review, summary, None);
        }
        Sending::Files { first, then, arranged: Arranged::AsListed, .. } if first != then => (
            Safety::Review,
            format!("list {first} before {then} in the kustomization, which keeps the order of `resources`"),
        ),
        Sending::Files { first, then, .. } if first == then => {
            (Safety::Safe, format!("move {object} above {who} in {first}: {order}"))
        }
        Sending::Files { first, then, .. } => {
            (Safety::Safe, format!("let {first} come before {then}: {order}"))
        }
        Sending::Commands | Sending::Release(_) | Sending::Nobody => {
            (Safety::Review, format!("run the command that sends {object} before the one that sends {who}"))
        }
    };
    Fix::new(safety, summary, Some(Change::Order))
}

fn behind_a_wait(object: &ObjectId, gate: Gate, broken: &Broken<'_>) -> Fix {
    let (who, wait) = (broken.who, command(&gate));
    let provider = broken.producer.unwrap_or(object);
    let (safety, summary) = match (broken.sending, broken.then.milestone) {
        (Sending::Commands, _) if broken.then.object().is_none() => {
            (Safety::Review, format!("run this before {who}: `{wait}`"))
        }
        (_, Milestone::Gone) => (Safety::Review, format!("before {who} is deleted: `{wait}`")),
        _ if broken.first.milestone == Milestone::Gone => {
            (Safety::Review, format!("before {who} is sent: `{wait}`"))
        }
        (Sending::Commands, _) => (Safety::Review, format!("before {who} is sent: `{wait}`")),
        (Sending::Files { first, is_alone: true, .. }, _) if broken.behind.is_empty() => {
            (Safety::Manual, format!("first `kubectl apply -f {first}`, then `{wait}`, then the rest"))
        }
        _ => {
            let rest = if broken.behind.is_empty() { "" } else { " and what stands behind it" };
            (Safety::Manual, format!("apply {provider}{rest} first, then `{wait}`, then the rest"))
        }
    };
    Fix::new(safety, summary, Some(Change::Gate(gate)))
}

/// The wait that ends with success only once the moment has come.
fn gate(broken: &Broken<'_>) -> Option<Gate> {
    let first = broken.first;
    let id = first.object()?;
    if let Some(producer) = broken.producer {
        // A certificate is ready when its Secret is written, a composite resource is established when its CRD is; of
        // other producers it is not known.
        return Some(match (producer.group(), producer.kind()) {
            ("cert-manager.io", "Certificate") => wait(producer, status("Ready")),
            ("apiextensions.crossplane.io", _) => wait(producer, status("Established")),
            _ if first.milestone == Milestone::Established => {
                Gate { needs_existing: false, ..wait(id, status("Established")) }
            }
            _ => wait(id, Condition::Exists),
        });
    }
    match first.milestone {
        Milestone::Discoverable | Milestone::Ready if id.kind() == "APIService" => {
            Some(wait(id, status("Available")))
        }
        Milestone::Established => Some(wait(id, status("Established"))),
        Milestone::Stored => Some(wait(id, Condition::Exists)),
        Milestone::Complete => Some(wait(id, status("Complete"))),
        Milestone::Bound => {
            let (path, value) = (".status.phase".to_owned(), Some("Bound".to_owned()));
            Some(wait(id, Condition::Field { path, value }))
        }
        Milestone::Gone => Some(wait(id, Condition::Gone)),
        Milestone::Observed | Milestone::Started | Milestone::Ready if is_rolled_out(id) => {
            Some(wait(id, Condition::RolledOut))
        }
        // A pod that runs to its end is never ready.
        Milestone::Started if id.is("", "Pod") => {
            let (path, value) = (".status.phase".to_owned(), Some("Running".to_owned()));
            Some(wait(id, Condition::Field { path, value }))
        }
        Milestone::Started if id.is("batch", "Job") => Some(wait(id, status("Complete"))),
        Milestone::Ready => Some(wait(id, status("Ready"))),
        Milestone::Serving => {
            broken.behind.iter().find(|id| is_rolled_out(id)).map(|id| wait(id, Condition::RolledOut))
        }
        _ => None,
    }
}

fn wait(id: &ObjectId, condition: Condition) -> Gate {
    let (name, namespace) = (id.name().to_owned(), id.namespace().map(str::to_owned));
    let target = Target::Named { resource: resource(id), name, namespace };
    Gate { targets: vec![target], condition, timeout: Some(PATIENCE), needs_existing: true }
}

fn status(condition: &str) -> Condition {
    Condition::Status { condition: condition.to_owned(), value: "True".to_owned() }
}

/// A gate as it is written in a script.
fn command(gate: &Gate) -> String {
    let verb = match &gate.condition {
        Condition::RolledOut => "rollout status".to_owned(),
        Condition::Status { condition, .. } => format!("wait --for=condition={condition}"),
        Condition::Field { path, value } => {
            format!("wait --for=jsonpath='{{{path}}}'={}", value.as_deref().unwrap_or_default())
        }
        Condition::Gone => "wait --for=delete".to_owned(),
        Condition::Exists | Condition::Running | Condition::Unknown(_) => "wait --for=create".to_owned(),
    };
    let target = gate.targets.iter().map(named).collect::<String>();
    let patience = PATIENCE.as_secs();
    let wait = format!("kubectl {verb}{target} --timeout={patience}s");
    if gate.needs_existing {
        return wait;
    }
    format!("kubectl wait --for=create{target} --timeout={patience}s && {wait}")
}

fn is_rolled_out(id: &ObjectId) -> bool {
    id.group() == "apps" && matches!(id.kind(), "Deployment" | "StatefulSet" | "DaemonSet")
}

fn named(target: &Target) -> String {
    let Target::Named { resource, name, namespace } = target else { return String::new() };
    let namespace = namespace.as_ref().map_or_else(String::new, |namespace| format!(" -n {namespace}"));
    format!(" {resource}/{name}{namespace}")
}

/// A kind as kubectl takes it: in lower case, with its group where two could be meant.
fn resource(id: &ObjectId) -> String {
    let kind = id.kind().to_ascii_lowercase();
    match id.group() {
        "" | "apps" | "batch" => kind,
        "apiextensions.k8s.io" => "crd".to_owned(),
        group => format!("{kind}.{group}"),
    }
}

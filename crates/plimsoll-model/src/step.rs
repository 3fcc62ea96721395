//! What is done, in which order: deliveries, removals and waits, and what each of them waits for.

use crate::{Gate, Mark, Object, ObjectId, Place};
use std::time::Duration;

/// A step of the bundle, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepIndex(pub u32);

/// One action of a deployment and what must be over before it begins.
#[derive(Debug, Clone)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// Everything that must be over before.
    pub after: Vec<After>,
    /// Whether the step may be passed over (inside an `if` or behind `||`).
    pub may_be_skipped: bool,
    /// The first step of those that are passed over together with it, where that is known.
    pub branch: Option<StepIndex>,
    /// Whether nobody said that it is done with the rest, or all of it at once: a kustomization that was met on the way,
    /// a tree that another tool delivers folder by folder.
    pub is_presumed: bool,
    /// Where the user said so, if a script says it.
    pub place: Option<Place>,
    /// The command in the user's words.
    pub says: String,
    /// What it writes on objects that are there.
    pub marks: Vec<Mark>,
}

/// An earlier step, and how it must have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// The earlier step.
    pub step: StepIndex,
    /// How it must have ended.
    pub outcome: Outcome,
    /// A step without which this does not count: it may have been passed over on the way here, and then the earlier step,
    /// which is that one itself or a wait beside it, need not have ended.
    pub unless_skipped: Option<StepIndex>,
}

/// How an earlier step must have ended for the next one to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// With success.
    Succeeded,
    /// With success or failure.
    Ended,
    /// It need only have begun: it runs in the background.
    Begun,
}

/// What a step does.
#[derive(Debug, Clone)]
pub enum Action {
    /// Delivers objects.
    Deliver(Unit),
    /// Removes objects.
    Remove(Removal),
    /// Waits for something to be seen.
    Wait(Gate),
    /// Lets time pass; it guards nothing.
    Sleep(Duration),
    /// Delivers objects that cannot be known yet; the text says why.
    Opaque(String),
}

/// The objects one tool action delivers together.
#[derive(Debug, Clone)]
pub struct Unit {
    /// How they are delivered.
    pub delivery: Delivery,
    /// The objects, in the order in which they were written or sorted.
    pub objects: Vec<Object>,
    /// What they are where the cluster offers more than is known.
    pub otherwise: Option<Otherwise>,
}

/// What a chart brings where the cluster serves APIs that it asks for and that are not known to be served.
#[derive(Debug, Clone)]
pub struct Otherwise {
    /// The APIs, as `monitoring.coreos.com/v1`.
    pub served: Vec<String>,
    /// The objects; those that come only then say so in their premise.
    pub objects: Vec<Object>,
}

impl Step {
    /// The program that does it. Scripts remove and wait with kubectl.
    #[must_use]
    pub fn tool(&self) -> Tool {
        match &self.action {
            Action::Deliver(unit) => unit.delivery.tool,
            _ => Tool::Kubectl,
        }
    }
}

impl Unit {
    /// Objects that come in any case.
    #[must_use]
    pub fn new(delivery: Delivery, objects: Vec<Object>) -> Self {
        Self { delivery, objects, otherwise: None }
    }
}

/// Objects that a tool action deletes.
#[derive(Debug, Clone)]
pub struct Removal {
    /// The objects, in the order of the requests.
    pub objects: Vec<ObjectId>,
    /// Whether the tool waits until they are gone.
    pub waits: bool,
    /// Whether the tool passes over objects that are not there; otherwise it fails, and a tool that fails does not wait.
    pub ignores_missing: bool,
}

/// Which tool, in which version, delivers a unit, and the settings that change its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The tool.
    pub tool: Tool,
    /// Its version, if it was said.
    pub version: Option<String>,
    /// The verb: `apply`, `create`, `replace`, `install`, `rollback`, `uninstall`.
    pub verb: String,
    /// Flags that change order or outcome: `--server-side`, `--prune`, `--validate=false`.
    pub flags: Vec<String>,
    /// What the tool's messages name instead of the file of an object: the folder of a kustomization, `STDIN`.
    pub source: Option<String>,
    /// What put the objects into their order.
    pub arranged: Arranged,
    /// The name of a release.
    pub release: Option<String>,
    /// The namespace of a release, in which Helm also keeps its record.
    pub namespace: Option<String>,
    /// Whether a script does it again until it succeeds.
    pub is_repeated: bool,
    /// How long each wait of the tool lasts, if it was said.
    pub timeout: Option<Duration>,
}

impl Delivery {
    /// A delivery of which nothing more is said.
    #[must_use]
    pub fn by(tool: Tool, verb: &str) -> Self {
        Self {
            tool,
            version: None,
            verb: verb.to_owned(),
            flags: Vec::new(),
            source: None,
            arranged: Arranged::AsWritten,
            release: None,
            namespace: None,
            is_repeated: false,
            timeout: None,
        }
    }

    /// Whether the tool is Helm 4. Where nobody says which, it is Helm 3: Helm 4 promises no more than that.
    #[must_use]
    pub fn is_by_helm_4(&self) -> bool {
        let major =
            self.version.as_deref().and_then(|version| version.trim_start_matches('v').split('.').next());
        self.tool == Tool::Helm && major == Some("4")
    }

    /// What is done to a release, where its verb says so whatever is done to the whole.
    #[must_use]
    pub fn operation(&self, of_all: Operation) -> Operation {
        match (self.tool, self.verb.as_str()) {
            (Tool::Helm, "rollback") => Operation::Rollback,
            (Tool::Helm, "uninstall") => Operation::Uninstall,
            _ => of_all,
        }
    }
}

/// What put the objects of a unit into their order, and so what has to be changed for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arranged {
    /// Arguments, file names and documents.
    #[default]
    AsWritten,
    /// The `resources` of a kustomization that keeps their order.
    AsListed,
    /// kustomize, which sorts by kind.
    ByKind,
    /// Helm, which sends them hook by hook and kind by kind.
    AsChart {
        /// How many of the first objects are the definitions in the chart's `crds/`.
        definitions: usize,
    },
}

/// The program that delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// `kubectl apply`, `create` and `replace`, also in scripts.
    Kubectl,
    /// `helm install`, `upgrade` and `uninstall`.
    Helm,
}

/// What is being done to the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// On a cluster that has none of it.
    Install,
    /// On a cluster that has what was there before, or all of it.
    Upgrade,
    /// Back to what was there before, or to all of it.
    Rollback,
    /// All of it is taken away.
    Uninstall,
}

impl Tool {
    /// The tool's name as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kubectl => "kubectl",
            Self::Helm => "helm",
        }
    }
}

impl Operation {
    /// Whether it changes what an earlier one has left.
    #[must_use]
    pub fn is_change(self) -> bool {
        matches!(self, Self::Upgrade | Self::Rollback)
    }

    /// The word for it, as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Upgrade => "upgrade",
            Self::Rollback => "rollback",
            Self::Uninstall => "uninstall",
        }
    }
}

//! What must come before what, and what is seen where it does not.

use crate::{Clause, Delay, Moment, Place, Premise, Tool};
use std::sync::Arc;
use std::time::Duration;

/// The code of a rule: `PLM-R012`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// One of `first` must be reached before `then`, otherwise a consequence.
#[derive(Debug, Clone)]
pub struct Requirement {
    /// The rule that says so.
    pub rule: Code,
    /// What kind of trouble it is.
    pub class: Class,
    /// Any one of these must come first; empty if nothing can satisfy it.
    pub first: Clause,
    /// The moment a user is told of, where `first` is only what it consists of.
    pub told: Option<Moment>,
    /// What needs it.
    pub then: Moment,
    /// What does not come about where it is missed, if that is not `then` itself: a tool that goes on after an error
    /// loses the object it was refused, not the rest. Each of these comes about only behind `then`.
    pub lost: Vec<Moment>,
    /// How the reader reads; the consequence is computed from it.
    pub reading: Reading,
    /// How sure it is that the need exists.
    pub confidence: Confidence,
    /// What has to be true for the need to exist, where the input does not say.
    pub premise: Option<Arc<Premise>>,
    /// Where the need is written.
    pub place: Place,
    /// The sentence a user reads first, without the order of events: "mounts Secret web-tls before it exists".
    pub message: String,
    /// What the reader does when it fails, and what is then seen.
    pub answer: Answer,
    /// Something in the input that looks like a guard and is none, with the reason.
    pub false_guard: Option<String>,
    /// What to do about it, where another order alone does not help.
    pub remedy: Option<String>,
}

impl Requirement {
    /// The moment that must come first, as a user is told it; `None` if nothing can satisfy the requirement.
    #[must_use]
    pub fn needed(&self) -> Option<&Moment> {
        self.told.as_ref().or(self.first.0.first())
    }
}

/// `victim` must not happen between `open` and `close`.
#[derive(Debug, Clone)]
pub struct Window {
    /// From here on the victim fails; all of these must have happened.
    pub open: Vec<Clause>,
    /// What the reader misses while the window is open. Its `first` closes the window, its `then` is the victim.
    pub requirement: Requirement,
}

/// What the user sees when a requirement is missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Who reads.
    pub actor: Actor,
    /// What it does, as in "mounts volume tls".
    pub does: String,
    /// The exact text that is then seen, if any is.
    pub text: Option<String>,
}

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The tool that delivers.
    Tool,
    /// The tool of a step that is told on the way.
    ToolOf(Tool),
    /// The API server.
    ApiServer,
    /// A controller of Kubernetes itself.
    Controller,
    /// The scheduler.
    Scheduler,
    /// The kubelet.
    Kubelet,
    /// An operator such as cert-manager.
    Operator(&'static str),
    /// The program inside a container.
    Container,
}

/// How a reader reads what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Once, and a miss is an error that nobody repeats.
    Once,
    /// Once, and a miss is not noticed: the end state is wrong.
    OnceSilently,
    /// Once, and the object is useless from then on: a rerun of the same command does not help.
    OnceForGood,
    /// Again and again without end: after `first`, then with growing gaps up to `longest`.
    Retried {
        /// The first gap between two tries.
        first: Duration,
        /// The longest gap between two tries.
        longest: Duration,
    },
    /// A given number of times, then never again.
    RetriedUntil {
        /// The time from the first try to the last.
        patience: Duration,
    },
    /// It is told when the thing arrives.
    Watched {
        /// How long it takes from then on.
        delay: Delay,
    },
}

/// How sure it is that both ends are what they seem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Inferred from a string, or a gap that only `--pedantic` shows.
    Heuristic,
    /// One end is named but outside the input.
    Assumed,
    /// Both ends are in the input and no order protects them.
    Proved,
}

/// What kind of trouble a finding is; the words other programs read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A hook runs before, or after, what it needs.
    HookOrder,
    /// A hook waits for something that waits for the hook.
    HookDeadlock,
    /// A hook is deleted while it is needed.
    HookDeletePolicy,
    /// A Job, migration or test starts before what it talks to.
    JobBeforeWorkload,
    /// An instance before its API is served and discoverable.
    CrBeforeCrd,
    /// The version asked for is not served.
    ApiVersionNotServed,
    /// A write that a webhook intercepts before it can answer.
    WebhookNotServing,
    /// An aggregated API that nobody answers.
    ApiServiceNotAvailable,
    /// An object before its Namespace, or while that is terminating.
    NamespaceMissing,
    /// A Secret that is read before it is there, or lacks the key.
    SecretNotYetProduced,
    /// The same for a `ConfigMap`.
    ConfigMissing,
    /// An `ExternalSecret` before its store, or the store before its credentials.
    StoreNotReady,
    /// A pod before its `ServiceAccount`.
    ServiceAccountMissing,
    /// An action before the permission it needs.
    RbacMissing,
    /// A class object that is not there.
    ClassMissing,
    /// A `StorageClass` that is not there.
    StorageClassMissing,
    /// Quota or `LimitRange` at the wrong side of what they apply to.
    QuotaWindow,
    /// Pods that the namespace's Pod Security level refuses.
    PsaViolation,
    /// A time in which a policy or injector does not yet protect.
    PolicyWindow,
    /// Something is deleted before the controller that must release its finalizer.
    OrphanedFinalizer,
    /// One object or field written by two owners.
    MixedOwnership,
    /// A field is changed that cannot be.
    ImmutableChange,
    /// A check that runs once and decides for ever.
    OneShotProbe,
    /// Waits in a circle.
    DependencyCycle,
    /// Any other reference to something that comes later.
    ReferenceMissing,
}

impl Class {
    /// The word for it, as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::HookOrder => "hook-order",
            Self::HookDeadlock => "hook-deadlock",
            Self::HookDeletePolicy => "hook-delete-policy",
            Self::JobBeforeWorkload => "job-before-workload",
            Self::CrBeforeCrd => "cr-before-crd",
            Self::ApiVersionNotServed => "api-version-not-served",
            Self::WebhookNotServing => "webhook-not-serving",
            Self::ApiServiceNotAvailable => "apiservice-not-available",
            Self::NamespaceMissing => "namespace-missing",
            Self::SecretNotYetProduced => "secret-not-yet-produced",
            Self::ConfigMissing => "config-missing",
            Self::StoreNotReady => "store-not-ready",
            Self::ServiceAccountMissing => "serviceaccount-missing",
            Self::RbacMissing => "rbac-missing",
            Self::ClassMissing => "class-missing",
            Self::StorageClassMissing => "storage-class-missing",
            Self::QuotaWindow => "quota-window",
            Self::PsaViolation => "psa-violation",
            Self::PolicyWindow => "policy-window",
            Self::OrphanedFinalizer => "orphaned-finalizer",
            Self::MixedOwnership => "mixed-ownership",
            Self::ImmutableChange => "immutable-change",
            Self::OneShotProbe => "one-shot-probe",
            Self::DependencyCycle => "dependency-cycle",
            Self::ReferenceMissing => "reference-missing",
        }
    }
}

impl Confidence {
    /// The word for it, as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::Assumed => "assumed",
            Self::Proved => "proved",
        }
    }
}

impl Actor {
    /// The word for it, as in the JSON report; the tool's own name is the caller's to say.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::ToolOf(tool) => tool.word(),
            Self::ApiServer => "apiserver",
            Self::Controller => "controller",
            Self::Scheduler => "scheduler",
            Self::Kubelet => "kubelet",
            Self::Operator(name) => name,
            Self::Container => "container",
        }
    }
}

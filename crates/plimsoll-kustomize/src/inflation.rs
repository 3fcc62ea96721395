//! A chart that becomes objects, as it is asked for.

/// A chart that a kustomization asks for: `helm template`.
#[derive(Debug, Clone)]
pub struct Inflation {
    /// The folder of the chart.
    pub folder: String,
    /// The name of the release.
    pub release: String,
    /// The namespace of the release; empty where nothing is said.
    pub namespace: String,
    /// Values, the last of which counts most.
    pub values: Vec<ValueLayer>,
    /// APIs that are offered besides those of Kubernetes.
    pub api_versions: Vec<String>,
    /// The version of Kubernetes; empty where nothing is said.
    pub kube_version: String,
    /// Which parts of the chart are printed.
    pub parts: ChartParts,
}

/// Which parts of a chart are printed, besides its main objects.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChartParts {
    /// Whether the definitions in `crds/` are: `--include-crds`.
    pub includes_definitions: bool,
    /// Whether hooks are not: `--no-hooks`.
    pub skips_hooks: bool,
    /// Whether tests are not: `--skip-tests`.
    pub skips_tests: bool,
}

/// Values for a chart.
#[derive(Debug, Clone)]
pub struct ValueLayer {
    /// The file they stand in.
    pub path: String,
    /// What it says, in YAML.
    pub text: String,
}

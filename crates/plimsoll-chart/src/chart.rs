//! Charts as they lie in a folder or archive: metadata, templates, values, files and the charts inside.

mod archive;
mod content;
mod failure;
mod folder;
mod ignore;
pub(crate) mod load;
mod metadata;
mod reading;

pub use content::Content;
pub use failure::ChartFailure;
pub use folder::{DiskFolder, Entry, Folder};
pub use metadata::{Dependency, Metadata};

use crate::render::HelmVersion;
use plimsoll_model::Node;
use reading::MAX_CHART_BYTES;
use std::sync::Arc;

/// A chart that was read. Nothing of it was rendered or decided yet.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What `Chart.yaml` says.
    pub metadata: Metadata,
    /// Where it stands below the outermost chart, as `charts/name` or `charts/name.tgz`; empty for that one.
    pub path: Arc<str>,
    /// What `values.yaml` says; its places have no file yet.
    pub(crate) values: Option<Arc<Node>>,
    /// The values as Helm 3 reads them, where that may be something else.
    pub(crate) values_for_helm_3: Option<Arc<Node>>,
    /// The text of `values.schema.json`.
    pub(crate) schema: Option<Arc<str>>,
    /// Files below `templates/`.
    pub(crate) templates: Vec<ChartFile>,
    /// All files that have no other meaning; `crds/` among them.
    pub(crate) files: Vec<ChartFile>,
    /// The charts of `charts/`, by name of folder or archive.
    pub(crate) charts: Vec<Chart>,
}

/// A file of a chart.
#[derive(Debug, Clone)]
pub struct ChartFile {
    /// The path inside the chart.
    pub path: Arc<str>,
    /// What is in it, without a byte order mark.
    pub content: Content,
}

impl ChartFile {
    /// The content as text; what is no UTF-8 is shown as such.
    #[must_use]
    pub fn text(&self) -> Arc<str> {
        self.content.text()
    }
}

impl Chart {
    /// The chart's own values.
    pub(crate) fn values(&self, helm: HelmVersion) -> Option<&Node> {
        match helm {
            HelmVersion::Three => self.values_for_helm_3.as_deref().or(self.values.as_deref()),
            HelmVersion::Four => self.values.as_deref(),
        }
    }

    /// Reads a chart of a folder.
    pub fn from_folder(folder: &dyn Folder) -> Result<Self, ChartFailure> {
        load::chart(reading::files(folder)?, "")
    }

    /// Reads a chart of an archive, as `helm package` makes it.
    pub fn from_archive(bytes: &[u8]) -> Result<Self, ChartFailure> {
        load::chart(archive::files(bytes, &mut (MAX_CHART_BYTES as u64))?, "")
    }

    /// Puts a chart where a dependency would stand that `charts/` does not have.
    pub fn supply(&mut self, mut chart: Self) {
        chart.path = format!("charts/{}", chart.metadata.name).into();
        self.charts.push(chart);
    }

    /// Dependencies that `Chart.yaml` names and `charts/` does not have; `helm dependency build` brings them.
    #[must_use]
    pub fn missing(&self) -> Vec<&Dependency> {
        let is_present = |name: &str| self.charts.iter().any(|chart| chart.metadata.name == name);
        self.metadata.dependencies.iter().filter(|dependency| !is_present(&dependency.name)).collect()
    }

    /// Whether it only defines templates for others.
    #[must_use]
    pub fn is_library(&self) -> bool {
        self.metadata.kind.eq_ignore_ascii_case("library")
    }

    /// A file that has a meaning, by its path below the outermost chart.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&ChartFile> {
        let own = self.templates.iter().chain(&self.files);
        let found = own.map(|file| (self.inside(&file.path), file)).find(|(below, _)| below == path);
        let inner = || self.charts.iter().find_map(|chart| chart.file(path));
        found.map(|(_, file)| file).or_else(inner)
    }

    /// A path inside this chart as a path below the outermost one.
    fn inside(&self, path: &str) -> String {
        if self.path.is_empty() { path.to_owned() } else { format!("{}/{path}", self.path) }
    }

    /// The files below `crds/` of the chart and the charts inside, in Helm's order, each with its path below the
    /// outermost chart.
    #[must_use]
    pub fn definitions(&self) -> Vec<(String, &ChartFile)> {
        let inner = self.charts.iter().flat_map(Self::definitions);
        self.own_definitions().chain(inner).collect()
    }

    /// The files below its own `crds/`.
    pub(crate) fn own_definitions(&self) -> impl Iterator<Item = (String, &ChartFile)> {
        let is_manifest = |path: &str| {
            let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
            matches!(ending.as_deref(), Some("yaml" | "yml" | "json"))
        };
        let own =
            self.files.iter().filter(move |file| file.path.starts_with("crds/") && is_manifest(&file.path));
        own.map(|file| (self.inside(&file.path), file))
    }
}

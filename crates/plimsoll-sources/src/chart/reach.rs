//! How far links in a chart may lead.
//!
//! Helm follows every link (v4.3.1 `internal/sympath/walk.go`, the same in v3.22.0). A chart that somebody else wrote could
//! so show any file of the machine that checks it. Here links lead to what lies with the chart: in its repository, or
//! below the folder that the program works in. What git keeps for itself is not shown.

use crate::host::Host;
use crate::search::join;
use std::sync::OnceLock;

/// Where the files of a chart may really stand.
pub(super) struct Reach<'h> {
    host: &'h dyn Host,
    chart: &'h str,
    /// The folders, without links.
    folders: OnceLock<Vec<String>>,
}

impl<'h> Reach<'h> {
    pub(super) fn of(host: &'h dyn Host, chart: &'h str) -> Self {
        Self { host, chart, folders: OnceLock::new() }
    }

    /// Whether a path of the chart leads to what lies with it.
    pub(super) fn holds(&self, path: &str) -> bool {
        let real = self.host.real(path);
        let folders = self.folders.get_or_init(|| self.folders());
        let is_kept_by_git = real.split('/').any(|part| part == GIT);
        !is_kept_by_git && folders.iter().any(|folder| is_inside(&real, folder))
    }

    fn folders(&self) -> Vec<String> {
        let chart = self.host.real(self.chart);
        let above = chart.match_indices('/').filter_map(|(at, _)| chart.get(..at));
        let is_repository = |folder: &&str| !folder.is_empty() && self.host.look(&join(folder, GIT)).is_ok();
        let repository = above.rev().find(is_repository).map(str::to_owned);
        // Whoever works at the root of all files does not mean all of them.
        let here = Some(self.host.real(".")).filter(|here| here != "/");
        [repository, here, Some(chart)].into_iter().flatten().collect()
    }
}

const GIT: &str = ".git";

/// Whether a path is a folder or stands in it.
pub(super) fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

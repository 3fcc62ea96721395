//! Why a chart cannot be read.

use thiserror::Error;

/// What is wrong with a chart, and where.
#[derive(Debug, Error)]
pub enum ChartFailure {
    /// A folder or file cannot be read.
    #[error("{path} cannot be read: {cause}")]
    Unreadable {
        /// The path inside the chart.
        path: String,
        /// What the system says.
        cause: String,
    },
    /// There is no `Chart.yaml`.
    #[error("{path} has no Chart.yaml, so it is no chart; name the folder that has it")]
    NoMetadata {
        /// The path of the chart.
        path: String,
    },
    /// A file of the chart does not say what it should.
    #[error("{path}: {cause}")]
    Broken {
        /// The path inside the chart.
        path: String,
        /// What is wrong, and the line.
        cause: String,
    },
    /// An archive that is none, is too large, or leads out of the chart.
    #[error("{path} is not an archive of a chart: {cause}")]
    BadArchive {
        /// The path of the archive; empty for the one that was named.
        path: String,
        /// What is wrong.
        cause: String,
    },
    /// The chart is larger than Helm takes.
    #[error("the chart has more than {limit} MiB; list what does not belong to it in .helmignore")]
    TooLarge {
        /// The limit in MiB.
        limit: usize,
    },
}

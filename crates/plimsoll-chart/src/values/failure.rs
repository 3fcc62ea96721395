//! Why values cannot be taken.

use thiserror::Error;

/// What is wrong with the values.
#[derive(Debug, Error)]
pub enum ValuesFailure {
    /// A values file is not YAML, or not a map.
    #[error("{path}: {cause}")]
    BadFile {
        /// The file as it was named.
        path: String,
        /// What is wrong, and the line.
        cause: String,
    },
    /// A value set on the command line cannot be understood.
    #[error("{flag} {text}: {cause}")]
    BadAssignment {
        /// The flag.
        flag: &'static str,
        /// What stands behind it.
        text: String,
        /// What is wrong.
        cause: String,
    },
    /// Values of a chart inside another are no map.
    #[error("the values of the chart {chart} are not a map; write its values below the key {chart}")]
    NotATable {
        /// The name of the chart.
        chart: String,
    },
    /// The values do not fit the schema of a chart.
    #[error("the values do not fit values.schema.json of the chart {chart}: {cause}")]
    Schema {
        /// The name of the chart.
        chart: String,
        /// What does not fit, one line each.
        cause: String,
    },
}

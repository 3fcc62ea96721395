//! A cluster for a test, or the word that there is none.

use super::{Cluster, ClusterError, Options};
use std::io::Write as _;

impl Cluster {
    /// As [`Cluster::start`], for a test that can be skipped: where the programs or the rights for a cluster are not to
    /// be had, it says so and gives nothing. In continuous integration, where `CI` is set, that is a failure.
    pub fn start_for_test(options: Options) -> Result<Option<Self>, ClusterError> {
        match Self::start(options) {
            Err(failure) if failure.is_lack() && std::env::var_os("CI").is_none() => {
                let thread = std::thread::current();
                // Written straight to standard error: what is printed is kept back while a test succeeds.
                let _ =
                    writeln!(std::io::stderr(), "skipped: {}: {failure}", thread.name().unwrap_or("a test"));
                Ok(None)
            }
            outcome => outcome.map(Some),
        }
    }
}

impl ClusterError {
    /// Whether the machine lacks something, and nothing went wrong.
    fn is_lack(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::NeedsRoot { .. })
    }
}

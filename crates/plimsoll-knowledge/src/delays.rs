//! How long things take: the figures of `data/delays.toml` by name.

use plimsoll_model::Delay;
use serde::Deserialize;
use std::sync::LazyLock;
use std::time::Duration;

/// The delays of `data/delays.toml`.
pub(crate) static DELAYS: LazyLock<Delays> =
    LazyLock::new(|| toml::from_str(include_str!("../data/delays.toml")).unwrap_or_default());

/// Every delay that knowledge uses, one field for each table of the data file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Delays {
    pub(crate) request: Figure,
    pub(crate) discovery: Figure,
    pub(crate) crd_established: Figure,
    pub(crate) crd_discoverable: Figure,
    pub(crate) crd_made: Figure,
    pub(crate) namespace_contents: Figure,
    pub(crate) pods_created: Figure,
    pub(crate) pod_scheduled: Figure,
    pub(crate) container_started: Figure,
    pub(crate) pod_ready: Figure,
    pub(crate) job_complete: Figure,
    pub(crate) volume_bound: Figure,
    pub(crate) issuer_ready: Figure,
    pub(crate) certificate_issued: Figure,
    pub(crate) secret_fetched: Figure,
    pub(crate) ca_injected: Figure,
    pub(crate) api_available: Figure,
    pub(crate) custom_ready: Figure,
    pub(crate) deleted: Figure,
}

/// One delay in seconds, and where it was read.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    low: f64,
    usual: f64,
    high: f64,
    #[cfg_attr(not(test), expect(dead_code, reason = "a figure without a source does not parse"))]
    source: String,
}

impl Figure {
    pub(crate) fn delay(&self) -> Delay {
        Delay {
            low: Duration::from_secs_f64(self.low),
            usual: Duration::from_secs_f64(self.usual),
            high: Duration::from_secs_f64(self.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_file_parses_and_every_figure_is_in_order_and_has_a_source() {
        let text = include_str!("../data/delays.toml");
        toml::from_str::<Delays>(text).expect("data/delays.toml");
        let figures: std::collections::BTreeMap<String, Figure> =
            toml::from_str(text).expect("tables of figures");
        for (name, figure) in figures {
            assert!(0.0 <= figure.low && figure.low <= figure.usual && figure.usual <= figure.high, "{name}");
            assert!(figure.source.len() > 10, "{name} has no source");
        }
    }
}

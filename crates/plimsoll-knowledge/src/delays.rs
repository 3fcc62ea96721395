//! How long things take, by name: what was measured, `data/measured.tsv`, and what is said of other clusters,
//! `data/delays.toml`.

use plimsoll_model::Delay;
use serde::Deserialize;
use std::sync::LazyLock;
use std::time::Duration;

/// What is known of delays.
pub(crate) static DELAYS: LazyLock<Delays> = LazyLock::new(|| read().unwrap_or_default());

/// Every delay that knowledge uses.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Delays {
    pub(crate) request: Figure,
    pub(crate) discovery: Figure,
    pub(crate) crd_established: Figure,
    pub(crate) crd_discoverable: Figure,
    pub(crate) made: Figure,
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
    #[expect(dead_code, reason = "a figure without a source does not parse")]
    source: String,
}

/// The figures that are said, and those that were measured where nothing is said.
fn read() -> Result<Delays, toml::de::Error> {
    let mut said: toml::Table = toml::from_str(include_str!("../data/delays.toml"))?;
    for [name, low, usual, high, method] in measured() {
        let delay = said.entry(name).or_insert_with(|| toml::Table::new().into());
        let Some(delay) = delay.as_table_mut() else { continue };
        for (key, figure) in [("low", low), ("usual", usual), ("high", high)] {
            let figure: f64 = figure.parse().unwrap_or_default();
            delay.entry(key).or_insert_with(|| figure.into());
        }
        delay.entry("source").or_insert_with(|| method.into());
    }
    said.try_into()
}

/// Rows of what was measured: name, low, usual, high, and how.
fn measured() -> impl Iterator<Item = [&'static str; 5]> {
    let lines = include_str!("../data/measured.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut cells = line.split('\t');
        [(); 5].map(|()| cells.next().unwrap_or_default())
    })
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
    use std::collections::BTreeMap;

    #[test]
    fn every_delay_in_use_has_figures_in_order_and_a_source() {
        read().expect("every field of Delays has its three figures");
        let said: BTreeMap<String, toml::Table> =
            toml::from_str(include_str!("../data/delays.toml")).expect("tables");
        for (name, delay) in &said {
            let source = delay.get("source").and_then(toml::Value::as_str).unwrap_or_default();
            assert!(source.len() > 10, "{name} has no source");
        }
        for [name, low, usual, high, method] in measured() {
            let [low, usual, high] =
                [low, usual, high].map(|figure| figure.parse::<f64>().expect("a number of seconds"));
            assert!(0.0 < low && low <= usual && usual <= high && method.len() > 10, "{name}");
            // What is said of clusters at large allows what was seen on one of them.
            let said = |key: &str| said.get(name)?.get(key)?.as_float();
            assert!(said("low").is_none_or(|said| said <= low), "{name} was quicker: {low} s");
            assert!(said("high").is_none_or(|said| high <= said), "{name} was slower: {high} s");
        }
    }
}

//! `cargo xtask delays`: how long things take on a real cluster, into `data/measured.tsv` and `data/pauses.tsv`.

mod page;

use anyhow::{Context as _, Result, bail};
use plimsoll_testbed::delays::{self, Measured};
use plimsoll_testbed::programs::KUBERNETES;
use plimsoll_testbed::workplace::Workplace;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// How often each delay is measured.
const RUNS: usize = 9;

/// Measures, prints the page, and keeps the figures where that is asked for.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let is_written = match arguments {
        [] => false,
        ["--write"] => true,
        _ => bail!("cargo xtask delays takes --write, or nothing"),
    };
    let busy = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let folder = Workplace::open().context("a folder for the image table")?;
    let mut out = std::io::stderr();
    let all = delays::measure(RUNS, folder.path(), &mut |line| drop(writeln!(out, "{line}")))?;
    let page = page::write(&all, busy.split(' ').next().unwrap_or_default());
    std::io::stdout().write_all(page.as_bytes())?;
    if !is_written {
        return Ok(());
    }
    keep("../docs/benchmarks/delays.md", &page)?;
    keep("../crates/plimsoll-knowledge/data/measured.tsv", &table(&all, "low\tusual\thigh", false, figures))?;
    keep("../crates/plimsoll-knowledge/data/pauses.tsv", &table(&all, "pauses", true, pauses))
}

fn table(all: &[Measured], heading: &str, is_clock: bool, cells: fn(&Measured) -> String) -> String {
    let mut text = format!(
        "# Seen on Kubernetes {KUBERNETES}; seconds. Written by `cargo xtask delays --write`.\n# name\t{heading}\tmethod\n"
    );
    for measured in all.iter().filter(|measured| measured.is_clock == is_clock) {
        let Measured { name, method, .. } = measured;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}\t{}\t{method}", cells(measured));
    }
    text
}

/// The shortest, the median and the longest time, on a ladder, so that they are the same on most machines.
fn figures(measured: &Measured) -> String {
    let [low, usual, high] = lowest_median_highest(measured);
    format!("{}\t{}\t{}", below(low), above(usual), above(high))
}

fn pauses(measured: &Measured) -> String {
    let all = measured.times.iter().map(|time| format!("{:.3}", time.as_secs_f64()));
    all.collect::<Vec<_>>().join(" ")
}

fn lowest_median_highest(measured: &Measured) -> [f64; 3] {
    let mut times = measured.times.clone();
    times.sort();
    let at = |index: usize| times.get(index).map_or(0.0, Duration::as_secs_f64);
    [at(0), at(times.len() / 2), at(times.len().saturating_sub(1))]
}

/// 1, 2, 3, 5 and 7 milliseconds, 10, 20, 30, 50 and 70, and so on to some minutes.
fn ladder() -> impl DoubleEndedIterator<Item = f64> {
    let rungs = (0..6).flat_map(|decade| [1, 2, 3, 5, 7].map(|digit| digit * 10_u32.pow(decade)));
    rungs.map(|milliseconds| f64::from(milliseconds) / 1000.0).collect::<Vec<_>>().into_iter()
}

fn below(seconds: f64) -> f64 {
    ladder().rev().find(|rung| *rung <= seconds).unwrap_or(0.001)
}

fn above(seconds: f64) -> f64 {
    ladder().find(|rung| seconds <= *rung).unwrap_or(seconds)
}

fn keep(path: &str, text: &str) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::write(&path, text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::{above, below};

    #[test]
    fn figures_stand_on_a_ladder() {
        let down = [0.0004, 0.001, 0.0021, 0.9, 30.0].map(|time| below(time).to_string());
        assert_eq!(down, ["0.001", "0.001", "0.002", "0.7", "30"]);
        let up = [0.0004, 0.0051, 0.9, 24.3, 51.0].map(|time| above(time).to_string());
        assert_eq!(up, ["0.001", "0.007", "1", "30", "70"]);
    }
}

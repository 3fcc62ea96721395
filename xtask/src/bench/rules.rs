//! `bench check --by-rule`: what each rule alone takes, on the input of `bench check`.

use super::process::median;
use super::{RUNS, input, say};
use anyhow::Result;
use plimsoll_knowledge::{Scene, ask_apart};
use plimsoll_model::Operation;
use plimsoll_sources::{Disk, Input, read};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// What asking one rule took, and how much it said.
#[derive(Default)]
struct Cost {
    took: Vec<Duration>,
    said: usize,
}

/// Measures every rule and prints them, the dearest first.
pub(super) fn by_rule(objects: usize) -> Result<()> {
    let written = input::realistic(objects)?;
    let input = Input { paths: vec![written.path()], ..Input::default() };
    let bundle = read(&input, &Disk);
    let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
    let mut costs: BTreeMap<&str, Cost> = BTreeMap::new();
    for _ in 0..RUNS {
        let mut since = Instant::now();
        ask_apart(&bundle, scene, |name, said| {
            let cost = costs.entry(name).or_default();
            cost.took.push(since.elapsed());
            cost.said = said;
            since = Instant::now();
        });
    }
    say(&table(&costs, objects));
    Ok(())
}

fn table(costs: &BTreeMap<&str, Cost>, objects: usize) -> String {
    let mut rows: Vec<(Duration, &str, usize)> =
        costs.iter().map(|(name, cost)| (median(&cost.took), *name, cost.said)).collect();
    rows.sort_by(|a, b| b.cmp(a));
    let all: Duration = rows.iter().map(|(took, ..)| *took).sum();
    let mut text = format!("{objects} objects, one rule after the other, median of {RUNS} runs\n\n");
    for (took, name, said) in rows {
        let share = 100.0 * took.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
        let milliseconds = took.as_secs_f64() * 1000.0;
        let _ = writeln!(text, "{name:<12} {milliseconds:>9.3} ms {share:>5.1} %  {said:>7} requirements");
    }
    text
}

//! Runs a program several times and notes how long it took and how much memory it held.

use anyhow::{Context as _, Result, ensure};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4 as _;

/// What several runs of a program took.
pub(super) struct Runs {
    /// From the start of the process to its end, in the order of the runs.
    pub(super) wall: Vec<Duration>,
    /// The most memory that a run held, in bytes.
    pub(super) memory: u64,
    /// The time on all cores together, of the run that took least.
    pub(super) processor: Duration,
}

impl Runs {
    /// Adds more of them.
    pub(super) fn add(&mut self, more: Self) {
        self.wall.extend(more.wall);
        self.memory = self.memory.max(more.memory);
        self.processor = self.processor.min(more.processor);
    }

    /// The middle of the runs.
    pub(super) fn median(&self) -> Duration {
        median(&self.wall)
    }

    /// The quickest run.
    pub(super) fn best(&self) -> Duration {
        self.wall.iter().min().copied().unwrap_or_default()
    }
}

/// The middle of some durations.
pub(super) fn median(durations: &[Duration]) -> Duration {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Runs a program so many times; its output goes nowhere. Both programs measured here end with 1 for "there are findings".
pub(super) fn run(program: &str, arguments: &[&str], times: usize) -> Result<Runs> {
    let mut runs = Runs { wall: Vec::new(), memory: 0, processor: Duration::MAX };
    for _ in 0..times {
        let start = Instant::now();
        let child = Command::new(program)
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {program}"))?;
        let ended = child.wait4().with_context(|| format!("waiting for {program}"))?;
        runs.wall.push(start.elapsed());
        let code = ended.status.code();
        ensure!(matches!(code, Some(0 | 1)), "{program} {} ended with {}", arguments.join(" "), ended.status);
        runs.memory = runs.memory.max(ended.rusage.maxrss);
        runs.processor = runs.processor.min(ended.rusage.utime + ended.rusage.stime);
    }
    Ok(runs)
}

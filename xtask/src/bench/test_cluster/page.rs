//! The numbers of a test cluster as tables: the same text on the terminal and in `docs/benchmarks/test-cluster.md`.

use super::super::report::{milliseconds, table};
use super::{PODS, RUNS, Timed, WORKERS};
use plimsoll_testbed::programs::KUBERNETES;
use std::time::Duration;

/// Everything that was measured, as a page.
pub(super) fn write(starts: &[Timed], work: &[Timed], machine: &str, busy: &str) -> String {
    format!(
        "# How fast a test cluster is\n\n\
         Written by `cargo xtask bench test-cluster --write`; run it without `--write` to see your own numbers.\n\n\
         {machine} Kubernetes {KUBERNETES}. Load average of the machine when the measurement began: {busy}.\n\n\
         ## Ready and gone\n\n{}\n\
         ## At work\n\n{}\n\
         ## Method\n\n{}\n\
         ## Raw numbers\n\nMilliseconds, in the order of the runs.\n\n```text\n{}```\n",
        table(&start_rows(starts)),
        table(&work_rows(work)),
        method(),
        starts.iter().chain(work).map(raw).collect::<Vec<_>>().concat(),
    )
}

fn method() -> String {
    format!(
        "Everything is done {RUNS} times; the tables show the median and, in brackets, the best. The programs lie in \
         the cache already. *Ready* is the time from asking for a cluster until the API server answers, the controllers \
         have made the ServiceAccount that every pod needs, and every node is ready. *Gone* is the time from letting go \
         of it until its last process has ended.\n\n\
         Pods: a cluster with one node, whose real kubelet uses our container runtime. {PODS} pods of an image that \
         sleeps are created at once; the time runs from before the first creation until a watch has shown the last one \
         ready. They are deleted and gone before the next run.\n\n\
         ConfigMaps: a control plane alone, audit log on, with a client outside it, through the forwarder. {WORKERS} \
         workers create small ConfigMaps, each worker one after the other, then read them one by one. No deploy tool \
         can be faster than that. The first run also warms the API server up.\n"
    )
}

fn start_rows(starts: &[Timed]) -> Vec<Vec<String>> {
    let mut rows = vec![["cluster", "time"].map(str::to_owned).to_vec()];
    rows.extend(starts.iter().map(|timed| vec![timed.what.clone(), timed.seconds()]));
    rows
}

fn work_rows(work: &[Timed]) -> Vec<Vec<String>> {
    let mut rows = vec![["work", "count", "time", "a second"].map(str::to_owned).to_vec()];
    rows.extend(
        work.iter()
            .map(|timed| vec![timed.what.clone(), timed.count.to_string(), timed.seconds(), timed.rate()]),
    );
    rows
}

fn raw(timed: &Timed) -> String {
    let all: Vec<String> = timed.times.iter().map(|time| milliseconds(*time)).collect();
    format!("{:<30} {}\n", timed.what, all.join(" "))
}

impl Timed {
    /// The median and the best.
    fn middle_and_best(&self) -> [Duration; 2] {
        let mut times = self.times.clone();
        times.sort();
        [times.len() / 2, 0].map(|at| times.get(at).copied().unwrap_or_default())
    }

    fn seconds(&self) -> String {
        let [middle, best] = self.middle_and_best().map(|time| time.as_secs_f64());
        format!("{middle:.2} s ({best:.2})")
    }

    /// How many were done in a second.
    fn rate(&self) -> String {
        let count = u32::try_from(self.count).unwrap_or(u32::MAX);
        let [middle, best] = self.middle_and_best().map(|time| f64::from(count) / time.as_secs_f64());
        format!("{middle:.1} ({best:.1})")
    }
}

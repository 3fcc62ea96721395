//! `bench test-cluster`: how soon a cluster is ready and gone, and how many requests a second it takes from a bare
//! parallel client; `--write` keeps the numbers in `docs/benchmarks/test-cluster.md`.

use super::{again_in_release, machine, say};
use anyhow::{Context as _, Result, bail, ensure};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::load;
use plimsoll_testbed::programs::KUBERNETES;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often a cluster is started in each size.
const RUNS: usize = 5;

/// How many objects the client creates and reads, and with how many workers.
const LOAD: (usize, usize) = (2_000, 32);

/// Measures and prints the tables.
pub(crate) fn test_cluster(words: &[&str]) -> Result<()> {
    let is_written = match words {
        [] => false,
        ["--write"] => true,
        _ => bail!("bench test-cluster takes --write, or nothing"),
    };
    if cfg!(debug_assertions) {
        return again_in_release("test-cluster", words);
    }
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--release", "--package", "plimsoll-testbed"]);
    ensure!(build.status().context("running cargo")?.success(), "building plimsoll-testbed");
    let mut page = format!(
        "# A test cluster\n\n`cargo xtask bench test-cluster`, Kubernetes {KUBERNETES}, programs already built. {}\n\n\
         | cluster | ready: best | median | worst | gone: median |\n| --- | --- | --- | --- | --- |\n",
        machine()
    );
    for (what, nodes, kwok) in
        [("control plane", 0, 0), ("and one real node", 1, 0), ("and 100 nodes of kwok", 0, 100)]
    {
        say(&format!("measuring {what}"));
        let (ready, gone) = starts(nodes, kwok)?;
        let seconds = |times: &[Duration], at: usize| times.get(at).map_or(0.0, Duration::as_secs_f64);
        let (best, middle, worst) =
            (seconds(&ready, 0), seconds(&ready, RUNS / 2), seconds(&ready, RUNS - 1));
        writeln!(
            page,
            "| {what} | {best:.2} s | {middle:.2} s | {worst:.2} s | {:.2} s |",
            seconds(&gone, RUNS / 2)
        )?;
    }
    page.push_str(&requests()?);
    say(&page);
    if is_written {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks/test-cluster.md");
        std::fs::write(&path, page).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Times from the call to readiness, and from the end of its owner to the end of its last process; sorted.
fn starts(nodes: u8, kwok: u32) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut ready, mut gone) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let began = Instant::now();
        let cluster = Cluster::start(Options { nodes, kwok, ..Options::default() })?;
        ready.push(began.elapsed());
        let began = Instant::now();
        drop(cluster);
        gone.push(began.elapsed());
    }
    ready.sort();
    gone.sort();
    Ok((ready, gone))
}

fn requests() -> Result<String> {
    let (objects, workers) = LOAD;
    say("measuring requests");
    let cluster = Cluster::start(Options::default())?;
    let path = cluster.kubeconfig_path();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // Once to warm up.
    runtime.block_on(load::put_on(&path, objects, workers))?;
    let load = runtime.block_on(load::put_on(&path, objects, workers))?;
    let objects = u32::try_from(objects)?;
    let rate = |time: Duration| f64::from(objects) / time.as_secs_f64();
    Ok(format!(
        "\nA bare client with {workers} workers and {objects} ConfigMaps, through the forwarder, audit log on: \
         {:.0} created a second, {:.0} read a second.\n",
        rate(load.create),
        rate(load.read),
    ))
}

//! `bench test-cluster`: how soon a cluster is ready and gone, how many pods a second one kubelet starts, and how many
//! requests a second a bare parallel client gets; `--write` keeps the numbers in `docs/benchmarks/test-cluster.md`.

mod page;

use super::{again_in_release, machine, say};
use anyhow::{Context as _, Result, bail, ensure};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::load;
use plimsoll_testbed::workplace::Workplace;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often everything is done.
const RUNS: usize = 5;

/// How many pods one kubelet starts at once.
const PODS: usize = 50;

/// How many ConfigMaps the client creates and reads, and with how many workers.
const CONFIG_MAPS: usize = 1_000;
const WORKERS: usize = 32;

/// Something that was timed, run by run.
struct Timed {
    what: String,
    /// How many things were done in the time.
    count: usize,
    times: Vec<Duration>,
}

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
    let busy = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let mut starts = Vec::new();
    for (what, nodes, kwok) in
        [("control plane", 0, 0), ("with one real node", 1, 0), ("with 100 nodes of kwok", 0, 100)]
    {
        starts.extend(start(what, nodes, kwok)?);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut work = vec![runtime.block_on(pods())?];
    work.extend(runtime.block_on(requests())?);
    let page = page::write(&starts, &work, &machine(), busy.split(' ').next().unwrap_or_default());
    say(&page);
    if is_written {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks/test-cluster.md");
        std::fs::write(&path, page).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Times from the call to readiness, and from the end of its owner to the end of its last process.
fn start(what: &str, nodes: u8, kwok: u32) -> Result<[Timed; 2]> {
    say(&format!("measuring: {what}"));
    let (mut ready, mut gone) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let began = Instant::now();
        let cluster = Cluster::start(Options { nodes, kwok, ..Options::default() })?;
        ready.push(began.elapsed());
        let began = Instant::now();
        drop(cluster);
        gone.push(began.elapsed());
    }
    let timed = |end: &str, times| Timed { what: format!("{what}, {end}"), count: 1, times };
    Ok([timed("ready", ready), timed("gone", gone)])
}

/// Pods that sleep, on a cluster with one node.
async fn pods() -> Result<Timed> {
    say("measuring: pods");
    let folder = Workplace::open()?;
    let images = folder.path().join("images.yaml");
    std::fs::write(&images, "otherwise: sleeps\n")?;
    let cluster = Cluster::start(Options { nodes: 1, images: Some(images), ..Options::default() })?;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(load::start_pods(&cluster.kubeconfig_path(), "sleeping", PODS).await?);
    }
    Ok(Timed { what: "pods started by one kubelet".to_owned(), count: PODS, times })
}

/// ConfigMaps, on a control plane alone.
async fn requests() -> Result<[Timed; 2]> {
    say("measuring: requests");
    let cluster = Cluster::start(Options::default())?;
    let (mut create, mut read) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let load = load::put_on(&cluster.kubeconfig_path(), CONFIG_MAPS, WORKERS).await?;
        create.push(load.create);
        read.push(load.read);
    }
    let timed = |done: &str, times| Timed { what: format!("ConfigMaps {done}"), count: CONFIG_MAPS, times };
    Ok([timed("created", create), timed("read", read)])
}

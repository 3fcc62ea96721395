//! `test-cluster`: a real cluster on this machine that lives until it is taken down.

mod arguments;

use anyhow::{Context as _, Result, bail, ensure};
use arguments::Up;
use plimsoll_testbed::cluster::{self, Cluster, Isolation, Running};
use plimsoll_testbed::operators;
use plimsoll_testbed::processes::State;
use plimsoll_testbed::programs::{self, Program};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Command;
use std::time::Instant;

/// What a cluster is called when nobody says.
const NAME: &str = "plimsoll";

const USAGE: &str = "\
usage: cargo xtask test-cluster …
  up [NAME] [OPTION]…          start a cluster; it lives until `down`
      --nodes N                real nodes, node-1 to node-N, with the real kubelet (needs root)
      --with OPERATOR,…        cert-manager, external-secrets, flux; from their own charts, on a node
      --images FILE            which image is which local program, for real nodes
      --kwok N                 nodes kwok-1 to kwok-N that only exist as objects; beside real ones they are tainted
      --taint NODE=KEY=VALUE:EFFECT
      --capacity NODE=4,16Gi   the processors and memory that it says it has; otherwise 64 and 256Gi
      --not-ready NODE         its kubelet is stopped once it is there; it is NotReady after its grace period
      --slow NODE              its kubelet and runtime stand still nine tenths of the time
      --kubernetes VERSION     such as v1.36.4, which is the default
  down [NAME | --all]          end a cluster
  status                       what runs, and whether all of it does
  kubeconfig [NAME]            where the kubeconfig lies
  logs PROGRAM [NAME]          what a program has printed: kube-apiserver, etcd, node-1/kubelet, …
  build [PROGRAM… | --all]     build programs that are not there yet; without a name those of a cluster";

/// Runs `test-cluster` with these words.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    clear_leftovers();
    match words {
        ["up", rest @ ..] => up(arguments::up(rest)?),
        ["down", "--all"] => cluster::running().iter().filter(|one| one.is_detached()).try_for_each(down),
        ["down", rest @ ..] => down(&find(rest)?),
        ["status"] => {
            status();
            Ok(())
        }
        ["kubeconfig", rest @ ..] => {
            say(&find(rest)?.kubeconfig_path().display().to_string());
            Ok(())
        }
        ["logs", program, rest @ ..] => {
            let found = find(rest)?;
            let log = found
                .logs(program)
                .with_context(|| format!("cluster {} has {}", found.name(), listed(&found)))?;
            say(log.trim_end());
            Ok(())
        }
        ["build", rest @ ..] => build_programs(rest),
        _ => bail!(USAGE),
    }
}

fn up(wanted: Up) -> Result<()> {
    let name = wanted.options.name.clone();
    if let Some(found) = cluster::running().into_iter().find(|one| one.name() == name) {
        let is_broken = found.states().is_ok_and(|states| broken(&states).is_some());
        ensure!(
            is_broken,
            "cluster {name} runs already: take it down first (cargo xtask test-cluster down {name}), or give this one another name"
        );
        say(&format!("cluster {name} was left broken: it is cleared"));
        found.end()?;
    }
    build()?;
    let isolation = wanted.options.isolation.unwrap_or_else(Isolation::strongest);
    if let Some(limits) = isolation.limits() {
        say(limits);
    }
    let began = Instant::now();
    let progress = &mut |text: &str| say(&format!("{:5.1} s  {text}", began.elapsed().as_secs_f64()));
    operators::prepare(&wanted.operators, progress)?;
    let started = Cluster::start_with_progress(wanted.options, progress)?;
    operators::install(&started, &wanted.operators, progress)?;
    for node in wanted.not_ready {
        started.stop_program(&format!("{node}/kubelet"))?;
    }
    let running = started.detach()?;
    say(&format!("{:5.1} s  cluster {name} is ready", began.elapsed().as_secs_f64()));
    let (config, cache) = (running.kubeconfig_path(), running.cache_path());
    say(&format!("\nexport KUBECONFIG={} KUBECACHEDIR={}", config.display(), cache.display()));
    say(&format!("cargo xtask test-cluster down {name}    # when it is not needed any more"));
    Ok(())
}

fn down(found: &Running) -> Result<()> {
    found.end()?;
    say(&format!("cluster {} is gone", found.name()));
    Ok(())
}

fn status() {
    let all = cluster::running();
    if all.is_empty() {
        say("no cluster runs");
    }
    for one in all {
        let state = match one.states() {
            Ok(states) => broken(&states).unwrap_or_else(|| working(&states)),
            // A cluster that is on its way has no ear yet.
            Err(_) => "is starting, or does not answer".to_owned(),
        };
        let life = if one.is_detached() { "until `down`" } else { "as long as the process that made it" };
        say(&format!("{}  {state}; lives {life}", one.name()));
        say(&format!("  KUBECONFIG={}", one.kubeconfig_path().display()));
        say(&format!("  {}", listed(&one)));
    }
}

/// That it runs, and what of it was asked to stop.
fn working(states: &BTreeMap<String, State>) -> String {
    let stopped = states.iter().filter(|(_, state)| **state == State::Stopped).map(|(name, _)| name.as_str());
    let stopped: Vec<&str> = stopped.collect();
    if stopped.is_empty() { "runs".to_owned() } else { format!("runs, without {}", stopped.join(", ")) }
}

/// Which programs are down, if any is.
fn broken(states: &BTreeMap<String, State>) -> Option<String> {
    let down = states.iter().filter_map(|(name, state)| match state {
        State::Running | State::Stopped => None,
        State::Ended(how) => Some(format!("{name} ended with {how}")),
    });
    let down: Vec<String> = down.collect();
    (!down.is_empty()).then(|| format!("is broken: {}", down.join(", ")))
}

fn listed(one: &Running) -> String {
    let names: Vec<String> = one.states().map(|states| states.into_keys().collect()).unwrap_or_default();
    format!("programs: {}", names.join(", "))
}

/// The cluster that is meant: the one of this name, or the only one.
fn find(words: &[&str]) -> Result<Running> {
    let all = cluster::running();
    match words {
        [name] => {
            let found = all.into_iter().find(|one| one.name() == *name);
            found.with_context(|| {
                format!("no cluster {name} runs; `cargo xtask test-cluster status` lists them")
            })
        }
        [] => {
            let mut lasting: Vec<Running> = all.into_iter().filter(Running::is_detached).collect();
            let found = lasting.pop().context("no cluster runs; `cargo xtask test-cluster up` starts one")?;
            ensure!(lasting.is_empty(), "several clusters run: say which one");
            Ok(found)
        }
        _ => bail!(USAGE),
    }
}

/// Obtains programs one after the other, so that later starts need not.
fn build_programs(words: &[&str]) -> Result<()> {
    let names = match words {
        [] => cluster::PROGRAMS.to_vec(),
        ["--all"] => programs::names(),
        names => names.to_vec(),
    };
    for name in names {
        let program = Program::named(name)?;
        let path = program.obtain(&mut |text| say(text))?;
        say(&format!("{name} {}: {}", program.version(), path.display()));
    }
    Ok(())
}

/// What processes without namespaces have left that were killed; the kernel clears all others.
fn clear_leftovers() {
    for folder in plimsoll_testbed::workplace::sweep() {
        say(&format!("cleared {}, left by a process that was killed", folder.display()));
    }
}

/// The supervisor is a program of its own, and must be of the same state as this one.
fn build() -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--package", "plimsoll-testbed"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let status = command.status().context("running cargo")?;
    ensure!(status.success(), "building plimsoll-testbed: {status}");
    Ok(())
}

fn say(text: &str) {
    // Nothing is left to report to when standard output itself is closed.
    let _ = writeln!(std::io::stdout(), "{text}");
}

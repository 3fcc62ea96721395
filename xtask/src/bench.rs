//! `bench check`: how long a check takes, from files to findings and part by part, with kubeconform beside it.
//!
//! `--objects N` looks at one size only; `--write` keeps the numbers in `docs/benchmarks/check.md`; `--by-rule` says what
//! each rule alone takes.

mod growth;
mod input;
mod kubeconform;
mod process;
mod reasoning;
mod render;
mod report;
mod rules;
mod schemas;
mod test_cluster;

pub(crate) use growth::growth;
pub(crate) use render::render;
pub(crate) use test_cluster::test_cluster;

use anyhow::{Context as _, Result, ensure};
use input::Written;
use kubeconform::Kubeconform;
use process::Runs;
use reasoning::Parts;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// How often everything is run.
const RUNS: usize = 7;

/// What was measured on one input.
struct Measured {
    name: String,
    objects: usize,
    files: usize,
    bytes: usize,
    findings: usize,
    plimsoll: Runs,
    kubeconform: Option<Runs>,
    parts: Parts,
}

/// Measures `plimsoll check` and prints the tables.
pub(crate) fn check(words: &[&str]) -> Result<()> {
    let (objects, is_written) = arguments(words)?;
    if cfg!(debug_assertions) {
        return again_in_release("check", words);
    }
    if words.contains(&"--by-rule") {
        return rules::by_rule(objects.unwrap_or(10_000));
    }
    build()?;
    let program = program()?;
    let (kubeconform, beside) = match kubeconform::prepare() {
        Ok(found) => {
            let schemas = "has its schemas on disk, one small file for each kind of Kubernetes; kinds without one are \
                skipped. It answers another question (is each object well formed?) and stands here as a measure of \
                what reading the same files costs.";
            let beside = format!("kubeconform {} {schemas}", found.version());
            (Some(found), beside)
        }
        Err(failure) => (None, format!("kubeconform was not to be had: {failure:#}.")),
    };
    let inputs = inputs(objects)?;
    // First every process, while this one is small: a child is charged with the memory of its parent.
    let mut runs = Vec::new();
    for (name, written) in &inputs {
        say(&format!("measuring {name}"));
        runs.push(run(written, &program, kubeconform.as_ref())?);
    }
    let mut all = Vec::new();
    for ((name, written), (plimsoll, kubeconform)) in inputs.into_iter().zip(runs) {
        say(&format!("measuring the parts of {name}"));
        all.push(Measured {
            name,
            objects: written.objects,
            files: written.files,
            bytes: written.bytes,
            findings: findings(&program, &written.path())?,
            plimsoll,
            kubeconform,
            parts: reasoning::measure(&written.path(), RUNS),
        });
    }
    let page = report::write(&all, &machine(), &beside);
    say(&page);
    if is_written { keep("check.md", &page) } else { Ok(()) }
}

/// Writes a page of numbers to where they are kept.
fn keep(name: &str, page: &str) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, page).with_context(|| format!("writing {}", path.display()))
}

/// The program that [`build`] has built.
fn program() -> Result<String> {
    Ok(std::env::current_exe()?.with_file_name("plimsoll").display().to_string())
}

/// The inputs, written to the disk.
fn inputs(objects: Option<usize>) -> Result<Vec<(String, Written)>> {
    let mut inputs = Vec::new();
    for size in objects.map_or_else(|| vec![10_000, 100_000], |objects| vec![objects]) {
        ensure!(size > 0, "--objects 0 leaves nothing to measure");
        inputs.push((format!("{size} objects of many teams"), input::realistic(size)?));
    }
    if objects.is_none() {
        let (many, instances) = (10_000, 5_000);
        inputs.push((format!("{many} objects, Namespace last"), input::before_namespace(many)?));
        inputs.push((format!("{instances} instances, CRD last"), input::before_definition(instances)?));
    }
    Ok(inputs)
}

/// Runs both programs on an input.
fn run(written: &Written, program: &str, beside: Option<&Kubeconform>) -> Result<(Runs, Option<Runs>)> {
    let folder = written.path();
    let plimsoll = process::run(program, &["check", &folder, "-o", "json"], RUNS)?;
    let kubeconform = beside.map(|beside| {
        let location = beside.location();
        let options = ["-summary", "-ignore-missing-schemas", "-schema-location", &location, &folder];
        process::run(&beside.program(), &options, RUNS)
    });
    Ok((plimsoll, kubeconform.transpose()?))
}

/// How many findings the program reports.
fn findings(program: &str, folder: &str) -> Result<usize> {
    let output = Command::new(program).args(["check", folder, "-o", "json", "--pedantic"]).output()?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    Ok(report.get("findings").and_then(serde_json::Value::as_array).map_or(0, Vec::len))
}

fn arguments(words: &[&str]) -> Result<(Option<usize>, bool)> {
    match words {
        [] | ["--by-rule"] => Ok((None, false)),
        ["--write"] => Ok((None, true)),
        ["--objects", number] | ["--by-rule", "--objects", number] => {
            Ok((Some(number.parse().context("--objects takes a number")?), false))
        }
        _ => Err(anyhow::anyhow!(
            "bench check takes --objects N, --write, or --by-rule and perhaps --objects N"
        )),
    }
}

/// Times of a program without optimisation say nothing, and `cargo xtask` is built so.
fn again_in_release(task: &str, words: &[&str]) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--release", "--package", "xtask", "--", "bench", task]).args(words);
    let status = command.status().context("running cargo")?;
    ensure!(status.success(), "the benchmark ended with {status}");
    Ok(())
}

fn build() -> Result<()> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "plimsoll"])
        .status()
        .context("running cargo")?;
    ensure!(status.success(), "building plimsoll: {status}");
    Ok(())
}

/// Processor, cores, memory, and which programs.
fn machine() -> String {
    let field = |file: &str, key: &str| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        line.split_once(':').map_or("unknown", |(_, value)| value.trim()).to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let memory: u64 = field("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse().unwrap_or(0);
    format!(
        "{}, {cores} cores, {} GiB, {}. plimsoll {}, built with `--release`.",
        field("/proc/cpuinfo", "model name"),
        memory >> 20,
        std::env::consts::OS,
        env!("CARGO_PKG_VERSION"),
    )
}

fn say(text: &str) {
    // Nothing is left to report to when standard output itself is closed.
    let _ = writeln!(std::io::stdout(), "{text}");
}

//! `bench render`: how long charts and kustomizations take, with Helm and kubectl beside it.
//!
//! Made-up ones of several sizes always; besides them whatever folders are named. `--write` keeps the numbers in
//! `docs/benchmarks/render.md`.

mod made_up;
mod page;

use super::process::{self, Runs};
use super::{again_in_release, build, keep, machine, program, say};
use anyhow::{Context as _, Result, ensure};
use plimsoll_testbed::programs::Program;
use std::path::Path;
use std::process::Command;

/// How often everything is run, in turns, so that all meet the same machine.
const RUNS: usize = 9;

/// What was measured on one input.
struct Measured {
    name: String,
    objects: usize,
    /// What the other programs print.
    bytes: usize,
    /// Each program with its runs: ours first.
    runs: Vec<(&'static str, Runs)>,
}

/// A command that is measured.
struct Contender {
    name: &'static str,
    program: String,
    arguments: Vec<String>,
}

/// Measures and prints the tables.
pub(crate) fn render(words: &[&str]) -> Result<()> {
    if cfg!(debug_assertions) {
        return again_in_release("render", words);
    }
    build()?;
    let (is_written, named) = match words {
        ["--write", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let made = made_up::all()?;
    let mut all = Vec::new();
    for (name, folder) in made.inputs() {
        all.push(measure(&name, &folder)?);
    }
    for folder in named {
        all.push(measure(&title(folder)?, folder)?);
    }
    let page = page::write(&all, &machine());
    say(&page);
    if is_written { keep("render.md", &page) } else { Ok(()) }
}

fn measure(name: &str, folder: &str) -> Result<Measured> {
    say(&format!("measuring {name}"));
    let contenders = contenders(folder)?;
    let mut runs: Vec<(&'static str, Runs)> = Vec::new();
    for round in 0..RUNS {
        for (at, Contender { name, program, arguments }) in contenders.iter().enumerate() {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let run = process::run(program, &arguments, 1)?;
            match runs.get_mut(at) {
                Some((_, runs)) if round > 0 => runs.add(run),
                _ => runs.push((*name, run)),
            }
        }
    }
    let beside = contenders.last().context("nothing is measured")?;
    let output = Command::new(&beside.program).args(&beside.arguments).output()?;
    // An error would be measured as if it were a rendering.
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} does not render {folder}: {told}", beside.name);
    let printed = String::from_utf8_lossy(&output.stdout);
    let objects = printed.lines().filter(|line| line.starts_with("kind:")).count();
    Ok(Measured { name: name.to_owned(), objects, bytes: printed.len(), runs })
}

/// Who renders a folder: we twice, to print and to check, then the others.
fn contenders(folder: &str) -> Result<Vec<Contender>> {
    let ours = program()?;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut found = vec![
        Contender { name: "plimsoll render", program: ours.clone(), arguments: words(&["render", folder]) },
        Contender {
            name: "plimsoll check",
            program: ours,
            arguments: words(&["check", folder, "-o", "json"]),
        },
    ];
    let mut add = |name, program: &str, arguments: &[&str]| -> Result<()> {
        let program = Program::named(program)?.obtain(&mut crate::complain)?;
        found.push(Contender { name, program: program.display().to_string(), arguments: words(arguments) });
        Ok(())
    };
    if Path::new(folder).join("Chart.yaml").is_file() {
        // What Helm takes for the version of Kubernetes depends on how it was built.
        let arguments = ["template", "x", folder, "--include-crds", "--kube-version", "v1.36.0"];
        add("helm 3 template", "helm3", &arguments)?;
        add("helm 4 template", "helm4", &arguments)?;
    } else {
        add("kubectl kustomize", "kubectl", &["kustomize", folder])?;
    }
    Ok(found)
}

/// What a folder is called: a chart by its name and version.
fn title(folder: &str) -> Result<String> {
    let path = Path::new(folder);
    ensure!(path.is_dir(), "{folder} is no folder");
    let chart = std::fs::read_to_string(path.join("Chart.yaml")).unwrap_or_default();
    let field = |name: &str| {
        let value = chart.lines().find_map(|line| line.strip_prefix(name));
        value.map(|value| value.trim_matches([' ', '"', '\'']).to_owned())
    };
    let last = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(match (field("name:"), field("version:")) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        _ => last,
    })
}

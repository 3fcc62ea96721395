//! `cargo xtask promises`: the requests of the real kubectl against the promise model.

use anyhow::{Context as _, Result, bail, ensure};
use plimsoll_testbed::promise::{self, Wish};
use std::io::Write as _;
use std::path::Path;

/// How many cases are played unless another number is asked for.
const CASES: usize = 300;

/// What helm was seen to do.
const HELM: &str = "../crates/plimsoll-testbed/observed/helm.tsv";

/// Plays cases, prints what was counted, and fails where the model and the tool disagree.
pub(crate) fn compare(arguments: &[&str]) -> Result<()> {
    let mut out = std::io::stderr();
    if let ["--helm", rest @ ..] = arguments {
        ensure!(matches!(rest, [] | ["--check"]), "cargo xtask promises --helm takes --check, or nothing");
        let table = promise::observe_helm(&mut |line| drop(writeln!(out, "{line}")))?;
        return if rest.is_empty() { keep(HELM, &table) } else { check_helm(&table) };
    }
    let (wish, is_written) = wish(arguments)?;
    let outcome = promise::run(wish, &mut |line| drop(writeln!(out, "{line}")))?;
    let page = promise::page(&outcome.tally);
    std::io::stdout().write_all(page.as_bytes())?;
    for contradiction in &outcome.contradictions {
        writeln!(out, "\n{contradiction}")?;
    }
    ensure!(outcome.contradictions.is_empty(), "{} cases contradict the model", outcome.contradictions.len());
    if is_written { keep("../docs/promises.md", &page) } else { Ok(()) }
}

/// Fails where helm was seen to do other things than the table says.
fn check_helm(table: &str) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(HELM);
    let kept = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let differences = promise::differences_of_helm(&kept, table);
    let count = differences.len();
    ensure!(count == 0, "{count} lines of observed/helm.tsv are not as seen:\n{}", differences.join("\n"));
    let lines = table.lines().filter(|line| !line.starts_with('#')).count();
    writeln!(std::io::stdout(), "{lines} lines of observed/helm.tsv are as seen")?;
    Ok(())
}

fn keep(path: &str, text: &str) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::write(&path, text).with_context(|| path.display().to_string())
}

fn wish(arguments: &[&str]) -> Result<(Wish, bool)> {
    let (mut wish, mut is_written) = (Wish { cases: CASES, seed: 1 }, false);
    let mut rest = arguments;
    loop {
        rest = match rest {
            [] => return Ok((wish, is_written)),
            ["--write", rest @ ..] => {
                is_written = true;
                rest
            }
            ["--cases" | "--bundles", number, rest @ ..] => {
                wish.cases = number.parse().with_context(|| format!("--cases {number}"))?;
                rest
            }
            ["--seed", number, rest @ ..] => {
                wish.seed = number.parse().with_context(|| format!("--seed {number}"))?;
                rest
            }
            [other, ..] => {
                bail!("`{other}` is not understood; cargo xtask promises [--cases N] [--seed N] [--write]")
            }
        }
    }
}

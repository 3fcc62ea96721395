//! `bench growth`: how the work of a check grows with its input, in instructions.
//!
//! Instructions do not depend on caches, on fresh pages of memory or on what else the machine does, so they show what
//! times hide: whether the work grows in step with the input. `--write` keeps them in `docs/benchmarks/growth.md`.

use super::input;
use super::report::table;
use super::{again_in_release, build, keep, machine, program, say};
use anyhow::{Context as _, Result, bail, ensure};
use std::fmt::Write as _;
use std::process::Command;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// What was counted at one size.
struct Counted {
    objects: usize,
    bytes: usize,
    instructions: u64,
}

/// Counts the instructions of `plimsoll check` at several sizes and prints the table.
pub(crate) fn growth(words: &[&str]) -> Result<()> {
    let is_written = match words {
        [] => false,
        ["--write"] => true,
        _ => bail!("bench growth takes --write"),
    };
    if cfg!(debug_assertions) {
        return again_in_release("growth", words);
    }
    build()?;
    let program = program()?;
    let mut all = Vec::new();
    for size in SIZES {
        let written = input::realistic(size)?;
        say(&format!("counting at {} objects", written.objects));
        let instructions = count(&program, &written.path())?;
        all.push(Counted { objects: written.objects, bytes: written.bytes, instructions });
    }
    let page = page(&all);
    say(&page);
    if is_written { keep("growth.md", &page) } else { Ok(()) }
}

/// The instructions of one check on one thread: a second one would add turns of waiting.
fn count(program: &str, folder: &str) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .args([program, "check", folder, "-o", "json"])
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .context("starting valgrind, of the Debian package of that name")?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "valgrind ended with {}: {told}", output.status);
    let counted =
        told.lines().find_map(|line| line.split_once("refs:")).context("valgrind counted nothing")?;
    Ok(counted.1.trim().replace(',', "").parse()?)
}

fn page(all: &[Counted]) -> String {
    let mut rows = vec![
        ["objects", "size", "million instructions", "for each object", "for each byte"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for Counted { objects, bytes, instructions } in all {
        rows.push(vec![
            objects.to_string(),
            format!("{} MB", bytes / 1_000_000),
            (instructions / 1_000_000).to_string(),
            (instructions / *objects as u64).to_string(),
            (instructions / *bytes as u64).to_string(),
        ]);
    }
    let mut page =
        String::from("# How the work of a check grows\n\nWritten by `cargo xtask bench growth --write`.\n\n");
    let _ = write!(
        page,
        "{}\n\n{}\n## Method\n\n\
         The input is the one of [check.md](check.md), in three sizes. `plimsoll check FOLDER -o json` runs on one \
         thread under valgrind's cachegrind, which counts the instructions it executes. Fixes are tried out, each by an \
         analysis of its own, up to a number of objects; that is most of the work on the smallest input. Times grow \
         faster than this table: a larger input no longer fits the processor's caches, and the system has to hand out \
         and clear more memory.\n",
        machine(),
        table(&rows),
    );
    page
}

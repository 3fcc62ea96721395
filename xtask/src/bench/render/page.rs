//! The numbers as tables: the same text on the terminal and in `docs/benchmarks/render.md`.

use super::super::report::{milliseconds, ratio, table, took};
use super::{Measured, RUNS};
use std::fmt::Write as _;

/// Everything that was measured, as a page.
pub(super) fn write(all: &[Measured], machine: &str) -> String {
    let mut page = format!(
        "# How long charts and kustomizations take\n\n\
         Written by `cargo xtask bench render --write FOLDER…`; run it without `--write` to see your own numbers.\n\n\
         {machine}\n\n{}\n\
         ## Method\n\n\
         Each program runs {RUNS} times as a process of its own, in turns with the others, on files that the system has \
         in its cache; the table shows the median and, in brackets, the best. `ratio` is the median of the other program \
         by that of `plimsoll render`. All of them print to nowhere. Helm runs with `--include-crds`, because \
         Plimsoll always reads those; objects and size are what the last of the other programs prints. A check is the \
         rendering and the whole analysis of it. Made-up input is written by `xtask/src/bench/render/made_up.rs` and \
         is the same in every run; the charts named besides are public ones, with the charts they need in `charts/`.\n\n\
         ## Raw numbers\n\nMilliseconds, in the order of the runs.\n\n```text\n",
        table(&rows(all)),
    );
    for Measured { name, runs, .. } in all {
        let _ = writeln!(page, "{name}");
        for (program, runs) in runs {
            let times: Vec<String> = runs.wall.iter().map(|time| milliseconds(*time)).collect();
            let _ = writeln!(page, "  {program:<18} {}", times.join(" "));
        }
    }
    page.push_str("```\n");
    page
}

fn rows(all: &[Measured]) -> Vec<Vec<String>> {
    let head = ["input", "objects", "size", "program", "time", "ratio"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for measured in all {
        let Some((_, ours)) = measured.runs.first() else { continue };
        for (at, (program, runs)) in measured.runs.iter().enumerate() {
            let first = |text: String| if at == 0 { text } else { String::new() };
            let is_other = !program.starts_with("plimsoll");
            rows.push(vec![
                first(measured.name.clone()),
                first(measured.objects.to_string()),
                first(format!("{} kB", measured.bytes / 1_000)),
                (*program).to_owned(),
                took(runs),
                if is_other { ratio(runs, ours) } else { String::new() },
            ]);
        }
    }
    rows
}

//! The numbers as tables: the same text on the terminal and in `docs/benchmarks/check.md`.

use super::process::Runs;
use super::reasoning::Parts;
use super::{Measured, RUNS};
use std::fmt::Write as _;
use std::time::Duration;

/// Everything that was measured, as a page.
pub(super) fn write(all: &[Measured], machine: &str, beside: &str) -> String {
    let mut page = format!(
        "# How long a check takes\n\n\
         Written by `cargo xtask bench check --write`; run it without `--write` to see your own numbers.\n\n\
         {machine}\n\n\
         ## From files to findings\n\n{}\n\
         ## The parts of a check\n\n{}\n\
         ## Method\n\n{}\n\
         ## Raw numbers\n\nMilliseconds, in the order of the runs.\n\n```text\n",
        table(&checks(all)),
        table(&parts(all)),
        method(beside),
    );
    for measured in all {
        raw(&mut page, measured);
    }
    page.push_str("```\n");
    page
}

fn method(beside: &str) -> String {
    format!(
        "The input is made by `xtask/src/bench/input.rs` and is the same in every run: teams with namespaces, quotas, \
         network policies and RBAC; applications with ServiceAccounts, ConfigMaps, Secrets, claims, Deployments, \
         StatefulSets, Services, Ingresses, autoscalers and disruption budgets; CRDs with schemas, their instances and \
         their webhooks; certificates of cert-manager. Most of it stands in the right order; some does not, so that \
         there are findings to tell. Two further inputs consist of races only.\n\n\
         `plimsoll check FOLDER -o json` and `kubeconform -summary FOLDER` run as processes of their own, {RUNS} times \
         each, one after the other on the same files, which the system has in its cache; the table shows the median and, in \
         brackets, the best. Memory is the largest resident set of any run, as the kernel reports it. The parts are \
         measured inside one process: *read* is files to objects with places, *know* is objects to what needs what and \
         what the tool promises, *order* is the reasoning proper, one question from its start to every race. A check \
         also lets the checker go over the answer, and then tells its findings, so it is more than the sum. How the work \
         grows with the input, without caches and memory in the picture, is counted in [growth.md](growth.md).\n\n\
         {beside}\n"
    )
}

fn checks(all: &[Measured]) -> Vec<Vec<String>> {
    let head = [
        "input",
        "objects",
        "files",
        "size",
        "findings",
        "plimsoll check",
        "memory",
        "kubeconform",
        "memory",
        "ratio",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for measured in all {
        let plimsoll = &measured.plimsoll;
        let [time, memory, ratio] = match &measured.kubeconform {
            Some(runs) => [took(runs), mebibytes(runs.memory), ratio(runs, plimsoll)],
            None => ["–", "–", "–"].map(str::to_owned),
        };
        rows.push(vec![
            measured.name.clone(),
            measured.objects.to_string(),
            measured.files.to_string(),
            format!("{} MB", measured.bytes / 1_000_000),
            measured.findings.to_string(),
            took(plimsoll),
            mebibytes(plimsoll.memory),
            time,
            memory,
            ratio,
        ]);
    }
    rows
}

fn parts(all: &[Measured]) -> Vec<Vec<String>> {
    let head = ["input", "requirements", "races", "read", "know", "order"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for Measured { name, parts, .. } in all {
        let mut row = vec![name.clone(), parts.requirements.to_string(), parts.races.to_string()];
        row.extend(parts.medians().map(|median| format!("{} ms", milliseconds(median))));
        rows.push(row);
    }
    rows
}

/// Rows as a table that reads well with and without a Markdown viewer.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().enumerate();
        let cells: Vec<String> = cells
            .map(|(column, cell)| match column {
                0 => format!("{cell:<width$}", width = width(column)),
                _ => format!("{cell:>width$}", width = width(column)),
            })
            .collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if number == 0 {
            let line = |column: usize| "-".repeat(width(column).saturating_sub(1));
            let lines = (0..row.len()).map(|column| match column {
                0 => format!(":{}", line(column)),
                _ => format!("{}:", line(column)),
            });
            let _ = writeln!(text, "| {} |", lines.collect::<Vec<_>>().join(" | "));
        }
    }
    text
}

fn raw(page: &mut String, measured: &Measured) {
    let Parts { read, know, order, .. } = &measured.parts;
    let kubeconform = measured.kubeconform.as_ref().map(|runs| &runs.wall);
    let _ = writeln!(page, "{}", measured.name);
    let rows = [("check", Some(&measured.plimsoll.wall)), ("kubeconform", kubeconform)];
    let rows = rows.into_iter().chain([("read", Some(read)), ("know", Some(know)), ("order", Some(order))]);
    for (name, durations) in rows {
        let Some(durations) = durations else { continue };
        let numbers: Vec<String> = durations.iter().map(|duration| milliseconds(*duration)).collect();
        let _ = writeln!(page, "  {name:<12} {}", numbers.join(" "));
    }
    let processor = |runs: &Runs| milliseconds(runs.processor);
    let beside = measured
        .kubeconform
        .as_ref()
        .map_or_else(String::new, |runs| format!(", kubeconform {}", processor(runs)));
    let _ =
        writeln!(page, "  least time on all cores together: check {}{beside}", processor(&measured.plimsoll));
}

pub(super) fn took(runs: &Runs) -> String {
    format!("{} ms ({})", milliseconds(runs.median()), milliseconds(runs.best()))
}

pub(super) fn ratio(other: &Runs, ours: &Runs) -> String {
    format!("{:.1}×", other.median().as_secs_f64() / ours.median().as_secs_f64())
}

pub(super) fn milliseconds(duration: Duration) -> String {
    let milliseconds = duration.as_secs_f64() * 1e3;
    if milliseconds < 100.0 { format!("{milliseconds:.1}") } else { format!("{milliseconds:.0}") }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

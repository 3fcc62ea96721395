//! What was measured as tables: the same text on the terminal and in `docs/benchmarks/delays.md`.

use super::{Measured, RUNS, lowest_median_highest, pauses};
use plimsoll_testbed::programs::{KUBERNETES, Program};
use std::fmt::Write as _;

/// Everything that was measured, as a page.
pub(super) fn write(all: &[Measured], busy: &str) -> String {
    let mut page = format!(
        "# How long things take\n\n\
         Written by `cargo xtask delays --write`, which also keeps the figures where the program reads them: \
         `measured.tsv` and `pauses.tsv` in `crates/plimsoll-knowledge/data`. What other clusters add, and what a test \
         cluster cannot show, stands in `delays.toml` beside them, each figure with its source.\n\n\
         Seen on {}. Load average of the machine when the measurement began: {busy}.\n\n\
         ## Delays\n\n| delay | low | usual | high | from … until |\n| :--- | ---: | ---: | ---: | :--- |\n",
        versions(),
    );
    for measured in all.iter().filter(|measured| !measured.is_clock) {
        let [low, usual, high] = lowest_median_highest(measured);
        let Measured { name, method, .. } = measured;
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| {name} | {low:.3} s | {usual:.3} s | {high:.3} s | {method} |");
    }
    page.push_str("\n## Pauses of those who try again\n\n| clock | pauses, in seconds | who, and what is seen |\n| :--- | :--- | :--- |\n");
    for measured in all.iter().filter(|measured| measured.is_clock) {
        let Measured { name, method, .. } = measured;
        let _ = writeln!(page, "| {name} | {} | {method} |", pauses(measured));
    }
    let _ = write!(page, "\n## Method\n\n{}", method());
    page
}

fn versions() -> String {
    let mut text = format!("Kubernetes {KUBERNETES}");
    for name in ["cert-manager", "external-secrets"] {
        if let Ok(program) = Program::named(name) {
            let _ = write!(text, ", {name} {}", program.version());
        }
    }
    text
}

fn method() -> String {
    format!(
        "A test cluster with one node, the real controllers and the real kubelet; operators are installed by Helm from \
         their charts. Each scene (`crates/plimsoll-testbed/src/delays/scenes`) gets a namespace of its own. Times are \
         those of the audit log, so they are differences of the API server's own clock: from the answer to one request \
         until the answer to another. Delays are taken {RUNS} times, one after the other (those with two scenes twice as \
         often); the table shows the shortest, the median and the longest. They are kept as 1, 2, 3, 5 or 7 of a power of ten, \
         the low ones rounded down and the others up, so that a new measurement changes nothing where nothing has \
         changed. Pauses are those between the first attempts of one object, beside everything else.\n\n\
         Not measured, because the cluster has nothing that would show it: how long a program takes until its readiness \
         probe passes, storage that is provisioned, an ACME order, a pull over a network, several API servers.\n"
    )
}

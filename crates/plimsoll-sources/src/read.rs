//! The door of this crate: from what the user named to one bundle.

use crate::chart;
use crate::host::Host;
use crate::input::{Input, Values};
use crate::live;
use crate::manifests;
use crate::operators::Operators;
use crate::reading::Reading;
use crate::script;
use plimsoll_model::{Bundle, Coverage, Step};

/// Reads everything the user named. What cannot be read becomes a problem of the bundle.
#[must_use]
pub fn read(input: &Input, host: &dyn Host) -> Bundle {
    let mut reading = Reading::new(host);
    reading.offered = input.offered.clone();
    reading.renderers = input.renderers;
    reading.shelf = input.shelf;
    reading.operators = Operators::new(input.shelf, &input.offered.charts);
    reading.offered.api_versions.extend(reading.operators.said());
    if let Some(live) = &input.live {
        live::ask(live, &mut reading);
    }
    let before = before(input, &mut reading);
    let mut steps = Vec::new();
    for path in &input.scripts {
        script::read(path, &input.namespace, &mut reading, &mut steps);
    }
    read_paths(&input.paths, input, &mut reading, &mut steps);
    reading.finish(steps, before, &input.namespace)
}

fn read_paths(paths: &[String], input: &Input, reading: &mut Reading<'_>, steps: &mut Vec<Step>) {
    for path in paths {
        if is_script(path) {
            script::read(path, &input.namespace, reading, steps);
        } else {
            manifests::read(path, input, reading, steps);
        }
    }
}

/// The steps that have brought what the cluster has before; what they deliver is not counted as input.
fn before(input: &Input, reading: &mut Reading<'_>) -> Option<Vec<Step>> {
    if input.from.is_empty() && input.from_values.is_empty() {
        return None;
    }
    let mut steps = Vec::new();
    let charts: Vec<&String> = input.paths.iter().filter(|path| chart::is_one(reading, path)).collect();
    let mut input = input.clone();
    // It is the same release, also where the chart has another name now.
    if let ([path], None) = (charts.as_slice(), &input.chart.release) {
        input.chart.release = chart::name(reading, path);
    }
    if !input.from_values.is_empty() {
        input.chart.values = input.from_values.iter().cloned().map(Values::File).collect();
    }
    let from = if input.from.is_empty() { &input.paths } else { &input.from };
    read_paths(from, &input, reading, &mut steps);
    reading.bundle.coverage = Coverage::default();
    reading.is_upgrade = true;
    Some(steps)
}

fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "sh")
}

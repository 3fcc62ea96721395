//! The door of this crate: from what the user named to one bundle.

use crate::host::Host;
use crate::input::Input;
use crate::manifests;
use crate::operators::Operators;
use crate::reading::Reading;
use crate::script;
use plimsoll_model::Bundle;

/// Reads everything the user named. What cannot be read becomes a problem of the bundle.
#[must_use]
pub fn read(input: &Input, host: &dyn Host) -> Bundle {
    let mut reading = Reading::new(host);
    reading.offered = input.offered.clone();
    reading.shelf = input.shelf;
    reading.operators = Operators::new(input.shelf, &input.offered.charts);
    reading.offered.api_versions.extend(reading.operators.said());
    let mut steps = Vec::new();
    for path in &input.scripts {
        script::read(path, &input.namespace, &mut reading, &mut steps);
    }
    for path in &input.paths {
        if is_script(path) {
            script::read(path, &input.namespace, &mut reading, &mut steps);
        } else {
            manifests::read(path, input, &mut reading, &mut steps);
        }
    }
    reading.finish(steps, &input.namespace)
}

fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "sh")
}

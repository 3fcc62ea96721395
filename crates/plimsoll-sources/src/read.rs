//! The door of this crate: from what the user named to one bundle.

use crate::host::Host;
use crate::input::Input;
use crate::manifests;
use crate::reading::Reading;
use plimsoll_model::{Bundle, Step};

/// Reads everything the user named. What cannot be read becomes a problem of the bundle.
#[must_use]
pub fn read(input: &Input, host: &dyn Host) -> Bundle {
    let mut reading = Reading::new(host);
    let mut steps = Vec::new();
    for script in &input.scripts {
        read_script(script, &mut reading, &mut steps);
    }
    for path in &input.paths {
        if is_script(path) {
            read_script(path, &mut reading, &mut steps);
        } else {
            manifests::read(path, input, &mut reading, &mut steps);
        }
    }
    reading.finish(steps, &input.namespace)
}

fn read_script(path: &str, reading: &mut Reading<'_>, _steps: &mut Vec<Step>) {
    let place = reading.place_of(path);
    reading.problem(
        place,
        "deploy scripts cannot be read yet; name the manifests instead".to_owned(),
        true,
    );
}

fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "sh")
}

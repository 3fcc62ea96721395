//! A place as editors and terminals know it: `file:line:column`.

use plimsoll_model::{Files, Place};

/// The place, as far as it is known; empty for a place outside every file.
pub(crate) fn spot(files: &Files, place: Place) -> String {
    match (files.path(place), place.line, place.column) {
        ("", ..) => String::new(),
        (path, 0, _) => path.to_owned(),
        (path, line, 0) => format!("{path}:{line}"),
        (path, line, column) => format!("{path}:{line}:{column}"),
    }
}

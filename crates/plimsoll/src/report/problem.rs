//! A problem as one sentence.

use super::place::spot;
use plimsoll_model::{Files, Problem};

/// Place and cause of a problem.
pub(crate) fn sentence(files: &Files, problem: &Problem) -> String {
    match spot(files, problem.place) {
        spot if spot.is_empty() => problem.cause.clone(),
        spot => format!("{spot}: {}", problem.cause),
    }
}

//! The labels and annotations that an object has when a step begins: its own, and what commands have written on it.

use crate::view::View;
use plimsoll_model::{Mark, Object, ObjectId, StepIndex};

/// The value of a label or annotation for whoever reads it in a step.
pub(crate) fn value<'a>(
    view: &View<'a>,
    (id, declared): (&ObjectId, Option<&'a Object>),
    (field, key): (&str, &str),
    at: StepIndex,
) -> Option<&'a str> {
    let is_it = |mark: &Mark| mark.field == field && mark.key == key && mark.object == *id;
    let mut written = view.marks().iter().filter(|(index, mark)| *index < at && is_it(mark));
    match written.next_back() {
        Some((_, mark)) => mark.value.as_deref(),
        None => declared?.root.text_at(&["metadata", field, key]),
    }
}

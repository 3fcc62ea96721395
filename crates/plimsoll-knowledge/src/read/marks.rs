//! The labels and annotations that an object has when a step begins: its own, and what commands have written on it.

use crate::view::View;
use plimsoll_model::{Mark, Object, ObjectId, StepIndex, Written};

/// The value of a label or annotation for whoever reads it in a step. Who writes last decides, and a declaration writes
/// only what it names.
pub(crate) fn value<'a>(
    view: &View<'a>,
    (id, declared): (&ObjectId, Option<&'a Object>),
    (field, key): (&str, &str),
    at: StepIndex,
) -> Option<&'a str> {
    let own = |object: &'a Object| object.root.text_at(&["metadata", field, key]);
    let is_it = |mark: &Mark| mark.field == field && mark.key == key && mark.object == *id;
    let mut marks = view.marks().iter().filter(|(index, mark)| *index < at && is_it(mark));
    let Some((marked, mark)) = marks.next_back() else { return declared.and_then(own) };
    let anew = view.deliveries_of(id).filter(|delivered| (*marked..at).contains(&delivered.step));
    let anew = anew.filter_map(|delivered| own(delivered.object)).last();
    anew.or(match &mark.written {
        Written::As(value) => Some(value),
        Written::Somehow | Written::Away => None,
    })
}

/// Whether it is open what commands write on an object: one may be passed over, or writes what is not known.
pub(crate) fn are_open(view: &View<'_>, id: &ObjectId) -> bool {
    let is_open = |step: StepIndex| view.bundle.step(step).is_none_or(|step| step.may_be_skipped);
    let mut marks = view.marks().iter().filter(|(_, mark)| mark.object == *id);
    marks.any(|(step, mark)| mark.written == Written::Somehow || is_open(*step))
}

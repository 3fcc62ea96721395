//! Plain manifests: each path is one `kubectl apply`, in the order given.

use crate::input::Input;
use crate::reading::Reading;
use crate::search::{Habit, Search};
use plimsoll_model::{Action, After, Outcome, Step, StepIndex, Unit};

/// The step that delivers what stands at a path, after the steps before it.
pub(crate) fn read(path: &str, input: &Input, reading: &mut Reading<'_>, steps: &mut Vec<Step>) {
    let search = Search {
        is_recursive: input.is_recursive,
        habit: Habit::Survey,
        exclude: input.exclude.clone(),
        namespace: input.namespace.clone(),
    };
    let objects = reading.objects_at(&[path.to_owned()], &search);
    if input.delivery.verb == "apply" {
        for object in objects.iter().filter(|object| object.id.name().ends_with('*')) {
            let cause =
                "kubectl apply refuses an object without metadata.name; name it, or use `kubectl create`";
            reading.problem(object.place(), cause.to_owned(), false);
        }
    }
    let action = Action::Deliver(Unit { delivery: input.delivery.clone(), objects });
    steps.push(Step {
        action,
        after: after_last(steps),
        may_be_skipped: false,
        place: None,
        says: says(path, input),
    });
}

/// A later path is applied whatever became of the one before.
fn after_last(steps: &[Step]) -> Vec<After> {
    let last = steps.len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
    let after = |last| After { step: StepIndex(last), outcome: Outcome::Ended, may_be_skipped: false };
    last.map(after).into_iter().collect()
}

fn says(path: &str, input: &Input) -> String {
    let mut words = vec!["kubectl", input.delivery.verb.as_str()];
    words.extend(input.delivery.flags.iter().map(String::as_str));
    if input.is_recursive && path != crate::reading::STANDARD_INPUT {
        words.push("-R");
    }
    words.extend(["-f", path]);
    words.join(" ")
}

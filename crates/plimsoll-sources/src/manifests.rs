//! Manifests and kustomizations: each path is one `kubectl apply`, in the order given.

mod met;

use crate::chart::{self, Again, Ordered};
use crate::input::Input;
use crate::kustomization::{self, BuildFlags, Built};
use crate::pages;
use crate::reading::{Reading, STANDARD_INPUT};
use crate::search::{Habit, Search};
use plimsoll_model::{Action, After, Arranged, Delivery, Outcome, Step, StepIndex, Tool, Unit};

/// The steps that deliver what stands at a path, after the steps before it.
pub(crate) fn read(path: &str, input: &Input, reading: &mut Reading<'_>, steps: &mut Vec<Step>) {
    let is_kustomization =
        path != STANDARD_INPUT && (asks_for_kustomize(input) || kustomization::is_one(reading, path));
    if is_kustomization {
        let (action, says) = kustomized(path, input, reading);
        return push(steps, action, says, false);
    }
    if path != STANDARD_INPUT && chart::is_one(reading, path) {
        let ordered = Ordered::of(path, input);
        let action = chart::deliver(&ordered, reading);
        return push(steps, action, ordered.says(), false);
    }
    let action = plain(path, input, reading);
    let inside = met::read(input, reading, &action);
    let is_empty = matches!(&action, Action::Deliver(unit) if unit.objects.is_empty());
    if !is_empty || inside.is_empty() {
        let is_by_others = met::delivers_others(&action);
        push(steps, action, says(path, input, false), is_by_others);
    }
    for (action, says) in inside {
        push(steps, action, says, true);
    }
}

fn push(steps: &mut Vec<Step>, action: Action, says: String, is_presumed: bool) {
    steps.push(Step {
        action,
        after: after_last(steps),
        may_be_skipped: false,
        branch: None,
        is_presumed,
        place: None,
        says,
        marks: Vec::new(),
    });
}

/// Whether the tool is called with `-k` instead of `-f`.
fn asks_for_kustomize(input: &Input) -> bool {
    input.delivery.flags.iter().any(|flag| is_kustomize_flag(flag))
}

fn is_kustomize_flag(flag: &str) -> bool {
    flag == "-k" || flag == "--kustomize"
}

fn plain(path: &str, input: &Input, reading: &mut Reading<'_>) -> Action {
    let search = Search {
        is_recursive: input.is_recursive,
        habit: Habit::Survey,
        exclude: input.exclude.clone(),
        namespace: input.namespace.clone(),
    };
    let objects = reading.objects_at(&[path.to_owned()], &search);
    pages::read(reading);
    if input.delivery.verb == "apply" {
        for object in objects.iter().filter(|object| object.id.name().ends_with('*')) {
            let cause =
                "kubectl apply refuses an object without metadata.name; name it, or use `kubectl create`";
            reading.problem(object.place(), cause.to_owned(), false);
        }
    }
    if input.delivery.tool == Tool::Helm {
        let place = reading.place_of(path);
        let cause = "this is no chart, and Helm installs nothing else; name the folder that has Chart.yaml";
        reading.problem(place, cause.to_owned(), true);
    }
    let source = (path == STANDARD_INPUT).then(|| "STDIN".to_owned());
    deliver(input, source, Built::new(objects, Arranged::AsWritten))
}

/// What a kustomization delivers, and by which command.
fn kustomized(folder: &str, input: &Input, reading: &mut Reading<'_>) -> (Action, String) {
    // kubectl itself refuses charts; people pipe what `kustomize build --enable-helm` prints into it.
    let flags = BuildFlags { allows_charts: true, ..BuildFlags::default() };
    reading.asked.clear();
    match kustomization::build(reading, folder, flags, &input.namespace) {
        Ok(mut built) => {
            built.otherwise = Again::begin(reading).and_then(|again| {
                let other = kustomization::build(reading, folder, flags, &input.namespace).ok();
                again.end(other.map(|built| built.objects), &built.objects, reading)
            });
            let says = if built.has_charts {
                format!("kustomize build --enable-helm {folder} | {}", says("-", input, false))
            } else {
                says(folder, input, true)
            };
            (deliver(input, Some(folder.to_owned()), built), says)
        }
        Err(refusal) => {
            reading.count_opaque();
            let cause = format!("the kustomization `{folder}` was not read: {}", refusal.cause);
            reading.problem(refusal.place, cause, true);
            let action = Action::Opaque(kustomization::sentence(&refusal, reading, folder));
            (action, says(folder, input, true))
        }
    }
}

fn deliver(input: &Input, source: Option<String>, built: Built) -> Action {
    let flags = input.delivery.flags.iter().filter(|flag| !is_kustomize_flag(flag)).cloned().collect();
    let tool = Tool::Kubectl;
    let delivery = Delivery { tool, flags, source, arranged: built.arranged, ..input.delivery.clone() };
    Action::Deliver(Unit { delivery, objects: built.objects, otherwise: built.otherwise })
}

/// A later path is applied whatever became of the one before.
fn after_last(steps: &[Step]) -> Vec<After> {
    let last = steps.len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
    let after = |last| After { step: StepIndex(last), outcome: Outcome::Ended, unless_skipped: None };
    last.map(after).into_iter().collect()
}

fn says(path: &str, input: &Input, is_kustomization: bool) -> String {
    let mut words = vec!["kubectl", input.delivery.verb.as_str()];
    let flags = input.delivery.flags.iter().map(String::as_str);
    words.extend(flags.filter(|flag| !is_kustomize_flag(flag)));
    if input.is_recursive && path != STANDARD_INPUT && !is_kustomization {
        words.push("-R");
    }
    words.extend([if is_kustomization { "-k" } else { "-f" }, path]);
    words.join(" ")
}

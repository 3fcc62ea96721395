//! PLM-R048: `kubectl exec` or `kubectl logs` fails at once, since no container runs yet.
//!
//! Seen with kubectl and a server v1.36.4. kubectl waits until a pod of a workload exists, not until it runs
//! (kubectl v0.36.4 `pkg/polymorphichelpers/attachablepodforobject.go`).

use super::wait_before_object_exists::matters;
use crate::rule::{Found, Rule};
use crate::tools::gates;
use crate::view::View;
use plimsoll_model::Milestone::Started;
use plimsoll_model::{Action, Actor, Class, Code, Condition, Moment, ObjectId};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R048"),
    name: "command-before-container-runs",
    class: Class::OneShotProbe,
    page: include_str!("command_before_container_runs.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Wait(gate) = &step.action else { continue };
        let is_asked = gate.condition == Condition::Running && gate.needs_existing;
        let Some(place) = step.place.filter(|_| is_asked && matters(view, index, step)) else { continue };
        let watched = gate.targets.iter().flat_map(|target| gates::watched(view, target));
        // Of pods that others bring nothing is known.
        for id in watched.filter(|id| view.pods_of(id).is_some_and(|pods| pods.run)) {
            RULE.requires(id.at(Started), Moment::step(index, Started))
                .at(place)
                .says(format!("`{}` looks into a container of {id}", step.says))
                .answered(Actor::Tool, format!("looks into {id}"), answer(&step.says, &id))
                .push(found);
        }
    }
}

/// What is printed while the pod is on its way.
fn answer(says: &str, id: &ObjectId) -> String {
    let pod = if id.is("", "Pod") { id.name().to_owned() } else { format!("{}-{{…}}", id.name()) };
    if says.contains(" logs ") {
        format!(
            "Error from server (BadRequest): container \"{{…}}\" in pod \"{pod}\" is waiting to start: ContainerCreating"
        )
    } else {
        format!("error: unable to upgrade connection: pod {pod} does not have a host assigned")
    }
}

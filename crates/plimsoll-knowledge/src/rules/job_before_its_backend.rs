//! PLM-R030: a Job, an init container or a pod that runs once may start before the Service it talks to answers.

use crate::read::pods::Pods;
use crate::read::{backend, host, retry};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Serving;
use plimsoll_model::{Actor, Class, Code, Confidence, Node, ObjectId};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R030"),
    name: "job-before-its-backend",
    class: Class::JobBeforeWorkload,
    page: include_str!("job_before_its_backend.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for pods in view.pods().iter().filter(|pods| pods.run) {
        // A container that waits holds back itself and every container after it.
        let init = pods.init_containers().iter().take_while(|container| !host::waits(container));
        let is_held = pods.init_containers().iter().any(host::waits);
        let main = pods.containers().iter().filter(|one| runs_once(pods) && !is_held && !host::waits(one));
        for container in init.chain(main) {
            let is_known = |service: &ObjectId| view.delivers(service) || found.is_brought(service);
            for (service, node) in host::named(pods.namespace(), container, is_known) {
                if found.is_brought(&service) || has_other_backend(view, &service, pods) {
                    state(pods, container, (service, node), found);
                }
            }
        }
    }
}

/// Whether the program runs to an end: in a long-running pod it is the kubelet that starts it again.
fn runs_once(pods: &Pods<'_>) -> bool {
    let policy = pods.spec.text_at(&["restartPolicy"]);
    pods.owner.id.kind() == "Job" || (pods.is_bare() && matches!(policy, Some("Never" | "OnFailure")))
}

/// Whether the input brings what stands behind the Service, and that is not the reader itself.
fn has_other_backend(view: &View<'_>, service: &ObjectId, pods: &Pods<'_>) -> bool {
    let Some(object) = view.object(service) else { return false };
    let backends = backend::workloads(view, object);
    !backends.is_empty() && backends.iter().all(|one| one.owner.id != pods.owner.id)
}

fn state(pods: &Pods<'_>, container: &Node, (service, node): (ObjectId, &Node), found: &mut Found) {
    let name = container.text_at(&["name"]).unwrap_or_default();
    RULE.requires(service.at(Serving), pods.start())
        .read(retry::of(pods))
        .sure(Confidence::Heuristic)
        .at(node.place)
        .says(format!("container {name} of {} talks to {service}", pods.owner.id))
        .answered(Actor::Container, format!("connects to {}", service.name()), "")
        .push(found);
}

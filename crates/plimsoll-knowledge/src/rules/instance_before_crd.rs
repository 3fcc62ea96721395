//! PLM-R002: an instance may be mapped before its CRD is established and discoverable.

use crate::read::{api_service, resource};
use crate::rule::{Found, Rule};
use crate::tools::helm;
use crate::view::View;
use plimsoll_model::Milestone::{Checked, Established, Stored};
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Moment};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R002"),
    name: "instance-before-crd",
    class: Class::CrBeforeCrd,
    page: include_str!("instance_before_crd.md"),
    find,
};

const APPLY_DEFINITIONS: &str =
    "apply the definitions before the upgrade: `kubectl apply --server-side -f CHART/crds/`";

fn find(view: &View<'_>, found: &mut Found) {
    for delivered in view.deliveries() {
        let object = delivered.object;
        let (group, kind) = (object.id.group(), object.id.kind());
        let is_custom = view.crd(group, kind).is_some() || !plimsoll_schema::is_builtin_group(group);
        if !is_custom || api_service::of(view, group, None).is_some() {
            continue;
        }
        let crd = resource::crd(view, group, kind);
        let state = |first: Clause, sure: Confidence| {
            RULE.requires(first, Moment::request(delivered.step, &object.id, Checked))
                .told(crd.at(Established))
                .sure(sure)
                .at(object.place_of(&["kind"]))
                .says(format!("{} needs the API of {}", object.id, crd.name()))
                .answered(
                    Actor::Tool,
                    format!("looks up kind {kind}"),
                    crate::read::answer::not_mapped(view, *delivered),
                )
        };
        if helm::is_withheld(view, delivered.step, group, kind) {
            let first = Clause(Vec::new());
            let says = format!(
                "{} needs the API of {}, which lies in `crds/`: an upgrade sends nothing of that",
                object.id,
                crd.name()
            );
            state(first, Confidence::Proved).says(says).mended(APPLY_DEFINITIONS).push(found);
            continue;
        }
        let mut sending = view.requests(&crd, Stored).filter_map(|request| request.step_index());
        if sending.any(|step| step < delivered.step) {
            // The next command starts up for longer than one API server takes to establish a CRD; several of them
            // take five seconds. That gap is shown to those who ask for it.
            state(crd.at(Stored).into(), Confidence::Proved).push(found);
            state(crd.at(Established).into(), Confidence::Heuristic).push(found);
        } else {
            state(crd.at(Established).into(), Confidence::Proved).push(found);
        }
    }
}

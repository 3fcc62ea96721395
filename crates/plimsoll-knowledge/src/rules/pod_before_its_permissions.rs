//! PLM-R011: a program may start before its account has the permissions that the input grants it.

use crate::clocks;
use crate::read::permission;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Confidence};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R011"),
    name: "pod-before-its-permissions",
    class: Class::RbacMissing,
    page: include_str!("pod_before_its_permissions.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let bindings = permission::by_account(view);
    for pods in view.pods().iter().filter(|pods| pods.run) {
        let Some(account) = permission::account(view, pods) else { continue };
        for binding in bindings.get(&account).into_iter().flatten() {
            let role = permission::role(binding).filter(|role| view.delivers(role));
            for needed in role.into_iter().chain([binding.id.clone()]) {
                let place = pods.spec.get("serviceAccountName").unwrap_or(pods.spec).place;
                RULE.requires(needed.at(Stored), pods.start())
                    .read(clocks::CRASH_LOOP)
                    // Whether the program uses the permission when it starts is not written anywhere.
                    .sure(Confidence::Heuristic)
                    .at(place)
                    .says(format!(
                        "{} runs as {account}, which has its permissions by {needed}",
                        pods.owner.id
                    ))
                    .answered(
                        Actor::Container,
                        format!("calls the API as {account}"),
                        permission::refusal(view, binding, &account).unwrap_or_default(),
                    )
                    .push(found);
            }
        }
    }
}

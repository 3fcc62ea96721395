//! PLM-R027: a binding may be sent before the role it grants.

use crate::read::permission;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Confidence};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R027"),
    name: "binding-before-role",
    class: Class::RbacMissing,
    page: include_str!("binding_before_role.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for binding in permission::bindings(view) {
        let Some(role) = permission::role(binding) else { continue };
        let resource = format!("{}s.{}", binding.id.kind().to_ascii_lowercase(), binding.id.group());
        for request in view.requests(&binding.id, Stored) {
            RULE.requires(role.at(Stored), request)
                // Only an account that may neither bind nor escalate is refused, and who deploys is not written here.
                .sure(Confidence::Heuristic)
                .at(binding.place_of(&["roleRef", "name"]))
                .says(format!("{} grants {role}", binding.id))
                .answered(
                    Actor::ApiServer,
                    format!("looks up {role} to see whether the sender may grant it"),
                    format!(
                        "Error from server (NotFound): error when creating \"{{…}}\": {resource} \"{}\" not found",
                        role.name()
                    ),
                )
                .push(found);
        }
    }
}

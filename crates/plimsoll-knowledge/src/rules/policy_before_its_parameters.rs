//! PLM-R009: an admission policy may be asked before its parameters, or their kind, are there; it then refuses.
//!
//! apiserver v0.36.4 `pkg/admission/plugin/policy/generic/{policy_source,policy_dispatcher}.go`; the texts were seen
//! on a real server. While the kind is missing the binding's selectors do not count: every namespace is refused.

use crate::read::admission::Criteria;
use crate::read::policy::{self, Policy};
use crate::read::{intercepted, resource};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Established, Stored};
use plimsoll_model::{Class, Clause, Code, Object};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R009"),
    name: "policy-before-its-parameters",
    class: Class::ReferenceMissing,
    page: include_str!("policy_before_its_parameters.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for policy in policy::with_parameters(view) {
        let bindings = policy.bindings(view);
        if !bindings.is_empty() && !plimsoll_schema::is_builtin_group(policy.group) {
            let bound = Clause(bindings.iter().map(|binding| binding.id.at(Stored)).collect());
            let first = resource::crd(view, policy.group, policy.kind).at(Established).into();
            let text = format!(
                "failed to configure policy: failed to find resource referenced by paramKind: '{}, Kind={}'",
                policy.api_version, policy.kind
            );
            let says = format!("whose parameters are of kind {}", policy.kind);
            let criteria = [policy.criteria()];
            ask(view, &policy, &criteria, (first, bound, &says, &policy.denied(None, &text)), found);
        }
        for binding in bindings {
            ask_for_parameters(view, &policy, binding, found);
        }
    }
}

fn ask_for_parameters(view: &View<'_>, policy: &Policy<'_>, binding: &Object, found: &mut Found) {
    let Some(first) = policy.parameters(view, binding) else { return };
    let text =
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    let says = format!("whose parameters {} names", binding.id);
    let bound = binding.id.at(Stored).into();
    let criteria = [policy.criteria(), policy::bound(binding)];
    ask(view, policy, &criteria, (first, bound, &says, &policy.denied(Some(binding), text)), found);
}

type Need<'a> = (Clause, Clause, &'a str, &'a str);

fn ask(
    view: &View<'_>,
    policy: &Policy<'_>,
    criteria: &[Criteria<'_>],
    (first, bound, says, text): Need<'_>,
    found: &mut Found,
) {
    for write in intercepted::by(view, criteria) {
        let text = if write.is_pods() {
            write.refusal(view, "", text)
        } else {
            format!("The {} \"{}\" is invalid: : {text}", write.request.resource, write.owner.id.name())
        };
        RULE.requires(first.clone(), write.then.clone())
            .read(write.reading)
            .sure(write.confidence)
            .at(write.place())
            .says(format!("{} must pass {}, {says}", write.what(), policy.object.id))
            .answered(write.actor(), format!("evaluates {}", policy.object.id), text)
            .push_window(vec![policy.object.id.at(Stored).into(), bound.clone()], found);
    }
}

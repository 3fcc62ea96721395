//! PLM-R009: an admission policy may be asked before its parameters, or their kind, are there; it then refuses.
//!
//! apiserver v0.36.4 `pkg/admission/plugin/policy/generic/{policy_source,policy_dispatcher}.go`; the texts were seen
//! on a real server. While the kind is missing the binding's selectors do not count: every namespace is refused. An
//! established CRD is not enough: admission renews its own discovery every 30 s (`pkg/server/options/admission.go`).

use crate::read::admission::Criteria;
use crate::read::policy::{self, Policy};
use crate::read::{intercepted, resource};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Discoverable, Stored};
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
            let first = resource::crd(view, policy.group, policy.kind).at(Discoverable).into();
            let text = format!(
                "failed to configure policy: failed to find resource referenced by paramKind: '{}, Kind={}'",
                policy.api_version, policy.kind
            );
            let says = format!("whose parameters are of kind {}", policy.kind);
            let remedy = format!(
                "send it before {}, or again until it is admitted: nothing shows when admission knows a new kind",
                policy.object.id
            );
            let need = Need { first, bound, says, text: policy.denied(None, &text), remedy: Some(remedy) };
            ask(view, &policy, &[policy.criteria()], &need, found);
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
    let need = Need { first, bound, says, text: policy.denied(Some(binding), text), remedy: None };
    ask(view, policy, &[policy.criteria(), policy::bound(binding)], &need, found);
}

/// What a policy needs from when on it is put to work.
struct Need {
    first: Clause,
    bound: Clause,
    says: String,
    text: String,
    remedy: Option<String>,
}

fn ask(view: &View<'_>, policy: &Policy<'_>, criteria: &[Criteria<'_>], need: &Need, found: &mut Found) {
    for write in intercepted::by(view, criteria) {
        let text = if write.is_pods() {
            write.refusal(view, "", &need.text)
        } else {
            format!(
                "The {} \"{}\" is invalid: : {}",
                write.request.resource,
                write.owner.id.name(),
                need.text
            )
        };
        let statement = RULE
            .requires(need.first.clone(), write.then.clone())
            .read(write.reading)
            .sure(write.confidence)
            .at(write.place())
            .says(format!("{} must pass {}, {}", write.what(), policy.object.id, need.says))
            .answered(write.actor(), format!("evaluates {}", policy.object.id), text);
        let statement = match &need.remedy {
            Some(remedy) => statement.mended(remedy),
            None => statement,
        };
        statement.push_window(vec![policy.object.id.at(Stored).into(), need.bound.clone()], found);
    }
}

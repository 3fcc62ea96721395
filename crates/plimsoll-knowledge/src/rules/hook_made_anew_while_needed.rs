//! PLM-R050: a hook of Helm that others live in, keep data in or run as is deleted and made anew at each upgrade.
//!
//! Helm v4.3.1 and v3.22.0 `pkg/action/hooks.go` (`deleteHookByPolicy`). Seen with both on a real server v1.36.4: Helm 3
//! waits until the old one is gone, Helm 4 goes on at once and counts the one that is being deleted as made.

use crate::read::permission;
use crate::read::pods::Pods;
use crate::rule::{Found, Rule, Statement};
use crate::tools::helm::{self, Release};
use crate::view::View;
use plimsoll_model::Milestone::Gone;
use plimsoll_model::{
    Action, Actor, Class, Clause, Code, Confidence, Object, ObjectId, Operation, Reading, Tool,
};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R050"),
    name: "hook-made-anew-while-needed",
    class: Class::HookDeletePolicy,
    page: include_str!("hook_made_anew_while_needed.md"),
    find,
};

/// What becomes of those who need an object that is deleted and made anew.
type Lose = fn(&View<'_>, &Object, &mut Found);

fn find(view: &View<'_>, found: &mut Found) {
    for step in &view.bundle.steps {
        let Action::Deliver(unit) = &step.action else { continue };
        if unit.delivery.tool == Tool::Helm {
            let release = Release::of(unit, view.scene.operation);
            for hook in release.hooks().filter(|hook| release.makes_anew(hook)) {
                if let Some(lose) = loss(&hook.id) {
                    lose(view, hook, found);
                }
            }
        }
    }
}

/// Whether a second run deletes a hook that others may need.
pub(crate) fn is_possible(unit: &plimsoll_model::Unit) -> bool {
    let release = Release::of(unit, Operation::Upgrade);
    unit.delivery.tool == Tool::Helm
        && release.hooks().any(|hook| loss(&hook.id).is_some() && release.makes_anew(hook))
}

/// Secrets and ConfigMaps are back before anybody has missed them; a Job or Pod is meant to run again.
fn loss(hook: &ObjectId) -> Option<Lose> {
    match (hook.group(), hook.kind()) {
        ("", "Namespace") => Some(lose_namespace),
        ("", "PersistentVolumeClaim") => Some(lose_claim),
        ("", "ServiceAccount") => Some(lose_account),
        _ => None,
    }
}

fn lose_namespace(view: &View<'_>, hook: &Object, found: &mut Found) {
    let inside = view.in_namespace(hook.id.name());
    let kept: Vec<_> = inside.into_iter().filter(|object| helm::is_main(object)).collect();
    let delete = |said: String, name: &str| {
        state(hook, said).answered(Actor::Controller, format!("deletes everything in namespace {name}"), "")
    };
    for object in &kept {
        let said = format!("{} is deleted with {}, a hook that each upgrade makes anew", object.id, hook.id);
        delete(said, hook.id.name()).told(object.id.at(Gone)).push(found);
    }
    if kept.is_empty() {
        let said = format!(
            "all that others have put into {} is deleted with it by each upgrade: it is a hook",
            hook.id
        );
        delete(said, hook.id.name()).sure(Confidence::Assumed).push(found);
    }
}

fn lose_claim(view: &View<'_>, hook: &Object, found: &mut Found) {
    let claiming = view.pods_claiming(hook.id.namespace().unwrap_or_default(), hook.id.name());
    for pods in claiming {
        let owner = &pods.owner.id;
        let is_hook = !helm::is_main(pods.owner);
        // What goes once the hooks have succeeded was never meant to be kept.
        if is_hook && helm::is_brief(hook) {
            continue;
        }
        let said =
            format!("{owner} keeps data in {}, a hook that each upgrade deletes and makes anew", hook.id);
        state(hook, said)
            .told(owner.at(Gone))
            // Hooks may hand something over to each other that nobody needs afterwards.
            .sure(if is_hook { Confidence::Heuristic } else { Confidence::Proved })
            .answered(Actor::Tool, format!("deletes {} with its volume", hook.id), "")
            .push(found);
    }
}

/// A token names its account by its uid. The kubelet fetches a new one when four fifths of an hour are over:
/// kubernetes v1.36.4 `pkg/kubelet/token/token_manager.go` (`requiresRefresh`).
fn lose_account(view: &View<'_>, hook: &Object, found: &mut Found) {
    let is_bound = permission::by_account(view).contains_key(&hook.id);
    let is_kept = |pods: &&Pods<'_>| helm::is_main(pods.owner) && pods.run && pods.owner.id.kind() != "Job";
    for pods in view.pods_in(hook.id.namespace().unwrap_or_default()).into_iter().filter(is_kept) {
        if permission::account(view, pods).as_ref() != Some(&hook.id) {
            continue;
        }
        let owner = &pods.owner.id;
        let said = format!("{owner} runs as {}, a hook that each upgrade deletes and makes anew", hook.id);
        state(hook, said)
            .told(owner.at(Gone))
            // Without a permission of its own a program seldom talks to the API server.
            .sure(if is_bound { Confidence::Proved } else { Confidence::Heuristic })
            .answered(Actor::Container, "calls the API with the token it was started with", "Unauthorized")
            .push(found);
    }
}

/// Nothing makes it right: who needs the hook is not gone when it is deleted.
fn state(hook: &Object, said: String) -> Statement {
    let path = ["metadata", "annotations", "helm.sh/hook"];
    RULE.requires(Clause(Vec::new()), hook.id.at(Gone))
        .read(Reading::OnceSilently)
        .at(hook.place_of(&path))
        .says(said)
        .mended(format!(
            "take the hook annotations off {}, or leave `pre-install` alone if another hook needs it: Helm sends a {} before the \
             rest of the release anyway, and an upgrade changes it in place",
            hook.id,
            hook.id.kind()
        ))
}

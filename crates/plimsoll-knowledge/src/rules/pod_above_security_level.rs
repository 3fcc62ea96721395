//! PLM-R026: a pod breaks the Pod Security level that its Namespace enforces.

use crate::pod_security::{Candidate, Policy, Violation, violations};
use crate::read::marks;
use crate::read::mutation;
use crate::read::pods::Pods;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Object};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R026"),
    name: "pod-above-security-level",
    class: Class::PsaViolation,
    page: include_str!("pod_above_security_level.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for pods in view.pods().iter().filter(|pods| pods.ever_run() && pods.owner.is_whole()) {
        let Some(policy) = enforced(view, pods) else {
            continue;
        };
        let candidate = Candidate {
            spec: pods.spec,
            annotations: pods.annotations,
            version: policy.version_on(view.scene.kube_version),
        };
        let broken = violations(policy.level, &candidate);
        if !broken.is_empty() {
            refuse(view, pods, policy, &broken, found);
        }
    }
}

/// The policy that every delivery of the Namespace asks for, with what commands have written on it before the pods come;
/// none if they differ or it is open what commands write, since which one holds is open then.
fn enforced(view: &View<'_>, pods: &Pods<'_>) -> Option<Policy> {
    let (id, at) = (pods.home(), pods.step(view)?);
    if marks::are_open(view, &id) {
        return None;
    }
    let policy = |declared: Option<&Object>| {
        Policy::of(|key| marks::value(view, (&id, declared), ("labels", key), at).map(str::to_owned))
    };
    let mut declared = view.declarations(&id).map(|namespace| policy(Some(namespace)));
    let first = declared.next().unwrap_or_else(|| policy(None))?;
    declared.all(|other| other == Some(first)).then_some(first)
}

fn refuse(view: &View<'_>, pods: &Pods<'_>, policy: Policy, broken: &[Violation], found: &mut Found) {
    let Some(place) = broken.first().map(|violation| violation.place) else {
        return;
    };
    let reasons: Vec<&str> = broken.iter().map(|violation| violation.reason).collect();
    let details: Vec<String> = broken.iter().map(Violation::text).collect();
    // A webhook that changes pods may mend them on their way.
    let confidence = if mutation::of_pods(view) { Confidence::Heuristic } else { Confidence::Proved };
    for (creation, reading) in pods.creations(view) {
        RULE.requires(Clause(Vec::new()), creation)
            .read(reading)
            .sure(confidence)
            .at(place)
            .says(format!(
                "{} has pods that Namespace/{} refuses at Pod Security level {policy}: {}",
                pods.owner.id,
                pods.namespace(),
                reasons.join(", ")
            ))
            .answered(
                Actor::ApiServer,
                format!("checks a pod of {} against Pod Security level {policy}", pods.owner.id),
                format!(
                    "pods \"{}\" is forbidden: violates PodSecurity \"{policy}\": {}",
                    pods.pod_name(),
                    details.join(", ")
                ),
            )
            .mended(
                "give the pod template the settings that the answer names, or lower the namespace's level",
            )
            .push(found);
    }
}

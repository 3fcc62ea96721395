//! Which moments a wait proves.
//!
//! `kubectl wait` and `rollout status`: kubernetes v1.36.4 `staging/src/k8s.io/kubectl/pkg/cmd/wait/wait.go`,
//! `pkg/polymorphichelpers/rollout_status.go`. A loop around `kubectl get` proves what its test looks at.

mod condition;
mod target;

use super::steps::add;
use crate::known::Known;
use crate::view::View;
use condition::milestone;
use plimsoll_model::Milestone::{Complete, Gone, Observed, Started, Stored};
use plimsoll_model::{Clause, Deadline, Delay, Gate, Moment, Step, StepIndex, Subject};
pub(crate) use target::{is_pods, made_for, watched};

/// Adds when a wait is over, and its deadline.
pub(crate) fn pass(view: &View<'_>, index: StepIndex, step: &Step, gate: &Gate, known: &mut Known) {
    let looks_once = gate.timeout.is_some_and(|timeout| timeout.is_zero());
    let proved = proved(view, gate).into_iter();
    let awaited: Vec<Clause> =
        proved.filter(|moment| !(looks_once && comes_later(view, index, moment))).map(Clause::one).collect();
    if let (Some(within), Some(place)) = (gate.timeout, step.place)
        && !within.is_zero()
        && !step.may_be_skipped
    {
        known.deadlines.push(Deadline {
            start: Moment::step(index, Started),
            awaited: awaited.clone(),
            within,
            place,
            says: step.says.clone(),
        });
    }
    // Of an operator it is not known how long it takes, so its pods are in no deadline.
    let made = gate.targets.iter().flat_map(|target| made_for(view, target)).map(|id| id.at(Started).into());
    give_up(index, gate, awaited.into_iter().chain(made).collect(), known);
}

/// A wait ends with success, or when its time is over.
fn give_up(index: StepIndex, gate: &Gate, awaited: Vec<Clause>, known: &mut Known) {
    let (started, complete) = (Moment::step(index, Started), Moment::step(index, Complete));
    let success = std::iter::once(Clause::one(started.clone())).chain(awaited).collect();
    add(known, complete.clone(), success, Delay::NONE);
    add(known, Moment::step(index, Gone), vec![Clause::one(complete)], Delay::NONE);
    let usual = gate.timeout.unwrap_or_default();
    let patience = Delay { low: usual, usual, high: usual };
    add(known, Moment::step(index, Gone), vec![Clause::one(started)], patience);
}

/// Whether only later steps deliver an object: one who looks and finds it has found what was there before.
fn comes_later(view: &View<'_>, index: StepIndex, moment: &Moment) -> bool {
    let Some(id) = moment.object() else { return false };
    let mut requests = view.requests(id, Stored).peekable();
    requests.peek().is_some()
        && requests.all(|request| matches!(request.subject, Subject::Request(step, _) if step > index))
}

/// The moments that have been reached when the gate opens.
pub(crate) fn proved(view: &View<'_>, gate: &Gate) -> Vec<Moment> {
    let mut moments = Vec::new();
    for target in &gate.targets {
        let are_pods = is_pods(view, target);
        for id in watched(view, target) {
            let proved = match milestone(&gate.condition) {
                // Pods that exist have been made: more than that their workload is stored.
                Some(Stored) if are_pods => Some(Observed),
                proved => proved,
            };
            moments.extend(proved.map(|milestone| id.at(milestone)));
        }
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::view::Scene;
    use plimsoll_model::{Condition, Operation, Target};

    fn gate(resource: &str, selector: &str, condition: Condition) -> Gate {
        let target = Target::Selected {
            resource: resource.into(),
            selector: selector.into(),
            namespace: None,
            all_namespaces: false,
        };
        Gate { targets: vec![target], condition, timeout: None, needs_existing: true }
    }

    /// What a wait proves of a Deployment `web` in namespace default, whose pods are labelled `app=web`.
    fn check(resource: &str, selector: &str, condition: Condition) -> Vec<String> {
        let web = serde_json::json!({"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web"}]}}}});
        let bundle = sample::bundle(&[web]);
        let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
        let view = View::new(&bundle, scene);
        proved(&view, &gate(resource, selector, condition))
            .iter()
            .map(|moment| format!("{moment:?}"))
            .collect()
    }

    fn is_true(condition: &str) -> Condition {
        Condition::Status { condition: condition.into(), value: "True".into() }
    }

    #[test]
    fn a_wait_for_pods_is_a_wait_for_the_workload_that_makes_them() {
        assert_eq!(check("pods", "app=web", is_true("Ready")), ["Deployment/default/web@ready"]);
        assert_eq!(check("po", "app=web", Condition::Exists), ["Deployment/default/web@observed"]);
        assert_eq!(check("deployment", "", Condition::Exists), ["Deployment/default/web@stored"]);
        assert!(check("pods", "app=other", is_true("Ready")).is_empty());
        assert!(
            check("pods", "app=web", is_true("Unheard")).is_empty(),
            "an unknown condition proves nothing"
        );
    }

    #[test]
    fn a_condition_that_must_be_false_proves_nothing() {
        let condition = Condition::Status { condition: "Ready".into(), value: "False".into() };
        assert!(check("pods", "app=web", condition).is_empty());
    }

    #[test]
    fn conditions_in_a_filter_count_like_conditions() {
        let path = r#".status.conditions[?(@.type=="Available")].status"#;
        let condition = Condition::Field { path: path.into(), value: Some("True".into()) };
        assert_eq!(check("deployments", "", condition), ["Deployment/default/web@ready"]);
    }
}

//! Which moments a wait proves.
//!
//! `kubectl wait` and `rollout status`: kubernetes v1.36.4 `staging/src/k8s.io/kubectl/pkg/cmd/wait/wait.go`,
//! `pkg/polymorphichelpers/rollout_status.go`. A loop around `kubectl get` proves what its test looks at.

use super::steps::add;
use crate::known::Known;
use crate::read::selector;
use crate::view::View;
use plimsoll_model::Milestone::{
    self, Bound, Complete, Established, Gone, Observed, Ready, Serving, Started, Stored,
};
use plimsoll_model::{
    Clause, Condition, Deadline, Delay, Gate, Moment, ObjectId, Step, StepIndex, Subject, Target,
};

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
    give_up(index, gate, awaited, known);
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

/// The objects that a target names. Pods stand for the workloads that make them, endpoints for their Service.
pub(crate) fn watched(view: &View<'_>, target: &Target) -> Vec<ObjectId> {
    match target {
        Target::Files(ids) => ids.clone(),
        Target::Named { resource, name, namespace } => {
            let Some((group, kind)) = kind(view, resource) else { return Vec::new() };
            named(view, &group, &kind, namespace.as_deref(), name).into_iter().collect()
        }
        Target::Selected { resource, selector, namespace, all_namespaces } => {
            let Some((group, kind)) = kind(view, resource) else { return Vec::new() };
            let namespace =
                if *all_namespaces { None } else { Some(namespace.as_deref().unwrap_or("default")) };
            selected(view, (&group, &kind), namespace, selector)
        }
    }
}

/// Whether a target means pods that a controller may have to make first.
pub(crate) fn is_pods(view: &View<'_>, target: &Target) -> bool {
    let (Target::Named { resource, .. } | Target::Selected { resource, .. }) = target else { return false };
    kind(view, resource).is_some_and(|(group, kind)| group.is_empty() && kind == "Pod")
}

fn named(view: &View<'_>, group: &str, kind: &str, namespace: Option<&str>, name: &str) -> Option<ObjectId> {
    let is_cluster_scoped = crate::read::scope::is_cluster_scoped(view, group, kind);
    let namespace = if is_cluster_scoped { None } else { Some(namespace.unwrap_or("default")) };
    match (group, kind) {
        ("", "Endpoints") => Some(ObjectId::new("", "Service", namespace, name)),
        ("", "Pod") => {
            let pod = ObjectId::new("", "Pod", namespace, name);
            let made_by = || {
                let mut owners = view.pods().iter().filter(|pods| Some(pods.namespace()) == namespace);
                // A StatefulSet's pods have names that can be known: web-0, web-1 …
                owners.find(|pods| {
                    let owner = pods.owner.id.name();
                    pods.owner.id.kind() == "StatefulSet"
                        && name.strip_prefix(owner).is_some_and(|rest| rest.starts_with('-'))
                })
            };
            if view.delivers(&pod) {
                Some(pod)
            } else {
                made_by().map(|pods| pods.owner.id.clone()).or(Some(pod))
            }
        }
        _ => Some(ObjectId::new(group, kind, namespace, name)),
    }
}

fn selected(
    view: &View<'_>,
    (group, kind): (&str, &str),
    namespace: Option<&str>,
    text: &str,
) -> Vec<ObjectId> {
    let Some(wanted) = selector::parse(text) else { return Vec::new() };
    let here = |id: &ObjectId| namespace.is_none() || id.namespace().is_none() || id.namespace() == namespace;
    if (group, kind) == ("", "Pod") {
        let pods = view.pods().iter().filter(|pods| pods.run && here(&pods.owner.id));
        return pods.filter(|pods| wanted.matches(pods.labels)).map(|pods| pods.owner.id.clone()).collect();
    }
    let kind = if kind == "Endpoints" { "Service" } else { kind };
    let objects = view.of_kind(group, kind).into_iter();
    objects
        .filter(|object| here(&object.id) && wanted.matches(object.root.at(&["metadata", "labels"])))
        .map(|object| object.id.clone())
        .collect()
}

/// Group and kind of a resource as a user writes it: from the input's own CRDs, or from what is known.
fn kind(view: &View<'_>, resource: &str) -> Option<(String, String)> {
    let asked = resource.to_ascii_lowercase();
    let (name, group) = asked.split_once('.').unwrap_or((&asked, ""));
    let own = view.of_kind("apiextensions.k8s.io", "CustomResourceDefinition").into_iter().find(|crd| {
        let names = crd.root.at(&["spec", "names"]);
        let is = |key: &str| names.and_then(|names| names.text_at(&[key])) == Some(name);
        let by_kind = names.and_then(|names| names.text_at(&["kind"]));
        let short = names.is_some_and(|n| n.list_at(&["shortNames"]).iter().any(|s| s.text() == Some(name)));
        let right_group =
            group.is_empty() || crd.text_at(&["spec", "group"]).is_some_and(|g| group.ends_with(g));
        right_group
            && (is("plural")
                || is("singular")
                || short
                || by_kind.is_some_and(|k| k.eq_ignore_ascii_case(name)))
    });
    if let Some(crd) = own {
        let group = crd.text_at(&["spec", "group"])?;
        let kind = crd.text_at(&["spec", "names", "kind"])?;
        return Some((group.to_owned(), kind.to_owned()));
    }
    let (group, kind) = plimsoll_schema::kind_of_resource(resource)?;
    Some((group.to_owned(), kind.to_owned()))
}

/// The milestone that a condition proves of a kind; `None` if it proves nothing that is known.
fn milestone(condition: &Condition) -> Option<Milestone> {
    match condition {
        Condition::Exists => Some(Stored),
        Condition::Gone => Some(Gone),
        Condition::RolledOut => Some(Ready),
        Condition::Status { condition, value } => status(condition, value),
        Condition::Field { path, value } => field(path, value.as_deref()),
        Condition::Unknown(_) => None,
    }
}

fn status(condition: &str, value: &str) -> Option<Milestone> {
    if !value.eq_ignore_ascii_case("true") {
        return None;
    }
    match condition.to_ascii_lowercase().as_str() {
        "established" => Some(Established),
        "complete" | "completed" | "succeeded" => Some(Complete),
        "ready" | "available" | "healthy" | "synced" | "containersready" => Some(Ready),
        "podscheduled" => Some(Bound),
        "initialized" | "progressing" => Some(Observed),
        _ => None,
    }
}

/// Fields that prove a milestone: the phases of claims, namespaces and pods, replica counts, endpoints, conditions
/// picked out by a filter, and fields of a Secret or ConfigMap, which prove that it is stored.
fn field(path: &str, value: Option<&str>) -> Option<Milestone> {
    let path = path.trim_start_matches('.');
    if let Some(condition) = filtered_condition(path) {
        return status(condition, value.unwrap_or("True"));
    }
    match (path, value) {
        ("status.phase", Some("Bound")) => Some(Bound),
        ("status.phase", Some("Active")) => Some(Stored),
        ("status.phase", Some("Running")) => Some(Started),
        ("status.phase", Some("Succeeded" | "Complete")) | ("status.succeeded", Some(_)) => Some(Complete),
        ("status.readyReplicas" | "status.availableReplicas" | "status.numberReady", _) => Some(Ready),
        _ if path.starts_with("subsets") => Some(Serving),
        _ if path.starts_with("status.loadBalancer") => Some(Ready),
        _ if path.starts_with("data") || path.starts_with("metadata") => Some(Stored),
        _ => None,
    }
}

/// The type in `status.conditions[?(@.type=="Ready")].status`.
fn filtered_condition(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("status.conditions[?(@.type")?;
    let rest = rest.trim_start_matches([' ', '=']).trim_start_matches(['"', '\'', '\\']);
    rest.split(['"', '\'', '\\', ')']).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::view::Scene;
    use plimsoll_model::Operation;

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

//! The promises held against what both Helms were seen to do: `crates/plimsoll-testbed/observed/helm.tsv`, taken from the
//! audit log of a real server. The charts behind it are in `crates/plimsoll-testbed/src/promise/helm/chart.rs`.

use super::settings::{Settings, Version, Waits};
use super::{Release, deliver, removed, wait};
use crate::known::Known;
use crate::sample;
use plimsoll_model::Milestone::{Complete, Submitted};
use plimsoll_model::{Action, Arranged, Moment, Object, Operation, StepIndex, Tool, Unit};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::time::Duration;

const TABLE: &str = include_str!("../../../../plimsoll-testbed/observed/helm.tsv");
const TOOLS: [(&str, Version); 2] = [("helm3", Version::Three), ("helm4", Version::Four)];
const DEFINITION: &str = "CustomResourceDefinition";

/// The hooks of the charts: name, events, weight.
const HOOKS: [(&str, &str, &str); 8] = [
    ("pre-first", "pre-install,pre-upgrade,pre-rollback", "-5"),
    ("pre-a", "pre-install,pre-upgrade,pre-rollback", "0"),
    ("pre-b", "pre-install,pre-upgrade,pre-rollback", "0"),
    ("post-a", "post-install,post-upgrade,post-rollback", "1"),
    ("post-b", "post-install,post-upgrade,post-rollback", "1"),
    ("delete-pre", "pre-delete", "0"),
    ("delete-post", "post-delete", "0"),
    ("stuck", "pre-install", "0"),
];

/// One line of the table: requests of one kind that followed each other.
struct Batch {
    verb: &'static str,
    kind: &'static str,
    names: Vec<&'static str>,
    answers: &'static str,
    is_at_once: bool,
}

impl Batch {
    /// Every object of the line, as `Kind/name`.
    fn objects(&self) -> Vec<String> {
        self.names.iter().map(|name| format!("{}/{name}", self.kind)).collect()
    }

    fn is_making(&self) -> bool {
        matches!(self.verb, "create" | "patch")
    }
}

/// What a tool sent, without the records that it keeps for itself.
fn seen(tool: &str, operation: &str) -> Vec<Batch> {
    let cells = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let batches = cells.filter_map(|cells| match cells.as_slice() {
        ["sent", by, when, _, verb, kind, names, answers, how] if *by == tool && *when == operation => {
            let names = names.split(',').filter(|name| !name.starts_with("sh.helm.")).collect();
            Some(Batch { verb, kind, names, answers, is_at_once: *how == "at once" })
        }
        _ => None,
    });
    batches.filter(|batch| !batch.names.is_empty()).collect()
}

/// The chart that was sent: kinds the other way round, objects of one kind as in the templates.
fn chart(tool: &str, version: Version, batches: &[Batch]) -> Unit {
    let mut made: Vec<(&str, &str)> = Vec::new();
    for batch in batches.iter().filter(|batch| batch.is_making()) {
        made.extend(batch.names.iter().map(|name| (batch.kind, *name)));
    }
    made.sort_by(|(one, _), (other, _)| other.cmp(one));
    made.sort_by_key(|(kind, _)| *kind != DEFINITION);
    let objects: Vec<Json> = made.iter().map(|(kind, name)| object(tool, kind, name)).collect();
    let action = sample::bundle(&objects).steps.into_iter().map(|step| step.action).next();
    let Some(Action::Deliver(mut unit)) = action else { panic!("no delivery") };
    unit.delivery.tool = Tool::Helm;
    unit.delivery.version = (version == Version::Four).then(|| "4.3.1".to_owned());
    let definitions = made.iter().filter(|(kind, _)| *kind == DEFINITION).count();
    unit.delivery.arranged = Arranged::AsChart { definitions };
    unit
}

fn object(tool: &str, kind: &str, name: &str) -> Json {
    let short = name.strip_prefix(tool).map_or(name, |rest| rest.trim_start_matches('-'));
    let hook = HOOKS.iter().find(|(known, _, _)| *known == short);
    let annotations = hook.map_or(
        json!({}),
        |(_, events, weight)| json!({"helm.sh/hook": events, "helm.sh/hook-weight": weight}),
    );
    let group = if kind == "Job" { "batch/v1" } else { "v1" };
    json!({"apiVersion": group, "kind": kind, "metadata": {"name": name, "annotations": annotations}})
}

fn word(object: &Object) -> String {
    format!("{}/{}", object.id.kind(), object.id.name())
}

/// What the model sends, in its order; what may go at once stands together.
fn modelled(release: &Release<'_>) -> Vec<BTreeSet<String>> {
    let alone = |objects: &[&Object]| -> Vec<BTreeSet<String>> {
        objects.iter().map(|object| BTreeSet::from([word(object)])).collect()
    };
    let main = release.main.iter().map(|kind| kind.iter().map(|object| word(object)).collect());
    let mut all = alone(&release.definitions);
    all.extend(alone(&release.before));
    all.extend(main);
    all.extend(alone(&release.after));
    all
}

fn order(batches: &[Batch]) -> Vec<BTreeSet<String>> {
    let made = batches.iter().filter(|batch| batch.is_making());
    let split = |batch: &Batch| -> Vec<BTreeSet<String>> {
        if batch.is_at_once {
            vec![batch.objects().into_iter().collect()]
        } else {
            batch.objects().into_iter().map(|object| BTreeSet::from([object])).collect()
        }
    };
    made.flat_map(split).collect()
}

#[test]
fn both_helms_send_a_release_in_the_order_of_the_model() {
    for (tool, version) in TOOLS {
        for (name, operation) in [
            ("install", Operation::Install),
            ("upgrade", Operation::Upgrade),
            ("rollback", Operation::Rollback),
            ("install-refused", Operation::Install),
        ] {
            let batches = seen(tool, name);
            assert!(batches.len() > 3, "{tool} {name}: {}", batches.len());
            let unit = chart(tool, version, &batches);
            assert_eq!(modelled(&Release::of(&unit, operation)), order(&batches), "{tool} {name}");
        }
    }
}

#[test]
fn every_hook_is_deleted_right_before_it_is_made() {
    for (tool, version) in TOOLS {
        for (name, operation, answer) in [
            ("install", Operation::Install, "404"),
            ("upgrade", Operation::Upgrade, "200"),
            ("rollback", Operation::Rollback, "200"),
        ] {
            let batches = seen(tool, name);
            let unit = chart(tool, version, &batches);
            let release = Release::of(&unit, operation);
            assert_eq!(release.hooks().count(), 6, "{tool} {name}");
            for hook in release.hooks() {
                let is = |batch: &Batch, makes: bool| {
                    batch.is_making() == makes && batch.objects().contains(&word(hook))
                };
                let deleted = batches.iter().position(|batch| is(batch, false));
                let made = batches.iter().position(|batch| is(batch, true));
                assert!(
                    deleted.is_some() && deleted.map(|at| at + 1) == made,
                    "{tool} {name}: {}",
                    word(hook)
                );
                let answers = deleted.and_then(|at| batches.get(at)).map(|batch| batch.answers);
                assert_eq!(answers, Some(answer), "{tool} {name}");
                assert_eq!(release.makes_anew(hook), answer == "200", "{tool} {name}");
            }
        }
    }
}

#[test]
fn both_helms_delete_a_release_in_the_order_of_the_model() {
    for (tool, version) in TOOLS {
        let mut batches = seen(tool, "install");
        let gone = seen(tool, "uninstall");
        batches.extend(seen(tool, "uninstall"));
        let unit = chart(tool, version, &batches);
        let words: Vec<String> =
            removed(&unit).iter().map(|id| format!("{}/{}", id.kind(), id.name())).collect();
        let is_hook = |object: &String| object.contains("-delete-");
        let deleted: Vec<String> = gone
            .iter()
            .filter(|batch| batch.verb == "delete")
            .flat_map(|batch| {
                let mut objects = batch.objects();
                // Those of one kind go at once.
                objects.sort_by_key(|object| words.iter().position(|word| word == object));
                objects
            })
            .filter(|object| !is_hook(object))
            .collect();
        assert_eq!(words, deleted, "{tool}");
        let position = |name: &str, is_making: bool| {
            let name = format!("ConfigMap/{tool}-{name}");
            gone.iter().position(|batch| batch.is_making() == is_making && batch.objects().contains(&name))
        };
        let main: Vec<usize> = (0..gone.len())
            .filter(|at| {
                gone.get(*at)
                    .is_some_and(|batch| batch.verb == "delete" && !batch.objects().iter().any(is_hook))
            })
            .collect();
        assert!(position("delete-pre", true) < main.first().copied(), "{tool}");
        assert!(position("delete-post", false) > main.last().copied(), "{tool}");
    }
}

#[test]
fn nothing_is_sent_behind_a_hook_that_does_not_end() {
    for (tool, version) in TOOLS {
        let mut batches = seen(tool, "install-stuck-hook");
        assert_eq!(order(&batches), [BTreeSet::from([format!("Job/{tool}-stuck")])], "{tool}");
        batches.push(Batch {
            verb: "create",
            kind: "ConfigMap",
            names: vec!["behind"],
            answers: "",
            is_at_once: false,
        });
        let unit = chart(tool, version, &batches);
        let bundle = sample::bundle(&[]);
        let mut known = Known::default();
        let step = bundle.steps.first().expect("a step");
        deliver(StepIndex(0), step, (&unit, &[]), Operation::Install, &mut known);
        let find =
            |kind: &str| unit.objects.iter().find(|object| object.id.kind() == kind).expect("an object");
        let sent = Moment::request(StepIndex(0), &find("ConfigMap").id, Submitted);
        let ended = find("Job").id.at(Complete);
        let mut promises = known.guarantees.iter();
        assert!(promises.any(|one| one.then.contains(&sent) && one.first.contains(&ended)), "{tool}");
    }
}

/// What `--wait` was tried with: the group, the kind, its specification.
fn probe(name: &str) -> (&'static str, &'static str, Json) {
    match name {
        "deployment" => ("apps/v1", "Deployment", json!({"replicas": 1})),
        "deployment-max-unavailable-1" => {
            let strategy = json!({"rollingUpdate": {"maxUnavailable": 1}});
            ("apps/v1", "Deployment", json!({"replicas": 1, "strategy": strategy}))
        }
        "stateful-set" => ("apps/v1", "StatefulSet", json!({})),
        "stateful-set-on-delete" => {
            ("apps/v1", "StatefulSet", json!({"updateStrategy": {"type": "OnDelete"}}))
        }
        "daemon-set-without-nodes" => ("apps/v1", "DaemonSet", json!({})),
        "job" | "job-with-wait-for-jobs" => ("batch/v1", "Job", json!({})),
        "pod" => ("v1", "Pod", json!({})),
        "volume-claim" => ("v1", "PersistentVolumeClaim", json!({})),
        "service" => ("v1", "Service", json!({})),
        "service-load-balancer" => ("v1", "Service", json!({"type": "LoadBalancer"})),
        "ingress" => ("networking.k8s.io/v1", "Ingress", json!({})),
        "autoscaler" => ("autoscaling/v2", "HorizontalPodAutoscaler", json!({})),
        "api-service-without-backend" => ("apiregistration.k8s.io/v1", "APIService", json!({})),
        "custom-resource-without-status" => ("helm3.example.com/v1", "Gadget", json!({})),
        _ => panic!("the model was never asked about {name}"),
    }
}

#[test]
fn a_wait_that_was_over_at_once_promises_nothing() {
    let cells = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let mut count = 0;
    for cells in cells {
        let ["wait", tool, name, outcome] = cells.as_slice() else { continue };
        let version = if *tool == "helm4" { Version::Four } else { Version::Three };
        let (api_version, kind, spec) = probe(name);
        let object = sample::object(
            &json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}),
        );
        let is_for_jobs = name.ends_with("wait-for-jobs");
        let settings = Settings {
            version,
            waits: if is_for_jobs { Waits::ObjectsAndJobs } else { Waits::Objects },
            runs_hooks: true,
            sends_definitions: true,
            creates_namespace: false,
            timeout: Duration::ZERO,
        };
        // On a cluster without nodes all pods of a DaemonSet are there: none.
        let is_idle = *name == "daemon-set-without-nodes" && version == Version::Four;
        // The address of a load balancer is nothing that others are known to need.
        let is_more = *name == "service-load-balancer" && version == Version::Three;
        let is_waited_for = wait::proved(&object, &settings).is_some();
        assert_eq!(is_waited_for, (*outcome != "returns" || is_idle) && !is_more, "{tool} {name}");
        count += 1;
    }
    assert_eq!(count, 30);
}

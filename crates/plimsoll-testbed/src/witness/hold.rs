//! How a provider is kept back, so that the order which the reasoning found is the one that happens.

use super::asked::Finding;
use super::document::Document;
use serde_json::{Value, json};

/// What is done to a document until its provider may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// It is not sent.
    Absent,
    /// It is sent, but its pods wait at a scheduling gate: stored, never ready.
    Gated,
    /// It is sent, but paused: its controller makes no pods. What cannot be paused is not sent.
    Paused,
    /// The same, and only until the script has run: it is the consumer itself, which must act last of all.
    Delayed,
}

/// Kinds whose pods can be held at a gate.
const WORKLOADS: [&str; 4] = ["Deployment", "StatefulSet", "DaemonSet", "Pod"];

/// Which documents are kept back for a finding, and how. Nothing where the order is the tool's own doing: a request
/// that it maps before it sends anything, a deletion, a command that waits.
pub(super) fn holds(finding: &Finding, documents: &[Document]) -> Vec<(usize, Hold)> {
    let (before, after) = (&finding.before, &finding.after);
    let is_own_doing = after.milestone == "checked"
        || before.milestone == "gone"
        || before.object == after.object
        || (before.milestone == "stored" && finding.is_in_time())
        || (after.object.starts_with("Step/")
            && !["observed", "started"].contains(&before.milestone.as_str()));
    if is_own_doing {
        return Vec::new();
    }
    let find = |object: &str| documents.iter().position(|document| document.is(object));
    let carriers = before.carriers.iter().filter(|carrier| **carrier != after.object);
    let carriers: Vec<usize> = carriers.filter_map(|carrier| find(carrier)).collect();
    let is_workload =
        |index: &usize| documents.get(*index).is_some_and(|document| WORKLOADS.contains(&document.kind()));
    let hold = match before.milestone.as_str() {
        "started" | "ready" | "serving" => Hold::Gated,
        "observed" => Hold::Paused,
        _ => Hold::Absent,
    };
    if before.carriers.contains(&after.object) {
        // It stands in its own way: nothing but its own pods can be too early.
        let own = find(&after.object).filter(|_| after.milestone == "observed");
        return own.into_iter().map(|index| (index, Hold::Delayed)).collect();
    }
    if hold != Hold::Absent {
        let own = find(&before.object).into_iter();
        let workloads: Vec<usize> = own.chain(carriers.iter().copied()).filter(is_workload).collect();
        if !workloads.is_empty() {
            // Files are sent in the order of their names; pods must come after the configuration all the same.
            let late = find(&after.object).filter(|_| after.milestone == "observed");
            let late = late.map(|index| (index, Hold::Delayed));
            return workloads.into_iter().map(|index| (index, hold)).chain(late).collect();
        }
        let own = find(&before.object).and_then(|index| documents.get(index));
        if after.object.starts_with("Step/") && own.is_some_and(Document::is_custom) {
            // An operator makes its pods, and takes its time.
            return Vec::new();
        }
    }
    let absent = find(&before.object).map_or(carriers, |own| vec![own]);
    absent.into_iter().map(|index| (index, Hold::Absent)).collect()
}

/// Whether something comes before an operator has made its kind. How long operators take is up to them, so they have to
/// stand still meanwhile.
pub(super) fn is_about_products(findings: &[Finding], documents: &[Document]) -> bool {
    let is_made = |object: &str| {
        object.starts_with("CustomResourceDefinition/")
            && !documents.iter().any(|document| document.is(object))
    };
    findings.iter().any(|finding| is_made(&finding.before.object))
}

impl Hold {
    /// The document as it is sent meanwhile; nothing if it is not sent.
    pub(super) fn kept(self, document: &Document) -> Option<Document> {
        let mut document = document.clone();
        match self {
            Self::Absent => return None,
            // Only a Deployment has the field; a server refuses the others with it.
            Self::Paused | Self::Delayed if document.kind() != "Deployment" => return None,
            Self::Gated => document.change(|value| {
                let spec =
                    if value.pointer("/spec/template").is_some() { "/spec/template/spec" } else { "/spec" };
                set(value, spec, "schedulingGates", json!([{"name": "plimsoll.example.com/held"}]));
            }),
            Self::Paused | Self::Delayed => {
                document.change(|value| set(value, "/spec", "paused", json!(true)));
            }
        }
        Some(document)
    }
}

fn set(value: &mut Value, path: &str, key: &str, to: Value) {
    if let Some(map) = value.pointer_mut(path).and_then(Value::as_object_mut) {
        map.insert(key.to_owned(), to);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::witness::asked::Finding;
    use plimsoll_knowledge::page::Example;

    fn finding(before: &Value, after: &Value) -> Finding {
        let all = json!({"rule": "R", "class": "c", "consequence": "late", "operation": "install", "before": before, "after": after, "timeline": [], "heals": null});
        serde_json::from_value(all).unwrap()
    }

    fn documents() -> Vec<Document> {
        let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n---\n\
                    apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b}\nspec: {template: {spec: {}}}\n";
        Document::all(&Example::of_file("one", text))
    }

    #[test]
    fn a_provider_is_kept_back_in_the_way_its_milestone_asks() {
        let after = json!({"object": "Pod/default/c", "milestone": "started"});
        let secret = json!({"object": "Secret/default/a", "milestone": "stored"});
        assert_eq!(holds(&finding(&secret, &after), &documents()), [(0, Hold::Absent)]);
        let serving = json!({"object": "Service/default/s", "milestone": "serving", "carriers": ["Deployment/default/b"]});
        assert_eq!(holds(&finding(&serving, &after), &documents()), [(1, Hold::Gated)]);
        let mapped = json!({"object": "Pod/default/c", "milestone": "checked"});
        assert_eq!(holds(&finding(&secret, &mapped), &documents()), []);
    }

    #[test]
    fn a_provider_that_comes_in_time_and_lacks_something_is_not_kept_back() {
        let after = json!({"object": "Deployment/default/b", "milestone": "started"});
        let secret = json!({"object": "Secret/default/a", "milestone": "stored"});
        let mut finding = finding(&secret, &after);
        let told = json!([{"object": "Deployment/default/b", "answer": "no"}, {"object": "Secret/default/a", "answer": null}]);
        finding.timeline = serde_json::from_value(told).unwrap();
        assert_eq!(holds(&finding, &documents()), [(0, Hold::Absent)]);
        finding.timeline.reverse();
        assert_eq!(holds(&finding, &documents()), []);
    }

    #[test]
    fn what_an_operator_makes_pods_for_is_sent() {
        let ring =
            Example::of_file("one", "apiVersion: rings.acme.io/v1\nkind: Ring\nmetadata: {name: gold}\n");
        let started = json!({"object": "Ring/default/gold", "milestone": "started"});
        let step = json!({"object": "Step/deploy.sh:3", "milestone": "started"});
        assert_eq!(holds(&finding(&started, &step), &Document::all(&ring)), []);
        let ready = json!({"object": "Ring/default/gold", "milestone": "ready"});
        let consumer = json!({"object": "Pod/default/c", "milestone": "started"});
        assert_eq!(holds(&finding(&ready, &consumer), &Document::all(&ring)), [(0, Hold::Absent)]);
    }

    #[test]
    fn what_cannot_be_paused_is_not_sent() {
        let text =
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: b}\nspec: {template: {spec: {}}}\n";
        let set = &Document::all(&Example::of_file("one", text))[0];
        for hold in [Hold::Paused, Hold::Delayed] {
            assert!(hold.kept(set).is_none());
            let kept = hold.kept(&documents()[1]).unwrap();
            let value: Value = serde_json::from_str(&kept.text).unwrap();
            assert_eq!(value.pointer("/spec/paused"), Some(&json!(true)));
        }
    }

    #[test]
    fn a_gate_holds_the_pods_of_a_template() {
        let kept = Hold::Gated.kept(&documents()[1]).unwrap();
        let value: Value = serde_json::from_str(&kept.text).unwrap();
        assert!(value.pointer("/spec/template/spec/schedulingGates/0").is_some(), "{value}");
    }
}

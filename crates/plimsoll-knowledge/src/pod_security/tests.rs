//! Our verdicts against those of k8s.io/pod-security-admission v0.36.4, word for word.
//!
//! `cases.jsonl` holds random pods of our own making, each with the answer that the module gave to it at a level and a
//! version; before asking it, the two changes that a server makes to such a pod were made (host ports, AppArmor).

use super::{Candidate, Policy, violations};
use plimsoll_model::{Key, Node, Object, ObjectId, Place, Value};
use plimsoll_schema::Version;

fn node(json: &serde_json::Value) -> Node {
    use serde_json::Value as Json;
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Int(number.as_i64().expect("a whole number")),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(items) => Value::List(items.iter().map(node).collect()),
        Json::Object(entries) => {
            let key = |text: &str| Key { text: text.into(), place: Place::default() };
            Value::Map(entries.iter().map(|(text, value)| (key(text), node(value))).collect())
        }
    };
    Node { value, place: Place::default() }
}

fn policy(case: &serde_json::Value) -> Policy {
    let root = node(&serde_json::json!({"metadata": {"labels": {
        "pod-security.kubernetes.io/enforce": case["level"],
        "pod-security.kubernetes.io/enforce-version": case["version"],
    }}}));
    let id = ObjectId::new("", "Namespace", None, "shop");
    Policy::of(&Object { id, version: "v1".into(), root }).expect("a policy")
}

fn answer(case: &serde_json::Value) -> String {
    let policy = policy(case);
    let pod = node(&case["pod"]);
    let candidate = Candidate {
        spec: pod.get("spec").expect("a specification"),
        annotations: pod.at(&["metadata", "annotations"]),
        version: policy.version_on(Version { minor: 36 }),
    };
    let texts: Vec<String> =
        violations(policy.level, &candidate).iter().map(super::Violation::text).collect();
    if texts.is_empty() {
        String::new()
    } else {
        format!("violates PodSecurity \"{policy}\": {}", texts.join(", "))
    }
}

#[test]
fn every_verdict_is_that_of_the_module_word_for_word() {
    let mut seen = std::collections::BTreeSet::new();
    for line in include_str!("cases.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case");
        let expected = case["answer"].as_str().expect("an answer");
        assert_eq!(answer(&case), expected, "{line}");
        seen.insert(expected.is_empty());
    }
    assert_eq!(seen.len(), 2, "some pods are admitted and some refused");
}

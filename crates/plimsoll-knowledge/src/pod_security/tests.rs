//! Our verdicts against those of k8s.io/pod-security-admission v0.36.4, word for word.
//!
//! `cases.jsonl` holds random pods of our own making, each with the answer that the module gave to it at a level and a
//! version; before asking it, the two changes that a server makes to such a pod were made (host ports, AppArmor).

use super::{Candidate, Policy, violations};
use crate::sample::node;
use plimsoll_schema::Version;

fn policy(case: &serde_json::Value) -> Policy {
    let labels = serde_json::json!({
        "pod-security.kubernetes.io/enforce": case["level"],
        "pod-security.kubernetes.io/enforce-version": case["version"],
    });
    Policy::of(|key| labels[key].as_str().map(str::to_owned)).expect("a policy")
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

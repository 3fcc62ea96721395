//! Our verdicts on quotas and limit ranges against those of a real server v1.36.4.
//!
//! `cases.jsonl` holds random objects of our own making, each with the server's answer to its pod. Left out are pods
//! that pass a quota only by amounts that a LimitRange fills in: the rule counts what is written.

use crate::sample;
use crate::view::Scene;
use plimsoll_model::{Operation, Requirement};

const CODES: [&str; 3] = ["PLM-R024", "PLM-R025", "PLM-R046"];

/// Several broken bounds come in no fixed order.
fn parts(answer: &str) -> Vec<String> {
    let reason = answer.trim_start_matches("pods \"p\" is forbidden: ");
    let reason = reason.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(reason);
    let marked = ["minimum", "maximum", "cpu max", "memory max"]
        .iter()
        .fold(reason.to_owned(), |text, word| text.replace(&format!(", {word}"), &format!("\n{word}")));
    let mut parts: Vec<String> = marked.lines().map(str::to_owned).collect();
    parts.sort();
    parts
}

#[test]
fn every_verdict_is_that_of_the_server() {
    let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
    let mut refused = 0;
    for line in include_str!("cases.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case");
        let bundle = sample::bundle(case["objects"].as_array().expect("objects"));
        let known = crate::know(&bundle, scene);
        let ours = known.windows.iter().map(|window| &window.requirement);
        // The LimitRange comes first here, so only what nothing can satisfy is refused.
        let is_static = |one: &&Requirement| CODES.contains(&one.rule.0) && one.first.0.is_empty();
        let ours = ours.filter(is_static);
        let texts: Vec<Vec<String>> = ours.filter_map(|one| one.answer.text.as_deref()).map(parts).collect();
        let answer = case["answer"].as_str().expect("an answer");
        if answer.is_empty() {
            assert!(texts.is_empty(), "{texts:?} {line}");
        } else {
            refused += 1;
            assert!(texts.contains(&parts(answer)), "{texts:?} {line}");
        }
    }
    assert!(refused > 50, "{refused} cases are refused");
}

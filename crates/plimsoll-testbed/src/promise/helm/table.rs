//! The lines of `observed/helm.tsv`.

use crate::promise::trace::{Request, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const HEAD: &str = "\
# What helm 3 (v3.22.0) and helm 4 (v4.3.1) were seen to send to kube-apiserver v1.36.4, and what `--wait` waits for.
# Written by `cargo xtask promises --helm`; the charts are in crates/plimsoll-testbed/src/promise/helm/chart.rs.
# A line is a batch: writes of one kind with one verb that followed each other. `at once`: some overlapped.
# exit\ttool\toperation\tcode
# sent\ttool\toperation\tnumber of the batch\tverb\tkind\tnames\tanswers\thow
# wait\ttool\twhat is not ready\twhat `install --wait` does: waits to its end, returns with 0, or fails before its end
";

/// Requests of one kind with one verb that followed each other.
struct Batch<'a> {
    requests: Vec<&'a Request>,
}

/// The whole table.
pub(super) fn write(
    codes: &[(&str, &str, i32)],
    waits: &[(&str, &str, &str)],
    traces: &BTreeMap<String, Trace>,
) -> String {
    let mut text = HEAD.to_owned();
    for (tool, operation, code) in codes {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "exit\t{tool}\t{operation}\t{code}");
        let Some(trace) = traces.get(&format!("{tool}-{operation}")) else { continue };
        for (number, batch) in (1..).zip(batches(trace)) {
            let _ = writeln!(text, "sent\t{tool}\t{operation}\t{number}\t{}", batch.line());
        }
    }
    for (tool, what, outcome) in waits {
        let _ = writeln!(text, "wait\t{tool}\t{what}\t{outcome}");
    }
    text
}

fn batches(trace: &Trace) -> Vec<Batch<'_>> {
    let mut batches: Vec<Batch<'_>> = Vec::new();
    let writes = trace.requests.iter().filter(|request| request.stores() || request.verb == "delete");
    for request in writes {
        match batches.last_mut().filter(|batch| batch.is_like(request)) {
            Some(batch) => batch.requests.push(request),
            None => batches.push(Batch { requests: vec![request] }),
        }
    }
    batches
}

impl Batch<'_> {
    fn is_like(&self, request: &Request) -> bool {
        let same = |one: &&Request| one.id.kind() == request.id.kind() && one.verb == request.verb;
        self.requests.first().is_some_and(same)
    }

    /// Verb, kind, names, answers, and whether some were sent before the one before was answered. Where they were, the
    /// order of names says nothing, and they are sorted.
    fn line(&self) -> String {
        let overlaps = |(one, other): (&&Request, &&Request)| other.received < one.answered;
        let is_at_once = self.requests.iter().zip(self.requests.iter().skip(1)).any(overlaps);
        let mut names: Vec<&str> = self.requests.iter().map(|request| request.id.name()).collect();
        if is_at_once {
            names.sort_unstable();
        }
        let answers: BTreeSet<String> =
            self.requests.iter().map(|request| request.code.to_string()).collect();
        let answers: Vec<String> = answers.into_iter().collect();
        let (verb, kind) = self.requests.first().map_or(("", ""), |one| (one.verb.as_str(), one.id.kind()));
        let how = match (self.requests.len(), is_at_once) {
            (1, _) => "alone",
            (_, true) => "at once",
            (_, false) => "one by one",
        };
        format!("{verb}\t{kind}\t{}\t{}\t{how}", names.join(","), answers.join(","))
    }
}

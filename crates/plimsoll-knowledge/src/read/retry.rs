//! How often a program whose container fails is started again.

use super::pods::Pods;
use crate::clocks;
use plimsoll_model::Reading;
use std::time::Duration;

/// When a container of `restartPolicy: OnFailure` is started again, in seconds: seen on a real kubelet v1.36.4. With the
/// default `backoffLimit` of 6 a Job was given up after 344 s.
const RESTARTS: [u64; 8] = [0, 2, 16, 37, 86, 174, 344, 653];

/// How the maker of pods takes a program that fails.
pub(crate) fn of(pods: &Pods<'_>) -> Reading {
    let policy = pods.spec.text_at(&["restartPolicy"]).unwrap_or("Always");
    match (pods.owner.id.kind(), policy) {
        ("Job", _) => of_job(pods, policy),
        ("Pod", "Never") => Reading::OnceForGood,
        _ => clocks::CRASH_LOOP,
    }
}

/// A Job gives up after `backoffLimit` failures: new pods come after 10, 20, 40 … s (634 s for six were seen), restarts
/// at the kubelet's pace. kubernetes v1.36.4 `pkg/controller/job/job_controller.go`.
fn of_job(pods: &Pods<'_>, policy: &str) -> Reading {
    let job = &pods.owner.root;
    let limit = u32::try_from(job.int_at(&["spec", "backoffLimit"]).unwrap_or(6)).unwrap_or(0);
    if limit == 0 {
        return Reading::OnceForGood;
    }
    let last = RESTARTS.last().copied().unwrap_or_default();
    let patience = match (policy, limit) {
        ("Never", 6) => return capped(pods, clocks::JOB_RETRIES),
        ("Never", _) => (0..limit.min(20)).map(|attempt| (10u64 << attempt).min(600)).sum(),
        _ => RESTARTS.get(limit as usize).copied().unwrap_or_else(|| last + 300 * u64::from(limit - 7)),
    };
    capped(pods, Reading::RetriedUntil { patience: Duration::from_secs(patience) })
}

/// `activeDeadlineSeconds` ends a Job whatever is left of its retries.
fn capped(pods: &Pods<'_>, reading: Reading) -> Reading {
    let deadline = pods.owner.root.int_at(&["spec", "activeDeadlineSeconds"]);
    match (reading, deadline.and_then(|seconds| u64::try_from(seconds).ok())) {
        (Reading::RetriedUntil { patience }, Some(seconds)) => {
            Reading::RetriedUntil { patience: patience.min(Duration::from_secs(seconds)) }
        }
        _ => reading,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use serde_json::json;

    fn seconds(policy: &str, fields: &serde_json::Value) -> Option<u64> {
        let mut job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "default"},
            "spec": {"template": {"spec": {"restartPolicy": policy}}}});
        for (key, value) in fields.as_object().expect("fields") {
            job["spec"][key] = value.clone();
        }
        let job = sample::object(&job);
        match of(&Pods::of(&job).expect("pods")) {
            Reading::RetriedUntil { patience } => Some(patience.as_secs()),
            _ => None,
        }
    }

    #[test]
    fn a_job_has_the_patience_of_its_fields() {
        assert_eq!(seconds("Never", &json!({})), Some(634));
        assert_eq!(seconds("OnFailure", &json!({})), Some(344));
        assert_eq!(seconds("Never", &json!({"backoffLimit": 2})), Some(30));
        assert_eq!(seconds("OnFailure", &json!({"backoffLimit": 9})), Some(653 + 600));
        assert_eq!(seconds("Never", &json!({"activeDeadlineSeconds": 60})), Some(60));
        assert_eq!(seconds("Never", &json!({"backoffLimit": 0})), None, "the first failure is the last");
    }
}

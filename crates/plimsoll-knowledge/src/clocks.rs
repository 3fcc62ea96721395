//! The clocks by which readers try again, each with the source it was read from.

use plimsoll_model::{Delay, Reading};
use std::time::Duration;

/// Kubelet, volumes: 0.5 s doubling to 2 min 2 s, without end.
/// kubernetes v1.36.4 `pkg/util/goroutinemap/exponentialbackoff`; seen: +0, 0.5, 1.5, 3.5 … 127.7, 249.8 s.
pub(crate) const VOLUME_MOUNT: Reading = retried(500, 122_000);

/// Kubelet, environment and other container configuration: every 11 to 16 s, never growing.
/// kubernetes v1.36.4 `pkg/kubelet/kubelet.go`, `pod_workers.go`; seen: median 13 s.
pub(crate) const CONTAINER_CONFIG: Reading = retried(13_000, 13_000);

/// Kubelet, image pulls: 10 s doubling to 5 min. kubernetes v1.36.4 `pkg/kubelet/kubelet.go`.
pub(crate) const IMAGE_PULL: Reading = retried(10_000, 300_000);

/// Kubelet, containers that exit: 10 s doubling to 5 min. kubernetes v1.36.4 `pkg/kubelet/kubelet.go`.
pub(crate) const CRASH_LOOP: Reading = retried(10_000, 300_000);

/// The work queue that most controllers and operators have: 5 ms doubling to 1000 s.
/// client-go v0.36.4 `util/workqueue/default_rate_limiters.go`; controller-runtime v0.25.2 `pkg/controller/controller.go`.
pub(crate) const WORK_QUEUE: Reading = retried(5, 1_000_000);

/// Controllers of Deployments, ReplicaSets, StatefulSets and DaemonSets have that work queue.
pub(crate) const POD_CREATION: Reading = WORK_QUEUE;

/// Job controller, creation of pods: 1 s doubling to 1 min.
/// kubernetes v1.36.4 `pkg/controller/job/job_controller.go`.
pub(crate) const JOB_POD_CREATION: Reading = retried(1_000, 60_000);

/// A script that sends again until it succeeds: `until kubectl apply …; do sleep 5; done`. Its pause is taken as 5 s.
pub(crate) const SCRIPT_LOOP: Reading = retried(5_000, 5_000);

/// Horizontal pod autoscaler: every 15 s. kubernetes v1.36.4 `pkg/controller/podautoscaler/config/v1alpha1/defaults.go`.
pub(crate) const AUTOSCALER: Reading = retried(15_000, 15_000);

/// Volume binder: every 15 s.
/// kubernetes v1.36.4 `pkg/controller/volume/persistentvolume/config/v1alpha1/defaults.go`.
pub(crate) const VOLUME_BINDER: Reading = retried(15_000, 15_000);

/// cert-manager, setting up an issuer: 5 s doubling to 5 min. cert-manager v1.21.2 `pkg/controller/util.go`.
pub(crate) const ISSUER_SETUP: Reading = retried(5_000, 300_000);

/// external-secrets, secrets and stores alike: 1 s doubling to 7 min.
/// external-secrets v0.20.4 `pkg/controllers/common/common.go` (`BuildRateLimiter`); seen: 1, 2, 4 … s.
pub(crate) const EXTERNAL_SECRETS: Reading = retried(1_000, 420_000);

/// Programs beside a storage driver, making volumes and snapshots: 1 s doubling to 5 min, the defaults of
/// `--retry-interval-start` and `--retry-interval-max` of kubernetes-csi external-provisioner and external-snapshotter.
pub(crate) const PROVISIONER: Reading = retried(1_000, 300_000);

/// A reader that is told when the thing arrives.
pub(crate) const WATCHED: Reading = Reading::Watched {
    delay: Delay {
        low: Duration::from_millis(10),
        usual: Duration::from_millis(200),
        high: Duration::from_secs(10),
    },
};

/// A Job whose pods fail: seven tries in about ten and a half minutes, then `BackoffLimitExceeded` for ever.
/// kubernetes v1.36.4 `pkg/controller/job/job_controller.go`; seen: used up after 634 s.
pub(crate) const JOB_RETRIES: Reading = Reading::RetriedUntil { patience: Duration::from_secs(634) };

/// The clock that a row of the reference table names.
pub(crate) fn named(word: &str) -> Option<Reading> {
    Some(match word {
        "volume-mount" => VOLUME_MOUNT,
        "container-config" => CONTAINER_CONFIG,
        "image-pull" => IMAGE_PULL,
        "crash-loop" => CRASH_LOOP,
        "pod-creation" => POD_CREATION,
        "job-pod-creation" => JOB_POD_CREATION,
        "job-retries" => JOB_RETRIES,
        "autoscaler" => AUTOSCALER,
        "work-queue" => WORK_QUEUE,
        "volume-binder" => VOLUME_BINDER,
        "provisioner" => PROVISIONER,
        "issuer-setup" => ISSUER_SETUP,
        "external-secrets" => EXTERNAL_SECRETS,
        "watched" => WATCHED,
        _ => return None,
    })
}

const fn retried(first: u64, longest: u64) -> Reading {
    Reading::Retried { first: Duration::from_millis(first), longest: Duration::from_millis(longest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A busy machine is late, and the kubelet looks at its clock every few seconds only.
    fn is_about(pause: f64, said: Duration) -> bool {
        let said = said.as_secs_f64();
        (0.8 * said..=said + f64::max(1.0, 0.5 * said)).contains(&pause)
    }

    #[test]
    fn clocks_were_seen_to_pause_as_they_are_said_to() {
        let lines = include_str!("../data/pauses.tsv").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let [name, pauses, ..] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let (first, longest) = match named(name).unwrap_or_else(|| panic!("{name} is no clock")) {
                Reading::Retried { first, longest } => (first, longest),
                // A Job's own clock, the sum of which is its patience.
                _ => (Duration::from_secs(10), Duration::from_mins(6)),
            };
            let rungs: Vec<Duration> =
                std::iter::successors(Some(first), |rung| Some((*rung * 2).min(longest))).take(20).collect();
            let pauses = pauses.split(' ').map(|pause| pause.parse::<f64>().expect("seconds"));
            // What has written its failure down is woken by that once, without a pause.
            for pause in pauses.skip_while(|pause| *pause < 0.8 * first.as_secs_f64()) {
                assert!(rungs.iter().any(|rung| is_about(pause, *rung)), "{name} paused for {pause} s");
            }
        }
    }
}

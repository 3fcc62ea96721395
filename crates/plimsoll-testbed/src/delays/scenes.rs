//! The scenes, one file each: delays first, then the clocks of those who try again.

use super::DelayError;
use super::scene::Scene;

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("scenes/", $name, ".yaml"))),*]
    };
}

const SCENES: [&str; 26] = scenes![
    "request",
    "discovery",
    "crd-established",
    "crd-discoverable",
    "namespace-contents",
    "pods-created",
    "pod-scheduled",
    "container-started",
    "job-complete",
    "issuer-ready",
    "certificate-issued",
    "store-ready",
    "secret-fetched",
    "ca-injected",
    "deleted",
    "clock-volume-mount",
    "clock-container-config",
    "clock-image-pull",
    "clock-crash-loop",
    "clock-pod-creation",
    "clock-job-pod-creation",
    "clock-job-retries",
    "clock-autoscaler",
    "clock-volume-binder",
    "clock-issuer-setup",
    "clock-external-secrets",
];

pub(super) fn all() -> Result<Vec<Scene>, DelayError> {
    SCENES.into_iter().map(Scene::parse).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_scene_is_understood_and_says_between_which_moments_time_is_taken() {
        for scene in super::all().expect("scenes") {
            assert!(scene.is_whole(), "{}", scene.name);
        }
    }
}

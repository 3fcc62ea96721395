//! The words of the reference table and what they stand for.

use super::row::When;
use crate::clocks;
use plimsoll_model::{Actor, Confidence, Reading};

pub(super) fn when(word: &str) -> Option<When> {
    Some(match word {
        "request" => When::Request,
        "created" => When::Created,
        "observed" => When::Observed,
        "bound" => When::Bound,
        "started" => When::Started,
        "ready" => When::Ready,
        _ => return None,
    })
}

pub(super) fn reading(word: &str) -> Option<Reading> {
    Some(match word {
        "once" => Reading::Once,
        "once-silently" => Reading::OnceSilently,
        "once-for-good" => Reading::OnceForGood,
        "volume-mount" => clocks::VOLUME_MOUNT,
        "container-config" => clocks::CONTAINER_CONFIG,
        "image-pull" => clocks::IMAGE_PULL,
        "crash-loop" => clocks::CRASH_LOOP,
        "pod-creation" => clocks::POD_CREATION,
        "autoscaler" => clocks::AUTOSCALER,
        "volume-binder" => clocks::VOLUME_BINDER,
        "provisioner" => clocks::PROVISIONER,
        "issuer-setup" => clocks::ISSUER_SETUP,
        "external-secrets" => clocks::EXTERNAL_SECRETS,
        "watched" => clocks::WATCHED,
        _ => return None,
    })
}

pub(super) fn actor(word: &str) -> Option<Actor> {
    Some(match word {
        "apiserver" => Actor::ApiServer,
        "controller" => Actor::Controller,
        "scheduler" => Actor::Scheduler,
        "kubelet" => Actor::Kubelet,
        "container" => Actor::Container,
        "cert-manager" => Actor::Operator("cert-manager"),
        "external-secrets" => Actor::Operator("external-secrets"),
        "ingress-controller" => Actor::Operator("ingress controller"),
        "gateway-controller" => Actor::Operator("gateway controller"),
        "provisioner" => Actor::Operator("storage provisioner"),
        _ => return None,
    })
}

/// How sure a row is; proved, unless it says otherwise.
pub(super) fn confidence(word: &str) -> Option<Confidence> {
    Some(match word {
        "" | "proved" => Confidence::Proved,
        "assumed" => Confidence::Assumed,
        "heuristic" => Confidence::Heuristic,
        _ => return None,
    })
}

//! How a missing order is put right in a chart.

use super::phase::{Phase, Phases};
use plimsoll_model::{Fix, Milestone, Moment, ObjectId, Safety};

/// What to do about a race between two objects of one release.
pub(crate) fn fix(object: &ObjectId, first: &Moment, who: &str, phases: Phases) -> Fix {
    let summary = match (phases.first, phases.then) {
        (Phase::Main | Phase::After, Phase::Before) => format!(
            "make {object} a hook of the same events with a lower weight, and all that it needs; or let {who} run as a \
             post-install, post-upgrade hook"
        ),
        (Phase::After, Phase::Main) => format!(
            "make {object} a pre-install, pre-upgrade hook, and all that it needs: hooks after the release run only \
             once it is sent, and under `--wait` only once it is ready"
        ),
        (Phase::Before, Phase::Before) | (Phase::After, Phase::After) => format!(
            "give {object} a lower `helm.sh/hook-weight` than {who}: hooks of one weight run in the order of their names"
        ),
        _ if object.is("apiextensions.k8s.io", "CustomResourceDefinition") => format!(
            "put {object} into `crds/`, or into a chart of its own that is installed before: Helm looks up every kind \
             of a release before it sends the first object"
        ),
        _ if first.milestone == Milestone::Stored => {
            format!(
                "put {object} into a chart of its own that is installed before, or make it a pre-install hook"
            )
        }
        _ => format!(
            "put {object} and what stands behind it into a chart of its own, installed before with `--wait`"
        ),
    };
    Fix::new(Safety::Manual, summary, None)
}

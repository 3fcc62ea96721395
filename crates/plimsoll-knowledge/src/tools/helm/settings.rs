//! The flags of a Helm command that change order or outcome, and its version.

use plimsoll_model::Delivery;
use std::time::Duration;

/// The generation of Helm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    Three,
    Four,
}

/// What a command waits for before it goes on behind the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    No,
    /// The objects of the release, until they are ready in Helm's sense of the word.
    Objects,
    /// Those, and the end of Jobs.
    ObjectsAndJobs,
}

/// What the flags of a command ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) version: Version,
    pub(crate) waits: Waits,
    pub(crate) runs_hooks: bool,
    /// Whether the definitions in `crds/` are sent.
    pub(crate) sends_definitions: bool,
    /// Whether the namespace of the release is made where it is missing.
    pub(crate) creates_namespace: bool,
    /// How long each wait lasts.
    pub(crate) timeout: Duration,
}

/// The default of `--timeout`.
const PATIENCE: Duration = Duration::from_mins(5);

impl Settings {
    pub(crate) fn of(delivery: &Delivery) -> Self {
        let has =
            |name: &str| value(delivery, name).is_some_and(|value| value != "false" && value != "hookOnly");
        Self {
            version: version(delivery),
            waits: match ["--wait", "--atomic", "--rollback-on-failure"].into_iter().any(has) {
                false => Waits::No,
                true if has("--wait-for-jobs") => Waits::ObjectsAndJobs,
                true => Waits::Objects,
            },
            runs_hooks: !has("--no-hooks"),
            sends_definitions: !has("--skip-crds"),
            creates_namespace: has("--create-namespace"),
            timeout: delivery.timeout.unwrap_or(PATIENCE),
        }
    }
}

/// The value of a flag; empty if it stands alone.
fn value<'a>(delivery: &'a Delivery, name: &str) -> Option<&'a str> {
    let mut flags = delivery.flags.iter();
    flags.find_map(|flag| match flag.split_once('=') {
        Some((flag, value)) => (flag == name).then_some(value),
        None => (flag == name).then_some(""),
    })
}

/// The generation of Helm that delivers.
pub(crate) fn version(delivery: &Delivery) -> Version {
    if delivery.is_by_helm_4() { Version::Four } else { Version::Three }
}

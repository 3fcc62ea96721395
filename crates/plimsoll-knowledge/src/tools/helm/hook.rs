//! What the annotations of Helm make of an object of a chart: a part of the release, a hook, or nothing at all.
//!
//! Helm v4.3.1 `pkg/release/v1/util/manifest_sorter.go` (`sort`), `pkg/action/hooks.go` (`hookByWeight`,
//! `hookSetDeletePolicy`); the same in v3.22.0.

use plimsoll_model::{Object, Operation};

/// The part that an object of a chart has in a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Created, updated and deleted with the release.
    Main,
    /// Created at certain events.
    Hook(Hook),
    /// A hook at an event that Helm does not know: it is left out without a word.
    LeftOut,
}

/// When a hook runs, and when it is deleted again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) events: Vec<Event>,
    pub(crate) weight: i64,
    pub(crate) deleted: Vec<Deleted>,
}

/// When hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    PreInstall,
    PostInstall,
    PreUpgrade,
    PostUpgrade,
    PreRollback,
    PostRollback,
    PreDelete,
    PostDelete,
    Test,
}

/// When a hook is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deleted {
    /// Right before it is created again.
    BeforeCreation,
    /// Once all hooks of the event have succeeded.
    OnceSucceeded,
    /// When it has failed.
    OnceFailed,
}

/// The part of an object.
pub(crate) fn part(object: &Object) -> Part {
    let annotation = |name: &str| object.text_at(&["metadata", "annotations", name]);
    let Some(events) = annotation("helm.sh/hook") else { return Part::Main };
    let Some(events) = words(events).map(|word| event(&word)).collect::<Option<Vec<_>>>() else {
        return Part::LeftOut;
    };
    let weight = annotation("helm.sh/hook-weight").and_then(|weight| weight.parse().ok()).unwrap_or(0);
    let policies: Vec<String> =
        annotation("helm.sh/hook-delete-policy").map(words).into_iter().flatten().collect();
    let deleted = match policies.as_slice() {
        // A policy that Helm does not know is a policy all the same, and takes the place of the default.
        [] => vec![Deleted::BeforeCreation],
        policies => policies.iter().filter_map(|policy| deletion(policy)).collect(),
    };
    Part::Hook(Hook { events, weight, deleted })
}

/// The events before and after what Helm does to the release.
pub(crate) fn around(operation: Operation) -> [Event; 2] {
    match operation {
        Operation::Install => [Event::PreInstall, Event::PostInstall],
        Operation::Upgrade => [Event::PreUpgrade, Event::PostUpgrade],
        Operation::Rollback => [Event::PreRollback, Event::PostRollback],
        Operation::Uninstall => [Event::PreDelete, Event::PostDelete],
    }
}

fn words(list: &str) -> impl Iterator<Item = String> {
    list.split(',').map(|word| word.trim().to_lowercase())
}

/// The events of a list that Helm does not know.
pub(crate) fn unknown_events(list: &str) -> Vec<String> {
    words(list).filter(|word| event(word).is_none()).collect()
}

fn event(word: &str) -> Option<Event> {
    let word = if word == "test-success" { "test" } else { word };
    Event::ALL.into_iter().find(|event| event.word() == word)
}

impl Event {
    pub(crate) const ALL: [Self; 9] = [
        Self::PreInstall,
        Self::PostInstall,
        Self::PreUpgrade,
        Self::PostUpgrade,
        Self::PreRollback,
        Self::PostRollback,
        Self::PreDelete,
        Self::PostDelete,
        Self::Test,
    ];

    /// The event as Helm writes it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::PreInstall => "pre-install",
            Self::PostInstall => "post-install",
            Self::PreUpgrade => "pre-upgrade",
            Self::PostUpgrade => "post-upgrade",
            Self::PreRollback => "pre-rollback",
            Self::PostRollback => "post-rollback",
            Self::PreDelete => "pre-delete",
            Self::PostDelete => "post-delete",
            Self::Test => "test",
        }
    }
}

fn deletion(word: &str) -> Option<Deleted> {
    Some(match word {
        "before-hook-creation" => Deleted::BeforeCreation,
        "hook-succeeded" => Deleted::OnceSucceeded,
        "hook-failed" => Deleted::OnceFailed,
        _ => return None,
    })
}

//! What is at fault in one control, and how the API server words it.

use super::candidate::Container;
use plimsoll_model::Place;
use std::collections::BTreeSet;

/// One control that a pod breaks.
#[derive(Debug)]
pub(crate) struct Violation {
    /// The control in a few words: `hostPath volumes`.
    pub(crate) reason: &'static str,
    /// Who breaks it and how; may be empty.
    pub(crate) detail: String,
    /// The first field at fault, or the container that lacks one.
    pub(crate) place: Place,
}

/// The pod and the containers at fault, the values they set, and the first place.
#[derive(Debug, Default)]
pub(super) struct Faults<'a> {
    is_pod: bool,
    containers: Vec<&'a str>,
    values: BTreeSet<String>,
    place: Option<Place>,
}

impl<'a> Faults<'a> {
    /// The pod itself is at fault.
    pub(super) fn add_pod(&mut self, place: Place) {
        self.is_pod = true;
        self.place.get_or_insert(place);
    }

    /// A container is at fault.
    pub(super) fn add(&mut self, container: &Container<'a>, place: Place) {
        self.containers.push(container.name);
        self.place.get_or_insert(place);
    }

    /// A value that is not permitted.
    pub(super) fn add_value(&mut self, value: impl Into<String>) {
        self.values.insert(value.into());
    }

    /// Nothing is at fault.
    pub(super) fn is_empty(&self) -> bool {
        !self.is_pod && self.containers.is_empty()
    }

    /// The containers at fault: `containers "a", "b"`.
    pub(super) fn containers(&self) -> String {
        let word = counted("container", "containers", self.containers.len());
        format!("{word} {}", quoted(self.containers.iter().copied()))
    }

    /// How many containers are at fault.
    pub(super) fn count(&self) -> usize {
        self.containers.len()
    }

    /// The pod, the containers, or both: `pod and container "a"`.
    pub(super) fn setters(&self) -> Vec<String> {
        let pod = self.is_pod.then(|| "pod".to_owned());
        let containers = (!self.containers.is_empty()).then(|| self.containers());
        pod.into_iter().chain(containers).collect()
    }

    /// The values, sorted.
    pub(super) fn values(&self) -> &BTreeSet<String> {
        &self.values
    }

    /// The first place at fault.
    pub(super) fn place(&self) -> Place {
        self.place.unwrap_or_default()
    }

    /// The violation, if there is any.
    pub(super) fn violation(
        &self,
        reason: &'static str,
        detail: impl FnOnce(&Self) -> String,
    ) -> Option<Violation> {
        (!self.is_empty()).then(|| Violation { reason, detail: detail(self), place: self.place() })
    }
}

impl Violation {
    /// The control and its detail, as the API server joins them.
    pub(crate) fn text(&self) -> String {
        if self.detail.is_empty() {
            self.reason.to_owned()
        } else {
            format!("{} ({})", self.reason, self.detail)
        }
    }
}

/// One word or the other, by number.
pub(super) fn counted(one: &'static str, many: &'static str, count: usize) -> &'static str {
    if count == 1 { one } else { many }
}

/// Every item in quotes, with commas.
pub(super) fn quoted<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| format!("\"{}\"", item.as_ref())).collect();
    items.join(", ")
}

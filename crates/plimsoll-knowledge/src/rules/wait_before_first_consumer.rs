//! PLM-R020: a script waits for a claim to be bound that is not bound before a pod uses it. The life of a claim says
//! what it waits for (`kinds/volume_claim.rs`); the reasoning finds the circle.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R020"),
    name: "wait-before-first-consumer",
    class: Class::DependencyCycle,
    page: include_str!("wait_before_first_consumer.md"),
    find: |_, _| {},
};

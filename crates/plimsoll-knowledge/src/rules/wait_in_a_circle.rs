//! PLM-R044: a wait is for something that comes only after it. The reasoning finds it.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R044"),
    name: "wait-in-a-circle",
    class: Class::DependencyCycle,
    page: include_str!("wait_in_a_circle.md"),
    find: |_, _| {},
};

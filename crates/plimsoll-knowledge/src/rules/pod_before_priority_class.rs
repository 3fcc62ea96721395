//! PLM-R021: pods may be created before their PriorityClass is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R021"),
    name: "pod-before-priority-class",
    class: Class::ClassMissing,
    page: include_str!("pod_before_priority_class.md"),
    find: |_, _| {},
};

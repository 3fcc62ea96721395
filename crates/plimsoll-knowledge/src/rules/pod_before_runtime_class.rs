//! PLM-R022: pods may be created before their RuntimeClass is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R022"),
    name: "pod-before-runtime-class",
    class: Class::ClassMissing,
    page: include_str!("pod_before_runtime_class.md"),
    find: |_, _| {},
};

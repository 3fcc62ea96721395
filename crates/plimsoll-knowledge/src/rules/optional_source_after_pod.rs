//! PLM-R015: a container may start without an optional variable whose source comes later. Found with the rows of the
//! reference table that can be optional.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R015"),
    name: "optional-source-after-pod",
    class: Class::ConfigMissing,
    page: include_str!("optional_source_after_pod.md"),
    find: |_, _| {},
};

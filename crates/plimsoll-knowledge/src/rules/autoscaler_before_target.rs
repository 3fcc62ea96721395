//! PLM-R038: an autoscaler may look for its target before that is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R038"),
    name: "autoscaler-before-target",
    class: Class::ReferenceMissing,
    page: include_str!("autoscaler_before_target.md"),
    find: |_, _| {},
};

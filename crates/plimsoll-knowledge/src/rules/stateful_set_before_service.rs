//! PLM-R045: pods of a StatefulSet may start before the Service that names them is stored. A row of the table states it.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R045"),
    name: "stateful-set-before-service",
    class: Class::ReferenceMissing,
    page: include_str!("stateful_set_before_service.md"),
    find: |_, _| {},
};

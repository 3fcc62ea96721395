//! PLM-R073: an operator may read an object before what it names is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R073"),
    name: "operator-object-before-reference",
    class: Class::ReferenceMissing,
    page: include_str!("operator_object_before_reference.md"),
    find: |_, _| {},
};

//! PLM-R070: a Gateway or route may be read before what it names is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R070"),
    name: "gateway-before-reference",
    class: Class::ReferenceMissing,
    page: include_str!("gateway_before_reference.md"),
    find: |_, _| {},
};

//! PLM-R071: a claim or snapshot may be looked at before what it is made from is stored. Rows of the table say which.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R071"),
    name: "claim-before-source",
    class: Class::ReferenceMissing,
    page: include_str!("claim_before_source.md"),
    find: |_, _| {},
};

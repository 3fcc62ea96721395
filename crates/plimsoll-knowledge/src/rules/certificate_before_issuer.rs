//! PLM-R034: a certificate may be asked for before its issuer is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R034"),
    name: "certificate-before-issuer",
    class: Class::ReferenceMissing,
    page: include_str!("certificate_before_issuer.md"),
    find: |_, _| {},
};

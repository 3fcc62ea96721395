//! PLM-R033: an issuer may be set up before a Secret it reads is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R033"),
    name: "issuer-before-its-secret",
    class: Class::SecretNotYetProduced,
    page: include_str!("issuer_before_its_secret.md"),
    find: |_, _| {},
};

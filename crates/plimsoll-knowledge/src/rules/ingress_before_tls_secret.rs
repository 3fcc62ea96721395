//! PLM-R036: an Ingress may be served before its TLS Secret is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R036"),
    name: "ingress-before-tls-secret",
    class: Class::SecretNotYetProduced,
    page: include_str!("ingress_before_tls_secret.md"),
    find: |_, _| {},
};

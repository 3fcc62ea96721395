//! PLM-R012: a pod may start before a Secret it reads is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R012"),
    name: "pod-before-secret",
    class: Class::SecretNotYetProduced,
    page: include_str!("pod_before_secret.md"),
    find: |_, _| {},
};

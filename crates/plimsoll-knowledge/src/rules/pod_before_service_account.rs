//! PLM-R010: pods may be created before their ServiceAccount is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R010"),
    name: "pod-before-service-account",
    class: Class::ServiceAccountMissing,
    page: include_str!("pod_before_service_account.md"),
    find: |_, _| {},
};

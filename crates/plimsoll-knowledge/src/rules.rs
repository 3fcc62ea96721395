//! The list of all rules. A rule is one file and one page beside it.

mod instance_before_crd;
mod object_before_namespace;
mod pod_above_security_level;
mod pod_before_secret;

use crate::rule::Rule;

/// Every rule, by code.
pub(crate) static RULES: &[&Rule] = &[
    &object_before_namespace::RULE,
    &instance_before_crd::RULE,
    &pod_before_secret::RULE,
    &pod_above_security_level::RULE,
];

/// The rule with a code; rows of the reference table name theirs by it.
pub(crate) fn by_code(code: &str) -> &'static Rule {
    RULES.iter().find(|rule| rule.code.0 == code).unwrap_or(&&object_before_namespace::RULE)
}

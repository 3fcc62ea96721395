//! The list of all rules. A rule is one file and one page beside it.

mod crd_deleted_with_instances;
mod instance_before_conversion_webhook;
mod instance_before_crd;
mod namespace_reused_while_terminating;
mod object_before_ignored_webhook;
mod object_before_namespace;
mod object_delivered_twice;
mod pod_above_security_level;
mod pod_before_limit_range;
mod pod_before_secret;
mod pod_beyond_quota;
mod pod_outside_limit_range;
mod policy_before_its_parameters;
mod use_before_api_service;
mod version_not_served;
mod webhook_before_ca_injection;
mod webhook_before_its_own_backend;
mod write_before_webhook_answers;

use crate::rule::Rule;

/// Every rule, by code.
pub(crate) static RULES: &[&Rule] = &[
    &object_before_namespace::RULE,
    &instance_before_crd::RULE,
    &version_not_served::RULE,
    &write_before_webhook_answers::RULE,
    &webhook_before_its_own_backend::RULE,
    &instance_before_conversion_webhook::RULE,
    &object_before_ignored_webhook::RULE,
    &use_before_api_service::RULE,
    &policy_before_its_parameters::RULE,
    &pod_before_secret::RULE,
    &pod_before_limit_range::RULE,
    &pod_beyond_quota::RULE,
    &pod_above_security_level::RULE,
    &webhook_before_ca_injection::RULE,
    &namespace_reused_while_terminating::RULE,
    &crd_deleted_with_instances::RULE,
    &object_delivered_twice::RULE,
    &pod_outside_limit_range::RULE,
];

/// The rule with a code; rows of the reference table name theirs by it.
pub(crate) fn by_code(code: &str) -> &'static Rule {
    RULES.iter().find(|rule| rule.code.0 == code).unwrap_or(&&object_before_namespace::RULE)
}

//! The list of all rules. A rule is one file and one page beside it.

mod autoscaler_before_metrics;
mod autoscaler_before_target;
mod binding_before_role;
mod certificate_before_issuer;
mod changed_source_reaches_nobody;
mod claim_before_source;
mod claim_before_storage_class;
mod command_before_container_runs;
mod controller_deleted_before_finalizers;
mod crd_deleted_with_instances;
mod external_secret_before_its_store;
mod gateway_before_reference;
mod hook_at_unknown_event;
pub(crate) mod hook_deleted_before_its_reader;
pub(crate) mod hook_made_anew_while_needed;
mod immutable_field_changed;
mod ingress_before_class;
mod ingress_before_tls_secret;
mod instance_before_conversion_webhook;
mod instance_before_crd;
mod issuer_before_its_secret;
mod job_before_its_backend;
mod job_gone_before_its_wait;
pub(crate) mod key_missing_in_source;
mod namespace_reused_while_terminating;
mod object_before_ignored_webhook;
mod object_before_namespace;
pub(crate) mod object_deleted_before_its_reader;
mod object_delivered_twice;
pub(crate) mod object_dropped_while_needed;
mod operator_object_before_reference;
pub(crate) mod optional_source_after_pod;
mod pod_above_security_level;
mod pod_before_config_map;
mod pod_before_its_namespace_asks;
mod pod_before_its_permissions;
mod pod_before_limit_range;
mod pod_before_network_policy;
mod pod_before_priority_class;
mod pod_before_pull_secret;
mod pod_before_resource_claim;
mod pod_before_runtime_class;
mod pod_before_secret;
mod pod_before_service_account;
mod pod_before_service_variables;
mod pod_before_volume_claim;
mod pod_beyond_quota;
mod pod_outside_limit_range;
mod policy_before_its_parameters;
mod release_brings_its_namespace;
mod release_brings_what_others_own;
pub(crate) mod replicas_beside_autoscaler;
mod sealed_under_another_name;
mod sealing_key_after_controller;
mod stateful_set_before_service;
mod store_before_its_credentials;
mod subpath_before_key;
mod token_before_service_account;
mod use_before_api_service;
mod version_not_served;
mod wait_before_first_consumer;
mod wait_before_object_exists;
mod wait_in_a_circle;
mod wait_too_short;
mod webhook_before_ca_injection;
mod webhook_before_its_own_backend;
mod workload_before_its_migration;
mod workload_scaled_twice;
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
    &pod_before_service_account::RULE,
    &pod_before_its_permissions::RULE,
    &pod_before_secret::RULE,
    &pod_before_config_map::RULE,
    &pod_before_pull_secret::RULE,
    &optional_source_after_pod::RULE,
    &key_missing_in_source::RULE,
    &subpath_before_key::RULE,
    &pod_before_volume_claim::RULE,
    &claim_before_storage_class::RULE,
    &wait_before_first_consumer::RULE,
    &pod_before_priority_class::RULE,
    &pod_before_runtime_class::RULE,
    &ingress_before_class::RULE,
    &pod_before_limit_range::RULE,
    &pod_beyond_quota::RULE,
    &pod_above_security_level::RULE,
    &binding_before_role::RULE,
    &autoscaler_before_metrics::RULE,
    &pod_before_network_policy::RULE,
    &job_before_its_backend::RULE,
    &controller_deleted_before_finalizers::RULE,
    &issuer_before_its_secret::RULE,
    &certificate_before_issuer::RULE,
    &webhook_before_ca_injection::RULE,
    &ingress_before_tls_secret::RULE,
    &pod_before_service_variables::RULE,
    &autoscaler_before_target::RULE,
    &wait_before_object_exists::RULE,
    &wait_too_short::RULE,
    &namespace_reused_while_terminating::RULE,
    &crd_deleted_with_instances::RULE,
    &object_delivered_twice::RULE,
    &wait_in_a_circle::RULE,
    &stateful_set_before_service::RULE,
    &pod_outside_limit_range::RULE,
    &token_before_service_account::RULE,
    &command_before_container_runs::RULE,
    &job_gone_before_its_wait::RULE,
    &hook_made_anew_while_needed::RULE,
    &hook_deleted_before_its_reader::RULE,
    &hook_at_unknown_event::RULE,
    &external_secret_before_its_store::RULE,
    &store_before_its_credentials::RULE,
    &release_brings_its_namespace::RULE,
    &workload_before_its_migration::RULE,
    &release_brings_what_others_own::RULE,
    &workload_scaled_twice::RULE,
    &object_deleted_before_its_reader::RULE,
    &object_dropped_while_needed::RULE,
    &immutable_field_changed::RULE,
    &changed_source_reaches_nobody::RULE,
    &gateway_before_reference::RULE,
    &claim_before_source::RULE,
    &pod_before_resource_claim::RULE,
    &operator_object_before_reference::RULE,
    &sealing_key_after_controller::RULE,
    &replicas_beside_autoscaler::RULE,
    &sealed_under_another_name::RULE,
    &pod_before_its_namespace_asks::RULE,
];

/// The rule with a code; rows of the reference table name theirs by it.
pub(crate) fn by_code(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code.0 == code).copied()
}

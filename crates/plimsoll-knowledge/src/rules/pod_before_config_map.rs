//! PLM-R013: a pod may start before a ConfigMap it reads is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R013"),
    name: "pod-before-config-map",
    class: Class::ConfigMissing,
    page: include_str!("pod_before_config_map.md"),
    find: |_, _| {},
};

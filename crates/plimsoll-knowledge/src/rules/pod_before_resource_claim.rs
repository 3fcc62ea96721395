//! PLM-R072: a pod may be scheduled before the claim for its devices is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R072"),
    name: "pod-before-resource-claim",
    class: Class::ReferenceMissing,
    page: include_str!("pod_before_resource_claim.md"),
    find: |_, _| {},
};

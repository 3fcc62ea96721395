//! PLM-R018: a pod may be scheduled before a claim it uses is stored. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R018"),
    name: "pod-before-volume-claim",
    class: Class::ReferenceMissing,
    page: include_str!("pod_before_volume_claim.md"),
    find: |_, _| {},
};

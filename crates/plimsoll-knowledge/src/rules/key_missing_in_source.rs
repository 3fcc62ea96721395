//! PLM-R016: a container asks a Secret or ConfigMap for a key that it does not have. Found with the rows of the
//! reference table that name keys.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R016"),
    name: "key-missing-in-source",
    class: Class::SecretNotYetProduced,
    page: include_str!("key_missing_in_source.md"),
    find: |_, _| {},
};

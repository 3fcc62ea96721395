//! PLM-R053: a secret may be asked for before the store it comes from is ready. The references are rows of the table.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R053"),
    name: "external-secret-before-its-store",
    class: Class::StoreNotReady,
    page: include_str!("external_secret_before_its_store.md"),
    find: |_, _| {},
};

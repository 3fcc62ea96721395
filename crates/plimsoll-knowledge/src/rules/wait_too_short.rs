//! PLM-R040: a wait gives up before what it waits for has usually come about. The reasoning finds it.

use crate::rule::Rule;
use plimsoll_model::{Class, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R040"),
    name: "wait-too-short",
    class: Class::OneShotProbe,
    page: include_str!("wait_too_short.md"),
    find: |_, _| {},
};

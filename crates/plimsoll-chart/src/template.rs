//! Go's `text/template`: reading, running, and knowing where each byte of the output comes from.
//!
//! `lexer`, `token`, `parser` and `tree` read a text; `machine` runs it on `value`s with `function`s; `format`, `float`
//! and `compare` are the parts of Go's library that templates show. Nothing here knows Helm.

pub(crate) mod beacon;
pub(crate) mod builtins;
pub(crate) mod compare;
pub(crate) mod duration;
pub(crate) mod failure;
pub(crate) mod float;
pub(crate) mod format;
pub(crate) mod function;
mod lexer;
pub(crate) mod limits;
pub(crate) mod machine;
pub(crate) mod number;
pub(crate) mod origin;
pub(crate) mod parser;
mod print;
pub(crate) mod quote;
#[cfg(test)]
mod tests;
mod token;
pub(crate) mod tree;
pub(crate) mod value;
mod weight;

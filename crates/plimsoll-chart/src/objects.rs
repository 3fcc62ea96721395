//! What a template finds at the top: `.Chart`, `.Files`, `.Capabilities` and `.Release`.

#![expect(clippy::unnecessary_wraps, reason = "every function of a table answers in the same way")]

pub(crate) mod bytes;
pub(crate) mod capabilities;
pub(crate) mod files;
pub(crate) mod metadata;
pub(crate) mod structure;

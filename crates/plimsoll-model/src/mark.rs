//! What a command writes on an object that is there already.

use crate::ObjectId;

/// A label or annotation that a command puts on an object, or takes away from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The object.
    pub object: ObjectId,
    /// The map of its metadata: `labels` or `annotations`.
    pub field: &'static str,
    /// The key.
    pub key: String,
    /// What becomes of it.
    pub written: Written,
}

/// What a command does to a label or annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// It has this value.
    As(String),
    /// It has a value that is not known.
    Somehow,
    /// It is taken away.
    Away,
}

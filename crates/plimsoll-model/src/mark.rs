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
    /// The value; `None` if it is taken away.
    pub value: Option<String>,
}

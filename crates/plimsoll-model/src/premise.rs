//! What is taken as given where the input does not say.

/// What is taken as given where the input does not say; it reads after "if".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Premise {
    /// The words: "monitoring.coreos.com/v1 is served".
    pub says: String,
    /// What delivers the object, where that is a chart that is not at hand: `chart/postgresql`.
    pub carrier: Option<String>,
    /// Whether only the outline of the object is known: a field that is not there may be there after all.
    pub is_outline: bool,
}

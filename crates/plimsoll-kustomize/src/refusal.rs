//! Why a kustomization gives nothing, or not all.

use plimsoll_model::Place;

/// Why a kustomization is not built, and where that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Where.
    pub place: Place,
    /// Why, with the next step to take.
    pub cause: String,
}

impl Refusal {
    /// A refusal at a place.
    pub fn new(place: Place, cause: impl Into<String>) -> Self {
        Self { place, cause: cause.into() }
    }
}

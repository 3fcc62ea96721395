//! How a moment comes about.

use crate::{Delay, Moment, ObjectId};

/// Any one of these moments is enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause(pub Vec<Moment>);

/// One way in which a moment comes about, once everything it waits for has. Several causes of one moment are
/// alternatives: the first of them to happen brings it about.
#[derive(Debug, Clone)]
pub struct Cause {
    /// What comes about.
    pub moment: Moment,
    /// Everything that must have come before.
    pub after: Vec<Clause>,
    /// How long it takes from then on.
    pub delay: Delay,
    /// The object whose controller, job or delivery brings it about, where that is another than the moment's own.
    pub carrier: Option<ObjectId>,
}

impl Clause {
    /// A clause that only one moment satisfies.
    #[must_use]
    pub fn one(moment: Moment) -> Self {
        Self(vec![moment])
    }
}

impl From<Moment> for Clause {
    fn from(moment: Moment) -> Self {
        Self::one(moment)
    }
}

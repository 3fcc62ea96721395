//! What the reasoning is asked.

use plimsoll_model::{Cause, Deadline, Guarantee, Moment, Requirement, Window};

/// Everything that is known of one deployment, in the words of the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Question<'a> {
    /// How moments come about. A moment without a cause never does, unless it is given.
    pub causes: &'a [Cause],
    /// What the tool promises about order.
    pub guarantees: &'a [Guarantee],
    /// What must come before what.
    pub requirements: &'a [Requirement],
    /// When a moment must not happen.
    pub windows: &'a [Window],
    /// Waits that give up.
    pub deadlines: &'a [Deadline],
    /// What is true from the start.
    pub given: &'a [Moment],
}

//! The words of Plimsoll, and nothing but words.
//!
//! A [`Bundle`] is what was read: [`Step`]s that deliver [`Object`]s, remove them, or wait behind a [`Gate`].
//! Knowledge turns it into [`Cause`]s (how a [`Moment`] comes about), [`Requirement`]s (which moment must come
//! before which), [`Window`]s (when a moment must not happen) and [`Guarantee`]s (what the tool promises).
//! The reasoning turns those into races; a race is told to a person as a [`Finding`] with its [`Timeline`].
//!
//! Types here hold data and small accessors. They read no files, know no kind and no tool, and print nothing.

mod bundle;
mod cause;
mod delay;
mod finding;
mod gate;
mod guarantee;
mod mark;
mod milestone;
mod node;
mod object;
mod place;
mod premise;
mod requirement;
mod selector;
mod stand_in;
mod step;
mod timeline;

pub use bundle::{Bundle, Coverage, Outside, Page, Problem};
pub use cause::{Cause, Clause};
pub use delay::Delay;
pub use finding::{Change, Consequence, End, Finding, Fix, Guard, Healing, Need, Safety};
pub use gate::{Condition, Gate, Target};
pub use guarantee::{Deadline, Guarantee};
pub use mark::{Mark, Written};
pub use milestone::{Milestone, Moment, Subject};
pub use node::{Concealed, Key, Node, Value};
pub use object::{Object, ObjectId};
pub use place::{File, FileIndex, Files, Place};
pub use premise::Premise;
pub use requirement::{Actor, Answer, Class, Code, Confidence, Reading, Requirement, Window};
pub use selector::Selector;
pub use stand_in::StandIn;
pub use step::{
    Action, After, Arranged, Delivery, Operation, Otherwise, Outcome, Removal, Step, StepIndex, Tool, Unit,
};
pub use timeline::{Instant, Timeline};

//! The API server's audit log as a witness: what was asked, by whom, when, and what was answered.
//!
//! A [`Trail`] reads the log as it grows and can wait for an [`Event`]. The log is written by the server itself (JSON
//! lines of `audit.k8s.io/v1`, policy level `Metadata` or more), so it shows also what no client was told to record.

mod event;
mod growth;
mod trail;

pub use event::{Answer, Event, ObjectReference, Stage, User};
pub use trail::{Trail, TrailError};

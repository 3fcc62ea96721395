//! Programs as processes: started with a log each, every end noticed, and stopped or started again by whoever asks
//! through a socket. The supervisor of a cluster and process 1 of a node are both built of this.

mod children;
mod control;
mod program;
mod state;
mod tied;

pub use control::{ControlError, ask_start, ask_states, ask_stop};
pub use state::State;
pub use tied::tied;

pub(crate) use children::Children;
pub(crate) use control::Control;
pub(crate) use program::{Program, Readiness};

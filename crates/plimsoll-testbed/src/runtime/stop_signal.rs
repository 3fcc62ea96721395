//! The signal that asks a container to end: the interface numbers signals by name, the kernel in its own way.

/// The signal that cannot be refused.
pub(crate) const KILL: i32 = 9;

/// The kernel's number of a signal of the interface; SIGTERM unless the pod says otherwise.
#[must_use]
pub(crate) fn number(wanted: i32) -> i32 {
    match wanted {
        8 => 1,   // SIGHUP
        10 => 2,  // SIGINT
        13 => 9,  // SIGKILL
        18 => 3,  // SIGQUIT
        29 => 10, // SIGUSR1
        30 => 12, // SIGUSR2
        32 => 28, // SIGWINCH
        _ => 15,  // SIGTERM
    }
}

//! Why a program is not to be had, and what to do about it.

/// Why a program is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No such program is in the table.
    #[error("no program is called {name}")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// It is not there.
    #[error(
        "{name} {version} is not to be had: install Go, or set KUBEBUILDER_ASSETS to a folder that has it"
    )]
    Missing {
        /// Which one.
        name: &'static str,
        /// In which version.
        version: String,
    },
    /// The testbed's own program is not built.
    #[error(
        "plimsoll-testbed is not beside the running program: run `cargo build --package plimsoll-testbed`"
    )]
    OwnProgram,
}

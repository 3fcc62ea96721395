//! Why a program is not to be had, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Why a program is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No such program is in the table.
    #[error("no program is called {name}; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What could have been asked for.
        known: String,
    },
    /// There is nowhere to keep it.
    #[error(
        "there is no cache to build programs in: set HOME or XDG_CACHE_HOME, or KUBEBUILDER_ASSETS to a folder of programs"
    )]
    NoCache,
    /// Go is not installed.
    #[error(
        "{what} is not there, and Go is not installed to build it: install Go, or set KUBEBUILDER_ASSETS to a folder \
         that has it ({cause})"
    )]
    NoGo {
        /// What was to be built or fetched.
        what: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The module proxy does not answer.
    #[error(
        "{what}: the Go module proxy gives no answer; look at `go env GOPROXY` and the network\n  {lines}"
    )]
    NoProxy {
        /// What was to be built or fetched.
        what: String,
        /// The last lines of Go.
        lines: String,
    },
    /// The disk is full.
    #[error(
        "{what}: the disk is full; `go clean -cache` frees several gigabytes, or set XDG_CACHE_HOME and GOCACHE to a larger one\n  {lines}"
    )]
    DiskFull {
        /// What was to be built or written.
        what: String,
        /// The last lines, or what the system said.
        lines: String,
    },
    /// Go failed in another way.
    #[error("{what} could not be built\n  {lines}")]
    Build {
        /// What was to be built.
        what: String,
        /// The last lines of Go.
        lines: String,
    },
    /// A file could not be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The testbed's own program is not built.
    #[error(
        "plimsoll-testbed is not beside the running program: run `cargo build --package plimsoll-testbed`"
    )]
    OwnProgram,
}

impl ProgramError {
    /// A file could not be read or written; a full disk is told apart.
    pub(super) fn file(path: &Path, cause: io::Error) -> Self {
        if cause.kind() == io::ErrorKind::StorageFull {
            return Self::DiskFull { what: path.display().to_string(), lines: cause.to_string() };
        }
        Self::File { path: path.to_owned(), cause }
    }

    /// What the last lines of a failed Go command mean.
    pub(super) fn from_lines(what: &str, lines: &[String]) -> Self {
        const DISK: &[&str] = &["no space left on device"];
        const PROXY: &[&str] = &[
            "dial tcp",
            "no such host",
            "proxyconnect",
            "i/o timeout",
            "TLS handshake timeout",
            "GOPROXY=off",
            "module lookup disabled",
        ];
        let (what, text) = (what.to_owned(), lines.join("\n  "));
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if says(DISK) {
            Self::DiskFull { what, lines: text }
        } else if says(PROXY) {
            Self::NoProxy { what, lines: text }
        } else {
            Self::Build { what, lines: text }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProgramError;

    #[test]
    fn what_go_says_is_told_apart() {
        let of = |line: &str| ProgramError::from_lines("etcd v3.6.8", &[line.to_owned()]);
        assert!(matches!(of("write /tmp/b: no space left on device"), ProgramError::DiskFull { .. }));
        let line = "go: a@v1: Get \"https://proxy/a\": dial tcp 127.0.0.1:9: connect: connection refused";
        assert!(matches!(of(line), ProgramError::NoProxy { .. }));
        assert!(matches!(of("main.go:3: undefined: x"), ProgramError::Build { .. }));
    }
}

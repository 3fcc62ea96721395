//! The level a Namespace asks for.

use plimsoll_schema::Version;
use std::fmt;

/// How much a namespace permits; `privileged` permits everything and is no policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Baseline,
    Restricted,
}

/// What a Namespace enforces: a level, and the version of its controls, the server's own if none is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) level: Level,
    version: Option<u32>,
}

impl Policy {
    /// The policy that a Namespace's labels ask for. Labels that the API server would not accept ask for nothing.
    pub(crate) fn of(label: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let label = |name: &str| label(&format!("pod-security.kubernetes.io/{name}"));
        let level = match label("enforce")?.as_str() {
            "baseline" => Level::Baseline,
            "restricted" => Level::Restricted,
            _ => return None,
        };
        let version = match label("enforce-version").as_deref() {
            None | Some("latest") => None,
            Some(version) => Some(version.strip_prefix("v1.")?.parse().ok()?),
        };
        Some(Self { level, version })
    }

    /// The version whose controls a server evaluates: no later than its own.
    pub(crate) fn version_on(self, server: Version) -> u32 {
        self.version.map_or(server.minor, |version| version.min(server.minor))
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Baseline => "baseline",
            Level::Restricted => "restricted",
        };
        match self.version {
            Some(version) => write!(f, "{level}:v1.{version}"),
            None => write!(f, "{level}:latest"),
        }
    }
}

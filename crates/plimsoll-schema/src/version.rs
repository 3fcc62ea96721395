//! A Kubernetes minor version, and which ones the data knows.

use std::fmt;
use std::str::FromStr;

/// A minor version of Kubernetes: `1.33`. Patches neither add nor remove kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number after `1.`.
    pub minor: u32,
}

/// The text is not a version such as `1.33` or `v1.33.2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAVersion(String);

/// The newest minor in the data.
#[must_use]
pub fn newest() -> Version {
    Version::NEWEST
}

/// The minors whose kinds are known exactly, oldest first.
pub fn versions() -> impl Iterator<Item = Version> {
    (Version::OLDEST.minor..=Version::NEWEST.minor).map(|minor| Version { minor })
}

impl Version {
    /// The oldest minor in the data.
    pub(crate) const OLDEST: Self = Self { minor: 28 };
    /// The newest minor in the data.
    pub(crate) const NEWEST: Self = Self { minor: 37 };
}

impl FromStr for Version {
    type Err = NotAVersion;

    /// Reads `1.33`, `v1.33.2` and what clouds append: `v1.33.2-gke.100`, `1.33+`.
    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        let failure = || NotAVersion(text.to_owned());
        let rest = text.strip_prefix('v').unwrap_or(text).strip_prefix("1.").ok_or_else(failure)?;
        let (digits, suffix) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let is_plain = suffix.is_empty() || suffix.starts_with(['.', '-', '+']);
        let minor = digits.parse().map_err(|_| failure())?;
        if is_plain { Ok(Self { minor }) } else { Err(failure()) }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

impl fmt::Display for NotAVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a Kubernetes version such as 1.33", self.0)
    }
}

impl std::error::Error for NotAVersion {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_people_and_servers_write_them() {
        for text in ["1.33", "v1.33", "1.33.2", "v1.33.2", "v1.33.2-gke.100", "1.33+", "v1.33.2+k3s1"] {
            assert_eq!(text.parse(), Ok(Version { minor: 33 }), "{text}");
        }
        for text in ["", "33", "2.1", "1.", "1.x", "v1.33x", "1.-3", "1.99999999999"] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
        assert_eq!(Version { minor: 33 }.to_string(), "1.33");
    }

    #[test]
    fn ten_minors_are_known() {
        let known: Vec<_> = versions().collect();
        assert_eq!(known.len(), 10);
        assert_eq!(known.last(), Some(&newest()));
    }
}

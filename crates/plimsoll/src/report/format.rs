//! The formats of a report.

use super::{Report, github, json, junit, sarif, text};
use std::fmt;
use std::str::FromStr;

/// A format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// `plimsoll.check/v1`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit's XML.
    Junit,
    /// Annotations of GitHub's workflows.
    Github,
}

impl Format {
    /// Every format.
    pub(crate) const ALL: [Self; 5] = [Self::Text, Self::Json, Self::Sarif, Self::Junit, Self::Github];

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
        }
    }

    /// The report in this format; text is laid out for lines of this width.
    pub(crate) fn write(self, report: &Report<'_>, width: usize) -> Result<String, serde_json::Error> {
        match self {
            Self::Text => Ok(text::write(report, width)),
            Self::Json => json::write(report),
            Self::Sarif => sarif::write(report),
            Self::Junit => Ok(junit::write(report)),
            Self::Github => Ok(github::write(report)),
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.word() == text);
        found.ok_or_else(|| format!("the formats are: {}", Self::ALL.map(Self::word).join(", ")))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

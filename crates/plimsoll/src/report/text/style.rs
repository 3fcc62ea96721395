//! The few terminal styles of the report.

use anstyle::{AnsiColor, Style};

/// No style.
pub(crate) const PLAIN: Style = Style::new();
/// What fails the run.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What does not fail the run.
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What heals by itself or is a guess.
pub(super) const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// The word before an entry.
pub(crate) const LABEL: Style = Style::new().bold();
/// Nothing is wrong.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();

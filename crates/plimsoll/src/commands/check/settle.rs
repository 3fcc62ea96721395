//! What the command line leaves open about a check is taken from the settings.

use super::arguments::{CheckArguments, FailOn};
use crate::cli::fill;
use crate::config::Config;
use crate::failure::Failure;
use crate::policy::{Allowances, Date, Level, Policy};
use clap::ValueEnum as _;
use plimsoll_model::{Bundle, Confidence, Consequence};
use std::collections::BTreeMap;

impl CheckArguments {
    /// Reads the settings and fills in what they say and the command line does not.
    pub(super) fn settle(&mut self) -> Result<Config, Failure> {
        let config = self.input.settle()?;
        self.world.settle(&config, &mut self.input)?;
        fill(&mut self.known.baseline, config.path("baseline"));
        fill(&mut self.fail_on, config.parsed("fail-on", |word| FailOn::from_str(word, false))?);
        self.pedantic |= config.switch("pedantic").unwrap_or(false);
        self.allow_incomplete |= config.switch("allow-incomplete").unwrap_or(false);
        Ok(config)
    }

    /// Which findings are told, and which of them fail the run.
    pub(super) fn policy(&self, config: &Config, bundle: &Bundle) -> Policy {
        Policy {
            is_pedantic: self.pedantic,
            fail_on: match self.fail_on {
                None | Some(FailOn::Late) => Some(Consequence::Late),
                Some(FailOn::Stuck) => Some(Consequence::Stuck),
                Some(FailOn::Damage) => Some(Consequence::Damage),
                Some(FailOn::Never) => None,
            },
            surest: match config.text("fail-on-confidence") {
                Some("assumed") => Confidence::Assumed,
                Some("heuristic") => Confidence::Heuristic,
                _ => Confidence::Proved,
            },
            rules: weights(config),
            allowances: Allowances::read(bundle, config, self.known.today.unwrap_or_else(Date::today)),
            baseline: None,
            earlier: None,
            refuses_stale: config.text("stale") == Some("fail"),
        }
    }
}

/// The weights of single rules; nothing stands for a rule that is not told.
fn weights(config: &Config) -> BTreeMap<String, Option<Level>> {
    let entries = config.said("rules").map_or(&[][..], |said| said.value.entries());
    let weight = |word: Option<&str>| match word {
        Some("note") => Some(Level::Note),
        Some("warning") => Some(Level::Warning),
        Some("error") => Some(Level::Error),
        _ => None,
    };
    entries.iter().map(|(code, level)| (code.text.to_string(), weight(level.text()))).collect()
}

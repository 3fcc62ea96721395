//! Which fault strikes which call, and how often.

use super::milliseconds;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::time::Duration;

/// One rule. Of all rules the first that matches a call and is not used up strikes it; a call that none matches passes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule<When, Fault> {
    /// Which calls; every part that is left out matches all.
    pub when: When,
    /// How long a call waits before anything else happens to it.
    #[serde(default, with = "milliseconds", rename = "delayMilliseconds")]
    pub delay: Duration,
    /// What happens to it; without a fault it passes after the delay.
    #[serde(default = "Option::default")]
    pub fault: Option<Fault>,
    /// How many calls are struck; without a number all.
    pub times: Option<u32>,
}

impl<When, Fault> Rule<When, Fault> {
    /// Every such call has this fault.
    pub fn always(when: When, fault: Fault) -> Self {
        Self { when, delay: Duration::ZERO, fault: Some(fault), times: None }
    }

    /// Every such call passes, but late.
    pub fn late(when: When, delay: Duration) -> Self {
        Self { when, delay, fault: None, times: None }
    }

    /// The same, for the first calls only.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }
}

/// The rules in force. They can be replaced while calls are under way.
#[derive(Debug)]
pub(super) struct Rules<When, Fault>(Mutex<Vec<Rule<When, Fault>>>);

impl<When, Fault: Clone> Rules<When, Fault> {
    pub(super) fn new(rules: Vec<Rule<When, Fault>>) -> Self {
        Self(Mutex::new(rules))
    }

    pub(super) fn replace(&self, rules: Vec<Rule<When, Fault>>) {
        *super::lock(&self.0) = rules;
    }

    /// What strikes a call: its delay and its fault. The rule is used once by this.
    pub(super) fn strike(&self, matches: impl Fn(&When) -> bool) -> (Duration, Option<Fault>) {
        let mut rules = super::lock(&self.0);
        let Some(rule) = rules.iter_mut().find(|rule| rule.times != Some(0) && matches(&rule.when)) else {
            return (Duration::ZERO, None);
        };
        rule.times = rule.times.map(|times| times - 1);
        (rule.delay, rule.fault.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_matches_and_is_not_used_up_strikes() {
        let rules = Rules::new(vec![
            Rule::always("a", 1).times(2),
            Rule::always("b", 2),
            Rule::late("a", Duration::from_secs(3)),
        ]);
        let strike = |call: &str| rules.strike(|when| *when == call);
        assert_eq!(strike("a"), (Duration::ZERO, Some(1)));
        assert_eq!(strike("b"), (Duration::ZERO, Some(2)));
        assert_eq!(strike("a"), (Duration::ZERO, Some(1)));
        assert_eq!(strike("a"), (Duration::from_secs(3), None));
        assert_eq!(strike("c"), (Duration::ZERO, None));
    }
}

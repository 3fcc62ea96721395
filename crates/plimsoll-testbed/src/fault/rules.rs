//! Which fault strikes which call, and how often.

use super::milliseconds;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::sync::watch;

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
pub(super) struct Rules<When, Fault>(watch::Sender<Vec<Rule<When, Fault>>>);

impl<When, Fault: Clone> Rules<When, Fault> {
    pub(super) fn new(rules: Vec<Rule<When, Fault>>) -> Self {
        Self(watch::Sender::new(rules))
    }

    pub(super) fn replace(&self, rules: Vec<Rule<When, Fault>>) {
        self.0.send_replace(rules);
    }

    /// What strikes a call, after its delay. A call that is held is struck anew by the rules that come next; `held` is
    /// told of it.
    pub(super) async fn strike(
        &self,
        matches: impl Fn(&When) -> bool,
        holds: impl Fn(&Fault) -> bool,
        held: impl Fn(&Fault),
    ) -> Option<Fault> {
        let mut replaced = self.0.subscribe();
        loop {
            replaced.mark_unchanged();
            let (delay, fault) = self.use_once(&matches);
            tokio::time::sleep(delay).await;
            match fault {
                Some(fault) if holds(&fault) => {
                    held(&fault);
                    // The sender is here, so that there is always a next change to wait for.
                    let _ = replaced.changed().await;
                }
                fault => return fault,
            }
        }
    }

    /// The delay and the fault of the first rule that matches, which is used once by this.
    fn use_once(&self, matches: impl Fn(&When) -> bool) -> (Duration, Option<Fault>) {
        let mut found = (Duration::ZERO, None);
        self.0.send_if_modified(|rules| {
            if let Some(rule) = rules.iter_mut().find(|rule| rule.times != Some(0) && matches(&rule.when)) {
                rule.times = rule.times.map(|times| times - 1);
                found = (rule.delay, rule.fault.clone());
            }
            // Only new rules are news to calls that are held.
            false
        });
        found
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
        let strike = |call: &str| rules.use_once(|when| *when == call);
        assert_eq!(strike("a"), (Duration::ZERO, Some(1)));
        assert_eq!(strike("b"), (Duration::ZERO, Some(2)));
        assert_eq!(strike("a"), (Duration::ZERO, Some(1)));
        assert_eq!(strike("a"), (Duration::from_secs(3), None));
        assert_eq!(strike("c"), (Duration::ZERO, None));
    }

    #[tokio::test]
    async fn a_call_that_is_held_meets_the_next_rules() {
        let rules = Rules::new(vec![Rule::always("a", "hold")]);
        let (sender, mut told) = watch::channel(false);
        let tell = |_: &&str| {
            sender.send_replace(true);
        };
        let strike = rules.strike(|_| true, |fault| *fault == "hold", tell);
        let release = async {
            told.wait_for(|is_held| *is_held).await.unwrap();
            rules.replace(vec![Rule::always("a", "refuse")]);
        };
        assert_eq!(futures::join!(strike, release).0, Some("refuse"));
    }
}

//! How an image is pulled: at once, slowly, only with credentials, or not at all.

use super::sentence::{after, clauses, times};
use serde::Deserialize;
use std::time::Duration;

/// What a pull does: `takes 5s`, `fails`, `fails twice`, `needs credentials`, joined by commas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Pull {
    /// How long it takes, also when it fails.
    pub takes: Duration,
    /// How many pulls fail before one succeeds.
    pub fails: u32,
    /// Whether the pod must bring credentials.
    pub needs_credentials: bool,
}

impl TryFrom<String> for Pull {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut pull = Self::default();
        for words in clauses(&text) {
            let unknown = || {
                format!(
                    "`{}` is no pull: write `takes 5s`, `fails twice` or `needs credentials`",
                    words.join(" ")
                )
            };
            let rest = match words.as_slice() {
                ["needs", "credentials"] => {
                    pull.needs_credentials = true;
                    &[]
                }
                ["fails", rest @ ..] => {
                    let (count, rest) = times(rest);
                    pull.fails = count.unwrap_or(u32::MAX);
                    rest
                }
                words => {
                    let (duration, rest) = after(words, "takes")?;
                    pull.takes = duration.ok_or_else(unknown)?;
                    rest
                }
            };
            if !rest.is_empty() {
                return Err(unknown());
            }
        }
        Ok(pull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulls_are_said_in_clauses() {
        let read = |text: &str| Pull::try_from(text.to_owned());
        let slow = Pull { takes: Duration::from_secs(5), fails: 2, needs_credentials: true };
        assert_eq!(read("takes 5 s, fails twice, needs credentials"), Ok(slow));
        assert_eq!(read("fails").map(|pull| pull.fails), Ok(u32::MAX));
        assert!(read("takes").is_err() && read("hurts").is_err() && read("fails twice again").is_err());
    }
}

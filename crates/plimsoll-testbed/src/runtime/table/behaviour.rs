//! What a container does that has no program: one sentence, restart by restart.

use super::sentence::{after, clauses, times};
use serde::Deserialize;
use std::time::Duration;

/// A behaviour: clauses joined by commas, such as `exits 1 twice, then listens on its ports after 3s`.
/// A clause with a count is for so many starts of the container; the last one stays. Then it sleeps.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Behaviour {
    text: String,
    turns: Vec<Turn>,
    /// How long it takes to end after a SIGTERM.
    pub stops_after: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Turn {
    deed: Deed,
    starts: Option<u32>,
}

/// What one start of the container does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Runs, and answers nobody.
    Sleeps,
    /// Runs, and is never ready: it does not listen, and no exec probe of it succeeds.
    NeverReady,
    /// Listens, after a while.
    Listens {
        /// Where.
        on: Ports,
        /// How long after its start.
        after: Duration,
        /// Whether the API server trusts it where it was told of no authority: a webhook that admits.
        is_trusted: bool,
    },
    /// Ends, after a while.
    Exits {
        /// The exit code.
        code: u8,
        /// How long after its start.
        after: Duration,
    },
}

/// Where a container listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ports {
    /// On the ports that the container declares, and those its arguments name.
    pub its_own: bool,
    /// On these besides.
    pub named: Vec<u16>,
}

impl Behaviour {
    /// The sentence, for the program that does it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same for a container whose end others wait for: where this one would run on, that one finishes.
    #[must_use]
    pub fn ending(&self) -> Self {
        let lasts = |turn: &Turn| matches!(turn.deed, Deed::Sleeps | Deed::Listens { .. });
        if !self.turns.iter().all(lasts) {
            return self.clone();
        }
        let deed = Deed::Exits { code: 0, after: Duration::ZERO };
        let turns = vec![Turn { deed, starts: None }];
        Self { text: "finishes".to_owned(), turns, stops_after: Duration::ZERO }
    }

    /// What the container does at its start number `attempt`, counted from 0.
    #[must_use]
    pub fn deed(&self, attempt: u32) -> Deed {
        let mut before = 0_u32;
        for turn in &self.turns {
            let Some(starts) = turn.starts else { return turn.deed.clone() };
            before = before.saturating_add(starts);
            if attempt < before {
                return turn.deed.clone();
            }
        }
        Deed::Sleeps
    }
}

impl Deed {
    /// How long after the start an exec probe begins to succeed; never, for some.
    #[must_use]
    pub fn ready_after(&self) -> Option<Duration> {
        match self {
            Self::Sleeps | Self::Exits { .. } => Some(Duration::ZERO),
            Self::NeverReady => None,
            Self::Listens { after, .. } => Some(*after),
        }
    }
}

impl TryFrom<String> for Behaviour {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut behaviour = Self { text: text.clone(), turns: Vec::new(), stops_after: Duration::ZERO };
        for words in clauses(&text) {
            if let ["stops", rest @ ..] = words.as_slice() {
                let (duration, rest) = after(rest, "after")?;
                behaviour.stops_after =
                    duration.filter(|_| rest.is_empty()).ok_or_else(|| unknown(&words))?;
            } else {
                behaviour.turns.push(turn(&words)?);
            }
        }
        Ok(behaviour)
    }
}

fn unknown(words: &[&str]) -> String {
    format!(
        "`{}` is no behaviour: write `sleeps`, `listens on its ports after 3s`, `admits`, `exits 1 twice`, `never ready`, \
         `finishes after 2s` or `stops after 10s`, joined by `, then`",
        words.join(" ")
    )
}

fn turn(words: &[&str]) -> Result<Turn, String> {
    let (deed, starts, rest) = match words {
        ["sleeps", rest @ ..] => (Deed::Sleeps, None, rest),
        ["is", "never", "ready", rest @ ..] | ["never", "ready", rest @ ..] => (Deed::NeverReady, None, rest),
        [verb @ ("listens" | "admits"), rest @ ..] => {
            let (on, rest) = ports(rest)?;
            let (wait, rest) = after(rest, "after")?;
            let is_trusted = *verb == "admits";
            (Deed::Listens { on, after: wait.unwrap_or_default(), is_trusted }, None, rest)
        }
        ["finishes", rest @ ..] => ending(0, rest)?,
        ["exits", code, rest @ ..] => {
            let code = code.parse().map_err(|_| format!("`exits {code}`: an exit code is 0 to 255"))?;
            ending(code, rest)?
        }
        _ => return Err(unknown(words)),
    };
    if rest.is_empty() { Ok(Turn { deed, starts }) } else { Err(unknown(words)) }
}

/// `twice after 2s`, in either order.
fn ending<'a>(code: u8, words: &'a [&'a str]) -> Result<(Deed, Option<u32>, &'a [&'a str]), String> {
    let (first, words) = times(words);
    let (wait, words) = after(words, "after")?;
    let (second, words) = times(words);
    Ok((Deed::Exits { code, after: wait.unwrap_or_default() }, first.or(second), words))
}

/// `on its ports`, `on 80 and 443`, `on 9090 and its ports`; its own ports if nothing is said.
fn ports<'a>(words: &'a [&'a str]) -> Result<(Ports, &'a [&'a str]), String> {
    let Some((_, mut rest)) = words.split_first().filter(|(first, _)| **first == "on") else {
        return Ok((Ports { its_own: true, named: Vec::new() }, words));
    };
    let mut ports = Ports { its_own: false, named: Vec::new() };
    loop {
        rest = match rest {
            ["its", "ports", rest @ ..] => {
                ports.its_own = true;
                rest
            }
            ["port" | "ports" | "and", rest @ ..] => rest,
            [number, rest @ ..] if number.parse::<u16>().is_ok_and(|port| port > 0) => {
                ports.named.extend(number.parse::<u16>());
                rest
            }
            _ if ports.its_own || !ports.named.is_empty() => return Ok((ports, rest)),
            _ => return Err("`listens on` wants `its ports` or port numbers".to_owned()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Behaviour {
        Behaviour::try_from(text.to_owned()).expect(text)
    }

    fn listens(its_own: bool, named: &[u16], seconds: u64) -> Deed {
        let after = Duration::from_secs(seconds);
        Deed::Listens { on: Ports { its_own, named: named.to_vec() }, after, is_trusted: false }
    }

    #[test]
    fn sentences_mean_what_they_say() {
        assert_eq!(read("sleeps").deed(0), Deed::Sleeps);
        assert_eq!(read("listens").deed(0), listens(true, &[], 0));
        assert_eq!(read("listens on its ports after 3 s").deed(7), listens(true, &[], 3));
        assert_eq!(read("listens on 80 and 443").deed(0), listens(false, &[80, 443], 0));
        assert_eq!(read("listens on port 9090 and its ports").deed(0), listens(true, &[9090], 0));
        assert_eq!(read("never ready").deed(0), Deed::NeverReady);
        let on = Ports { its_own: true, named: vec![9443] };
        let admits = Deed::Listens { on, after: Duration::from_secs(3), is_trusted: true };
        assert_eq!(read("admits on 9443 and its ports after 3s").deed(0), admits);
        let finishes = Deed::Exits { code: 0, after: Duration::from_secs(2) };
        assert_eq!(read("finishes after 2s").deed(5), finishes);
        assert_eq!(read("sleeps, stops after 10s").stops_after, Duration::from_secs(10));
    }

    #[test]
    fn each_start_has_its_turn() {
        let behaviour = read("exits 1 twice, exits 3 once after 1s, then listens on its ports after 3s");
        let exit = |code, seconds| Deed::Exits { code, after: Duration::from_secs(seconds) };
        let deeds: Vec<Deed> = (0..5).map(|attempt| behaviour.deed(attempt)).collect();
        assert_eq!(deeds, [exit(1, 0), exit(1, 0), exit(3, 1), listens(true, &[], 3), listens(true, &[], 3)]);
        assert_eq!(read("exits 1 twice").deed(2), Deed::Sleeps);
        assert_eq!(read("exits 1").deed(99), exit(1, 0));
    }

    #[test]
    fn what_others_wait_for_ends_unless_more_was_said() {
        let deed = |text: &str| read(text).ending().deed(0);
        assert_eq!(deed("listens on its ports"), Deed::Exits { code: 0, after: Duration::ZERO });
        assert_eq!(deed("never ready"), Deed::NeverReady);
        assert_eq!(deed("exits 1 twice, then sleeps"), Deed::Exits { code: 1, after: Duration::ZERO });
    }

    #[test]
    fn what_is_no_sentence_is_refused() {
        for text in [
            "",
            "snores",
            "exits",
            "exits 256",
            "listens on",
            "sleeps well",
            "listens on 0",
            "stops",
            "sleeps,",
        ] {
            assert!(Behaviour::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[test]
    fn an_exec_probe_succeeds_once_the_container_is_ready() {
        assert_eq!(read("listens after 3s").deed(0).ready_after(), Some(Duration::from_secs(3)));
        assert_eq!(read("never ready").deed(0).ready_after(), None);
    }
}

//! The words of the reference table and what they stand for.

use super::row::When;
use crate::clocks;
use plimsoll_model::{Actor, Confidence, Reading};
use std::time::Duration;

pub(super) fn when(word: &str) -> Option<When> {
    Some(match word {
        "request" => When::Request,
        "created" => When::Created,
        "observed" => When::Observed,
        "bound" => When::Bound,
        "started" => When::Started,
        "ready" => When::Ready,
        _ => return None,
    })
}

pub(super) fn reading(word: &str) -> Option<Reading> {
    Some(match word {
        "once" => Reading::Once,
        "once-silently" => Reading::OnceSilently,
        "once-for-good" => Reading::OnceForGood,
        _ => return clocks::named(word).or_else(|| word.strip_prefix("every ").and_then(every)),
    })
}

/// `30s`, or `750ms to 15min` where each pause is twice the one before.
fn every(word: &str) -> Option<Reading> {
    let (first, longest) = word.split_once(" to ").unwrap_or((word, word));
    Some(Reading::Retried { first: duration(first)?, longest: duration(longest)? })
}

fn duration(word: &str) -> Option<Duration> {
    let (number, unit) = word.split_at(word.find(|letter: char| !letter.is_ascii_digit())?);
    let number: u64 = number.parse().ok()?;
    Some(match unit {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        "min" => Duration::from_mins(number),
        _ => return None,
    })
}

pub(super) fn actor(word: &str) -> Option<Actor> {
    Some(match word {
        "apiserver" => Actor::ApiServer,
        "controller" => Actor::Controller,
        "scheduler" => Actor::Scheduler,
        "kubelet" => Actor::Kubelet,
        "container" => Actor::Container,
        _ => Actor::Operator(operator(word.strip_prefix("operator:")?)),
    })
}

/// The table is read once and lives as long as the program, and so do the names in it.
fn operator(name: &str) -> &'static str {
    Box::leak(name.into())
}

/// How sure a row is; proved, unless it says otherwise.
pub(super) fn confidence(word: &str) -> Option<Confidence> {
    Some(match word {
        "" | "proved" => Confidence::Proved,
        "assumed" => Confidence::Assumed,
        "heuristic" => Confidence::Heuristic,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_the_same_each_time_or_doubles() {
        let of = |first, longest| {
            Some(Reading::Retried {
                first: Duration::from_millis(first),
                longest: Duration::from_millis(longest),
            })
        };
        assert_eq!(reading("every 30s"), of(30_000, 30_000));
        assert_eq!(reading("every 750ms to 15min"), of(750, 900_000));
        assert_eq!(reading("every day"), None);
        assert_eq!(reading("every 5 s"), None);
    }

    #[test]
    fn an_operator_is_called_by_its_name() {
        assert_eq!(actor("operator:storage provisioner"), Some(Actor::Operator("storage provisioner")));
        assert_eq!(actor("storage provisioner"), None);
    }
}

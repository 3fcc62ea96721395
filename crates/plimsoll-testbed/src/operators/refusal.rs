//! What became of an object that was sent too early, told by the audit log: how often it was refused and in which words,
//! when it was admitted, and what had happened before that.

use crate::audit::Event;
use jiff::Timestamp;
use std::fmt;

/// The story of one object, from its first refusal to its admission.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Refusals in the order of time; equal ones that follow each other are one.
    pub refusals: Vec<Refusal>,
    /// The request that was admitted.
    pub admitted: Event,
    /// The last thing before it that heals such a refusal.
    pub healed_by: Option<Event>,
}

/// Refusals in the same words.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The words, without what differs from one request to the next.
    pub message: String,
    /// How often.
    pub times: usize,
    /// When first.
    pub first: Timestamp,
    /// When last.
    pub last: Timestamp,
}

impl Refused {
    /// Reads the story of an object. `heals` picks the writes that can end its refusals. Nothing if it was not refused,
    /// or not admitted yet.
    pub fn read<'a>(
        events: impl IntoIterator<Item = &'a Event>,
        (resource, namespace, name): (&str, &str, &str),
        heals: impl Fn(&Event) -> bool,
    ) -> Option<Self> {
        let mut refusals: Vec<Refusal> = Vec::new();
        let mut healed_by = None;
        for event in events {
            if !event.is_write() || event.is_dry_run() {
                continue;
            }
            if !event.is_about(resource, namespace, name) {
                if heals(event) && !event.is_refused() {
                    healed_by = Some(event.clone());
                }
            } else if !event.is_refused() {
                let story = Self { refusals, admitted: event.clone(), healed_by };
                return (!story.refusals.is_empty()).then_some(story);
            } else {
                add(&mut refusals, event);
            }
        }
        None
    }

    /// From the first refusal to the admission.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        let first = self.refusals.first().map_or(self.admitted.received, |refusal| refusal.first);
        self.admitted.received.duration_since(first).as_secs_f64()
    }
}

fn add(refusals: &mut Vec<Refusal>, event: &Event) {
    let message = event.message();
    match refusals.last_mut() {
        Some(last) if last.message == message => {
            last.times += 1;
            last.last = event.received;
        }
        _ => refusals.push(Refusal {
            message: message.to_owned(),
            times: 1,
            first: event.received,
            last: event.received,
        }),
    }
}

/// A line for each refusal, one for what healed it, one for the admission; seconds count from the first refusal.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.refusals.first().map_or(self.admitted.received, |refusal| refusal.first);
        let after = |time: Timestamp| time.duration_since(start).as_secs_f64();
        for Refusal { message, times, first, last } in &self.refusals {
            writeln!(
                f,
                "{:6.1} s to {:.1} s, refused {times} times: {message}",
                after(*first),
                after(*last)
            )?;
        }
        if let Some(event) = &self.healed_by {
            writeln!(f, "{:6.1} s  {event}", after(event.received))?;
        }
        write!(f, "{:6.1} s  admitted: {}", after(self.admitted.received), self.admitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(second: u8, resource: &str, name: &str, code: u16, message: &str) -> Event {
        serde_json::from_value(serde_json::json!({
            "auditID": "1", "stage": "ResponseComplete", "requestURI": "/", "verb": "create",
            "user": {"username": "admin"},
            "objectRef": {"resource": resource, "namespace": "a", "name": name},
            "responseStatus": {"code": code, "message": message},
            "requestReceivedTimestamp": format!("2026-11-15T10:00:{second:02}Z"),
            "stageTimestamp": format!("2026-11-15T10:00:{second:02}Z"),
        }))
        .unwrap()
    }

    #[test]
    fn equal_refusals_are_one_and_the_last_cure_counts() {
        let events = [
            event(1, "stores", "s", 500, "nobody there"),
            event(2, "stores", "s", 500, "nobody there"),
            event(3, "endpointslices", "x", 200, ""),
            event(4, "stores", "s", 500, "unknown authority"),
            event(5, "endpointslices", "y", 200, ""),
            event(6, "configmaps", "z", 200, ""),
            event(7, "stores", "s", 201, ""),
            event(8, "stores", "s", 500, "later"),
        ];
        let is_slice = |event: &Event| event.object.as_ref().is_some_and(|o| o.resource == "endpointslices");
        let story = Refused::read(&events, ("stores", "a", "s"), is_slice).unwrap();
        let told: Vec<_> = story.refusals.iter().map(|r| (r.message.as_str(), r.times)).collect();
        assert_eq!(told, [("nobody there", 2), ("unknown authority", 1)]);
        assert_eq!(story.healed_by.as_ref().unwrap().object.as_ref().unwrap().name, "y");
        assert!((story.seconds() - 6.0).abs() < 1e-9);
        assert!(
            story.to_string().starts_with("   0.0 s to 1.0 s, refused 2 times: nobody there\n"),
            "{story}"
        );
    }

    #[test]
    fn an_object_that_was_admitted_at_once_has_no_story() {
        let events = [event(1, "stores", "s", 201, "")];
        assert!(Refused::read(&events, ("stores", "a", "s"), |_| true).is_none());
    }
}

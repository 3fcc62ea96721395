//! A second opinion: small systems as bit masks, and every run of them. Shares no code with the analysis.

use plimsoll_model::{Delay, Reading};
use plimsoll_order::facts::{Breach, Draft, Fact, Interval, OneShot, System};
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// A set of at most 16 events.
pub(crate) type Mask = u16;

/// A small system; event `n` is bit `n`.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// For each event, all clauses of its guard.
    pub(crate) guards: Vec<Vec<Mask>>,
    /// Facts that nobody brings about.
    pub(crate) absent: Mask,
    pub(crate) needs: Vec<Need>,
    pub(crate) windows: Vec<Window>,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) consumer: usize,
    pub(crate) provider: Mask,
    pub(crate) stops: bool,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) open: Vec<Mask>,
    pub(crate) close: Mask,
    pub(crate) victim: usize,
}

/// What all runs of a sketch show.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Everything that is the first failure of some run, or is silently missed in one.
    pub(crate) broken: BTreeSet<Breach>,
    /// The facts with which runs end that do not fail.
    pub(crate) endings: BTreeSet<Mask>,
    /// The facts that can be seen together in a run that has not failed.
    pub(crate) reachable: BTreeSet<Mask>,
}

impl Sketch {
    pub(crate) fn events(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.guards.len()
    }

    /// Plays every run.
    pub(crate) fn explore(&self) -> Outcome {
        let mut outcome = Outcome::default();
        let mut open = vec![0];
        outcome.reachable.insert(0);
        while let Some(state) = open.pop() {
            let mut ended = true;
            for event in self.events().filter(|event| self.is_enabled(*event, state)) {
                ended = false;
                let broken = self.broken_by(event, state);
                let fails = broken.iter().any(|breach| self.stops(*breach));
                outcome.broken.extend(broken);
                let next = state | 1 << event;
                if !fails && outcome.reachable.insert(next) {
                    open.push(next);
                }
            }
            if ended {
                outcome.endings.insert(state);
            }
        }
        outcome
    }

    /// Whether an event that has not happened no longer waits.
    pub(crate) fn is_enabled(&self, event: usize, state: Mask) -> bool {
        state >> event & 1 == 0 && self.absent >> event & 1 == 0 && self.guards_met(event, state)
    }

    pub(crate) fn guards_met(&self, event: usize, state: Mask) -> bool {
        self.guards[event].iter().all(|clause| clause & state != 0)
    }

    /// Everything that an event breaks if it happens now.
    pub(crate) fn broken_by(&self, event: usize, state: Mask) -> Vec<Breach> {
        let needs = self.needs.iter().enumerate();
        let missed = needs.filter(|(_, need)| need.consumer == event && need.provider & state == 0);
        let windows = self.windows.iter().enumerate();
        let caught = windows.filter(|(_, window)| {
            window.victim == event
                && window.close & state == 0
                && window.open.iter().all(|clause| clause & state != 0)
        });
        missed.map(|(n, _)| Breach::Requirement(n)).chain(caught.map(|(n, _)| Breach::Window(n))).collect()
    }

    fn stops(&self, breach: Breach) -> bool {
        match breach {
            Breach::Requirement(number) => self.needs[number].stops,
            Breach::Window(_) => true,
        }
    }

    /// Whether these events, one after the other, lead to the breach; failures inside windows on the way are failures
    /// of the same run and do not count against it.
    pub(crate) fn replays(&self, events: &[usize], breach: Breach) -> bool {
        let mut state = 0;
        for event in events {
            let stopped = self.broken_by(*event, state).iter().any(|broken| match broken {
                Breach::Requirement(number) => self.needs[*number].stops,
                Breach::Window(_) => false,
            });
            if !self.is_enabled(*event, state) || stopped {
                return false;
            }
            state |= 1 << event;
        }
        let consumer = match breach {
            Breach::Requirement(number) => self.needs[number].consumer,
            Breach::Window(number) => self.windows[number].victim,
        };
        self.is_enabled(consumer, state) && self.broken_by(consumer, state).contains(&breach)
    }

    /// When each event happens if nothing fails and it takes `factor` times its lowest delay, by trying until nothing
    /// changes any more.
    pub(crate) fn seconds(&self, factor: u64) -> Vec<Option<u64>> {
        let mut times = vec![None; self.guards.len()];
        for _ in self.events() {
            for event in self.events().filter(|event| self.absent >> event & 1 == 0) {
                let needs = self.needs.iter().filter(|need| need.consumer == event && need.stops);
                let clauses = self.guards[event].iter().copied().chain(needs.map(|need| need.provider));
                let met = clauses
                    .map(|clause| facts(clause).iter().filter_map(|fact| times[fact.0 as usize]).min());
                let begins = met.collect::<Option<Vec<u64>>>().map(|met| met.into_iter().max().unwrap_or(0));
                times[event] = begins.map(|begins| begins + factor * low_seconds(event));
            }
        }
        times
    }

    /// The same in the words of the analysis.
    pub(crate) fn system(&self) -> System {
        let mut draft = Draft::new();
        for event in self.events() {
            let seconds = Duration::from_secs(low_seconds(event));
            let fact = draft.event(Delay { low: seconds, usual: seconds * 2, high: seconds * 3 });
            if self.absent >> event & 1 == 1 {
                draft.forbid(fact);
            }
        }
        for event in self.events() {
            for guard in &self.guards[event] {
                let clause = draft.clause(facts(*guard));
                draft.guard(fact(event), clause);
            }
        }
        for need in &self.needs {
            let (consumer, provider) = (fact(need.consumer), draft.clause(facts(need.provider)));
            draft.requirement(OneShot { consumer, provider, reading: Reading::Once, stops: need.stops });
        }
        for window in &self.windows {
            let open = window.open.iter().map(|clause| draft.clause(facts(*clause))).collect();
            let close = draft.clause(facts(window.close));
            draft.window(Interval { open, close, victim: fact(window.victim), reading: Reading::Once });
        }
        draft.finish()
    }
}

/// The lowest delay of an event.
fn low_seconds(event: usize) -> u64 {
    1 + event as u64 * 7 % 5
}

pub(crate) fn fact(event: usize) -> Fact {
    Fact(u32::try_from(event).unwrap())
}

pub(crate) fn facts(mask: Mask) -> Vec<Fact> {
    (0..16).filter(|event| mask >> event & 1 == 1).map(fact).collect()
}

pub(crate) fn mask(facts: &[Fact]) -> Mask {
    facts.iter().fold(0, |mask, fact| mask | 1 << fact.0)
}

impl fmt::Debug for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let any =
            |mask: &Mask| facts(*mask).iter().map(|fact| fact.0.to_string()).collect::<Vec<_>>().join("|");
        for event in self.events() {
            let absent = if self.absent >> event & 1 == 1 { " (absent)" } else { "" };
            let guard: Vec<_> = self.guards[event].iter().map(any).collect();
            writeln!(f, "event {event}{absent} after ({})", guard.join(") and ("))?;
        }
        for need in &self.needs {
            let silent = if need.stops { "" } else { " silently" };
            writeln!(f, "event {} requires ({}){silent}", need.consumer, any(&need.provider))?;
        }
        for window in &self.windows {
            let open: Vec<_> = window.open.iter().map(any).collect();
            writeln!(
                f,
                "window ({}) until ({}) for {}",
                open.join(") and ("),
                any(&window.close),
                window.victim
            )?;
        }
        Ok(())
    }
}

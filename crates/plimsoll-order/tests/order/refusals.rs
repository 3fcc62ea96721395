//! A second opinion on refused requests: small questions as bit masks, and every run of them.
//!
//! A reader that misses a requirement which names what is lost goes on all the same; what is lost does not come about
//! in that run. Where refused requests are repeated, it does once the repeated reader finds what it missed. Nothing
//! here knows how a question becomes a system.

use crate::enumeration::Mask;
use crate::words::{World, delay, object};
use plimsoll_model::{Clause, Milestone, Moment, Reading};
use plimsoll_order::Breach;
use std::collections::BTreeSet;
use std::fmt;

/// A small question; moment `n` is bit `n`.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Plot {
    /// For each moment its causes, each with all the clauses it comes after.
    pub(crate) causes: Vec<Vec<Vec<Mask>>>,
    /// All of the first before any of the second.
    pub(crate) promises: Vec<(Mask, Mask)>,
    pub(crate) needs: Vec<Need>,
    pub(crate) given: Mask,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) first: Mask,
    pub(crate) then: usize,
    /// Whether a miss is noticed at all.
    pub(crate) is_noticed: bool,
    /// What a noticed miss takes away; nothing if the reader itself fails.
    pub(crate) lost: Mask,
    /// For a window, all clauses of its opening.
    pub(crate) open: Option<Vec<Mask>>,
}

/// How far a run has come.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) happened: Mask,
    /// The needs whose readers were refused, by their numbers.
    refused: u8,
}

/// Whether anyone repeats a refused request once what it missed is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Forever,
    Repeated,
}

impl Plot {
    pub(crate) fn moments(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.causes.len()
    }

    /// Everything that some run breaks, and every state of a run that has not failed.
    pub(crate) fn explore(&self, refused: Refused) -> (BTreeSet<Breach>, BTreeSet<State>) {
        let start = State { happened: self.given, refused: 0 };
        let (mut broken, reachable) = (BTreeSet::new(), self.reachable(start, 0, refused));
        for state in &reachable {
            for next in self.moments().filter(|next| self.may_happen(*next, *state)) {
                broken.extend(self.missed(next, *state).map(|need| self.breach(need)));
            }
        }
        (broken, reachable)
    }

    /// Whether what a need misses still comes about in some run in which it was missed.
    pub(crate) fn recovers(&self, number: usize, reachable: &BTreeSet<State>) -> bool {
        let need = &self.needs[number];
        let is_missed = |state: &&State| {
            self.may_happen(need.then, **state) && self.missed(need.then, **state).any(|n| n == number)
        };
        reachable.iter().filter(is_missed).any(|state| {
            let (start, banned) = match need.lost {
                0 => (*state, 1 << need.then),
                lost => (self.after(need.then, *state).unwrap_or(*state), lost),
            };
            let onwards = self.reachable(start, banned, Refused::Repeated);
            onwards.iter().any(|state| state.happened & need.first != 0)
        })
    }

    /// Whether these moments, one after the other, lead to the breach of a need.
    pub(crate) fn replays(&self, moments: &[usize], number: usize, refused: Refused) -> bool {
        let mut state = State { happened: self.given, refused: 0 };
        for next in moments {
            if refused == Refused::Repeated {
                state = self.repeat_all(state);
            }
            let after = self.may_happen(*next, state).then(|| self.after(*next, state)).flatten();
            let Some(after) = after else { return false };
            state = after;
        }
        if refused == Refused::Repeated {
            state = self.repeat_all(state);
        }
        let then = self.needs[number].then;
        self.may_happen(then, state) && self.missed(then, state).any(|missed| missed == number)
    }

    fn reachable(&self, start: State, banned: Mask, refused: Refused) -> BTreeSet<State> {
        let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(state) = open.pop() {
            let moments = self.moments().filter(|next| banned >> next & 1 == 0);
            let mut next: Vec<State> = moments
                .filter(|next| self.may_happen(*next, state))
                .filter_map(|next| self.after(next, state))
                .collect();
            if refused == Refused::Repeated {
                next.extend(self.refused(state).filter_map(|need| self.repeat(need, state)));
            }
            open.extend(next.into_iter().filter(|next| seen.insert(*next)));
        }
        seen
    }

    /// Whether a moment that has not happened waits for nothing more and is not lost.
    pub(crate) fn may_happen(&self, next: usize, state: State) -> bool {
        let is_met = |clause: &Mask| clause & state.happened != 0;
        state.happened >> next & 1 == 0
            && self.causes[next].iter().any(|clauses| clauses.iter().all(is_met))
            && self.promises.iter().all(|(first, then)| then >> next & 1 == 0 || first & !state.happened == 0)
            && self.refused(state).all(|need| self.needs[need].lost >> next & 1 == 0)
    }

    /// The needs that a moment misses if it happens now.
    fn missed(&self, next: usize, state: State) -> impl Iterator<Item = usize> {
        self.needs
            .iter()
            .enumerate()
            .filter(move |(_, need)| {
                let mut open = need.open.iter().flatten();
                need.then == next
                    && need.first & state.happened == 0
                    && open.all(|clause| clause & state.happened != 0)
            })
            .map(|(number, _)| number)
    }

    /// The state after a moment, unless the run fails with it.
    fn after(&self, next: usize, mut state: State) -> Option<State> {
        let missed: Vec<usize> = self.missed(next, state).filter(|n| self.needs[*n].is_noticed).collect();
        for number in missed {
            if self.needs[number].lost == 0 {
                return None;
            }
            state.refused |= 1 << number;
        }
        state.happened |= 1 << next;
        Some(state)
    }

    fn refused(&self, state: State) -> impl Iterator<Item = usize> + use<> {
        (0..self.needs.len()).filter(move |number| state.refused >> number & 1 == 1)
    }

    /// A refused request that is repeated finds what it missed, if that is there.
    fn repeat(&self, number: usize, mut state: State) -> Option<State> {
        state.refused &= !(1 << number);
        (self.needs[number].first & state.happened != 0).then_some(state)
    }

    fn repeat_all(&self, state: State) -> State {
        self.refused(state).fold(state, |state, need| self.repeat(need, state).unwrap_or(state))
    }

    /// The same in the words of the model.
    pub(crate) fn world(&self) -> World {
        let mut world = World { given: moments(self.given), ..World::default() };
        for number in self.moments() {
            for clauses in &self.causes[number] {
                let after: Vec<Clause> = clauses.iter().map(|clause| Clause(moments(*clause))).collect();
                world.causes(moment(number), &after, delay(1, 2, 3));
            }
        }
        for (first, then) in &self.promises {
            world.guarantees(&moments(*first), &moments(*then));
        }
        for need in &self.needs {
            let stated = if let Some(open) = &need.open {
                world.window(&[], &moments(need.first), moment(need.then));
                let window = world.windows.last_mut().unwrap();
                window.open = open.iter().map(|clause| Clause(moments(*clause))).collect();
                &mut window.requirement
            } else {
                world.requires(&moments(need.first), moment(need.then), Reading::Once);
                world.requirements.last_mut().unwrap()
            };
            stated.reading = if need.is_noticed { Reading::Once } else { Reading::OnceSilently };
            stated.lost = moments(need.lost);
        }
        world
    }

    /// How the words call the breach of a need: requirements and windows are numbered apart.
    pub(crate) fn breach(&self, number: usize) -> Breach {
        let is_window = |need: &&Need| need.open.is_some() == self.needs[number].open.is_some();
        let position = self.needs[..number].iter().filter(is_window).count();
        if self.needs[number].open.is_some() {
            Breach::Window(position)
        } else {
            Breach::Requirement(position)
        }
    }
}

pub(crate) fn moment(number: usize) -> Moment {
    object("Thing", &number.to_string()).at(Milestone::Ready)
}

pub(crate) fn number(moment: &Moment) -> usize {
    moment.object().unwrap().name().parse().unwrap()
}

fn moments(mask: Mask) -> Vec<Moment> {
    (0..16).filter(|number| mask >> number & 1 == 1).map(moment).collect()
}

impl fmt::Debug for Plot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = |mask: Mask| -> Vec<usize> { (0..16).filter(|number| mask >> number & 1 == 1).collect() };
        let sets =
            |clauses: &[Mask]| -> Vec<Vec<usize>> { clauses.iter().map(|clause| set(*clause)).collect() };
        writeln!(f, "given {:?}", set(self.given))?;
        for number in self.moments() {
            for cause in &self.causes[number] {
                writeln!(f, "{number} after {:?}", sets(cause))?;
            }
        }
        for (first, then) in &self.promises {
            writeln!(f, "promised {:?} before {:?}", set(*first), set(*then))?;
        }
        for Need { first, then, is_noticed, lost, open } in &self.needs {
            let noticed = if *is_noticed { "" } else { " silently" };
            let open = open.as_deref().map(&sets);
            writeln!(f, "{then} needs {:?}{noticed}, loses {:?}, open {open:?}", set(*first), set(*lost))?;
        }
        Ok(())
    }
}

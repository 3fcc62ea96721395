//! One question to the reasoning: everything known, everything promised, everything given.

use super::index::Index;
use super::{Settings, world};
use plimsoll_knowledge::{Known, Refusals, Scene};
use plimsoll_model::{Bundle, Moment, Operation, Reading, Requirement, Subject};
use plimsoll_order::{Breach, Order, Question, Race};

/// What was asked about one operation, and the answer.
pub(super) struct Asked<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) known: Known,
    pub(super) world: world::World,
    pub(super) order: Order,
    pub(super) races: Vec<Race>,
    refusals: Refusals,
    /// The races of the first round, in which every request was taken to be accepted.
    first_round: Vec<Breach>,
    pub(super) index: Index,
}

/// Asks until no further request turns out to be refused.
///
/// A tool that goes on after an error does not wait for what it was refused. So the requests that some order refuses
/// are taken out of the chain of promises, and the question is asked again; each round finds more or ends it.
pub(super) fn ask<'a>(bundle: &'a Bundle, settings: &Settings, operation: Operation) -> Asked<'a> {
    let scene = Scene { kube_version: settings.kube_version, operation };
    let mut known = plimsoll_knowledge::know(bundle, scene);
    let lives = known.causes.len();
    let mut refusals = Refusals::default();
    let mut first_round: Option<Vec<Breach>> = None;
    loop {
        let promised = plimsoll_knowledge::promise(bundle, scene, &refusals);
        known.causes.truncate(lives);
        known.causes.extend(promised.causes);
        known.guarantees = promised.guarantees;
        known.deadlines = promised.deadlines;
        let world = world::of(bundle, &known, settings, operation);
        let order = Order::new(&Question {
            causes: &known.causes,
            guarantees: &known.guarantees,
            requirements: &known.requirements,
            windows: &known.windows,
            deadlines: &known.deadlines,
            given: &world.given,
        });
        let races = order.races();
        first_round.get_or_insert_with(|| races.iter().map(|race| race.breach).collect());
        if !refuse(&known, &races, &mut refusals) {
            let index = Index::new(bundle, &known);
            let first_round = first_round.unwrap_or_default();
            return Asked { bundle, known, world, order, races, refusals, first_round, index };
        }
    }
}

/// Adds the requests that these races refuse; false if all of them were known.
fn refuse(known: &Known, races: &[Race], refusals: &mut Refusals) -> bool {
    let mut is_new = false;
    for race in races {
        let Some(requirement) = requirement(known, race.breach) else { continue };
        if let (Subject::Request(step, id), Reading::Once | Reading::OnceForGood) =
            (&requirement.then.subject, requirement.reading)
        {
            is_new |= refusals.insert(*step, id.clone());
        }
    }
    is_new
}

fn requirement(known: &Known, breach: Breach) -> Option<&Requirement> {
    match breach {
        Breach::Requirement(index) => known.requirements.get(index),
        Breach::Window(index) => known.windows.get(index).map(|window| &window.requirement),
    }
}

impl Asked<'_> {
    /// The requirement that a race breaks.
    pub(super) fn requirement(&self, race: &Race) -> Option<&Requirement> {
        requirement(&self.known, race.breach)
    }

    /// How many requirements hold in every order.
    pub(super) fn held(&self) -> usize {
        (self.known.requirements.len() + self.known.windows.len()).saturating_sub(self.races.len())
    }

    /// Whether a race is only the echo of another: what is needed is missing because its own request may be refused.
    pub(super) fn is_echo(&self, race: &Race, requirement: &Requirement) -> bool {
        if self.first_round.contains(&race.breach) {
            return false;
        }
        let mut providers = requirement.first.0.iter().filter_map(Moment::object).peekable();
        providers.peek().is_some()
            && providers.all(|id| {
                let mut steps = self.bundle.numbered_steps();
                steps.any(|(step, _)| self.refusals.contains(step, id))
            })
    }
}

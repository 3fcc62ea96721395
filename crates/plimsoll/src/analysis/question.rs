//! One question to the reasoning: everything known, everything promised, everything given.

use super::index::Index;
use super::{Served, Settings, behind, world};
use plimsoll_knowledge::{Known, Scene, Timetable};
use plimsoll_model::{
    Action, Bundle, Confidence, Moment, Operation, Requirement, Step, StepIndex, Tool, Unit,
};
use plimsoll_order::{Breach, Flaw, Order, Question, Race};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// What was asked about one operation, and the answer.
pub(super) struct Asked<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) operation: Operation,
    pub(super) known: Known,
    pub(super) world: world::World,
    pub(super) order: Order,
    pub(super) races: Vec<Race>,
    pub(super) index: Index,
    /// When releases of charts send what.
    pub(super) releases: FxHashMap<StepIndex, Timetable>,
}

/// Asks about one operation. The answer has passed the independent checker.
pub(super) fn ask<'a>(
    bundle: &'a Bundle,
    settings: &Settings,
    operation: Operation,
) -> Result<Asked<'a>, Flaw> {
    let scene = Scene { kube_version: settings.kube_version, operation };
    let mut known = plimsoll_knowledge::know(bundle, scene);
    known.requirements.retain(|requirement| {
        !behind::STOPS.contains(&requirement.class)
            || match settings.served {
                Served::AsKnown => true,
                Served::UnlessProved => requirement.confidence == Confidence::Proved,
                Served::All => false,
            }
    });
    let world = world::of(bundle, &known, settings, operation);
    let order = Order::new(&Question {
        causes: &known.causes,
        guarantees: &known.guarantees,
        requirements: &known.requirements,
        windows: &known.windows,
        deadlines: &known.deadlines,
        given: &world.given,
    });
    let (races, index) = std::thread::scope(|scope| {
        let check = scope.spawn(|| order.check());
        let answer = (order.races(), Index::new(bundle, &known));
        let accepted = check.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        accepted.map(|()| answer)
    })?;
    let releases = releases(bundle, operation);
    Ok(Asked { bundle, operation, known, world, order, races, index, releases })
}

fn releases(bundle: &Bundle, operation: Operation) -> FxHashMap<StepIndex, Timetable> {
    let release = |(index, step): (StepIndex, &Step)| match &step.action {
        Action::Deliver(unit) if unit.delivery.tool == Tool::Helm => {
            Some((index, Timetable::of(unit, operation)))
        }
        _ => None,
    };
    bundle.numbered_steps().filter_map(release).collect()
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

    /// What must have happened for a race to be lost, where that is more than something coming too late.
    pub(super) fn opened_by(&self, race: &Race) -> impl Iterator<Item = &Moment> {
        let window = match race.breach {
            Breach::Window(index) => self.known.windows.get(index),
            Breach::Requirement(_) => None,
        };
        window.into_iter().flat_map(|window| &window.open).flat_map(|clause| &clause.0)
    }

    /// The command of a step. A path has none of its own; what it stands for depends on the operation.
    pub(super) fn says<'s>(&self, step: &'s Step) -> Cow<'s, str> {
        let Action::Deliver(Unit { delivery, .. }) = &step.action else { return Cow::Borrowed(&step.says) };
        if step.place.is_some() || self.operation == Operation::Install {
            return Cow::Borrowed(&step.says);
        }
        let release = delivery.release.as_deref().unwrap_or_default();
        match (delivery.tool, self.operation) {
            (Tool::Helm, Operation::Upgrade) => step.says.replacen("helm install", "helm upgrade", 1).into(),
            (Tool::Helm, operation) => format!("helm {} {release}", operation.word()).into(),
            (Tool::Kubectl, Operation::Uninstall) => {
                step.says.replacen("kubectl apply", "kubectl delete", 1).into()
            }
            (Tool::Kubectl, _) => Cow::Borrowed(&step.says),
        }
    }

    /// How many requirements hold in every order.
    pub(super) fn held(&self) -> usize {
        (self.known.requirements.len() + self.known.windows.len()).saturating_sub(self.races.len())
    }
}

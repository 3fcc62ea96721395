//! The parts of a check, each measured alone and in this process.

use super::process::median;
use plimsoll_knowledge::{Known, Scene, know};
use plimsoll_model::{Moment, Operation};
use plimsoll_order::{Order, Question};
use plimsoll_sources::{Disk, Input, read};
use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

/// What each part of a check takes, and how much it is given to do.
pub(super) struct Parts {
    /// From files to objects with places.
    pub(super) read: Vec<Duration>,
    /// From objects to what needs what, and what the tool promises.
    pub(super) know: Vec<Duration>,
    /// The reasoning: from there to every race.
    pub(super) order: Vec<Duration>,
    pub(super) requirements: usize,
    pub(super) races: usize,
}

impl Parts {
    /// The middle of each part: reading, knowing, reasoning.
    pub(super) fn medians(&self) -> [Duration; 3] {
        [&self.read, &self.know, &self.order].map(|part| median(part))
    }
}

/// Measures the parts of a check of one folder, so many times.
pub(super) fn measure(folder: &str, times: usize) -> Parts {
    let (read, know, order) = (Vec::new(), Vec::new(), Vec::new());
    let mut parts = Parts { read, know, order, requirements: 0, races: 0 };
    for _ in 0..times {
        once(folder, &mut parts);
    }
    parts
}

fn once(folder: &str, parts: &mut Parts) {
    let input = Input { paths: vec![folder.to_owned()], ..Input::default() };
    let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
    let bundle = timed(&mut parts.read, || read(&input, &Disk));
    let known = timed(&mut parts.know, || know(&bundle, scene));
    let given = given(&known);
    let question = Question {
        causes: &known.causes,
        guarantees: &known.guarantees,
        requirements: &known.requirements,
        windows: &known.windows,
        deadlines: &known.deadlines,
        given: &given,
    };
    let races = timed(&mut parts.order, || Order::new(&question).races());
    parts.requirements = known.requirements.len() + known.windows.len();
    parts.races = races.len();
}

fn timed<T>(durations: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    durations.push(start.elapsed());
    result
}

/// What nothing in the input brings about is taken to be there, as the program takes it.
fn given(known: &Known) -> Vec<Moment> {
    let brought: HashSet<&Moment> = known.causes.iter().map(|cause| &cause.moment).collect();
    let causes = known.causes.iter().flat_map(|cause| &cause.after).flat_map(|clause| &clause.0);
    let windows = known.windows.iter();
    let opens = windows.clone().flat_map(|window| &window.open).flat_map(|clause| &clause.0);
    let requirements = known.requirements.iter().chain(windows.map(|window| &window.requirement));
    let firsts = requirements.flat_map(|requirement| &requirement.first.0);
    let promised = known.guarantees.iter().flat_map(|guarantee| &guarantee.first);
    let mentioned = causes.chain(opens).chain(firsts).chain(promised);
    let given: BTreeSet<&Moment> =
        mentioned.filter(|moment| moment.object().is_some() && !brought.contains(moment)).collect();
    given.into_iter().cloned().collect()
}

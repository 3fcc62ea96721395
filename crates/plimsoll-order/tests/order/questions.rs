//! Random questions in the words of the model, against every run of them.
//!
//! The runs are played on the words themselves: nothing here knows how a question becomes a system.

use crate::random::Dice;
use crate::words::{World, delay, object, one};
use plimsoll_model::{Clause, Confidence, Milestone, Moment, Reading, Requirement};
use plimsoll_order::{Breach, Order};
use std::collections::BTreeSet;
use std::time::Duration;

/// Questions that are looked at where nothing else is said.
const QUESTIONS: u64 = 3_000;

/// A set of moments.
type State = BTreeSet<Moment>;

fn moment(number: usize) -> Moment {
    object("Thing", &number.to_string()).at(Milestone::Ready)
}

fn moments(dice: &mut Dice, count: usize, most: usize) -> Vec<Moment> {
    (0..=dice.below(most)).map(|_| moment(dice.below(count))).collect()
}

fn random(seed: u64) -> (World, usize) {
    let mut dice = Dice::new(seed);
    let count = 4 + dice.below(4);
    let mut world = World::default();
    // A long list with which several begin, as the steps of a script do.
    let mut begun: Vec<Clause> = Vec::new();
    for number in 0..count {
        for _ in 0..[0, 1, 1, 1, 1, 1, 1, 2, 2, 3][dice.below(10)] {
            let own: Vec<Clause> = (0..dice.below(3)).map(|_| Clause(moments(&mut dice, count, 2))).collect();
            if !dice.chance(30) {
                world.causes(moment(number), &own, delay(1, 2, 3));
                continue;
            }
            if dice.chance(30) {
                begun.clear();
            }
            begun.extend(std::iter::repeat_n(own, dice.below(40)).flatten());
            world.causes(moment(number), &begun, delay(1, 2, 3));
        }
    }
    for _ in 0..dice.below(3) {
        let (first, then) = (moments(&mut dice, count, 2), moments(&mut dice, count, 3));
        world.guarantees(&first, &then);
    }
    for _ in 0..dice.below(5) {
        let longest = Duration::from_mins(1);
        let retried = Reading::Retried { first: Duration::from_secs(1), longest };
        let reading = [Reading::Once, Reading::Once, Reading::OnceSilently, retried][dice.below(4)];
        let first = moments(&mut dice, count, 2);
        world.requires(&first, moment(dice.below(count)), reading);
        if dice.chance(15) {
            world.requirements.last_mut().unwrap().confidence = Confidence::Heuristic;
        }
    }
    if dice.chance(25) {
        let (open, close) = (moments(&mut dice, count, 2), moments(&mut dice, count, 2));
        world.window(&open, &close, moment(dice.below(count)));
    }
    world.given = if dice.chance(40) { moments(&mut dice, count, 2) } else { Vec::new() };
    (world, count)
}

/// Every run of a world: what is broken, and every state that a run can be in that has not failed.
fn explore(world: &World, count: usize) -> (BTreeSet<Breach>, BTreeSet<State>) {
    let start: State = world.given.iter().cloned().collect();
    let (mut broken, mut seen) = (BTreeSet::new(), BTreeSet::from([start.clone()]));
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for next in
            (0..count).map(moment).filter(|next| !state.contains(next) && may_happen(world, next, &state))
        {
            let breaches = breaches(world, &next, &state);
            let fails = breaches.iter().any(|breach| stops(world, *breach));
            broken.extend(breaches);
            let mut after = state.clone();
            after.insert(next);
            if !fails && seen.insert(after.clone()) {
                open.push(after);
            }
        }
    }
    (broken, seen)
}

fn is_met(clause: &Clause, state: &State) -> bool {
    clause.0.iter().any(|moment| state.contains(moment))
}

fn may_happen(world: &World, next: &Moment, state: &State) -> bool {
    let mut causes = world.causes.iter().filter(|cause| cause.moment == *next);
    let mut guarantees = world.guarantees.iter().filter(|guarantee| guarantee.then.contains(next));
    causes.any(|cause| cause.after.iter().all(|clause| is_met(clause, state)))
        && guarantees.all(|guarantee| guarantee.first.iter().all(|first| state.contains(first)))
}

fn breaches(world: &World, next: &Moment, state: &State) -> Vec<Breach> {
    let misses = |requirement: &Requirement| requirement.then == *next && !is_met(&requirement.first, state);
    let requirements = world.requirements.iter().enumerate().filter(|(_, requirement)| misses(requirement));
    let windows = world.windows.iter().enumerate().filter(|(_, window)| {
        misses(&window.requirement) && window.open.iter().all(|clause| is_met(clause, state))
    });
    requirements.map(|(n, _)| Breach::Requirement(n)).chain(windows.map(|(n, _)| Breach::Window(n))).collect()
}

fn stops(world: &World, breach: Breach) -> bool {
    match breach {
        Breach::Window(_) => true,
        Breach::Requirement(number) => {
            let requirement = &world.requirements[number];
            requirement.reading != Reading::OnceSilently && requirement.confidence != Confidence::Heuristic
        }
    }
}

#[test]
fn a_question_is_answered_as_its_runs_show() {
    let count =
        std::env::var("PLIMSOLL_SYSTEMS").ok().and_then(|text| text.parse().ok()).unwrap_or(QUESTIONS);
    let (mut racy, mut held) = (0, 0);
    for seed in 0..count {
        let (world, count) = random(seed);
        let order = Order::new(&world.question());
        let (broken, states) = explore(&world, count);
        let races: BTreeSet<Breach> = order.races().iter().map(|race| race.breach).collect();
        if world.windows.is_empty() {
            assert_eq!(races, broken, "seed {seed}");
            held += compare_chains(seed, &world, &order, &states);
        }
        assert_eq!(races.is_empty(), broken.is_empty(), "seed {seed}");
        order.check().unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
        for race in &races {
            replay(seed, &world, &order, *race);
        }
        if races.is_empty() {
            let most = states.iter().max_by_key(|state| state.len()).unwrap();
            let comes = |number: &usize| order.usual_time(&moment(*number)).is_some();
            let all: State = (0..count).filter(comes).map(moment).collect();
            assert_eq!(&all, most, "seed {seed}");
        }
        racy += u64::from(!races.is_empty());
    }
    println!("questions: {count}, {racy} of them racy, {held} pairs held, 0 disagreements");
    assert!(racy > count / 10 && held > count / 10);
}

/// Compares for every pair whether one always comes before the other; returns how many do.
fn compare_chains(seed: u64, world: &World, order: &Order, states: &BTreeSet<State>) -> u64 {
    let mut held = 0;
    let spoken: BTreeSet<&Moment> = world.causes.iter().map(|cause| &cause.moment).collect();
    for (first, then) in spoken.iter().flat_map(|first| spoken.iter().map(move |then| (*first, *then))) {
        if first == then || world.given.contains(then) || order.usual_time(then).is_none() {
            continue;
        }
        let is_held = !states.iter().any(|state| may_happen(world, then, state) && !state.contains(first));
        let links = order.why_held(first, then);
        assert_eq!(links.is_some(), is_held, "seed {seed}: {first:?} before {then:?}");
        for [link, next] in links.iter().flat_map(|links| links.array_windows()) {
            assert_eq!(link.then, next.first, "seed {seed}: a chain hangs together");
        }
        held += u64::from(is_held);
    }
    held
}

/// Plays the moments of a course; each must be able to happen in its turn, and the last must break the pair.
fn replay(seed: u64, world: &World, order: &Order, race: Breach) {
    let course = order.course(race, |_| true).unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
    let mut state: State = world.given.iter().cloned().collect();
    for reached in &course.prefix {
        assert!(may_happen(world, &reached.moment, &state), "seed {seed}: {reached:?} of {race:?}");
        let missed = breaches(world, &reached.moment, &state);
        let stopped =
            missed.iter().any(|breach| matches!(breach, Breach::Requirement(_)) && stops(world, *breach));
        assert!(!stopped, "seed {seed}: {reached:?} of {race:?} fails first");
        state.insert(reached.moment.clone());
    }
    let then = match race {
        Breach::Requirement(number) => &world.requirements[number].then,
        Breach::Window(number) => &world.windows[number].requirement.then,
    };
    assert!(
        may_happen(world, then, &state) && breaches(world, then, &state).contains(&race),
        "seed {seed}: {race:?}"
    );
}

#[test]
fn an_unrelated_object_changes_no_answer() {
    for seed in 0..500 {
        let (mut world, _) = random(seed);
        let before = Order::new(&world.question()).races();
        let (one_more, another) = (moment(100), moment(101));
        world.causes.insert(
            0,
            plimsoll_model::Cause {
                moment: another.clone(),
                after: vec![one(one_more.clone())],
                delay: delay(1, 2, 3),
                carrier: None,
            },
        );
        world.guarantees(&[one_more], &[another]);
        // The positions of requirements stay; only causes move.
        assert_eq!(Order::new(&world.question()).races(), before, "seed {seed}");
    }
}

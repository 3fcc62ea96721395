//! The analysis against every run of small random questions in which refused requests lose something.

use crate::enumeration::Mask;
use crate::random::Dice;
use crate::refusals::{Need, Plot, Refused, number};
use plimsoll_order::{Breach, Order};
use std::collections::BTreeSet;

/// Questions that are looked at where nothing else is said.
const QUESTIONS: u64 = 5_000;

impl Plot {
    /// Five to nine moments, up to six needs, half of them with something that a miss loses.
    fn random(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let count = 5 + dice.below(5);
        let is_cyclic = dice.chance(25);
        let mut plot = Self { causes: vec![Vec::new(); count], ..Self::default() };
        for moment in 0..count {
            for _ in 0..[0, 1, 1, 1, 1, 1, 1, 1, 2, 2][dice.below(10)] {
                let limit = if is_cyclic && dice.chance(30) { count } else { moment };
                let clauses = if limit == 0 { 0 } else { dice.below(3) };
                plot.causes[moment].push((0..clauses).map(|_| dice.clause(limit)).collect());
            }
        }
        for _ in 0..dice.below(3) {
            let first = dice.clause(count);
            plot.promises.push((first, dice.clause(count) & !first));
        }
        for _ in 0..=dice.below(5) {
            plot.need(&mut dice, count);
        }
        plot.given = if dice.chance(20) { dice.clause(count) } else { 0 };
        plot
    }

    fn need(&mut self, dice: &mut Dice, count: usize) {
        let then = dice.below(count);
        let first = if dice.chance(5) { 0 } else { dice.clause(count) };
        let lost = if dice.chance(60) { self.lose(dice, then, count) } else { 0 };
        let open = dice.chance(8).then(|| (0..=dice.below(2)).map(|_| dice.clause(count)).collect());
        self.needs.push(Need { first, then, is_noticed: dice.chance(85), lost, open });
    }

    /// One or two moments that come only behind the reader.
    fn lose(&mut self, dice: &mut Dice, then: usize, count: usize) -> Mask {
        let mut lost = 0;
        for _ in 0..=dice.below(2) {
            let moment = dice.below(count);
            if moment != then {
                lost |= 1 << moment;
                self.causes[moment].iter_mut().for_each(|clauses| clauses.push(1 << then));
            }
        }
        lost
    }

    /// The smallest plot, by leaving out one part after the other, that still fails.
    fn shrink(mut self, fails: impl Fn(&Self) -> bool) -> Self {
        while let Some(smaller) = self.smaller().into_iter().find(&fails) {
            self = smaller;
        }
        self
    }

    fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut without = |change: &dyn Fn(&mut Self)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            found.push(smaller);
        };
        (0..self.needs.len()).for_each(|n| without(&|plot| drop(plot.needs.remove(n))));
        (0..self.promises.len()).for_each(|n| without(&|plot| drop(plot.promises.drain(n..=n))));
        for (moment, cause) in self.numbered_causes() {
            without(&|plot| drop(plot.causes[moment].remove(cause)));
            let is_spare = |clause: &usize| !self.keeps(moment, self.causes[moment][cause][*clause]);
            for clause in (0..self.causes[moment][cause].len()).filter(is_spare) {
                without(&|plot| drop(plot.causes[moment][cause].drain(clause..=clause)));
            }
        }
        if self.given != 0 {
            without(&|plot| plot.given = 0);
        }
        found
    }

    fn numbered_causes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.moments().flat_map(|moment| (0..self.causes[moment].len()).map(move |cause| (moment, cause)))
    }

    /// Whether a clause is what keeps a moment that can be lost behind its reader.
    fn keeps(&self, moment: usize, clause: Mask) -> bool {
        self.needs.iter().any(|need| need.lost >> moment & 1 == 1 && clause == 1 << need.then)
    }
}

/// What was seen in one plot.
#[derive(Default)]
struct Seen {
    races: u64,
    /// Races that no run has unless somebody repeats a refused request.
    only_repeated: u64,
    /// Timelines with such a repetition, although some run does without.
    repeated_timelines: u64,
    recovering: u64,
}

fn judge(plot: &Plot) -> Result<Seen, String> {
    let world = plot.world();
    let order = Order::new(&world.question());
    let found = order.races();
    let races: BTreeSet<Breach> = found.iter().map(|race| race.breach).collect();
    let (first_run, _) = plot.explore(Refused::Forever);
    let (broken, states) = plot.explore(Refused::Repeated);
    holds(races.is_superset(&first_run), || format!("missed: {:?}", first_run.difference(&races)))?;
    holds(races.is_empty() == first_run.is_empty(), || "the verdict".to_owned())?;
    order.check().map_err(|flaw| flaw.to_string())?;
    let mut seen = Seen {
        races: races.len() as u64,
        only_repeated: races.difference(&first_run).count() as u64,
        ..Seen::default()
    };
    if plot.needs.iter().any(|need| need.open.is_some()) {
        return Ok(seen);
    }
    holds(races == broken, || format!("the analysis says {races:?}, the enumeration {broken:?}"))?;
    for race in &found {
        let Breach::Requirement(need) = race.breach else { continue };
        let course = order.course(race.breach, |_| true).map_err(|flaw| flaw.to_string())?;
        let moments: Vec<usize> = course.prefix.iter().map(|reached| number(&reached.moment)).collect();
        holds(plot.replays(&moments, need, Refused::Repeated), || format!("{moments:?} of {need}"))?;
        let is_shown = plot.replays(&moments, need, Refused::Forever);
        seen.repeated_timelines += u64::from(first_run.contains(&race.breach) && !is_shown);
        if plot.needs[need].is_noticed {
            let recovers = plot.recovers(need, &states);
            holds(race.recovers == recovers, || format!("{need} recovers: {recovers}"))?;
            seen.recovering += u64::from(recovers);
        }
    }
    Ok(seen)
}

fn holds(truth: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if truth { Ok(()) } else { Err(what()) }
}

/// The two questions on which the analysis and the enumeration once disagreed: what is lost was given.
#[test]
fn what_is_given_cannot_be_lost_and_the_reader_goes_on_all_the_same() {
    let needs = |then, first| Need { first, then, is_noticed: true, lost: 0b1, open: None };
    let itself = Plot {
        causes: vec![Vec::new(), vec![Vec::new()]],
        needs: vec![needs(1, 0b10)],
        given: 0b1,
        ..Plot::default()
    };
    let behind = Plot {
        causes: vec![Vec::new(), vec![Vec::new()], vec![vec![0b10]]],
        needs: vec![needs(1, 0b100)],
        given: 0b1,
        ..Plot::default()
    };
    for plot in [itself, behind] {
        let seen = judge(&plot).unwrap();
        assert_eq!((seen.races, seen.recovering), (1, 1), "{plot:?}");
    }
}

/// Each request comes after what the other misses: one of them is refused, and only a repetition brings both.
#[test]
fn only_a_repeated_request_brings_both_of_two_that_exclude_each_other() {
    let refused = |then, first, lost| Need { first, then, is_noticed: true, lost, open: None };
    let plot = Plot {
        // Two requests, their objects, and a reader that waits for both objects.
        causes: vec![
            vec![Vec::new()],
            vec![Vec::new()],
            vec![vec![0b1]],
            vec![vec![0b10]],
            vec![vec![0b100, 0b1000]],
        ],
        needs: vec![refused(0, 0b10, 0b100), refused(1, 0b1, 0b1000), refused(4, 0, 0)],
        ..Plot::default()
    };
    let seen = judge(&plot).unwrap();
    assert_eq!((seen.races, seen.only_repeated), (3, 1));
}

#[test]
fn what_is_lost_is_lost_exactly_until_the_request_is_repeated() {
    let count =
        std::env::var("PLIMSOLL_SYSTEMS").ok().and_then(|text| text.parse().ok()).unwrap_or(QUESTIONS);
    let mut all = Seen::default();
    for seed in 0..count {
        let plot = Plot::random(seed);
        let seen = judge(&plot).unwrap_or_else(|problem| {
            let small = plot.shrink(|smaller| judge(smaller).is_err());
            panic!("seed {seed}: {}\n{small:?}", judge(&small).err().unwrap_or(problem));
        });
        all.races += seen.races;
        all.only_repeated += seen.only_repeated;
        all.repeated_timelines += seen.repeated_timelines;
        all.recovering += seen.recovering;
    }
    let Seen { races, only_repeated, repeated_timelines, recovering } = all;
    println!(
        "refusals: {count} questions, {races} races, {only_repeated} of them only where a request is repeated, \
         {repeated_timelines} timelines that repeat one needlessly, {recovering} recovering, 0 disagreements"
    );
    assert!(races > count / 2 && only_repeated > count / 100 && recovering > count / 10);
}

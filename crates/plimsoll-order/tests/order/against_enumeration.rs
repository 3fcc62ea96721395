//! The analysis against every run of small random systems.
//!
//! `PLIMSOLL_SYSTEMS=1000000 cargo test --release` looks at as many systems as you like.

use crate::enumeration::{Sketch, fact, mask};
use crate::random::Dice;
use plimsoll_order::facts::{
    Bits, Breach, Certificate, Chain, Checker, Deadlock, Fact, Fixpoint, Pace, Repair, Sets, System, Times,
    certify, chain, deadlocks, prefix, races, repair, replay,
};
use std::collections::BTreeSet;

/// Systems that each test looks at where nothing else is said.
const SYSTEMS: u64 = 5_000;

/// Seeds of systems on which the analysis and the enumeration once disagreed.
const KNOWN: &[u64] = &[7208];

/// What a disagreement is called.
type Verdict = Result<(), String>;

fn agree(name: &str, judge: fn(&Sketch) -> Result<bool, String>) {
    let count = std::env::var("PLIMSOLL_SYSTEMS").ok().and_then(|text| text.parse().ok()).unwrap_or(SYSTEMS);
    let mut interesting = 0;
    // Each test looks at systems of its own.
    let first =
        name.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))) << 32;
    for seed in KNOWN.iter().copied().chain(first..first + count) {
        let sketch = Sketch::random(seed);
        match judge(&sketch) {
            Ok(is_interesting) => interesting += u64::from(is_interesting),
            Err(problem) => {
                let small = sketch.shrink(|smaller| judge(smaller).is_err());
                let said = judge(&small).err().unwrap_or(problem);
                panic!("{name}: seed {seed}: {said}\n{small:?}");
            }
        }
    }
    println!("{name}: {count} systems, {interesting} of them with something to say, 0 disagreements");
    assert!(interesting > count / 20, "{name}: too few systems had anything to say");
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, analysis: &T, enumeration: &T) -> Verdict {
    if analysis == enumeration {
        return Ok(());
    }
    Err(format!("{what}: the analysis says {analysis:?}, the enumeration {enumeration:?}"))
}

fn holds(what: &str, truth: bool) -> Verdict {
    if truth { Ok(()) } else { Err(what.to_owned()) }
}

fn solved(sketch: &Sketch) -> (System, Fixpoint, Vec<Breach>) {
    let system = sketch.system();
    let all = Fixpoint::without(&system, &[]);
    let found = races(&system, &all);
    (system, all, found)
}

#[test]
fn some_run_fails_exactly_if_a_race_is_found() {
    agree("verdict", |sketch| {
        let (_, _, found) = solved(sketch);
        same("some run fails", &!found.is_empty(), &!sketch.explore().broken.is_empty())?;
        Ok(!found.is_empty())
    });
}

#[test]
fn without_windows_the_races_are_exactly_the_first_failures() {
    agree("first failures", |sketch| {
        let sketch = Sketch { windows: Vec::new(), ..sketch.clone() };
        let (_, _, found) = solved(&sketch);
        same("races", &found.iter().copied().collect(), &sketch.explore().broken)?;
        Ok(!found.is_empty())
    });
}

#[test]
fn without_races_every_run_ends_in_the_fixpoint() {
    agree("convergence", |sketch| {
        let (system, all, found) = solved(sketch);
        if !found.is_empty() {
            return Ok(false);
        }
        let facts: Vec<Fact> = system.facts().filter(|fact| all.holds(*fact)).collect();
        same("endings", &BTreeSet::from([mask(&facts)]), &sketch.explore().endings)?;
        Ok(true)
    });
}

#[test]
fn every_timeline_replays_and_no_event_of_it_can_be_left_out() {
    agree("timelines", |sketch| {
        let (system, _, found) = solved(sketch);
        let low = Times::of(&system, Pace::Low);
        for race in &found {
            let prefix = prefix(&system, *race, &low).ok_or("a race without a timeline")?;
            let events: Vec<usize> = prefix.events.iter().map(|(event, _)| event.0 as usize).collect();
            holds("the timeline replays", sketch.replays(&events, *race))?;
            let facts: Vec<Fact> = prefix.events.iter().map(|(event, _)| *event).collect();
            holds("the checker accepts it", replay(&system, *race, &facts).is_ok())?;
            holds("times grow", prefix.events.is_sorted_by_key(|(_, time)| *time))?;
            holds("it fails last", prefix.events.iter().all(|(_, time)| *time <= prefix.fails_at))?;
            for left_out in 0..events.len() {
                let mut fewer = events.clone();
                fewer.remove(left_out);
                holds("no event can be left out", !sketch.replays(&fewer, *race))?;
                let mut facts = facts.clone();
                facts.remove(left_out);
                holds("the checker refuses less", replay(&system, *race, &facts).is_err())?;
            }
        }
        Ok(!found.is_empty())
    });
}

#[test]
fn a_chain_is_given_exactly_where_every_run_keeps_the_order() {
    agree("chains", |sketch| {
        let sketch = Sketch { windows: Vec::new(), ..sketch.clone() };
        let (system, all, _) = solved(&sketch);
        let outcome = sketch.explore();
        let mut found = false;
        for later in sketch.events().filter(|event| all.holds(fact(*event))) {
            for earlier in sketch.events().filter(|event| *event != later) {
                let breaks = |state: &u16| sketch.guards_met(later, *state) && state >> earlier & 1 == 0;
                let is_held = !outcome.reachable.iter().any(breaks);
                let waits = chain(&system, &all, fact(earlier), fact(later));
                same(&format!("{earlier} before {later}"), &waits.is_some(), &is_held)?;
                for link in waits.iter().flatten() {
                    found = true;
                    holds("a link is a wait", system.waits(link.event).contains(&link.clause))?;
                    holds("a link leads on", system.clause(link.clause).contains(&link.fact))?;
                }
            }
        }
        Ok(found)
    });
}

#[test]
fn whatever_never_happens_has_a_deadlock_at_its_root() {
    agree("deadlocks", |sketch| {
        let (system, all, _) = solved(sketch);
        let stuck = sketch.events().any(|event| !all.holds(fact(event)) && sketch.absent >> event & 1 == 0);
        let found = deadlocks(&system, &all);
        same("something is stuck", &!found.is_empty(), &stuck)?;
        for deadlock in &found {
            match deadlock {
                Deadlock::Missing { clause, waiting } => {
                    holds("nobody brings it about", mask(system.clause(*clause)) & !sketch.absent == 0)?;
                    let waits = |event: &Fact| system.waits(*event).contains(clause);
                    holds("they wait for it", !waiting.is_empty() && waiting.iter().all(waits))?;
                }
                Deadlock::Circle(circle) => {
                    holds("a circle has members", !circle.is_empty())?;
                    holds("members never happen", circle.iter().all(|event| !all.holds(*event)))?;
                    holds("each waits for the next", is_circle(&system, circle))?;
                }
            }
        }
        Ok(stuck)
    });
}

fn is_circle(system: &System, circle: &[Fact]) -> bool {
    let next = circle.iter().cycle().skip(1);
    circle
        .iter()
        .zip(next)
        .all(|(event, next)| system.waits(*event).iter().any(|clause| system.clause(*clause).contains(next)))
}

#[test]
fn every_proof_is_accepted_and_every_broken_one_refused() {
    agree("proofs", |sketch| {
        let (system, all, found) = solved(sketch);
        let mut proofs = Vec::new();
        certify(&system, &all, |certificate| proofs.push(certificate));
        proved(&system, &all, &proofs, &found).map_err(|flaw| format!("a proof is refused: {flaw}"))?;
        let mut dice = Dice::new(found.len() as u64);
        for _ in 0..4 {
            let mut broken = proofs.clone();
            let Some(how) = corrupt(&mut broken, &system, &mut dice) else {
                continue;
            };
            holds(&how, proved(&system, &all, &broken, &found).is_err())?;
        }
        Ok(!proofs.is_empty())
    });
}

fn proved(
    system: &System,
    all: &Fixpoint,
    proofs: &[Certificate],
    found: &[Breach],
) -> Result<(), plimsoll_order::facts::Flaw> {
    let mut checker = Checker::new(system, &all.order)?;
    proofs.iter().try_for_each(|certificate| checker.follow(certificate))?;
    checker.finish(found)
}

/// Breaks a proof in one of the ways that leave it none, and says how.
fn corrupt(proofs: &mut [Certificate], system: &System, dice: &mut Dice) -> Option<String> {
    let proof = dice.below(proofs.len().max(1));
    let proof = proofs.get_mut(proof)?;
    if dice.chance(40) {
        return Some(corrupt_claims(proof, dice));
    }
    match proof {
        Certificate::Chain(chain) => corrupt_chain(chain, system, dice),
        Certificate::Sets(sets) => corrupt_sets(sets, system, dice),
    }
}

fn corrupt_claims(proof: &mut Certificate, dice: &mut Dice) -> String {
    let claims = match proof {
        Certificate::Chain(chain) => &mut chain.claims,
        Certificate::Sets(sets) => &mut sets.claims,
    };
    let claim = dice.below(claims.len());
    if dice.chance(50) {
        claims[claim].is_held ^= true;
        format!("a claim turned round: {:?}", claims[claim])
    } else {
        format!("nothing said about {:?}", claims.remove(claim))
    }
}

fn corrupt_sets(proof: &mut Sets, system: &System, dice: &mut Dice) -> Option<String> {
    let set = dice.below(proof.withheld.len());
    if dice.chance(50) {
        let without = Fixpoint::without(system, &proof.withheld[set]);
        let possible: Vec<Fact> = system.facts().filter(|fact| without.holds(*fact)).collect();
        let fact = *possible.get(dice.below(possible.len().max(1)))?;
        let mut bits = Bits::NONE;
        bits.set(set);
        proof.impossible.push((fact, bits));
        Some(format!("a certificate that calls {fact:?} impossible"))
    } else {
        let facts: Vec<Fact> = system.facts().filter(|fact| !proof.withheld[set].contains(fact)).collect();
        let fact = *facts.get(dice.below(facts.len().max(1)))?;
        proof.withheld[set].push(fact);
        Some(format!("a certificate that withholds {fact:?} too"))
    }
}

fn corrupt_chain(proof: &mut Chain, system: &System, dice: &mut Dice) -> Option<String> {
    match dice.below(3) {
        0 => {
            let place = dice.below(proof.levels.len());
            let (fact, level) = &mut proof.levels[place];
            *level = if dice.chance(50) { *level + 1 } else { *level - 1 };
            Some(format!("a chain of which {fact:?} needs {level} links"))
        }
        1 => {
            let needs_none = |fact: &Fact| !proof.levels.iter().any(|(known, _)| known == fact);
            let all = Fixpoint::without(system, &[]);
            let facts: Vec<Fact> =
                system.facts().filter(|fact| all.holds(*fact)).filter(needs_none).collect();
            let fact = *facts.get(dice.below(facts.len().max(1)))?;
            proof.levels.push((fact, 1));
            Some(format!("a chain of which {fact:?} needs a link"))
        }
        _ => {
            let link = proof.links.remove(dice.below(proof.links.len()));
            Some(format!("a chain without its link {link:?}"))
        }
    }
}

#[test]
fn a_certificate_without_impossible_events_proves_nothing_held() {
    agree("empty proofs", |sketch| {
        let (system, all, found) = solved(sketch);
        let mut proofs = Vec::new();
        certify(&system, &all, |certificate| proofs.push(certificate));
        let claims = proofs.iter().flat_map(Certificate::claims);
        let has_held = claims.clone().any(|claim| claim.is_held && can_be_reached(&system, &all, claim.pair));
        for proof in &mut proofs {
            match proof {
                Certificate::Chain(chain) => chain.levels.clear(),
                Certificate::Sets(sets) => sets.impossible.clear(),
            }
        }
        holds(
            "an empty certificate is refused",
            !has_held || proved(&system, &all, &proofs, &found).is_err(),
        )?;
        Ok(has_held)
    });
}

/// Whether everything that a pair needs to break happens in some run, if not in the right order.
fn can_be_reached(system: &System, all: &Fixpoint, pair: Breach) -> bool {
    let (consumer, open) = match pair {
        Breach::Requirement(number) => (system.one_shots()[number].consumer, Vec::new()),
        Breach::Window(number) => {
            (system.intervals()[number].victim, system.intervals()[number].open.clone())
        }
    };
    let mut wanted = system.guards(consumer).iter().chain(&open);
    wanted.all(|clause| all.satisfies(system.clause(*clause)))
}

#[test]
fn one_round_of_repair_leaves_no_race_and_no_edge_to_spare() {
    agree("repairs", |sketch| {
        let (system, all, found) = solved(sketch);
        let mended = repair(&system, &all);
        let after = mended.mend(&system);
        let fixpoint = Fixpoint::without(&after, &[]);
        let beyond: Vec<Breach> = mended.beyond.iter().map(|beyond| beyond.pair).collect();
        let left = races(&after, &fixpoint);
        holds("only what is beyond repair is left", left.iter().all(|race| beyond.contains(race)))?;
        for beyond in mended.beyond.iter().filter(|beyond| beyond.circle.is_empty()) {
            holds(
                "without a circle the provider never comes",
                !all.satisfies(provider(&system, beyond.pair)),
            )?;
        }
        holds("nothing is lost", system.facts().all(|fact| all.holds(fact) == fixpoint.holds(fact)))?;
        if mended.beyond.is_empty() {
            let text = mended_sketch(sketch, &mended);
            holds("no run of the mended system fails", text.explore().broken.is_empty())?;
        }
        for spare in 0..mended.edges.len() {
            let mut fewer = mended.clone();
            fewer.edges.remove(spare);
            let system = fewer.mend(&system);
            let found = races(&system, &Fixpoint::without(&system, &[]));
            holds("no edge is to spare", found.iter().any(|race| !beyond.contains(race)))?;
        }
        Ok(!found.is_empty())
    });
}

fn provider(system: &System, pair: Breach) -> &[Fact] {
    system.clause(match pair {
        Breach::Requirement(number) => system.one_shots()[number].provider,
        Breach::Window(number) => system.intervals()[number].close,
    })
}

fn mended_sketch(sketch: &Sketch, repair: &Repair) -> Sketch {
    let mut mended = sketch.clone();
    for (event, facts) in repair.edges.iter().flat_map(|edge| &edge.waits) {
        mended.guards[event.0 as usize].push(mask(facts));
    }
    mended
}

#[test]
fn times_are_those_of_a_patient_calculation() {
    agree("times", |sketch| {
        let system = sketch.system();
        for (pace, factor) in [(Pace::Low, 1), (Pace::Usual, 2), (Pace::High, 3)] {
            let times = Times::of(&system, pace);
            let expected = sketch.seconds(factor);
            for event in sketch.events() {
                let found = times.at(fact(event)).map(|time| time.as_secs());
                same(&format!("the time of {event}"), &found, &expected[event])?;
            }
        }
        Ok(true)
    });
}

//! Many questions at once against one question at a time, on systems that fill several blocks of 512.

use crate::random::Dice;
use plimsoll_model::{Delay, Reading};
use plimsoll_order::facts::{Breach, Checker, Draft, Fact, Fixpoint, OneShot, System};
use plimsoll_order::facts::{certify, races};
use std::time::Duration;

/// Events in a long row with references near and far, some of them alternatives, some turning back.
fn long_system(dice: &mut Dice) -> System {
    let mut draft = Draft::new();
    let count = 900 + dice.below(900);
    let reach = [3, 20, count][dice.below(3)];
    let seconds = |dice: &mut Dice| Duration::from_secs(dice.below(9) as u64);
    for _ in 0..count {
        let delay = seconds(dice);
        draft.event(Delay { low: delay, usual: delay, high: delay });
    }
    let fact = |place: usize| Fact(u32::try_from(place).unwrap());
    let (turns, alternatives) = (dice.chance(50), dice.below(40));
    for event in 1..count {
        for _ in 0..dice.below(3) {
            let near = event.saturating_sub(1 + dice.below(reach));
            let mut facts = vec![fact(near)];
            if dice.chance(alternatives) {
                facts.push(fact(if turns { dice.below(count) } else { dice.below(event) }));
            }
            let clause = draft.clause(facts);
            draft.guard(fact(event), clause);
        }
    }
    for _ in 0..2 * count {
        let (consumer, width) = (dice.below(count), 1 + dice.below(2));
        let provider = (0..width).map(|_| fact(consumer.saturating_sub(dice.below(2 * reach)))).collect();
        let provider = draft.clause(provider);
        let stops = dice.chance(5);
        draft.requirement(OneShot { consumer: fact(consumer), provider, reading: Reading::Once, stops });
    }
    draft.finish()
}

#[test]
fn a_block_of_questions_gets_the_answers_of_each_question_alone() {
    let (mut asked, mut broken) = (0, 0);
    for seed in 0..12 {
        let system = long_system(&mut Dice::new(seed));
        let all = Fixpoint::without(&system, &[]);
        let found = races(&system, &all);
        for (number, one_shot) in system.one_shots().iter().enumerate().step_by(17) {
            let without = Fixpoint::without(&system, system.clause(one_shot.provider));
            let mut guards = system.guards(one_shot.consumer).iter();
            let is_broken = guards.all(|clause| without.satisfies(system.clause(*clause)));
            let pair = Breach::Requirement(number);
            assert_eq!(found.binary_search(&pair).is_ok(), is_broken, "seed {seed}, {pair:?}");
            asked += 1;
            broken += usize::from(is_broken);
        }
        check(&system, &all, &found);
    }
    println!("blocks: {asked} questions, {broken} broken, 0 disagreements");
    assert!(asked / 10 < broken && broken < asked * 9 / 10, "{broken} of {asked}");
}

fn check(system: &System, all: &Fixpoint, found: &[Breach]) {
    let mut checker = Checker::new(system, &all.order).unwrap();
    certify(system, all, |certificate| checker.follow(&certificate).unwrap());
    checker.finish(found).unwrap();
}

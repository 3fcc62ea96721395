//! Properties of `plimsoll check` on bundles nobody wrote by hand: correct ones have no finding, one object in the wrong
//! place is found, and what has nothing to do with a verdict does not change it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod bundle;
mod dice;
mod run;

use bundle::{Bundle, Piece};
use dice::Dice;
use run::{check, check_folder};

const BUNDLES: u64 = 40;

#[test]
fn a_correct_bundle_has_no_finding() {
    for seed in 0..BUNDLES {
        let bundle = Bundle::random(&mut Dice::new(seed));
        let found = check(&bundle);
        assert!(found.races.is_empty(), "seed {seed}: {:#?}\n{}", found.races, bundle.text());
    }
}

#[test]
fn a_piece_that_comes_too_late_is_found() {
    let mut moved = 0;
    for seed in 0..BUNDLES {
        let mut dice = Dice::new(seed);
        let bundle = Bundle::random(&mut dice);
        for piece in Piece::ALL {
            let Some((late, expected)) = bundle.with_late(piece) else {
                continue;
            };
            let found = check(&late);
            assert!(
                found.races.iter().any(|race| race.contains(expected)),
                "seed {seed}: {piece:?} comes last and {expected} is not found: {:#?}\n{}",
                found.races,
                late.text()
            );
            moved += 1;
        }
    }
    println!("{moved} pieces were moved to the end, and each was found");
}

#[test]
fn an_unrelated_object_changes_no_verdict() {
    for seed in 0..BUNDLES {
        let mut dice = Dice::new(seed);
        let bundle = Bundle::random(&mut dice);
        let Some((racy, _)) = Piece::ALL.into_iter().find_map(|piece| bundle.with_late(piece)) else {
            continue;
        };
        let without = check(&racy);
        let with = check(&racy.with_unrelated(&mut dice));
        assert_eq!(without.pairs, with.pairs, "seed {seed}\n{}", racy.text());
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let bundle = Bundle::random(&mut Dice::new(7));
    let first = check(&bundle).text;
    for _ in 0..10 {
        assert_eq!(check(&bundle).text, first);
    }
}

#[test]
fn for_kubectl_the_order_of_arguments_files_and_documents_is_the_guarantee() {
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n";
    let races = |files: &[(&str, &str)], script: &str| check_folder(files, script).races.len();
    let two = [("a.yaml", namespace), ("b.yaml", account)];
    assert_eq!(races(&two, "kubectl apply -f a.yaml -f b.yaml"), 0);
    assert_eq!(races(&two, "kubectl apply -f b.yaml -f a.yaml"), 1);
    assert_eq!(races(&two, "kubectl apply -f ."), 0);
    assert_eq!(races(&[("a.yaml", account), ("b.yaml", namespace)], "kubectl apply -f ."), 1);
    assert_eq!(races(&[("a.yaml", &format!("{namespace}---\n{account}"))], "kubectl apply -f a.yaml"), 0);
    assert_eq!(races(&[("a.yaml", &format!("{account}---\n{namespace}"))], "kubectl apply -f a.yaml"), 1);
    assert_eq!(races(&two, "kubectl apply -f a.yaml\nkubectl apply -f b.yaml"), 0);
    assert_eq!(races(&two, "kubectl apply -f a.yaml &\nkubectl apply -f b.yaml"), 1);
    assert_eq!(races(&two, "kubectl apply -f a.yaml &\nwait\nkubectl apply -f b.yaml"), 0);
}

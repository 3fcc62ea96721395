//! Broken variants of known files, by a fixed seed: reading never panics, and what is read is the same twice.
//!
//! The same door is open to a coverage-guided fuzzer in `fuzz/`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use plimsoll_sources::{Input, Memory, read};
use std::fs;
use std::path::Path;

const ROUNDS: usize = 4000;

/// Pieces of syntax that turn one meaning into another.
const TOKENS: [&str; 34] = [
    ":",
    ": ",
    "- ",
    "\n",
    " ",
    "  ",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "<<: *a\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    "|",
    ">",
    "|-\n",
    "!",
    "!!str ",
    "? ",
    "---\n",
    "...\n",
    "\t",
    "\r",
    "%",
    "\\",
    "\u{85}",
    "\u{2028}",
    "\u{FEFF}",
    "😀",
    "kind: Secret\n",
];

#[test]
fn no_mutation_makes_it_panic() {
    let seeds = seeds();
    let mut random = Random(0x5EED);
    for round in 0..ROUNDS {
        let text = mutate(&seeds, &mut random);
        let host = Memory::new([("a.yaml", text.clone()), ("k/b.json", text.clone())]).with_input(text);
        let input = Input { paths: ["a.yaml", "k", "-"].map(str::to_owned).to_vec(), ..Input::default() };
        let bundle = read(&input, &host);
        for problem in &bundle.problems {
            assert!(bundle.files.get(problem.place.file).is_some(), "round {round}");
            assert!(!problem.cause.is_empty(), "round {round}");
        }
        if round % 16 == 0 {
            assert_eq!(format!("{bundle:?}"), format!("{:?}", read(&input, &host)), "round {round}");
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quirks");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(6)).min(text.len());
        match random.below(5) {
            0 | 1 => drop(text.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes())),
            2 => drop(text.splice(at..end, [])),
            3 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                drop(text.splice(at..end, other[from..].iter().copied().take(60)));
            }
            _ => text.truncate(at),
        }
    }
    text
}

/// A small generator whose numbers are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }
}

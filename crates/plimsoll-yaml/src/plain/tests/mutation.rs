//! Thousands of broken and made-up documents, by a fixed seed.
//!
//! `PLAIN_YAML_ROUNDS` makes more of them.

use super::corpus::texts;
use super::dice::Dice;
use super::{Share, compare};

const ROUNDS: usize = 12_000;

/// Larger texts cost time and show nothing that smaller ones do not.
const MAX_SEED: usize = 2500;

const TOKENS: [&str; 44] = [
    ":", ": ", "- ", "-", "\n", " ", "  ", "   ", "\"", "'", "''", "#", " #", "&a ", "*a", "<<: ", "{", "}",
    "[", "]", ", ", "|", ">", "|-\n", ">+\n", "!", "!!str ", "? ", "?", "\n---\n", "\n...\n", "\t", "\r",
    "\r\n", "%", "\\", "\\n", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{7F}", "ä", "😀", "~",
];

const FRAGMENTS: [&str; 73] = [
    "a:",
    "b: x",
    "c:  y z",
    "- ",
    "-",
    "- c",
    "- a: 1",
    "- a:",
    "- - a",
    "- -",
    "-  - b: c",
    "d: |",
    "d: >",
    "e: |-",
    "e: >-",
    "f: |+",
    "f: >+",
    "- |",
    "- >-",
    "d: | # c",
    "d: |2",
    "d: |x",
    "text",
    "more text # c",
    "#",
    "# c",
    "",
    "  ",
    "'q'",
    "'q': 1",
    "\"d\": ",
    "\"d\": e",
    "g: 'it''s'",
    "g: 'a' # c",
    "g: 'a'#c",
    "g: \"a\\n\\\"b\"",
    "g: \"a\\x41\"",
    "g: 'a",
    "g: \"a\\t ",
    "- 'a  ",
    "it''s ",
    "end'",
    "end\" # c",
    "'",
    "h: [a, b]",
    "h: []",
    "h: {}",
    "h: { a: b, 'c': [1, 2] }",
    "h: [a: b]",
    "h: {a}",
    "h: [a,]",
    "h: [a",
    "h: [a b, --c, d:e, l+f, *x]",
    "h: [a'b, c\"d, e!f%g, <h>, -, -i, --]",
    "h: [a]: b",
    "h: {a : b}",
    "h: {a: }",
    "i: k: l",
    "m : n",
    "o:p",
    "q: - r",
    "s: -1",
    "t: --u",
    "v: w:",
    "...",
    "? z",
    "on: off",
    "~: 1",
    "1: 2",
    "<<: x",
    "x: <<",
    "y: \u{e4} # c",
    "\u{e4}: 1",
];

#[test]
fn the_readers_agree_on_mutations() {
    let seeds: Vec<String> =
        texts().into_iter().map(|(_, text)| text).filter(|text| text.len() <= MAX_SEED).collect();
    let mut dice = Dice(0x5EED_CAFE);
    let mut total = Share::default();
    for _ in 0..rounds() {
        add(&mut total, &compare(&mutated(&seeds, &mut dice)));
    }
    println!("mutations: {} of {} bytes", total.taken, total.all);
    assert!(total.taken * 5 > total.all, "hardly a mutation is read by both");
}

#[test]
fn the_readers_agree_on_documents_made_up() {
    let mut dice = Dice(0xD1CE);
    let mut total = Share::default();
    for _ in 0..rounds() * 5 {
        add(&mut total, &compare(&made_up(&mut dice)));
    }
    println!("made up: {} of {} bytes", total.taken, total.all);
    assert!(total.taken * 50 > total.all, "hardly a document is read by both");
}

fn rounds() -> usize {
    std::env::var("PLAIN_YAML_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS)
}

fn add(total: &mut Share, found: &Share) {
    total.taken += found.taken;
    total.all += found.all;
}

fn mutated(seeds: &[String], dice: &mut Dice) -> String {
    let mut lines: Vec<String> = seeds[dice.below(seeds.len())].split('\n').map(str::to_owned).collect();
    // A part of the file, so that a mutation is not drowned.
    let from = dice.below(lines.len());
    lines.drain(..from);
    lines.truncate(1 + dice.below(20));
    for _ in 0..=dice.below(3) {
        let at = dice.below(lines.len());
        match dice.below(8) {
            0 => lines[at].insert_str(0, ["  ", " ", "    "][dice.below(3)]),
            1 => lines[at] = lines[at].replacen([" ", "  "][dice.below(2)], "", 1),
            2 => lines[at].push_str([" ", "  ", " # c", "#", "\r", ":"][dice.below(6)]),
            3 => lines.insert(at, ["", " ", "          ", "# c", "  # c", "\t"][dice.below(6)].to_owned()),
            4 => drop(lines.remove(at)),
            5 => {
                let other = seeds[dice.below(seeds.len())].split('\n').collect::<Vec<_>>();
                lines.insert(at, other[dice.below(other.len())].to_owned());
            }
            _ => {
                let text = &mut lines[at];
                let place = text
                    .char_indices()
                    .map(|(place, _)| place)
                    .nth(dice.below(text.len().max(1)))
                    .unwrap_or(0);
                text.insert_str(place, TOKENS[dice.below(TOKENS.len())]);
            }
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    let common = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min();
    if dice.below(2) == 0 {
        let common = common.unwrap_or(0);
        for line in &mut lines {
            *line = line.get(common..).unwrap_or_default().to_owned();
        }
    }
    lines.join("\n")
}

fn made_up(dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut indent = 0_usize;
    for _ in 0..=dice.below(7) {
        match dice.below(6) {
            0 => indent += 1,
            1 | 2 => indent += 2,
            3 => indent = 0,
            4 => indent = indent.saturating_sub(2),
            _ => {}
        }
        text.push_str(&" ".repeat(indent));
        text.push_str(FRAGMENTS[dice.below(FRAGMENTS.len())]);
        if dice.below(12) == 0 {
            text.push_str(TOKENS[dice.below(TOKENS.len())]);
        }
        text.push('\n');
    }
    if dice.below(4) == 0 {
        text.pop();
    }
    text
}

//! Known answers, and as many new ones as are asked for.

use super::dice::Dice;
use super::generate::{DATA, template};
use super::{parse, render};
use plimsoll_model::Node;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// The program that answers as Go does; `cargo xtask charts templates` builds it and names it.
const ANSWERER: &str = "PLIMSOLL_TEMPLATE_ANSWERER";
/// How many templates are made up.
const ROUNDS: &str = "PLIMSOLL_TEMPLATE_ROUNDS";
/// Where the answers are written instead of compared.
const WRITE: &str = "PLIMSOLL_TEMPLATE_WRITE";

#[test]
fn known_templates_are_answered_as_go_answers_them() {
    let answers = include_str!("answers.jsonl");
    assert!(answers.lines().count() >= 300, "only {} answers", answers.lines().count());
    assert_eq!(compare(answers), 0);
}

#[test]
fn new_templates_are_answered_as_go_answers_them() {
    let Ok(program) = env::var(ANSWERER) else {
        return;
    };
    let rounds = env::var(ROUNDS).ok().and_then(|text| text.parse().ok()).unwrap_or(5_000);
    let seed = env::var("PLIMSOLL_TEMPLATE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0x5EED);
    let mut dice = Dice(seed);
    let questions: Vec<String> = (0..rounds).map(|_| template(&mut dice)).collect();
    let answers = ask(&program, &questions);
    if let Ok(path) = env::var(WRITE) {
        fs::write(path, answers).expect("a file");
        return;
    }
    let wrong = compare(&answers);
    println!("{rounds} templates, {wrong} disagreements");
    assert_eq!(wrong, 0);
}

fn ask(program: &str, questions: &[String]) -> String {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program");
    let mut input = child.stdin.take().expect("its input");
    let mut lines = String::new();
    for template in questions {
        lines.extend(["{\"template\":", &json(template), ",\"data\":", DATA, "}\n"]);
    }
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("the writer").expect("written");
    String::from_utf8(output.stdout).expect("text")
}

fn json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}

/// How many answers differ. Templates that call themselves need room, as a rendering has it.
fn compare(answers: &str) -> usize {
    std::thread::scope(|scope| {
        let room = std::thread::Builder::new().stack_size(256 << 20);
        room.spawn_scoped(scope, || count_differences(answers)).expect("a thread").join().expect("a count")
    })
}

fn count_differences(answers: &str) -> usize {
    let mut wrong = 0;
    let data = parse(DATA);
    for line in answers.lines() {
        let answer = parse(line);
        let template = answer.text_at(&["template"]).unwrap_or_default();
        let expected = expectation(&answer);
        let found = render(template, &data);
        // A template that calls itself ends sooner here than in Go.
        let is_endless = matches!((&expected, &found), (Err(expected), Err(found))
            if expected.contains("exceeded maximum template depth") && found.contains("levels deep"));
        if found != expected && !is_endless {
            wrong += 1;
            if wrong <= 20 {
                println!("{template:?}\n  go:   {expected:?}\n  here: {found:?}");
            }
        }
    }
    wrong
}

fn expectation(answer: &Node) -> Result<String, String> {
    match answer.text_at(&["error"]) {
        Some(error) => Err(error.to_owned()),
        None => Ok(answer.text_at(&["output"]).unwrap_or_default().to_owned()),
    }
}

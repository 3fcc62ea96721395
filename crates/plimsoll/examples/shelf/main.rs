//! Holds the chart shelf against real charts, and writes stand-ins from them.
//!
//! `… --example shelf -- [--show] [--random N] DIR…` takes every chart below the folders that is on the shelf, renders
//! both with the same values (the defaults, every switch of the stand-in turned round, every name overridden, and random
//! mixtures), and compares names, phases and what the stand-in says of each object.
//! `… -- outline --repository WORD --source TEXT DIR…` writes a stand-in for the chart whose versions lie below each folder.

#![expect(clippy::print_stdout, reason = "what a program for developers says")]

mod compare;
mod list;
mod outline;
mod question;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.split_first() {
        Some((word, rest)) if word == "outline" => write(rest),
        _ => compare::compare(&arguments),
    }
}

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Says how far it is, if that is wanted.
fn tell(text: &str) {
    if env::var_os("OUTLINE_TELLS").is_some() {
        println!("{text}");
    }
}

/// The folder of all stand-ins.
fn shelf() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../plimsoll-knowledge/data/shelf")
}

/// The folders below one that hold a chart.
fn charts(folder: &Path) -> Vec<PathBuf> {
    if folder.join("Chart.yaml").is_file() {
        return vec![folder.to_owned()];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inside: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inside.sort();
    inside.iter().flat_map(|inside| charts(inside)).collect()
}

fn write(arguments: &[String]) -> ExitCode {
    let (mut repository, mut source, mut code) = (String::new(), String::new(), ExitCode::SUCCESS);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--repository" => repository = arguments.next().cloned().unwrap_or_default(),
            "--source" => source = arguments.next().cloned().unwrap_or_default(),
            folder => match outline::outline(Path::new(folder), &repository, &source, &shelf()) {
                Ok(told) => println!("{told}"),
                Err(cause) => {
                    println!("{folder}: {cause}");
                    code = ExitCode::FAILURE;
                }
            },
        }
    }
    match list::write() {
        Ok(()) => code,
        Err(cause) => {
            println!("the list of stand-ins is not written: {cause}");
            ExitCode::FAILURE
        }
    }
}

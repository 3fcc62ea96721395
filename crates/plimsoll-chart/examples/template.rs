//! Prints what a chart becomes: `cargo run --release -p plimsoll-chart --example template -- CHART [VALUES…]`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "what a program for developers says")]

use plimsoll_chart::{Chart, DiskFolder, Request, ValueSource, render};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let files =
        arguments.map(|path| ValueSource::File { text: fs::read_to_string(&path).unwrap_or_default(), path });
    let request = Request { values: files.collect(), ..Request::default() };
    let began = Instant::now();
    let chart = match Chart::from_folder(&DiskFolder(folder.into())) {
        Ok(chart) => chart,
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    let read = began.elapsed();
    match render(&chart, &request) {
        Ok(rendering) => {
            let all = began.elapsed();
            for manifest in rendering.manifests() {
                println!(
                    "---\n# Source: {}\n{}",
                    rendering.files.get(manifest.file).map_or("", |file| &file.name),
                    manifest.text
                );
            }
            eprintln!("read in {read:?}, rendered in {:?}", all.checked_sub(read).unwrap_or_default());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

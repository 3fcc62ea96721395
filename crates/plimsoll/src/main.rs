//! The program: commands, settings and reports.

mod analysis;
mod assumption;
mod cli;
mod commands;
mod config;
mod exit_code;
mod externals;
mod failure;
mod input;
mod nearness;
mod object_pattern;
mod output;
mod policy;
#[cfg(test)]
mod reference;
mod report;
mod revision;
mod words;

use clap::Parser as _;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let done = match cli::Cli::parse().command {
        cli::Command::Check(arguments) => commands::check(*arguments),
        cli::Command::Explain(arguments) => commands::explain(*arguments),
        cli::Command::Render(arguments) => commands::render(*arguments),
        cli::Command::Config(arguments) => commands::config(&arguments),
    };
    done.unwrap_or_else(|failure| {
        output::complain(&failure.to_string());
        ExitCode::from(exit_code::NO_ANSWER)
    })
}

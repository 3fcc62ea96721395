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
    share_work();
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

/// Makes this thread one of those that work side by side: it need not wait until others are awake. There are always
/// others, since it may wait for what they do.
fn share_work() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // If there are such threads already, they do as well.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(cores.max(2)).use_current_thread().build_global();
}

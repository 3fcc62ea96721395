//! Development tasks, one file each: `cargo xtask TASK …`.

mod schema;

use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK
  generate schema [--check]    kinds and removed versions of Kubernetes (needs Go and its module proxy)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["generate", "schema"] => schema::generate(),
        ["generate", "schema", "--check"] => schema::check(),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nothing is left to report to when standard error itself is closed.
            let _ = writeln!(std::io::stderr(), "{failure:#}");
            ExitCode::FAILURE
        }
    }
}

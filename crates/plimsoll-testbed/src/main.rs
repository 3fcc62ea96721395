//! The testbed's own processes behind one name: the supervisor of a cluster, the container runtime, the proxies.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: plimsoll-testbed PROCESS; a cluster starts them by itself
  supervise NAME               holds the cluster NAME together
  node FILE                    is a node, as FILE orders it";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["supervise", name] => plimsoll_testbed::cluster::supervise(name),
        ["node", order] => plimsoll_testbed::node::live(Path::new(order)),
        ["--help"] => say(&mut std::io::stdout(), ExitCode::SUCCESS),
        _ => say(&mut std::io::stderr(), ExitCode::from(2)),
    }
}

fn say(to: &mut impl Write, code: ExitCode) -> ExitCode {
    // Nothing is left to report to when standard error itself is closed.
    let _ = writeln!(to, "{USAGE}");
    code
}

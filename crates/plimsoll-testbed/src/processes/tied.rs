//! Commands that cannot outlive the one who gave them.

use crate::cluster::Isolation;
use std::ffi::OsStr;
use std::process::Command;

/// A command that ends with the thread that starts it, also by `kill -9`, and with it everything that it has started.
/// Without root only the command itself is sure to end.
#[must_use]
pub fn tied(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]);
    // With the first process of a namespace the kernel ends all others. In a user namespace of its own a command could
    // not read the files of a cluster, which has another one.
    if Isolation::strongest() == Isolation::Root {
        command.args(["unshare", "--pid", "--fork", "--kill-child", "--"]);
    }
    command.arg(program);
    command
}

#[cfg(test)]
mod tests {
    use super::tied;
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Stdio;

    #[test]
    fn what_a_command_has_started_ends_with_it() {
        let mut command = tied("sh");
        command.args(["-c", "sleep 600 & echo && wait"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        // Both hold its output open: it ends when both have.
        output.read_to_string(&mut String::new()).unwrap();
    }

    #[test]
    fn a_command_ends_with_the_thread_that_has_started_it() {
        let thread = std::thread::spawn(|| {
            let mut command = tied("sh");
            command.args(["-c", "sleep 600 & echo && wait"]).stdout(Stdio::piped());
            let mut output = BufReader::new(command.spawn().unwrap().stdout.take().unwrap());
            output.read_line(&mut String::new()).unwrap();
            output
        });
        thread.join().unwrap().read_to_string(&mut String::new()).unwrap();
    }

    #[test]
    fn how_it_ended_is_told() {
        assert_eq!(tied("sh").args(["-c", "exit 7"]).status().unwrap().code(), Some(7));
    }
}

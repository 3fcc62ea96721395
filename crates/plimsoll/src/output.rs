//! Where reports go: standard output, standard error, files.

use crate::failure::Failure;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::Path;

/// Lines are never laid out wider than this: long lines are hard to read.
const WIDEST: usize = 120;
/// Nor narrower: labels and times need room.
const NARROWEST: usize = 50;
/// The width where nobody says.
const USUAL: usize = 100;

/// Prints a text to standard output; terminal styles are kept only where they can be seen and are wanted.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    // To look for styles in a text that has none takes longer than to write it.
    let written = if text.contains('\u{1b}') {
        anstream::AutoStream::auto(&mut out).write_all(text.as_bytes())
    } else {
        out.write_all(text.as_bytes())
    };
    match written.and_then(|()| out.flush()) {
        // Whoever reads has seen enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::output("cannot write to the standard output", &error)),
        Ok(()) => Ok(()),
    }
}

/// Prints a line to standard error. There is nowhere left to report that this failed.
pub(crate) fn complain(line: &str) {
    let mut out = anstream::AutoStream::auto(std::io::stderr().lock());
    let _ = writeln!(out, "{line}");
}

/// Writes a text to a file, without terminal styles.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let plain = anstream::adapter::strip_str(text).to_string();
    std::fs::write(path, plain)
        .map_err(|error| Failure::output(format!("cannot write {}", path.display()), &error))
}

/// How wide a line on standard output may be.
pub(crate) fn width() -> usize {
    let seen = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    match seen {
        Some(width) if std::io::stdout().is_terminal() => width.clamp(NARROWEST, WIDEST),
        _ => USUAL,
    }
}

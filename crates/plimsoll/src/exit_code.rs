//! How the program ends: the numbers other programs read.

use std::process::ExitCode;

/// Clean: the answer is yes.
pub(crate) const CLEAN: u8 = 0;
/// The answer is no: a finding fails the run.
pub(crate) const FOUND: u8 = 1;
/// There is no full answer: wrong usage, or input that could not be read.
pub(crate) const NO_ANSWER: u8 = 2;
/// A time limit passed without a verdict.
pub(crate) const TIME_LIMIT: u8 = 3;
/// Interrupted from the keyboard.
pub(crate) const INTERRUPTED: u8 = 130;
/// Ended by the system.
pub(crate) const TERMINATED: u8 = 143;

/// Every number with its meaning, as the help shows them.
pub(crate) const ALL: [(u8, &str); 6] = [
    (CLEAN, "clean: nothing was found that fails the run"),
    (FOUND, "the answer is no: a finding fails the run"),
    (NO_ANSWER, "no full answer: wrong usage, or input that could not be read"),
    (TIME_LIMIT, "a time limit passed without a verdict"),
    (INTERRUPTED, "interrupted from the keyboard"),
    (TERMINATED, "ended by the system"),
];

/// The number for what was found and what could not be read. A missing answer outweighs a negative one.
pub(crate) fn decide(has_failing_finding: bool, is_incomplete: bool) -> ExitCode {
    let number = match (is_incomplete, has_failing_finding) {
        (true, _) => NO_ANSWER,
        (false, true) => FOUND,
        (false, false) => CLEAN,
    };
    ExitCode::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_answer_outweighs_a_negative_one() {
        assert_eq!(decide(false, false), ExitCode::from(0));
        assert_eq!(decide(true, false), ExitCode::from(1));
        assert_eq!(decide(false, true), ExitCode::from(2));
        assert_eq!(decide(true, true), ExitCode::from(2));
    }
}

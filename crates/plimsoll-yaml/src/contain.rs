//! Keeps a panic of the YAML scanner from ending the program.
//!
//! `libyaml-safer` 0.3.0 panics on a few broken inputs, such as `{!tag,`. A release build must therefore unwind.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

static QUIET: Once = Once::new();

/// The result of the work, or `None` if it panicked. Nothing is printed: the caller has a problem to report.
pub(super) fn contain<T>(work: impl FnOnce() -> T) -> Option<T> {
    QUIET.call_once(|| {
        let outer = take_hook();
        set_hook(Box::new(move |panic| {
            if !CONTAINED.get() {
                outer(panic);
            }
        }));
    });
    let before = CONTAINED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CONTAINED.set(before);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::contain;

    #[test]
    fn a_panic_becomes_nothing() {
        assert_eq!(contain(|| 1), Some(1));
        assert_eq!(contain(|| -> u8 { panic!("on purpose") }), None);
    }
}

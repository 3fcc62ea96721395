//! The functions of charts: sprig v3.3.0, and what Helm adds to it.
//!
//! Where a function of Go fails, so does ours, with its words. Functions that would make something new each time make
//! the same each time; `stand_in` says which.

#![expect(clippy::unnecessary_wraps, reason = "every function of a table answers in the same way")]

mod case;
mod dates;
mod defaults;
mod dictionaries;
mod encoding;
mod hashes;
mod lists;
mod merge;
mod numbers;
mod paths;
mod patterns;
mod reflection;
mod rendering;
pub(crate) mod semver;
mod stand_in;
mod strings;
mod urls;
mod versions;
mod words;

pub(crate) use dictionaries::copied;
pub(crate) use paths::base;
pub(crate) use rendering::without_no_value;

use crate::template::builtins::BUILTINS;
use crate::template::function::Library;

/// Everything a chart may call.
pub(crate) fn library() -> Library {
    Library::new(&[
        BUILTINS,
        dates::FUNCTIONS,
        defaults::FUNCTIONS,
        dictionaries::FUNCTIONS,
        encoding::FUNCTIONS,
        hashes::FUNCTIONS,
        lists::FUNCTIONS,
        merge::FUNCTIONS,
        numbers::FUNCTIONS,
        paths::FUNCTIONS,
        patterns::FUNCTIONS,
        reflection::FUNCTIONS,
        rendering::FUNCTIONS,
        stand_in::FUNCTIONS,
        strings::FUNCTIONS,
        urls::FUNCTIONS,
        versions::FUNCTIONS,
        words::FUNCTIONS,
    ])
}

//! Any bytes as a deploy script: reading never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll_sources::{Input, Memory, read};

fuzz_target!(|bytes: &[u8]| {
    let host = Memory::new([("deploy.sh", bytes.to_vec())]);
    let _ = read(&Input { scripts: vec!["deploy.sh".to_owned()], ..Input::default() }, &host);
});

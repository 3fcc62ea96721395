//! Any bytes as a manifest: reading never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll_sources::{Input, Memory, read};

fuzz_target!(|bytes: &[u8]| {
    let host = Memory::new([("a.yaml", bytes.to_vec())]);
    let _ = read(&Input { paths: vec!["a.yaml".to_owned()], ..Input::default() }, &host);
});

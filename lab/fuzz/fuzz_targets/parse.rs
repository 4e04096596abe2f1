//! Any bytes at all: the parser answers with a tree or an error.
//!
//! Run, in `lab/`: mkdir -p fuzz/corpus/parse
//!                 cargo +nightly fuzz run parse fuzz/corpus/parse ../emulator/tests/ptx
//! New inputs go into the first folder.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = emulator::ptx::parse(&String::from_utf8_lossy(bytes));
});

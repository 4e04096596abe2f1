//! Any bytes at all: the parser answers with a tree or an error.
//! Run: cargo +nightly fuzz run parse tests/ptx      (in `emulator/`)
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = emulator::ptx::parse(&String::from_utf8_lossy(bytes));
});

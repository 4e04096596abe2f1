//! Tests that are files, with the programs and the test bench of `emulator/tests/files/`:
//!
//!     cargo test -p proofs --test files                     all
//!     cargo test -p proofs --test files alike/fail          those whose names contain this

mod alike;
#[path = "../../../../emulator/tests/support/conformance/mod.rs"]
#[allow(dead_code, unused_imports)] // This program has no test harness, and asks for less than the reader can do.
mod conformance;
#[path = "../../../../emulator/tests/files/cuda.rs"]
#[allow(dead_code)] // Stored programs are run by the emulator's own tests.
mod cuda;
mod followed;
#[path = "../../../../emulator/tests/files/header.rs"]
mod header;
mod headers;
#[path = "../../../../emulator/tests/files/lessons.rs"]
#[allow(dead_code)]
mod lessons;
mod litmus;
#[path = "../../../../emulator/tests/files/machine.rs"]
#[allow(dead_code)]
mod machine;
#[path = "../../../../emulator/tests/support/schedules.rs"]
mod many_schedules;
#[path = "../../../../emulator/tests/files/pairs.rs"]
#[allow(dead_code)]
mod pairs;
#[path = "../../../../emulator/tests/files/schedules.rs"]
mod schedules;
#[path = "../../../../emulator/tests/support/files.rs"]
mod support;
mod traced;

use support::{files, kernels, plain, read, run, stem, tests, trial};

fn main() {
    let trials = [headers::trials(), litmus::trials(), alike::trials(), traced::trials(), followed::trials()];
    run(trials.into_iter().flatten());
}

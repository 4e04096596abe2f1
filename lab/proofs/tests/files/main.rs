//! Tests that are files, with the programs and the test bench of `emulator/tests/files/`:
//!
//!     cargo test -p proofs --test files                     all
//!     cargo test -p proofs --test files alike/fail          those whose names contain this

mod alike;
#[path = "../../../../emulator/tests/support/conformance/mod.rs"]
#[expect(dead_code, unused_imports, reason = "this program has no harness for its tests; `lab/conformance` runs them")]
mod conformance;
#[path = "../../../../emulator/tests/files/cuda.rs"]
#[expect(dead_code, reason = "stored programs are run by the emulator's own tests")]
mod cuda;
mod followed;
#[path = "../../../../emulator/tests/files/header.rs"]
mod header;
mod headers;
#[path = "../../../../emulator/tests/files/image.rs"]
mod image;
#[path = "../../../../emulator/tests/files/lessons.rs"]
#[expect(dead_code, reason = "here their kernels are run in other ways")]
mod lessons;
mod litmus;
#[path = "../../../../emulator/tests/files/machine.rs"]
#[expect(dead_code, reason = "recordings are tested by the emulator's own tests")]
mod machine;
#[path = "../../../../emulator/tests/support/schedules.rs"]
mod many_schedules;
#[path = "../../../../emulator/tests/files/pairs.rs"]
#[expect(dead_code, reason = "the pairs are judged by the emulator's own tests")]
mod pairs;
#[path = "../../../../emulator/tests/files/schedules.rs"]
mod schedules;
#[path = "../../../../emulator/tests/support/files.rs"]
mod support;
#[path = "../../../../emulator/tests/files/tensor.rs"]
mod tensor;
mod traced;

use support::{files, kernels, plain, read, run, stem, tests, trial};

fn main() {
    let trials = [headers::trials(), litmus::trials(), alike::trials(), traced::trials(), followed::trials()];
    run(trials.into_iter().flatten());
}

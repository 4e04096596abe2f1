//! Tests that are files. Each is a test by its path, under every schedule that its kind asks for:
//!
//!     cargo test -p emulator --test files                     all
//!     cargo test -p emulator --test files fail/race-shared    those whose names contain this
//!     cargo test -p emulator --test files -- --list           their names

mod causes;
#[path = "../support/conformance/mod.rs"]
#[allow(dead_code, unused_imports, reason = "this program has no harness for its tests; `lab/conformance` runs them")]
mod conformance;
mod cuda;
mod header;
mod image;
mod lessons;
mod machine;
mod operations;
mod pairs;
mod recorded;
mod schedules;
#[path = "../support/files.rs"]
mod support;
mod tensor;
mod tried;
mod words;

use support::{files, kernels, plain, read, run, stem, tests, trial};

fn main() {
    // The longest first, so that no core is left alone with them at the end.
    let trials = [
        cuda::trials(),
        pairs::trials(),
        words::trials(),
        lessons::trials(),
        operations::trials(),
        causes::trials(),
        tried::trials(),
        recorded::trials(),
    ];
    run(trials.into_iter().flatten());
}

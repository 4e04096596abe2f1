//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson04_atomics::{KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &[]);
}

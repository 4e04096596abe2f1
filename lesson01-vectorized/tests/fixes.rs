//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson01_vectorized::{KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    let without = [
        ("int2_tail_broken", "code that is not there: a copy of the last elements"),
        ("int4_offset_broken", "an alignment needs other code"),
    ];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

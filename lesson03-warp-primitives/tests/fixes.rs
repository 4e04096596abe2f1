//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson03_warp_primitives::{KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    let without =
        [("block_reduce_tail_broken", "two functions change: the number of sums, and the lanes that there are")];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

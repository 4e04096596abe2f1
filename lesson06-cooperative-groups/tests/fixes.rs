//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson06_cooperative_groups::{KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    let without = [
        ("sum_kernel_block_bytes", "the launch gives too little memory"),
        ("grid_reverse_ordinary", "the launch is not cooperative"),
    ];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

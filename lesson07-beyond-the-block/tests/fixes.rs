//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson07_beyond_the_block::{KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    let without = [
        ("tile_broken", "the wait for a phase takes its parity"),
        ("tile_bytes", "the bytes are a value"),
        ("tile_parity", "the parity is a value"),
        ("store_reused", "a wait for a group needs a barrier besides"),
        ("store_unfinished", "a wait for a group needs a barrier besides"),
    ];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

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
        ("chain_broken", "one launch cannot show the order of two"),
        ("chain_late", "likewise"),
        ("chain_cleared", "likewise"),
        ("chain_middle", "likewise"),
    ];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

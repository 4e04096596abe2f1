//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson03_warp_primitives::{KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    let without = [
        ("exchange_broken", "which lane is meant the code does not tell"),
        ("vote_broken", "the lane's own vote has to be taken out of the answer"),
        ("all_reduce_broken", "a wrong answer without a finding"),
        ("ballot_sum_broken", "the whole branch has to go"),
        ("block_reduce_tail_broken", "a wrong answer without a finding"),
    ];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

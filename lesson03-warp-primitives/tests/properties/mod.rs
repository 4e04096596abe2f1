//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::check::InputValues;
use common::testing;
use lesson03_warp_primitives::catalogue::{exchange, members};
use lesson03_warp_primitives::{WARP, blocks, there, tickets, warps};
use proptest::prelude::*;

fn ints(n: usize, values: u64) -> Vec<i32> {
    InputValues::seeded(values).ints(n, -1000, 1000)
}

/// The sizes at which warps and blocks end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![
            0usize, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 513, 1023, 1024, 1025
        ]),
        0usize..5000,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn a_warp_does_it_for_any_number_of_elements(n in sizes(), kinds in 1i32..=5, seed: u64, values: u64) {
        let ints = ints(n, values);
        DRAWN.are_right("warp_sum", n, seed, |run| warps::warp_sums(run, &ints));
        DRAWN.are_right("lockstep_sum", n, seed, |run| warps::warp_sums(run, &ints));
        DRAWN.are_right("all_reduce", n, seed, |run| warps::sums_everywhere(run, &ints));
        let floats = InputValues::seeded(values).floats(n);
        DRAWN.are_right("transpose", n, seed, |run| warps::transposed(run, &floats));
        let want = tickets::one_in(kinds, values, n);
        DRAWN.are_right("pre_volta", n, seed, |run| tickets::ticketed(run, &want));
    }

    #[test]
    fn blocks_of_any_number_of_warps_add_up(n in sizes(), warps in 1usize..=32, seed: u64, values: u64) {
        let ints = ints(n, values);
        DRAWN.are_right("block_reduce_sum", n, seed, |run| blocks::block_sums(run, &ints, WARP * warps));
    }

    #[test]
    fn a_block_of_any_number_of_threads_adds_up(threads in 1usize..=1024, seed: u64, values: u64) {
        // Positive, so that what is left out is missing.
        let ints = InputValues::seeded(values).ints(threads, 1, 1001);
        DRAWN.are_right("block_reduce_tail", threads, seed, |run| blocks::tail_sum(run, &ints));
    }

    #[test]
    fn two_launches_add_up_any_vector(n in sizes(), seed: u64, values: u64) {
        let ints = ints(n, values);
        DRAWN.are_right("device_reduce", n, seed, |run| blocks::device_sum(run, &ints));
    }

    #[test]
    fn every_thread_that_takes_part_makes_any_size_right(n in 0usize..=1024, seed: u64, values: u64) {
        let ints = ints(n, values);
        DRAWN.are_right("ballot_sum", n, seed, |run| there::ballot_sums(run, &ints));
    }

    #[test]
    fn masks_that_are_known_or_voted_survive_a_split_warp(warps in 0usize..=31, seed: u64, values: u64) {
        let starts = InputValues::seeded(values).ints(32 * warps, 1, 1001);
        let starts: Vec<u32> = starts.iter().map(|&x| x as u32).collect();
        DRAWN.are_right("activemask_sum", 32 * warps, seed, |run| there::activemask_sums(run, &starts, |_| ()));
    }

    #[test]
    fn members_of_any_mask_answer_as_counted(seed: u64, values: u64, kinds in 1u64..=50) {
        let held = std::array::from_fn(|lane| (values % 1000) as i32 * 100 + lane as i32);
        DRAWN.are_right("exchange", WARP, seed, |run| exchange::exchanged(run, &held));
        let (ballots, wants) = (members::ballots(values), tickets::one_in(20, values, 3 * WARP));
        DRAWN.are_right("vote", WARP, seed, |run| members::voted(run, &ballots, &wants));
        let groups = members::groups(values, 60, kinds);
        DRAWN.are_right("match", WARP, seed, |run| members::matched(run, std::slice::from_ref(&groups)));
        let (members, held) = (&groups.0, members::held(values, groups.0.len()));
        DRAWN.are_right("redux", WARP, seed, |run| members::reduced(run, members, &held));
    }
}

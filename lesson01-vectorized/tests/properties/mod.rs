//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::check::InputValues;
use common::testing;
use common::{Run, Schedule};
use lesson01_vectorized::{access, copy};
use proptest::prelude::*;

/// The sizes at which groups, warps and blocks end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![
            0usize, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 256, 257, 511, 512, 513, 4097
        ]),
        0usize..5000,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn a_copy_of_any_length_is_whole(n in sizes(), seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, i32::MIN, i32::MAX);
        for row in ["copy", "int2_tail", "int4_tail", "int4_offset", "ladder"] {
            DRAWN.are_right(row, n, seed, |run| copy::copied(run, &input, 0));
        }
    }

    /// Those that say so, int by int.
    #[test]
    fn a_copy_may_begin_anywhere(n in sizes(), skip in 0usize..9, seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, i32::MIN, i32::MAX);
        let rows = [("copy", "copy_correct"), ("int4_offset", "int4_offset_correct"), ("ladder", "ladder_int")];
        for (row, name) in rows {
            if let Some(bench) = DRAWN.bench() {
                let job = |run: &Run| copy::copied(run, &input, skip);
                bench.assert_kept(&bench.kernel(row, name), n, (&[Schedule::Random], seed), job);
            }
        }
    }

    #[test]
    fn every_element_is_read_from_its_place(n in 0usize..700, by in 0usize..40, seed: u64, values: u64) {
        DRAWN.are_right("access", n, seed, |run| access::read_by_each(run, InputValues::seeded(values), &[by]));
    }
}

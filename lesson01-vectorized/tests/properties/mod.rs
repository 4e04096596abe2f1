//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs` draws
//! for the optimised build, `debug.rs` for nvcc's debug build; `PROPTEST_CASES` says how many cases.

use super::{CASES, drawn_on};
use common::check::{self, Values};
use common::testing;
use common::{Run, Schedule};
use cust::prelude::*;
use lesson01_vectorized::{access, copy, reference};
use proptest::prelude::*;

/// Runs one kernel once under a random schedule; it must be right, and on the emulator silent.
fn is_right(row: &str, kernel: &str, size: usize, seed: u64, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) {
    if let Some(bench) = drawn_on() {
        bench.assert_kept((row, kernel), size, (&[Schedule::Random], seed), job);
    }
}

pub fn read(run: &Run, name: &str, input: &[i32], n: usize, by: usize) -> anyhow::Result<Vec<i32>> {
    access::read(run, name, &input.as_dbuf()?, n, by)
}

/// The sizes at which groups, warps and blocks end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![
            0usize, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 256, 257, 511, 512, 513, 4097
        ]),
        0usize..5000,
    ]
}

const COPIES: [(&str, &str); 9] = [
    ("copy", "copy_correct"),
    ("int2_tail", "int2_tail_correct"),
    ("int4_tail", "int4_tail_correct"),
    ("int4_offset", "int4_offset_correct"),
    ("ladder", "ladder_int"),
    ("ladder", "ladder_int2"),
    ("ladder", "ladder_int4"),
    ("ladder", "ladder_each"),
    ("ladder", "ladder_four"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn a_copy_of_any_length_is_whole(n in sizes(), seed: u64, values: u64) {
        let input = Values::seeded(values).ints(n, i32::MIN, i32::MAX);
        for (row, name) in COPIES {
            is_right(row, name, n, seed, |run| check::equal(&copy::copied(run, name, &input, 0)?, &input));
        }
    }

    #[test]
    fn a_copy_may_begin_anywhere(n in sizes(), skip in 0usize..9, seed: u64, values: u64) {
        let input = Values::seeded(values).ints(n, i32::MIN, i32::MAX);
        for (row, name) in [("copy", "copy_correct"), ("int4_offset", "int4_offset_correct"), ("ladder", "ladder_int")] {
            is_right(row, name, n, seed, |run| check::equal(&copy::copied(run, name, &input, skip)?, &input));
        }
    }

    #[test]
    fn every_element_is_read_from_its_place(n in 0usize..700, by in 0usize..40, seed: u64, values: u64) {
        for name in ["access_strided", "access_offset"] {
            let input = Values::seeded(values).ints(access::needed(name, n, by), i32::MIN, i32::MAX);
            let expected = reference::read(name, &input, n, by);
            is_right("access", name, n, seed, |run| check::equal(&read(run, name, &input, n, by)?, &expected));
        }
    }
}

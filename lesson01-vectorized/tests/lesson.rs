//! Every correct kernel against its reference on drawn sizes, values and alignments: right, and silent. And what the
//! lesson says about loads, rounds and sectors, by counting them. On the emulator; the first part on a GPU with
//! `LESSON_DEVICE=gpu`.

mod fixes;
mod properties;
mod table;

use common::check::{self, InputValues};
use common::testing::{Bench, CaseSource, skipped};
use common::{Counter, Counts, Ratio, Run, Schedule};
use lesson01_vectorized::{KERNELS, ROWS, access, copy};

static DRAWN: CaseSource = CaseSource::on(|| Ok(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 24;

fn bench() -> &'static Bench {
    DRAWN.bench().expect("it was opened")
}

/// Counts are the emulator's.
fn is_on_emulator() -> bool {
    bench().device() == common::DeviceKind::Emulator || {
        skipped::because(skipped::WITHOUT, "a GPU counts with a profiler of its own");
        false
    }
}

fn count(row: &str, name: &str, n: usize) -> Counts {
    let input = InputValues::seeded(1).ints(n, i32::MIN, i32::MAX);
    bench().count(&bench().kernel(row, name), n, |run| copy::copied(run, &input, 0)).unwrap()
}

/// The slides: half and a quarter of the loads, stores and rounds, for the same bytes.
#[test]
fn wider_types_take_fewer_loads_stores_and_rounds() {
    if !is_on_emulator() {
        return;
    }
    // 2^20 ints, 1024 blocks of 128 threads: 8 rounds a thread with int, 4 with int2, 2 with int4.
    let n = 1 << 20;
    let [int, int2, int4] = ["ladder_int", "ladder_int2", "ladder_int4"].map(|name| count("ladder", name, n));
    let warps = 1024 * 4;
    for (counts, rounds) in [(&int, 8), (&int2, 4), (&int4, 2)] {
        assert_eq!(counts[Counter::Warps], warps);
        assert_eq!(counts[Counter::LoopIterations], rounds * warps);
        assert_eq!(counts[Counter::GlobalLoads], rounds * warps);
        assert_eq!(counts[Counter::GlobalStores], rounds * warps);
        // The same bytes and the same sectors, whatever the width.
        assert_eq!((counts[Counter::GlobalLoadBytes], counts[Counter::GlobalStoreBytes]), (4 * n as u64, 4 * n as u64));
        assert_eq!(
            (counts[Counter::GlobalLoadSectors], counts[Counter::GlobalStoreSectors]),
            (n as u64 / 8, n as u64 / 8)
        );
    }
    let sectors = |counts: &Counts| Ratio::LoadSectorsPerRequest.of(&counts.total().totals);
    assert_eq!([&int, &int2, &int4].map(sectors), [Some(4.0), Some(8.0), Some(16.0)]);
    // Fewer rounds are fewer sums and comparisons too.
    let instructions = [&int, &int2, &int4].map(|counts| counts[Counter::Instructions]);
    assert!(instructions.is_sorted_by(|more, fewer| more > fewer), "{instructions:?}");
}

#[test]
fn a_thread_for_each_group_has_no_loop_and_four_loads_on_their_way_no_more_requests() {
    if !is_on_emulator() {
        return;
    }
    let n = 1 << 16;
    for name in ["ladder_each", "ladder_four"] {
        let counts = count("ladder", name, n);
        assert_eq!((counts[Counter::GlobalLoads], counts[Counter::LoopIterations]), (n as u64 / 128, 0), "{name}");
        assert_eq!(counts[Counter::GlobalLoadSectors], n as u64 / 8, "{name}");
    }
}

#[test]
fn what_is_left_takes_one_load_more() {
    if !is_on_emulator() {
        return;
    }
    // 515 ints in fours: 128 groups, four warps; then one warp loads three ints, in one sector.
    let counts = count("int4_tail", "int4_tail_correct", 515);
    assert_eq!((counts[Counter::GlobalLoads], counts[Counter::GlobalLoadSectors]), (4 + 1, 64 + 1));
    assert_eq!(counts[Counter::GlobalLoadBytes], 4 * 515);
}

#[test]
fn sectors_grow_with_the_stride_and_by_one_with_an_offset() {
    if !is_on_emulator() {
        return;
    }
    let n = 1024;
    let sectors = |name: &str, by: usize| {
        let job = |run: &Run| access::read_by_each(run, InputValues::seeded(4), &[by]);
        let counts = bench().count(&bench().kernel("access", name), n, job).unwrap();
        Ratio::LoadSectorsPerRequest.of(&counts.total().totals).unwrap()
    };
    for stride in access::STRIDES {
        assert_eq!(sectors("access_strided", stride), (4 * stride).min(32) as f64, "stride {stride}");
    }
    for offset in access::OFFSETS {
        assert_eq!(sectors("access_offset", offset), if offset % 8 == 0 { 4.0 } else { 5.0 }, "offset {offset}");
    }
}

/// The slide's tails are right where the grid happens to have the thread that they ask for.
#[test]
fn a_slides_tail_is_right_by_luck_of_the_grid() {
    for (row, name, by_luck, shows) in
        [("int2_tail", "int2_tail_slide", 259, 257), ("int4_tail", "int4_tail_broken", 519, 515)]
    {
        let kernel = bench().kernel(row, name);
        for (n, wrong) in [(by_luck, 0), (shows, 1)] {
            let input = check::ramp(n);
            let job = |run: &Run| copy::copied(run, &input, 0);
            let outcome = bench().run(&kernel, n, Schedule::InOrder, 0..1, job).unwrap();
            assert_eq!(outcome.summary.wrong_runs, wrong, "{name} {n}");
        }
    }
}

/// Under a capped grid the thread is missing, whatever n is.
#[test]
fn a_slides_tail_is_never_met_under_a_capped_grid() {
    let threads = (copy::MOST_BLOCKS * copy::BLOCK) as usize;
    for (row, name, n) in
        [("int2_tail", "int2_tail_slide", 2 * threads + 39), ("int4_tail", "int4_tail_broken", 4 * threads + 46)]
    {
        let kernel = bench().kernel(row, name);
        let input = check::ramp(n);
        let job = |run: &Run| copy::copied(run, &input, 0);
        let outcome = bench().run(&kernel, n, Schedule::InOrder, 0..1, job).unwrap();
        assert_eq!(outcome.summary.wrong_runs, 1, "{name} {n}");
    }
}

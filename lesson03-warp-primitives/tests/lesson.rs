//! Everything that the lesson says, held to it: every broken kernel under every seed, and every correct one against its
//! reference on drawn sizes, values and schedules. On the emulator; on a GPU with `LESSON_DEVICE=gpu`.

mod jobs;

use common::testing::{Bench, Outcome, Table};
use common::{DeviceKind, Expect, Kernel, Row, Run, Schedule, Variant};
use jobs::job;
use lesson03_warp_primitives::{KERNELS, ROWS, members};
use proptest::prelude::*;
use std::sync::OnceLock;

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson03-warp-primitives"), files: KERNELS, rows: ROWS };

fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    BENCH.get_or_init(|| Bench::open(KERNELS, ROWS).expect("a device opens"))
}

/// Some runs of one kernel, all on the same values.
fn outcome(kernel: &Kernel, size: usize, seeds: std::ops::Range<u64>, values: u64) -> Outcome {
    let row = kernel.row.name;
    bench()
        .run(kernel, size, Schedule::Random, seeds, |run| run.each(|| job(run, row, &kernel.name, values)))
        .unwrap_or_else(|error| panic!("{} of {size} elements: {error:#}", kernel.name))
}

/// The bug needs a warp that is split, and so a schedule that splits it.
const NEEDS_A_SPLIT: &[&str] = &["activemask_sum_broken"];

#[test]
fn every_broken_kernel_is_caught_under_every_seed() {
    if bench().device() != DeviceKind::Emulator {
        return println!("skipped: a GPU takes no seeds");
    }
    for row in ROWS {
        for kernel in bench().kernels(row.name).unwrap() {
            let Variant::Broken(expect) = kernel.variant else { continue };
            let outcome = outcome(&kernel, row.sizes.seeds, 0..64, 3);
            assert_eq!(bench().judge(&kernel, &outcome), Ok(()), "{}", kernel.name);
            let caught = match expect {
                Expect::WrongResult => outcome.summary.wrong_runs,
                Expect::Finding(slug) => {
                    let bug = TABLE.bug_line(&kernel.name);
                    let is_there = |access: &Option<u32>| *access == Some(bug);
                    let on_its_line = outcome.findings.iter().filter(|merged| {
                        let mut lines =
                            merged.finding.accesses.iter().map(|access| Some(access.location.as_ref()?.line));
                        merged.finding.slug == slug && lines.any(|line| is_there(&line))
                    });
                    on_its_line.map(|merged| merged.runs).max().unwrap_or(0)
                }
            };
            let enough = if NEEDS_A_SPLIT.contains(&kernel.name.as_str()) { 60 } else { 64 };
            assert!(caught >= enough, "{} was caught under {caught} of 64 seeds", kernel.name);
        }
    }
}

/// Runs every correct kernel of a row once; it must be right, and on the emulator silent.
fn are_right(row: &str, size: usize, seed: u64, values: u64) {
    let is_right = |kernel: &&Kernel| !kernel.is_broken() && !kernel.is_refused();
    for kernel in bench().kernels(row).unwrap().iter().filter(is_right) {
        let outcome = outcome(kernel, size, seed..seed + 1, values);
        assert_eq!(bench().judge(kernel, &outcome), Ok(()), "{} of {size}, seed {seed}, values {values}", kernel.name);
    }
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
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_warp_does_it_for_any_number_of_elements(n in sizes(), seed: u64, values: u64) {
        for row in ["pre_volta", "warp_sum", "all_reduce", "transpose", "lockstep_sum"] {
            are_right(row, n, seed, values);
        }
    }

    #[test]
    fn blocks_of_any_number_of_warps_add_up(n in sizes(), seed: u64, values in 0u64..64) {
        are_right("block_reduce_sum", n, seed, values);
    }

    #[test]
    fn a_block_of_any_number_of_threads_adds_up(threads in 1usize..=1024, seed: u64, values: u64) {
        are_right("block_reduce_tail", threads, seed, values);
    }

    #[test]
    fn two_launches_add_up_any_vector(n in sizes(), seed: u64, values: u64) {
        are_right("device_reduce", n, seed, values);
    }

    #[test]
    fn every_thread_that_takes_part_makes_any_size_right(n in 0usize..=1024, seed: u64, values: u64) {
        are_right("ballot_sum", n, seed, values);
    }

    #[test]
    fn masks_that_are_known_or_voted_survive_a_split_warp(warps in 0usize..=31, seed: u64, values: u64) {
        are_right("activemask_sum", 32 * warps, seed, values);
    }

    #[test]
    fn members_of_any_mask_answer_as_counted(seed: u64, values: u64) {
        for row in ["exchange", "vote", "match", "redux"] {
            are_right(row, 32, seed, values);
        }
    }
}

/// The slides call this form correct. Under 97 elements it is so three times.
#[test]
fn the_ballot_form_is_right_at_multiples_of_32_and_nowhere_else() {
    if bench().device() != DeviceKind::Emulator {
        return println!("skipped: a GPU does not tell whose value a sum holds");
    }
    let broken = bench().kernels("ballot_sum").unwrap().remove(0);
    for n in 1..97 {
        let outcome = outcome(&broken, n, 0..2, n as u64);
        match n % 32 {
            0 => assert!(outcome.findings.is_empty() && outcome.summary.wrong_runs == 0, "{n}: {outcome:#?}"),
            _ => assert_eq!(bench().judge(&broken, &outcome), Ok(()), "{n}"),
        }
    }
}

/// What an H200 shows: the lanes come together behind the loop, and nothing is wrong.
#[test]
fn in_order_the_active_mask_is_full() {
    let broken = bench().kernels("activemask_sum").unwrap().remove(0);
    for values in 0..20 {
        let work = |run: &Run| run.each(|| job(run, "activemask_sum", &broken.name, values));
        let outcome = bench().run(&broken, 64, Schedule::InOrder, 0..1, work).unwrap();
        assert!(outcome.findings.is_empty() && outcome.summary.wrong_runs == 0, "{outcome:#?}");
    }
}

/// Drawn sizes may miss one; here none is.
#[test]
fn every_size_of_a_block_has_its_tail() {
    for threads in 1..=96 {
        are_right("block_reduce_tail", threads, 1, threads as u64);
    }
}

#[test]
fn the_ballots_hold_every_vote_of_four_lanes_and_every_lane_alone() {
    let cases = members::ballots(1);
    for members in 1..16u32 {
        for yes in 0..16u32 {
            assert!(cases.contains(&(members, yes)) && cases.contains(&(members << 28, yes << 28)));
        }
    }
    for lane in 0..32 {
        assert!(cases.contains(&(1 << lane, 1 << lane)) && cases.contains(&(!0, !(1 << lane))));
    }
}

#[test]
fn rows_that_say_so_run_in_a_process_of_their_own_on_a_gpu() {
    let isolated: Vec<&str> = ROWS.iter().filter(|row| row.is_isolated).map(|row: &Row| row.name).collect();
    assert_eq!(isolated, ["vote"]);
}

//! Everything that the lesson says, held to it: every broken kernel under every seed, and every correct one against its
//! reference on drawn sizes, values and schedules. On the emulator; on a GPU with `LESSON_DEVICE=gpu`.

mod fixes;
mod properties;
mod table;

use common::check::InputValues;
use common::testing::{Bench, CaseSource, MergedFinding, Outcome, Table, skipped};
use common::{DeviceKind, Expect, Kernel, Row, Run, Schedule, Variant};
use lesson03_warp_primitives::catalogue::members;
use lesson03_warp_primitives::{KERNELS, ROWS, blocks, there};
use std::ops::Range;

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson03-warp-primitives"), files: KERNELS, rows: ROWS };

static DRAWN: CaseSource = CaseSource::on(|| Ok(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 24;

fn bench() -> &'static Bench {
    DRAWN.bench().expect("it was opened")
}

/// Some runs of one kernel, with the input of its row.
fn outcome(schedule: Schedule, kernel: &Kernel, size: usize, seeds: Range<u64>) -> Outcome {
    let outcome = kernel.job().and_then(|job| bench().run(kernel, size, schedule, seeds, job));
    outcome.unwrap_or_else(|error| panic!("{} of {size} elements: {error:#}", kernel.name))
}

/// The bug needs a warp that is split, and so a schedule that splits it: 60 seeds of 64 must.
const NEEDS_A_SPLIT: &[&str] = &["activemask_sum_broken"];

#[test]
fn every_broken_kernel_is_caught_under_every_seed() {
    if bench().device() != DeviceKind::Emulator {
        return skipped::because(skipped::WITHOUT, "a GPU takes no seeds");
    }
    for row in ROWS {
        for kernel in bench().kernels(row.name).unwrap().iter().filter(|kernel| kernel.is_broken()) {
            for (schedule, seeds) in [(Schedule::Random, 64), (Schedule::Adversarial, 16)] {
                let size = row.sizes.seeds.min(256).max(row.least);
                let outcome = outcome(schedule, kernel, size, 0..seeds);
                assert_eq!(bench().judge(kernel, &outcome), Ok(()), "{}, {schedule}", kernel.name);
                let is_open = schedule == Schedule::Random && NEEDS_A_SPLIT.contains(&kernel.name.as_str());
                let (caught, due) = (caught(kernel, &outcome), if is_open { 60 } else { seeds });
                assert!(caught >= due, "{} was caught in {caught} of {seeds} runs, {schedule}", kernel.name);
            }
        }
    }
}

/// In how many runs a broken kernel was caught on the line below its `BUG:`, or gave a wrong answer if that is all it
/// does.
fn caught(kernel: &Kernel, outcome: &Outcome) -> u64 {
    let Variant::Broken(Expect::Finding(slug)) = kernel.variant else { return outcome.summary.wrong_runs };
    let bug = TABLE.bug_line(&kernel.name);
    let names_it = |merged: &&MergedFinding| {
        let mut places = merged.finding.accesses.iter().filter_map(|access| access.location.as_ref());
        merged.finding.slug == slug && places.any(|place| place.line == bug)
    };
    outcome.findings.iter().filter(names_it).map(|merged| merged.runs).max().unwrap_or(0)
}

/// The slides call this form correct. Under 97 elements it is so three times.
#[test]
fn the_ballot_form_is_right_at_multiples_of_32_and_nowhere_else() {
    if bench().device() != DeviceKind::Emulator {
        return skipped::because(skipped::WITHOUT, "a GPU does not tell whose value a sum holds");
    }
    let broken = bench().kernels("ballot_sum").unwrap().remove(0);
    for n in 1..97 {
        let outcome = outcome(Schedule::Random, &broken, n, 0..2);
        match n % 32 {
            0 => assert!(outcome.findings.is_empty() && outcome.summary.wrong_runs == 0, "{n}: {outcome:#?}"),
            _ => assert_eq!(bench().judge(&broken, &outcome), Ok(()), "{n}"),
        }
    }
}

/// Checks the result of an H200: the lanes come together after the loop, and nothing is wrong.
#[test]
fn in_order_the_active_mask_is_full() {
    let broken = bench().kernels("activemask_sum").unwrap().remove(0);
    for values in 0..20 {
        let starts: Vec<u32> = InputValues::seeded(values).ints(64, 1, 1001).iter().map(|&x| x as u32).collect();
        let job = |run: &Run| there::activemask_sums(run, &starts, |_| ());
        let outcome = bench().run(&broken, 64, Schedule::InOrder, 0..1, job).unwrap();
        assert!(outcome.findings.is_empty() && outcome.summary.wrong_runs == 0, "{outcome:#?}");
    }
}

/// Drawn sizes may miss one; here none is.
#[test]
fn every_size_of_a_block_has_its_tail() {
    for threads in 1..=96 {
        // Positive, so that what is left out is missing.
        let values: Vec<i32> = (1..=threads as i32).collect();
        DRAWN.are_right("block_reduce_tail", threads, 1, |run| blocks::tail_sum(run, &values));
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
    let isolated: Vec<&str> = ROWS.iter().filter(|row| row.on_gpu.is_isolated).map(|row: &Row| row.name).collect();
    assert_eq!(isolated, ["vote"]);
}

/// `--checks rule` compares each access with all earlier ones. `lab/proofs/tests/lessons/` has every row and seed.
#[test]
fn the_plain_rule_says_the_same() {
    if bench().device() != DeviceKind::Emulator {
        return skipped::because(skipped::WITHOUT, "a GPU is not checked");
    }
    let rows = ["--only", "exchange", "--only", "block_reduce_sum", "--only", "activemask_sum"];
    let some = [&rows[..], &["--no-try", "--seeds", "0..2"]].concat();
    let [fast, by_rule] = [TABLE.run(&some), TABLE.run(&[&some[..], &["--checks", "rule"]].concat())];
    assert_eq!(String::from_utf8_lossy(&by_rule.stdout), String::from_utf8_lossy(&fast.stdout));
    assert!(!fast.stdout.is_empty() && by_rule.status == fast.status);
}

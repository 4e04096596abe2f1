//! The runs of a trial: at which sizes, under which schedules, how often.
//!
//! Emulator: the slide's size once, `in-order`; then every seed at the small size, `random`, and some `adversarial`.
//! GPU: many launches at the slide's size, because a race shows by luck there; then the correct kernels a few times at
//! a size worth timing.

use crate::table::row::{Row, Variant};
use std::ops::Range;
use trial::{Batch, Schedule};

/// The part of the command line that a plan depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRequest {
    pub n: Option<usize>,
    /// The number of bytes to read, for a row that reads some.
    pub input: Option<usize>,
    pub schedule: Option<Schedule>,
    /// Those of the command line; a row has its own default.
    pub seeds: Option<Range<u64>>,
    /// `--seed N`: that one random schedule and nothing else.
    pub is_one_seed: bool,
}

/// `adversarial` takes one seed for this many of `random`: its runs take several times as long.
const ADVERSARIAL: u64 = 8;

/// And they have at most so many elements, unless `--schedule` asks for it alone.
const ADVERSARIAL_SIZE: usize = 1024;

/// Elements that one batch of GPU launches may go through.
const GPU_ELEMENTS: usize = 1 << 30;

/// Why a kernel is not run at all, in words for the student.
pub type SkipReason = String;

pub fn emulator(row: &Row, kernel: &str, variant: Variant, request: &PlanRequest) -> Result<Vec<Batch>, SkipReason> {
    let size = slide_size(row, request);
    can_take(row, kernel, variant, size)?;
    let in_order = Batch::in_order(size);
    let random = Batch {
        size: if row.is_fixed { size } else { size.min(row.sizes.seeds) },
        schedule: Schedule::Random,
        seeds: request.seeds.clone().unwrap_or(0..row.seeds),
        is_timed: false,
        keep: None,
    };
    let adversarial = Batch {
        schedule: Schedule::Adversarial,
        seeds: request.seeds.clone().unwrap_or(0..row.seeds.div_ceil(ADVERSARIAL)),
        size: if row.is_fixed { size } else { random.size.min(ADVERSARIAL_SIZE.max(row.shows_from)) },
        ..random.clone()
    };
    Ok(match (request.schedule, request.is_one_seed) {
        (Some(schedule), _) if !schedule.takes_seed() => vec![Batch { schedule, ..in_order }],
        (Some(schedule), _) => vec![Batch { schedule, ..random }],
        (None, true) => vec![random],
        (None, false) => vec![in_order, random, adversarial],
    })
}

pub fn gpu(row: &Row, kernel: &str, variant: Variant, request: &PlanRequest) -> Result<Vec<Batch>, SkipReason> {
    let size = slide_size(row, request);
    can_take(row, kernel, variant, size)?;
    let most = if variant.expect().is_some() { 1000 } else { 100 };
    let launches = (GPU_ELEMENTS / size.max(1)).clamp(5, most) as u64;
    let has_own_timing = variant.expect().is_none() && request.n.is_none() && row.sizes.gpu > size;
    let mut batches =
        vec![Batch { size, schedule: Schedule::InOrder, seeds: 0..launches, is_timed: !has_own_timing, keep: None }];
    if has_own_timing {
        batches.push(Batch {
            size: row.sizes.gpu,
            schedule: Schedule::InOrder,
            seeds: 0..5,
            is_timed: true,
            keep: None,
        });
    }
    Ok(batches)
}

fn slide_size(row: &Row, request: &PlanRequest) -> usize {
    if row.is_fixed {
        return row.sizes.slide;
    }
    request.n.or(request.input).unwrap_or(row.sizes.slide)
}

fn can_take(row: &Row, kernel: &str, variant: Variant, size: usize) -> Result<(), SkipReason> {
    if size < row.least {
        return Err(say!("too-small", kernel, least = row.least, size));
    }
    if variant.expect().is_some() && size < row.shows_from {
        return Err(say!("too-small-for-bug", kernel, least = row.shows_from, size));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slug;

    const ROW: Row = Row::pair("filter", Slug::RaceGlobal).sizes(1 << 20, 4096).gpu(100_000_000);
    const BROKEN: Variant = Variant::Broken(crate::Expect::Finding(Slug::RaceGlobal));

    fn request() -> PlanRequest {
        PlanRequest { n: None, input: None, schedule: None, seeds: None, is_one_seed: false }
    }

    fn shape(batches: &[Batch]) -> Vec<(usize, &'static str, u64)> {
        batches.iter().map(|batch| (batch.size, batch.schedule.as_str(), batch.seeds.end - batch.seeds.start)).collect()
    }

    #[test]
    fn the_emulator_runs_the_slide_once_and_every_seed_small() {
        let plan = emulator(&ROW, "filter_broken", BROKEN, &request()).unwrap();
        assert_eq!(shape(&plan), [(1 << 20, "in-order", 1), (4096, "random", 64), (1024, "adversarial", 8)]);
    }

    #[test]
    fn n_moves_both_sizes_down_but_only_the_first_up() {
        let at = |n| {
            shape(
                &emulator(&ROW, "filter_correct", Variant::Correct, &PlanRequest { n: Some(n), ..request() }).unwrap(),
            )
        };
        assert_eq!(at(33), [(33, "in-order", 1), (33, "random", 64), (33, "adversarial", 8)]);
        assert_eq!(at(1_000_000), [(1_000_000, "in-order", 1), (4096, "random", 64), (1024, "adversarial", 8)]);
    }

    #[test]
    fn one_seed_or_one_schedule_means_just_that() {
        let one = PlanRequest { seeds: Some(7..8), is_one_seed: true, ..request() };
        assert_eq!(shape(&emulator(&ROW, "filter_broken", BROKEN, &one).unwrap()), [(4096, "random", 1)]);
        let in_order = PlanRequest { schedule: Some(Schedule::InOrder), ..request() };
        assert_eq!(shape(&emulator(&ROW, "filter_broken", BROKEN, &in_order).unwrap()), [(1 << 20, "in-order", 1)]);
    }

    #[test]
    fn a_row_may_have_fewer_seeds_unless_the_command_line_says_how_many() {
        let runs = |request: &PlanRequest| {
            shape(&emulator(&ROW.seeds(8), "filter_correct", Variant::Correct, request).unwrap())[1].2
        };
        assert_eq!(runs(&request()), 8);
        assert_eq!(runs(&PlanRequest { seeds: Some(0..100), ..request() }), 100);
    }

    #[test]
    fn a_gpu_launches_the_broken_kernel_1000_times_and_times_the_correct_one() {
        let broken = gpu(&ROW, "filter_broken", BROKEN, &request()).unwrap();
        assert_eq!(shape(&broken), [(1 << 20, "in-order", 1000)]);
        let correct = gpu(&ROW, "filter_correct", Variant::Correct, &request()).unwrap();
        assert_eq!(shape(&correct), [(1 << 20, "in-order", 100), (100_000_000, "in-order", 5)]);
        assert!(!correct[0].is_timed && correct[1].is_timed);
        let huge = PlanRequest { n: Some(100_000_000), ..request() };
        assert_eq!(shape(&gpu(&ROW, "filter_broken", BROKEN, &huge).unwrap()), [(100_000_000, "in-order", 10)]);
    }

    #[test]
    fn a_size_that_a_row_cannot_take_is_refused_in_words() {
        let none = PlanRequest { n: Some(0), ..request() };
        let why = emulator(&ROW, "filter_correct", Variant::Correct, &none).unwrap_err();
        assert_eq!(why, "`filter_correct` needs at least 1 element, and this run has 0");
        let from_zero = ROW.from_zero();
        assert!(emulator(&from_zero, "filter_correct", Variant::Correct, &none).is_ok());
        let why = emulator(&from_zero, "filter_broken", BROKEN, &none).unwrap_err();
        assert_eq!(why, "the bug of `filter_broken` needs at least 2 elements to show, and this run has 0");
    }

    #[test]
    fn what_there_is_to_read_sets_the_size_and_n_overrules_it() {
        let with_file = PlanRequest { input: Some(500), ..request() };
        let short = PlanRequest { n: Some(20), ..with_file.clone() };
        for (request, size) in [(with_file, 500), (short, 20)] {
            let plan = emulator(&ROW, "filter_correct", Variant::Correct, &request).unwrap();
            assert_eq!(shape(&plan), [(size, "in-order", 1), (size, "random", 64), (size, "adversarial", 8)]);
        }
    }
}

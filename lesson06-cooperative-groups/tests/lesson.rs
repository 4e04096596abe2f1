//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

mod counters;
mod fixes;
mod properties;
mod table;

use common::testing::{Bench, CaseSource};
use common::{DeviceKind, Schedule};
use lesson06_cooperative_groups::{KERNELS, ROWS, names, reverse};
use std::sync::Mutex;

static DRAWN: CaseSource = CaseSource::on(|| Ok(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 12;

fn bench() -> &'static Bench {
    DRAWN.bench().expect("it was opened")
}

#[test]
fn groups_say_who_they_are() {
    (0..8).for_each(|seed| DRAWN.are_right("names", 0, seed, names::named));
}

#[test]
fn one_block_more_than_can_be_there_is_refused() {
    let kernel = bench().kernels("grid_reverse").unwrap().pop().unwrap();
    let (refusal, job) = (Mutex::new(None), kernel.job().unwrap());
    let job = |run: &common::Run| {
        *refusal.lock().unwrap() = Some(reverse::too_large(run)?);
        job(run)
    };
    bench().run(&kernel, 64, Schedule::InOrder, 0..1, job).unwrap();
    let (blocks, refused) = refusal.into_inner().unwrap().unwrap();
    assert!(refused.to_string().ends_with("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"), "{refused}");
    // Eight multiprocessors with 2048 threads each.
    assert!(bench().device() == DeviceKind::Gpu || blocks == 8 * 2048 / 256 + 1, "{blocks}");
}

//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

mod properties;

use common::testing::Bench;
use lesson02_sync::{KERNELS, ROWS};
use std::sync::OnceLock;

fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    BENCH.get_or_init(|| Bench::open(KERNELS, ROWS).expect("a device opens"))
}

/// What the properties draw for, and how many cases.
fn drawn_on() -> Option<&'static Bench> {
    Some(bench())
}

const CASES: u32 = 24;

//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

mod fixes;
mod properties;
mod table;
mod trace;
mod web;

use common::testing::{Bench, CaseSource};
use lesson02_sync::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| Ok(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 24;

//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

mod executions;
mod fixes;
mod properties;
mod table;

use common::testing::{Bench, CaseSource};
use lesson07_beyond_the_block::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| Ok(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 12;

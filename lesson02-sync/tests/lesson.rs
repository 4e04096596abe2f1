//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

mod fixes;
mod properties;
mod table;

use common::testing::{Bench, Drawn};
use lesson02_sync::{KERNELS, ROWS};

static DRAWN: Drawn = Drawn::on(|| Some(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 24;

/// No small change fixes these, and why.
const WITHOUT_FIX: &[(&str, &str)] = &[("globalreverse_broken", "a second launch, by the host")];

#[test]
fn every_fix_that_is_told_holds_in_the_source() {
    if let Some(bench) = DRAWN.bench() {
        bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), WITHOUT_FIX);
    }
}

//! Every fix that the lesson tells of a broken kernel holds in that kernel's source. Needs nvcc.

use common::testing::Bench;
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS};

#[test]
fn every_fix_that_is_told_holds() {
    common::device_runtime::carry(DEVICE_RUNTIME);
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    let without = [
        ("child_result_broken", "the rest of the kernel has to become another kernel"),
        ("child_pointer_broken", "the variable has to be in other memory"),
        ("launch_error_broken", "the kernel has to tell the host that its launch failed"),
    ];
    bench.assert_fixes_hold(env!("CARGO_MANIFEST_DIR"), &without);
}

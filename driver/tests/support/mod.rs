//! The setup of every test of the emulated device.

use cust::context::legacy::{Context, ContextFlags};
use cust::prelude::*;
use driver::Choice;

/// Runs on the emulated device, whatever this machine has.
pub fn emulator() {
    driver::choose(Choice::Emulator, None).expect("the emulator is always there");
    cust::init(CudaFlags::empty()).expect("cuInit");
}

/// A context of the test's own: what goes wrong in it stays there.
pub fn own_context() -> Context {
    emulator();
    let device = Device::get_device(0).expect("device 0");
    Context::create_and_push(ContextFlags::SCHED_AUTO, device).expect("a context")
}

//! A program that knows nothing of the emulator still hears of its races: on stderr, once for each pair of lines.
//! On request it is told of memory that it never frees.

use cust::context::legacy::{Context, ContextFlags};
use cust::prelude::*;
use observer as _;
use std::process::Command;

const COUNTER: &str = include_str!("../../cuda/ptx/lesson04/counter.ptx");

/// The test program; run by the test below in a process of its own.
#[test]
fn plain_program() {
    if std::env::var_os("LESSON_DEVICE").is_none_or(|device| device != "emulator") {
        return;
    }
    let _context = cust::quick_init().unwrap();
    let module = Module::from_ptx(COUNTER, &[]).unwrap();
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).unwrap();
    let counter = DeviceBuffer::from_slice(&[0i32]).unwrap();
    for name in ["counter_broken", "counter_broken", "counter_correct"] {
        let function = module.get_function(name).unwrap();
        // SAFETY: the kernel takes a pointer to one int.
        unsafe { launch!(function<<<4, 64, 0, stream>>>(counter.as_device_ptr())) }.unwrap();
    }
    stream.synchronize().unwrap();
}

/// A program that forgets one of two buffers; run as the one above.
#[test]
fn forgetful_program() {
    if std::env::var_os("LESSON_DEVICE").is_none_or(|device| device != "emulator") {
        return;
    }
    driver::emulated::say_leaks(true);
    let device = cust::init(CudaFlags::empty()).and_then(|()| Device::get_device(0)).unwrap();
    let context = Context::create_and_push(ContextFlags::SCHED_AUTO, device).unwrap();
    let kept = DeviceBuffer::from_slice(&[0i32; 5]).unwrap();
    std::mem::forget(DeviceBuffer::from_slice(&[0i32; 7]).unwrap());
    drop(kept);
    drop(context);
}

/// Returns the output of a test program on stderr.
fn said_by(test: &str, setting: Option<&str>) -> String {
    let program = std::env::current_exe().expect("this test's own program");
    let output = Command::new(program)
        .args(["--exact", test, "--nocapture"])
        .env("LESSON_DEVICE", "emulator")
        .env("LESSON_LANG", "en")
        .envs(setting.map(|name| (name, "1")))
        // The sources are found from the root of the repository.
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn said(setting: Option<&str>) -> String {
    said_by("plain_program", setting)
}

#[test]
fn findings_nobody_takes_are_said_once() {
    let said = said(None);
    assert_eq!(said.matches("error[race-global]").count(), 1, "{said}");
    assert!(said.contains("cuda/lesson04/counter.cu:14") && said.contains("*a += 1;"), "{said}");
}

#[test]
fn their_fix_is_tried_on_a_copy_of_the_memory_unless_the_environment_says_no() {
    let tried =
        "fix (tried, no finding in 18 runs; the right answer is not known): change line 14 to `atomicAdd(a, 1);`";
    assert!(said(None).contains(tried), "{}", said(None));
    let untried = said(Some("LESSON_NO_TRY"));
    assert!(untried.contains("idea: an atomic operation") && !untried.contains("tried"), "{untried}");
}

#[test]
fn a_leak_is_said_when_its_context_ends() {
    let said = said_by("forgetful_program", None);
    assert!(said.contains("leak: the program never freed 1 allocation of this context, 28 bytes"), "{said}");
    assert!(said.contains("  28 bytes of device memory, allocation 2 of the context"), "{said}");
}

//! `LESSON_DEVICE` decides where no code does. The choice holds for a process, so each case is one of its own.

use cust::prelude::*;
use std::process::{Command, Output};

/// Runs `first_call` below in a new process.
fn with_device(value: &str) -> Output {
    let program = std::env::current_exe().expect("this test's own program");
    let arguments = ["--exact", "first_call", "--nocapture"];
    Command::new(program)
        .args(arguments)
        .env("LESSON_DEVICE", value)
        .env("LESSON_LANG", "en")
        .output()
        .expect("it starts")
}

/// Any machine has a device under `auto`, and no other code of this process chooses.
#[test]
fn first_call() {
    cust::init(CudaFlags::empty()).unwrap();
    println!("device: {}", Device::get_device(0).unwrap().name().unwrap());
    assert!(driver::exported().iter().any(|entry| entry.name == "cuLibraryLoadData") && driver::exported().len() > 353);
}

#[test]
fn the_emulator_by_name() {
    let output = with_device("emulator");
    assert!(output.status.success(), "{output:?}");
    let name = driver::emulated::profile().name;
    assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("device: {name}")), "{output:?}");
}

#[test]
fn a_word_that_is_no_device() {
    let output = with_device("cuda");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("error: LESSON_DEVICE: unknown device \"cuda\": expected auto, gpu or emulator"), "{said}");
}

//! Every C function of the library, called with what a broken program may pass: none may kill the program.

use libloading::Library;
use std::process::Command;

type Call = unsafe extern "C" fn(usize, usize, usize, usize, usize, usize, usize, usize) -> u64;

/// For the process that makes the calls.
const ONE: &str = "GPU_CHECK_CALL";

/// Cargo builds it for the tests, beside them.
fn library() -> std::path::PathBuf {
    std::env::current_exe().unwrap().with_file_name("libgpu_check.so")
}

/// Names that the library exports, without those that end or wait by what they are for.
fn names() -> Vec<String> {
    let runtime = gpu_check::runtime::functions().into_iter().map(|(name, _)| name);
    runtime.chain(driver::exported()).map(str::to_string).collect()
}

/// The calls of one process: all functions with these arguments.
fn call_all(argument: usize) {
    // SAFETY: a library of ours, whose constructor does nothing here.
    let library = unsafe { Library::new(library()) }.expect("the library loads");
    // One returns a structure, into room that only a call of its own type has.
    for name in names().into_iter().filter(|name| name != "cudaCreateChannelDesc") {
        // What it is given as a length would be that of the caller's own memory.
        if argument != 0
            && (name.contains("emcpy") || name.contains("MemHostRegister") || name.contains("HostRegister"))
        {
            continue;
        }
        // SAFETY: C functions of up to eleven arguments, called with as many as registers and the stack here have; none may
        // follow what is no pointer. `argument` is null, or room that any of them may fill.
        unsafe {
            let symbol = library.get::<Call>(name.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
            eprintln!("{name}");
            symbol(argument, argument, argument, argument, argument, argument, argument, argument);
        }
    }
}

#[test]
fn no_call_kills_the_program() {
    match std::env::var(ONE).as_deref() {
        Ok("null") => return call_all(0),
        Ok(_) => {
            let room = vec![0_u64; 1 << 13];
            return call_all(room.as_ptr() as usize);
        }
        Err(_) => {}
    }
    for what in ["null", "room"] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "no_call_kills_the_program", "--nocapture"]);
        let output = command.env(ONE, what).env("LESSON_DEVICE", "emulator").env("GPU_CHECK_REDIRECT", "off").output();
        let output = output.unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        let last = told.lines().rfind(|line| line.starts_with("cu") || line.starts_with("__cuda"));
        assert!(output.status.success(), "{what}: {} after {last:?}", output.status);
        assert!(told.lines().count() > 700, "{what}: all are called");
    }
}

#[test]
fn every_name_is_there_once() {
    let mut all = names();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

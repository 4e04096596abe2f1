//! Every C function of the library, called with what a broken program may pass: none may kill the program.

mod handles;

use driver::Entry;
use libloading::Library;
use std::process::Command;

type W = usize;
/// A function with the arguments that go in registers, and as many as any function takes on the stack.
type Call = unsafe extern "C" fn(W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W) -> u64;
const WORDS: usize = 16;

/// The environment variable that tells a child process which call to make.
const PASSED: &str = "GPU_CHECK_CALL";

fn entries() -> Vec<Entry> {
    gpu_check::runtime::functions().into_iter().chain(driver::exported()).collect()
}

/// Makes one call and answers what it returned.
///
/// # Safety
/// The function follows none of these words that is no pointer.
unsafe fn call(entry: &Entry, w: [W; WORDS]) -> u32 {
    eprintln!("{}", entry.name);
    // SAFETY: as above. What a function does not take is left where it is, by the calling conventions.
    unsafe {
        let call: Call = std::mem::transmute((entry.address)());
        call(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15])
            as u32
    }
}

/// All functions, each with this for every argument: null, or room that any of them may fill.
fn call_with(argument: usize) {
    // One returns a structure, into room that only a call of its own type has.
    for entry in entries().into_iter().filter(|entry| entry.name != "cudaCreateChannelDesc") {
        let name = entry.name;
        // A length would be that of the caller's own memory.
        if argument != 0 && (name.contains("emcpy") || name.contains("HostRegister")) {
            continue;
        }
        // SAFETY: as above.
        unsafe { call(&entry, [argument; WORDS]) };
    }
}

/// All functions that take a handle, each with every one of these for it. Answers who called which of them a success.
fn call_with_each(make: impl Fn() -> Vec<usize>) -> Vec<(&'static str, usize)> {
    // Before the handles, or it might lie where memory was freed.
    let mut room = handles::Room::new();
    let mut taken = Vec::new();
    for entry in entries() {
        let Some(arguments) = handles::Arguments::of(&entry) else { continue };
        // Anew, for some functions destroy what they are given.
        for handle in make() {
            room.clear();
            // SAFETY: room behind each pointer, and a handle is looked up.
            if unsafe { call(&entry, arguments.words(handle, &mut room)) } == 0 {
                taken.push((entry.name, handle));
            }
        }
    }
    taken
}

/// The calls of a process of its own: what it said, in which each function is named before it is called.
fn apart(test: &str, what: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]);
    let output = command.env(PASSED, what).env("LESSON_DEVICE", "emulator").output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = told.lines().rfind(|line| line.starts_with("cu") || line.starts_with("__cuda"));
    assert!(output.status.success(), "{what}: {} after {last:?}\n{told}", output.status);
    told
}

#[test]
fn no_call_kills_the_program() {
    match std::env::var(PASSED).as_deref() {
        Ok("null") => return call_with(0),
        Ok(_) => {
            let room = vec![0_u64; 1 << 13];
            return call_with(room.as_ptr() as usize);
        }
        Err(_) => {}
    }
    for what in ["null", "room"] {
        assert!(apart("no_call_kills_the_program", what).lines().count() > 700, "{what}: all are called");
    }
}

#[test]
fn a_handle_that_is_none_is_refused() {
    let taken = match std::env::var(PASSED).as_deref() {
        Ok("wild") => call_with_each(handles::wild),
        Ok("stale") => call_with_each(|| handles::one_of_each(true)),
        Ok(_) => {
            let taken = call_with_each(|| handles::one_of_each(false));
            let twice = |name| taken.iter().filter(|of| of.0 == name).count() > 2;
            // Device and managed memory are alike, and a kernel of a library may stand for a function.
            let wrong: Vec<_> = taken.iter().filter(|of| twice(of.0)).collect();
            assert!(wrong.is_empty() && taken.len() > 100, "one of {}: {wrong:x?}", taken.len());
            return;
        }
        Err(_) => {
            for what in ["wild", "stale", "another's"] {
                let told = apart("a_handle_that_is_none_is_refused", what);
                assert!(told.lines().count() > 1500, "{what}: all are called");
            }
            return;
        }
    };
    assert!(taken.is_empty(), "{taken:x?}");
}

#[test]
fn the_library_exports_every_name() {
    let path = std::env::current_exe().unwrap().with_file_name("libgpu_check.so");
    // SAFETY: a library of ours, whose constructor does nothing here.
    let library = unsafe { Library::new(path) }.expect("the library loads");
    for Entry { name, .. } in entries() {
        // SAFETY: it is not called.
        assert!(unsafe { library.get::<Call>(name.as_bytes()) }.is_ok(), "{name}");
    }
}

#[test]
fn every_name_is_there_once() {
    let mut all: Vec<_> = entries().iter().map(|entry| entry.name).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

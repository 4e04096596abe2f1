//! libNVVM (`libnvvm.so`): PTX where LTO-IR is asked for (`-gen-lto`), which the emulated GPU cannot run.
//!
//! A program may have several of these libraries, as with [`super::nvrtc`].

use super::options::without;
use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

type Handle = *mut c_void;
type Compile = unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> c_int;

/// `NVVM_ERROR_INVALID_INPUT`
const INVALID_INPUT: c_int = 4;

/// NVIDIA's functions of one library.
struct NvvmLibrary {
    compile: Compile,
    verify: Compile,
}

/// More libraries than a program has. Those beyond stay as they are.
const MOST: usize = 4;

static LIBRARIES: [OnceLock<NvvmLibrary>; MOST] = [const { OnceLock::new() }; MOST];

const FUNCTIONS: [[(&str, Compile); 2]; MOST] =
    [functions::<0>(), functions::<1>(), functions::<2>(), functions::<3>()];

const fn functions<const AT: usize>() -> [(&'static str, Compile); 2] {
    [("nvvmCompileProgram", compile::<AT>), ("nvvmVerifyProgram", verify::<AT>)]
}

/// Returns the functions of ours for a library, whose own are found by name. None if it is no libNVVM.
pub fn replacement(address: impl Fn(&str) -> Option<usize>) -> Vec<(&'static str, usize)> {
    // SAFETY: addresses of these functions, by their names, whose type nvvm.h declares.
    let function = |name| Some(unsafe { std::mem::transmute::<usize, Compile>(address(name)?) });
    let library =
        || Some(NvvmLibrary { compile: function("nvvmCompileProgram")?, verify: function("nvvmVerifyProgram")? });
    let Some(mut library) = library() else { return Vec::new() };
    for (place, functions) in LIBRARIES.iter().zip(FUNCTIONS) {
        match place.set(library) {
            Ok(()) => return functions.map(|(name, function)| (name, function as *const () as usize)).to_vec(),
            Err(taken) => library = taken,
        }
    }
    Vec::new()
}

fn is_lto(option: &str) -> bool {
    option.trim_start_matches('-') == "gen-lto"
}

unsafe extern "C" fn compile<const AT: usize>(program: Handle, count: c_int, options: *const *const c_char) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    // SAFETY: `count` texts that end with NUL, by the caller.
    unsafe {
        let (options, _) = without(count, options, is_lto);
        (library.compile)(program, options.len() as c_int, options.as_ptr())
    }
}

unsafe extern "C" fn verify<const AT: usize>(program: Handle, count: c_int, options: *const *const c_char) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    // SAFETY: `count` texts that end with NUL, by the caller.
    unsafe {
        let (options, _) = without(count, options, is_lto);
        (library.verify)(program, options.len() as c_int, options.as_ptr())
    }
}

//! NVRTC (`libnvrtc.so`): the PTX of a program that was compiled for a real architecture, in place of its machine code,
//! and of one that was compiled for link-time optimisation, in place of LTO-IR.
//!
//! A program may have several of these libraries, whose handles are their own. So each library has functions of its
//! own here, which know NVIDIA's.

use super::options::without;
use std::collections::HashSet;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

type Handle = *mut c_void;
type Compile = unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> c_int;
type GetSize = unsafe extern "C" fn(Handle, *mut usize) -> c_int;
type GetText = unsafe extern "C" fn(Handle, *mut c_char) -> c_int;

/// `NVRTC_ERROR_INVALID_INPUT`
const INVALID_INPUT: c_int = 3;

/// NVIDIA's functions of one library.
struct NvrtcLibrary {
    compile: Compile,
    cubin: GetText,
    cubin_size: GetSize,
    ptx: GetText,
    ptx_size: GetSize,
    /// CUDA 11 has none.
    lto: Option<GetText>,
    lto_size: Option<GetSize>,
    /// Programs that were compiled to PTX and not to LTO-IR.
    for_linking: Mutex<HashSet<usize>>,
}

impl NvrtcLibrary {
    fn is_for_linking(&self, program: Handle) -> bool {
        self.for_linking.lock().unwrap_or_else(PoisonError::into_inner).contains(&program.addr())
    }
}

/// More libraries than a program has. Those beyond stay as they are.
const MOST: usize = 4;

static LIBRARIES: [OnceLock<NvrtcLibrary>; MOST] = [const { OnceLock::new() }; MOST];

const FUNCTIONS: [[(&str, Function); 5]; MOST] =
    [functions::<0>(), functions::<1>(), functions::<2>(), functions::<3>()];

#[derive(Clone, Copy)]
enum Function {
    Compile(Compile),
    Size(GetSize),
    Text(GetText),
}

impl Function {
    fn address(self) -> usize {
        match self {
            Function::Compile(function) => function as *const () as usize,
            Function::Size(function) => function as *const () as usize,
            Function::Text(function) => function as *const () as usize,
        }
    }
}

const fn functions<const AT: usize>() -> [(&'static str, Function); 5] {
    [
        ("nvrtcCompileProgram", Function::Compile(compile::<AT>)),
        ("nvrtcGetCUBINSize", Function::Size(size::<AT>)),
        ("nvrtcGetCUBIN", Function::Text(fetch::<AT>)),
        ("nvrtcGetLTOIRSize", Function::Size(lto_size::<AT>)),
        ("nvrtcGetLTOIR", Function::Text(fetch_lto::<AT>)),
    ]
}

/// Returns the functions of ours for a library, whose own are found by name. None if it is no NVRTC.
pub fn replacement(address: impl Fn(&str) -> Option<usize>) -> Vec<(&'static str, usize)> {
    // SAFETY: addresses of these functions, by their names, whose types nvrtc.h declares.
    let fetch = |name| Some(unsafe { std::mem::transmute::<usize, GetText>(address(name)?) });
    // SAFETY: as above.
    let size = |name| Some(unsafe { std::mem::transmute::<usize, GetSize>(address(name)?) });
    // SAFETY: as above.
    let compile = |name| Some(unsafe { std::mem::transmute::<usize, Compile>(address(name)?) });
    let library = || {
        Some(NvrtcLibrary {
            compile: compile("nvrtcCompileProgram")?,
            cubin: fetch("nvrtcGetCUBIN")?,
            cubin_size: size("nvrtcGetCUBINSize")?,
            ptx: fetch("nvrtcGetPTX")?,
            ptx_size: size("nvrtcGetPTXSize")?,
            lto: fetch("nvrtcGetLTOIR"),
            lto_size: size("nvrtcGetLTOIRSize"),
            for_linking: Mutex::default(),
        })
    };
    let Some(mut library) = library() else { return Vec::new() };
    for (place, functions) in LIBRARIES.iter().zip(FUNCTIONS) {
        match place.set(library) {
            Ok(()) => return functions.map(|(name, function)| (name, function.address())).to_vec(),
            Err(taken) => library = taken,
        }
    }
    Vec::new()
}

/// Returns true for an option that asks for LTO-IR, in any of its forms.
fn is_lto(option: &str) -> bool {
    matches!(option.trim_start_matches('-'), "dlto" | "dlink-time-opt" | "gen-opt-lto")
}

/// Compiles to PTX where LTO-IR is asked for: relocatable, as LTO-IR is, so that its functions can be linked.
unsafe extern "C" fn compile<const AT: usize>(program: Handle, count: c_int, options: *const *const c_char) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    // SAFETY: `count` texts that end with NUL, by the caller.
    let (mut others, is_for_linking) = unsafe { without(count, options, is_lto) };
    {
        let mut programs = library.for_linking.lock().unwrap_or_else(PoisonError::into_inner);
        if is_for_linking {
            others.push(c"-rdc=true".as_ptr());
            programs.insert(program.addr());
        } else {
            programs.remove(&program.addr());
        }
    }
    // SAFETY: texts of the caller's, and one more.
    unsafe { (library.compile)(program, others.len() as c_int, others.as_ptr()) }
}

/// Gives the size of the PTX that stands for LTO-IR. Else there is none, or it is NVIDIA's.
unsafe extern "C" fn lto_size<const AT: usize>(program: Handle, bytes: *mut usize) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    let function = if library.is_for_linking(program) { Some(library.ptx_size) } else { library.lto_size };
    // SAFETY: passed on as they came.
    function.map_or(INVALID_INPUT, |function| unsafe { function(program, bytes) })
}

unsafe extern "C" fn fetch_lto<const AT: usize>(program: Handle, to: *mut c_char) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    let function = if library.is_for_linking(program) { Some(library.ptx) } else { library.lto };
    // SAFETY: passed on as they came.
    function.map_or(INVALID_INPUT, |function| unsafe { function(program, to) })
}

/// Gives the size of the PTX, if the program was compiled for a real architecture. Else there is no machine code, and
/// the size is 0 as NVIDIA's function says.
unsafe extern "C" fn size<const AT: usize>(program: Handle, bytes: *mut usize) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    // SAFETY: passed on as they came.
    let code = unsafe { (library.cubin_size)(program, bytes) };
    // SAFETY: NVIDIA's function has written it, by its code.
    if code != 0 || bytes.is_null() || unsafe { bytes.read_unaligned() } == 0 {
        return code;
    }
    // SAFETY: passed on as they came.
    unsafe { (library.ptx_size)(program, bytes) }
}

/// Gives the PTX. Its size counts the NUL at its end.
unsafe extern "C" fn fetch<const AT: usize>(program: Handle, to: *mut c_char) -> c_int {
    let Some(library) = LIBRARIES[AT].get() else { return INVALID_INPUT };
    let mut bytes = 0;
    // SAFETY: passed on as it came, and an out-pointer to a local.
    let code = unsafe { (library.cubin_size)(program, &mut bytes) };
    // SAFETY: passed on as they came.
    unsafe { if code == 0 && bytes != 0 { (library.ptx)(program, to) } else { (library.cubin)(program, to) } }
}

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The next file after this one in the order of search.
const RTLD_NEXT: *mut c_void = usize::MAX as *mut c_void;

/// Returns a function of the NVRTC that the program is linked with, as others look it up. A library that was loaded
/// later may have brought another NVRTC along, which only its own files look up: then it is the one loaded last.
fn linked<T: Copy>(name: &CStr) -> Option<T> {
    const { assert!(size_of::<T>() == size_of::<usize>()) };
    // SAFETY: a name that ends with NUL.
    let address = unsafe { dlsym(RTLD_NEXT, name.as_ptr()) } as usize;
    let ours = |name: &str| {
        let last = LIBRARIES.iter().zip(FUNCTIONS).rev().find(|(library, _)| library.get().is_some())?;
        last.1.into_iter().find(|(ours, _)| *ours == name).map(|(_, function)| function.address())
    };
    let address = if address == 0 { ours(name.to_str().ok()?)? } else { address };
    // SAFETY: a function of this name, whose type the caller takes from nvrtc.h.
    Some(unsafe { std::mem::transmute_copy(&address) })
}

/// Defines functions for programs that are linked with NVRTC: these come first, and the loader may have looked up
/// NVIDIA's before they were replaced.
macro_rules! passed_on {
    ($($name:ident, $symbol:literal: $ty:ty, ($($arg:ident: $arg_ty:ty),*))*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($arg: $arg_ty),*) -> c_int {
                let Some(next) = linked::<$ty>($symbol) else { return INVALID_INPUT };
                // SAFETY: passed on as they came.
                unsafe { next($($arg),*) }
            }
        )*
    };
}

passed_on! {
    nvrtcCompileProgram, c"nvrtcCompileProgram": Compile, (program: Handle, count: c_int, options: *const *const c_char)
    nvrtcGetCUBINSize, c"nvrtcGetCUBINSize": GetSize, (program: Handle, bytes: *mut usize)
    nvrtcGetCUBIN, c"nvrtcGetCUBIN": GetText, (program: Handle, to: *mut c_char)
    nvrtcGetLTOIRSize, c"nvrtcGetLTOIRSize": GetSize, (program: Handle, bytes: *mut usize)
    nvrtcGetLTOIR, c"nvrtcGetLTOIR": GetText, (program: Handle, to: *mut c_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_for_lto_are_known() {
        for option in ["-dlto", "--dlto", "--dlink-time-opt", "--gen-opt-lto"] {
            assert!(is_lto(option), "{option}");
        }
        assert!(!is_lto("-DLTO") && !is_lto("-rdc=true"));
    }
}

//! NVRTC (`libnvrtc.so`): the PTX of a program that was compiled for a real architecture, in place of its machine code.
//!
//! A program may have several of these libraries, whose handles are their own. So each library has functions of its
//! own here, which know NVIDIA's.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

type Handle = *mut c_void;
type GetSize = unsafe extern "C" fn(Handle, *mut usize) -> c_int;
type GetText = unsafe extern "C" fn(Handle, *mut c_char) -> c_int;

/// `NVRTC_ERROR_INVALID_INPUT`
const INVALID_INPUT: c_int = 3;

/// NVIDIA's functions of one library.
struct NvrtcLibrary {
    cubin: GetText,
    cubin_size: GetSize,
    ptx: GetText,
    ptx_size: GetSize,
}

/// More libraries than a program has. Those beyond stay as they are.
const MOST: usize = 4;

static LIBRARIES: [OnceLock<NvrtcLibrary>; MOST] = [const { OnceLock::new() }; MOST];

const FUNCTIONS: [[(&str, Function); 2]; MOST] =
    [functions::<0>(), functions::<1>(), functions::<2>(), functions::<3>()];

#[derive(Clone, Copy)]
enum Function {
    Size(GetSize),
    Text(GetText),
}

impl Function {
    fn address(self) -> usize {
        match self {
            Function::Size(function) => function as *const () as usize,
            Function::Text(function) => function as *const () as usize,
        }
    }
}

const fn functions<const AT: usize>() -> [(&'static str, Function); 2] {
    [("nvrtcGetCUBINSize", Function::Size(size::<AT>)), ("nvrtcGetCUBIN", Function::Text(fetch::<AT>))]
}

/// Returns the functions of ours for a library, whose own are found by name. None if it is no NVRTC.
pub fn replacement(address: impl Fn(&str) -> Option<usize>) -> Vec<(&'static str, usize)> {
    // SAFETY: addresses of these functions, by their names, whose types nvrtc.h declares.
    let fetch = |name| Some(unsafe { std::mem::transmute::<usize, GetText>(address(name)?) });
    // SAFETY: as above.
    let size = |name| Some(unsafe { std::mem::transmute::<usize, GetSize>(address(name)?) });
    let library = || {
        Some(NvrtcLibrary {
            cubin: fetch("nvrtcGetCUBIN")?,
            cubin_size: size("nvrtcGetCUBINSize")?,
            ptx: fetch("nvrtcGetPTX")?,
            ptx_size: size("nvrtcGetPTXSize")?,
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

/// Returns a function of the NVRTC that the program is linked with, as others look it up.
fn linked<T: Copy>(name: &CStr) -> Option<T> {
    const { assert!(size_of::<T>() == size_of::<usize>()) };
    // SAFETY: a name that ends with NUL.
    let address = unsafe { dlsym(RTLD_NEXT, name.as_ptr()) };
    // SAFETY: a function of this name, whose type the caller takes from nvrtc.h.
    (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
}

/// For programs that are linked with NVRTC: these come first, and the loader may have looked up NVIDIA's before they
/// were replaced.
#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetCUBINSize(program: Handle, bytes: *mut usize) -> c_int {
    let Some(next) = linked::<GetSize>(c"nvrtcGetCUBINSize") else { return INVALID_INPUT };
    // SAFETY: passed on as they came.
    unsafe { next(program, bytes) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvrtcGetCUBIN(program: Handle, to: *mut c_char) -> c_int {
    let Some(next) = linked::<GetText>(c"nvrtcGetCUBIN") else { return INVALID_INPUT };
    // SAFETY: passed on as they came.
    unsafe { next(program, to) }
}

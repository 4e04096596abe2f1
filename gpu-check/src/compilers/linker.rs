//! `libnvJitLink`, by which Python's packages link kernels: NVIDIA's makes machine code, which the emulated GPU cannot
//! run. Ours is the driver's linker under those names, so what it gives is PTX. A caller finds it since the addresses
//! in NVIDIA's are replaced ([`super::replaced`]).
//!
//! NVIDIA's own says its version and judges the options that a linker is created with. So there is no linker without
//! that library, and a program does without it as on any machine that lacks it.
//!
//! NVIDIA's compilers are made to give PTX in place of code for link-time optimisation ([`super::nvvm`],
//! [`super::nvrtc`]), and it is linked like other PTX. LTO-IR that was made elsewhere is NVIDIA's own format. It is
//! refused, and a message says so.

use crate::cu::{self, Handle};
use crate::record;
use crate::runtime;
use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::panic::catch_unwind;
use std::ptr::{null, null_mut};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock};

/// `nvJitLinkResult`
const SUCCESS: c_int = 0;
const INVALID_INPUT: c_int = 3;
const PTX_COMPILE: c_int = 4;
const INTERNAL: c_int = 6;

/// `nvJitLinkInputType`. `CUjitInputType` has the same kinds in the same order, without LTO-IR: it begins with machine
/// code, which is 0, and PTX.
const CUBIN: c_int = 1;
const PTX: c_int = 2;
const LTO: [c_int; 2] = [3, 8];
const FAT_BINARY: c_int = 4;
const LIBRARY: c_int = 6;
const ANY: c_int = 10;
/// `CU_JIT_MAX_REGISTERS`
const JIT_MAX_REGISTERS: c_int = 0;

struct Linker {
    state: usize,
    /// The linked image, with its NUL.
    image: Vec<u8>,
}

fn linkers() -> MutexGuard<'static, BTreeMap<usize, Linker>> {
    static LINKERS: Mutex<BTreeMap<usize, Linker>> = Mutex::new(BTreeMap::new());
    LINKERS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

type LinkerResult<T = ()> = Result<T, c_int>;

fn answer(call: impl FnOnce() -> LinkerResult + std::panic::UnwindSafe) -> c_int {
    match catch_unwind(call) {
        Ok(Ok(())) => SUCCESS,
        Ok(Err(code)) => code,
        Err(_) => INTERNAL,
    }
}

/// Writes to an out-pointer of the caller's.
unsafe fn give<T>(pointer: *mut T, value: T) -> LinkerResult {
    if pointer.is_null() {
        return Err(INVALID_INPUT);
    }
    // SAFETY: writable, by the caller.
    unsafe { pointer.write_unaligned(value) };
    Ok(())
}

/// The first bytes of LTO-IR.
const LTO_MAGIC: &[u8] = b"\xedCN\x7f";

fn add(handle: usize, kind: c_int, data: &[u8]) -> LinkerResult {
    let linkers = linkers();
    let linker = linkers.get(&handle).ok_or(INVALID_INPUT)?;
    let is_lto = data.starts_with(LTO_MAGIC);
    let kind = match kind {
        // Made here, it is text.
        kind if LTO.contains(&kind) && is_ptx(data) => PTX - 1,
        CUBIN..=PTX | FAT_BINARY..=LIBRARY | ANY if is_lto => return Err(refused(&say!("lto"))),
        CUBIN..=PTX => kind - 1,
        FAT_BINARY..=LIBRARY => kind - 2,
        // The driver's linker looks at the bytes first, and takes the rest for text.
        ANY => PTX - 1,
        other => return Err(refused(&if LTO.contains(&other) { say!("lto") } else { say!("no-ptx") })),
    };
    let (state, start) = (linker.state as Handle, data.as_ptr().cast_mut().cast());
    // SAFETY: `data`, which is only read.
    let code = unsafe { cu::cuLinkAddData_v2(state, kind, start, data.len(), null(), 0, null_mut(), null_mut()) };
    if code == 0 { Ok(()) } else { Err(PTX_COMPILE) }
}

/// Says why an input is refused.
fn refused(why: &str) -> c_int {
    words::complain(why);
    record::unsupported("nvJitLinkAddData", "NVJITLINK_ERROR_INVALID_INPUT");
    INVALID_INPUT
}

fn is_ptx(data: &[u8]) -> bool {
    std::str::from_utf8(data).is_ok_and(|text| text.contains(".version"))
}

/// Returns the value of the last `-maxrregcount=N` option.
///
/// # Safety
/// `options` points to `count` texts that end with NUL.
unsafe fn max_registers(count: u32, options: *const *const c_char) -> Option<usize> {
    let read = |at: usize| {
        // SAFETY: by the caller.
        let text = unsafe { CStr::from_ptr(options.add(at).read()) }.to_str().ok()?;
        text.trim_start_matches('-').strip_prefix("maxrregcount=")?.trim().parse().ok()
    };
    (0..count as usize).rev().filter(|_| !options.is_null()).find_map(read)
}

fn complete(handle: usize) -> LinkerResult {
    let mut linkers = linkers();
    let linker = linkers.get_mut(&handle).ok_or(INVALID_INPUT)?;
    let (mut image, mut bytes) = (null_mut(), 0);
    // SAFETY: out-pointers to locals. The image stays as long as the state, and is copied.
    unsafe {
        if cu::cuLinkComplete(linker.state as Handle, &mut image, &mut bytes) != 0 {
            return Err(PTX_COMPILE);
        }
        linker.image = std::slice::from_raw_parts(image.cast(), bytes).to_vec();
    }
    Ok(())
}

fn image(handle: usize, use_it: impl FnOnce(&[u8]) -> LinkerResult) -> LinkerResult {
    let linkers = linkers();
    let linker = linkers.get(&handle).filter(|linker| !linker.image.is_empty()).ok_or(INVALID_INPUT)?;
    use_it(&linker.image)
}

/// # Safety
/// `to` has room for the whole image, as its size was told.
unsafe fn copy_image(handle: usize, to: *mut u8) -> LinkerResult {
    image(handle, |image| {
        if to.is_null() {
            return Err(INVALID_INPUT);
        }
        // SAFETY: by the caller.
        unsafe { std::ptr::copy_nonoverlapping(image.as_ptr(), to, image.len()) };
        Ok(())
    })
}

type Create = unsafe extern "C" fn(*mut usize, u32, *const *const c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut usize) -> c_int;

/// NVIDIA's functions of one library.
struct NvJitLinkLibrary {
    create: Create,
    destroy: Destroy,
}

/// More libraries than a program has. Those beyond stay as they are.
const MOST: usize = 4;

static LIBRARIES: [OnceLock<NvJitLinkLibrary>; MOST] = [const { OnceLock::new() }; MOST];

/// The functions of ours by which a linker begins, one for each library.
const CREATE: [Create; MOST] = [create::<0>, create::<1>, create::<2>, create::<3>];

/// Returns the functions of ours for a library, whose own are found by name. None if it is no nvJitLink.
pub fn replacement(address: impl Fn(&str) -> Option<usize>) -> Vec<(&'static str, usize)> {
    let (Some(create), Some(destroy)) = (address("nvJitLinkCreate"), address("nvJitLinkDestroy")) else {
        return Vec::new();
    };
    // SAFETY: addresses of these functions, by their names, whose types nvJitLink.h declares.
    let mut library = unsafe {
        NvJitLinkLibrary {
            create: std::mem::transmute::<usize, Create>(create),
            destroy: std::mem::transmute::<usize, Destroy>(destroy),
        }
    };
    for (place, create) in LIBRARIES.iter().zip(CREATE) {
        match place.set(library) {
            Ok(()) => {
                let create = ("nvJitLinkCreate", create as *const () as usize);
                return functions().iter().copied().chain([create]).collect();
            }
            Err(taken) => library = taken,
        }
    }
    Vec::new()
}

/// Creates a linker, if NVIDIA's library creates one with these options: they are many, and differ by its version.
unsafe extern "C" fn create<const AT: usize>(handle: *mut usize, count: u32, options: *const *const c_char) -> c_int {
    answer(|| {
        let library = LIBRARIES[AT].get().ok_or(INTERNAL)?;
        let mut judge = 0;
        // SAFETY: the caller's options, and a handle that is used for nothing else.
        unsafe {
            match (library.create)(&mut judge, count, options) {
                SUCCESS => (library.destroy)(&mut judge),
                code => return Err(code),
            };
        }
        runtime::context().map_err(|_| INTERNAL)?;
        // SAFETY: `count` texts that end with NUL, by the caller.
        let most = unsafe { max_registers(count, options) };
        let (mut name, mut value) = (JIT_MAX_REGISTERS, most.unwrap_or(0) as *mut c_void);
        let mut state = null_mut();
        // SAFETY: at most one option, and an out-pointer to a local.
        if unsafe { cu::cuLinkCreate_v2(most.is_some().into(), &mut name, &mut value, &mut state) } != 0 {
            return Err(INTERNAL);
        }
        linkers().insert(state as usize, Linker { state: state as usize, image: Vec::new() });
        // SAFETY: an out-pointer of the caller.
        unsafe { give(handle, state as usize) }
    })
}

macro_rules! entries {
    ($($name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {
        $(
            #[allow(non_snake_case)]
            unsafe extern "C" fn $name($($arg: $ty),*) -> c_int {
                answer(|| $body)
            }
        )*
        /// Returns the functions that know no library by their names, without a version.
        fn functions() -> &'static [(&'static str, usize)] {
            static FUNCTIONS: LazyLock<Vec<(&str, usize)>> =
                LazyLock::new(|| vec![$((stringify!($name), $name as *const () as usize)),*]);
            &FUNCTIONS
        }
    };
}

entries! {
    nvJitLinkDestroy(handle: *mut usize) {
        if handle.is_null() {
            return Err(INVALID_INPUT);
        }
        // SAFETY: in and out, by the caller.
        let linker = linkers().remove(&unsafe { handle.read_unaligned() }).ok_or(INVALID_INPUT)?;
        // SAFETY: made above, and not used again.
        unsafe {
            cu::cuLinkDestroy(linker.state as Handle);
            give(handle, 0)
        }
    }
    nvJitLinkAddData(handle: usize, kind: c_int, data: *const c_void, bytes: usize, _name: *const c_char) {
        if data.is_null() {
            return Err(INVALID_INPUT);
        }
        // SAFETY: `bytes` of the caller's.
        add(handle, kind, unsafe { std::slice::from_raw_parts(data.cast(), bytes) })
    }
    nvJitLinkAddFile(handle: usize, kind: c_int, path: *const c_char) {
        if path.is_null() {
            return Err(INVALID_INPUT);
        }
        // SAFETY: text that ends with NUL, by the caller.
        let path = OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes());
        add(handle, kind, &std::fs::read(path).map_err(|_| INVALID_INPUT)?)
    }
    nvJitLinkComplete(handle: usize) { complete(handle) }
    nvJitLinkGetLinkedCubinSize(handle: usize, size: *mut usize) {
        // SAFETY: an out-pointer of the caller.
        image(handle, |image| unsafe { give(size, image.len()) })
    }
    nvJitLinkGetLinkedPtxSize(handle: usize, size: *mut usize) {
        // SAFETY: an out-pointer of the caller.
        image(handle, |image| unsafe { give(size, image.len()) })
    }
    nvJitLinkGetLinkedCubin(handle: usize, to: *mut u8) {
        // SAFETY: by the caller.
        unsafe { copy_image(handle, to) }
    }
    nvJitLinkGetLinkedPtx(handle: usize, to: *mut u8) {
        // SAFETY: by the caller.
        unsafe { copy_image(handle, to) }
    }
    nvJitLinkGetLinkedLTOIRSize(handle: usize, size: *mut usize) {
        // SAFETY: an out-pointer of the caller.
        image(handle, |image| unsafe { give(size, image.len()) })
    }
    nvJitLinkGetLinkedLTOIR(handle: usize, to: *mut u8) {
        // SAFETY: by the caller.
        unsafe { copy_image(handle, to) }
    }
    // The errors went to stderr.
    nvJitLinkGetErrorLogSize(_handle: usize, size: *mut usize) {
        // SAFETY: an out-pointer of the caller.
        unsafe { give(size, 1) }
    }
    nvJitLinkGetErrorLog(_handle: usize, text: *mut c_char) {
        // SAFETY: an out-pointer of the caller.
        unsafe { give(text, 0) }
    }
    nvJitLinkGetInfoLogSize(_handle: usize, size: *mut usize) {
        // SAFETY: an out-pointer of the caller.
        unsafe { give(size, 1) }
    }
    nvJitLinkGetInfoLog(_handle: usize, text: *mut c_char) {
        // SAFETY: an out-pointer of the caller.
        unsafe { give(text, 0) }
    }
}

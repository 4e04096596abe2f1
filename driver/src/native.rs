//! The machine's own driver: `libcuda.so.1`, opened when it is first needed.

use crate::emulated::calls::error;
use cust_raw::CUresult;
use libloading::Library;
use std::ffi::c_void;
use std::sync::OnceLock;

/// The places to look for the driver. WSL2 keeps the driver of the Windows host in a folder of its own.
const PLACES: [&str; 2] = ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"];

/// Opens the driver's library; the error is the loader's own words.
pub(crate) fn open() -> Result<&'static Library, String> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    let opened = LIBRARY.get_or_init(|| {
        let mut first = None;
        for place in PLACES {
            match open_at(place) {
                Ok(library) => return Ok(library),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or_default())
    });
    opened.as_ref().map_err(String::clone)
}

/// A library built from this crate exports this, and a driver does not.
#[unsafe(no_mangle)]
extern "C" fn lesson_stands_in_for_libcuda() {}

/// If this crate is built as a `libcuda.so.1`, the loader may find that one. Asking it for a device would ask
/// ourselves.
fn open_at(place: &str) -> Result<Library, String> {
    // SAFETY: loading the vendor's driver runs its initialisers, which is what every CUDA program does.
    let library = unsafe { Library::new(place) }.map_err(|error| error.to_string())?;
    // SAFETY: only its presence is of interest.
    let is_ours = unsafe { library.get::<*const c_void>(b"lesson_stands_in_for_libcuda\0") }.is_ok();
    if is_ours { Err(say!("own-library", place)) } else { Ok(library) }
}

/// One function of the driver, looked up at its first call.
pub(crate) struct Symbol {
    name: &'static str,
    address: OnceLock<Option<usize>>,
}

impl Symbol {
    pub(crate) const fn new(name: &'static str) -> Symbol {
        Symbol { name, address: OnceLock::new() }
    }

    /// `None` where this driver is too old to have it.
    pub(crate) fn find(&self, library: &Library) -> Option<*const c_void> {
        let address = self.address.get_or_init(|| {
            // SAFETY: only the address is taken here; the table that calls it states its type.
            unsafe { library.get::<*const c_void>(self.name.as_bytes()) }.ok().map(|symbol| *symbol as usize)
        });
        address.map(|address| address as *const c_void)
    }
}

/// A driver newer than `cust_raw` may return a code that its enum lacks, and reading that would be undefined behaviour.
pub(crate) fn result(code: u32) -> CUresult {
    error::from_code(code).unwrap_or_else(|| {
        words::complain(&say!("unknown-error", code));
        CUresult::CUDA_ERROR_UNKNOWN
    })
}

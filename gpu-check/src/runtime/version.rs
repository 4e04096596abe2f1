//! The version of the runtime ("Version Management"): that of the one in whose place this is.
//!
//! Runtimes that are replaced may be several, each with a version of its own. So each version has a function.

use super::call::{RuntimeResult, answer, give};
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

/// More versions than the runtimes of one program have.
const MOST: usize = 8;

static VERSIONS: [OnceLock<c_int>; MOST] = [const { OnceLock::new() }; MOST];

type GetVersion = unsafe extern "C" fn(*mut c_int) -> u32;

const FUNCTIONS: [GetVersion; MOST] = [
    version_of::<0>,
    version_of::<1>,
    version_of::<2>,
    version_of::<3>,
    version_of::<4>,
    version_of::<5>,
    version_of::<6>,
    version_of::<7>,
];

unsafe extern "C" fn version_of<const AT: usize>(version: *mut c_int) -> u32 {
    let own = VERSIONS[AT].get().copied().unwrap_or(NEWEST);
    // SAFETY: an out-pointer of the caller.
    answer("cudaRuntimeGetVersion", || unsafe { give(version, own) })
}

/// Returns the function that tells a version. None if there are too many.
pub fn function_for(version: c_int) -> Option<usize> {
    let place = VERSIONS.iter().position(|place| *place.get_or_init(|| version) == version)?;
    Some(FUNCTIONS[place] as *const () as usize)
}

/// The version of `libcudart.so.13`, and of a library that is loaded under no name that tells one.
pub const NEWEST: c_int = 13000;

/// The version of `libcudart.so.12`.
const OLDER: c_int = 12090;

static LINKED: AtomicI32 = AtomicI32::new(NEWEST);

/// Takes note of a file that is linked with the runtime's library of this number.
pub fn know_linked(number: u32) {
    LINKED.store(if number < 13 { OLDER } else { NEWEST }, Ordering::Relaxed);
}

/// Tells the version of the library with which the program is linked.
pub unsafe fn linked(version: *mut c_int) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller.
    unsafe { give(version, LINKED.load(Ordering::Relaxed)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_a_function() {
        let told = |address: usize| {
            let mut version = 0;
            // SAFETY: one of the functions above.
            let function = unsafe { std::mem::transmute::<usize, GetVersion>(address) };
            // SAFETY: an out-pointer to a local.
            assert_eq!(unsafe { function(&mut version) }, 0);
            version
        };
        let [older, newer] = [12060, 13050].map(|version| function_for(version).unwrap());
        assert_eq!((told(older), told(newer)), (12060, 13050));
        assert_eq!(function_for(12060), Some(older));
    }
}

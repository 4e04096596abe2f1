//! The version of a runtime that is replaced, as it would tell it.

use super::loaded::Object;
use std::ffi::c_int;

/// The function that tells it.
pub const FUNCTION: &str = "cudaRuntimeGetVersion";

/// No runtime has more code in this function.
const LENGTH: usize = 512;

/// Reads the version of a runtime whose functions are given. None if its code is not as expected.
///
/// # Safety
/// The file stays loaded as long as this runs, and its functions are as they were.
pub unsafe fn of(object: &Object, functions: &[(&str, usize)]) -> Option<c_int> {
    let (_, at) = *functions.iter().find(|(name, _)| *name == FUNCTION)?;
    let code = object.constant.iter().find(|segment| segment.is_code && segment.range.contains(&at))?;
    // SAFETY: by the caller.
    if cfg!(target_arch = "x86_64") { read(unsafe { code.bytes() }, at - code.range.start) } else { None }
}

/// Reads the version from the function at a place of the code. It calls another (`call offset`), which begins with a
/// test of its argument and stores the version (`mov dword [rdi], version`).
fn read(code: &[u8], at: usize) -> Option<c_int> {
    let called = |next: usize| {
        let &[0xe8, a, b, c, d] = code.get(next.checked_sub(5)?..next)? else { return None };
        let callee = code.get(next.checked_add_signed(i32::from_le_bytes([a, b, c, d]) as isize)?..)?;
        // test rdi, rdi; je; mov
        let &[0x48, 0x85, 0xff, 0x74, _, 0xc7, 0x07, a, b, c, d, ..] = callee else { return None };
        Some(c_int::from_le_bytes([a, b, c, d]))
    };
    (at + 5..at + LENGTH).find_map(called).filter(|version| (10_000..100_000).contains(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_what_the_called_function_stores() {
        let mut code = vec![0x55, 0xe8, 0x0a, 0, 0, 0, 0xe8, 0x06, 0, 0, 0, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc];
        code.extend([0xc3, 0x48, 0x85, 0xff, 0x74, 0x0b, 0xc7, 0x07, 0x3a, 0x2f, 0, 0, 0x31, 0xc0, 0xc3]);
        assert_eq!(read(&code, 0), Some(12090));
        assert_eq!(read(&code, 12), None);
        code.truncate(24);
        assert_eq!(read(&code, 0), None);
    }
}

//! Changes in files that are loaded: a jump over the beginning of a function, and another address in the table of
//! symbols that other files look up.

use rustix::mm::{MprotectFlags, mprotect};
use std::ffi::c_void;

/// Bytes of a jump to any address.
pub const JUMP: usize = if cfg!(target_arch = "x86_64") { 12 } else { 16 };

/// Returns the code of the jump, which leaves all arguments where they are.
fn jump(target: usize) -> [u8; JUMP] {
    let mut code = [0; JUMP];
    #[cfg(target_arch = "x86_64")]
    {
        // mov rax, target; jmp rax
        code[..2].copy_from_slice(&[0x48, 0xb8]);
        code[2..10].copy_from_slice(&target.to_le_bytes());
        code[10..].copy_from_slice(&[0xff, 0xe0]);
    }
    #[cfg(target_arch = "aarch64")]
    {
        // ldr x16, [pc, 8]; br x16; target
        code[..4].copy_from_slice(&0x5800_0050_u32.to_le_bytes());
        code[4..8].copy_from_slice(&0xd61f_0200_u32.to_le_bytes());
        code[8..].copy_from_slice(&target.to_le_bytes());
    }
    code
}

/// Writes a jump over the beginning of a function. Where the system does not allow it, the function stays as it is.
///
/// # Safety
/// `at` is code that does not run, with room for a jump.
pub unsafe fn write_jump(at: usize, target: usize) {
    // Other threads may run code of the same page, so it stays executable where the system allows that.
    let rights = MprotectFlags::READ | MprotectFlags::EXEC;
    // SAFETY: by the caller.
    unsafe { write(at, &jump(target), rights) };
    #[cfg(target_arch = "aarch64")]
    {
        // SAFETY: the compiler's runtime has it.
        unsafe extern "C" {
            fn __clear_cache(start: *mut c_void, end: *mut c_void);
        }
        // SAFETY: the bytes written above.
        unsafe { __clear_cache(at as *mut c_void, (at + JUMP) as *mut c_void) };
    }
}

/// Writes an address, relative to its file, into a table of symbols. Who looks the symbol up from here on gets it.
///
/// # Safety
/// `at` is the address in an entry of a table that the loader does not change.
pub unsafe fn write_address(at: usize, address: usize) {
    // SAFETY: by the caller.
    unsafe { write(at, &address.to_ne_bytes(), MprotectFlags::READ) };
}

/// Hides a symbol from other files, so that the loader binds its own file's uses of it to it. Where a file that was
/// loaded before has a symbol of that name, they would be bound to that one.
///
/// # Safety
/// `at` is the visibility in an entry of a table, as above.
pub unsafe fn hide(at: usize) {
    /// `STV_HIDDEN`
    const HIDDEN: u8 = 2;
    // SAFETY: by the caller.
    unsafe { write(at, &[HIDDEN], MprotectFlags::READ) };
}

/// # Safety
/// The bytes at `at` belong to pages with these rights, and nobody else writes them.
unsafe fn write(at: usize, bytes: &[u8], rights: MprotectFlags) {
    let page = rustix::param::page_size();
    let start = at / page * page;
    let length = (at + bytes.len()).next_multiple_of(page) - start;
    // SAFETY: pages of a loaded file, whose rights are put back below.
    let open = |with| unsafe { mprotect(start as *mut c_void, length, MprotectFlags::WRITE | with) };
    if open(rights).or_else(|_| open(MprotectFlags::READ)).is_err() {
        return;
    }
    // SAFETY: by the caller.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
    // SAFETY: as above.
    let _ = unsafe { mprotect(start as *mut c_void, length, rights) };
}

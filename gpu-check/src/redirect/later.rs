//! Libraries that are loaded while the program runs (`dlopen`): a call between mapping one and running its
//! constructors.
//!
//! The loader calls a function of its own, `_r_debug.r_brk`, whenever its list of files has changed. That function
//! does nothing, and exists so that debuggers can set a breakpoint there (`<link.h>`, "rendezvous structure"). A jump
//! is written over it. After the call the loader relocates what is new and runs its constructors, which register the
//! kernels inside.

use super::jump::{JUMP, write_jump};
use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::OnceLock;

/// `struct r_debug`, up to what is read here.
#[repr(C)]
struct Rendezvous {
    version: c_int,
    files: *const c_void,
    changed: usize,
    state: c_int,
}

/// The list is complete: nothing is being added or removed.
const RT_CONSISTENT: c_int = 0;

// SAFETY: the C library's own declaration; the loader fills it before anything runs.
unsafe extern "C" {
    static _r_debug: Rendezvous;
}

static AT_LOAD: OnceLock<fn()> = OnceLock::new();

/// Calls `run` each time when files have been loaded, before their constructors run. Does nothing where the loader's
/// function is not the empty one that it should be.
pub fn at_each_load(run: fn()) {
    // SAFETY: as declared; nobody writes this member.
    let changed = unsafe { (&raw const _r_debug.changed).read() };
    // SAFETY: a function of the loader's, which is followed by more of its code.
    if changed == 0 || !is_empty(unsafe { std::slice::from_raw_parts(changed as *const u8, JUMP) }, changed) {
        return;
    }
    if AT_LOAD.set(run).is_ok() {
        // SAFETY: a function that returns at once, with room for a jump. Only this thread runs.
        unsafe { write_jump(changed, files_changed as *const () as usize) };
    }
}

extern "C" fn files_changed() {
    // SAFETY: as declared. The loader calls this under its lock.
    let state = unsafe { (&raw const _r_debug.state).read() };
    if let Some(run) = AT_LOAD.get().filter(|_| state == RT_CONSISTENT) {
        let _ = catch_unwind(run);
    }
}

/// Returns true if the code at a function's address returns at once, and padding follows up to the next function.
fn is_empty(code: &[u8], address: usize) -> bool {
    if !address.is_multiple_of(16) {
        return false;
    }
    if cfg!(target_arch = "x86_64") {
        // endbr64; ret; then what assemblers pad with: nop, a longer nop, or int3.
        let code = code.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(code);
        matches!(code, [0xc3, 0x90 | 0x66 | 0xcc, ..] | [0xc3, 0x0f, 0x1f, ..])
    } else {
        // bti c; ret; nop or udf
        let words: Vec<u32> =
            code.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let words = words.strip_prefix(&[0xd503_245f]).unwrap_or(&words);
        matches!(words, [0xd65f_03c0, rest @ ..] if rest.iter().all(|&word| matches!(word, 0xd503_201f | 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_function_that_does_something_is_left_alone() {
        let padded = |code: &[u8]| -> Vec<u8> { code.iter().copied().chain([0x90; 12]).take(12).collect() };
        assert!(is_empty(&padded(&[0xc3]), 0x2060));
        assert!(is_empty(&padded(&[0xf3, 0x0f, 0x1e, 0xfa, 0xc3]), 0x2060));
        // Not where functions begin.
        assert!(!is_empty(&padded(&[0xc3]), 0x2061));
        // A breakpoint, a jump that somebody else wrote, and a function right behind it.
        assert!(!is_empty(&padded(&[0xcc]), 0x2060));
        assert!(!is_empty(&padded(&[0x48, 0xb8]), 0x2060));
        assert!(!is_empty(&padded(&[0xc3, 0x55]), 0x2060));
    }
}

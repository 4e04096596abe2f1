//! A program with a CUDA runtime of its own inside, which is what nvcc makes by default: each function of that runtime
//! is made to jump to ours.
//!
//! Why so: the runtime inside a program talks to the driver through tables that NVIDIA does not document, so no other
//! driver can serve it. But its functions stand by name in the symbol table of the program or library that holds it.
//! This library is loaded first and initialised first (`-z initfirst`), before any constructor registers a kernel
//! there. It writes a jump over the beginning of each function whose name it knows. Nothing of that runtime runs from
//! then on.
//!
//! A file that was stripped has no symbol table, and says nothing of what is inside: then there is a word about it. The
//! variable `GPU_CHECK_REDIRECT=off` leaves all as it is.

use crate::runtime;
use std::collections::HashMap;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// `off` leaves a program's own runtime as it is.
const VARIABLE: &str = "GPU_CHECK_REDIRECT";

/// Sends each function of a runtime in the program, or in a library of its own, to ours.
pub(crate) fn redirect() {
    if std::env::var_os(VARIABLE).is_some_and(|value| value == "off") {
        return;
    }
    let targets: HashMap<&str, usize> =
        runtime::functions().iter().map(|entry| (entry.name, (entry.address)())).collect();
    let own = targets.get("cudaMalloc").copied().unwrap_or(0);
    let objects = objects();
    let _ = KNOWN.set(objects.iter().map(|object| object.path.clone()).collect());
    for Object { path, base, range } in objects {
        if range.contains(&own) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Some(found) = functions(&bytes) else { continue };
        if found.is_older_than_12() {
            words::complain(&say!("older-runtime", file = path.display().to_string()));
            continue;
        }
        for Function { name, address, bytes } in found.list {
            // Functions begin at multiples of 16, so a short one has room behind it.
            if let Some(target) = targets.get(name)
                && (bytes >= JUMP || address % 16 == 0)
            {
                // SAFETY: code of the program's that is not running: no constructor of its has been called.
                unsafe { write_jump(base.wrapping_add(address), *target) };
            }
        }
        if found.has_device_code && !found.has_symbols && !found.imports_runtime {
            words::complain(&say!("stripped", file = path.display().to_string()));
        }
    }
}

/// The files that were loaded when the functions of a runtime were sent to ours.
static KNOWN: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// The names of files that were loaded later and have a runtime inside.
pub(crate) fn unserved() -> Vec<String> {
    let Some(known) = KNOWN.get() else { return Vec::new() };
    let has_runtime = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap_or_default();
        let is_runtime = |it: &Functions| it.has_device_code && !it.imports_runtime;
        functions(&bytes).is_some_and(|it| is_runtime(&it) || it.list.iter().any(|one| one.name == "cudaMalloc"))
    };
    let later = objects().into_iter().map(|object| object.path).filter(|path| !known.contains(path));
    let with_runtime = later.filter(has_runtime);
    with_runtime.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}

/// A file that is loaded, and where.
struct Object {
    path: PathBuf,
    base: usize,
    range: std::ops::Range<usize>,
}

/// The beginning of `dl_phdr_info`.
#[repr(C)]
struct Info {
    base: usize,
    name: *const c_char,
    headers: *const Header,
    count: u16,
}

/// `Elf64_Phdr`
#[repr(C)]
struct Header {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    physical: u64,
    file_bytes: u64,
    bytes: u64,
    align: u64,
}

// SAFETY: the C library's own declaration.
unsafe extern "C" {
    fn dl_iterate_phdr(
        callback: unsafe extern "C" fn(*const Info, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// The program, which is first and has no name, and its libraries.
fn objects() -> Vec<Object> {
    unsafe extern "C" fn add(info: *const Info, _bytes: usize, data: *mut c_void) -> c_int {
        // SAFETY: the list that is passed below, and what the loader gives.
        let (found, info) = unsafe { (&mut *data.cast::<Vec<Object>>(), &*info) };
        // SAFETY: as many headers as it says.
        let headers = unsafe { std::slice::from_raw_parts(info.headers, info.count.into()) };
        // PT_LOAD
        let end = headers.iter().filter(|one| one.kind == 1).map(|one| one.address + one.bytes).max().unwrap_or(0);
        // SAFETY: text of the loader's.
        let name = if info.name.is_null() { c"" } else { unsafe { CStr::from_ptr(info.name) } };
        let path = match name.to_bytes() {
            b"" if found.is_empty() => PathBuf::from("/proc/self/exe"),
            name => Path::new(OsStr::from_bytes(name)).to_path_buf(),
        };
        found.push(Object { path, base: info.base, range: info.base..info.base + end as usize });
        0
    }
    let mut found: Vec<Object> = Vec::new();
    // SAFETY: the callback takes the list that it is given.
    unsafe { dl_iterate_phdr(add, (&raw mut found).cast()) };
    found
}

struct Function<'a> {
    name: &'a str,
    address: usize,
    bytes: usize,
}

struct Functions<'a> {
    list: Vec<Function<'a>>,
    has_symbols: bool,
    has_device_code: bool,
    /// It asks for a runtime in a library, which ours is.
    imports_runtime: bool,
}

impl Functions<'_> {
    /// CUDA 11 lays out properties otherwise, in less room, under names that 13 has again.
    fn is_older_than_12(&self) -> bool {
        let has = |name: &str| self.list.iter().any(|function| function.name == name);
        has("cudaGetDeviceProperties") && !has("cudaGetDeviceProperties_v2") && !has("__cudaGetKernel")
    }
}

const SYMBOLS: u32 = 2;
const DYNAMIC_SYMBOLS: u32 = 11;

/// The functions in the symbol table of an ELF file of 64 bits.
fn functions(file: &[u8]) -> Option<Functions<'_>> {
    let number = |at: usize, bytes: usize| -> Option<u64> {
        let part = file.get(at..at.checked_add(bytes)?)?;
        Some(part.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    };
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size, count) = (number(40, 8)? as usize, number(58, 2)? as usize, number(60, 2)? as usize);
    let section = |index: usize| -> Option<Section> {
        let at = table.checked_add(size.checked_mul(index)?)?;
        Some(Section {
            name: number(at, 4)? as usize,
            kind: number(at + 4, 4)? as u32,
            offset: number(at + 24, 8)? as usize,
            bytes: number(at + 32, 8)? as usize,
            link: number(at + 40, 4)? as usize,
        })
    };
    let text = |strings: &Section, at: usize| -> Option<&str> {
        let rest = file.get(strings.offset.checked_add(at)?..)?;
        CStr::from_bytes_until_nul(rest).ok()?.to_str().ok()
    };
    let names = section(number(62, 2)? as usize)?;
    let mut found = Functions { list: Vec::new(), has_symbols: false, has_device_code: false, imports_runtime: false };
    for section_of in (0..count).filter_map(section) {
        found.has_device_code |= text(&names, section_of.name) == Some(".nvFatBinSegment");
        if !matches!(section_of.kind, SYMBOLS | DYNAMIC_SYMBOLS) {
            continue;
        }
        found.has_symbols |= section_of.kind == SYMBOLS;
        let strings = section(section_of.link)?;
        for at in (section_of.offset..section_of.offset.checked_add(section_of.bytes)?).step_by(24) {
            let (Some(name), Some(kind), Some(defined)) = (number(at, 4), number(at + 4, 1), number(at + 6, 2)) else {
                break;
            };
            let Some(name) = text(&strings, name as usize) else { continue };
            found.imports_runtime |= defined == 0 && name == "__cudaRegisterFatBinary";
            let (address, bytes) = (number(at + 8, 8)? as usize, number(at + 16, 8)? as usize);
            // STT_FUNC
            if kind & 15 == 2 && defined != 0 && section_of.kind == SYMBOLS {
                found.list.push(Function { name, address, bytes });
            }
        }
    }
    Some(found)
}

struct Section {
    name: usize,
    kind: u32,
    offset: usize,
    bytes: usize,
    link: usize,
}

/// Bytes of a jump to any address.
const JUMP: usize = if cfg!(target_arch = "x86_64") { 12 } else { 16 };

/// The jump itself, which leaves all arguments where they are.
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
unsafe fn write_jump(at: usize, target: usize) {
    use rustix::mm::{MprotectFlags, mprotect};
    let page = rustix::param::page_size();
    let start = at / page * page;
    let length = (at + JUMP).next_multiple_of(page) - start;
    // SAFETY: pages of the program's code, whose rights are put back below.
    let opened = unsafe { mprotect(start as *mut c_void, length, MprotectFlags::READ | MprotectFlags::WRITE) };
    if opened.is_err() {
        return;
    }
    let code = jump(target);
    // SAFETY: by the caller.
    unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), at as *mut u8, code.len()) };
    // SAFETY: as above.
    let _ = unsafe { mprotect(start as *mut c_void, length, MprotectFlags::READ | MprotectFlags::EXEC) };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_a_file_are_found_by_name() {
        let file = std::fs::read("/proc/self/exe").unwrap();
        let found = functions(&file).unwrap();
        assert!(found.has_symbols && !found.has_device_code);
        assert!(found.list.iter().any(|function| function.name == "main" && function.bytes > 0));
    }

    #[test]
    fn what_is_no_program_or_is_cut_off_has_none() {
        assert!(functions(b"#!/bin/sh\n").is_none());
        let file = std::fs::read("/proc/self/exe").unwrap();
        for end in [0, 6, 40, 64, 1000, file.len() / 2, file.len() - 1] {
            // Whatever comes of it, it comes to an end.
            let _ = functions(&file[..end]);
        }
    }

    #[test]
    fn the_program_and_its_libraries_are_known() {
        let found = objects();
        let here = the_program_and_its_libraries_are_known as *const () as usize;
        assert_eq!(found[0].path, Path::new("/proc/self/exe"));
        assert!(found[0].range.contains(&here) && found.len() > 1);
    }
}

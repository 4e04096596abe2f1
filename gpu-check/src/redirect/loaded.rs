//! The files that the loader has mapped into this process, and what of them can be read in memory.

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A file that is loaded, and where.
pub struct Object {
    pub path: PathBuf,
    pub base: usize,
    pub range: Range<usize>,
    /// Segments that are not writable: code and constants.
    pub constant: Vec<Segment>,
    /// The address of `.eh_frame_hdr`, which lists where functions begin.
    pub frames: Option<usize>,
}

/// A mapped part of a file.
#[derive(Clone)]
pub struct Segment {
    pub range: Range<usize>,
    pub is_code: bool,
}

impl Segment {
    /// # Safety
    /// The file stays loaded as long as the bytes are used.
    pub unsafe fn bytes<'a>(&self) -> &'a [u8] {
        // SAFETY: a readable segment of the file, by its program header.
        unsafe { std::slice::from_raw_parts(self.range.start as *const u8, self.range.len()) }
    }
}

/// A file as bytes, of which only those are read that are looked at: libraries may have gigabytes.
pub struct MappedFile {
    start: *mut c_void,
    bytes: usize,
}

impl MappedFile {
    pub fn open(path: &Path) -> Option<MappedFile> {
        let file = std::fs::File::open(path).ok()?;
        let bytes = usize::try_from(file.metadata().ok()?.len()).ok().filter(|&bytes| bytes > 0)?;
        // SAFETY: a new mapping, which is private and only read.
        let start = unsafe { mmap(std::ptr::null_mut(), bytes, ProtFlags::READ, MapFlags::PRIVATE, &file, 0) };
        Some(MappedFile { start: start.ok()?, bytes })
    }

    pub fn contents(&self) -> &[u8] {
        // SAFETY: mapped as long as this lives. Files that are loaded are not written.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.bytes) }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: our own mapping, and nobody has its bytes any more.
        let _ = unsafe { munmap(self.start, self.bytes) };
    }
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

const PT_LOAD: u32 = 1;
const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
const PF_X: u32 = 1;
const PF_W: u32 = 2;
const PF_R: u32 = 4;

// SAFETY: the C library's own declaration.
unsafe extern "C" {
    fn dl_iterate_phdr(
        callback: unsafe extern "C" fn(*const Info, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// Returns the program, which comes first and has no name, and its libraries.
pub fn objects() -> Vec<Object> {
    unsafe extern "C" fn add(info: *const Info, _bytes: usize, data: *mut c_void) -> c_int {
        // SAFETY: the list that is passed below, and what the loader gives.
        let (found, info) = unsafe { (&mut *data.cast::<Vec<Object>>(), &*info) };
        // SAFETY: text of the loader's.
        let name = if info.name.is_null() { c"" } else { unsafe { CStr::from_ptr(info.name) } };
        let path = match name.to_bytes() {
            b"" if found.is_empty() => PathBuf::from("/proc/self/exe"),
            name => Path::new(OsStr::from_bytes(name)).to_path_buf(),
        };
        // SAFETY: as many headers as it says.
        let headers = unsafe { std::slice::from_raw_parts(info.headers, info.count.into()) };
        found.push(object(path, info.base, headers));
        0
    }
    let mut found: Vec<Object> = Vec::new();
    // SAFETY: the callback takes the list that it is given.
    unsafe { dl_iterate_phdr(add, (&raw mut found).cast()) };
    found
}

fn object(path: PathBuf, base: usize, headers: &[Header]) -> Object {
    let at = |header: &Header, bytes: u64| {
        let start = base.wrapping_add(header.address as usize);
        start..start.wrapping_add(bytes as usize)
    };
    let loaded = || headers.iter().filter(|header| header.kind == PT_LOAD);
    let end = loaded().map(|header| at(header, header.bytes).end).max().unwrap_or(base);
    let constant = loaded().filter(|header| header.flags & (PF_R | PF_W) == PF_R);
    let constant = constant
        .map(|header| Segment { range: at(header, header.file_bytes), is_code: header.flags & PF_X != 0 })
        .collect();
    let frames = headers.iter().find(|header| header.kind == PT_GNU_EH_FRAME);
    let frames = frames.map(|header| at(header, 0).start);
    Object { path, base, range: base..end, constant, frames }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_and_its_libraries_are_known() {
        let found = objects();
        let here = the_program_and_its_libraries_are_known as *const () as usize;
        assert_eq!(found[0].path, Path::new("/proc/self/exe"));
        assert!(found[0].range.contains(&here) && found.len() > 1);
        assert!(found[0].constant.iter().any(|segment| segment.is_code && segment.range.contains(&here)));
    }
}

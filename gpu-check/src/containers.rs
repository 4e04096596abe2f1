//! PTX in what a program hands over as device code: fat binaries, object files and archives.
//!
//! NVIDIA's driver takes machine code from them, and compiles PTX if there is none for its device. Here it is PTX
//! alone. PTX for a newer device than the emulated one is run if there is no other: the emulator does not care what it
//! was made for, as long as it knows the instructions.

use crate::elf::Elf;
use crate::fatbin::{self, FatBinary};
use std::ffi::c_void;
use std::sync::Once;

/// Why there is no PTX.
#[derive(Debug, PartialEq, Eq)]
pub enum NoPtx {
    /// It cannot be read, and why.
    Unreadable(String),
    /// It has no PTX at all.
    MachineCode,
}

impl NoPtx {
    /// Says it to the user.
    pub fn complain(&self) {
        words::complain(&match self {
            NoPtx::Unreadable(why) => say!("fat-binary", why),
            NoPtx::MachineCode => say!("no-ptx"),
        });
    }
}

/// Returns the PTX of each fat binary for the emulated device. Those without any are left out: libraries of NVIDIA's
/// have such parts, for which we have our own. Only if all are, PTX for newer devices is taken.
pub fn ptx(binaries: &[&[u8]]) -> Result<Vec<String>, NoPtx> {
    let profile = driver::emulated::profile();
    let capability = profile.capability.0 * 10 + profile.capability.1;
    let read = |bytes: &&[u8]| FatBinary::read(bytes).map_err(|error| NoPtx::Unreadable(error.to_string()));
    let binaries = binaries.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let mut found: Vec<String> =
        binaries.iter().filter_map(|binary| binary.best(capability)).map(str::to_string).collect();
    if found.is_empty() {
        found.extend(binaries.iter().filter_map(|binary| newer(binary, capability)));
    }
    if found.is_empty() { Err(NoPtx::MachineCode) } else { Ok(found) }
}

/// Returns the oldest PTX, which is for a newer device, with the emulated one as its first target. Its own is the
/// second, which `cudaFuncGetAttributes` gives: CUB chooses the size of blocks by it.
fn newer(binary: &FatBinary, capability: u32) -> Option<String> {
    static SAID: Once = Once::new();
    let (architecture, text) = binary.ptx.iter().min_by_key(|(architecture, _)| *architecture)?;
    SAID.call_once(|| {
        let shown = |architecture: u32| format!("{}.{}", architecture / 10, architecture % 10);
        words::complain(&say!("ptx-for-newer", have = shown(capability), want = shown(*architecture)));
    });
    let target = |line: &str| match line.strip_prefix(".target sm_") {
        Some(rest) => {
            let others = rest.find(|sign: char| !sign.is_ascii_alphanumeric()).map_or("", |end| &rest[end..]);
            format!(".target sm_{capability}, sm_{architecture}{others}")
        }
        None => line.to_string(),
    };
    Some(text.split_inclusive('\n').map(target).collect())
}

/// Returns the PTX in the bytes of a file: a fat binary, an object file with fat binaries in it, or an archive of such
/// files. `None` if it is none of these.
pub fn of_file(bytes: &[u8]) -> Option<Result<Vec<String>, NoPtx>> {
    if bytes.starts_with(b"!<arch>\n") {
        let found = members(bytes).into_iter().flat_map(object).collect::<Vec<_>>();
        return Some(ptx(&found));
    }
    if bytes.starts_with(b"\x7fELF") {
        return Some(ptx(&object(bytes)));
    }
    let starts = fatbin::first(bytes)?;
    Some(ptx(&[starts]))
}

/// Returns the PTX of an image in memory: a fat binary, or nvcc's wrapper of some. `None` if it is neither.
///
/// # Safety
/// `image` points to text that ends with NUL, or to machine code, a fat binary or a wrapper, whole.
pub unsafe fn of_image(image: *const c_void) -> Option<Result<Vec<String>, NoPtx>> {
    let image: *const u8 = image.cast();
    // SAFETY: the comparison stops at the first difference, and no magic number has a NUL. Text may be shorter.
    let starts = |magic: &[u8; 4]| magic.iter().enumerate().all(|(at, byte)| unsafe { *image.add(at) } == *byte);
    if !fatbin::MAGIC_NUMBERS.iter().any(starts) {
        return None;
    }
    // SAFETY: a fat binary or a wrapper, whole, by its magic number and the caller.
    let found = unsafe { fatbin::wrapped(image).or_else(|| fatbin::whole(image).map(|one| vec![one])) };
    found.map(|binaries| ptx(&binaries))
}

/// Returns the fat binaries in an object file.
fn object(file: &[u8]) -> Vec<&[u8]> {
    let Some(elf) = Elf::read(file) else { return Vec::new() };
    let is_device_code = |name: &str| matches!(name, "__nv_relfatbin" | ".nv_fatbin");
    let sections = elf.sections().filter(|section| elf.name(section).is_some_and(is_device_code));
    sections.filter_map(|section| elf.contents(&section)).flat_map(fatbin::all).collect()
}

/// Returns the members of an archive (`ar(5)`): a header of 60 bytes before each, whose size is in decimal digits.
fn members(archive: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = 8;
    while let Some(header) = archive.get(at..at + 60) {
        let size = std::str::from_utf8(&header[48..58]).ok().and_then(|digits| digits.trim().parse::<usize>().ok());
        let Some(member) = size.and_then(|size| archive.get(at + 60..(at + 60).checked_add(size)?)) else { break };
        found.push(member);
        at = (at + 60 + member.len()).next_multiple_of(2);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_an_archive_are_found_up_to_its_end() {
        let header = |size: usize| format!("{:<48}{size:<10}`\n", "name/");
        let archive = [b"!<arch>\n", header(3).as_bytes(), b"abc\n", header(2).as_bytes(), b"de"].concat();
        assert_eq!(members(&archive), [&b"abc"[..], b"de"]);
        assert_eq!(members(&archive[..archive.len() - 1]), [b"abc"]);
        assert!(members(b"!<arch>\n").is_empty());
    }

    #[test]
    fn ptx_for_a_newer_device_is_for_the_emulated_one() {
        let text = ".version 9.0\n.target sm_120a, debug\n.address_size 64\n// .target sm_1\n";
        let binary = FatBinary { ptx: vec![(120, text.into())], machine_code: vec![] };
        let wanted = ".version 9.0\n.target sm_90, sm_120, debug\n.address_size 64\n// .target sm_1\n";
        assert_eq!(newer(&binary, 90).as_deref(), Some(wanted));
    }

    #[test]
    fn what_is_no_container_is_told_so() {
        assert_eq!(of_file(b".version 9.0\n"), None);
        assert_eq!(of_file(b"\x7fELF"), Some(Err(NoPtx::MachineCode)));
        assert_eq!(of_file(b"!<arch>\n"), Some(Err(NoPtx::MachineCode)));
        // SAFETY: text that ends with NUL.
        unsafe { assert_eq!(of_image(c".version".as_ptr().cast()), None) };
    }
}

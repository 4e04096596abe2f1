//! The functions in the symbol table of an ELF file.

use std::ffi::CStr;

pub struct Function<'a> {
    pub name: &'a str,
    /// Relative to where the file is loaded.
    pub address: usize,
    pub bytes: usize,
}

pub struct Functions<'a> {
    pub list: Vec<Function<'a>>,
    pub has_symbols: bool,
    pub has_device_code: bool,
    /// It asks for a runtime in a library, which ours is.
    pub imports_runtime: bool,
}

impl Functions<'_> {
    /// CUDA 11 lays out properties otherwise, in less room, under names that 13 has again.
    pub fn is_older_than_12(&self) -> bool {
        let has = |name: &str| self.list.iter().any(|function| function.name == name);
        has("cudaGetDeviceProperties") && !has("cudaGetDeviceProperties_v2") && !has("__cudaGetKernel")
    }
}

const SYMBOLS: u32 = 2;
const DYNAMIC_SYMBOLS: u32 = 11;

/// Returns the functions in the symbol table of an ELF file of 64 bits.
pub fn functions(file: &[u8]) -> Option<Functions<'_>> {
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
}

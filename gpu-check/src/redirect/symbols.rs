//! The functions in the symbol table of an ELF file.

use crate::elf::{Elf, Section};
use std::ops::Range;

pub struct Function<'a> {
    pub name: &'a str,
    /// Relative to where the file is loaded.
    pub address: usize,
    pub bytes: usize,
}

/// A function in the table of symbols that other files look up.
pub struct Export<'a> {
    pub name: &'a str,
    /// Relative to where the file is loaded.
    pub address: usize,
    /// Where its entry of the table holds that address, relative to where the file is loaded.
    pub entry: usize,
}

/// A variable in the table of symbols that other files look up.
pub struct Variable<'a> {
    pub name: &'a str,
    /// Where its entry of the table holds the visibility, relative to where the file is loaded.
    pub visibility: usize,
}

pub struct Functions<'a> {
    pub list: Vec<Function<'a>>,
    /// Functions of NVIDIA's compilers that other files may call.
    pub exports: Vec<Export<'a>>,
    /// Variables that have names of CUDA's functions: pointers to these, as a rule.
    pub pointers: Vec<Variable<'a>>,
    pub has_symbols: bool,
    pub has_device_code: bool,
    /// It asks for a runtime in a library, which ours is.
    pub imports_runtime: bool,
    /// Where its constants are, relative to where the file is loaded: texts among them.
    pub constants: Option<Range<usize>>,
    /// Where addresses are put when it is loaded (`.rela.dyn`).
    pub relocations: &'a [u8],
    /// The number of the runtime's library that it is linked with: 12 for `libcudart.so.12`.
    pub linked_runtime: Option<u32>,
}

impl Functions<'_> {
    /// CUDA 11 lays out properties otherwise, in less room, under names that 13 has again.
    pub fn is_older_than_12(&self) -> bool {
        let has = |name: &str| self.list.iter().any(|function| function.name == name);
        has("cudaGetDeviceProperties") && !has("cudaGetDeviceProperties_v2") && !has("__cudaGetKernel")
    }
}

/// The beginnings of names in NVIDIA's compilers.
const COMPILERS: [&str; 4] = ["nvrtc", "nvvm", "nvJitLink", "__nvJitLink"];

/// Kinds of symbols (`STT_OBJECT`, `STT_FUNC`).
const VARIABLE: u64 = 1;
const FUNCTION: u64 = 2;

const SYMBOLS: u32 = 2;
const DYNAMIC_SYMBOLS: u32 = 11;

/// Returns the functions in the symbol table of an ELF file of 64 bits.
pub fn functions(file: &[u8]) -> Option<Functions<'_>> {
    let elf = Elf::read(file)?;
    let number = |at, bytes| elf.number(at, bytes);
    let mut found = Functions {
        list: Vec::new(),
        exports: Vec::new(),
        pointers: Vec::new(),
        has_symbols: false,
        has_device_code: false,
        imports_runtime: false,
        constants: None,
        relocations: &[],
        linked_runtime: None,
    };
    for section_of in elf.sections() {
        match elf.name(&section_of) {
            Some(".nvFatBinSegment") => found.has_device_code = true,
            Some(".rodata") => {
                found.constants = Some(section_of.address..section_of.address.saturating_add(section_of.bytes));
            }
            Some(".rela.dyn") => found.relocations = elf.contents(&section_of).unwrap_or_default(),
            Some(".dynamic") => found.linked_runtime = linked_runtime(&elf, &section_of),
            _ => {}
        }
        if !matches!(section_of.kind, SYMBOLS | DYNAMIC_SYMBOLS) {
            continue;
        }
        found.has_symbols |= section_of.kind == SYMBOLS;
        let strings = elf.section(section_of.link)?;
        for at in (section_of.offset..section_of.offset.checked_add(section_of.bytes)?).step_by(24) {
            let (Some(name), Some(kind), Some(defined)) = (number(at, 4), number(at + 4, 1), number(at + 6, 2)) else {
                break;
            };
            let Some(name) = elf.text(&strings, name as usize) else { continue };
            found.imports_runtime |= defined == 0 && name == "__cudaRegisterFatBinary";
            let (address, bytes) = (number(at + 8, 8)? as usize, number(at + 16, 8)? as usize);
            if defined == 0 {
                continue;
            }
            let entry = section_of.address + (at - section_of.offset);
            if section_of.kind == DYNAMIC_SYMBOLS && kind & 15 == VARIABLE && name.starts_with("cu") {
                found.pointers.push(Variable { name, visibility: entry + 5 });
            }
            if kind & 15 != FUNCTION {
                continue;
            }
            if section_of.kind == SYMBOLS {
                found.list.push(Function { name, address, bytes });
            } else if COMPILERS.iter().any(|start| name.starts_with(start)) {
                found.exports.push(Export { name, address, entry: entry + 8 });
            }
        }
    }
    Some(found)
}

/// Reads the library of a runtime among those that a file needs: pairs of a kind and a value, here a place in the
/// texts.
fn linked_runtime(elf: &Elf, dynamic: &Section) -> Option<u32> {
    const NEEDED: u64 = 1;
    let strings = elf.section(dynamic.link)?;
    let mut needed = (dynamic.offset..dynamic.offset.checked_add(dynamic.bytes)?)
        .step_by(16)
        .map_while(|at| Some((elf.number(at, 8)?, elf.number(at + 8, 8)?)))
        .filter(|(kind, _)| *kind == NEEDED);
    needed.find_map(|(_, name)| elf.text(&strings, name as usize)?.strip_prefix("libcudart.so.")?.parse().ok())
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

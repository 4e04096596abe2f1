//! Sections of an ELF file of 64 bits, little endian. What is cut off or made up has fewer of them.

use std::ffi::CStr;

pub struct Elf<'a> {
    file: &'a [u8],
    /// The section with the names of the others.
    names: Section,
    table: usize,
    size: usize,
    count: usize,
}

/// An entry of the table of sections.
#[derive(Clone, Copy)]
pub struct Section {
    name: usize,
    pub kind: u32,
    /// Where it is loaded.
    pub address: usize,
    pub offset: usize,
    pub bytes: usize,
    pub link: usize,
}

impl<'a> Elf<'a> {
    pub fn read(file: &'a [u8]) -> Option<Elf<'a>> {
        if !file.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let names = Section { name: 0, kind: 0, address: 0, offset: 0, bytes: 0, link: 0 };
        let mut elf = Elf { file, names, table: 0, size: 0, count: 0 };
        (elf.table, elf.size, elf.count) =
            (elf.number(40, 8)? as usize, elf.number(58, 2)? as usize, elf.number(60, 2)? as usize);
        elf.names = elf.section(elf.number(62, 2)? as usize)?;
        Some(elf)
    }

    /// Reads a number of at most 8 bytes.
    pub fn number(&self, at: usize, bytes: usize) -> Option<u64> {
        let part = self.file.get(at..at.checked_add(bytes)?)?;
        Some(part.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }

    pub fn section(&self, index: usize) -> Option<Section> {
        let at = self.table.checked_add(self.size.checked_mul(index)?)?;
        Some(Section {
            name: self.number(at, 4)? as usize,
            kind: self.number(at + 4, 4)? as u32,
            address: self.number(at + 16, 8)? as usize,
            offset: self.number(at + 24, 8)? as usize,
            bytes: self.number(at + 32, 8)? as usize,
            link: self.number(at + 40, 4)? as usize,
        })
    }

    pub fn sections(&self) -> impl Iterator<Item = Section> {
        (0..self.count).filter_map(|index| self.section(index))
    }

    pub fn name(&self, section: &Section) -> Option<&'a str> {
        self.text(&self.names, section.name)
    }

    /// Reads a text of a section of texts.
    pub fn text(&self, texts: &Section, at: usize) -> Option<&'a str> {
        let rest = self.file.get(texts.offset.checked_add(at)?..)?;
        CStr::from_bytes_until_nul(rest).ok()?.to_str().ok()
    }

    pub fn contents(&self, section: &Section) -> Option<&'a [u8]> {
        self.file.get(section.offset..section.offset.checked_add(section.bytes)?)
    }
}

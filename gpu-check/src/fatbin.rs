//! Fat binaries: what nvcc puts into a program beside the host's code.
//!
//! NVIDIA publishes no description of the format. This is what files of nvcc 11 to 13 hold, all numbers little endian.
//! A header of 16 bytes (magic number, version, its own length, length of the rest) is followed by entries. An entry
//! has a header of 64 bytes or more and then code: PTX, or machine code for one architecture. nvcc 13 compresses PTX
//! with zstd, older ones with LZ4. In the host's code a wrapper of 24 bytes points to it.

use std::fmt;
use std::io::Read;

const MAGIC: u32 = 0xBA55_ED50;
const WRAPPER_MAGIC: u32 = 0x4662_43B1;
/// The first bytes of a fat binary and of a wrapper.
pub const MAGIC_NUMBERS: [[u8; 4]; 2] = [MAGIC.to_le_bytes(), WRAPPER_MAGIC.to_le_bytes()];
/// In the `flags` of an entry.
const LZ4: u64 = 1 << 13;
const ZSTD: u64 = 1 << 15;
/// More than the largest PTX of a library by far: a length that is not true must not fill the memory.
const MOST: u64 = 1 << 30;

/// The contents of a fat binary.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FatBinary {
    /// PTX by the architecture that it was made for: 75 for `sm_75`.
    pub ptx: Vec<(u32, String)>,
    /// Architectures that there is machine code for.
    pub machine_code: Vec<u32>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Error {
    /// It does not begin as a fat binary does.
    NoFatBinary,
    /// It ends in the middle of something.
    CutOff,
    /// Its code cannot be unpacked.
    Packed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoFatBinary => f.write_str("no fat binary"),
            Error::CutOff => f.write_str("a fat binary that is cut off"),
            Error::Packed(why) => write!(f, "a fat binary that cannot be unpacked: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// Numbers at places of a slice.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn part(self, from: usize, length: u64) -> Result<&'a [u8], Error> {
        let end = usize::try_from(length).ok().and_then(|length| from.checked_add(length)).ok_or(Error::CutOff)?;
        self.0.get(from..end).ok_or(Error::CutOff)
    }

    fn u16(self, at: usize) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.part(at, 2)?.try_into().expect("two bytes")))
    }

    fn u32(self, at: usize) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.part(at, 4)?.try_into().expect("four bytes")))
    }

    fn u64(self, at: usize) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.part(at, 8)?.try_into().expect("eight bytes")))
    }
}

impl FatBinary {
    /// Reads a fat binary from its header on. What follows it does not matter.
    pub fn read(bytes: &[u8]) -> Result<FatBinary, Error> {
        let all = Bytes(bytes);
        if all.u32(0) != Ok(MAGIC) {
            return Err(Error::NoFatBinary);
        }
        let entries = Bytes(all.part(usize::from(all.u16(6)?), all.u64(8)?)?);
        let (mut found, mut at) = (FatBinary::default(), 0);
        while at < entries.0.len() {
            let entry = Entry::read(Bytes(&entries.0[at..]))?;
            match entry.kind {
                Kind::Ptx => found.ptx.push((entry.architecture, entry.text()?)),
                Kind::MachineCode => found.machine_code.push(entry.architecture),
                Kind::Other => {}
            }
            at += entry.length;
        }
        Ok(found)
    }

    /// The PTX for a GPU of this compute capability, 90 for 9.0: the newest that it can run.
    pub fn best(&self, capability: u32) -> Option<&str> {
        let fits = self.ptx.iter().filter(|(architecture, _)| *architecture <= capability);
        fits.max_by_key(|(architecture, _)| architecture).map(|(_, text)| text.as_str())
    }
}

enum Kind {
    Ptx,
    MachineCode,
    Other,
}

struct Entry<'a> {
    kind: Kind,
    architecture: u32,
    flags: u64,
    code: &'a [u8],
    /// Bytes of the code when it is unpacked; 0 where it is not packed.
    unpacked: u64,
    /// Bytes of the whole entry.
    length: usize,
}

impl<'a> Entry<'a> {
    fn read(bytes: Bytes<'a>) -> Result<Entry<'a>, Error> {
        let kind = match bytes.u16(0)? {
            1 => Kind::Ptx,
            2 => Kind::MachineCode,
            _ => Kind::Other,
        };
        let (header, padded, packed) = (bytes.u32(4)?, bytes.u64(8)?, bytes.u32(16)?);
        let (architecture, flags, unpacked) = (bytes.u32(28)?, bytes.u64(40)?, bytes.u64(56)?);
        let code = bytes.part(header as usize, if packed > 0 { packed.into() } else { padded })?;
        let length = bytes.part(0, u64::from(header).checked_add(padded).ok_or(Error::CutOff)?)?.len();
        if length == 0 {
            return Err(Error::CutOff);
        }
        Ok(Entry { kind, architecture, flags, code, unpacked, length })
    }

    /// The code as text, up to its first NUL.
    fn text(&self) -> Result<String, Error> {
        let mut bytes = self.unpacked()?;
        bytes.truncate(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()));
        String::from_utf8(bytes).map_err(|error| Error::Packed(error.to_string()))
    }

    fn unpacked(&self) -> Result<Vec<u8>, Error> {
        if self.flags & (LZ4 | ZSTD) != 0 && self.unpacked > MOST {
            return Err(Error::Packed(format!("{} bytes", self.unpacked)));
        }
        if self.flags & LZ4 != 0 {
            let unpacked = lz4_flex::block::decompress(self.code, self.unpacked as usize);
            return unpacked.map_err(|error| Error::Packed(error.to_string()));
        }
        if self.flags & ZSTD != 0 {
            let broken = |error: &dyn fmt::Display| Error::Packed(error.to_string());
            let decoder = ruzstd::decoding::StreamingDecoder::new(self.code).map_err(|error| broken(&error))?;
            let mut bytes = Vec::new();
            decoder.take(MOST).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
            return Ok(bytes);
        }
        Ok(self.code.to_vec())
    }
}

/// The fat binaries that a wrapper in the host's code points to: its own, then those that `nvcc -rdc=true` links, each
/// made from one source file. `None` where it is no wrapper.
///
/// # Safety
/// `wrapper` points to a wrapper that nvcc has made, and stays as it is.
pub unsafe fn wrapped(wrapper: *const u8) -> Option<Vec<&'static [u8]>> {
    #[repr(C)]
    struct Wrapper {
        magic: u32,
        version: u32,
        data: *const u8,
        /// Version 2: a list of fat binaries that ends with null.
        linked: *const *const u8,
    }
    if wrapper.is_null() {
        return None;
    }
    // SAFETY: at least its magic number is there, by the caller.
    if unsafe { wrapper.cast::<u32>().read_unaligned() } != WRAPPER_MAGIC {
        return None;
    }
    // SAFETY: a wrapper, as the magic number says.
    let Wrapper { version, data, linked, .. } = unsafe { wrapper.cast::<Wrapper>().read_unaligned() };
    // SAFETY: it points to a fat binary.
    let mut found: Vec<&[u8]> = unsafe { whole(data) }.into_iter().collect();
    if version >= 2 && !linked.is_null() {
        // SAFETY: a list that ends with null, each entry of which points to a fat binary.
        let entries = (0..).map(|index| unsafe { linked.add(index).read() }).take_while(|entry| !entry.is_null());
        // SAFETY: as above.
        found.extend(entries.filter_map(|entry| unsafe { whole(entry) }));
    }
    Some(found)
}

/// The bytes of a fat binary in memory.
///
/// # Safety
/// `start` is null or points to a fat binary that stays as it is.
pub unsafe fn whole(start: *const u8) -> Option<&'static [u8]> {
    if start.is_null() {
        return None;
    }
    // SAFETY: it has a header of 16 bytes.
    let header = Bytes(unsafe { std::slice::from_raw_parts(start, 16) });
    if header.u32(0) != Ok(MAGIC) {
        return None;
    }
    let length = u64::from(header.u16(6).ok()?).checked_add(header.u64(8).ok()?)?;
    // SAFETY: as long as its header says.
    Some(unsafe { std::slice::from_raw_parts(start, usize::try_from(length).ok()?) })
}

/// Returns the fat binary that the bytes begin with, if they do.
pub fn first(bytes: &[u8]) -> Option<&[u8]> {
    let header = Bytes(bytes);
    if header.u32(0) != Ok(MAGIC) {
        return None;
    }
    let length = u64::from(header.u16(6).ok()?).checked_add(header.u64(8).ok()?)?;
    bytes.get(..usize::try_from(length).ok()?)
}

/// Returns the fat binaries that lie one behind another, each at a multiple of 8 bytes.
pub fn all(bytes: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match first(&bytes[at..]) {
            Some(one) => {
                found.push(one);
                at = (at + one.len().max(8)).next_multiple_of(8);
            }
            None => at += 8,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: u16, architecture: u32, flags: u64, code: &[u8], unpacked: u64) -> Vec<u8> {
        let packed = if unpacked > 0 { code.len() as u32 } else { 0 };
        let padded = code.len().next_multiple_of(8);
        let mut bytes = Vec::new();
        bytes.extend(kind.to_le_bytes());
        bytes.extend(0x101_u16.to_le_bytes());
        bytes.extend(64_u32.to_le_bytes());
        bytes.extend((padded as u64).to_le_bytes());
        bytes.extend(packed.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(architecture.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(flags.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(unpacked.to_le_bytes());
        bytes.extend(code);
        bytes.resize(64 + padded, 0);
        bytes
    }

    fn fat(entries: &[Vec<u8>]) -> Vec<u8> {
        let rest = entries.concat();
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend(16_u16.to_le_bytes());
        bytes.extend((rest.len() as u64).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    const TEXT: &str = ".version 9.0\n.target sm_75\n.target sm_75\n.target sm_75\n.target sm_75\n";

    #[test]
    fn ptx_is_read_as_it_is_and_packed() {
        let packed = lz4_flex::block::compress(TEXT.as_bytes());
        let length = TEXT.len() as u64;
        let zstd = ruzstd::encoding::compress_to_vec(TEXT.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
        for one in [
            entry(1, 75, 0x11, TEXT.as_bytes(), 0),
            entry(1, 75, 0x11 | LZ4, &packed, length),
            entry(1, 75, 0x11 | ZSTD, &zstd, length),
        ] {
            let read = FatBinary::read(&fat(&[entry(2, 90, 0x11, b"\x7fELF....", 0), one])).unwrap();
            assert_eq!(read, FatBinary { ptx: vec![(75, TEXT.to_string())], machine_code: vec![90] });
        }
    }

    #[test]
    fn the_newest_that_runs_is_taken() {
        let both = [entry(1, 75, 0, b"old", 0), entry(1, 90, 0, b"new", 0), entry(1, 100, 0, b"newer", 0)];
        let read = FatBinary::read(&fat(&both)).unwrap();
        assert_eq!((read.best(90), read.best(80), read.best(70)), (Some("new"), Some("old"), None));
    }

    #[test]
    fn what_is_cut_off_or_made_up_is_an_error() {
        let good = fat(&[entry(1, 75, LZ4, &lz4_flex::block::compress(TEXT.as_bytes()), TEXT.len() as u64)]);
        for end in 0..good.len() {
            assert!(FatBinary::read(&good[..end]).is_err(), "{end} bytes");
        }
        for at in 0..good.len() {
            let mut changed = good.clone();
            changed[at] ^= 0xff;
            // Whatever comes of it, it comes to an end.
            let _ = FatBinary::read(&changed);
        }
        assert_eq!(FatBinary::read(b"\x7fELF"), Err(Error::NoFatBinary));
        // SAFETY: both are readable.
        unsafe { assert!(wrapped(std::ptr::null()).is_none() && wrapped(good.as_ptr()).is_none()) };
    }
}

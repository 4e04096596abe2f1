//! The functions of a CUDA runtime in a file without a symbol table.
//!
//! Each function of the runtime tells profiling tools that it was called, under its own name. So it has an instruction
//! that loads the address of this name, and the names lie together as texts. Up to CUDA 12.6 most of them load it from
//! a table of addresses. The functions that register kernels tell nobody. They are found by their place: in all
//! runtimes from CUDA 12.1 to 13.5 these eleven follow each other, at distances that no other functions have.
//! `.eh_frame_hdr`, which no `strip` removes, has the beginnings of all functions.
//!
//! This is what is observed in files of CUDA 12 and 13 for x86-64. On other processors nothing is found.

use super::loaded::{Object, Segment};
use super::symbols::Functions;
use memchr::memmem;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Two texts that follow each other in most runtimes, in another list of names.
const KNOWN: &[u8] = b"\0cudaDriverGetVersion\0cudaRuntimeGetVersion\0";

/// The first of the two texts. A linker that merges equal texts may have moved the second. Files without this one have
/// no runtime.
const KNOWN_ALONE: &[u8] = b"\0cudaDriverGetVersion\0";

/// The names that functions load lie no farther from there than this: 400 kB in one library of 300 MB.
const NEAR: usize = 1 << 24;

/// They are the longest run of texts that begin with `cuda` at multiples of this: 382 names in CUDA 11.8, 442 in 13.5.
const ALIGNED: usize = 8;

/// There are at least as many names.
const LEAST_NAMES: usize = 300;

/// No runtime has more code than this.
const RUNTIME: usize = 1 << 20;

/// The functions that register kernels and launch them, as they follow each other.
const REGISTRATION: [&str; 11] = [
    "__cudaRegisterFatBinary",
    "__cudaRegisterFatBinaryEnd",
    "__cudaUnregisterFatBinary",
    "__cudaRegisterVar",
    "__cudaRegisterManagedVar",
    "__cudaRegisterHostVar",
    "__cudaRegisterFunction",
    "__cudaInitModule",
    "__cudaPushCallConfiguration",
    "__cudaPopCallConfiguration",
    "__cudaGetKernel",
];

/// The distance from each of them to the next: from CUDA 12.8 on, from 12.2 to 12.6, and in 12.1.
const DISTANCES: [[usize; REGISTRATION.len() - 1]; 3] = [
    [0x30, 0x30, 0x40, 0x80, 0x80, 0x40, 0x70, 0xe0, 0xa0, 0xb0],
    [0x30, 0x30, 0x40, 0x80, 0x80, 0x40, 0x70, 0xd0, 0x90, 0xc0],
    [0x30, 0x20, 0x30, 0x70, 0x70, 0x40, 0x70, 0xe0, 0xa0, 0xd0],
];

/// The functions of a runtime, with their addresses.
pub struct Runtime {
    pub list: Vec<(&'static str, usize)>,
    pub is_older_than_12: bool,
}

impl Runtime {
    fn has(&self, name: &str) -> bool {
        self.list.iter().any(|(found, _)| *found == name)
    }

    /// Returns true if its functions were found, and not their names alone.
    pub fn is_found(&self) -> bool {
        self.has("cudaMalloc")
    }

    pub fn has_registration(&self) -> bool {
        self.has(REGISTRATION[0])
    }
}

/// Finds the functions of a runtime in a file that is loaded. Its texts are looked for in the constants, if the file
/// says where these are. Else all that is not writable is read, which takes long in a large file.
///
/// # Safety
/// The file stays loaded as long as the result is used.
pub unsafe fn functions(object: &Object, file: &Functions) -> Option<Runtime> {
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    // SAFETY: by the caller.
    let bytes = |segment: &Segment| unsafe { segment.bytes() };
    let constant: Vec<(usize, &'static [u8])> =
        object.constant.iter().map(|segment| (segment.range.start, bytes(segment))).collect();
    let at = |address: usize| object.base.wrapping_add(address);
    let constants = file.constants.as_ref().map_or(0..usize::MAX, |range| at(range.start)..at(range.end));
    let texts = constant.iter().map(|(start, bytes)| part(*start, bytes, &constants));
    let names = texts.filter_map(|(start, bytes)| names(start, bytes)).next()?;
    let begins = begins(&constant, object.frames?)?;
    let code = object.constant.iter().filter(|segment| segment.is_code);
    let code = code.map(|segment| (segment.range.start, bytes(segment)));
    let addresses = addresses(file.relocations, object.base, &names);
    // CUDA 12 is the first that has this function.
    let is_older_than_12 = !names.values().any(|name| *name == "cudaInitDevice");
    Some(Runtime { list: list(&names, &addresses, &begins, code), is_older_than_12 })
}

/// Returns the names that functions of a runtime load, by the addresses of the texts, from constants that are loaded
/// at `start`.
fn names(start: usize, constants: &[u8]) -> Option<HashMap<usize, &str>> {
    let known = memmem::find(constants, KNOWN).or_else(|| memmem::find(constants, KNOWN_ALONE))?;
    let from = known.saturating_sub(NEAR);
    let near = &constants[from..(known + NEAR).min(constants.len())];
    let (mut longest, mut run) = (HashMap::new(), HashMap::new());
    let longer = |one: HashMap<_, _>, other: HashMap<_, _>| if other.len() > one.len() { other } else { one };
    let mut at = from;
    for text in near.split(|&byte| byte == 0) {
        match std::str::from_utf8(text).ok().filter(|name| is_function(name) && (start + at).is_multiple_of(ALIGNED)) {
            Some(name) => {
                run.insert(start + at, name);
            }
            // Zeros between two texts.
            None if text.is_empty() => {}
            None => longest = longer(longest, std::mem::take(&mut run)),
        }
        at += text.len() + 1;
    }
    let longest = longer(longest, run);
    (longest.len() >= LEAST_NAMES).then_some(longest)
}

/// Returns the functions that load a name's address, and those that register kernels. These come first in a runtime,
/// so if they are found only the code behind them is looked at: some libraries have hundreds of megabytes.
fn list<'a>(
    names: &HashMap<usize, &'a str>,
    addresses: &HashMap<usize, &'a str>,
    begins: &[usize],
    code: impl Iterator<Item = (usize, &'a [u8])>,
) -> Vec<(&'a str, usize)> {
    let registration = registration(begins);
    let runtime = match registration.first() {
        Some((_, first)) => *first..first + RUNTIME,
        None => 0..usize::MAX,
    };
    let function = |address: usize| Some(begins[begins.partition_point(|&begin| begin <= address).checked_sub(1)?]);
    let loads = code.map(|(start, code)| part(start, code, &runtime)).flat_map(|(start, code)| loads(start, code));
    let named = |(at, load): (usize, Load)| {
        let name = match load {
            Load::Address(address) => names.get(&address)?,
            Load::Value(place) => addresses.get(&place)?,
        };
        Some((*name, function(at)?))
    };
    let mut pairs: Vec<(&str, usize)> = loads.filter_map(named).collect::<HashSet<_>>().into_iter().collect();
    // A function that loads two names, or a name that two functions load, is ambiguous and left alone.
    let (mut by_name, mut by_function) = (HashMap::new(), HashMap::new());
    for (name, at) in &pairs {
        *by_name.entry(*name).or_insert(0) += 1;
        *by_function.entry(*at).or_insert(0) += 1;
    }
    pairs.retain(|(name, at)| by_name[name] == 1 && by_function[at] == 1);
    pairs.extend(registration);
    pairs
}

/// Returns true for what may be a function of the runtime. Python's modules have runs of names as
/// `cuda.bindings.runtime`.
fn is_function(name: &str) -> bool {
    let Some([first, rest @ ..]) = name.strip_prefix("cuda").map(str::as_bytes) else { return false };
    (first.is_ascii_uppercase() || first.is_ascii_digit())
        && rest.iter().all(|sign| sign.is_ascii_alphanumeric() || *sign == b'_')
}

/// Returns the part of bytes loaded at `start` that lies in a range of addresses.
fn part<'a>(start: usize, bytes: &'a [u8], range: &Range<usize>) -> (usize, &'a [u8]) {
    let offset = |address: usize| address.saturating_sub(start).min(bytes.len());
    let (from, to) = (offset(range.start), offset(range.end));
    (start + from, &bytes[from..to])
}

/// Finds the functions that register kernels by their distances. None if not exactly one place has them.
fn registration(begins: &[usize]) -> Vec<(&'static str, usize)> {
    let fits = |at: &&[usize]| {
        let has = |distances: &[usize; REGISTRATION.len() - 1]| {
            at.windows(2).zip(distances).all(|(pair, distance)| pair[1] - pair[0] == *distance)
        };
        DISTANCES.iter().any(has)
    };
    let mut places = begins.windows(REGISTRATION.len()).filter(fits);
    let (Some(place), None) = (places.next(), places.next()) else { return Vec::new() };
    REGISTRATION.iter().copied().zip(place.iter().copied()).collect()
}

/// Returns where the loader puts the addresses of names, by a file's relocations: entries of 24 bytes, of which
/// `R_X86_64_RELATIVE` puts the address that it has, relative to where the file is loaded.
fn addresses<'a>(relocations: &[u8], base: usize, names: &HashMap<usize, &'a str>) -> HashMap<usize, &'a str> {
    const RELATIVE: u64 = 8;
    let address = |entry: &[u8]| {
        let number = |at: usize| Some(u64::from_le_bytes(entry.get(at..at + 8)?.try_into().ok()?));
        let [place, kind, text] = [number(0)?, number(8)?, number(16)?];
        let name = names.get(&base.wrapping_add(text as usize)).filter(|_| kind == RELATIVE)?;
        Some((base.wrapping_add(place as usize), *name))
    };
    relocations.chunks_exact(24).filter_map(address).collect()
}

/// Reads the addresses where functions begin, in order, from `.eh_frame_hdr` (Linux Standard Base, "Exception Frames").
fn begins(constant: &[(usize, &[u8])], header: usize) -> Option<Vec<usize>> {
    let (start, bytes) = constant.iter().find(|(start, bytes)| (*start..start + bytes.len()).contains(&header))?;
    let bytes = &bytes[header - start..];
    // Version 1; a pointer of 4 bytes; a count of 4 bytes; pairs of 4 bytes with a sign, relative to the header.
    let [1, _, 0x03, 0x3b, ..] = bytes else { return None };
    let word = |at: usize| Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let count = word(8)? as usize;
    (0..count).map(|entry| Some(header.wrapping_add_signed(word(12 + 8 * entry)? as isize))).collect()
}

/// The source of a load instruction.
#[derive(Debug, PartialEq)]
enum Load {
    Address(usize),
    /// The 8 bytes at this address.
    Value(usize),
}

/// Instructions that load an address relative to themselves (`lea reg, [rip + offset]`), or what is there
/// (`movq xmm, [rip + offset]`): where they are, and what they load.
fn loads(start: usize, code: &[u8]) -> impl Iterator<Item = (usize, Load)> {
    // An instruction may be the last one.
    (0..code.len()).filter_map(move |at| {
        let (bytes, is_value) = match &code[at..] {
            [0x48 | 0x4c, 0x8d, rest @ ..] => (rest, false),
            [0xf3, 0x0f, 0x7e, rest @ ..] | [0xf3, 0x44, 0x0f, 0x7e, rest @ ..] => (rest, true),
            _ => return None,
        };
        let &[form, a, b, c, d, ..] = bytes else { return None };
        let next = start + code.len() - bytes.len() + 5;
        let address = next.wrapping_add_signed(i32::from_le_bytes([a, b, c, d]) as isize);
        let load = if is_value { Load::Value(address) } else { Load::Address(address) };
        (form & 0b1100_0111 == 0b0000_0101).then_some((start + at, load))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place for functions, and behind it one for texts and one for their addresses.
    const CODE: usize = 0x10_0000;
    const TEXTS: usize = 0x20_0000;
    const TABLE: usize = 0x30_0000;

    /// Something like a runtime: a function for each name, 16 bytes apart, that loads its address.
    struct Made {
        texts: Vec<u8>,
        code: Vec<u8>,
        begins: Vec<usize>,
        relocations: Vec<u8>,
    }

    impl Made {
        fn new(count: usize) -> Made {
            let mut made =
                Made { texts: KNOWN.to_vec(), code: Vec::new(), begins: Vec::new(), relocations: Vec::new() };
            made.text("unrelated");
            (0..count).for_each(|number| {
                let address = made.text(&format!("cudaNumber{number}"));
                made.load(address);
            });
            made
        }

        /// Adds a text at a multiple of 8, and returns its address.
        fn text(&mut self, text: &str) -> usize {
            self.texts.resize(self.texts.len().next_multiple_of(ALIGNED), 0);
            let address = TEXTS + self.texts.len();
            self.texts.extend(text.bytes().chain([0]));
            address
        }

        /// Adds a function that loads an address.
        fn load(&mut self, address: usize) {
            let begin = CODE + self.code.len();
            self.begins.push(begin);
            self.code.extend([0x55, 0x48, 0x8d, 0x05]);
            self.code.extend((address as i64 - (begin as i64 + 8)).to_le_bytes()[..4].iter());
            self.code.extend([0xc3; 8]);
        }

        /// Adds a function that loads an address from a table.
        fn load_value(&mut self, address: usize) {
            let (begin, place) = (CODE + self.code.len(), TABLE + self.relocations.len() / 3);
            self.relocations
                .extend([place, 8, address].map(|number| number as u64).iter().flat_map(|one| one.to_le_bytes()));
            self.begins.push(begin);
            self.code.extend([0xf3, 0x0f, 0x7e, 0x05]);
            self.code.extend((place as i64 - (begin as i64 + 8)).to_le_bytes()[..4].iter());
            self.code.extend([0xc3; 8]);
        }

        fn list(&self) -> Option<Vec<(&str, usize)>> {
            let names = names(TEXTS, &self.texts)?;
            let addresses = addresses(&self.relocations, 0, &names);
            Some(list(&names, &addresses, &self.begins, [(CODE, &self.code[..])].into_iter()))
        }
    }

    #[test]
    fn functions_are_found_by_the_names_that_they_load() {
        let made = Made::new(400);
        let found = made.list().unwrap();
        assert_eq!(found.len(), 400);
        for number in [0, 150, 399] {
            let name = format!("cudaNumber{number}");
            assert!(found.contains(&(&name, CODE + number * 16)), "{name}: {found:?}");
        }
        assert!(Made::new(20).list().is_none(), "a program that prints a few names");
    }

    #[test]
    fn functions_are_found_by_names_whose_addresses_are_in_a_table() {
        let mut made = Made::new(400);
        for name in ["cudaMalloc", "cudaFree"] {
            let address = made.text(name);
            made.load_value(address);
        }
        let found = made.list().unwrap();
        assert!(found.len() == 402 && found.contains(&("cudaFree", CODE + 401 * 16)), "{found:?}");
        assert_eq!(loads(0, &[0xf3, 0x44, 0x0f, 0x7e, 0x05, 1, 0, 0, 0]).next(), Some((0, Load::Value(10))));
    }

    /// As in modules that Cython makes.
    #[test]
    fn names_with_a_dot_are_no_functions() {
        let mut made = Made { texts: KNOWN.to_vec(), code: vec![], begins: vec![], relocations: vec![] };
        for number in 0..400 {
            made.text(&format!("cuda.bindings.runtime.cudaNumber{number}"));
        }
        assert!(made.list().is_none());
        assert!(is_function("cudaGetDevice_v2") && !is_function("cudaArray_t.__init__") && !is_function("cuda"));
    }

    #[test]
    fn the_programs_own_texts_are_no_functions() {
        let mut made = Made::new(400);
        made.text("between");
        let free = made.text("cudaFree");
        made.load(free);
        let found = made.list().unwrap();
        assert!(found.len() == 400 && !found.iter().any(|(name, _)| *name == "cudaFree"), "{found:?}");
        // A name that two functions load.
        let again = *names(TEXTS, &made.texts).unwrap().iter().find(|(_, name)| **name == "cudaNumber7").unwrap().0;
        made.load(again);
        let found = made.list().unwrap();
        assert!(found.len() == 399 && !found.iter().any(|(name, _)| *name == "cudaNumber7"), "{found:?}");
    }

    #[test]
    fn registration_is_found_at_one_place_or_not_at_all() {
        let group = |from: usize| {
            DISTANCES[0].iter().chain([&0]).scan(from, |at, distance| {
                let begin = *at;
                *at += distance;
                Some(begin)
            })
        };
        let begins: Vec<usize> = [0x1000].into_iter().chain(group(0x2000)).chain([0x9000]).collect();
        let found = registration(&begins);
        assert_eq!(found.len(), REGISTRATION.len());
        assert!(found.contains(&("__cudaUnregisterFatBinary", 0x2060)));
        assert!(registration(&begins[..8]).is_empty());
        let twice: Vec<usize> = begins.iter().copied().chain(group(0xa000)).collect();
        assert!(registration(&twice).is_empty());
    }

    #[test]
    fn a_part_of_the_code_is_cut_out_by_its_addresses() {
        let code = [1, 2, 3, 4];
        assert_eq!(part(0x10, &code, &(0x11..0x13)), (0x11, &code[1..3]));
        assert_eq!(part(0x10, &code, &(0..usize::MAX)), (0x10, &code[..]));
        assert_eq!(part(0x10, &code, &(0x20..0x30)), (0x14, &code[4..]));
    }

    #[test]
    fn frames_of_another_form_are_not_read() {
        let header = |encoding: u8| {
            let mut bytes = vec![1, 0x1b, 0x03, encoding, 0, 0, 0, 0, 1, 0, 0, 0];
            bytes.extend((-0x100_i32).to_le_bytes());
            bytes.extend([0; 4]);
            bytes
        };
        assert_eq!(begins(&[(TEXTS, &header(0x3b))], TEXTS), Some(vec![TEXTS - 0x100]));
        assert_eq!(begins(&[(TEXTS, &header(0x1b))], TEXTS), None);
        assert_eq!(begins(&[(TEXTS, &header(0x3b)[..14])], TEXTS), None);
        assert_eq!(begins(&[(TEXTS, &header(0x3b))], TEXTS + 0x1000), None);
    }
}

//! The functions of a CUDA runtime in a file without a symbol table.
//!
//! Each function of the runtime tells profiling tools that it was called, under its own name. So it has an instruction
//! that loads the address of this name, and the names lie together as texts. The functions that register kernels tell
//! nobody. They are found by their place: in all runtimes from CUDA 12.9 to 13.5 these eleven follow each other, at
//! distances that no other functions have. `.eh_frame_hdr`, which no `strip` removes, has the beginnings of all
//! functions.
//!
//! This is what is observed in files of CUDA 12 and 13 for x86-64. On other processors nothing is found.

use super::loaded::{Object, Segment};
use memchr::memmem;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Two texts that follow each other in each runtime, in another list of names. Files without them have no runtime.
const KNOWN: &[u8] = b"\0cudaDriverGetVersion\0cudaRuntimeGetVersion\0";

/// The names that functions load lie no farther from there than this: 400 kB in one library of 300 MB.
const NEAR: usize = 1 << 24;

/// They are the longest run of texts that begin with `cuda` at multiples of this: 382 names in CUDA 11.8, 442 in 13.5.
const ALIGNED: usize = 8;

/// There are at least as many names.
const LEAST_NAMES: usize = 300;

/// No runtime has more code than this.
const RUNTIME: usize = 1 << 20;

/// The functions that register kernels and launch them, as they follow each other, and the distance to the next.
const REGISTRATION: [(&str, usize); 11] = [
    ("__cudaRegisterFatBinary", 0x30),
    ("__cudaRegisterFatBinaryEnd", 0x30),
    ("__cudaUnregisterFatBinary", 0x40),
    ("__cudaRegisterVar", 0x80),
    ("__cudaRegisterManagedVar", 0x80),
    ("__cudaRegisterHostVar", 0x40),
    ("__cudaRegisterFunction", 0x70),
    ("__cudaInitModule", 0xe0),
    ("__cudaPushCallConfiguration", 0xa0),
    ("__cudaPopCallConfiguration", 0xb0),
    ("__cudaGetKernel", 0),
];

/// The functions of a runtime, with their addresses.
pub struct Runtime {
    pub list: Vec<(&'static str, usize)>,
}

impl Runtime {
    fn has(&self, name: &str) -> bool {
        self.list.iter().any(|(found, _)| *found == name)
    }

    /// CUDA 12 is the first that has this function.
    pub fn is_older_than_12(&self) -> bool {
        !self.has("cudaInitDevice")
    }

    pub fn has_registration(&self) -> bool {
        self.has(REGISTRATION[0].0)
    }
}

/// Finds the functions of a runtime in a file that is loaded. Its texts are looked for in `constants`, which is
/// relative to where the file is loaded. Without it all that is not writable is read, which takes long in a large file.
///
/// # Safety
/// The file stays loaded as long as the result is used.
pub unsafe fn functions(object: &Object, constants: Option<Range<usize>>) -> Option<Runtime> {
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    // SAFETY: by the caller.
    let bytes = |segment: &Segment| unsafe { segment.bytes() };
    let constant: Vec<(usize, &'static [u8])> =
        object.constant.iter().map(|segment| (segment.range.start, bytes(segment))).collect();
    let at = |address: usize| object.base.wrapping_add(address);
    let constants = constants.map_or(0..usize::MAX, |range| at(range.start)..at(range.end));
    let texts = constant.iter().map(|(start, bytes)| part(*start, bytes, &constants));
    let names = texts.filter_map(|(start, bytes)| names(start, bytes)).next()?;
    let begins = begins(&constant, object.frames?)?;
    let code = object.constant.iter().filter(|segment| segment.is_code);
    let code = code.map(|segment| (segment.range.start, bytes(segment)));
    Some(Runtime { list: list(&names, &begins, code) })
}

/// Returns the names that functions of a runtime load, by the addresses of the texts, from constants that are loaded
/// at `start`.
fn names(start: usize, constants: &[u8]) -> Option<HashMap<usize, &str>> {
    let known = memmem::find(constants, KNOWN)?;
    let from = known.saturating_sub(NEAR);
    let near = &constants[from..(known + NEAR).min(constants.len())];
    let (mut longest, mut run) = (HashMap::new(), HashMap::new());
    let longer = |one: HashMap<_, _>, other: HashMap<_, _>| if other.len() > one.len() { other } else { one };
    let mut at = from;
    for text in near.split(|&byte| byte == 0) {
        match std::str::from_utf8(text)
            .ok()
            .filter(|name| name.starts_with("cuda") && (start + at).is_multiple_of(ALIGNED))
        {
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
    let named = |(at, address): (usize, usize)| Some((*names.get(&address)?, function(at)?));
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

/// Returns the part of bytes loaded at `start` that lies in a range of addresses.
fn part<'a>(start: usize, bytes: &'a [u8], range: &Range<usize>) -> (usize, &'a [u8]) {
    let offset = |address: usize| address.saturating_sub(start).min(bytes.len());
    let (from, to) = (offset(range.start), offset(range.end));
    (start + from, &bytes[from..to])
}

/// Finds the functions that register kernels by their distances. None if not exactly one place has them.
fn registration(begins: &[usize]) -> Vec<(&'static str, usize)> {
    let fits =
        |at: &&[usize]| at.windows(2).zip(REGISTRATION).all(|(pair, (_, distance))| pair[1] - pair[0] == distance);
    let mut places = begins.windows(REGISTRATION.len()).filter(fits);
    let (Some(place), None) = (places.next(), places.next()) else { return Vec::new() };
    REGISTRATION.iter().zip(place).map(|((name, _), at)| (*name, *at)).collect()
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

/// Instructions that load an address relative to themselves (`lea reg, [rip + offset]`): where they are, and the
/// address.
fn loads(start: usize, code: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    code.windows(7).enumerate().filter_map(move |(at, bytes)| {
        let &[0x48 | 0x4c, 0x8d, form, a, b, c, d] = bytes else { return None };
        let offset = i32::from_le_bytes([a, b, c, d]);
        let next = start + at + bytes.len();
        (form & 0b1100_0111 == 0b0000_0101).then(|| (start + at, next.wrapping_add_signed(offset as isize)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place for functions, and one for texts behind it.
    const CODE: usize = 0x10_0000;
    const TEXTS: usize = 0x20_0000;

    /// Something like a runtime: a function for each name, 16 bytes apart, that loads its address.
    struct Made {
        texts: Vec<u8>,
        code: Vec<u8>,
        begins: Vec<usize>,
    }

    impl Made {
        fn new(count: usize) -> Made {
            let mut made = Made { texts: KNOWN.to_vec(), code: Vec::new(), begins: Vec::new() };
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

        fn list(&self) -> Option<Vec<(&str, usize)>> {
            Some(list(&names(TEXTS, &self.texts)?, &self.begins, [(CODE, &self.code[..])].into_iter()))
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
            REGISTRATION.iter().scan(from, |at, (_, distance)| {
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

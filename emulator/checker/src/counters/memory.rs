//! The cost of one memory instruction of a warp: sectors, passes through shared memory, rounds of atomics.
//!
//! - **Global memory** is fetched in sectors of 32 bytes (CUDA Programming Guide, "Device Memory Accesses"). A warp
//!   instruction is one request; it takes as many sectors as its active lanes access, each once.
//! - **Local memory** is laid out so that the same word of 32 lanes is contiguous: word `w` of lane `l` is word `32 w +
//!   l` of its warp.
//! - **Shared memory** has 32 banks of 4 bytes (the guide, "Shared Memory"). Lanes that access different words of one
//!   bank take a pass each; one word is broadcast to all that read it, and of several stores to it one stays. Accesses
//!   of 8 and 16 bytes are served by half and quarter warps.
//! - **Atomics** of one warp on one address are serialised here, and their sector is counted once. An H200 counts the
//!   sector once for each of them, unless the compiler has added up a warp's operands first.
//! - **Asynchronous copies** from global to shared memory (`cp.async`) are separate instructions. Their reads count
//!   among the requests and sectors of loads, as on an H200. The passes in which their bytes reach shared memory are
//!   not counted.
//!
//! All of it is arithmetic on addresses and masks; caches and time are not modelled.

use machine::registers::{Mask, WARP, lanes};

pub const SECTOR: u64 = 32;
const BANKS: u64 = 32;
const WORD: u64 = 4;

/// The greatest number of words or sectors of one instruction.
const MOST_UNITS: usize = 8 * WARP;

/// Returns the number of different values.
fn distinct(values: impl Iterator<Item = u64>) -> u64 {
    let mut list = [0; MOST_UNITS];
    let mut count = 0;
    for value in values {
        // Neighbours mostly share a sector.
        if count == 0 || list[count - 1] != value {
            list[count] = value;
            count += 1;
        }
    }
    let list = &mut list[..count];
    if list.is_sorted() {
        // Equal ones would be adjacent, and were left out.
        return count as u64;
    }
    list.sort_unstable();
    1 + list.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64
}

/// Returns the units of `unit` bytes that `bytes` bytes at each lane's address touch.
fn units<'a>(at: &'a [u64; WARP], mask: Mask, bytes: u64, unit: u64) -> impl Iterator<Item = u64> + 'a {
    lanes(mask).flat_map(move |lane| at[lane] / unit..=at[lane].saturating_add(bytes - 1) / unit)
}

/// Returns the number of sectors of global memory.
pub fn sectors(at: &[u64; WARP], mask: Mask, bytes: u64) -> u64 {
    distinct(units(at, mask, bytes, SECTOR))
}

/// Returns the number of sectors of local memory, whose words are spread over the warp.
pub fn local_sectors(at: &[u64; WARP], mask: Mask, bytes: u64) -> u64 {
    let words = lanes(mask).flat_map(move |lane| {
        (at[lane] / WORD..=at[lane].saturating_add(bytes - 1) / WORD)
            .map(move |word| word.wrapping_mul(WARP as u64 * WORD).wrapping_add(lane as u64 * WORD))
    });
    let mut sectors: Vec<u64> = words.map(|byte| byte / SECTOR).collect();
    sectors.sort_unstable();
    sectors.dedup();
    sectors.len() as u64
}

/// The number of passes through shared memory, and the number without conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    pub all: u64,
    pub least: u64,
}

pub fn shared_passes(at: &[u64; WARP], mask: Mask, bytes: u64) -> Passes {
    let parts = (bytes / WORD).clamp(1, 4) as usize;
    let lanes_of_part = WARP / parts;
    let whole = if lanes_of_part == WARP { !0 } else { (1u32 << lanes_of_part) - 1 };
    let mut passes = Passes { all: 0, least: 0 };
    for part in (0..parts).map(|part| mask & whole << (part * lanes_of_part)).filter(|&part| part != 0) {
        passes.all += ways(at, part, bytes);
        passes.least += 1;
    }
    passes
}

/// Returns the greatest number of different words that are accessed in one bank.
fn ways(at: &[u64; WARP], part: Mask, bytes: u64) -> u64 {
    let mut words = [0; MOST_UNITS];
    let mut count = 0;
    for word in units(at, part, bytes, WORD) {
        if !words[..count].contains(&word) {
            words[count] = word;
            count += 1;
        }
    }
    let mut asked = [0; BANKS as usize];
    words[..count].iter().for_each(|word| asked[(word % BANKS) as usize] += 1);
    asked.into_iter().max().unwrap_or(0)
}

/// The operations of one atomic instruction on the addresses of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meetings {
    /// The number of operations that come after another lane's on their address.
    pub conflicts: u64,
    /// The greatest number of operations on one address.
    pub rounds: u64,
}

pub fn meetings(at: &[u64; WARP], mask: Mask) -> Meetings {
    let mut list = [0; WARP];
    let mut count = 0;
    for lane in lanes(mask) {
        list[count] = at[lane];
        count += 1;
    }
    let list = &mut list[..count];
    list.sort_unstable();
    let same = list.chunk_by(|a, b| a == b).map(|same| same.len() as u64);
    same.fold(Meetings { conflicts: 0, rounds: 0 }, |sum, same| Meetings {
        conflicts: sum.conflicts + same - 1,
        rounds: sum.rounds.max(same),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::registers::FULL;

    fn every(step: u64, from: u64) -> [u64; WARP] {
        std::array::from_fn(|lane| from + step * lane as u64)
    }

    #[test]
    fn a_stride_takes_a_sector_for_each_step_of_32_bytes() {
        // Ints: 32 lanes x 4 bytes are 4 sectors; from a stride of 8 ints on each lane has its own.
        for (stride, wanted) in [(0, 1), (1, 4), (2, 8), (3, 12), (4, 16), (5, 20), (7, 28), (8, 32), (9, 32), (32, 32)]
        {
            assert_eq!(sectors(&every(4 * stride, 1 << 20), FULL, 4), wanted, "stride {stride}");
        }
    }

    #[test]
    fn an_offset_takes_one_sector_more_unless_it_is_a_whole_one() {
        for offset in 0..32 {
            let wanted = if offset % 8 == 0 { 4 } else { 5 };
            assert_eq!(sectors(&every(4, 4096 + 4 * offset), FULL, 4), wanted, "offset {offset}");
        }
    }

    #[test]
    fn a_vector_takes_its_bytes_and_a_part_of_a_warp_its_own() {
        assert_eq!(sectors(&every(8, 0), FULL, 8), 8);
        assert_eq!(sectors(&every(16, 0), FULL, 16), 16);
        assert_eq!(sectors(&every(16, 0), 1, 16), 1);
        assert_eq!(sectors(&every(4, 0), 0x1ff, 4), 2);
        assert_eq!(sectors(&every(4, 0), 0x8000_0001, 4), 2);
        assert_eq!(sectors(&every(1, 0), FULL, 1), 1);
        // Out of order, and in reverse order.
        assert_eq!(sectors(&std::array::from_fn(|lane| 32 * (lane as u64 % 3)), FULL, 4), 3);
        assert_eq!(sectors(&std::array::from_fn(|lane| 4 * (31 - lane as u64)), FULL, 4), 4);
    }

    #[test]
    fn a_word_of_local_memory_is_four_sectors_for_a_warp() {
        assert_eq!(local_sectors(&every(0, 64), FULL, 4), 4);
        assert_eq!(local_sectors(&every(0, 64), FULL, 8), 8);
        assert_eq!(local_sectors(&every(0, 64), 1, 16), 4);
        // Each lane at another index of its array: a sector each.
        assert_eq!(local_sectors(&every(4, 0), FULL, 4), 32);
    }

    #[test]
    fn a_stride_of_words_meets_in_as_many_banks_as_it_has_factors_of_two() {
        for stride in 1..=64u64 {
            let ways = 1 << stride.trailing_zeros().min(5);
            assert_eq!(
                shared_passes(&every(4 * stride, 0), FULL, 4),
                Passes { all: ways, least: 1 },
                "stride {stride}"
            );
        }
        // One word for all, and two bytes of one word.
        assert_eq!(shared_passes(&every(0, 8), FULL, 4).all, 1);
        assert_eq!(shared_passes(&every(2, 0), FULL, 2).all, 1);
        // A column of a tile of 32 floats a row: 32 passes; of 33: one.
        assert_eq!(shared_passes(&every(4 * 32, 0), FULL, 4).all, 32);
        assert_eq!(shared_passes(&every(4 * 33, 0), FULL, 4).all, 1);
    }

    #[test]
    fn wide_accesses_go_by_half_and_quarter_warps() {
        assert_eq!(shared_passes(&every(8, 0), FULL, 8), Passes { all: 2, least: 2 });
        assert_eq!(shared_passes(&every(16, 0), FULL, 16), Passes { all: 4, least: 4 });
        assert_eq!(shared_passes(&every(8, 0), 0xffff, 8), Passes { all: 1, least: 1 });
        assert_eq!(shared_passes(&every(16, 0), 0xff00_0000, 16), Passes { all: 1, least: 1 });
        assert_eq!(shared_passes(&every(16, 0), FULL, 8), Passes { all: 4, least: 2 });
    }

    #[test]
    fn atomics_on_one_address_go_one_by_one() {
        assert_eq!(meetings(&every(0, 64), FULL), Meetings { conflicts: 31, rounds: 32 });
        assert_eq!(meetings(&every(4, 64), FULL), Meetings { conflicts: 0, rounds: 1 });
        assert_eq!(meetings(&every(0, 64), 0b111), Meetings { conflicts: 2, rounds: 3 });
        // Eight bins: four lanes in each.
        let bins = std::array::from_fn(|lane| 4 * (lane as u64 % 8));
        assert_eq!(meetings(&bins, FULL), Meetings { conflicts: 24, rounds: 4 });
    }
}

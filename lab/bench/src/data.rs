//! Inputs and their answers, on the host. An input is a formula of the element's index, so any part of it can be made
//! again where it is needed. Every output, of any size, is compared with what the CPU computes, element by element.

use crate::device::Gpu;
use anyhow::{Result, ensure};
use cust::memory::{DevicePointer, DeviceSlice, LockedBuffer};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The value of outputs before each checked call.
pub const POISON: u32 = 0xdead_beef;

/// Host memory through which data comes and goes, and the threads that work on it.
pub struct Host {
    staging: RefCell<LockedBuffer<u32>>,
    threads: usize,
}

impl Host {
    /// `words`: how many elements travel at a time.
    pub fn new(words: usize) -> Result<Host> {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(64);
        Ok(Host { staging: RefCell::new(LockedBuffer::new(&0, words)?), threads })
    }

    /// Stores `value(i)` in word i of device memory, for all i below `words`.
    pub fn upload(&self, to: u64, words: usize, value: impl Fn(usize) -> u32 + Sync) -> Result<()> {
        let mut staging = self.staging.borrow_mut();
        for piece in pieces(0..words, staging.len()) {
            let part = &mut staging.as_mut_slice()[..piece.len()];
            let each = part.len().div_ceil(self.threads).max(1);
            thread::scope(|scope| {
                for (slice, number) in part.chunks_mut(each).zip(0..) {
                    let (start, value) = (piece.start + number * each, &value);
                    scope.spawn(move || {
                        slice.iter_mut().zip(start..).for_each(|(word, i)| *word = value(i));
                    });
                }
            });
            slice_at(to, &piece).copy_from_host(part)?;
        }
        Ok(())
    }

    /// The lowest index below `words` at which the device's memory is not as wanted.
    pub fn first_wrong(
        &self,
        from: u64,
        words: usize,
        is_right: impl Fn(usize, u32) -> bool + Sync,
    ) -> Result<Option<usize>> {
        let mut staging = self.staging.borrow_mut();
        for piece in pieces(0..words, staging.len()) {
            let part = &mut staging.as_mut_slice()[..piece.len()];
            slice_at(from, &piece).copy_to_host(part)?;
            let first = AtomicUsize::new(usize::MAX);
            let part = &*part;
            self.parallel(piece.len(), |range| {
                let start = range.start;
                let wrong = part[range].iter().zip(start..).find(|&(&word, i)| !is_right(piece.start + i, word));
                if let Some((_, i)) = wrong {
                    first.fetch_min(piece.start + i, Relaxed);
                }
            });
            let first = first.into_inner();
            if first != usize::MAX {
                return Ok(Some(first));
            }
        }
        Ok(None)
    }

    /// Returns words of the device's memory.
    pub fn download(&self, from: u64, words: usize) -> Result<Vec<u32>> {
        let mut all = vec![0; words];
        let length = self.staging.borrow().len();
        for piece in pieces(0..words, length) {
            slice_at(from, &piece).copy_to_host(&mut all[piece.clone()])?;
        }
        Ok(all)
    }

    /// `work` on parts of 0..n, one per thread; what it gives, in order.
    pub fn parallel<T: Send>(&self, n: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        let parts: Vec<_> = pieces(0..n, n.div_ceil(self.threads).max(1)).collect();
        thread::scope(|scope| {
            let work = &work;
            let running: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || work(part))).collect();
            running.into_iter().map(|thread| thread.join().expect("a worker panicked")).collect()
        })
    }
}

fn pieces(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(length.max(1)).map(move |start| start..(start + length).min(end))
}

/// A part of device memory, for copies.
struct Part(DeviceSlice<u32>);

fn slice_at(address: u64, words: &Range<usize>) -> Part {
    let start = DevicePointer::from_raw(address + 4 * words.start as u64);
    // SAFETY: callers name memory that they have allocated; the copy fails where it is not.
    Part(unsafe { DeviceSlice::from_raw_parts(start, words.len()) })
}

impl Part {
    fn copy_from_host(&mut self, from: &[u32]) -> Result<()> {
        Ok(cust::memory::CopyDestination::copy_from(&mut self.0, from)?)
    }

    fn copy_to_host(&self, to: &mut [u32]) -> Result<()> {
        Ok(cust::memory::CopyDestination::copy_to(&self.0, to)?)
    }
}

/// Mixes the bits of an index (the finaliser of splitmix64).
pub fn mixed(i: u64) -> u64 {
    let mut x = i.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The most that [`int_at`] gives.
pub const MOST_INT: i32 = 1000;

/// An int from -1000 to 1000: the sum of 2^30 of them, added up in any order, stays far from 2^31.
pub fn int_at(i: u64) -> i32 {
    (mixed(i) >> 40) as i32 % (2 * MOST_INT + 1) - MOST_INT
}

/// The kind of bytes that a histogram counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    Uniform,
    /// Nine of ten have one value.
    Skewed,
    Equal,
}

impl Bytes {
    pub const ALL: [Bytes; 3] = [Bytes::Uniform, Bytes::Skewed, Bytes::Equal];

    pub fn name(self) -> &'static str {
        match self {
            Bytes::Uniform => "uniform",
            Bytes::Skewed => "90 % one value",
            Bytes::Equal => "all equal",
        }
    }

    pub fn at(self, i: u64) -> u8 {
        const COMMON: u8 = 42;
        match self {
            Bytes::Uniform => mixed(i) as u8,
            Bytes::Skewed if mixed(i).is_multiple_of(10) => (mixed(i) >> 32) as u8,
            Bytes::Skewed | Bytes::Equal => COMMON,
        }
    }

    /// Four bytes, as a word of memory holds them.
    pub fn word_at(self, i: u64) -> u32 {
        u32::from_le_bytes([0, 1, 2, 3].map(|byte| self.at(4 * i + byte)))
    }
}

/// An input of the filters: element i is kept if it is positive. All elements differ, so that an output says which of
/// them it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sieve {
    pub percent: u64,
    pub n: usize,
    /// Another one has other elements kept.
    pub seed: u64,
}

impl Sieve {
    /// Odd: multiplying by it gives each of 2^31 values once.
    const FACTOR: u32 = 0x2545_f491;
    /// The factor's inverse.
    const INVERSE: u32 = inverse(Sieve::FACTOR);
    const MASK: u32 = (1 << 31) - 1;

    pub fn is_kept(&self, i: usize) -> bool {
        mixed(i as u64 ^ (self.seed << 32)) % 100 < self.percent
    }

    pub fn at(&self, i: usize) -> i32 {
        let value = (Sieve::FACTOR.wrapping_mul(i as u32 + 1) & Sieve::MASK) as i32;
        if self.is_kept(i) { value } else { -value }
    }

    /// Which element this is, if it is one that is to be kept.
    fn index_of(&self, value: i32) -> Option<usize> {
        let i = (Sieve::INVERSE.wrapping_mul(u32::try_from(value).ok()?) & Sieve::MASK).checked_sub(1)? as usize;
        (i < self.n && self.is_kept(i)).then_some(i)
    }

    /// The elements that are kept, in order.
    pub fn kept(&self, host: &Host) -> Vec<i32> {
        let part =
            |range: Range<usize>| -> Vec<i32> { range.filter(|&i| self.is_kept(i)).map(|i| self.at(i)).collect() };
        host.parallel(self.n, part).concat()
    }
}

/// The inverse of an odd number, modulo 2^32 (and so modulo 2^31), by Newton's iteration.
const fn inverse(odd: u32) -> u32 {
    let (mut x, mut round) = (odd, 0);
    while round < 5 {
        x = x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x)));
        round += 1;
    }
    x
}

/// Which order an output may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Free,
    Kept,
}

/// Fails unless the memory at `dst` begins with what the sieve keeps, which is `expected`, each element once, and holds
/// poison from there to n.
pub fn check_kept(host: &Host, dst: u64, kept: u32, sieve: &Sieve, expected: &[i32], order: Order) -> Result<()> {
    ensure!(kept as usize == expected.len(), "{kept} elements are kept, and should be {}", expected.len());
    let seen: Vec<AtomicU64> = match order {
        Order::Free => (0..sieve.n.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
        Order::Kept => Vec::new(),
    };
    let first = host.first_wrong(dst, sieve.n, |at, word| match (order, expected.get(at)) {
        (_, None) => word == POISON,
        (Order::Kept, Some(&wanted)) => word as i32 == wanted,
        (Order::Free, Some(_)) => sieve.index_of(word as i32).is_some_and(|i| {
            let bit = 1 << (i % 64);
            seen[i / 64].fetch_or(bit, Relaxed) & bit == 0
        }),
    })?;
    let beyond = first.is_some_and(|at| at >= expected.len());
    ensure!(!beyond, "element {} was written, after the {kept} kept ones", first.unwrap_or(0));
    match order {
        Order::Kept => ensure!(first.is_none(), "element {} is wrong", first.unwrap_or(0)),
        Order::Free => ensure!(first.is_none(), "element {} is wrong, or there twice", first.unwrap_or(0)),
    }
    Ok(())
}

/// Sum and largest of the ints from `first` on.
pub fn sum_and_most(host: &Host, first: u64, n: usize) -> (i64, i32) {
    let parts = host.parallel(n, |range| {
        range
            .map(|i| int_at(first + i as u64))
            .fold((0i64, i32::MIN), |(sum, most), value| (sum + i64::from(value), most.max(value)))
    });
    parts.into_iter().fold((0, i32::MIN), |(sum, most), part| (sum + part.0, most.max(part.1)))
}

/// Returns the count of each byte value among the bytes from `first` on.
pub fn counts(host: &Host, bytes: Bytes, first: u64, n: usize) -> [u32; 256] {
    let parts = host.parallel(n, |range| {
        let mut counts = [0u32; 256];
        range.for_each(|i| counts[usize::from(bytes.at(first + i as u64))] += 1);
        counts
    });
    let mut counts = [0; 256];
    parts.iter().for_each(|part| counts.iter_mut().zip(part).for_each(|(count, more)| *count += more));
    counts
}

/// Fills words of device memory with poison.
pub fn poison(gpu: &Gpu, at: u64, words: usize) -> Result<()> {
    gpu.fill(at, POISON, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_of_a_sieve_says_which_it_is() {
        let sieve = Sieve { percent: 50, n: 10_000, seed: 3 };
        for i in 0..sieve.n {
            let wanted = sieve.is_kept(i).then_some(i);
            assert_eq!(sieve.index_of(sieve.at(i)), wanted);
            assert_eq!(sieve.at(i) > 0, sieve.is_kept(i));
        }
        assert_eq!(sieve.index_of(0), None);
        assert_eq!(sieve.index_of(POISON as i32), None);
        let last = Sieve { n: 10_001, ..sieve };
        assert_eq!(sieve.index_of(last.at(10_000).abs()), None, "it is beyond the end");
    }

    #[test]
    fn shares_are_what_they_say() {
        for percent in [0, 1, 10, 50, 99, 100] {
            let sieve = Sieve { percent, n: 100_000, seed: 1 };
            let kept = (0..sieve.n).filter(|&i| sieve.is_kept(i)).count() as u64;
            assert!(kept.abs_diff(1000 * percent) < 1000, "{percent} %: {kept}");
            assert!(kept == 1000 * percent || (1..100).contains(&percent));
        }
    }

    #[test]
    fn ints_stay_small_and_reach_their_ends() {
        let all: Vec<i32> = (0..100_000).map(int_at).collect();
        assert_eq!((all.iter().min(), all.iter().max()), (Some(&-MOST_INT), Some(&MOST_INT)));
    }

    #[test]
    fn bytes_are_as_their_name_says() {
        let count = |bytes: Bytes| (0..100_000).filter(|&i| bytes.at(i) == 42).count();
        assert_eq!(count(Bytes::Equal), 100_000);
        assert!((89_000..91_000).contains(&count(Bytes::Skewed)));
        assert!((300..500).contains(&count(Bytes::Uniform)));
        let word = Bytes::Uniform.word_at(5);
        assert_eq!(word.to_le_bytes()[3], Bytes::Uniform.at(23));
    }
}

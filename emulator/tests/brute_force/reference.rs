//! What races, by comparing all pairs of accesses: no shadow memory, no clocks.

use crate::kernel::{Kernel, Kind, Step, address};
use std::rc::Rc;

/// By thread, up to which step all that it did is known.
type Knows = Rc<Vec<usize>>;

/// One access of one thread.
struct Access {
    step: usize,
    block: u32,
    thread: usize,
    kind: Kind,
    wide: Option<bool>,
    first: u32,
    size: u32,
    /// What its thread knows.
    knows: Knows,
}

impl Access {
    /// True if `other`, of the same launch, is ordered before this one.
    fn is_after(&self, other: &Access) -> bool {
        other.step < self.step && other.thread == self.thread || other.step < self.knows[other.thread]
    }

    fn is_unordered(&self, other: &Access) -> bool {
        self.thread != other.thread && !self.is_after(other) && !other.is_after(self)
    }

    fn reads(&self) -> bool {
        matches!(self.kind, Kind::Load | Kind::Fetch)
    }

    fn writes(&self) -> bool {
        self.kind != Kind::Load
    }

    /// True if both are strong, of the same bytes, in scopes that meet.
    fn is_strong_beside(&self, other: &Access, same_block: bool) -> bool {
        let meet = |(a, b): (bool, bool)| same_block || a && b;
        self.wide.zip(other.wide).is_some_and(meet) && (self.first, self.size) == (other.first, other.size)
    }

    /// True if two accesses touch a common byte, one of them writes, and they are not morally strong.
    fn conflicts(&self, other: &Access, same_block: bool) -> bool {
        let overlap = self.first < other.first + other.size && other.first < self.first + self.size;
        overlap && (self.writes() || other.writes()) && !self.is_strong_beside(other, same_block)
    }
}

/// All that a launch of the kernel makes of accesses, elements of strong vectors one by one, each with what is ordered
/// before it. Of blocks that do not meet two stand for all.
fn accesses(kernel: &Kernel) -> Vec<Access> {
    let of_block = kernel.threads as usize;
    let nothing: Knows = Rc::new(vec![0; 2 * of_block]);
    let mut knows = vec![nothing; 2 * of_block];
    let mut all = Vec::new();
    for (step, (round, what)) in kernel.unrolled().enumerate() {
        // Who brings what it knows and has done, and who gets it.
        let warps = |mask: u32| move |thread: &usize| mask >> (thread % of_block / 32) & 1 != 0;
        let blocks = || (0..2).map(|block| block * of_block..(block + 1) * of_block);
        let groups: Vec<(Vec<usize>, Vec<usize>)> = match what {
            Step::Barrier => blocks().map(|block| (block.clone().collect(), block.collect())).collect(),
            Step::Some { arrive, wait } => {
                let part = |block: std::ops::Range<usize>, mask| block.filter(warps(mask)).collect();
                blocks().map(|block| (part(block.clone(), arrive | wait), part(block, wait))).collect()
            }
            Step::WarpBarrier(mask) => {
                let lanes = |warp: std::ops::Range<usize>| -> Vec<usize> {
                    warp.clone().filter(|thread| mask >> (thread - warp.start) & 1 != 0).collect()
                };
                let warps = blocks().flat_map(|block| {
                    let end = block.end;
                    block.step_by(32).map(move |first| first..end.min(first + 32))
                });
                warps.map(lanes).map(|lanes| (lanes.clone(), lanes)).collect()
            }
            Step::Access { .. } => Vec::new(),
        };
        for (bring, get) in groups {
            let mut union = vec![0; 2 * of_block];
            for &who in &bring {
                union.iter_mut().zip(knows[who].iter()).for_each(|(all, one)| *all = (*all).max(*one));
            }
            bring.iter().for_each(|&who| union[who] = step);
            let union = Rc::new(union);
            get.iter().for_each(|&who| knows[who] = union.clone());
        }
        let Step::Access { way, base, stride, from, to, every, packed, flip, keep, drift, blocks } = what else {
            continue;
        };
        let elements = if way.wide.is_some() { way.elements } else { 1 };
        let size = way.size / elements;
        for block in (0..2).filter(|block| blocks >> block & 1 != 0) {
            for tid in (from..to.min(kernel.threads)).filter(|tid| tid % every == 0) {
                let index = (if packed { tid / every } else { tid } ^ flip) & keep;
                let index = index.wrapping_add(round * drift);
                let thread = block as usize * of_block + tid as usize;
                let first = kernel.window + address(base, stride, way.size, index);
                all.extend((0..elements).map(|element| Access {
                    step,
                    block,
                    thread,
                    kind: way.kind,
                    wide: way.wide,
                    first: first + size * element,
                    size,
                    knows: knows[thread].clone(),
                }));
            }
        }
    }
    all
}

/// What must be reported, and what may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    pub must: bool,
    pub may: bool,
}

/// The races of one launch. Whether a strong read has observed a write, and so what comes after it is ordered behind
/// that write, is for the run to say: with such a read about a race may be reported and need not.
pub fn within(kernel: &Kernel) -> Verdict {
    let all = accesses(kernel);
    let mut may = false;
    for (number, new) in all.iter().enumerate() {
        for old in &all[..number] {
            let same_block = old.block == new.block;
            if kernel.shared && !same_block || !new.is_unordered(old) || !new.conflicts(old, same_block) {
                continue;
            }
            may = true;
            if !is_observed(&all, old, new) && !is_observed(&all, new, old) {
                return Verdict { must: true, may };
            }
        }
    }
    Verdict { must: false, may }
}

/// True if something before `by` may have observed what `write` wrote.
fn is_observed(all: &[Access], write: &Access, by: &Access) -> bool {
    let observes =
        |read: &Access| read.reads() && read.is_strong_beside(write, read.block == write.block) && by.is_after(read);
    write.writes() && write.wide.is_some() && all.iter().any(observes)
}

/// The races of a launch with another one of the same memory that nothing orders before it. Of an older launch the
/// checker keeps a word's last write and read, so it may miss one, but not where all of it is of one kind and of whole
/// words.
pub fn between(old: &Kernel, new: &Kernel) -> Verdict {
    let may = !old.shared && !new.shared && {
        let (old, new) = (accesses(old), accesses(new));
        new.iter().any(|new| old.iter().any(|old| new.conflicts(old, false)))
    };
    Verdict { must: may && is_plain_to_see(old) && is_of_words(new), may }
}

fn is_of_words(kernel: &Kernel) -> bool {
    kernel.steps().all(|step| !matches!(step, Step::Access { way, .. } if way.size / way.elements < 4))
}

fn is_plain_to_see(kernel: &Kernel) -> bool {
    let mut ways = kernel.steps().filter_map(|step| match step {
        Step::Access { way, .. } => Some(way),
        _ => None,
    });
    let Some(first) = ways.next() else { return false };
    // A strong load that got an older value is not kept.
    let is_kept = first.kind != Kind::Load || first.wide.is_none();
    is_kept && is_of_words(kernel) && ways.all(|way| way == first)
}

//! Registers of a warp whose values depend on speculative reads.

use crate::undefined::origins::place;
use machine::exec::Alu;
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use rustc_hash::FxHashMap;

/// The greatest number of reads that one value is traced back to.
pub const MOST_READS: usize = 8;

/// The reads that a value depends on, as a number; 0: none.
pub type ReadSet = u32;

/// One execution of a speculative load by a warp.
pub type ReadId = u32;

/// Marks the number of a set of several reads; other numbers except 0 are that of a single read plus one.
const SEVERAL: ReadSet = 1 << 31;

/// Sets of several reads, each once.
#[derive(Debug, Default)]
pub struct ReadSets {
    several: Vec<Vec<ReadId>>,
    unions: FxHashMap<(ReadSet, ReadSet), ReadSet>,
}

impl ReadSets {
    pub fn single(read: ReadId) -> ReadSet {
        read + 1
    }

    /// Returns the reads of a set.
    pub fn reads(&self, set: ReadSet) -> impl Iterator<Item = ReadId> + '_ {
        let several: &[ReadId] = if set & SEVERAL == 0 { &[] } else { &self.several[(set & !SEVERAL) as usize] };
        let single = (set != 0 && set & SEVERAL == 0).then(|| set - 1);
        single.into_iter().chain(several.iter().copied())
    }

    /// Returns the union of two sets; `None` if it has more than [`MOST_READS`].
    fn union(&mut self, one: ReadSet, other: ReadSet) -> Option<ReadSet> {
        if one == other || other == 0 {
            return Some(one);
        }
        if one == 0 {
            return Some(other);
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.unions.get(&key) {
            return Some(known);
        }
        let mut all: Vec<ReadId> = self.reads(one).chain(self.reads(other)).collect();
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST_READS {
            return None;
        }
        self.several.push(all);
        let union = SEVERAL | (self.several.len() - 1) as ReadSet;
        self.unions.insert(key, union);
        Some(union)
    }
}

/// By lane, the bits of a register that depend on speculative reads, and these reads.
#[derive(Debug)]
struct Tainted {
    bits: [u64; WARP],
    reads: [ReadSet; WARP],
}

const UNTAINTED: Tainted = Tainted { bits: [0; WARP], reads: [0; WARP] };

/// The tainted registers of a warp. As a rule there are none.
#[derive(Debug, Default)]
pub struct TaintedRegisters {
    by_place: FxHashMap<usize, Tainted>,
}

impl TaintedRegisters {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    pub fn clear(&mut self) {
        self.by_place.clear();
    }

    /// Returns the lanes of `mask` whose value of a register depends on speculative reads, each with these.
    pub fn lanes(&self, regs: &Registers, reg: Reg, mask: Mask) -> impl Iterator<Item = (usize, ReadSet)> + '_ {
        let tainted = self.by_place.get(&place(regs, reg));
        let all = tainted.into_iter().flat_map(move |it| lanes(mask).map(|lane| (lane, it.bits[lane], it.reads[lane])));
        all.filter(|(_, bits, _)| *bits != 0).map(|(lane, _, reads)| (lane, reads))
    }

    /// Records that a register gets the value of a speculative load, or of something that depends on `reads` in all
    /// bits.
    pub fn set_whole(&mut self, regs: &Registers, reg: Reg, mask: Mask, reads: ReadSet) {
        let tainted = self.by_place.entry(place(regs, reg)).or_insert(UNTAINTED);
        lanes(mask).for_each(|lane| (tainted.bits[lane], tainted.reads[lane]) = (reg.width.ones(), reads));
    }

    /// Records that a register of a lane depends on `reads` too. Returns the reads that it can no longer be traced back
    /// to.
    pub fn join(&mut self, regs: &Registers, reg: Reg, lane: usize, reads: ReadSet, sets: &mut ReadSets) -> ReadSet {
        let (_, before) = self.get(regs, reg, lane);
        let union = sets.union(before, reads);
        self.set_whole(regs, reg, 1 << lane, union.unwrap_or(reads));
        if union.is_some() { 0 } else { before }
    }

    /// Records that a register is overwritten.
    pub fn define(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        if let Some(tainted) = self.by_place.get_mut(&place(regs, reg)) {
            lanes(mask).for_each(|lane| (tainted.bits[lane], tainted.reads[lane]) = (0, 0));
            if tainted.bits == [0; WARP] {
                self.by_place.remove(&place(regs, reg));
            }
        }
    }

    fn get(&self, regs: &Registers, reg: Reg, lane: usize) -> (u64, ReadSet) {
        let known = if reg.is_some() { self.by_place.get(&place(regs, reg)) } else { None };
        known.map_or((0, 0), |it| (it.bits[lane], it.reads[lane]))
    }

    /// Propagates taint through arithmetic that the lanes of `exec` are about to run. `guard` decides which lanes these
    /// are; `mask` are all that have reached it. If `exact`, the sources already have the values that it will read.
    /// Calls `too_many` with a lane and the reads that it can no longer be traced back to.
    pub fn alu(
        &mut self,
        regs: &Registers,
        (alu, exact): (&Alu, bool),
        guard: Option<Reg>,
        (mask, exec): (Mask, Mask),
        sets: &mut ReadSets,
        mut too_many: impl FnMut(usize, ReadSet),
    ) {
        let args = &alu.args;
        let sources = [args.a, args.b, args.c, args.q];
        let is_tainted = |reg: Reg| reg.is_some() && self.by_place.contains_key(&place(regs, reg));
        if !sources.into_iter().chain(guard).any(is_tainted) {
            args.results().for_each(|reg| self.define(regs, reg, exec));
            return;
        }
        for lane in lanes(mask) {
            let runs = exec >> lane & 1 != 0;
            let all = sources.map(|reg| self.get(regs, reg, lane));
            let bits = all.map(|(bits, _)| bits);
            let (by_guard, of_guard) = guard.map_or((0, 0), |reg| self.get(regs, reg, lane));
            let values = || sources.map(|reg| regs.get(reg, lane));
            let (flow, matter) = match (bits == [0; 4], exact) {
                (true, _) => (0, [false; 4]),
                (false, true) => flow_by_source(alu, values(), bits),
                (false, false) => (!0, [true; 4]),
            };
            // A lane whose tainted guard is false keeps its old value.
            let kept = if by_guard != 0 && !runs { self.get(regs, args.d, lane).1 } else { 0 };
            let mut reads = kept;
            let used = all.into_iter().zip(matter).filter(|((bits, _), matters)| runs && *matters && *bits != 0);
            let used = used.map(|((_, reads), _)| reads);
            for more in used.chain((by_guard != 0).then_some(of_guard)) {
                match sets.union(reads, more) {
                    Some(union) => reads = union,
                    None => {
                        too_many(lane, reads);
                        reads = more;
                    }
                }
            }
            for reg in args.results() {
                let (old, before) = self.get(regs, reg, lane);
                let bits = match (by_guard != 0, runs) {
                    (true, _) => reg.width.ones(),
                    (false, true) => flow & reg.width.ones(),
                    (false, false) => old,
                };
                let reads = if runs || by_guard != 0 { reads } else { before };
                if bits != 0 {
                    let tainted = self.by_place.entry(place(regs, reg)).or_insert(UNTAINTED);
                    (tainted.bits[lane], tainted.reads[lane]) = (bits, reads);
                } else {
                    self.define(regs, reg, 1 << lane);
                }
            }
        }
    }
}

/// Returns the tainted bits of a result, and the sources that they come from. A source does not matter if it changes
/// nothing as long as the others keep their values, as the operand that `selp` does not choose. If each alone changes
/// nothing, all may together.
fn flow_by_source(alu: &Alu, values: [u64; 4], bits: [u64; 4]) -> (u64, [bool; 4]) {
    let alone = |source: usize| {
        let own = std::array::from_fn(|at| if at == source { bits[at] } else { 0 });
        bits[source] != 0 && (alu.flow)(values, own) != 0
    };
    let matter: [bool; 4] = std::array::from_fn(alone);
    if matter == [false; 4] {
        let flow = (alu.flow)(values, bits);
        return (flow, [flow != 0; 4]);
    }
    let mattering = std::array::from_fn(|at| if matter[at] { bits[at] } else { 0 });
    ((alu.flow)(values, mattering), matter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::registers::Width;

    #[test]
    fn a_union_has_each_read_once_and_not_too_many() {
        let mut sets = ReadSets::default();
        let [a, b] = [7, 3].map(ReadSets::single);
        let both = sets.union(a, b).unwrap();
        assert_eq!(sets.union(b, a), Some(both));
        assert_eq!(sets.union(both, a).map(|set| sets.reads(set).collect::<Vec<_>>()), Some(vec![3, 7]));
        let all = (0..MOST_READS as ReadId).map(ReadSets::single).reduce(|all, one| sets.union(all, one).unwrap());
        assert_eq!(sets.union(all.unwrap(), ReadSets::single(100)), None);
    }

    #[test]
    fn a_register_is_tainted_until_it_is_overwritten() {
        let (mut tainted, mut regs) = (TaintedRegisters::default(), Registers::default());
        regs.base = 4;
        let reg = Reg::new(2, Width::Word);
        tainted.set_whole(&regs, reg, 0b110, 9);
        assert_eq!(tainted.lanes(&regs, reg, !0).collect::<Vec<_>>(), [(1, 9), (2, 9)]);
        tainted.define(&regs, reg, 0b010);
        assert_eq!(tainted.lanes(&regs, reg, !0).collect::<Vec<_>>(), [(2, 9)]);
        tainted.define(&regs, reg, 0b100);
        assert!(tainted.is_empty());
    }
}

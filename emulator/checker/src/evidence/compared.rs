//! Plain loads that are guesses: a compare-and-swap checks the value.
//!
//! `old = *a; do { old = atomicCAS(a, seen = old, f(seen)); } while (old != seen);` is how the programming guide builds
//! an atomic operation that the hardware lacks, and how CUDA's headers build those of half types below sm_90. Its first
//! load is plain, so by the rules it races with the updates of other threads (PTX ISA, "Memory Consistency Model":
//! morally strong). But whatever it finds, the update happens only if the location still holds it: a wrong guess costs
//! one more iteration and nothing else.
//!
//! So a race of a plain load against an atomic operation is no finding if the value loaded was always checked. Each
//! time the instruction ran, the thread must have gone on to a compare-and-swap of the same bytes that compared with
//! that value. A load that may decide by itself that there is nothing to do ("mine is smaller already") is a finding,
//! also in a run in which none does. A path in the code around the compare-and-swap is enough: one bug has one verdict
//! under every schedule. Errs towards silence where the value is also used for something else.
//!
//! The value may be loaded in parts, each by an instruction of its own or as an element of a vector. So the compiler
//! loads a structure of 16 bytes as two elements of 8, and packs them for `atom.cas.b128`. Every part must be checked.

use machine::code::{InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::exec::branch::BranchOp;
use machine::memory::region::Region;
use machine::memory::space::Space;
use machine::registers::{WARP, lanes};
use machine::watch::{Older, Touch};
use rustc_hash::FxHashSet;

/// A load that no compare-and-swap has checked yet.
#[derive(Clone, Copy, Debug)]
struct OpenLoad {
    site: u32,
    address: u64,
    bytes: u32,
    value: u128,
}

/// The number of loads that a thread may make between a load and its check. Each element of a vector is one.
const KEPT: usize = 16;

/// A warp's open loads, by lane.
#[derive(Debug, Default)]
pub struct OpenLoads {
    lanes: Vec<Vec<OpenLoad>>,
}

#[derive(Debug)]
pub struct ComparedLoads {
    /// False if the kernel has no compare-and-swap, and nothing is kept.
    on: bool,
    /// The sites at which some load was checked; below, those at which some load never was.
    checked: FxHashSet<u32>,
    unchecked: FxHashSet<u32>,
    /// True for each instruction from which a thread can reach the end without a compare-and-swap.
    way_round: Vec<bool>,
}

impl ComparedLoads {
    pub fn new(code: &KernelCode) -> ComparedLoads {
        match code.instrs.iter().any(|instr| swaps(&instr.op)) {
            true => ComparedLoads { way_round: ways_round(code), ..ComparedLoads::watching(true) },
            false => ComparedLoads::watching(false),
        }
    }

    fn watching(on: bool) -> ComparedLoads {
        ComparedLoads { on, checked: FxHashSet::default(), unchecked: FxHashSet::default(), way_round: Vec::new() }
    }

    /// Records that a lane loads `value` plainly.
    fn load(&mut self, open: &mut OpenLoads, lane: usize, load: OpenLoad) {
        let OpenLoad { site, address, bytes, .. } = load;
        if self.unchecked.contains(&site) {
            return;
        }
        open.lanes.resize(WARP, Vec::new());
        let loads = &mut open.lanes[lane];
        // The same location again: the value loaded before has not been checked.
        if let Some(at) = loads.iter().position(|load| load.address == address && load.bytes == bytes) {
            self.unchecked.insert(loads.remove(at).site);
        } else if loads.len() == KEPT {
            self.unchecked.insert(loads.remove(0).site);
        }
        loads.push(load);
    }

    /// Records plain loads of lanes at `site`; `older` has the values that some get instead of the latest.
    pub fn loads(&mut self, touch: &Touch, open: &mut OpenLoads, site: u32, older: Option<&Older>) {
        let Some(region) = touch.region else { return };
        let (bytes, elements) = (touch.bytes, touch.elements as usize);
        for lane in lanes(touch.mask) {
            for element in 0..elements {
                let address = touch.addresses[lane] + u64::from(bytes) * element as u64;
                let value = match older.and_then(|older| older.get(lane, element)) {
                    Some(value) => value.into(),
                    None => latest(region, address, bytes),
                };
                self.load(open, lane, OpenLoad { site, address, bytes, value });
            }
        }
    }

    /// True for a load that a compare-and-swap may check.
    #[inline(always)]
    pub fn may_check(&self, touch: &Touch) -> bool {
        self.on && touch.region.is_some() && !touch.semantics.is_strong() && touch.space != Space::Param
    }

    /// Records that a lane's compare-and-swap compares with `value`. It checks what was loaded of its bytes.
    pub fn check(&mut self, open: &mut OpenLoads, lane: usize, address: u64, bytes: u32, value: u128) {
        let Some(loads) = open.lanes.get_mut(lane) else { return };
        let fits = |load: &OpenLoad| {
            let is_inside =
                address <= load.address && load.address + u64::from(load.bytes) <= address + u64::from(bytes);
            is_inside && low(value >> (8 * (load.address - address)), load.bytes) == load.value
        };
        self.checked.extend(loads.iter().filter(|load| fits(load)).map(|load| load.site));
        loads.retain(|load| !fits(load));
    }

    /// Records that a lane ends: its open loads stay unchecked.
    pub fn end(&mut self, open: &mut OpenLoads, lane: usize) {
        if let Some(loads) = open.lanes.get_mut(lane) {
            self.unchecked.extend(loads.drain(..).map(|load| load.site));
        }
    }

    /// True if every load at `site`, which is the instruction at `pc`, was a guess that a compare-and-swap checked, and
    /// could be nothing else.
    pub fn were_checked(&self, site: u32, pc: u32) -> bool {
        let is_way_round = self.way_round.get(pc as usize).is_some_and(|it| *it);
        self.checked.contains(&site) && !self.unchecked.contains(&site) && !is_way_round
    }
}

/// Returns the value in memory.
fn latest(region: &Region, address: u64, bytes: u32) -> u128 {
    match bytes {
        16 => u128::from(region.load_sized(address + 8, 8)) << 64 | u128::from(region.load_sized(address, 8)),
        _ => region.load_sized(address, bytes).into(),
    }
}

/// Returns the lowest bytes of a value, at least one of them.
fn low(value: u128, bytes: u32) -> u128 {
    value & u128::MAX >> (128 - 8 * bytes)
}

fn swaps(op: &Op) -> bool {
    matches!(op, Op::Atomic(atomic) if atomic.operation == Operation::CompareExchange)
}

/// Returns, for each instruction, whether a thread can reach the end from there without a compare-and-swap. A call
/// counts as a compare-and-swap if another function has one: code compiled for a debugger calls even that.
fn ways_round(code: &KernelCode) -> Vec<bool> {
    let function = |pc: usize| code.functions.partition_point(|it| it.entry as usize <= pc);
    let swapping: FxHashSet<usize> =
        (0..code.instrs.len()).filter(|pc| swaps(&code.instrs[*pc].op)).map(function).collect();
    let mut ways = vec![false; code.instrs.len()];
    let is_way = |ways: &[bool], pc: usize| {
        let instr = &code.instrs[pc];
        let is_next = |at: usize| ways.get(at).is_none_or(|it| *it);
        let taken = match &instr.op {
            Op::Return | Op::Exit => true,
            Op::Trap => false,
            Op::Branch(BranchOp::To(target)) => is_next(*target as usize),
            Op::Branch(BranchOp::Table(table)) => table.1.iter().any(|target| is_next(*target as usize)),
            op if swaps(op) => false,
            Op::Call(_) if swapping.iter().any(|it| *it != function(pc)) => false,
            _ => is_next(pc + 1),
        };
        taken || instr.guard != InstrGuard::Always && is_next(pc + 1)
    };
    loop {
        let mut is_settled = true;
        for pc in (0..ways.len()).rev() {
            if !ways[pc] && is_way(&ways, pc) {
                ways[pc] = true;
                is_settled = false;
            }
        }
        if is_settled {
            return ways;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: OpenLoad = OpenLoad { site: 100, address: 16, bytes: 4, value: 7 };

    #[test]
    fn a_guess_is_checked_by_its_own_value_at_its_own_place() {
        for (address, value, checked) in [(16, 7, true), (16, 8, false), (20, 7, false)] {
            let (mut compared, mut open) = (ComparedLoads::watching(true), OpenLoads::default());
            compared.load(&mut open, 3, LOAD);
            compared.check(&mut open, 3, address, 4, value);
            compared.end(&mut open, 3);
            assert_eq!(compared.were_checked(100, 0), checked, "{address} {value}");
        }
    }

    #[test]
    fn each_part_of_a_guess_is_checked() {
        let halves = |low: u128, high: u128| high << 64 | low;
        for (value, checked) in [(halves(7, 9), true), (halves(7, 8), false), (halves(9, 7), false)] {
            let (mut compared, mut open) = (ComparedLoads::watching(true), OpenLoads::default());
            compared.load(&mut open, 3, OpenLoad { bytes: 8, ..LOAD });
            compared.load(&mut open, 3, OpenLoad { address: 24, bytes: 8, value: 9, ..LOAD });
            compared.check(&mut open, 3, 16, 16, value);
            compared.end(&mut open, 3);
            assert_eq!(compared.were_checked(100, 0), checked, "{value:#x}");
        }
    }

    #[test]
    fn a_load_of_more_than_the_swap_compares_is_no_guess() {
        let (mut compared, mut open) = (ComparedLoads::watching(true), OpenLoads::default());
        compared.load(&mut open, 3, OpenLoad { bytes: 16, ..LOAD });
        compared.check(&mut open, 3, 16, 8, 7);
        compared.end(&mut open, 3);
        assert!(!compared.were_checked(100, 0));
    }

    #[test]
    fn a_load_that_nothing_follows_is_no_guess() {
        assert!(!ComparedLoads::watching(true).were_checked(100, 0));
    }

    #[test]
    fn one_load_without_a_check_counts_for_its_instruction() {
        let (mut compared, mut open) = (ComparedLoads::watching(true), OpenLoads::default());
        compared.load(&mut open, 0, LOAD);
        compared.load(&mut open, 0, LOAD);
        compared.check(&mut open, 0, 16, 4, 7);
        compared.end(&mut open, 0);
        assert!(!compared.were_checked(100, 0));
    }
}

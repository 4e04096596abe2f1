//! Classification of loads that may be speculative, from the code alone.
//!
//! A load is *certain* if every thread that runs it uses its value, or no thread does. Otherwise it may be speculative.
//! To decide that, every path from the load is followed, with the registers that hold its value or a value derived from
//! it alone:
//!
//! - A path ends in an *effect* where such a register is stored, decides a branch, and the like.
//! - The value may be *dropped* by an operation that may ignore it, such as `selp` or `and`: the load may be
//!   speculative.
//! - The value is *unused* on a path where the thread exits or the registers are overwritten. If it has an effect on
//!   another path, the load may be speculative.
//! - A sum that is live at the end of its basic block counts as an effect, as in the loop of a matrix product.
//!   Following all such sums would slow down every launch, and a compiler that speculates `sum += value` drops the sum
//!   in the same block.
//!
//! A loop that loads in every iteration and uses the last value after the loop is not speculative either.

use machine::code::{Instr, InstrGuard, KernelCode};
use machine::decode::Constant;
use machine::exec::memory::Load;
use machine::exec::operands::{arithmetic, results, sources};
use machine::exec::{Alu, Op};
use machine::memory::space::Space;
use machine::registers::{Reg, Width};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The speculative loads of a kernel's code, by instruction.
#[derive(Debug, Default)]
pub struct SpeculativeLoads {
    /// Empty if there are none.
    by_pc: Vec<bool>,
}

impl SpeculativeLoads {
    pub fn new(code: &KernelCode) -> SpeculativeLoads {
        let mut by_pc = Vec::new();
        let is_load = |instr: &Instr| matches!(&instr.op, Op::Load(load) if may_race(load));
        if !code.instrs.iter().any(is_load) {
            return SpeculativeLoads { by_pc };
        }
        for (at, function) in code.functions.iter().enumerate() {
            let Range { start, end } = code.body(at);
            let range = start as usize..end as usize;
            let constants = &function.frame.constants;
            let body = FunctionBody {
                instrs: &code.instrs,
                range: range.clone(),
                constants: constants.iter().map(|(reg, constant)| (*reg, constant)).collect(),
                targets: targets(&code.instrs[range]),
            };
            for pc in body.range.clone().filter(|pc| is_load(&code.instrs[*pc])) {
                if body.may_be_speculative(pc) {
                    by_pc.resize(code.instrs.len(), false);
                    by_pc[pc] = true;
                }
            }
        }
        SpeculativeLoads { by_pc }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.by_pc.is_empty()
    }

    #[inline(always)]
    pub fn has(&self, pc: u32) -> bool {
        self.by_pc.get(pc as usize).is_some_and(|it| *it)
    }
}

/// True for a plain load of memory that threads share.
fn may_race(load: &Load) -> bool {
    matches!(load.space, Space::Shared | Space::Global | Space::Generic)
        && !load.semantics.is_strong()
        && load.bytes <= 8
}

/// The greatest number of instructions that are examined for one load. A load that needs more counts as certain.
const MOST_STEPS: usize = 512;

fn targets(body: &[Instr]) -> FxHashSet<usize> {
    body.iter().flat_map(|instr| instr.targets()).map(|target| *target as usize).collect()
}

/// Effect of an instruction on a value derived from a load.
enum LoadEffect {
    Continue,
    /// Combines the value with another one, as a sum does.
    Combine,
    Effect,
    MayDrop,
}

/// One function.
struct FunctionBody<'a> {
    instrs: &'a [Instr],
    range: Range<usize>,
    constants: FxHashMap<Reg, &'a Constant>,
    /// The instructions that some branch leads to.
    targets: FxHashSet<usize>,
}

/// Uses of a loaded value over all paths from the load.
#[derive(Default)]
struct LoadUses {
    /// Instructions at which it has an effect.
    effects: Vec<usize>,
    dropped: bool,
    /// The thread exits on some path before the value has had an effect.
    ends_unused: bool,
    /// The value is overwritten on some path.
    overwritten: bool,
}

impl FunctionBody<'_> {
    fn may_be_speculative(&self, load: usize) -> bool {
        let Some(fate) = self.fate(load) else { return false };
        if fate.dropped {
            return true;
        }
        let is_in_loop = || fate.effects.iter().any(|effect| self.reaches(*effect, load));
        !fate.effects.is_empty() && (fate.ends_unused || fate.overwritten && is_in_loop())
    }

    /// Follows the value until each path has ended, or until one may drop it. `None` if that takes more than
    /// [`MOST_STEPS`].
    fn fate(&self, load: usize) -> Option<LoadUses> {
        let mut fate = LoadUses::default();
        let mut value = Vec::new();
        results(&self.instrs[load].op, |reg| value.push(reg));
        let mut todo = vec![(load + 1, value)];
        let mut seen: FxHashSet<(usize, Vec<Reg>)> = FxHashSet::default();
        let mut steps = 0;
        while let Some(state) = todo.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let (mut pc, mut derived) = state;
            let mut combined = false;
            // Follow one basic block after the other, up to a branch.
            loop {
                if derived.is_empty() {
                    fate.overwritten = true;
                    break;
                }
                steps += 1;
                if steps > MOST_STEPS {
                    return None;
                }
                let Some(instr) = self.instr(pc) else {
                    fate.ends_unused = true;
                    break;
                };
                match self.step(instr, self.instrs[load].guard, &mut derived) {
                    LoadEffect::Effect => {
                        fate.effects.push(pc);
                        break;
                    }
                    LoadEffect::MayDrop => {
                        fate.dropped = true;
                        return Some(fate);
                    }
                    LoadEffect::Combine => combined = true,
                    LoadEffect::Continue => {}
                }
                if combined && !(instr.targets().is_empty() && instr.falls_through() && !self.begins(pc + 1)) {
                    fate.effects.push(pc);
                    break;
                }
                fate.ends_unused |= matches!(instr.op, Op::Return | Op::Exit | Op::Trap);
                if instr.targets().is_empty() && instr.falls_through() {
                    pc += 1;
                    continue;
                }
                todo.extend(instr.targets().iter().map(|target| (*target as usize, derived.clone())));
                if instr.falls_through() {
                    todo.push((pc + 1, derived));
                }
                break;
            }
        }
        Some(fate)
    }

    /// True if a basic block begins there.
    fn begins(&self, pc: usize) -> bool {
        self.targets.contains(&pc)
    }

    /// Returns an instruction; `None` after the end of the function.
    fn instr(&self, pc: usize) -> Option<&Instr> {
        self.range.contains(&pc).then(|| &self.instrs[pc])
    }

    /// Follows the derived registers through one instruction; `guard` is the load's own.
    fn step(&self, instr: &Instr, guard: InstrGuard, derived: &mut Vec<Reg>) -> LoadEffect {
        let is_certain = instr.guard == InstrGuard::Always || instr.guard == guard;
        let decides = instr.guard.register().is_some_and(|reg| derived.contains(&reg));
        let steps = arithmetic(&instr.op);
        if steps.is_empty() {
            let mut reads = false;
            sources(&instr.op, |reg| reads |= derived.contains(&reg));
            if decides || reads && is_certain {
                return LoadEffect::Effect;
            }
            if reads {
                return LoadEffect::MayDrop;
            }
            if is_certain {
                results(&instr.op, |reg| derived.retain(|it| *it != reg));
            }
        }
        let mut combines = false;
        for alu in steps {
            let reads = decides || alu.args.sources().any(|reg| derived.contains(&reg));
            if reads && (!is_certain || self.may_drop(alu, derived)) {
                return LoadEffect::MayDrop;
            }
            combines |= reads && self.combines(alu, derived);
            if is_certain {
                derived.retain(|it| alu.args.results().all(|reg| *it != reg));
            }
            if reads {
                derived.extend(alu.args.results());
            }
        }
        if combines { LoadEffect::Combine } else { LoadEffect::Continue }
    }

    /// True if a thread can get from one instruction to another.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut todo) = (FxHashSet::default(), vec![from]);
        while let Some(pc) = todo.pop() {
            let Some(instr) = self.instr(pc) else { continue };
            let next = instr.targets().iter().map(|target| *target as usize);
            for pc in next.chain(instr.falls_through().then_some(pc + 1)) {
                if pc == to {
                    return true;
                }
                if seen.insert(pc) {
                    todo.push(pc);
                }
            }
        }
        false
    }

    /// True if an operation can have a result that does not depend on its derived sources.
    fn may_drop(&self, alu: &Alu, derived: &[Reg]) -> bool {
        let args = &alu.args;
        let is_predicate = args.d.width == Width::Pred;
        // Only the other predicate can decide a comparison with an unknown number.
        let numbers: &[u64] = if is_predicate { &[0xaaaa_aaaa_aaaa_aaaa, 0x5555_5555_5555_5555] } else { &[0, !0] };
        numbers.iter().zip([0, 1]).any(|(&number, predicate)| {
            let all = [args.a, args.b, args.c, args.q];
            let undefined = all.map(|reg| if derived.contains(&reg) { !0 } else { 0 });
            let values = all.map(|reg| match (self.constants.get(&reg), reg.width) {
                _ if derived.contains(&reg) => 0x3333_3333_3333_3333,
                (Some(Constant::Bits(bits)), _) => *bits,
                (_, Width::Pred) => predicate,
                _ => number,
            });
            // Without `d` the result is the predicate `e`.
            (alu.flow)(values, undefined) & args.d.width.ones().max(1) == 0
        })
    }

    /// True if another source is neither constant nor derived, as in a sum.
    fn combines(&self, alu: &Alu, derived: &[Reg]) -> bool {
        let is_other = |reg: Reg| !derived.contains(&reg) && !self.constants.contains_key(&reg);
        alu.args.d.width != Width::Pred && alu.args.sources().any(is_other)
    }
}

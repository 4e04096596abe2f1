//! Live registers: those whose value an instruction, or one after it, may read before it is written.

use machine::code::{InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::operands::{results, sources};
use machine::registers::Reg;
use rustc_hash::FxHashMap;

/// The live registers before each instruction. `None` stands for all: a function's result registers and its caller's
/// are not followed through calls.
pub struct Liveness(Option<Vec<Vec<Reg>>>);

type Live = FxHashMap<usize, Reg>;

impl Liveness {
    pub fn of(code: &KernelCode) -> Liveness {
        let instrs = code.instrs.as_slice();
        if instrs.iter().any(|instr| matches!(instr.op, Op::Call(_))) {
            return Liveness(None);
        }
        let mut live: Vec<Live> = vec![Live::default(); instrs.len() + 1];
        loop {
            let mut has_changed = false;
            for (pc, instr) in instrs.iter().enumerate().rev() {
                let mut before = Live::default();
                if instr.falls_through() {
                    before.extend(&live[pc + 1]);
                }
                for &target in instr.targets() {
                    before.extend(&live[target as usize]);
                }
                // A guarded instruction may leave its results as they were.
                if instr.guard == InstrGuard::Always {
                    results(&instr.op, |reg| _ = before.remove(&reg.mark()));
                }
                sources(&instr.op, |reg| _ = before.insert(reg.mark(), reg));
                before.extend(instr.guard.register().map(|reg| (reg.mark(), reg)));
                has_changed |= before.len() != live[pc].len();
                live[pc] = before;
            }
            if !has_changed {
                return Liveness(Some(live.into_iter().map(|live| live.into_values().collect()).collect()));
            }
        }
    }

    /// Returns the registers that are live before an instruction, `None` if all may be.
    pub fn before(&self, pc: u32) -> Option<&[Reg]> {
        Some(&self.0.as_ref()?[pc as usize])
    }
}

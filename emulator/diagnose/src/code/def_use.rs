//! Which instructions make a register.
//!
//! All that may write it, whichever way a thread comes, and what they make it of. Memory, shuffles and calls are where
//! that ends.

use super::Reading;
use machine::code::{Formal, KernelCode};
use machine::decode::Constant;
use machine::exec::Op;
use machine::exec::operands::{arithmetic, results};
use machine::memory::space::Space;
use machine::registers::Reg;
use machine::run::launch::Launch;
use rustc_hash::FxHashMap;

/// Registers that are followed.
const MOST: usize = 64;

/// The instructions that write each register, by the function that it belongs to.
pub struct DefUse(FxHashMap<(usize, Reg), Vec<u32>>);

impl DefUse {
    pub fn new(code: &KernelCode) -> DefUse {
        let mut writers: FxHashMap<(usize, Reg), Vec<u32>> = FxHashMap::default();
        for pc in 0..code.instrs.len() as u32 {
            let function = code.function_at(pc);
            results(&code.instrs[pc as usize].op, |reg| {
                writers.entry((function, reg)).or_default().push(pc);
            });
        }
        DefUse(writers)
    }

    fn writers(&self, function: usize, reg: Reg) -> &[u32] {
        self.0.get(&(function, reg)).map_or(&[], Vec::as_slice)
    }
}

/// The registers and instructions that a register's value is made of, in one function.
pub struct Provenance<'a> {
    /// The registers behind the one that was asked for, itself first, and who writes each.
    pub registers: Vec<(Reg, &'a [u32])>,
    constants: Vec<&'a Constant>,
    /// An argument of the function is among them.
    pub is_given: bool,
}

impl Provenance<'_> {
    pub fn writers(&self) -> impl Iterator<Item = u32> {
        self.registers.iter().flat_map(|(_, writers)| writers.iter().copied())
    }
}

/// The origin of a value that is only copied.
#[derive(PartialEq, Eq)]
enum Root<'a> {
    Constant(&'a Constant),
    Instr(u32),
}

impl Reading<'_> {
    /// Returns the registers that the value is made of which the instruction at `pc` uses; `None` where that is too
    /// much to follow.
    pub fn made_of(&self, pc: u32, reg: Reg) -> Option<Provenance<'_>> {
        let (at, mut todo) = (self.code.function_at(pc), vec![reg]);
        let function = &self.code.functions[at];
        let is_argument =
            |reg: Reg| function.params.iter().any(|formal| matches!(formal, Formal::Register(it) if *it == reg));
        let mut made = Provenance { registers: Vec::new(), constants: Vec::new(), is_given: false };
        while let Some(reg) = todo.pop() {
            if let Some(constant) = self.constant(at, reg) {
                made.constants.push(constant);
            } else if is_argument(reg) {
                made.is_given = true;
            } else if reg.is_some() && made.registers.iter().all(|(known, _)| *known != reg) {
                if made.registers.len() == MOST {
                    return None;
                }
                let writers = self.def_use().writers(at, reg);
                todo.extend(writers.iter().flat_map(|pc| arithmetic(self.op(*pc))).flat_map(|alu| alu.args.sources()));
                made.registers.push((reg, writers));
            }
        }
        Some(made)
    }

    /// Returns the starts of the buffers that the pointer of the access at `pc` may belong to: an argument's, or a
    /// variable of the module.
    pub fn buffers(&self, launch: &Launch, pc: u32) -> Vec<u64> {
        let base = match self.op(pc) {
            Op::Load(it) => it.base,
            Op::Store(it) => it.base,
            Op::Atomic(it) => it.base,
            _ => Reg::NONE,
        };
        let function = self.code.function_at(pc);
        let Some(made) = self.made_of(pc, base) else { return Vec::new() };
        // A grid that a kernel has launched has arguments of its own.
        let of_launch = launch.part.first as usize == function;
        let arguments = |pc: u32| {
            let (at, elements) = match self.op(pc) {
                Op::Load(it) if of_launch && it.space == Space::Param && it.bytes == 8 => {
                    match self.constant(function, it.base) {
                        Some(Constant::Bits(at)) => (at.wrapping_add_signed(it.offset), it.elements),
                        _ => (0, 0),
                    }
                }
                _ => (0, 0),
            };
            let all = (0..u64::from(elements)).map(move |element| at + 8 * element);
            all.filter(|at| launch.params.contains(*at, 8)).map(|at| launch.params.load::<u64>(at))
        };
        let variable = |constant: &&Constant| match constant {
            Constant::Global { variable, .. } => launch.globals.get(*variable).copied(),
            _ => None,
        };
        let pointers = made.writers().flat_map(arguments).chain(made.constants.iter().filter_map(variable));
        pointers.filter_map(|pointer| Some(launch.memory.allocation(pointer)?.base)).collect()
    }

    /// True if a value is the same in all threads and rounds, or would be if what `besides` loads were. Arithmetic
    /// makes it of constants and of the kernel's arguments. Each register is made in one place, or in several that all
    /// lie right behind that load.
    pub fn is_uniform(&self, made: &Provenance, besides: Option<u32>) -> bool {
        let is_of_all = |pc: u32| match self.op(pc) {
            _ if besides == Some(pc) => true,
            Op::Load(it) => it.space == Space::Param && self.is_kernel(self.code.function_at(pc)),
            op => is_arithmetic(op),
        };
        let is_behind = |pc: u32| besides.is_some_and(|load| pc == load || self.in_one_run(load, pc));
        let is_one = |writers: &[u32]| match writers {
            [] => false,
            [pc] => is_of_all(*pc),
            all => all.iter().all(|pc| is_of_all(*pc) && is_behind(*pc)),
        };
        let is_fixed = |it: &&Constant| matches!(it, Constant::Bits(_) | Constant::Global { .. });
        !made.is_given && made.constants.iter().all(is_fixed) && made.registers.iter().all(|(_, all)| is_one(all))
    }

    /// True if two instructions use one value, the same in all threads and rounds.
    pub fn is_one_value(&self, one: (u32, Reg), other: (u32, Reg)) -> bool {
        let is_uniform = |(pc, reg)| self.made_of(pc, reg).is_some_and(|made| self.is_uniform(&made, None));
        is_uniform(one) && self.root(one).is_some_and(|root| self.root(other) == Some(root))
    }

    fn root(&self, (pc, mut reg): (u32, Reg)) -> Option<Root<'_>> {
        let function = self.code.function_at(pc);
        for _ in 0..MOST {
            if let Some(constant) = self.constant(function, reg) {
                return Some(Root::Constant(constant));
            }
            let [writer] = self.def_use().writers(function, reg) else { return None };
            match self.op(*writer) {
                Op::Alu(alu) if alu.args.sources().count() == 1 => reg = alu.args.sources().next()?,
                _ => return Some(Root::Instr(*writer)),
            }
        }
        None
    }

    /// True if what the instruction has there is a constant and not 0.
    pub fn adds(&self, pc: u32, reg: Reg) -> bool {
        matches!(self.constant(self.code.function_at(pc), reg), Some(Constant::Bits(bits)) if *bits != 0)
    }

    /// True if what the instruction has there is the constant 0.
    pub fn is_zero(&self, pc: u32, reg: Reg) -> bool {
        matches!(self.constant(self.code.function_at(pc), reg), Some(Constant::Bits(0)))
    }

    fn constant(&self, function: usize, reg: Reg) -> Option<&Constant> {
        let constants = &self.code.functions[function].frame.constants;
        constants.iter().find(|(it, _)| *it == reg).map(|(_, constant)| constant)
    }

    fn is_kernel(&self, function: usize) -> bool {
        self.code.parts.iter().any(|part| part.first as usize == function)
    }
}

pub fn is_arithmetic(op: &Op) -> bool {
    !arithmetic(op).is_empty()
}

//! Which products and sums the assembler contracts to one fused multiply-add.
//!
//! An `add`, `sub` or `mul` that names no rounding "may be optimized aggressively by the code optimizer. In particular,
//! mul/add sequences with no rounding modifiers may be optimized to use fused-multiply-add instructions on the target
//! device" (PTX ISA, "add", "sub", "mul"). `ptxas` does so unless told `-fmad=false`, and the driver assembles PTX the
//! same way. So the last bit of a result depends on it. The rule below is the one of ptxas 13.0 for sm_80 and sm_90,
//! read from its machine code for f32, f64, f16, bf16 and the packed types:
//!
//! - The product has no guard and no `.sat`. Its sums are of the same type with the same `.ftz`; they may have a guard
//!   and `.sat`.
//! - Every use of the product is such a sum in the same basic block, with the product as one operand only. `mov` and
//!   `neg` without a guard hand it on. Any other use keeps the product, and with it all of its sums, as they are.
//! - Where both operands of a sum are products, one that has no other use goes first, then the first operand.
//!
//! A value used only by dead arithmetic counts as unused: the assembler removes that arithmetic first. The analysis
//! tracks values, not registers: a second write to a register makes a new value. If another block may read a register
//! before writing it, its last value in each block counts as used elsewhere, which errs towards no contraction. `-O0`,
//! which `.target debug` asks for, contracts nothing.

use super::arrays::registers;
use super::pressure::{mentions, operand_mentions};
use crate::decode::Decoder;
use crate::exec::float::fused::{self, ProductPosition};
use crate::exec::{IS_WHOLE, Op};
use crate::registers::Reg;
use ptx::ast::{Body, Function, Instruction, Module, Operand, Param, RegId, Type};
use std::collections::HashMap;

/// A sum that is contracted with the product in one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contraction {
    /// Index of the `mul`.
    product: usize,
    /// Which operand of the sum, 1 or 2, stands for the product.
    operand: usize,
    /// A `neg` lies between.
    negated: bool,
    /// An operand of the `mul` is written again before the sum.
    overwritten: bool,
}

/// The contractions of one body, while it is decoded.
#[derive(Default)]
pub(super) struct Contracted {
    sums: HashMap<usize, Contraction>,
    /// Products that are contracted, and whether their factors have to be kept.
    products: HashMap<usize, bool>,
    factors: HashMap<usize, [Reg; 2]>,
}

impl Contracted {
    pub(super) fn of(module: &Module, function: &Function, body: &Body) -> Contracted {
        if !IS_WHOLE || module.target.iter().any(|option| option == "debug") {
            return Contracted::default();
        }
        let outputs = function.returns.iter().filter_map(|param| match param {
            Param::Register { reg, .. } => Some(*reg),
            Param::Memory(_) => None,
        });
        let sums = contractions(body, outputs);
        let mut products = HashMap::new();
        for one in sums.values() {
            *products.entry(one.product).or_default() |= one.overwritten;
        }
        Contracted { sums, products, factors: HashMap::new() }
    }

    /// Rewrites `op`, the decoded instruction `at`, if it is part of a contraction. The product stays, so that a trace
    /// shows the instructions of the source; the sum reads the factors.
    pub(super) fn apply(&mut self, at: usize, instruction: &Instruction, op: &mut Op, decoder: &mut Decoder) {
        if !IS_WHOLE {
            return;
        }
        if let Some(overwritten) = self.products.get(&at) {
            let factors = if *overwritten { fused::keep_factors(op, decoder) } else { fused::factors(op) };
            self.factors.extend(factors.map(|factors| (at, factors)));
        }
        if let Some(one) = self.sums.get(&at)
            && let Some(&factors) = self.factors.get(&one.product)
        {
            let place = ProductPosition { operand: one.operand, negated: one.negated };
            fused::fuse(instruction, op, factors, place, decoder);
        }
    }
}

/// Type and modifiers of an `add`, `sub` or `mul` without a rounding modifier.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ArithmeticForm {
    ty: Type,
    ftz: bool,
}

impl ArithmeticForm {
    fn of(instruction: &Instruction, may_saturate: bool) -> Option<ArithmeticForm> {
        let (mut ty, mut ftz) = (None, false);
        for modifier in &instruction.modifiers {
            match (modifier.as_str(), Type::parse(modifier)) {
                ("ftz", _) => ftz = true,
                ("sat", _) if may_saturate => {}
                (_, Some(found)) if found.is_float() && ty.is_none() => ty = Some(found),
                _ => return None,
            }
        }
        (instruction.operands.len() == 3).then_some(ArithmeticForm { ty: ty?, ftz })
    }

    fn of_sum(instruction: &Instruction) -> Option<ArithmeticForm> {
        matches!(instruction.opcode.as_str(), "add" | "sub").then(|| ArithmeticForm::of(instruction, true))?
    }

    fn of_product(instruction: &Instruction) -> Option<ArithmeticForm> {
        (instruction.opcode == "mul" && instruction.guard.is_none()).then(|| ArithmeticForm::of(instruction, false))?
    }
}

/// Returns the sums that are contracted, by the index of their instruction.
fn contractions(body: &Body, outputs: impl Iterator<Item = RegId>) -> HashMap<usize, Contraction> {
    let mut found = HashMap::new();
    if !body.instructions.iter().any(|instruction| ArithmeticForm::of_product(instruction).is_some()) {
        return found;
    }
    let uses = Uses::of(body, outputs);
    // Both operands of each sum, where they are products that can be contracted.
    let mut operands: HashMap<usize, [Option<Contraction>; 2]> = HashMap::new();
    let mut sums: HashMap<usize, Vec<usize>> = HashMap::new();
    for (product, instruction) in body.instructions.iter().enumerate() {
        let (Some(form), Some(Operand::Register(target))) =
            (ArithmeticForm::of_product(instruction), instruction.operands.first())
        else {
            continue;
        };
        let mut list = Vec::new();
        if !uses.collect(form, product, *target, RegisterMoves::default(), &mut list) {
            continue;
        }
        list.sort_by_key(|one| one.sum);
        if list.windows(2).any(|pair| pair[0].sum == pair[1].sum) {
            continue;
        }
        sums.insert(product, list.iter().map(|one| one.sum).collect());
        for Use { sum, operand, negated } in list {
            let overwritten = uses.overwrites(product, sum);
            let contraction = Contraction { product, operand, negated, overwritten };
            operands.entry(sum).or_default()[operand - 1] = Some(contraction);
        }
    }
    let mut order: Vec<usize> = operands.keys().copied().collect();
    order.sort_unstable();
    for &at in &order {
        let single = operands[&at].iter().flatten().find(|one| sums[&one.product].len() == 1);
        if let Some(&contraction) = single {
            found.insert(at, contraction);
        }
    }
    for &at in &order {
        for contraction in operands[&at].into_iter().flatten() {
            let all = &sums[&contraction.product];
            if all.iter().any(|at| found.contains_key(at)) {
                continue;
            }
            for at in all {
                let own = operands[at].iter().flatten().find(|one| one.product == contraction.product);
                found.extend(own.map(|&own| (*at, own)));
            }
        }
    }
    found
}

/// One operand of a sum that is a product.
struct Use {
    sum: usize,
    operand: usize,
    negated: bool,
}

/// The `mov` and `neg` between a product and its use.
#[derive(Clone, Copy, Default)]
struct RegisterMoves {
    count: u32,
    negated: bool,
}

/// Longer chains of copies, which no compiler writes, count as another use.
const MOST_COPIES: u32 = 8;

/// Reads and writes of registers in a body.
struct Uses<'a> {
    body: &'a Body,
    /// The instructions that mention each register, in order.
    mentions: Vec<Vec<usize>>,
    /// The instructions that write some part of each register, in order.
    writes: Vec<Vec<usize>>,
    /// The basic block of each instruction.
    blocks: Vec<u32>,
    /// Registers that some block reads before it writes them.
    exposed: Vec<bool>,
}

impl Uses<'_> {
    fn of(body: &Body, outputs: impl Iterator<Item = RegId>) -> Uses<'_> {
        let count = body.registers.len();
        let blocks = blocks(body);
        let (mut mentioned, mut writes) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut exposed = vec![false; count];
        outputs.for_each(|register| exposed[register.0 as usize] = true);
        // The block in which a register was last written as a whole.
        let mut last = vec![None; count];
        let dead = dead(body, &exposed);
        for (at, instruction) in body.instructions.iter().enumerate().filter(|(at, _)| !dead[*at]) {
            mentions(instruction, &mut |register| {
                let list: &mut Vec<usize> = &mut mentioned[register.0 as usize];
                if list.last() != Some(&at) {
                    list.push(at);
                }
            });
            sources(instruction, &mut |register, _| {
                exposed[register.0 as usize] |= last[register.0 as usize] != Some(blocks[at]);
            });
            for register in targets(instruction) {
                last[register.0 as usize] = Some(blocks[at]);
            }
            for register in written(instruction) {
                writes[register.0 as usize].push(at);
            }
        }
        Uses { body, mentions: mentioned, writes, blocks, exposed }
    }

    /// Adds the sums that use the value which instruction `from` writes to `register`. Returns false if the value has
    /// another use, or none.
    fn collect(
        &self,
        form: ArithmeticForm,
        from: usize,
        register: RegId,
        via: RegisterMoves,
        list: &mut Vec<Use>,
    ) -> bool {
        let mentions = &self.mentions[register.0 as usize];
        let after = mentions.partition_point(|&at| at <= from);
        for &at in mentions[after..].iter().take_while(|&&at| self.blocks[at] == self.blocks[from]) {
            let instruction = &self.body.instructions[at];
            let mut others = 0;
            let mut read = Vec::new();
            sources(instruction, &mut |source, operand| {
                if source == register {
                    others += u32::from(operand.is_none());
                    read.extend(operand);
                }
            });
            if others > 0 {
                return false;
            }
            if !read.is_empty() {
                let is_sum = ArithmeticForm::of_sum(instruction) == Some(form);
                match handed_on(instruction, form) {
                    Some((target, changes_sign)) => {
                        let via = RegisterMoves { count: via.count + 1, negated: via.negated ^ changes_sign };
                        if via.count > MOST_COPIES || !self.collect(form, at, target, via, list) {
                            return false;
                        }
                    }
                    None if is_sum => {
                        list.extend(read.into_iter().map(|operand| Use { sum: at, operand, negated: via.negated }));
                    }
                    None => return false,
                }
            }
            if targets(instruction).contains(&register) {
                return !list.is_empty();
            }
        }
        !self.exposed[register.0 as usize] && !list.is_empty()
    }

    /// True if an operand of `product` is written by it, or after it and before `sum`.
    fn overwrites(&self, product: usize, sum: usize) -> bool {
        self.body.instructions[product].operands[1..].iter().any(|operand| {
            let Operand::Register(register) = operand else { return false };
            let writes = &self.writes[register.0 as usize];
            writes.get(writes.partition_point(|&at| at < product)).is_some_and(|&at| at < sum)
        })
    }
}

/// The arithmetic whose results nothing reads, by instruction: the assembler removes it first, so what it reads is no
/// use.
fn dead(body: &Body, outputs: &[bool]) -> Vec<bool> {
    const ARITHMETIC: &[&str] =
        &["add", "sub", "mul", "fma", "mad", "mov", "neg", "abs", "min", "max", "cvt", "selp", "setp"];
    let mut dead = vec![false; body.instructions.len()];
    let mut reads = vec![0u32; body.registers.len()];
    let count = |reads: &mut Vec<u32>, instruction: &Instruction, by: i32| {
        let own = targets(instruction);
        // An instruction that reads only what it writes itself, as a counter does, keeps nothing alive.
        sources(instruction, &mut |register, _| {
            if !own.contains(&register) {
                let reads = &mut reads[register.0 as usize];
                *reads = reads.wrapping_add_signed(by);
            }
        });
    };
    body.instructions.iter().for_each(|instruction| count(&mut reads, instruction, 1));
    loop {
        let before = dead.iter().filter(|dead| **dead).count();
        for (at, instruction) in body.instructions.iter().enumerate().rev() {
            let targets = targets(instruction);
            let is_read = |register: &RegId| outputs[register.0 as usize] || reads[register.0 as usize] != 0;
            let is_pure = ARITHMETIC.contains(&instruction.opcode.as_str()) && !targets.is_empty();
            if !dead[at] && is_pure && !targets.iter().any(is_read) {
                dead[at] = true;
                count(&mut reads, instruction, -1);
            }
        }
        if dead.iter().filter(|dead| **dead).count() == before {
            return dead;
        }
    }
}

/// The register that a `mov` or `neg` without a guard copies its operand to, and whether it changes the sign.
fn handed_on(instruction: &Instruction, form: ArithmeticForm) -> Option<(RegId, bool)> {
    let [Operand::Register(target), Operand::Register(_)] = instruction.operands[..] else { return None };
    let has = |wanted: &str| instruction.modifiers.iter().any(|modifier| modifier == wanted);
    match instruction.opcode.as_str() {
        _ if instruction.guard.is_some() => None,
        "mov" => Some((target, false)),
        "neg" if has(&form.ty.to_string()) && has("ftz") == form.ftz => Some((target, true)),
        _ => None,
    }
}

/// The basic block of each instruction. Barriers and memory operations end none; calls do.
fn blocks(body: &Body) -> Vec<u32> {
    let mut begins = vec![false; body.instructions.len() + 1];
    let mut begin = |label: ptx::ast::LabelId| begins[body.labels[label.0 as usize].target as usize] = true;
    body.branch_targets.iter().flat_map(|(_, labels)| labels).for_each(|&label| begin(label));
    for operand in body.instructions.iter().flat_map(|instruction| &instruction.operands) {
        if let Operand::Label(label) = operand {
            begin(*label);
        }
    }
    for (at, instruction) in body.instructions.iter().enumerate() {
        begins[at + 1] |= matches!(instruction.opcode.as_str(), "bra" | "brx" | "call" | "ret" | "exit" | "trap");
    }
    let mut block = 0;
    let number = |begins: &bool| {
        block += u32::from(*begins);
        block
    };
    begins[..body.instructions.len()].iter().map(number).collect()
}

/// The registers of which an instruction writes some part, be it under a guard.
fn written(instruction: &Instruction) -> Vec<RegId> {
    let mut list = Vec::new();
    let takes_it = matches!(
        instruction.opcode.as_str(),
        "bar" | "barrier" | "brx" | "nanosleep" | "stackrestore" | "st" | "red" | "mbarrier" | "cp"
    );
    if let Some(first) = instruction.operands.first().filter(|_| !takes_it) {
        registers(first, &mut list);
    }
    list
}

/// The registers that an instruction writes as a whole, in every thread.
fn targets(instruction: &Instruction) -> Vec<RegId> {
    let is_part = |operand: &Operand| matches!(operand, Operand::Element(..));
    let parts = match instruction.operands.first() {
        Some(Operand::Vector(list) | Operand::List(list)) => list.iter().any(is_part),
        Some(first) => is_part(first),
        None => false,
    };
    if instruction.guard.is_some() || parts { Vec::new() } else { written(instruction) }
}

/// Calls `found` for each register that an instruction reads, with the operand that is this register and nothing more.
/// A register that is written in part, or under a guard, keeps the rest of its value, so it counts as read.
fn sources(instruction: &Instruction, found: &mut impl FnMut(RegId, Option<usize>)) {
    let writes_first = !targets(instruction).is_empty();
    for (nth, operand) in instruction.operands.iter().enumerate().skip(usize::from(writes_first)) {
        match operand {
            Operand::Register(register) if nth > 0 => found(*register, Some(nth)),
            _ => operand_mentions(operand, &mut |register| found(register, None)),
        }
    }
    if let Some(guard) = &instruction.guard {
        found(guard.register, None);
    }
}

//! `wgmma` and `setmaxnreg` (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "setmaxnreg").
//!
//! All instructions of a warpgroup are collective operations of its warps, each of which does its part: 16 of the 64
//! rows of `d`. What they do is in `run/wgmma.rs`. Done are f16, bf16, tf32, e4m3 and e5m2, s8 and u8, with every
//! shape that the ISA has for them. Sparse products (`wgmma.mma_async.sp`) and single bits (`b1`) are refused.

mod compute;
mod descriptor;

pub use compute::Operand as MatrixOperand;
pub use descriptor::{MatrixDescriptor, PIECE};

use super::matrix::{Fragments, MatrixElement, accumulated, elements};
pub use super::op::wgmma::{ROWS, WARP_ROWS, WarpgroupKind, Wgmma};
use super::op::{IS_WHOLE, Op};
use super::warp::{Collective, CollectiveKind};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::registers::Width;
use ptx::ast::{Immediate, Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["wgmma", "setmaxnreg"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if instruction.opcode == "setmaxnreg" {
        return set_max_registers(instruction, decoder, modifiers);
    }
    let name = modifiers.take_one_of(&["fence", "mma_async", "commit_group", "wait_group"]);
    let name = name.ok_or_else(Refused::unsupported)?;
    if modifiers.has("sp") {
        return Err(Refused::Unsupported("sparse matrices".into()));
    }
    if !(modifiers.take("sync") && modifiers.take("aligned")) {
        return Err(Refused::malformed("wgmma is .sync.aligned"));
    }
    let kind = match name {
        "mma_async" => return multiply(instruction, decoder, modifiers),
        "fence" => WarpgroupKind::Fence,
        "commit_group" => WarpgroupKind::Commit,
        _ => {
            decoder.arity(instruction, 1..=1)?;
            let groups = constant(&instruction.operands[0])?;
            let groups = u32::try_from(groups).map_err(|_| Refused::malformed("a negative number of groups"))?;
            WarpgroupKind::Wait(groups)
        }
    };
    modifiers.finish()?;
    let count = usize::from(matches!(kind, WarpgroupKind::Wait(_)));
    decoder.arity(instruction, count..=count)?;
    Ok(Op::Warp(collective(decoder, kind)))
}

/// True for `wgmma.mma_async`.
pub fn is_product(op: &Op) -> bool {
    let Op::Warp(op) = op else { return false };
    matches!(op.kind, CollectiveKind::Warpgroup(WarpgroupKind::Multiply(_)))
}

fn collective(decoder: &mut Decoder, kind: WarpgroupKind) -> Collective {
    let all = decoder.constant(Constant::Bits(u64::from(u32::MAX)), Width::Word);
    Collective::new(CollectiveKind::Warpgroup(kind), all)
}

fn set_max_registers(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
) -> Result<Op, Refused> {
    let action = modifiers.take_one_of(&["inc", "dec"]);
    let increases = action.ok_or_else(|| Refused::malformed("setmaxnreg is .inc or .dec"))? == "inc";
    if !(modifiers.take("sync") && modifiers.take("aligned") && modifiers.take("u32")) {
        return Err(Refused::malformed("setmaxnreg is .sync.aligned.u32"));
    }
    modifiers.finish()?;
    decoder.arity(instruction, 1..=1)?;
    let registers = constant(&instruction.operands[0])?;
    if !(24..=256).contains(&registers) || registers % 8 != 0 {
        return Err(Refused::malformed("the number of registers is a multiple of 8 from 24 to 256"));
    }
    let kind = WarpgroupKind::SetMaxRegisters { increases, registers: registers as u32 };
    Ok(Op::Warp(collective(decoder, kind)))
}

fn constant(operand: &Operand) -> Result<i64, Refused> {
    match operand {
        Operand::Immediate(Immediate::Int(value)) => Ok(*value),
        _ => Err(Refused::malformed("the operand is a constant")),
    }
}

fn multiply(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    let shape = modifiers.take_map(|name| {
        let (n, k) = name.strip_prefix("m64n")?.split_once('k')?;
        Some((n.parse::<usize>().ok()?, k.parse::<usize>().ok()?))
    });
    let (n, k) = shape.ok_or_else(Refused::unsupported)?;
    let saturates = modifiers.take("satfinite");
    if modifiers.has("b1") {
        return Err(Refused::Unsupported("matrices of single bits".into()));
    }
    // D and the operands may have the same name: the order is that of the instruction.
    let d = modifiers.ty()?;
    let [a, b] = [(); 2].map(|()| modifiers.take_map(MatrixElement::parse));
    let (a, b) = a.zip(b).ok_or_else(Refused::unsupported)?;
    modifiers.finish()?;
    let operands = &instruction.operands;
    let is_float = !a.is_integer();
    let is_half = matches!(a, MatrixElement::F16 | MatrixElement::Bf16);
    let in_registers = operands.get(1).is_some_and(|a| is_list(decoder, a));
    let scales = if is_float { 2 } else { 0 };
    let transposes = match (is_half, in_registers) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    let count = 4 + scales + transposes;
    decoder.arity(instruction, count..=count)?;
    let negates = |nth: usize| match constant(&operands[nth])? {
        1 => Ok(false),
        -1 => Ok(true),
        _ => Err(Refused::malformed("a scale is 1 or -1")),
    };
    let transposed = |nth: usize| match constant(&operands[nth])? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Refused::malformed("a matrix is transposed (1) or not (0)")),
    };
    let form = Wgmma {
        n,
        k,
        a,
        b,
        d,
        saturates,
        a_is_shared: !in_registers,
        negates_a: is_float && negates(4)?,
        negates_b: is_float && negates(5)?,
        a_is_transposed: transposes == 2 && transposed(6)?,
        b_is_transposed: transposes > 0 && transposed(count - 1)?,
    };
    if !form.is_known() {
        return Err(Refused::malformed("the ISA has no such shape and types"));
    }
    let mut op = collective(decoder, WarpgroupKind::Multiply(form));
    let list = elements(decoder, &operands[0], form.accumulators())?;
    let d = list.iter().map(|operand| decoder.dest(operand, accumulated(form.d))).collect::<Result<Vec<_>, _>>()?;
    let mut a = Vec::new();
    if in_registers {
        let list = elements(decoder, &operands[1], 4)?;
        a = list.iter().map(|operand| decoder.source(operand, Type::B32)).collect::<Result<Vec<_>, _>>()?;
    } else {
        op.a = decoder.source(&operands[1], Type::B64)?;
    }
    op.b = decoder.source(&operands[2], Type::B64)?;
    (op.c, op.negated) = decoder.predicate_negatable(&operands[3])?;
    op.fragments = Some(Box::new(Fragments { c: d.clone(), d, a, b: Vec::new() }));
    Ok(Op::Warp(op))
}

/// True for registers in braces, and for a vector register.
fn is_list(decoder: &Decoder, operand: &Operand) -> bool {
    match operand {
        Operand::Vector(_) => true,
        Operand::Register(id) => decoder.elements(*id).is_some(),
        _ => false,
    }
}

impl Wgmma {
    /// The shapes and types of the ISA.
    fn is_known(&self) -> bool {
        use MatrixElement::{Bf16, E4m3, E5m2, F16, S8, Tf32, U8};
        use Type::{F16 as Half, F32, S32};
        let is_float = match (self.a, self.b) {
            (F16, F16) => self.k == 16 && matches!(self.d, Half | F32),
            (Bf16, Bf16) => self.k == 16 && self.d == F32,
            (Tf32, Tf32) => self.k == 8 && self.d == F32,
            (E4m3 | E5m2, E4m3 | E5m2) => self.k == 32 && matches!(self.d, Half | F32),
            _ => false,
        };
        let is_integer = matches!((self.a, self.b), (S8 | U8, S8 | U8)) && self.k == 32 && self.d == S32;
        let has_columns = (8..=256).contains(&self.n) && self.n.is_multiple_of(8);
        let is_common = self.n <= 32 || self.n.is_multiple_of(16);
        has_columns && (is_float && !self.saturates || is_integer && is_common)
    }

    /// The number of registers of `d` in a lane.
    pub fn accumulators(&self) -> usize {
        if self.d == Type::F16 { self.n / 4 } else { self.n / 2 }
    }

    /// The number of products of an element of `a` and one of `b` that one warp computes.
    pub fn products(&self) -> u64 {
        (WARP_ROWS * self.n * self.k) as u64
    }
}

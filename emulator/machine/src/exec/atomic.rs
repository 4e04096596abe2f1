//! `atom` and `red` (PTX ISA, "Parallel Synchronization and Communication Instructions").
//!
//! The arithmetic is here; the machine brings the memory. `atom.add.f32` on global memory
//! flushes subnormals and on shared memory does not, as the ISA says; half types round once.
//! Vector forms are atomic an element at a time.

use super::float::half::{add_bf16, add_f16};
use super::memory::{Ordering, semantics, settle_space, take_cache_hints, take_space, take_vector, vector};
use super::op::Op;
pub use super::op::atomic::{Atomic, Registers8};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::memory::space::Space;
use crate::registers::Reg;
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["atom", "red"];

/// An increment is `old >= b ? 0 : old + 1`, a decrement `old == 0 || old > b ? b : old - 1`.
pub use finding::AtomicOperation as Operation;

pub(super) fn parse_operation(name: &str) -> Option<Operation> {
    Some(match name {
        "add" => Operation::Add,
        "and" => Operation::And,
        "or" => Operation::Or,
        "xor" => Operation::Xor,
        "exch" => Operation::Exchange,
        "cas" => Operation::CompareExchange,
        "inc" => Operation::Increment,
        "dec" => Operation::Decrement,
        "min" => Operation::Min,
        "max" => Operation::Max,
        _ => return None,
    })
}

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let returns = instruction.opcode == "atom";
    let semantics = semantics(&mut modifiers, Ordering::Relaxed)?;
    if semantics.volatile || !semantics.is_strong() {
        return Err(Refused::malformed("an atomic operation is neither volatile nor weak"));
    }
    if !returns && semantics.acquires() {
        return Err(Refused::malformed("a reduction reads nothing that it could acquire"));
    }
    let written = take_space(&mut modifiers);
    let policy = take_cache_hints(&mut modifiers, &[]);
    let operation = modifiers.take_map(parse_operation).ok_or_else(Refused::unsupported)?;
    let noftz = modifiers.take("noftz");
    let elements = take_vector(&mut modifiers).or_else(|| modifiers.take("v8").then_some(8));
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    let kept = matches!(operation, Operation::Exchange | Operation::CompareExchange);
    if !allowed(operation, ty, elements, written) || kept && !returns {
        return Err(Refused::malformed(format!("no such atomic operation on .{ty}")));
    }
    if noftz != matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2) {
        return Err(Refused::malformed(".noftz belongs to the half types, and only to them"));
    }

    let compare = usize::from(operation == Operation::CompareExchange);
    let operands = usize::from(returns) + 2 + compare + usize::from(policy);
    decoder.arity(instruction, operands..=operands)?;
    let mut operands = instruction.operands.iter();
    let mut dst = [Reg::NONE; 8];
    if returns {
        let written = vector(decoder, operands.next().expect("counted"), elements)?;
        for (reg, operand) in dst.iter_mut().zip(&written) {
            *reg = decoder.dest(operand, ty)?;
        }
    }
    let address = decoder.address(operands.next().expect("counted"))?;
    let space = settle_space(written, address.named, decoder)?;
    if matches!(space, Space::Local | Space::Param) {
        return Err(Refused::malformed("atomic operations need global or shared memory"));
    }
    let mut src = [Reg::NONE; 8];
    let brought = vector(decoder, operands.next().expect("counted"), elements)?;
    for (reg, operand) in src.iter_mut().zip(&brought) {
        *reg = decoder.source(operand, ty)?;
    }
    let swap = if compare == 1 { decoder.source(operands.next().expect("counted"), ty)? } else { Reg::NONE };
    Ok(Op::Atomic(Atomic {
        operation,
        ty,
        space,
        base: address.base,
        offset: address.offset,
        dst,
        looked_at: returns,
        src,
        swap,
        elements: elements.unwrap_or(1),
        semantics,
    }))
}

/// The table of types in the ISA's description of `atom` and `red`.
fn allowed(operation: Operation, ty: Type, elements: Option<u32>, space: Option<Space>) -> bool {
    use Operation::*;
    use Type::*;
    if let Some(count) = elements {
        let fits = match ty {
            F32 => count <= 4,
            F16 | Bf16 => count <= 8,
            F16x2 | Bf16x2 => count <= 4,
            _ => false,
        };
        let reduces = operation == Add || (matches!(operation, Min | Max) && ty != F32);
        return fits && reduces && !matches!(space, Some(Space::Shared));
    }
    match operation {
        And | Or | Xor => matches!(ty, B32 | B64),
        Exchange => matches!(ty, B32 | B64 | B128),
        CompareExchange => matches!(ty, B16 | B32 | B64 | B128),
        Add => matches!(ty, U32 | S32 | U64 | F32 | F64 | F16 | F16x2 | Bf16 | Bf16x2),
        Increment | Decrement => ty == U32,
        Min | Max => matches!(ty, U32 | S32 | U64 | S64),
    }
}

/// The new value from the old one: `b` is the operand, `swap` what a compare-and-exchange stores.
/// `flush` says that subnormal `f32` count as zero (global memory).
#[inline(always)]
pub fn apply(operation: Operation, ty: Type, flush: bool, old: u64, b: u64, swap: u64) -> u64 {
    use Operation::*;
    match operation {
        Add => add(ty, flush, old, b),
        And => old & b,
        Or => old | b,
        Xor => old ^ b,
        Exchange => b,
        CompareExchange => {
            let mask = if ty.bytes() == 8 { !0 } else { (1u64 << (8 * ty.bytes())) - 1 };
            if old & mask == b & mask { swap } else { old }
        }
        Increment => {
            let (old, b) = (old as u32, b as u32);
            u64::from(if old >= b { 0 } else { old + 1 })
        }
        Decrement => {
            let (old, b) = (old as u32, b as u32);
            u64::from(if old == 0 || old > b { b } else { old - 1 })
        }
        Min | Max => pick(operation == Min, ty, old, b),
    }
}

fn pick(min: bool, ty: Type, old: u64, b: u64) -> u64 {
    let sign_and_magnitude = |bits: u64| if bits >> 15 & 1 != 0 { !bits as u16 } else { bits as u16 | 0x8000 };
    if let Some(infinity) = match ty {
        Type::F16 => Some(0x7c00),
        Type::Bf16 => Some(0x7f80),
        _ => None,
    } {
        // A number comes before a NaN.
        let is_nan = |bits: u64| bits & 0x7fff > infinity;
        match (is_nan(old), is_nan(b)) {
            (true, true) => return 0x7fff,
            (true, false) => return b,
            (false, true) => return old,
            _ => {}
        }
    }
    let old_is_less = match ty {
        Type::F16 | Type::Bf16 => sign_and_magnitude(old) < sign_and_magnitude(b),
        Type::S32 => (old as i32) < (b as i32),
        Type::S64 => (old as i64) < (b as i64),
        Type::U32 => (old as u32) < (b as u32),
        _ => old < b,
    };
    if old_is_less == min { old } else { b }
}

fn add(ty: Type, flush: bool, old: u64, b: u64) -> u64 {
    let halves = |f: fn(u16, u16) -> u16| {
        let low = f(old as u16, b as u16);
        let high = f((old >> 16) as u16, (b >> 16) as u16);
        u64::from(high) << 16 | u64::from(low)
    };
    match ty {
        Type::F32 => {
            let flushed = |bits: u64| {
                let value = f32::from_bits(bits as u32);
                if flush && value.is_subnormal() { 0f32.copysign(value) } else { value }
            };
            let sum = flushed(old) + flushed(b);
            if sum.is_nan() { 0x7fff_ffff } else { flushed(sum.to_bits().into()).to_bits().into() }
        }
        Type::F64 => (f64::from_bits(old) + f64::from_bits(b)).to_bits(),
        Type::F16 => u64::from(add_f16(old as u16, b as u16)),
        Type::Bf16 => u64::from(add_bf16(old as u16, b as u16)),
        Type::F16x2 => halves(add_f16),
        Type::Bf16x2 => halves(add_bf16),
        Type::U32 | Type::S32 => u64::from((old as u32).wrapping_add(b as u32)),
        _ => old.wrapping_add(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

    #[test]
    fn the_new_value() {
        use Operation::*;
        use Type::*;
        let minus_one = u64::from(u32::MAX);
        for (operation, ty, old, b, swap, want) in [
            (Add, U32, minus_one, 2, 0, 1),
            (Add, U64, u64::MAX, 2, 0, 1),
            (Min, S32, minus_one, 5, 0, minus_one),
            (Min, U32, minus_one, 5, 0, 5),
            (Max, S64, u64::MAX, 5, 0, 5),
            (Increment, U32, 3, 4, 0, 4),
            (Increment, U32, 4, 4, 0, 0),
            (Increment, U32, 9, 4, 0, 0),
            (Decrement, U32, 0, 4, 0, 4),
            (Decrement, U32, 9, 4, 0, 4),
            (Decrement, U32, 3, 4, 0, 2),
            (CompareExchange, B32, 7, 7, 9, 9),
            (CompareExchange, B32, 7, 8, 9, 7),
            (CompareExchange, B16, 0x1_0007, 7, 9, 9),
            (Exchange, B64, 1, 2, 0, 2),
        ] {
            assert_eq!(apply(operation, ty, false, old, b, swap), want, "{operation:?} {ty} {old} {b}");
        }
    }

    #[test]
    fn global_float_addition_flushes_and_shared_does_not() {
        let tiny = u64::from(f32::from_bits(1).to_bits());
        assert_eq!(add(Type::F32, true, tiny, 0), 0);
        assert_eq!(add(Type::F32, false, tiny, 0), 1);
    }

    #[test]
    fn packed_halves_do_not_carry_into_each_other() {
        let one = u64::from(f16::ONE.to_bits());
        let two = u64::from(f16::from_f32(2.0).to_bits());
        assert_eq!(add(Type::F16x2, false, one << 16 | one, one), one << 16 | two);
    }
}

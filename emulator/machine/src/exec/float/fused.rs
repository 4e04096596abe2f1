//! A product and a sum as one fused multiply-add, where the assembler contracts them.

use super::round::Rounding;
use super::{double, flow_of, half, sign, single};
use crate::decode::{Decoder, Modifiers};
use crate::exec::op::{Alu, Op};
use crate::lanes::{Args, LaneFn, unary};
use crate::registers::{Reg, Width};
use ptx::ast::{Instruction, Type};

/// Position of the product in a sum.
#[derive(Clone, Copy, Debug)]
pub struct ProductPosition {
    /// 1 or 2.
    pub operand: usize,
    /// A `neg` lies between product and sum.
    pub negated: bool,
}

fn multiply_add(ty: Type, ftz: bool) -> Option<LaneFn> {
    match ty {
        Type::F32 => single::kernel("fma", Rounding::Nearest, ftz),
        Type::F64 => double::kernel("fma", Rounding::Nearest),
        _ => half::kernel("fma", ty, ftz),
    }
}

/// The factors of a decoded `mul`.
pub fn factors(product: &Op) -> Option<[Reg; 2]> {
    match product {
        Op::Alu(alu) => Some([alu.args.a, alu.args.b]),
        _ => None,
    }
}

/// Makes `product` copy its factors to scratch registers, and returns these.
pub fn keep_factors(product: &mut Op, decoder: &mut Decoder) -> Option<[Reg; 2]> {
    let Op::Alu(alu) = product else { return None };
    let kept = [alu.args.a, alu.args.b].map(|from| (from, decoder.scratch(from.width)));
    let copies =
        kept.map(|(a, d)| Alu { kernel: copy(d.width), args: Args { d, a, ..Args::default() }, flow: |_, u| u[0] });
    *product = Op::Steps(copies.into_iter().chain([alu.clone()]).collect());
    Some(kept.map(|(_, to)| to))
}

fn copy(width: Width) -> LaneFn {
    match width {
        Width::Word => unary(|a: u32| a),
        _ => unary(|a: u64| a),
    }
}

/// Turns `op`, the decoded `sum`, into a fused operation whose operand at `place` is the unrounded product of
/// `factors`. Leaves an operation as it is that has no fused form.
pub fn fuse(sum: &Instruction, op: &mut Op, factors: [Reg; 2], place: ProductPosition, decoder: &mut Decoder) {
    let (alu, clamp) = match &*op {
        Op::Alu(alu) => (alu, None),
        Op::Steps(steps) => match &steps[..] {
            [alu, clamp] => (alu, Some(clamp.clone())),
            _ => return,
        },
        _ => return,
    };
    let mut modifiers = Modifiers::new(&sum.modifiers);
    let ftz = modifiers.take("ftz");
    let Ok(ty) = modifiers.ty() else { return };
    let (Some(kernel), Some((opposite, opposite_flow))) = (multiply_add(ty, ftz), sign::opposite(ty)) else { return };
    let is_difference = sum.opcode == "sub";
    let mut steps = Vec::new();
    let mut negate = |a: Reg| {
        let d = decoder.scratch(a.width);
        steps.push(Alu { kernel: opposite, args: Args { d, a, ..Args::default() }, flow: opposite_flow });
        d
    };
    let [mut a, b] = factors;
    if place.negated != (is_difference && place.operand == 2) {
        a = negate(a);
    }
    let mut c = if place.operand == 1 { alu.args.b } else { alu.args.a };
    if is_difference && place.operand == 1 {
        c = negate(c);
    }
    let fused = Alu { kernel, args: Args { d: alu.args.d, a, b, c, ..Args::default() }, flow: flow_of(ty) };
    *op = if steps.is_empty() && clamp.is_none() {
        Op::Alu(fused)
    } else {
        Op::Steps(steps.into_iter().chain([fused]).chain(clamp).collect())
    };
}

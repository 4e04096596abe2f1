//! Sums longer than a register (PTX ISA, "Extended-Precision Arithmetic Instructions").
//!
//! `CC.CF` is a predicate like any other here. A subtraction is `a + ~b + 1`, so that after `sub.cc` the flag is set
//! where nothing was borrowed. The ISA speaks of the borrow; but GPUs, and nvcc's 128-bit division, which asks with
//! `addc` whether a `subc.cc` has borrowed, hold to the carry. Chains of one kind cannot tell.
//! Calls do not keep it, and it starts out as false.

use super::op::Op;
use crate::decode::{Decoder, Modifiers, Refused};
use crate::exec::op::Alu;
use crate::lanes::{LaneFn, with_carry, with_carry3};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::{Instruction, Type};

/// `add.cc`, `sub.cc` and `mad.cc` come here through their families.
pub const OPCODES: &[&str] = &["addc", "subc", "madc"];

/// The upper half of a product.
pub(super) trait High {
    fn high(self, other: Self) -> Self;
}

macro_rules! high {
    ($($int:ty, $wide:ty;)*) => {$(
        impl High for $int {
            #[inline(always)]
            fn high(self, other: $int) -> $int {
                let product = <$wide>::from(self) * <$wide>::from(other);
                (product >> <$int>::BITS) as $int
            }
        }
    )*};
}

high! { u16, u32; i16, i32; u32, u64; i32, i64; u64, u128; i64, i128; }

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    let carries_out = modifiers.take("cc");
    let part = modifiers.take_one_of(&["lo", "hi"]);
    modifiers.finish()?;
    let (opcode, carries_in) = match instruction.opcode.as_str() {
        "addc" => ("add", true),
        "subc" => ("subc", true),
        "madc" => ("mad", true),
        plain => (plain, false),
    };
    let (kernel, flow) = kernel(opcode, part, ty)?;
    let sources: &[Type] = if opcode == "mad" { &[ty; 3] } else { &[ty; 2] };
    let mut alu = Alu::of(instruction, decoder, kernel, flow, ty, sources)?;
    let flag = decoder.carry_flag();
    if carries_in {
        alu.args.q = flag;
    }
    if carries_out {
        alu.args.e = flag;
    }
    Ok(Op::Alu(alu))
}

fn kernel(opcode: &str, part: Option<&str>, ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    use Type::{S32, S64, U32, U64};
    Ok(match (opcode, part, ty) {
        ("add", None, U32 | S32) => (with_carry(|a: u32, b: u32, carry: bool| a.carrying_sum(b, carry)), flow::carry),
        ("add", None, U64 | S64) => (with_carry(|a: u64, b: u64, carry: bool| a.carrying_sum(b, carry)), flow::carry),
        ("sub", None, U32 | S32) => (with_carry(|a: u32, b: u32, _: bool| a.carrying_sum(!b, true)), flow::carry),
        ("subc", None, U32 | S32) => (with_carry(|a: u32, b: u32, carry: bool| a.carrying_sum(!b, carry)), flow::carry),
        ("sub", None, U64 | S64) => (with_carry(|a: u64, b: u64, _: bool| a.carrying_sum(!b, true)), flow::carry),
        ("subc", None, U64 | S64) => (with_carry(|a: u64, b: u64, carry: bool| a.carrying_sum(!b, carry)), flow::carry),
        ("mad", Some("lo"), U32 | S32) => {
            (with_carry3(|a: u32, b: u32, c: u32, carry: bool| a.wrapping_mul(b).carrying_sum(c, carry)), flow::carry)
        }
        ("mad", Some("lo"), U64 | S64) => {
            (with_carry3(|a: u64, b: u64, c: u64, carry: bool| a.wrapping_mul(b).carrying_sum(c, carry)), flow::carry)
        }
        ("mad", Some("hi"), U32) => {
            (with_carry3(|a: u32, b: u32, c: u32, carry: bool| a.high(b).carrying_sum(c, carry)), flow::all)
        }
        ("mad", Some("hi"), U64) => {
            (with_carry3(|a: u64, b: u64, c: u64, carry: bool| a.high(b).carrying_sum(c, carry)), flow::all)
        }
        ("mad", Some("hi"), S32) => {
            (with_carry3(|a: i32, b: i32, c: u32, carry: bool| (a.high(b) as u32).carrying_sum(c, carry)), flow::all)
        }
        ("mad", Some("hi"), S64) => {
            (with_carry3(|a: i64, b: i64, c: u64, carry: bool| (a.high(b) as u64).carrying_sum(c, carry)), flow::all)
        }
        _ => return Err(Refused::malformed("no such form with a carry")),
    })
}

/// A sum with its carry in and out.
trait CarrySum: Sized {
    fn carrying_sum(self, other: Self, carry: bool) -> (Self, bool);
}

macro_rules! chain {
    ($($int:ty)*) => {$(
        impl CarrySum for $int {
            #[inline(always)]
            fn carrying_sum(self, other: $int, carry: bool) -> ($int, bool) {
                let (sum, first) = self.overflowing_add(other);
                let (sum, second) = sum.overflowing_add(<$int>::from(carry));
                (sum, first | second)
            }
        }
    )*};
}

chain! { u32 u64 }

#[cfg(test)]
mod tests {
    use crate::exec::harness::{refused, run};
    use proptest::prelude::*;

    /// `d = a op b` over 128 bits in four words.
    fn words(text: &str, a: u128, b: u128) -> u128 {
        let mut inputs = Vec::new();
        let names = ["%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7", "%r8"];
        for i in 0..4 {
            inputs.push((names[i], (a >> (32 * i)) as u32 as u64));
            inputs.push((names[4 + i], (b >> (32 * i)) as u32 as u64));
        }
        let out = run(text, &inputs, &["%r1", "%r2", "%r3", "%r4"]);
        (0..4).fold(0, |sum, i| sum | u128::from(out[i]) << (32 * i))
    }

    proptest! {
        #[test]
        fn a_chain_is_one_long_sum(a: u128, b: u128) {
            let add = "add.cc.u32 %r1, %r1, %r5; addc.cc.u32 %r2, %r2, %r6; addc.cc.u32 %r3, %r3, %r7; \
                addc.u32 %r4, %r4, %r8;";
            prop_assert_eq!(words(add, a, b), a.wrapping_add(b));
            let sub = "sub.cc.u32 %r1, %r1, %r5; subc.cc.u32 %r2, %r2, %r6; subc.cc.u32 %r3, %r3, %r7; \
                subc.u32 %r4, %r4, %r8;";
            prop_assert_eq!(words(sub, a, b), a.wrapping_sub(b));
        }

        #[test]
        fn a_long_product_with_its_sum(a: u64, b: u64, c: u128) {
            // 64 x 64 + 128 bits, low and high parts chained.
            let text = "mad.lo.cc.u64 %d1, %d5, %d6, %d3; madc.hi.u64 %d2, %d5, %d6, %d4;";
            let inputs = [("%d3", c as u64), ("%d4", (c >> 64) as u64), ("%d5", a), ("%d6", b)];
            let out = run(text, &inputs, &["%d1", "%d2"]);
            let want = (u128::from(a) * u128::from(b)).wrapping_add(c);
            prop_assert_eq!((out[0], out[1]), (want as u64, (want >> 64) as u64));
        }
    }

    #[test]
    fn carry_in_alone_can_overflow() {
        let text = "add.cc.s32 %r1, %r5, 1; addc.cc.s32 %r2, %r5, 0; addc.s32 %r3, 0, 0;";
        assert_eq!(run(text, &[("%r5", 0xffff_ffff)], &["%r1", "%r2", "%r3"]), [0, 0, 1]);
    }

    #[test]
    fn without_cc_the_flag_stays() {
        let text = "add.cc.u64 %d1, %d5, 1; addc.u64 %d2, 0, 0; addc.u64 %d3, 0, 0;";
        assert_eq!(run(text, &[("%d5", u64::MAX)], &["%d1", "%d2", "%d3"]), [0, 1, 1]);
    }

    #[test]
    fn signed_high_parts() {
        let text = "mad.hi.cc.s32 %r1, %r5, %r6, 1; addc.u32 %r2, 0, 0;";
        // -1 x 1 has all ones above; adding one carries out.
        assert_eq!(run(text, &[("%r5", 0xffff_ffff), ("%r6", 1)], &["%r1", "%r2"]), [0, 1]);
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        refused("addc.b32 %r1, %r2, %r3");
        refused("mad.wide.cc.u32 %d1, %r2, %r3, %d4");
        refused("add.cc.sat.s32 %r1, %r2, %r3");
    }
}

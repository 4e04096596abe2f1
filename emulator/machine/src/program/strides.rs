//! By which steps a kernel's addresses go through each array: an element, or a structure of several, is as large.
//!
//! An address is a base, a constant and multiples of a number, as far as sums and products with constants tell
//! (Granger's congruences). `mad.wide.u32 %rd2, %r1, 12, %rd1` steps by 12 through what `%rd1` points to.
//!
//! Errs towards silence: an address that goes through memory (all with `-G`), a call or other arithmetic steps through
//! nothing.

use ptx::ast::{Base, Body, Immediate, Instruction, Operand, RegId};

/// The sum of `base`, of `rest` and of any multiple of `step`; without a step `rest` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StridedValue {
    base: Option<u32>,
    step: u64,
    rest: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownValue {
    Nothing,
    Value(StridedValue),
    Anything,
}

const NUMBER: KnownValue = KnownValue::Value(StridedValue { base: None, step: 1, rest: 0 });

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl StridedValue {
    fn at(base: Option<u32>, step: u64, rest: i64) -> KnownValue {
        let rest = if step == 0 { rest } else { rest.rem_euclid(step.min(i64::MAX as u64) as i64) };
        KnownValue::Value(StridedValue { base, step, rest })
    }
}

impl KnownValue {
    fn both(self, other: KnownValue, of: impl Fn(StridedValue, StridedValue) -> KnownValue) -> KnownValue {
        match (self, other) {
            (KnownValue::Nothing, _) | (_, KnownValue::Nothing) => KnownValue::Nothing,
            (KnownValue::Value(a), KnownValue::Value(b)) => of(a, b),
            _ => KnownValue::Anything,
        }
    }

    fn join(self, other: KnownValue) -> KnownValue {
        match (self, other) {
            (KnownValue::Nothing, known) | (known, KnownValue::Nothing) => known,
            (KnownValue::Value(a), KnownValue::Value(b)) if a.base == b.base => {
                StridedValue::at(a.base, gcd(gcd(a.step, b.step), a.rest.abs_diff(b.rest)), a.rest)
            }
            _ => KnownValue::Anything,
        }
    }

    fn plus(self, other: KnownValue) -> KnownValue {
        self.both(other, |a, b| match (a.base, b.base) {
            (Some(_), Some(_)) => KnownValue::Anything,
            _ => StridedValue::at(a.base.or(b.base), gcd(a.step, b.step), a.rest.wrapping_add(b.rest)),
        })
    }

    fn times(self, other: KnownValue) -> KnownValue {
        self.both(other, |a, b| {
            if a.base.is_some() || b.base.is_some() {
                return KnownValue::Anything;
            }
            let times = |step: u64, by: u64| step.checked_mul(by).unwrap_or(1);
            let with_rest = gcd(times(a.step, b.rest.unsigned_abs()), times(b.step, a.rest.unsigned_abs()));
            StridedValue::at(None, gcd(times(a.step, b.step), with_rest), a.rest.wrapping_mul(b.rest))
        })
    }
}

/// For each base the largest number that all steps through it are multiples of; 0 where there are none. `base` numbers
/// what an operand stands for: a variable's address, or the parameter that `ld.param` gives, one of `bases`.
pub fn of_bases(body: &Body, bases: usize, base: &dyn Fn(&Operand) -> Option<u32>) -> Vec<u64> {
    let result = |instruction: &Instruction, known: &[KnownValue]| result(instruction, known, base);
    let Some(known) = super::arrays::settled(body, KnownValue::Nothing, KnownValue::join, result) else {
        return vec![0; bases];
    };
    let mut steps = vec![0; bases];
    let is_access = |it: &&Instruction| matches!(it.opcode.as_str(), "ld" | "st" | "atom" | "red");
    for operand in body.instructions.iter().filter(is_access).flat_map(|it| &it.operands) {
        let Operand::Address { base: Base::Register(register), .. } = operand else { continue };
        if let KnownValue::Value(StridedValue { base: Some(base), step, .. }) = known[register.0 as usize]
            && let Some(all) = steps.get_mut(base as usize)
        {
            *all = gcd(*all, step);
        }
    }
    steps
}

/// The registers that an instruction writes, and what it puts there.
fn result(
    instruction: &Instruction,
    known: &[KnownValue],
    base: &dyn Fn(&Operand) -> Option<u32>,
) -> Option<(Vec<RegId>, KnownValue)> {
    let (first, rest) = instruction.operands.split_first()?;
    let mut targets = Vec::new();
    super::arrays::registers(first, &mut targets);
    let constant = |value: i64| KnownValue::Value(StridedValue { base: None, step: 0, rest: value });
    let of = |operand: &Operand| match operand {
        Operand::Register(register) => known[register.0 as usize],
        Operand::Variable { offset, .. } | Operand::Symbol { offset, .. } => match base(operand) {
            Some(base) => KnownValue::Value(StridedValue { base: Some(base), step: 0, rest: *offset }),
            None => KnownValue::Anything,
        },
        Operand::Immediate(Immediate::Int(value)) => constant(*value),
        Operand::Immediate(_) | Operand::Special(_) => NUMBER,
        _ => KnownValue::Anything,
    };
    let has = |wanted: &str| instruction.modifiers.iter().any(|modifier| modifier == wanted);
    let value = match (instruction.opcode.as_str(), rest) {
        ("ld", [Operand::Address { .. }]) if has("param") => rest
            .iter()
            .find_map(base)
            .map_or(NUMBER, |base| KnownValue::Value(StridedValue { base: Some(base), step: 0, rest: 0 })),
        ("ld" | "ldu" | "atom" | "call", _) => NUMBER,
        ("mov" | "cvta" | "cvt", [source]) => of(source),
        _ if has("cc") || has("hi") => NUMBER,
        ("add" | "or", [a, b]) => of(a).plus(of(b)),
        ("sub", [a, b]) => of(a).plus(of(b).times(constant(-1))),
        ("mul", [a, b]) => of(a).times(of(b)),
        ("mad", [a, b, c]) => of(a).times(of(b)).plus(of(c)),
        ("shl", [a, Operand::Immediate(Immediate::Int(by @ 0..=32))]) => of(a).times(constant(1 << by)),
        ("selp", [a, b, _]) => of(a).join(of(b)),
        _ => match rest.iter().map(of).find(|one| matches!(one, KnownValue::Value(StridedValue { base: Some(_), .. })))
        {
            Some(_) => KnownValue::Anything,
            None => NUMBER,
        },
    };
    Some((targets, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(lines: &str) -> u64 {
        let text = format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n\
             .reg .b64 %d<9>;\n.reg .pred %p;\nld.param.u64 %d0, [p];\ncvta.to.global.u64 %d1, %d0;\n\
             mov.u32 %r0, %tid.x;\n\
             {lines}\nret;\n}}\n"
        );
        let module = ptx::parse(&text).expect("it parses");
        let base = |operand: &Operand| matches!(operand, Operand::Address { .. }).then_some(0);
        of_bases(module.functions[0].body.as_ref().expect("a body"), 1, &base)[0]
    }

    #[test]
    fn a_product_is_a_step() {
        let at = |product: &str| step(&format!("{product} ld.global.u32 %r1, [%d3+8];"));
        assert_eq!(at("mul.wide.u32 %d2, %r0, 12; add.s64 %d3, %d1, %d2;"), 12);
        assert_eq!(at("mad.wide.u32 %d3, %r0, 16, %d1;"), 16);
        assert_eq!(at("add.s32 %r1, %r0, 3; shl.b32 %r2, %r1, 2; cvt.u64.u32 %d2, %r2; add.s64 %d3, %d2, %d1;"), 4);
        assert_eq!(at("mov.u64 %d3, %d1;"), 0);
    }

    #[test]
    fn a_pointer_that_walks_steps() {
        assert_eq!(step("L: ld.global.u32 %r1, [%d1+4]; add.s64 %d1, %d1, 8; @%p bra L;"), 8);
        let both = "mad.wide.u32 %d2, %r0, 8, %d1; ld.global.u32 %r1, [%d2]; mad.wide.u32 %d3, %r0, 4, %d1;";
        assert_eq!(step(&format!("{both} st.global.u32 [%d3], %r1;")), 4);
    }
}

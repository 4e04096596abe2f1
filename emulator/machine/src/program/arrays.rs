//! Which shared variable an access means, as far as PTX tells.
//!
//! A block's shared variables lie side by side, so an index that runs out of one array lands in the next, and the
//! address alone is in bounds. But the compiler makes each address from the array's own symbol: `mov %r1, s; add %r2,
//! %r1, %r3; st.shared [%r2]`. C++ gives a pointer no way from one array into another, so an access whose address comes
//! from `s`, on every way that leads to it, and from no other symbol, belongs inside `s`.
//!
//! Errs towards silence. An address that was chosen among several arrays belongs to no variable here. Neither does
//! one that went through memory (all of them with `-G`), a call or arithmetic other than sums. `extern __shared__`
//! memory belongs to none either.

use ptx::ast::{Base, Body, Instruction, Operand, RegId};

/// The origin of a register's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegisterOrigin {
    /// Not known yet.
    Nothing,
    /// No shared variable's address: numbers.
    Number,
    /// Sums of this variable's address and numbers.
    Variable(u32),
    Anything,
}

impl RegisterOrigin {
    fn join(self, other: RegisterOrigin) -> RegisterOrigin {
        match (self, other) {
            (RegisterOrigin::Nothing, known) | (known, RegisterOrigin::Nothing) => known,
            (a, b) if a == b => a,
            _ => RegisterOrigin::Anything,
        }
    }

    fn plus(self, other: RegisterOrigin) -> RegisterOrigin {
        match (self, other) {
            (RegisterOrigin::Nothing, _) | (_, RegisterOrigin::Nothing) => RegisterOrigin::Nothing,
            (known, RegisterOrigin::Number) | (RegisterOrigin::Number, known) => known,
            _ => RegisterOrigin::Anything,
        }
    }

    /// Returns the origin that other arithmetic leaves.
    fn mangled(self) -> RegisterOrigin {
        match self {
            RegisterOrigin::Variable(_) => RegisterOrigin::Anything,
            known => known,
        }
    }
}

/// For each instruction the shared variable that its address belongs to. `variable` numbers the shared variable that an
/// operand names.
pub fn of_accesses(body: &Body, variable: &dyn Fn(&Operand) -> Option<u32>) -> Vec<Option<u32>> {
    let Some(origins) = settled(body, RegisterOrigin::Nothing, RegisterOrigin::join, |instruction, known| {
        result(instruction, known, variable)
    }) else {
        return vec![None; body.instructions.len()];
    };
    body.instructions.iter().map(|instruction| accessed(instruction, &origins, variable)).collect()
}

/// Rounds through a body; nvcc's need a few.
const MOST: usize = 256;

/// Returns the facts known of each register once no instruction adds to it: it begins with `nothing`, and joins what
/// `result` says is put there. `None` if that takes too long, as it may in code that no compiler wrote.
pub(super) fn settled<K: Copy + PartialEq>(
    body: &Body,
    nothing: K,
    join: impl Fn(K, K) -> K,
    result: impl Fn(&Instruction, &[K]) -> Option<(Vec<RegId>, K)>,
) -> Option<Vec<K>> {
    let mut known = vec![nothing; body.registers.len()];
    for _ in 0..MOST {
        let mut changed = false;
        for instruction in &body.instructions {
            let Some((targets, put)) = result(instruction, &known) else { continue };
            for target in targets {
                let joined = join(known[target.0 as usize], put);
                changed |= std::mem::replace(&mut known[target.0 as usize], joined) != joined;
            }
        }
        if !changed {
            return Some(known);
        }
    }
    None
}

/// The registers an instruction writes, and what it puts there.
fn result(
    instruction: &Instruction,
    origins: &[RegisterOrigin],
    variable: &dyn Fn(&Operand) -> Option<u32>,
) -> Option<(Vec<RegId>, RegisterOrigin)> {
    let (first, rest) = instruction.operands.split_first()?;
    let mut targets = Vec::new();
    registers(first, &mut targets);
    let of = |operand: &Operand| match operand {
        Operand::Register(register) => origins[register.0 as usize],
        Operand::Variable { .. } | Operand::Symbol { .. } => {
            variable(operand).map_or(RegisterOrigin::Number, RegisterOrigin::Variable)
        }
        Operand::Immediate(_) | Operand::Special(_) => RegisterOrigin::Number,
        _ => RegisterOrigin::Anything,
    };
    let wraps = instruction.modifiers.iter().any(|modifier| modifier == "cc" || modifier == "hi");
    let origin = match (instruction.opcode.as_str(), rest) {
        // Memory holds numbers as far as this goes: see the head of the file.
        ("ld" | "ldu" | "atom" | "call", _) => RegisterOrigin::Number,
        ("mov" | "cvta", [source]) => of(source),
        // Disjoint bits: the compiler's other way to add.
        ("add" | "or", [a, b]) if !wraps => of(a).plus(of(b)),
        ("sub", [a, b]) if !wraps => of(a).plus(of(b).mangled()),
        ("mad", [a, b, c]) if !wraps => of(a).mangled().plus(of(b).mangled()).plus(of(c)),
        ("selp", [a, b, _]) => of(a).join(of(b)),
        _ => rest.iter().map(of).fold(RegisterOrigin::Number, |all, one| all.join(one.mangled())),
    };
    Some((targets, origin))
}

pub(super) fn registers(operand: &Operand, into: &mut Vec<RegId>) {
    match operand {
        Operand::Register(register) | Operand::Element(register, _) => into.push(*register),
        Operand::Vector(list) | Operand::List(list) => list.iter().for_each(|one| registers(one, into)),
        Operand::Pair(first, second) => {
            registers(first, into);
            registers(second, into);
        }
        _ => {}
    }
}

fn accessed(
    instruction: &Instruction,
    origins: &[RegisterOrigin],
    variable: &dyn Fn(&Operand) -> Option<u32>,
) -> Option<u32> {
    if !matches!(instruction.opcode.as_str(), "ld" | "st" | "atom" | "red") {
        return None;
    }
    instruction.operands.iter().find_map(|operand| {
        let Operand::Address { base, .. } = operand else { return None };
        match base {
            Base::Register(register) => match origins[register.0 as usize] {
                RegisterOrigin::Variable(number) => Some(number),
                _ => None,
            },
            Base::Variable(var) => variable(&Operand::Variable { var: *var, offset: 0 }),
            Base::Symbol(name) => variable(&Operand::Symbol { name: name.clone(), offset: 0 }),
            Base::Absolute => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the variables that the accesses of these lines mean: `s` and `t` are numbers 0 and 1.
    fn meant(lines: &str) -> Vec<Option<u32>> {
        let text = format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{{\n.shared .b8 s[64];\n\
             .shared .b8 t[64];\n.reg .b32 %a<9>;\n.reg .pred %p;\nmov.u32 %a0, %tid.x;\n{lines}\nret;\n}}\n"
        );
        let module = ptx::parse(&text).expect("it parses");
        let body = module.functions[0].body.as_ref().expect("a body");
        let variable = |operand: &Operand| match operand {
            Operand::Variable { var, .. } => Some(var.0),
            _ => None,
        };
        let all = of_accesses(body, &variable).into_iter().zip(&body.instructions);
        all.filter(|(_, instruction)| instruction.opcode == "st").map(|(meant, _)| meant).collect()
    }

    #[test]
    fn a_sum_with_one_array_belongs_to_it() {
        let sum = "mov.u32 %a1, t; shl.b32 %a2, %a0, 2; add.s32 %a3, %a1, %a2; st.shared.u32 [%a3+8], %a0;";
        assert_eq!(meant(sum), [Some(1)]);
        assert_eq!(meant("mov.u32 %a1, s; mad.lo.s32 %a2, %a0, 4, %a1; st.shared.u32 [%a2], %a0;"), [Some(0)]);
        assert_eq!(meant("st.shared.u32 [t+4], %a0;"), [Some(1)]);
        // A pointer that walks along its array.
        assert_eq!(meant("mov.u32 %a1, s; L: st.shared.u32 [%a1], %a0; add.s32 %a1, %a1, 4; bra L;"), [Some(0)]);
    }

    #[test]
    fn what_may_be_another_array_belongs_to_none() {
        for lines in [
            "mov.u32 %a1, s; mov.u32 %a2, t; selp.b32 %a3, %a1, %a2, %p; st.shared.u32 [%a3], %a0;",
            "mov.u32 %a1, s; @%p mov.u32 %a1, t; st.shared.u32 [%a1], %a0;",
            "mov.u32 %a1, s; xor.b32 %a2, %a1, %a0; st.shared.u32 [%a2], %a0;",
            "mov.u32 %a1, s; mov.u32 %a2, t; sub.s32 %a3, %a2, %a1; add.s32 %a4, %a1, %a3; st.shared.u32 [%a4], %a0;",
            "ld.shared.u32 %a1, [s]; st.shared.u32 [%a1], %a0;",
        ] {
            assert_eq!(meant(lines), [None], "{lines}");
        }
    }
}

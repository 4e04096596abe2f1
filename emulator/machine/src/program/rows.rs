//! `ldmatrix` and `stmatrix` (PTX ISA, "Warp-level matrix load instruction"): matrices of 8 rows of 16 bytes in shared
//! memory.
//!
//! Lanes 8i to 8i+7 bring the addresses of matrix i's rows, and every lane moves the two elements that it holds. So
//! each becomes a shuffle of the addresses and plain accesses. An access counts as made by the lane that holds the
//! element, not by the lane that brings the address. The bytes are the same, and lanes of one warp meet here anyway.
//! The lane that holds an undefined or racing value is the one that goes on with it. What is missed: a row must begin
//! at a multiple of 16 bytes, here of 4. Where a lane does not come, the report names the shuffle. Counters count the
//! steps.
//!
//! Forms of `.m8n8` and `.b16`; the others are refused.

use super::replacement::{Replacement, number};
use ptx::ast::{Base, Instruction, Operand, Type};

pub fn concerns(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.as_str(), "ldmatrix" | "stmatrix")
}

struct MatrixForm {
    count: usize,
    is_transposed: bool,
    is_generic: bool,
}

fn form(modifiers: &[String]) -> Option<MatrixForm> {
    let mut form = MatrixForm { count: 0, is_transposed: false, is_generic: true };
    let ["sync", "aligned", "m8n8", rest @ .., "b16"] = &modifiers.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        return None;
    };
    for &word in rest {
        match word {
            "x1" | "x2" | "x4" if form.count == 0 => form.count = usize::from(word.as_bytes()[1] - b'0'),
            "trans" if !form.is_transposed => form.is_transposed = true,
            "shared" | "shared::cta" if form.is_generic => form.is_generic = false,
            _ => return None,
        }
    }
    (form.count > 0).then_some(form)
}

/// None: the instruction stays.
pub fn of(instruction: &Instruction, steps: &mut Replacement) -> Option<()> {
    if !concerns(instruction) {
        return None;
    }
    let loads = instruction.opcode == "ldmatrix";
    let MatrixForm { count, is_transposed, is_generic } = form(&instruction.modifiers)?;
    let [first, second] = &instruction.operands[..] else { return None };
    let (Operand::Vector(held), Operand::Address { base, offset }) =
        (if loads { (first, second) } else { (second, first) })
    else {
        return None;
    };
    if held.len() != count || !held.iter().all(|it| matches!(it, Operand::Register(_))) {
        return None;
    }
    let address = in_shared_memory(base, is_generic, steps)?;
    let lane = steps.make("mov.u32", Type::U32, vec![Operand::Special("%laneid".into())]);
    let quad = steps.make("shr.u32", Type::U32, vec![lane.clone(), number(2)]);
    let within = steps.make("and.b32", Type::U32, vec![lane, number(3)]);
    // A lane holds elements 2n and 2n+1 of row q, or of column q. All addresses are read before a result may overwrite
    // them.
    let (row, column) = match is_transposed {
        false => (quad, steps.make("shl.b32", Type::U32, vec![within, number(2)])),
        true => {
            let row = steps.make("shl.b32", Type::U32, vec![within, number(1)]);
            (row, steps.make("shl.b32", Type::U32, vec![quad, number(1)]))
        }
    };
    let mut places = Vec::new();
    for nth in 0..count * if is_transposed { 2 } else { 1 } {
        let first = if is_transposed { nth / 2 * 8 + nth % 2 } else { nth * 8 };
        let from = steps.make("add.u32", Type::U32, vec![row.clone(), number(first as i64)]);
        let sources = vec![address.clone(), from, number(31), number(-1)];
        let start = steps.make("shfl.sync.idx.b32", Type::U32, sources);
        let place = steps.make("add.u32", Type::U32, vec![start, column.clone()]);
        let Operand::Register(id) = place else { return None };
        places.push(Operand::Address { base: Base::Register(id), offset: *offset });
    }
    if !is_transposed {
        for (place, held) in places.into_iter().zip(held) {
            match loads {
                true => steps.push("ld.shared.b32", vec![held.clone(), place]),
                false => steps.push("st.shared.b32", vec![place, held.clone()]),
            }
        }
        return Some(());
    }
    for (places, held) in places.chunks(2).zip(held) {
        if loads {
            let halves =
                places.iter().map(|place| steps.make("ld.shared.b16", Type::B16, vec![place.clone()])).collect();
            steps.push("mov.b32", vec![held.clone(), Operand::Vector(halves)]);
            continue;
        }
        let low = steps.make("cvt.u16.u32", Type::U16, vec![held.clone()]);
        let high = steps.make("shr.u32", Type::U32, vec![held.clone(), number(16)]);
        let high = steps.make("cvt.u16.u32", Type::U16, vec![high]);
        for (place, half) in places.iter().zip([low, high]) {
            steps.push("st.shared.b16", vec![place.clone(), half]);
        }
    }
    Some(())
}

/// The address before its offset, in 32 bits of the shared window.
fn in_shared_memory(base: &Base, is_generic: bool, steps: &mut Replacement) -> Option<Operand> {
    let id = match base {
        Base::Register(id) => *id,
        Base::Variable(var) => {
            return Some(steps.make("mov.u32", Type::U32, vec![Operand::Variable { var: *var, offset: 0 }]));
        }
        Base::Symbol(name) => {
            return Some(steps.make("mov.u32", Type::U32, vec![Operand::Symbol { name: name.clone(), offset: 0 }]));
        }
        Base::Absolute => return None,
    };
    let given = Operand::Register(id);
    match steps.registers[id.0 as usize].ty.bytes() {
        // Copied, so that a result may take the register.
        4 if !is_generic => Some(steps.make("mov.b32", Type::U32, vec![given])),
        8 => {
            let shared = if is_generic { steps.make("cvta.to.shared.u64", Type::U64, vec![given]) } else { given };
            Some(steps.make("cvt.u32.u64", Type::U32, vec![shared]))
        }
        _ => None,
    }
}

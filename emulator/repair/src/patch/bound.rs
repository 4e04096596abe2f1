//! Accesses that are made only where their index is inside.

use super::place::{FunctionCode, is_effect};
use super::text::Text;
use super::values::{is_access, register};
use super::{flow, insert};
use crate::Unfit;
use crate::candidates::{ONE_OF_BLOCK, ONE_OF_GRID};
use finding::SourceLocation;
use ptx::ast::{Base, Immediate, Instruction, Operand, Param, RegId};

/// The parts of an address: a register times the size of an element, and more elements.
#[derive(Clone, Copy, Debug)]
struct Index {
    register: RegId,
    /// The instruction that uses it: its value there counts.
    used: usize,
    size: i64,
    is_signed: bool,
    is_wide: bool,
}

pub(super) fn bound(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    below: Option<usize>,
) -> Result<bool, Unfit> {
    let unfit = || code.other_thing(at);
    let parameter = below.filter(|_| code.function.is_kernel).and_then(|it| code.function.params.get(it));
    let Some(Param::Memory(limit)) = parameter else { return Err(unfit()) };
    let is_wide_limit = limit.bytes() == Some(8);
    if limit.ty.is_float() || !is_wide_limit && limit.bytes() != Some(4) {
        return Err(unfit());
    }
    let mut is_done = false;
    for copy in insert::copies(code, at) {
        let is_memory = |it: &Instruction| ["ld", "st", "atom", "red"].iter().any(|opcode| is_access(it, opcode));
        let (accesses, others): (Vec<usize>, Vec<usize>) =
            copy.effects.iter().partition(|it| is_memory(&code.body.instructions[**it]));
        // A barrier or a choice cannot be left out alone.
        let is_own = |it: &usize| flow::is_branch(&code.body.instructions[*it]) && copy.is_loop;
        let Some(first) = accesses.first().copied() else { continue };
        if !others.iter().all(is_own) || accesses.iter().any(|it| code.block(*it) != code.block(first)) {
            return Err(unfit());
        }
        let (index, more) = accesses.iter().find_map(|it| index_of(code, *it)).ok_or_else(unfit)?;
        // The register still, or already, has the value that the address was made of.
        let changes = code.writers(index.register).into_iter();
        let mut changes = changes.filter(|it| (index.used.min(first)..index.used.max(first)).contains(it));
        if changes.next().is_some() {
            return Err(unfit());
        }
        let sign = if index.is_signed { 's' } else { 'u' };
        let is_wide = index.is_wide || is_wide_limit;
        let bits = if is_wide { 64 } else { 32 };
        let mut before = String::new();
        let mut own = code.name(index.register).to_string();
        if is_wide && !index.is_wide {
            let wide = text.register(code.function, "b64")?;
            before += &format!("cvt.{sign}64.{sign}32 \t{wide}, {own};\n\t");
            own = wide;
        }
        if more != 0 {
            let sum = text.register(code.function, &format!("b{bits}"))?;
            before += &format!("add.{sign}{bits} \t{sum}, {own}, {more};\n\t");
            own = sum;
        }
        let mut end = text.register(code.function, if is_wide_limit { "b64" } else { "b32" })?;
        before += &format!("ld.param.u{} \t{end}, [{}];\n\t", if is_wide_limit { 64 } else { 32 }, limit.name);
        if is_wide && !is_wide_limit {
            let wide = text.register(code.function, "b64")?;
            before += &format!("cvt.{sign}64.{sign}32 \t{wide}, {end};\n\t");
            end = wide;
        }
        let inside = text.register(code.function, "pred")?;
        before += &format!("setp.lt.{sign}{bits} \t{inside}, {own}, {end};");
        text.insert_before(code.body, first, &before)?;
        for access in &accesses {
            only_where(code, text, *access, &inside)?;
        }
        is_done = true;
    }
    Ok(is_done)
}

/// An instruction that is done only where `inside` is true too.
fn only_where(code: &FunctionCode, text: &mut Text, access: usize, inside: &str) -> Result<(), Unfit> {
    let mut statement = text.statement(code.body, access)?;
    let mut guard = inside.to_string();
    if let Some(old) = code.body.instructions[access].guard {
        guard = text.register(code.function, "pred")?;
        let (mut name, mut both) = (code.name(old.register).to_string(), String::new());
        if old.negated {
            both = format!("not.pred \t{guard}, {name};\n\t");
            name.clone_from(&guard);
        }
        both += &format!("and.pred \t{guard}, {name}, {inside};");
        text.insert_before(code.body, access, &both)?;
    }
    statement.guard = format!("@{guard}");
    text.replace(code.body, access, &statement)
}

/// Lets one thread store what a line stores, if it does nothing else. Other conditions are for a compiler.
pub(super) fn by_one(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    condition: &str,
) -> Result<bool, Unfit> {
    let unfit = || code.other_thing(at);
    let mut is_done = false;
    for copy in insert::copies(code, at) {
        let is_store = |it: &usize| is_access(&code.body.instructions[*it], "st");
        if ![ONE_OF_BLOCK, ONE_OF_GRID].contains(&condition) || !copy.effects.iter().all(is_store) {
            return Err(unfit());
        }
        let [own, block, size] = [(); 3].map(|()| text.register(code.function, "b32"));
        let (own, block, size, inside) = (own?, block?, size?, text.register(code.function, "pred")?);
        let mut before = format!("mov.u32 \t{own}, %tid.x;\n\t");
        if condition == ONE_OF_GRID {
            before += &format!("mov.u32 \t{block}, %ctaid.x;\n\tmov.u32 \t{size}, %ntid.x;\n\t");
            before += &format!("mad.lo.u32 \t{own}, {block}, {size}, {own};\n\t");
        }
        before += &format!("setp.eq.u32 \t{inside}, {own}, 0;");
        for access in copy.effects {
            text.insert_before(code.body, access, &before)?;
            only_where(code, text, access, &inside)?;
        }
        is_done = true;
    }
    Ok(is_done)
}

/// The index of an access, and how many elements further it is made.
fn index_of(code: &FunctionCode, access: usize) -> Option<(Index, i64)> {
    let operands = code.body.instructions[access].operands.iter();
    let address = operands.into_iter().find(|it| matches!(it, Operand::Address { .. }))?;
    let Operand::Address { base: Base::Register(base), offset } = address else { return None };
    let (index, bytes) = walk(code, *base, 8)?;
    let bytes = bytes + offset;
    (bytes % index.size == 0).then_some((index, bytes / index.size))
}

/// Back from an address over what made it.
fn walk(code: &FunctionCode, from: RegId, steps: u32) -> Option<(Index, i64)> {
    let at = code.writer(from)?;
    let instruction = &code.body.instructions[at];
    if steps == 0 || is_effect(instruction) || instruction.guard.is_some() {
        return None;
    }
    let operand = |it: usize| instruction.operands.get(it);
    let next = |it: usize| walk(code, register(operand(it))?, steps - 1);
    let has = |name: &str| instruction.modifiers.iter().any(|it| it == name);
    let constant = |it: usize| match operand(it) {
        Some(Operand::Immediate(Immediate::Int(value))) => Some(*value),
        _ => None,
    };
    let is_signed = has("s32") || has("s64");
    let is_wide = has("b64") || has("s64") || has("u64");
    let index = |size: i64, is_signed, is_wide| {
        let register = register(operand(1))?;
        Some((Index { register, used: at, size, is_signed, is_wide }, 0))
    };
    // If a 64-bit offset is a 32-bit index made wider, that is what the source compares.
    let scaled = |size: i64| {
        let from = register(operand(1)).and_then(|it| code.writer(it)).map(|it| &code.body.instructions[it]);
        match from.filter(|it| it.opcode == "cvt" && is_wide) {
            Some(cvt) => next(1).filter(|_| cvt.modifiers.len() == 2).map(|(it, _)| (Index { size, ..it }, 0)),
            None => index(size, true, is_wide),
        }
    };
    match instruction.opcode.as_str() {
        "cvta" | "mov" => next(1),
        "add" => match (constant(1), constant(2)) {
            (None, Some(more)) => next(1).map(|(it, bytes)| (it, bytes + more)),
            (None, None) => next(2).or_else(|| next(1)),
            _ => None,
        },
        "mul" if has("wide") && (has("s32") || has("u32")) => index(constant(2)?, is_signed, false),
        "mul" if has("lo") => scaled(constant(2)?),
        "shl" => scaled(1 << u32::try_from(constant(2)?).ok().filter(|it| *it < 32)?),
        "cvt" if instruction.modifiers == ["s64", "s32"] => index(1, true, false),
        "cvt" if instruction.modifiers == ["u64", "u32"] => index(1, false, false),
        "mad" if has("lo") => scaled(constant(2)?),
        _ => None,
    }
    .filter(|(index, _)| index.size > 0)
}

//! Plain accesses that become atomic ones.

use super::flow;
use super::place::FunctionCode;
use super::text::{PtxStatement, Text};
use super::values::{base, is_access, register, writes};
use crate::Unfit;
use finding::{AtomicAccess, AtomicOperation, SourceLocation};
use ptx::ast::{Instruction, Operand, RegId, Type};

pub(super) fn make_atomic(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    access: AtomicAccess,
) -> Result<bool, Unfit> {
    match access {
        AtomicAccess::Load => strong(code, text, at, "ld"),
        AtomicAccess::Store => strong(code, text, at, "st"),
        AtomicAccess::Update { operation } => update(code, text, at, operation),
    }
}

/// Loads or stores that say neither an order nor that they are anything but plain; `volatile` may be an atomic one as
/// well.
fn plain(code: &FunctionCode, at: &SourceLocation, opcode: &str) -> Vec<usize> {
    let strong = ["relaxed", "acquire", "release", "mmio"];
    let is_plain =
        |it: &Instruction| is_access(it, opcode) && !it.modifiers.iter().any(|it| strong.contains(&it.as_str()));
    code.own(at).into_iter().filter(|it| is_plain(&code.body.instructions[*it])).collect()
}

fn type_of(instruction: &Instruction) -> Option<Type> {
    instruction.modifiers.last().and_then(|it| Type::parse(it))
}

fn space(instruction: &Instruction) -> String {
    let mut spaces = instruction.modifiers.iter().filter(|it| it.starts_with("global") || it.starts_with("shared"));
    spaces.next().map(|it| format!(".{it}")).unwrap_or_default()
}

/// The access as a relaxed one. Its hints for caches go: they do not fit.
fn strong(code: &FunctionCode, text: &mut Text, at: &SourceLocation, opcode: &str) -> Result<bool, Unfit> {
    let all = plain(code, at, opcode);
    let column = |index: &usize| code.own_place(*index).map(|place| place.2);
    let mut meant: Vec<usize> = all.iter().copied().filter(|it| column(it) == Some(at.column)).collect();
    if meant.is_empty() {
        meant = all;
    }
    if meant.iter().any(|it| column(it) != column(&meant[0])) {
        return Err(code.other_thing(at));
    }
    for index in &meant {
        let instruction = &code.body.instructions[*index];
        let vector = instruction.modifiers.iter().any(|it| ["v2", "v4", "v8"].contains(&it.as_str()));
        let ty = type_of(instruction).filter(|_| !vector).ok_or(code.other_thing(at))?;
        let old = text.statement(code.body, *index)?;
        let opcode = format!("{opcode}.relaxed.gpu{}.{ty}", space(instruction));
        text.replace(code.body, *index, &PtxStatement { opcode, ..old })?;
    }
    Ok(!meant.is_empty())
}

/// The change of a value in memory by a line, as one atomic operation.
struct AccessUpdate {
    /// The index of the instruction that uses the old value.
    at: usize,
    /// Holds the old value.
    old: RegId,
    /// The other operand, as written.
    value: String,
    operation: AtomicOperation,
    ty: Type,
    /// The atomic operation adds what this one takes away.
    is_negated: bool,
}

/// Each atomic operation stands where the loaded value is used, in place of the load and the store around it.
fn update(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    wanted: Option<AtomicOperation>,
) -> Result<bool, Unfit> {
    let unfit = || code.other_thing(at);
    let instructions = &code.body.instructions;
    let (loads, stores) = (plain(code, at, "ld"), plain(code, at, "st"));
    if stores.is_empty() {
        return Ok(false);
    }
    let mut used: Vec<usize> = Vec::new();
    for &store in &stores {
        let [address, Operand::Register(stored)] = &instructions[store].operands[..] else { return Err(unfit()) };
        // The old value is loaded, or is what the last copy of the loop has stored.
        let loads: Vec<usize> =
            loads.iter().copied().filter(|it| instructions[*it].operands.get(1) == Some(address)).collect();
        let first = *loads.first().ok_or_else(unfit)?;
        let same: Vec<usize> =
            stores.iter().copied().filter(|it| instructions[*it].operands.first() == Some(address)).collect();
        let mut held: Vec<RegId> = loads.iter().filter_map(|it| register(instructions[*it].operands.first())).collect();
        held.extend(same.iter().filter_map(|it| register(instructions[*it].operands.get(1))));
        let update = computed(code, text, store, *stored, &held)?
            .or(chosen(code, text, at, store, *stored, &held)?)
            .ok_or_else(unfit)?;
        let is_wanted = wanted.is_none_or(|it| it == update.operation);
        let fits = |it: &usize| type_of(&instructions[*it]).is_some_and(|ty| ty.bytes() == update.ty.bytes());
        if !is_wanted || !fits(&store) || !loads.iter().all(fits) || !is_sound(code, &update, address, &loads, &same) {
            return Err(unfit());
        }
        let mut value = update.value.clone();
        if update.is_negated {
            let sign = if update.ty.is_float() { 'f' } else { 's' };
            let negative = text.register(code.function, &format!("{sign}{}", update.ty.bytes() * 8))?;
            let neg = format!("neg.{sign}{}", update.ty.bytes() * 8);
            text.insert_before(code.body, update.at, &PtxStatement::new(neg, &[&negative, &value]).to_string())?;
            value = negative;
        }
        let place = text.statement(code.body, store)?.operands[0].clone();
        let name = match update.operation {
            AtomicOperation::And => "and",
            AtomicOperation::Or => "or",
            AtomicOperation::Xor => "xor",
            AtomicOperation::Min => "min",
            AtomicOperation::Max => "max",
            _ => "add",
        };
        let opcode = format!("atom{}.{name}.{}", space(&instructions[first]), update.ty);
        let atom = PtxStatement::new(opcode, &[code.name(update.old), &place, &value]);
        text.insert_before(code.body, update.at, &atom.to_string())?;
        text.delete(code.body, store)?;
        used.extend(loads);
    }
    used.sort_unstable();
    used.dedup();
    used.iter().try_for_each(|it| text.delete(code.body, *it))?;
    Ok(true)
}

/// The old value is nowhere needed before the atomic operation gives it, and the address is the same one throughout.
fn is_sound(code: &FunctionCode, update: &AccessUpdate, address: &Operand, loads: &[usize], stores: &[usize]) -> bool {
    let read = |it: &RegId| code.readers(*it);
    let loaded = loads.iter().filter_map(|it| register(code.body.instructions[*it].operands.first()));
    let mut readers = loaded.collect::<Vec<_>>().iter().flat_map(read).collect::<Vec<_>>();
    readers.extend(read(&update.old));
    let (block, first) = (code.block(update.at), *loads.iter().min().unwrap_or(&0));
    let is_later = |it: usize| {
        it == update.at
            || stores.contains(&it)
            || if code.block(it) == block { it > update.at } else { code.flow.dominates(block, code.block(it)) }
    };
    // A copy of the operation has its own atomic operation, and an earlier copy's value is known by then.
    let copies = |it: usize| code.are_copies(it, update.at);
    let end = stores.iter().copied().max().unwrap_or(first).max(update.at);
    let is_fixed = base(address).is_none_or(|base| code.writers(base).iter().all(|it| *it < first || *it > end));
    is_fixed && readers.into_iter().all(|it| is_later(it) || copies(it))
}

/// `*p = *p + v`.
fn computed(
    code: &FunctionCode,
    text: &Text,
    store: usize,
    stored: RegId,
    held: &[RegId],
) -> Result<Option<AccessUpdate>, Unfit> {
    let instructions = &code.body.instructions;
    let Some(at) = code.writers(stored).into_iter().rfind(|it| *it < store) else { return Ok(None) };
    let it = &instructions[at];
    let is_held = |operand: usize| register(it.operands.get(operand)).filter(|it| held.contains(it));
    let operands = (it.operands.len() == 3).then(|| (is_held(1), is_held(2)));
    let Some((one, other)) = operands.filter(|_| it.guard.is_none()) else { return Ok(None) };
    let (old, second) = match (one, other) {
        (Some(old), None) => (old, 2),
        (None, Some(old)) if it.opcode != "sub" => (old, 1),
        _ => return Ok(None),
    };
    let Some(ty) = type_of(it) else { return Ok(None) };
    let (operation, ty) = match (it.opcode.as_str(), ty) {
        ("add" | "sub", Type::S32 | Type::U32) => (AtomicOperation::Add, Type::U32),
        ("add" | "sub", Type::S64 | Type::U64) => (AtomicOperation::Add, Type::U64),
        ("add" | "sub", Type::F32 | Type::F64) => (AtomicOperation::Add, ty),
        ("and", Type::B32 | Type::B64) => (AtomicOperation::And, ty),
        ("or", Type::B32 | Type::B64) => (AtomicOperation::Or, ty),
        ("xor", Type::B32 | Type::B64) => (AtomicOperation::Xor, ty),
        ("min", Type::S32 | Type::U32 | Type::S64 | Type::U64) => (AtomicOperation::Min, ty),
        ("max", Type::S32 | Type::U32 | Type::S64 | Type::U64) => (AtomicOperation::Max, ty),
        _ => return Ok(None),
    };
    let value = text.statement(code.body, at)?.operands[second].clone();
    Ok(Some(AccessUpdate { at, old, value, operation, ty, is_negated: it.opcode == "sub" }))
}

/// `if (v > *p) *p = v`.
fn chosen(
    code: &FunctionCode,
    text: &Text,
    place: &SourceLocation,
    store: usize,
    stored: RegId,
    held: &[RegId],
) -> Result<Option<AccessUpdate>, Unfit> {
    let instructions = &code.body.instructions;
    // Not what another copy has stored: this one's own value.
    let is_old = |it: &RegId| held.contains(it) && *it != stored;
    for at in code.own(place).into_iter().rev().filter(|it| *it < store && instructions[*it].opcode == "setp") {
        let it = &instructions[at];
        let [Operand::Register(decides), Operand::Register(one), Operand::Register(other)] = it.operands[..] else {
            continue;
        };
        let (old, is_swapped) = match (is_old(&one), is_old(&other)) {
            (true, false) if other == stored => (one, true),
            (false, true) if one == stored => (other, false),
            _ => continue,
        };
        let Some(is_true) = decided(code, at, store, decides) else { continue };
        let Some(ty) = type_of(it).filter(|ty| matches!(ty, Type::S32 | Type::U32 | Type::S64 | Type::U64)) else {
            continue;
        };
        let is_greater = match it.modifiers.first().map(String::as_str) {
            Some("gt" | "ge" | "hi" | "hs") => true,
            Some("lt" | "le" | "lo" | "ls") => false,
            _ => continue,
        };
        let is_max = is_greater ^ is_swapped ^ !is_true;
        let operation = if is_max { AtomicOperation::Max } else { AtomicOperation::Min };
        let value = code.name(stored).to_string();
        text.statement(code.body, at)?;
        return Ok(Some(AccessUpdate { at, old, value, operation, ty, is_negated: false }));
    }
    Ok(None)
}

/// Returns the value of a predicate with which a store is done, where that depends on it alone.
fn decided(code: &FunctionCode, from: usize, store: usize, predicate: RegId) -> Option<bool> {
    let instructions = &code.body.instructions;
    if let Some(guard) = instructions[store].guard {
        return (guard.register == predicate && code.block(from) == code.block(store)).then_some(!guard.negated);
    }
    let branch = code.flow.blocks[code.block(from)].end - 1;
    let it = &instructions[branch];
    let guard = it.guard.filter(|guard| it.opcode == "bra" && guard.register == predicate)?;
    let own = code.block(store);
    let leads = |block: usize| code.flow.before[block] == [code.block(branch)] && code.flow.dominates(block, own);
    let taken = code.block(*flow::targets(code.body, it).first()?);
    match (leads(taken), leads(code.block(branch) + 1)) {
        (true, false) => Some(!guard.negated),
        (false, true) => Some(guard.negated),
        _ => None,
    }
}

/// A plain load of what an atomic operation has changed is what that returned.
pub(super) fn use_returned(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    of: &SourceLocation,
) -> Result<bool, Unfit> {
    let unfit = || code.other_thing(at);
    let instructions = &code.body.instructions;
    let loads = plain(code, at, "ld");
    let atomics = code.own(of).into_iter().filter(|it| matches!(instructions[*it].opcode.as_str(), "red" | "atom"));
    let atomics: Vec<usize> = atomics.collect();
    let mut is_done = false;
    for load in loads {
        let [Operand::Register(loaded), address] = &instructions[load].operands[..] else { return Err(unfit()) };
        let place = |it: usize| instructions[it].operands.get(usize::from(instructions[it].opcode == "atom"));
        let comes = |it: &&usize| **it < load && code.flow.dominates(code.block(**it), code.block(load));
        let Some(&atomic) = atomics.iter().rfind(|it| comes(it) && place(**it) == Some(address)) else { continue };
        let is_fixed = base(address).is_none_or(|it| code.writers(it).iter().all(|it| *it < atomic || *it > load));
        let bits = type_of(&instructions[load]).map_or(0, Type::bytes) * 8;
        if !is_fixed || bits < 32 || type_of(&instructions[atomic]).map(|it| it.bytes() * 8) != Some(bits) {
            return Err(unfit());
        }
        let fresh = text.register(code.function, &format!("b{bits}"))?;
        let mut statement = text.statement(code.body, atomic)?;
        if let Some(modifiers) = statement.opcode.strip_prefix("red.") {
            statement.opcode = format!("atom.{modifiers}");
            statement.operands.insert(0, fresh.clone());
            text.replace(code.body, atomic, &statement)?;
        } else {
            // Its register may be written again until the load.
            let returned = writes(&instructions[atomic]).first().map(|it| code.name(*it).to_string());
            let returned = returned.unwrap_or_else(|| statement.operands[0].clone());
            let mov = PtxStatement::new(format!("mov.b{bits}"), &[&fresh, &returned]);
            if returned == "_" {
                statement.operands[0].clone_from(&fresh);
                text.replace(code.body, atomic, &statement)?;
            } else {
                text.insert_after(code.body, atomic, &mov.to_string())?;
            }
        }
        text.replace(code.body, load, &PtxStatement::new(format!("mov.b{bits}"), &[code.name(*loaded), &fresh]))?;
        is_done = true;
    }
    Ok(is_done)
}

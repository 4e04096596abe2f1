//! `ld`, `ldu`, `st` and the cache hints (PTX ISA, "Data Movement and Conversion Instructions").
//!
//! Cache operators, eviction priorities and prefetch sizes change no value and are
//! accepted for what they are. `.volatile` is a relaxed access of system scope, as the
//! memory consistency model has it. `cp.async` is in `async_copy`, `st.async` in `async_store`; `multimem` is refused.

pub use super::op::memory::{Load, MOST_ELEMENTS, Ordering, Semantics, StoreOp, VectorRegisters};
use super::op::{Alu, GridDependency, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::lanes::{Args, unary};
use crate::memory::space::Space;
use crate::registers::{Reg, Width};
use crate::watch::flow;
pub use finding::Scope;
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] =
    &["ld", "ldu", "st", "prefetch", "prefetchu", "discard", "applypriority", "createpolicy", "griddepcontrol"];

/// Parses a scope: the set of threads that take part in the order of a strong operation.
pub fn parse_scope(name: &str) -> Option<Scope> {
    Some(match name {
        "cta" => Scope::Block,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" => Scope::Device,
        "sys" => Scope::System,
        _ => return None,
    })
}

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    match instruction.opcode.as_str() {
        "ld" | "ldu" => load(instruction, decoder, &mut modifiers).and_then(|op| modifiers.finish().map(|()| op)),
        "st" => store(instruction, decoder, &mut modifiers).and_then(|op| modifiers.finish().map(|()| op)),
        "createpolicy" => policy(instruction, decoder),
        // Launches run one after the other, so neither ever waits here. The checker follows which accesses they order.
        "griddepcontrol" => {
            let op = modifiers.take_map(|name| match name {
                "wait" => Some(GridDependency::Wait),
                "launch_dependents" => Some(GridDependency::Trigger),
                _ => None,
            });
            modifiers.finish()?;
            decoder.arity(instruction, 0..=0)?;
            op.map(Op::GridDependency).ok_or_else(Refused::unsupported)
        }
        // Hints about caches: the address is checked for its form only, as hardware ignores a bad one.
        _ => {
            decoder.arity(instruction, 1..=2)?;
            decoder.address(&instruction.operands[0])?;
            Ok(Op::Nop)
        }
    }
}

/// `createpolicy d, ...`: a policy is a number that nobody but the caches understands, here 0.
fn policy(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    decoder.arity(instruction, 1..=4)?;
    let d = decoder.dest(&instruction.operands[0], Type::B64)?;
    let a = decoder.constant(Constant::Bits(0), Width::Double);
    let args = Args { d, a, ..Args::default() };
    Ok(Op::Alu(Alu { kernel: unary(|a: u64| a), args, flow: flow::carry }))
}

/// Takes `.weak`, `.relaxed.gpu`, `.volatile`, ...; `default` where nothing is written.
pub fn semantics(modifiers: &mut Modifiers, default: Ordering) -> Result<Semantics, Refused> {
    let volatile = modifiers.take("volatile");
    let mmio = modifiers.take("mmio");
    let ordering = modifiers.take_map(|name| {
        Some(match name {
            "weak" => Ordering::Weak,
            "relaxed" => Ordering::Relaxed,
            "acquire" => Ordering::Acquire,
            "release" => Ordering::Release,
            "acq_rel" => Ordering::AcqRel,
            _ => return None,
        })
    });
    let scope = modifiers.take_map(|name| if name == "gl" { None } else { parse_scope(name) });
    if volatile {
        if ordering.is_some() || scope.is_some() {
            return Err(Refused::malformed(".volatile takes no ordering and no scope"));
        }
        return Ok(Semantics { ordering: Ordering::Relaxed, scope: Scope::System, volatile: true });
    }
    let ordering = ordering.unwrap_or(if mmio { Ordering::Relaxed } else { default });
    match (ordering, scope) {
        (Ordering::Weak, Some(_)) => Err(Refused::malformed("a weak access has no scope")),
        (Ordering::Weak, None) => Ok(Semantics::WEAK),
        (ordering, scope) => Ok(Semantics { ordering, scope: scope.unwrap_or(Scope::Device), volatile: false }),
    }
}

/// Parses the semantics of `ld` and `st`: all but a weak access say their scope, and `.mmio` is of system scope.
fn access_semantics(modifiers: &mut Modifiers) -> Result<Semantics, Refused> {
    let is_mmio = modifiers.has("mmio");
    let scoped = ["cta", "cluster", "gpu", "sys"].into_iter().any(|scope| modifiers.has(scope));
    let semantics = semantics(modifiers, Ordering::Weak)?;
    if semantics.is_strong() && !semantics.volatile && !scoped {
        return Err(Refused::malformed("a strong access says its scope"));
    }
    if is_mmio && semantics.scope != Scope::System {
        return Err(Refused::malformed(".mmio is of system scope"));
    }
    Ok(semantics)
}

/// Takes the state space; none written means generic.
pub fn take_space(modifiers: &mut Modifiers) -> Option<Space> {
    modifiers.take_map(|name| {
        Some(match name {
            "global" | "const" => Space::Global,
            // A cluster has one block: its shared memory is that block's.
            "shared" | "shared::cta" | "shared::cluster" => Space::Shared,
            "local" => Space::Local,
            "param" | "param::entry" | "param::func" => Space::Param,
            _ => return None,
        })
    })
}

/// Cache operators of a load, and of a store (PTX ISA, "Cache Operators").
const LOAD_OPERATORS: &[&str] = &["ca", "cg", "cs", "lu", "cv", "nc"];
const STORE_OPERATORS: &[&str] = &["wb", "cg", "cs", "wt"];

/// Takes what only steers caches. True if a cache policy operand follows.
pub fn take_cache_hints(modifiers: &mut Modifiers, operators: &[&str]) -> bool {
    while modifiers.take_one_of(operators).is_some() {}
    let hint = modifiers.take("L2::cache_hint");
    while modifiers.take_map(|name| (name.starts_with("L1::") || name.starts_with("L2::")).then_some(())).is_some() {}
    hint
}

/// The space that an access really goes to: what is written, made precise by a named variable.
pub fn settle_space(written: Option<Space>, named: Option<Space>, decoder: &Decoder) -> Result<Space, Refused> {
    match (written, named) {
        // `.param` of a device function is the thread's own memory; of a kernel, the launch's block.
        (Some(Space::Param), Some(Space::Local)) => Ok(Space::Local),
        (Some(Space::Param), None) if !decoder.scope.in_kernel() => Ok(Space::Local),
        (Some(written), Some(named)) if written != named => {
            Err(Refused::malformed(format!("the variable is not in .{} memory", written.name())))
        }
        (Some(written), _) => Ok(written),
        (None, Some(Space::Global)) | (None, None) => Ok(Space::Generic),
        // `ld.b32 %r, [shared_variable]`: a generic access to an address that is not generic.
        (None, Some(named)) => Ok(named),
    }
}

fn load(instruction: &Instruction, decoder: &mut Decoder, modifiers: &mut Modifiers) -> Result<Op, Refused> {
    let semantics = access_semantics(modifiers)?;
    if matches!(semantics.ordering, Ordering::Release | Ordering::AcqRel) {
        return Err(Refused::malformed("a load cannot release"));
    }
    if modifiers.has("nc") && !modifiers.has("global") {
        return Err(Refused::malformed(".nc is for .global memory"));
    }
    let space = take_space(modifiers);
    let policy = take_cache_hints(modifiers, LOAD_OPERATORS);
    let (elements, ty) = take_access(instruction, decoder, modifiers)?;
    let operands = 2 + usize::from(policy);
    decoder.arity(instruction, operands..=operands)?;
    let address = decoder.address(&instruction.operands[1])?;
    let space = settle_space(space, address.named, decoder)?;
    let mut dst = [Reg::NONE; MOST_ELEMENTS];
    let mut extend = 0;
    let written = values(decoder, &instruction.operands[0], elements)?;
    for (reg, operand) in dst.iter_mut().zip(&written) {
        *reg = decoder.any_dest(operand, Width::for_bytes(ty.bytes()))?;
        check_size(*reg, ty)?;
        if let (Operand::Register(id), true) = (operand, ty.is_signed()) {
            extend = decoder.register_type(*id).bytes();
        }
    }
    let (base, offset, bytes) = (address.base, address.offset, ty.bytes());
    Ok(Op::Load(Load { space, base, offset, ty, bytes, extend, dst, elements: elements.unwrap_or(1), semantics }))
}

fn store(instruction: &Instruction, decoder: &mut Decoder, modifiers: &mut Modifiers) -> Result<Op, Refused> {
    // Those of many bytes are another instruction under the same name, and so are asynchronous ones.
    if modifiers.take("bulk") {
        return Err(Refused::unsupported());
    }
    let semantics = access_semantics(modifiers)?;
    if matches!(semantics.ordering, Ordering::Acquire | Ordering::AcqRel) {
        return Err(Refused::malformed("a store cannot acquire"));
    }
    if modifiers.has("const") {
        return Err(Refused::malformed("constants are read-only"));
    }
    let space = take_space(modifiers);
    let policy = take_cache_hints(modifiers, STORE_OPERATORS);
    let (elements, ty) = take_access(instruction, decoder, modifiers)?;
    let operands = 2 + usize::from(policy);
    decoder.arity(instruction, operands..=operands)?;
    let address = decoder.address(&instruction.operands[0])?;
    let space = settle_space(space, address.named, decoder)?;
    if space == Space::Param && decoder.scope.in_kernel() {
        return Err(Refused::malformed("a kernel's parameters are read-only"));
    }
    let mut src = [Reg::NONE; MOST_ELEMENTS];
    let written = values(decoder, &instruction.operands[1], elements)?;
    for (reg, operand) in src.iter_mut().zip(&written) {
        *reg = decoder.any_source(operand, ty)?;
        check_size(*reg, ty)?;
    }
    let (base, offset, bytes) = (address.base, address.offset, ty.bytes());
    Ok(Op::Store(StoreOp { space, base, offset, ty, bytes, src, elements: elements.unwrap_or(1), semantics }))
}

/// `.v2`, `.v4`; `.v8` is for `ld`, `st` and `red` alone.
pub fn take_vector(modifiers: &mut Modifiers) -> Option<u32> {
    modifiers.take_map(|name| match name {
        "v2" => Some(2),
        "v4" => Some(4),
        _ => None,
    })
}

/// As [`take_vector`], and what an access of 32 bytes needs: `.v8` of four bytes or `.v4` of eight, in global memory,
/// for sm_100.
fn take_access(
    instruction: &Instruction,
    decoder: &Decoder,
    modifiers: &mut Modifiers,
) -> Result<(Option<u32>, Type), Refused> {
    let elements = take_vector(modifiers).or_else(|| modifiers.take("v8").then_some(8));
    let ty = modifiers.ty()?;
    let written = |name: &str| instruction.modifiers.iter().any(|modifier| modifier == name);
    match (elements, elements.unwrap_or(1) * ty.bytes()) {
        (Some(2 | 4) | None, ..=16) => return Ok((elements, ty)),
        (Some(4 | 8), 32) if MOST_ELEMENTS == 8 => {}
        _ => return Err(Refused::malformed("no access has so many elements of this type")),
    }
    if instruction.opcode == "ldu" || ["shared", "local", "param", "const"].into_iter().any(written) {
        return Err(Refused::malformed("accesses of 32 bytes are for .global memory"));
    }
    if decoder.scope.architecture() < 100 {
        return Err(Refused::malformed("accesses of 32 bytes need .target sm_100"));
    }
    Ok((elements, ty))
}

/// The elements of `{a, b}` or of a vector register, as many as the modifier says.
pub fn vector(decoder: &Decoder, operand: &Operand, elements: Option<u32>) -> Result<Vec<Operand>, Refused> {
    let given = match operand {
        Operand::Vector(list) => Some(list.clone()),
        Operand::Register(id) => decoder.elements(*id),
        _ => None,
    };
    match (given, elements) {
        (None, None) => Ok(vec![operand.clone()]),
        (Some(list), Some(count)) if list.len() == count as usize => Ok(list),
        _ => Err(Refused::malformed("the vector's size does not fit the modifier")),
    }
}

/// As [`vector`]. Triton writes braces around one value too; ptxas refuses `{_}`, whose type it cannot tell.
fn values(decoder: &Decoder, operand: &Operand, elements: Option<u32>) -> Result<Vec<Operand>, Refused> {
    match (operand, elements) {
        (Operand::Vector(list), None) if list.len() == 1 && list[0] != Operand::Sink => Ok(list.clone()),
        _ => vector(decoder, operand, elements),
    }
}

/// A register may be wider than the memory it is loaded from, never narrower.
fn check_size(reg: Reg, ty: Type) -> Result<(), Refused> {
    let bytes = match reg.width {
        Width::Word => 4,
        Width::Double => 8,
        Width::Quad => 16,
        Width::None | Width::Pred => return Err(Refused::malformed("a predicate cannot be loaded or stored")),
    };
    if bytes < ty.bytes() {
        return Err(Refused::malformed(format!("a register is too small for .{ty}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::refused;

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        let eight = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}";
        for text in [
            "ld.global.b32 {_}, [%d1]",
            "ld.global.b32 {%r1, %r2}, [%d1]",
            "ld.global.v2.b32 {%r1}, [%d1]",
            "atom.global.add.u32 {%r1}, [%d1], %r2",
            "ld.global.v2.b128 {%q1, %q2}, [%d1]",
            // The target is sm_90 here.
            &format!("ld.global.v8.b32 {eight}, [%d1]"),
            &format!("st.global.v8.b32 [%d1], {eight}"),
        ] {
            refused(text);
        }
    }
}

//! Bulk copies of tensors (PTX ISA, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor",
//! "cp.async.bulk.prefetch.tensor", "tensormap.replace", "tensormap.cp_fenceproxy", "prefetch.tensormap"), and the
//! fences of tensor maps ("membar/fence"). What they do is in `run/tensor_copies.rs` and `run/tensor_maps.rs`.
//!
//! Left out, and refused: the modes of im2col, gather and scatter, and pairs of blocks.

use super::atomic::parse_operation;
use super::bulk_copy::{Bulk, BulkCompletion, address};
use super::memory::parse_scope;
pub use super::op::tensor_copy::{MapCopy, MapFence, MapField, Replacement, TensorCopyOp, TensorDirection};
use super::op::{IS_WHOLE, Op};
use super::warp::{Collective, CollectiveKind};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::memory::space::Space;
use crate::registers::{Reg, Width};
use crate::tensor::{MAP_BYTES, MOST_DIMENSIONS};
use finding::AtomicOperation;
use ptx::ast::{Immediate, Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["tensormap"];

/// Decodes what follows `cp.async.bulk.tensor`, or `cp.reduce.async.bulk.tensor` if it `reduces`.
pub fn copy(
    instruction: &Instruction,
    decoder: &mut Decoder,
    modifiers: &mut Modifiers,
    reduces: bool,
) -> Result<Bulk, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let rank = rank(modifiers)?;
    let is_load = match modifiers.take_one_of(&["shared::cluster", "shared::cta", "global"]) {
        Some("global") if modifiers.take("shared::cta") => false,
        Some("shared::cluster" | "shared::cta") if modifiers.take("global") && !reduces => true,
        _ => return Err(Refused::unsupported()),
    };
    modifiers.take("tile");
    let reduction = if reduces { Some(operation(modifiers)?) } else { None };
    let completion = if is_load { "mbarrier::complete_tx::bytes" } else { "bulk_group" };
    if !modifiers.take(completion) {
        return Err(Refused::unsupported());
    }
    let multicast = modifiers.take("multicast::cluster");
    let policy = modifiers.take("L2::cache_hint");
    let count = 2 + [is_load, multicast, policy].map(usize::from).iter().sum::<usize>();
    decoder.arity(instruction, count..=count)?;
    let operands = &instruction.operands;
    let (place, shared) = if is_load { (&operands[1], &operands[0]) } else { (&operands[0], &operands[1]) };
    let (map, coordinates) = coordinates(place, rank, decoder)?;
    let completion = match is_load {
        true => BulkCompletion::Transactions(address(&operands[2], decoder)?),
        false => BulkCompletion::Group,
    };
    let multicast = if multicast { decoder.source(&operands[3], Type::U16)? } else { Reg::NONE };
    if policy {
        decoder.source(&operands[count - 1], Type::B64)?;
    }
    let direction = match reduction {
        _ if is_load => TensorDirection::Load,
        None => TensorDirection::Store,
        Some(operation) => TensorDirection::Reduce(operation),
    };
    let shared = address(shared, decoder)?;
    Ok(Bulk::StartTensor(TensorCopyOp { direction, rank, map, coordinates, shared, multicast, completion }))
}

/// `cp.async.bulk.prefetch.tensor`, which changes no value.
pub fn prefetch(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let rank = rank(&mut modifiers)?;
    modifiers.take("L2");
    modifiers.take("tile");
    let policy = modifiers.take("L2::cache_hint");
    if !modifiers.take("global") {
        return Err(Refused::unsupported());
    }
    modifiers.finish()?;
    let count = 1 + usize::from(policy);
    decoder.arity(instruction, count..=count)?;
    coordinates(&instruction.operands[0], rank, decoder)?;
    Ok(Op::Nop)
}

fn rank(modifiers: &mut Modifiers) -> Result<u32, Refused> {
    let names = ["1d", "2d", "3d", "4d", "5d"];
    let taken = modifiers.take_one_of(&names).ok_or_else(Refused::unsupported)?;
    Ok(names.iter().position(|name| *name == taken).expect("one of them") as u32 + 1)
}

/// `[map, {x, y, ...}]`
fn coordinates(operand: &Operand, rank: u32, decoder: &mut Decoder) -> Result<(Reg, [Reg; MOST_DIMENSIONS]), Refused> {
    let Operand::Bracket(parts) = operand else { return Err(Refused::unsupported()) };
    let [map, coordinates] = &parts[..] else { return Err(Refused::unsupported()) };
    let map = decoder.source(map, Type::B64)?;
    let given = match coordinates {
        Operand::Vector(list) => list.clone(),
        Operand::Register(id) => decoder.elements(*id).unwrap_or_else(|| vec![coordinates.clone()]),
        one => vec![one.clone()],
    };
    if given.len() != rank as usize {
        return Err(Refused::malformed(format!("{} coordinates where {rank} belong", given.len())));
    }
    let mut all = [Reg::NONE; MOST_DIMENSIONS];
    for (reg, coordinate) in all.iter_mut().zip(&given) {
        *reg = decoder.source(coordinate, Type::S32)?;
    }
    Ok((map, all))
}

/// Takes the operation of a reduction. The map gives its type, so the table of types is looked up when it runs.
fn operation(modifiers: &mut Modifiers) -> Result<AtomicOperation, Refused> {
    use AtomicOperation::{CompareExchange, Exchange};
    match modifiers.take_map(parse_operation) {
        None | Some(Exchange | CompareExchange) => Err(Refused::unsupported()),
        Some(operation) => Ok(operation),
    }
}

/// `tensormap.replace` and `tensormap.cp_fenceproxy`.
pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if IS_WHOLE && modifiers.take("cp_fenceproxy") {
        return map_copy(instruction, decoder, modifiers);
    }
    if !IS_WHOLE || !modifiers.take("replace") || !modifiers.take("tile") {
        return Err(Refused::unsupported());
    }
    let field = modifiers.take_map(MapField::parse).ok_or_else(Refused::unsupported)?;
    let space = match modifiers.take_one_of(&["global", "shared::cta"]) {
        Some("shared::cta") => Space::Shared,
        Some(_) => Space::Global,
        None => Space::Generic,
    };
    if !modifiers.take("b1024") {
        return Err(Refused::unsupported());
    }
    let ty = modifiers.ty()?;
    if ty != if field.is_wide() { Type::B64 } else { Type::B32 } {
        return Err(Refused::malformed("the field has another size"));
    }
    modifiers.finish()?;
    let count = 2 + usize::from(field.has_index());
    decoder.arity(instruction, count..=count)?;
    let index = match &instruction.operands[count - 2] {
        _ if !field.has_index() => 0,
        Operand::Immediate(Immediate::Int(index)) => {
            let most = MOST_DIMENSIONS - usize::from(field == MapField::Stride);
            let index = usize::try_from(*index).ok().filter(|index| *index < most);
            index.ok_or_else(|| Refused::malformed("a tensor has no such dimension"))?
        }
        _ => return Err(Refused::malformed("the dimension is a constant")),
    };
    let map = address(&instruction.operands[0], decoder)?;
    let value = decoder.source(&instruction.operands[count - 1], ty)?;
    Ok(Op::Bulk(Box::new(Bulk::Replace(Replacement { field, index, space, map, value }))))
}

fn map_copy(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    if !["global", "shared::cta", "tensormap::generic", "release"].iter().all(|name| modifiers.take(name)) {
        return Err(Refused::unsupported());
    }
    let scope = modifiers.take_map(parse_scope).ok_or_else(Refused::unsupported)?;
    if !(modifiers.take("sync") && modifiers.take("aligned")) {
        return Err(Refused::malformed("tensormap.cp_fenceproxy is .sync.aligned"));
    }
    modifiers.finish()?;
    decoder.arity(instruction, 3..=3)?;
    let [to, from, size] = &instruction.operands[..] else { unreachable!("counted") };
    whole_map(size)?;
    let (to, from) = (address(to, decoder)?, address(from, decoder)?);
    let kind = CollectiveKind::MapCopy(MapCopy { scope, offsets: [to.offset, from.offset] });
    let members = decoder.constant(Constant::Bits(u64::from(u32::MAX)), Width::Word);
    Ok(Op::Warp(Collective { a: to.base, b: from.base, ..Collective::new(kind, members) }))
}

/// `fence.proxy.tensormap::generic`, without what stands before the semantics.
pub fn fence(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let semantics = modifiers.take_one_of(&["acquire", "release"]).ok_or_else(Refused::unsupported)?;
    let scope = modifiers.take_map(parse_scope).ok_or_else(Refused::unsupported)?;
    modifiers.finish()?;
    if semantics == "release" {
        decoder.arity(instruction, 0..=0)?;
        return Ok(Op::MapFence(MapFence { scope, acquires: None }));
    }
    decoder.arity(instruction, 2..=2)?;
    whole_map(&instruction.operands[1])?;
    Ok(Op::MapFence(MapFence { scope, acquires: Some(address(&instruction.operands[0], decoder)?) }))
}

/// The size that the ISA has for these instructions.
fn whole_map(operand: &Operand) -> Result<(), Refused> {
    match operand {
        Operand::Immediate(Immediate::Int(size)) if *size == MAP_BYTES as i64 => Ok(()),
        _ => Err(Refused::malformed("the size of a tensor map is 128")),
    }
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::refused;

    #[test]
    fn what_is_left_out_is_refused() {
        for text in [
            "cp.async.bulk.tensor.6d.global.shared::cta.bulk_group [%d1, {%r1}], [%r2]",
            "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes \
             [%r1], [%d1, {%r1, %r2, %r3}], [%r4], {%h1}",
            "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes \
             [%r1], [%d1, {%r1, %r2}], [%r4]",
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r1}], [%r4]",
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.bulk_group [%r1], [%d1, {%r1, %r2}]",
            "cp.reduce.async.bulk.tensor.1d.global.shared::cta.exch.bulk_group [%d1, {%r1}], [%r2]",
            "tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 5, %r1",
            "tensormap.replace.tile.global_stride.global.b1024.b64 [%d1], 4, %d2",
            "tensormap.replace.tile.rank.global.b1024.b64 [%d1], %d2",
            "tensormap.replace.tile.interleave_layout.global.b1024.b32 [%d1], %r1",
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%r1], 64",
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync [%d1], [%r1], 128",
            "fence.proxy.tensormap::generic.acquire.gpu",
            "fence.proxy.tensormap::generic.acquire.gpu [%d1], 64",
            "fence.proxy.tensormap::generic.release.gpu [%d1], 128",
        ] {
            refused(text);
        }
    }
}

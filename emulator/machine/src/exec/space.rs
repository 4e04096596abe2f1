//! `cvta`, `isspacep`, `mapa`, `getctarank`: generic addresses and the windows of the state spaces
//! (PTX ISA, "Data Movement and Conversion Instructions").
//!
//! The windows lie above 4 GiB, so the 32-bit forms of `cvta` have no meaning here (nor in
//! any program with `.address_size 64`). Constants live in global memory, so
//! `isspacep.const` is refused. A block's own shared memory lies at the start of the shared window, that of its
//! cluster's blocks after it ([`space::of_peer`]). So the address of a variable names the reader's own block, unless
//! `mapa` made it.

use super::integer::by_type;
use super::op::{Alu, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused, ThreadRegister};
use crate::lanes::{Args, LaneFn, binary, compare, ternary, unary};
use crate::memory::space::{self, LOCAL, PARAM, SHARED, Space};
use crate::registers::Width;
use crate::watch::flow;
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["cvta", "isspacep", "mapa", "getctarank"];

const NAMES: &[&str] =
    &["const", "global", "local", "shared", "shared::cta", "shared::cluster", "param", "param::entry"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if matches!(instruction.opcode.as_str(), "mapa" | "getctarank") {
        return decode_rank(instruction, decoder, modifiers);
    }
    let to_space = modifiers.take("to");
    let name = modifiers.take_one_of(NAMES).ok_or_else(|| Refused::malformed("no state space"))?;
    if instruction.opcode == "isspacep" {
        modifiers.finish()?;
        return decode_question(instruction, decoder, name);
    }
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    match ty {
        Type::U64 => {}
        Type::U32 => return Err(Refused::Unsupported("32-bit generic addresses".into())),
        other => return Err(Refused::malformed(format!("an address is no .{other}"))),
    }
    let kernel = match (space(name), to_space) {
        (Space::Shared, false) => unary(|a: u64| a.wrapping_add(SHARED)),
        (Space::Shared, true) => unary(|a: u64| a.wrapping_sub(SHARED)),
        (Space::Local, false) => unary(|a: u64| a.wrapping_add(LOCAL)),
        (Space::Local, true) => unary(|a: u64| a.wrapping_sub(LOCAL)),
        (Space::Param, false) => unary(|a: u64| a.wrapping_add(PARAM)),
        (Space::Param, true) => unary(|a: u64| a.wrapping_sub(PARAM)),
        (Space::Global | Space::Generic, _) => unary(|a: u64| a),
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow::carry, ty, &[ty])?))
}

fn space(name: &str) -> Space {
    match name {
        "local" => Space::Local,
        "param" | "param::entry" => Space::Param,
        "const" | "global" => Space::Global,
        _ => Space::Shared,
    }
}

/// `mapa d, a, rank`: where `a` of this block's shared memory is in the block of that rank; `getctarank d, a`: whose
/// shared memory `a` is in. An address in this block stays what it is.
fn decode_rank(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    modifiers.take("shared::cluster");
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    if !matches!(ty, Type::U32 | Type::U64) {
        return Err(Refused::malformed(format!("an address is no .{ty}")));
    }
    let own = decoder.constant(Constant::Special(ThreadRegister::ClusterCtarank), Width::Word);
    // An address without a state space is a generic one.
    if instruction.opcode == "getctarank" {
        let rank = by_type!(ty, T in [U32 = u32, U64 = u64], binary(|a: T, own: u32| {
            let (rank, _) = space::in_cluster(offset(a));
            rank.unwrap_or(own)
        }));
        let mut alu = Alu::of(instruction, decoder, rank, flow::all, Type::U32, &[ty])?;
        alu.args.b = own;
        return Ok(Op::Alu(alu));
    }
    let map = by_type!(ty, T in [U32 = u32, U64 = u64], ternary(|a: T, rank: u32, own: u32| {
        let (wide, offset) = (wide(a), offset(a));
        let there = if rank == own { offset % space::PEER } else { space::of_peer(offset, rank) };
        (wide - offset + there) as T
    }));
    let mut alu = Alu::of(instruction, decoder, map, flow::all, ty, &[ty, Type::U32])?;
    alu.args.c = own;
    Ok(Op::Alu(alu))
}

fn wide(address: impl Into<u64>) -> u64 {
    address.into()
}

/// The offset of a shared or a generic address in the shared window.
fn offset(address: impl Into<u64>) -> u64 {
    let address = address.into();
    match space::of_generic(address) {
        Space::Shared => address - SHARED,
        _ => address,
    }
}

fn decode_question(instruction: &Instruction, decoder: &mut Decoder, name: &str) -> Result<Op, Refused> {
    decoder.arity(instruction, 2..=2)?;
    let d = decoder.predicate_dest(&instruction.operands[0])?;
    let a = decoder.any_source(&instruction.operands[1], Type::U64)?;
    let kernel: LaneFn = match (name, a.width) {
        ("const", _) => return Err(Refused::Unsupported("modifier .const".into())),
        // A 32-bit address is below every window.
        (_, Width::Word) if space(name) == Space::Global => {
            compare(|a: u32, _: u32| space::of_generic(a.into()) == Space::Global)
        }
        (_, Width::Word) => compare(|_: u32, _: u32| false),
        (_, Width::Double) => match space(name) {
            Space::Shared if name == "shared::cluster" => {
                compare(|a: u64, _: u64| space::of_generic(a) == Space::Shared)
            }
            Space::Shared => compare(|a: u64, _: u64| {
                space::of_generic(a) == Space::Shared && space::in_cluster(a - SHARED).0.is_none()
            }),
            Space::Local => compare(|a: u64, _: u64| space::of_generic(a) == Space::Local),
            Space::Param => compare(|a: u64, _: u64| space::of_generic(a) == Space::Param),
            // Kernel parameters count as global too, says the ISA.
            _ => compare(|a: u64, _: u64| matches!(space::of_generic(a), Space::Global | Space::Param)),
        },
        _ => return Err(Refused::malformed("an address has 32 or 64 bits")),
    };
    Ok(Op::Alu(Alu { kernel, args: Args { d, a, b: a, ..Args::default() }, flow: flow::all }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::harness::{eval, refused};

    #[test]
    fn there_and_back() {
        for (name, window) in [
            ("shared", SHARED),
            ("shared::cta", SHARED),
            ("local", LOCAL),
            ("param", PARAM),
            ("global", 0),
            ("const", 0),
        ] {
            assert_eq!(eval(&format!("cvta.{name}.u64 %d1, %d2"), &[("%d2", 40)], "%d1"), window + 40);
            assert_eq!(eval(&format!("cvta.to.{name}.u64 %d1, %d2"), &[("%d2", window + 40)], "%d1"), 40);
        }
    }

    #[test]
    fn a_variable_has_its_space() {
        assert_eq!(eval("cvta.shared.u64 %d1, tile+4", &[], "%d1"), SHARED + 4);
        for (name, want) in [("shared", 1), ("shared::cluster", 1), ("global", 0), ("local", 0), ("param::entry", 0)] {
            let text = format!("cvta.shared.u64 %d1, tile; isspacep.{name} %p1, %d1");
            assert_eq!(eval(&text, &[], "%p1"), want, "{text}");
        }
        assert_eq!(eval("isspacep.global %p1, %d1", &[("%d1", PARAM)], "%p1"), 1);
        assert_eq!(eval("isspacep.shared %p1, %r1", &[("%r1", 64)], "%p1"), 0);
    }

    #[test]
    fn addresses_name_a_block_of_the_cluster() {
        // The harness has one block, of rank 0.
        assert_eq!(eval("mapa.u64 %d1, %d2, 0", &[("%d2", SHARED + 8)], "%d1"), SHARED + 8);
        assert_eq!(eval("mapa.shared::cluster.u32 %r1, %r2, %r3", &[("%r2", 64), ("%r3", 0)], "%r1"), 64);
        let third = space::of_peer(8, 2);
        assert_eq!(eval("mapa.u64 %d1, %d2, 2", &[("%d2", SHARED + 8)], "%d1"), SHARED + third);
        assert_eq!(eval("mapa.shared::cluster.u32 %r1, %r2, 2", &[("%r2", 8)], "%r1"), third);
        assert_eq!(eval("getctarank.u64 %r1, %d2", &[("%d2", SHARED + third)], "%r1"), 2);
        assert_eq!(eval("getctarank.shared::cluster.u32 %r1, %r2", &[("%r2", 4)], "%r1"), 0);
        for (name, want) in [("shared", 0), ("shared::cta", 0), ("shared::cluster", 1), ("global", 0)] {
            let text = format!("isspacep.{name} %p1, %d1");
            assert_eq!(eval(&text, &[("%d1", SHARED + third)], "%p1"), want, "{text}");
        }
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        for text in
            ["cvta.shared.u32 %r1, %r2", "cvta.u64 %d1, %d2", "isspacep.const %p1, %d1", "cvta.shared.b64 %d1, %d2"]
        {
            refused(text);
        }
    }
}

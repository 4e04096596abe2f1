//! Fences and block barriers: `fence`, `membar`, `bar`, `barrier` (PTX ISA, "Parallel
//! Synchronization and Communication Instructions"). `bar.warp.sync` is in `warp`.

use super::memory::{Ordering, Scope, Semantics, parse_scope};
use super::op::Op;
pub use super::op::barrier::{Barrier, ClusterArrive, Fence, FencedSpace, Reduction};
use super::{tensor_copy, warp};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::registers::{Reg, Width};
use ptx::ast::{Instruction, Operand, Type};

/// The number of barriers of a block (PTX ISA, "bar").
pub const BARRIERS: usize = 16;

pub const OPCODES: &[&str] = &["fence", "membar", "bar", "barrier"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    match instruction.opcode.as_str() {
        "membar" | "fence" if modifiers.take("proxy") => proxy_fence(instruction, decoder, modifiers),
        "membar" => {
            let scope = modifiers.take_map(parse_scope).ok_or_else(Refused::unsupported)?;
            modifiers.finish()?;
            // The ISA: membar is a synonym of fence.sc.
            fence(Ordering::Sc, scope)
        }
        "fence" => {
            // `.mbarrier_init` orders only the initialisation of barrier objects. Here it orders everything, which errs
            // towards silence.
            modifiers.take("mbarrier_init");
            let ordering = modifiers.take_map(|name| {
                Some(match name {
                    "sc" => Ordering::Sc,
                    "acq_rel" => Ordering::AcqRel,
                    "acquire" => Ordering::Acquire,
                    "release" => Ordering::Release,
                    _ => return None,
                })
            });
            let scope = modifiers.take_map(parse_scope);
            modifiers.finish()?;
            fence(ordering.unwrap_or(Ordering::AcqRel), scope.ok_or_else(Refused::unsupported)?)
        }
        _ => {
            if instruction.opcode == "barrier" && modifiers.take("cluster") {
                return cluster_barrier(instruction, decoder, modifiers);
            }
            if modifiers.take("warp") {
                return warp::decode_barrier(instruction, decoder, modifiers);
            }
            block_barrier(instruction, decoder, modifiers)
        }
    }
}

/// `fence.proxy` (PTX ISA, "membar/fence"): orders accesses through different proxies. There are no aliases here.
/// `.async` is for all memory, or for the state space that it names. The unidirectional forms, `async::generic.acquire`
/// and `.release`, count as `.async` for all memory (towards silence). Those for tensor maps are in `tensor_copy`.
fn proxy_fence(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    const KINDS: &[&str] = &["alias", "async", "async::generic", "tensormap::generic"];
    let kind = modifiers.take_one_of(KINDS).ok_or_else(Refused::unsupported)?;
    let space = match kind {
        "alias" => {
            modifiers.finish()?;
            return Ok(Op::Nop);
        }
        "tensormap::generic" => return tensor_copy::fence(instruction, decoder, modifiers),
        "async::generic" => {
            modifiers.take_one_of(&["acquire", "release"]).ok_or_else(Refused::unsupported)?;
            let restrictions = &["sync_restrict::shared::cta", "sync_restrict::shared::cluster"];
            modifiers.take_one_of(restrictions).ok_or_else(Refused::unsupported)?;
            modifiers.take("cluster");
            FencedSpace::All
        }
        _ => match modifiers.take_one_of(&["global", "shared::cta", "shared::cluster"]) {
            None => FencedSpace::All,
            Some("global") => FencedSpace::Global,
            Some(_) => FencedSpace::Shared,
        },
    };
    modifiers.finish()?;
    Ok(Op::ProxyFence(space))
}

fn fence(ordering: Ordering, scope: Scope) -> Result<Op, Refused> {
    Ok(Op::Fence(Fence { semantics: Semantics { ordering, scope, volatile: false } }))
}

/// `barrier.cluster.arrive` and `.wait` (PTX ISA, "barrier.cluster").
fn cluster_barrier(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    let waits = modifiers.take_one_of(&["arrive", "wait"]).ok_or_else(Refused::unsupported)? == "wait";
    let semantics = modifiers.take_one_of(if waits { &["acquire"] } else { &["release", "relaxed"] });
    let aligned = modifiers.take("aligned");
    modifiers.finish()?;
    decoder.arity(instruction, 0..=0)?;
    if !waits {
        return Ok(Op::ClusterArrive(ClusterArrive { releases: semantics != Some("relaxed"), aligned }));
    }
    let id = decoder.constant(Constant::Bits(BARRIERS as u64), Width::Word);
    Ok(Op::Barrier(Barrier {
        id,
        cluster: true,
        threads: Reg::NONE,
        waits,
        aligned,
        reduction: None,
        dst: Reg::NONE,
        predicate: Reg::NONE,
        negated: false,
    }))
}

fn block_barrier(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    modifiers.take("cta");
    let aligned = modifiers.take("aligned") || instruction.opcode == "bar";
    let kind = modifiers.take_one_of(&["sync", "arrive", "red"]).ok_or_else(Refused::unsupported)?;
    let reduction = modifiers.take_map(|name| {
        Some(match name {
            "popc" => Reduction::Popc,
            "and" => Reduction::And,
            "or" => Reduction::Or,
            _ => return None,
        })
    });
    let ty = modifiers.take_type();
    modifiers.finish()?;
    let operands = &instruction.operands;
    let mut barrier = Barrier {
        id: Reg::NONE,
        cluster: false,
        threads: Reg::NONE,
        waits: kind != "arrive",
        aligned,
        reduction,
        dst: Reg::NONE,
        predicate: Reg::NONE,
        negated: false,
    };
    let place = |operand: &Operand, decoder: &mut Decoder| decoder.source(operand, Type::U32);
    match (kind, reduction, ty) {
        ("sync", None, None) => {
            decoder.arity(instruction, 1..=2)?;
            barrier.id = place(&operands[0], decoder)?;
            if let Some(threads) = operands.get(1) {
                barrier.threads = place(threads, decoder)?;
            }
        }
        ("arrive", None, None) => {
            decoder.arity(instruction, 2..=2)?;
            barrier.id = place(&operands[0], decoder)?;
            barrier.threads = place(&operands[1], decoder)?;
        }
        ("red", Some(reduction), Some(ty)) => {
            decoder.arity(instruction, 3..=4)?;
            if ty != (if reduction == Reduction::Popc { Type::U32 } else { Type::Pred }) {
                return Err(Refused::malformed("`.popc` gives .u32; `.and` and `.or` give .pred"));
            }
            barrier.dst = decoder.dest(&operands[0], ty)?;
            barrier.id = place(&operands[1], decoder)?;
            if operands.len() == 4 {
                barrier.threads = place(&operands[2], decoder)?;
            }
            let last = operands.last().expect("counted");
            (barrier.predicate, barrier.negated) = decoder.predicate_negatable(last)?;
        }
        _ => return Err(Refused::malformed("no such form of bar")),
    }
    Ok(Op::Barrier(barrier))
}

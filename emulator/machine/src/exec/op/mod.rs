//! Decoded instructions, as data: what each family's `decode` makes, and the machine runs.

pub mod async_copy;
pub mod atomic;
pub mod barrier;
pub mod branch;
pub mod bulk_copy;
pub mod image;
pub mod matrix;
pub mod mbarrier;
pub mod memory;
pub mod special;
pub mod stack;
pub mod tensor_copy;
pub mod warp;
pub mod wgmma;

use crate::decode::{Decoder, Refused};
use crate::lanes::{Args, LaneFn};
use crate::watch::flow::UndefinedFlow;
use ptx::ast::{Instruction, Type};

/// False for the browser's emulator. It has no matrices and no formats of theirs, tensors, textures, bulk reductions,
/// video instructions and asynchronous stores. Nor has it sums as operands, `alloca`, contraction to fused
/// multiply-adds, conditions of graphs and numba's grid barriers. No lesson needs them, and each byte of code is loaded
/// with a page.
pub const IS_WHOLE: bool = !cfg!(target_family = "wasm");

/// A pure register-to-register instruction.
#[derive(Clone, Debug)]
pub struct Alu {
    pub kernel: LaneFn,
    pub args: Args,
    /// The rule by which undefined bits pass from the sources to the results.
    pub flow: UndefinedFlow,
}

impl Alu {
    /// Decodes the operands of the most frequent form, `opcode d, a, b, c, q`, with as many sources as there are types.
    pub fn of(
        instruction: &Instruction,
        decoder: &mut Decoder,
        kernel: LaneFn,
        flow: UndefinedFlow,
        dest: Type,
        sources: &[Type],
    ) -> Result<Alu, Refused> {
        decoder.arity(instruction, sources.len() + 1..=sources.len() + 1)?;
        let mut args = Args { d: decoder.dest(&instruction.operands[0], dest)?, ..Args::default() };
        let places = [&mut args.a, &mut args.b, &mut args.c, &mut args.q];
        for ((place, &ty), operand) in places.into_iter().zip(sources).zip(&instruction.operands[1..]) {
            *place = decoder.source(operand, ty)?;
        }
        Ok(Alu { kernel, args, flow })
    }
}

/// A decoded instruction.
#[derive(Clone, Debug)]
pub enum Op {
    Alu(Alu),
    /// One instruction that takes several steps, in order: `mov` to a vector, `set`, `lop3` with a predicate.
    Steps(Box<[Alu]>),
    Special(special::ClockRead),
    Branch(branch::BranchOp),
    Call(Box<branch::CallOp>),
    /// Back to the caller; from a kernel, the end of the thread.
    Return,
    Exit,
    Trap,
    Load(memory::Load),
    Store(memory::StoreOp),
    Atomic(atomic::Atomic),
    /// `cp.async`, and its `commit_group`, `wait_group` and `wait_all`.
    Async(Box<async_copy::Async>),
    /// `cp.async.bulk` and `cp.reduce.async.bulk`, with their `commit_group` and `wait_group`.
    Bulk(Box<bulk_copy::Bulk>),
    /// `mbarrier`, and `cp.async.mbarrier.arrive`.
    Mbarrier(Box<mbarrier::Mbarrier>),
    /// Texture reads, and the addresses of accesses to surfaces.
    Image(Box<image::ImageOp>),
    Fence(barrier::Fence),
    /// `fence.proxy.async`.
    ProxyFence(barrier::FencedSpace),
    /// `fence.proxy.tensormap::generic`.
    MapFence(tensor_copy::MapFence),
    Barrier(barrier::Barrier),
    /// `barrier.cluster.arrive`.
    ClusterArrive(barrier::ClusterArrive),
    Warp(warp::Collective),
    /// `alloca`, `stacksave` and `stackrestore`.
    Stack(stack::StackOp),
    /// `nanosleep`; the register has nanoseconds.
    Sleep(crate::registers::Reg),
    /// `activemask`: the lanes that run together now.
    ActiveMask(crate::registers::Reg),
    /// `griddepcontrol`, in a launch that may overlap with the one before it.
    GridDependency(GridDependency),
    Nop,
}

/// The order between a launch and the one before it in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridDependency {
    /// `griddepcontrol.wait`: the launches before this one are complete, and what they wrote can be seen.
    Wait,
    /// `griddepcontrol.launch_dependents`: this block does not hold up the launch after this one.
    Trigger,
}

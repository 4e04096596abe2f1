//! Loads, stores and atomics: addresses to memory, whole warps at a time where they are regular.
//!
//! A request of a warp is split by memory region ([`regions`]), then made region by region ([`load`], [`store`],
//! [`atomic`]). Local memory has no region, and each lane its own ([`local`]). The functions on this path are forced
//! inline, since they must be compiled into each kind of access.

mod atomic;
mod load;
mod local;
mod regions;
mod store;

pub use atomic::atomic;
pub use load::load;
pub(super) use regions::for_each_region;
pub use store::store;

use super::delay::Delay;
use super::launch::Launch;
use super::stack::Allocated;
use crate::exec::memory::Semantics;
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{FULL, Mask, Reg, Registers, WARP, Width, lanes};
use crate::watch::Watch;
use finding::AccessKind;
use std::sync::MutexGuard;

/// A lane's access to an address where it is not allowed: out of bounds, freed, read-only or misaligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidAccess {
    pub lane: usize,
    /// The space that the address belongs to; a generic address is resolved.
    pub space: Space,
    /// The address in that space.
    pub address: u64,
    pub bytes: u64,
    pub misaligned: bool,
    pub kind: AccessKind,
    /// The lanes that have not made their access, including `lane`. All other lanes have.
    pub remaining: Mask,
}

/// The context of a memory instruction, besides its warp.
pub struct Context<'a, W: Watch> {
    pub launch: &'a Launch<'a>,
    /// Linear block index.
    pub block: u64,
    pub pc: u32,
    /// The call that the instruction runs in, as in [`At::frame`](crate::watch::At::frame).
    pub frame: u32,
    pub shared: &'a Region,
    pub watch: &'a mut W,
    pub block_watch: &'a mut W::Block,
    /// Set if the schedule may give loads older values and stores earlier positions in the coherence order.
    pub delay: Option<Delay<'a>>,
}

/// A request of lanes of a warp to memory, in one instruction.
pub(super) struct Request<'a> {
    pub space: Space,
    /// The address of each lane.
    pub at: &'a [u64; WARP],
    pub mask: Mask,
    /// Bytes of one lane, over all elements of a vector access.
    pub bytes: u64,
    pub kind: AccessKind,
}

/// Returns `base + offset` of every lane.
#[inline(always)]
pub fn addresses(regs: &Registers, base: Reg, offset: i64) -> [u64; WARP] {
    if base.width == Width::Double {
        let base = regs.wide(base.index);
        std::array::from_fn(|lane| base[lane].wrapping_add_signed(offset))
    } else {
        let base = regs.slot(base.index);
        // A 32-bit sum: the compiler may move a constant into the offset that brings a negative base back above zero.
        std::array::from_fn(|lane| u64::from(base[lane].wrapping_add(offset as u32)))
    }
}

/// Returns why a lane may not access memory at an address, or `None` if it may.
pub(super) fn refusal(
    launch: &Launch,
    shared: &Region,
    locals: (&[Vec<u8>], &[Allocated]),
    lane: usize,
    (space, address, bytes): (Space, u64, u64),
    kind: AccessKind,
) -> Option<InvalidAccess> {
    let mut local_error = None;
    let one = 1 << lane;
    let request = Request { space, at: &[address; WARP], mask: one, bytes, kind };
    let result = for_each_region(launch, shared, request, |_, region, at, _| {
        let is_local = || local::bytes_of(locals, lane, at[lane], bytes).is_some();
        if region.is_none() && (kind == AccessKind::Atomic || !is_local()) {
            local_error = local::invalid(at, bytes, kind, one);
        }
    });
    result.err().or(local_error)
}

/// Merges the outcome of the accesses that have a region with that of local accesses. The lanes of both remain.
fn with_local(result: Result<(), InvalidAccess>, local: Option<InvalidAccess>) -> Result<(), InvalidAccess> {
    let remaining = local.map_or(0, |local| local.remaining);
    result.map_err(|other| InvalidAccess { remaining: other.remaining | remaining, ..other })?;
    local.map_or(Ok(()), Err)
}

/// Returns true if cooperative groups' own code exchanges values here, which must get the latest ones. The words lie in
/// the system's shared memory or, below compute capability 8.0, in memory that the kernel has provided.
fn is_internal_to_groups(launch: &Launch, pc: u32, space: Space, at: &[u64; WARP], mask: Mask) -> bool {
    space == Space::Shared
        && match launch.reserved_shared() {
            Some(begin) => lanes(mask).all(|lane| at[lane] >= begin),
            None => launch.code.location(pc).is_some_and(|location| location.of_groups),
        }
}

/// Locks out other host threads during a strong access of more than one host word, which they could otherwise tear.
/// With checks on there are no others.
#[inline(always)]
fn lock_against_tearing<W: Watch>(semantics: Semantics, elements: u32, bytes: u32) -> Option<MutexGuard<'static, ()>> {
    (!W::ON && semantics.is_strong() && (elements > 1 || bytes > 8)).then(Region::whole)
}

/// Returns a mask of the low `bytes` bytes.
#[inline(always)]
fn low_bytes(bytes: u32) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

/// Sign-extends the low `bytes` bytes of a value to a register of `to` bytes.
#[inline(always)]
fn extend(value: u64, bytes: u32, to: u32) -> u64 {
    let shift = 64 - 8 * bytes;
    let signed = ((value << shift) as i64 >> shift) as u64;
    match to {
        0..=2 => signed & 0xffff,
        4 => signed & 0xffff_ffff,
        _ => signed,
    }
}

/// Writes loaded values to a register.
#[inline(always)]
fn write_register(regs: &mut Registers, reg: Reg, values: &[u64; WARP], mask: Mask) {
    match reg.width {
        Width::Word if mask == FULL => *regs.slot_mut(reg.index) = values.map(|value| value as u32),
        Width::Word => {
            let slot = regs.slot_mut(reg.index);
            lanes(mask).for_each(|lane| slot[lane] = values[lane] as u32);
        }
        Width::Double if mask == FULL => *regs.wide_mut(reg.index) = *values,
        _ => lanes(mask).for_each(|lane| regs.set(reg, lane, values[lane])),
    }
}

/// Reads the values of all lanes from a register; of 128 bits, the low 64.
#[inline(always)]
fn read_register(regs: &Registers, reg: Reg) -> [u64; WARP] {
    match reg.width {
        Width::Word => regs.slot(reg.index).map(u64::from),
        Width::Double | Width::Quad => *regs.wide(reg.index),
        Width::None | Width::Pred => [0; WARP],
    }
}

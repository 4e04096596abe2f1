//! A request of a warp to memory: where it runs, which addresses it asks for, and the lane that may not have its own.

use crate::exec::memory::Semantics;
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use crate::run::delay::Delay;
use crate::run::launch::Launch;
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
    /// Set if the access has no address: its texture or surface gives it none.
    pub image: Option<ImageMisuse>,
}

/// Why an access to a texture or surface has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageMisuse {
    /// No object of this kind has the handle.
    NoObject { is_surface: bool, handle: u64 },
    /// A coordinate outside a surface, along an axis (3: among the layers). Along the first axis bytes are counted.
    Outside { axis: usize, at: i64, size: i64 },
}

/// The context of a memory instruction, besides its warp.
pub struct AccessContext<'a, W: Watch> {
    pub launch: &'a Launch<'a>,
    /// Linear block index.
    pub block: u64,
    pub pc: u32,
    /// The call that the instruction runs in, as in [`At::frame`](crate::watch::At::frame).
    pub frame: u32,
    /// The shared memory that is accessed, and whose it is: the block's own, or that of a block of its cluster. There
    /// the addresses are so far beyond the owner's.
    pub shared: &'a Region,
    pub owner: u64,
    pub shift: u64,
    pub watch: &'a mut W,
    pub block_watch: &'a mut W::Block,
    /// Set if the schedule may give loads older values and stores earlier positions in the coherence order.
    pub delay: Option<Delay<'a>>,
}

impl<W: Watch> AccessContext<'_, W> {
    /// Returns `base + offset` of every lane, in the memory of the owner.
    #[inline(always)]
    pub(super) fn addresses(&self, regs: &Registers, base: Reg, offset: i64) -> [u64; WARP] {
        let at = addresses(regs, base, offset);
        if self.shift == 0 { at } else { at.map(|address| address.wrapping_sub(self.shift)) }
    }
}

/// A request of lanes of a warp to memory, in one instruction.
pub(in crate::run) struct MemoryRequest<'a> {
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

/// Merges the outcome of the accesses that have a region with that of local accesses. The lanes of both remain.
pub(super) fn with_local(result: Result<(), InvalidAccess>, local: Option<InvalidAccess>) -> Result<(), InvalidAccess> {
    let remaining = local.map_or(0, |local| local.remaining);
    result.map_err(|other| InvalidAccess { remaining: other.remaining | remaining, ..other })?;
    local.map_or(Ok(()), Err)
}

/// Returns true if cooperative groups' own code exchanges values here, which must get the latest ones. The words lie in
/// the system's shared memory or, below compute capability 8.0, in memory that the kernel has provided.
pub(super) fn is_internal_to_groups(launch: &Launch, pc: u32, space: Space, at: &[u64; WARP], mask: Mask) -> bool {
    space == Space::Shared
        && match launch.reserved_shared() {
            Some(begin) => lanes(mask).all(|lane| at[lane] >= begin),
            None => launch.code.location(pc).is_some_and(|location| location.of_groups),
        }
}

/// Locks out other host threads during a strong access of more than one host word, which they could otherwise tear.
/// With checks on there are no others.
#[inline(always)]
pub(super) fn lock_against_tearing<W: Watch>(
    semantics: Semantics,
    elements: u32,
    bytes: u32,
) -> Option<MutexGuard<'static, ()>> {
    (!W::ON && semantics.is_strong() && (elements > 1 || bytes > 8)).then(Region::whole)
}

//! Atomic operations. Lanes that meet at one address take their turns in lane order.

use super::local;
use super::regions::for_each_region;
use super::request::{AccessContext, InvalidAccess, MemoryRequest, is_internal_to_groups, with_local};
use super::value::{low_bytes, write_register};
use crate::exec::atomic::{Atomic, Operation, apply};
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use crate::run::delay::Delay;
use crate::run::warp::Warp;
use crate::watch::{At, Late, Touch, Watch};
use finding::AccessKind;
use ptx::ast::Type;

/// Runs an atomic operation for the lanes in `mask`. On an error, the lanes outside [`InvalidAccess::remaining`] have
/// made theirs.
pub fn atomic<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Atomic,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    let at = cx.addresses(&warp.regs, op.base, op.offset);
    let bytes = op.ty.bytes();
    let whole = u64::from(bytes * op.elements);
    let mut local_error = None;
    let Warp { regs, watch, index, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let request = MemoryRequest { space: op.space, at: &at, mask, bytes: whole, kind: AccessKind::Atomic };
    let result = for_each_region(cx.launch, cx.shared, request, |space, region, at, mask| {
        let Some(region) = region else {
            // Local memory through a generic address: the ISA leaves it undefined.
            local_error = local_error.or(local::invalid(at, whole, AccessKind::Atomic, mask));
            return;
        };
        let mut late = None;
        if W::ON {
            let touch = Touch {
                at: here,
                space,
                region: Some(region),
                addresses: at,
                mask,
                bytes,
                elements: op.elements,
                semantics: op.semantics,
                owner: cx.owner,
            };
            if let Some(delay) = &mut cx.delay
                && !is_internal_to_groups(cx.launch, cx.pc, space, at, mask)
            {
                late = delay.choose_update(&touch, (op, &*regs), cx.watch, cx.block_watch, watch);
            }
            cx.watch.atomic(&touch, op, cx.block_watch, watch, regs);
        }
        // One host thread runs all of a block, and with checks on all of a launch.
        let exclusive = space == Space::Shared || W::ON && !region.is_shared_with_host();
        let of_elements = (0..op.elements as usize)
            .map(|element| (op.dst[element], op.src[element], u64::from(bytes) * element as u64));
        if is_word_add(op) && cx.delay.is_none() {
            of_elements.for_each(|(dst, src, skip)| add_words(region, exclusive, regs, (dst, src), at, skip, mask));
            return;
        }
        let target = AtomicTarget { space, region, exclusive };
        for (dst, src, skip) in of_elements {
            for lane in lanes(mask) {
                let address = at[lane] + skip;
                if bytes == 16 {
                    target.update_quad(regs, op, (dst, src), lane, address);
                } else if let Some(late) = late.as_deref().filter(|late| late.back[lane] != 0) {
                    update_late(cx.delay.as_mut(), late, space, address, lane);
                    regs.set(dst, lane, late.found[lane]);
                } else {
                    let old = target.update(regs, op, src, lane, address, cx.delay.as_mut());
                    regs.set(dst, lane, old);
                }
            }
        }
    });
    with_local(result, local_error)
}

/// Returns true for the most frequent case, an addition to 32-bit integers.
#[inline(always)]
fn is_word_add(op: &Atomic) -> bool {
    matches!((op.operation, op.ty), (Operation::Add, Type::U32 | Type::S32))
        && op.src[..op.elements as usize].iter().all(|src| src.width == Width::Word)
}

/// Adds to 32-bit words, and writes the old values to `dst` if the instruction has one. `exclusive` has the meaning
/// that it has in [`AtomicTarget`].
#[inline(always)]
fn add_words(
    region: &Region,
    exclusive: bool,
    regs: &mut Registers,
    (dst, src): (Reg, Reg),
    at: &[u64; WARP],
    skip: u64,
    mask: Mask,
) {
    let mut old = [0; WARP];
    let value = regs.slot(src.index);
    region.add_each(at, skip, mask, exclusive, |lane| value[lane], |lane, held| old[lane] = u64::from(held));
    if dst.is_some() {
        write_register(regs, dst, &old, mask);
    }
}

/// Records an operation that finds an older value. Memory keeps what it has: at most, the operation's own write is
/// inserted after the one that it finds.
#[inline(always)]
fn update_late(delay: Option<&mut Delay>, late: &Late, space: Space, address: u64, lane: usize) {
    if let Some(delay) = delay.filter(|_| late.fails >> lane & 1 == 0) {
        delay.insert_write(space, address, late.back[lane], late.new[lane]);
    }
}

/// The memory that atomic operations of one instruction update.
struct AtomicTarget<'a> {
    space: Space,
    region: &'a Region,
    /// No other host thread accesses the memory meanwhile.
    exclusive: bool,
}

impl AtomicTarget<'_> {
    /// Runs an exchange or a compare-and-swap of 128 bits for one lane.
    #[inline(always)]
    fn update_quad(&self, regs: &mut Registers, op: &Atomic, (dst, src): (Reg, Reg), lane: usize, address: u64) {
        let (b, swap) = (regs.get_quad(src, lane), regs.get_quad(op.swap, lane));
        let old = self.region.update_quad(address, |old| match op.operation {
            Operation::CompareExchange if old != b => old,
            Operation::CompareExchange => swap,
            _ => b,
        });
        regs.set_quad(dst, lane, old);
    }

    /// Runs the operation for one lane and returns the old value. If it writes, `delay` records that value.
    #[inline(always)]
    fn update(
        &self,
        regs: &Registers,
        op: &Atomic,
        src: Reg,
        lane: usize,
        address: u64,
        delay: Option<&mut Delay>,
    ) -> u64 {
        let (b, swap) = (regs.get(src, lane), regs.get(op.swap, lane));
        let (bytes, flush) = (op.ty.bytes(), self.space == Space::Global);
        let apply = |old| apply(op.operation, op.ty, flush, old, b, swap);
        let old = self.region.update(address, bytes, self.exclusive, apply);
        let writes = || op.operation != Operation::CompareExchange || old == b & low_bytes(bytes);
        if let Some(delay) = delay.filter(|_| writes()) {
            delay.record_old_value(self.space, address, old);
        }
        old
    }
}

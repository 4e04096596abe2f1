//! Stores.

use super::local;
use super::regions::for_each_region;
use super::request::{
    AccessContext, InvalidAccess, MemoryRequest, is_internal_to_groups, lock_against_tearing, with_local,
};
use super::value::{low_bytes, read_register};
use crate::exec::memory::StoreOp;
use crate::memory::Region;
use crate::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use crate::run::warp::Warp;
use crate::watch::{At, Touch, Watch};
use finding::AccessKind;

/// Runs a store for the lanes in `mask`. On an error, the lanes outside [`InvalidAccess::remaining`] have stored.
pub fn store<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    store: &StoreOp,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    let at = cx.addresses(&warp.regs, store.base, store.offset);
    let bytes = u64::from(store.bytes * store.elements);
    let mut local_error = None;
    let Warp { regs, locals, stacks, watch, index, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let request = MemoryRequest { space: store.space, at: &at, mask, bytes, kind: AccessKind::Store };
    let result = for_each_region(cx.launch, cx.shared, request, |space, region, at, mask| {
        let mut positions = None;
        if W::ON {
            let touch = Touch {
                at: here,
                space,
                region,
                addresses: at,
                mask,
                bytes: store.bytes,
                elements: store.elements,
                semantics: store.semantics,
                owner: cx.owner,
            };
            if let Some(delay) = &mut cx.delay
                && !is_internal_to_groups(cx.launch, cx.pc, space, at, mask)
            {
                positions = delay.choose_positions(&touch, cx.watch, cx.block_watch, watch);
            }
            cx.watch.store(&touch, store, cx.block_watch, watch, regs);
        }
        let Some(region) = region else {
            local_error = local_error.or(local::store((locals, stacks), regs, store, at, mask, bytes));
            return;
        };
        let _guard = lock_against_tearing::<W>(store.semantics, store.elements, store.bytes);
        for (element, &reg) in store.src[..store.elements as usize].iter().enumerate() {
            let skip = u64::from(store.bytes) * element as u64;
            let write = |mask: Mask| store_element(region, regs, store, (reg, skip), at, mask);
            let Some(delay) = &mut cx.delay else {
                write(mask);
                continue;
            };
            for lane in lanes(mask) {
                match positions.as_ref().map_or(0, |back| back[lane]) {
                    0 => {
                        delay.record_overwrite(space, region, at[lane] + skip, store.bytes);
                        write(1 << lane);
                    }
                    back => {
                        let value = regs.get(reg, lane) & low_bytes(store.bytes);
                        delay.insert_write(space, at[lane], back, value);
                    }
                }
            }
        }
    });
    with_local(result, local_error)
}

/// Writes one element of a vector access, `skip` bytes after each lane's address.
#[inline(always)]
fn store_element(
    region: &Region,
    regs: &Registers,
    store: &StoreOp,
    (reg, skip): (Reg, u64),
    at: &[u64; WARP],
    mask: Mask,
) {
    // The most frequent case comes from the register without a detour.
    if let (4, Width::Word) = (store.bytes, reg.width) {
        let slot = regs.slot(reg.index);
        return region.scatter(at, skip, mask, |lane| slot[lane]);
    }
    let values = read_register(regs, reg);
    match store.bytes {
        1 => region.scatter(at, skip, mask, |lane| values[lane] as u8),
        2 => region.scatter(at, skip, mask, |lane| values[lane] as u16),
        4 => region.scatter(at, skip, mask, |lane| values[lane] as u32),
        8 => region.scatter(at, skip, mask, |lane| values[lane]),
        _ => {
            let high = regs.wide(reg.index + 2);
            region.scatter(at, skip, mask, |lane| values[lane]);
            region.scatter(at, skip + 8, mask, |lane| high[lane]);
        }
    }
}

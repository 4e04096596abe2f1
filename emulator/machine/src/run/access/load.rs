//! Loads.

use super::local;
use super::regions::for_each_region;
use super::request::{
    AccessContext, InvalidAccess, MemoryRequest, is_internal_to_groups, lock_against_tearing, with_local,
};
use super::value::{extend, write_register};
use crate::exec::memory::Load;
use crate::memory::Region;
use crate::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use crate::run::warp::Warp;
use crate::watch::{At, Older, Touch, Watch};
use finding::AccessKind;

/// Runs a load for the lanes in `mask`. On an error, the lanes outside [`InvalidAccess::remaining`] have loaded.
pub fn load<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    load: &Load,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    let at = cx.addresses(&warp.regs, load.base, load.offset);
    let bytes = u64::from(load.bytes * load.elements);
    let mut local_error = None;
    let Warp { regs, locals, stacks, watch, index, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let request = MemoryRequest { space: load.space, at: &at, mask, bytes, kind: AccessKind::Load };
    let result = for_each_region(cx.launch, cx.shared, request, |space, region, at, mask| {
        let mut older = None;
        if W::ON {
            let touch = Touch {
                at: here,
                space,
                region,
                addresses: at,
                mask,
                bytes: load.bytes,
                elements: load.elements,
                semantics: load.semantics,
                owner: cx.owner,
            };
            if let Some(delay) = &mut cx.delay
                && !is_internal_to_groups(cx.launch, cx.pc, space, at, mask)
            {
                older = delay.choose_values(&touch, cx.watch, cx.block_watch, watch);
            }
            cx.watch.load(&touch, load, cx.block_watch, watch, regs);
        }
        let Some(region) = region else {
            local_error = local_error.or(local::load((locals, stacks), regs, load, at, mask, bytes));
            return;
        };
        let _guard = lock_against_tearing::<W>(load.semantics, load.elements, load.bytes);
        for (element, &reg) in load.dst[..load.elements as usize].iter().enumerate() {
            load_element(region, regs, load, (element, reg), at, mask, older.as_deref());
        }
    });
    with_local(result, local_error)
}

/// Loads one element of a vector access. Lanes for which `older` has a value get that.
#[inline(always)]
fn load_element(
    region: &Region,
    regs: &mut Registers,
    load: &Load,
    (element, reg): (usize, Reg),
    at: &[u64; WARP],
    mask: Mask,
    older: Option<&Older>,
) {
    let skip = u64::from(load.bytes) * element as u64;
    // The most frequent case goes to the register without a detour.
    if let (Width::Word, 1..=4, 0, None) = (reg.width, load.bytes, load.extend, older) {
        let slot = regs.slot_mut(reg.index);
        match load.bytes {
            1 => region.gather(at, skip, mask, |lane, value: u8| slot[lane] = value.into()),
            2 => region.gather(at, skip, mask, |lane, value: u16| slot[lane] = value.into()),
            _ => region.gather(at, skip, mask, |lane, value: u32| slot[lane] = value),
        }
        return;
    }
    let mut values = [0; WARP];
    match load.bytes {
        1 => region.gather(at, skip, mask, |lane, value: u8| values[lane] = value.into()),
        2 => region.gather(at, skip, mask, |lane, value: u16| values[lane] = value.into()),
        4 => region.gather(at, skip, mask, |lane, value: u32| values[lane] = value.into()),
        8 => region.gather(at, skip, mask, |lane, value: u64| values[lane] = value),
        _ => {
            region.gather(at, skip, mask, |lane, value: u64| values[lane] = value);
            let mut high = [0; WARP];
            region.gather(at, skip + 8, mask, |lane, value: u64| high[lane] = value);
            lanes(mask).for_each(|l| regs.set_quad(reg, l, u128::from(high[l]) << 64 | u128::from(values[l])));
            return;
        }
    }
    if let Some(older) = older {
        older.replace(element, mask, &mut values);
    }
    if load.extend != 0 {
        values = values.map(|value| extend(value, load.bytes, load.extend));
    }
    write_register(regs, reg, &values, mask);
}

//! Loads, stores and atomics: addresses to memory, whole warps at a time where they are regular.
//!
//! The file is long because a load, a store and an atomic operation share their pieces, which must be compiled into
//! each of them.

use super::delay::Delay;
use super::launch::Launch;
use super::stack::{Allocated, STACK};
use super::warp::Warp;
use crate::exec::atomic::{Atomic, Operation, apply};
use crate::exec::memory::{Load, Semantics, Store};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{FULL, Mask, Reg, Registers, WARP, Width, lanes};
use crate::watch::{At, Touch, Watch};
use finding::AccessKind;
use ptx::ast::Type;
use std::sync::MutexGuard;

/// An address that cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub lane: usize,
    /// Space and address in it, as the access meant them.
    pub space: Space,
    pub address: u64,
    pub bytes: u64,
    pub misaligned: bool,
    pub kind: AccessKind,
    /// The lanes that have not made the access.
    pub left: Mask,
}

/// The context of a memory instruction, besides its warp.
pub struct Context<'a, W: Watch> {
    pub launch: &'a Launch<'a>,
    pub block: u64,
    pub pc: u32,
    pub frame: u32,
    pub shared: &'a Region,
    pub watch: &'a mut W,
    pub block_watch: &'a mut W::Block,
    /// The delay, where the schedule may give loads older values, and put stores behind others.
    pub delay: Option<Delay<'a>>,
}

/// `base + offset` in every lane.
#[inline(always)]
pub fn addresses(regs: &Registers, base: Reg, offset: i64) -> [u64; WARP] {
    if base.width == Width::Double {
        let base = regs.wide(base.index);
        std::array::from_fn(|lane| base[lane].wrapping_add_signed(offset))
    } else {
        let base = regs.slot(base.index);
        // A sum of 32 bits: what the compiler has moved into the offset may bring a base below zero back.
        std::array::from_fn(|lane| u64::from(base[lane].wrapping_add(offset as u32)))
    }
}

/// A request of lanes of a warp to memory, in one instruction.
pub(super) struct Request<'a> {
    pub space: Space,
    pub at: &'a [u64; WARP],
    pub mask: Mask,
    /// Bytes of one lane.
    pub bytes: u64,
    pub kind: AccessKind,
}

/// Splits a request into pieces that lie in one region each and calls `run` for every piece.
/// Returns the trouble, and runs nothing, for a lane whose access is not allowed.
#[inline(always)]
pub(super) fn pieces(
    launch: &Launch,
    shared: &Region,
    request: Request,
    mut run: impl FnMut(Space, Option<&Region>, &[u64; WARP], Mask),
) -> Result<(), Trouble> {
    let Request { space, at, mask, bytes, kind } = request;
    let mut rest = mask;
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let (here, piece) = match space {
            Space::Generic => {
                let here = space::of_generic(at[first]);
                let same =
                    (0..WARP).fold(0, |same, lane| same | u32::from(space::of_generic(at[lane]) == here) << lane);
                (here, rest & same)
            }
            space => (space, rest),
        };
        let shifted;
        let at = if space == Space::Generic && here != Space::Global {
            shifted = at.map(|address| address.wrapping_sub(space::window(here)));
            &shifted
        } else {
            at
        };
        let region = match here {
            Space::Shared => Some(shared),
            Space::Param => Some(&launch.params),
            Space::Local => {
                // Each thread has its own: bounds are checked where the bytes are.
                run(here, None, at, piece);
                rest &= !piece;
                continue;
            }
            Space::Generic | Space::Global => launch.memory.region(at[first]),
        };
        let trouble = |lane: usize, left: Mask| Trouble {
            lane,
            space: here,
            address: at[lane],
            bytes,
            misaligned: at[lane] & (bytes - 1) != 0,
            kind,
            left,
        };
        let Some(region) = region else { return Err(trouble(first, rest)) };
        if kind != AccessKind::Load && here == Space::Param {
            return Err(trouble(first, rest));
        }
        if here == Space::Shared
            && let Some(lane) = between_own_and_reserved(launch, at, piece, bytes)
        {
            return Err(trouble(lane, rest));
        }
        if region.admits(at, piece, bytes, bytes) {
            run(here, Some(region), at, piece);
            rest &= !piece;
            continue;
        }
        // Some lane is elsewhere: another allocation, or nowhere.
        let fits = |lane: usize| region.contains(at[lane], bytes) && at[lane] & (bytes - 1) == 0;
        let inside: Mask = lanes(piece).map(|lane| u32::from(fits(lane)) << lane).sum();
        if inside >> first & 1 == 0 {
            return Err(trouble(first, rest));
        }
        run(here, Some(region), at, inside);
        rest &= !inside;
        if here != Space::Global && piece & !inside != 0 {
            return Err(trouble((piece & !inside).trailing_zeros() as usize, rest));
        }
    }
    Ok(())
}

/// A lane whose address lies behind the block's shared memory and before the system's, where a kernel asks for that.
#[inline(always)]
fn between_own_and_reserved(launch: &Launch, at: &[u64; WARP], mask: Mask, bytes: u64) -> Option<usize> {
    if !launch.code.asks_for_reserved_shared {
        return None;
    }
    let (own, reserved) = (launch.shared_bytes(), launch.reserved_shared()?);
    lanes(mask).find(|&lane| at[lane] + bytes > own && at[lane] < reserved)
}

/// True for what cooperative groups trade among themselves: that is as they expect it. It lies in the system's shared
/// memory, or, below compute capability 8.0, in memory that the kernel has given them.
fn is_between_groups(launch: &Launch, pc: u32, space: Space, at: &[u64; WARP], mask: Mask) -> bool {
    space == Space::Shared
        && match launch.reserved_shared() {
            Some(begin) => lanes(mask).all(|lane| at[lane] >= begin),
            None => launch.code.location(pc).is_some_and(|location| location.of_groups),
        }
}

/// One thread's bytes in its local memory, if they are there.
#[inline]
fn local_range(local: &[u8], address: u64, bytes: u64) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(address).ok()?;
    let end = start.checked_add(bytes as usize)?;
    (end <= local.len() && address & (bytes - 1) == 0).then_some(start..end)
}

/// Keeps a strong access of more than one host word whole where other host threads may come between: without checks.
#[inline(always)]
fn hold<W: Watch>(semantics: Semantics, elements: u32, bytes: u32) -> Option<MutexGuard<'static, ()>> {
    (!W::ON && semantics.is_strong() && (elements > 1 || bytes > 8)).then(Region::whole)
}

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

/// Writes what was loaded into its register.
#[inline(always)]
fn put(regs: &mut Registers, reg: Reg, values: &[u64; WARP], mask: Mask) {
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

#[inline(always)]
fn take(regs: &Registers, reg: Reg) -> [u64; WARP] {
    match reg.width {
        Width::Word => regs.slot(reg.index).map(u64::from),
        Width::Double | Width::Quad => *regs.wide(reg.index),
        Width::None | Width::Pred => [0; WARP],
    }
}

pub fn load<W: Watch>(cx: &mut Context<W>, warp: &mut Warp<W>, load: &Load, mask: Mask) -> Result<(), Trouble> {
    let at = addresses(&warp.regs, load.base, load.offset);
    let bytes = u64::from(load.bytes * load.elements);
    let mut trouble = None;
    let Warp { regs, locals, stacks, watch, index, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let request = Request { space: load.space, at: &at, mask, bytes, kind: AccessKind::Load };
    let tried = pieces(cx.launch, cx.shared, request, |space, region, at, mask| {
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
            };
            if let Some(delay) = &mut cx.delay
                && !is_between_groups(cx.launch, cx.pc, space, at, mask)
            {
                older = delay.choose(&touch, cx.watch, cx.block_watch, watch);
            }
            cx.watch.load(&touch, load, cx.block_watch, watch, regs);
        }
        let Some(region) = region else {
            trouble = trouble.or(load_local((locals, stacks), regs, load, at, mask, bytes));
            return;
        };
        let _whole = hold::<W>(load.semantics, load.elements, load.bytes);
        for (element, &reg) in load.dst[..load.elements as usize].iter().enumerate() {
            let skip = u64::from(load.bytes) * element as u64;
            if let (Width::Word, 1..=4, 0, None) = (reg.width, load.bytes, load.extend, &older) {
                let slot = regs.slot_mut(reg.index);
                match load.bytes {
                    1 => region.gather(at, skip, mask, |lane, value: u8| slot[lane] = value.into()),
                    2 => region.gather(at, skip, mask, |lane, value: u16| slot[lane] = value.into()),
                    _ => region.gather(at, skip, mask, |lane, value: u32| slot[lane] = value),
                }
                continue;
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
                    continue;
                }
            }
            if let Some(older) = &older {
                older.replace(element, mask, &mut values);
            }
            if load.extend != 0 {
                values = values.map(|value| extend(value, load.bytes, load.extend));
            }
            put(regs, reg, &values, mask);
        }
    });
    with_own(tried, trouble)
}

fn load_local(
    (locals, stacks): (&[Vec<u8>], &[Allocated]),
    regs: &mut Registers,
    load: &Load,
    at: &[u64; WARP],
    mask: Mask,
    bytes: u64,
) -> Option<Trouble> {
    let mut bad = 0;
    for lane in lanes(mask) {
        let Some(own) = own_bytes((locals, stacks), lane, at[lane], bytes) else {
            bad |= 1 << lane;
            continue;
        };
        for (element, reg) in own.chunks(load.bytes as usize).zip(&load.dst) {
            let mut wide = [0; 16];
            wide[..element.len()].copy_from_slice(element);
            let value = u128::from_le_bytes(wide);
            match load.extend {
                0 => regs.set_quad(*reg, lane, value),
                to => regs.set(*reg, lane, extend(value as u64, load.bytes, to)),
            }
        }
    }
    local_trouble(at, bytes, AccessKind::Load, bad)
}

/// One thread's bytes in its local memory and on its stack, if they are there.
fn own_bytes<'l>(
    (locals, stacks): (&'l [Vec<u8>], &'l [Allocated]),
    lane: usize,
    address: u64,
    bytes: u64,
) -> Option<&'l [u8]> {
    match stacks.get(lane) {
        Some(stack) if address >= STACK => stack.get(address, bytes).filter(|_| address & (bytes - 1) == 0),
        _ => local_range(&locals[lane], address, bytes).map(|range| &locals[lane][range]),
    }
}

/// Returns the reason why the lanes in `bad`, if there are any, cannot access their local memory.
fn local_trouble(at: &[u64; WARP], bytes: u64, kind: AccessKind, bad: Mask) -> Option<Trouble> {
    let lane = lanes(bad).next()?;
    let (address, misaligned) = (at[lane], at[lane] & (bytes - 1) != 0);
    Some(Trouble { lane, space: Space::Local, address, bytes, misaligned, kind, left: bad })
}

/// Combines the reasons why lanes cannot access other memory, and their own.
fn with_own(tried: Result<(), Trouble>, own: Option<Trouble>) -> Result<(), Trouble> {
    let left = own.map_or(0, |own| own.left);
    tried.map_err(|other| Trouble { left: other.left | left, ..other })?;
    own.map_or(Ok(()), Err)
}

/// Why a lane may not access memory at an address, if that is so.
pub(super) fn refusal(
    launch: &Launch,
    shared: &Region,
    locals: (&[Vec<u8>], &[Allocated]),
    lane: usize,
    (space, address, bytes): (Space, u64, u64),
    kind: AccessKind,
) -> Option<Trouble> {
    let mut own = None;
    let one = 1 << lane;
    let request = Request { space, at: &[address; WARP], mask: one, bytes, kind };
    let tried = pieces(launch, shared, request, |_, region, at, _| {
        let is_own = || own_bytes(locals, lane, at[lane], bytes).is_some();
        if region.is_none() && (kind == AccessKind::Atomic || !is_own()) {
            own = local_trouble(at, bytes, kind, one);
        }
    });
    tried.err().or(own)
}

pub fn store<W: Watch>(cx: &mut Context<W>, warp: &mut Warp<W>, store: &Store, mask: Mask) -> Result<(), Trouble> {
    let at = addresses(&warp.regs, store.base, store.offset);
    let bytes = u64::from(store.bytes * store.elements);
    let mut trouble = None;
    let Warp { regs, locals, stacks, watch, index, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let request = Request { space: store.space, at: &at, mask, bytes, kind: AccessKind::Store };
    let tried = pieces(cx.launch, cx.shared, request, |space, region, at, mask| {
        let mut behind = None;
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
            };
            if let Some(delay) = &mut cx.delay
                && !is_between_groups(cx.launch, cx.pc, space, at, mask)
            {
                behind = delay.behind(&touch, cx.watch, cx.block_watch, watch);
            }
            cx.watch.store(&touch, store, cx.block_watch, watch, regs);
        }
        let Some(region) = region else {
            trouble = trouble.or(store_local((locals, stacks), regs, store, at, mask, bytes));
            return;
        };
        let _whole = hold::<W>(store.semantics, store.elements, store.bytes);
        for (element, &reg) in store.src[..store.elements as usize].iter().enumerate() {
            let skip = u64::from(store.bytes) * element as u64;
            let write = |mask: Mask| {
                if let (4, Width::Word) = (store.bytes, reg.width) {
                    let slot = regs.slot(reg.index);
                    return region.scatter(at, skip, mask, |lane| slot[lane]);
                }
                let values = take(regs, reg);
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
            };
            let Some(delay) = &mut cx.delay else {
                write(mask);
                continue;
            };
            for lane in lanes(mask) {
                match behind.as_ref().map_or(0, |back| back[lane]) {
                    0 => {
                        delay.remember(space, region, at[lane] + skip, store.bytes);
                        write(1 << lane);
                    }
                    back => {
                        let value = regs.get(reg, lane) & (u64::MAX >> (64 - 8 * store.bytes));
                        delay.put_behind(space, at[lane], back, value);
                    }
                }
            }
        }
    });
    with_own(tried, trouble)
}

fn store_local(
    (locals, stacks): (&mut [Vec<u8>], &mut [Allocated]),
    regs: &Registers,
    store: &Store,
    at: &[u64; WARP],
    mask: Mask,
    bytes: u64,
) -> Option<Trouble> {
    let mut bad = 0;
    for lane in lanes(mask) {
        let aligned = at[lane] & (bytes - 1) == 0;
        let own = match stacks.get_mut(lane) {
            Some(stack) if at[lane] >= STACK => stack.get_mut(at[lane], bytes).filter(|_| aligned),
            _ => local_range(&locals[lane], at[lane], bytes).map(|range| &mut locals[lane][range]),
        };
        let Some(own) = own else {
            bad |= 1 << lane;
            continue;
        };
        for (element, reg) in own.chunks_mut(store.bytes as usize).zip(&store.src) {
            let value = regs.get_quad(*reg, lane).to_le_bytes();
            element.copy_from_slice(&value[..element.len()]);
        }
    }
    local_trouble(at, bytes, AccessKind::Store, bad)
}

pub fn atomic<W: Watch>(cx: &mut Context<W>, warp: &mut Warp<W>, op: &Atomic, mask: Mask) -> Result<(), Trouble> {
    let at = addresses(&warp.regs, op.base, op.offset);
    let bytes = op.ty.bytes();
    let whole = u64::from(bytes * op.elements);
    let mut trouble = None;
    let Warp { regs, watch, index, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let request = Request { space: op.space, at: &at, mask, bytes: whole, kind: AccessKind::Atomic };
    let tried = pieces(cx.launch, cx.shared, request, |space, region, at, mask| {
        let Some(region) = region else {
            // Local memory through a generic address: the ISA leaves it undefined.
            trouble = trouble.or(local_trouble(at, whole, AccessKind::Atomic, mask));
            return;
        };
        let mut late = None;
        if W::ON {
            let semantics = op.semantics;
            let touch = Touch {
                at: here,
                space,
                region: Some(region),
                addresses: at,
                mask,
                bytes,
                elements: op.elements,
                semantics,
            };
            if let Some(delay) = &mut cx.delay
                && !is_between_groups(cx.launch, cx.pc, space, at, mask)
            {
                late = delay.update(&touch, (op, &*regs), cx.watch, cx.block_watch, watch);
            }
            cx.watch.atomic(&touch, op, cx.block_watch, watch, regs);
        }
        let flush = space == Space::Global;
        // A block's shared memory is seen by the one host thread that runs the block, and with checks on a launch has
        // one.
        let alone = space == Space::Shared || W::ON && !region.is_shared_with_host();
        for element in 0..op.elements as usize {
            let (dst, src) = (op.dst[element], op.src[element]);
            let adds = (op.operation, op.ty, src.width, &cx.delay);
            if let (Operation::Add, Type::U32 | Type::S32, Width::Word, None) = adds {
                let skip = u64::from(bytes) * element as u64;
                let mut old = [0; WARP];
                let value = regs.slot(src.index);
                region.add_each(at, skip, mask, alone, |lane| value[lane], |lane, held| old[lane] = u64::from(held));
                if dst.is_some() {
                    put(regs, dst, &old, mask);
                }
                continue;
            }
            for lane in lanes(mask) {
                let address = at[lane] + u64::from(bytes) * element as u64;
                if bytes == 16 {
                    let (b, swap) = (regs.get_quad(src, lane), regs.get_quad(op.swap, lane));
                    let old = region.update_quad(address, |old| match op.operation {
                        Operation::CompareExchange if old != b => old,
                        Operation::CompareExchange => swap,
                        _ => b,
                    });
                    regs.set_quad(dst, lane, old);
                    continue;
                }
                if let Some(late) = late.as_ref().filter(|late| late.back[lane] != 0) {
                    if let Some(delay) = cx.delay.as_mut().filter(|_| late.fails >> lane & 1 == 0) {
                        delay.put_behind(space, address, late.back[lane], late.new[lane]);
                    }
                    regs.set(dst, lane, late.found[lane]);
                    continue;
                }
                let b = regs.get(src, lane);
                let swap = regs.get(op.swap, lane);
                let old = region.update(address, bytes, alone, |old| apply(op.operation, op.ty, flush, old, b, swap));
                if let Some(delay) = &mut cx.delay
                    && (op.operation != Operation::CompareExchange || old == b & (u64::MAX >> (64 - 8 * bytes)))
                {
                    delay.keep(space, address, old);
                }
                regs.set(dst, lane, old);
            }
        }
    });
    with_own(tried, trouble)
}

//! Local memory: each lane's variables, and its stack of `alloca` ([`crate::run::stack`]).

use super::request::InvalidAccess;
use super::value::extend;
use crate::exec::memory::{Load, StoreOp};
use crate::memory::space::Space;
use crate::registers::{Mask, Registers, WARP, lanes};
use crate::run::stack::{Allocated, STACK};
use finding::AccessKind;
use std::ops::Range;

/// Loads from local memory. Lanes outside theirs load nothing and are returned.
pub fn load(
    locals: (&[Vec<u8>], &[Allocated]),
    regs: &mut Registers,
    load: &Load,
    at: &[u64; WARP],
    mask: Mask,
    bytes: u64,
) -> Option<InvalidAccess> {
    let mut bad = 0;
    for lane in lanes(mask) {
        let Some(own) = bytes_of(locals, lane, at[lane], bytes) else {
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
    invalid(at, bytes, AccessKind::Load, bad)
}

/// Stores to local memory. Lanes outside theirs store nothing and are returned.
pub fn store(
    (locals, stacks): (&mut [Vec<u8>], &mut [Allocated]),
    regs: &Registers,
    store: &StoreOp,
    at: &[u64; WARP],
    mask: Mask,
    bytes: u64,
) -> Option<InvalidAccess> {
    let mut bad = 0;
    for lane in lanes(mask) {
        let aligned = at[lane] & (bytes - 1) == 0;
        let own = match stacks.get_mut(lane) {
            Some(stack) if at[lane] >= STACK => stack.get_mut(at[lane], bytes).filter(|_| aligned),
            _ => frame_range(&locals[lane], at[lane], bytes).map(|range| &mut locals[lane][range]),
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
    invalid(at, bytes, AccessKind::Store, bad)
}

/// Returns the bytes at an address of a lane's local memory, or `None` if they are outside it or misaligned.
pub fn bytes_of<'l>(
    (locals, stacks): (&'l [Vec<u8>], &'l [Allocated]),
    lane: usize,
    address: u64,
    bytes: u64,
) -> Option<&'l [u8]> {
    match stacks.get(lane) {
        Some(stack) if address >= STACK => stack.get(address, bytes).filter(|_| address & (bytes - 1) == 0),
        _ => frame_range(&locals[lane], address, bytes).map(|range| &locals[lane][range]),
    }
}

/// Returns the range of an access among a lane's variables, or `None` if it is outside them or misaligned.
#[inline]
fn frame_range(local: &[u8], address: u64, bytes: u64) -> Option<Range<usize>> {
    let start = usize::try_from(address).ok()?;
    let end = start.checked_add(bytes as usize)?;
    (end <= local.len() && address & (bytes - 1) == 0).then_some(start..end)
}

/// Returns the invalid access of the first lane in `bad`, or `None` if that is empty. All of `bad` remains.
pub fn invalid(at: &[u64; WARP], bytes: u64, kind: AccessKind, bad: Mask) -> Option<InvalidAccess> {
    let lane = lanes(bad).next()?;
    let (address, misaligned) = (at[lane], at[lane] & (bytes - 1) != 0);
    Some(InvalidAccess { lane, space: Space::Local, address, bytes, misaligned, kind, remaining: bad, image: None })
}

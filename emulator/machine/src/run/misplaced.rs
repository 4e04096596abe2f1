//! Accesses of memory that is not the kernel's: out of bounds, freed, or not aligned.

use super::access::Trouble;
use super::block::Block;
use super::ending::Ending;
use super::launch::Launch;
use super::sites::access;
use super::warp::Group;
use crate::memory::Missing;
use crate::memory::space::Space;
use crate::place;
use crate::types::Fault;
use crate::watch::Watch;
use finding::{Action, Cause, Finding, HostMemory, MemoryAccess, Offset, Outside, Severity, Side, Slug, Where};

/// An address that cannot be accessed.
pub(super) fn misplaced<W: Watch>(block: &Block<W>, which: usize, group: &Group, trouble: &Trouble) -> Ending {
    let launch = &block.launch;
    let &Trouble { kind, bytes, address, .. } = trouble;
    let near = place::of_shared(launch.part, trouble.space, address, bytes as u32);
    let missing = match trouble.space {
        Space::Global => launch.memory.missing(address, bytes),
        _ => Missing::Nothing,
    };
    let (slug, place, cause) = if trouble.misaligned {
        let place = Where::Misaligned { at: offset(launch, trouble), past: address % bytes, near };
        (Slug::Misaligned, place, Cause::Misaligned { kind, bytes })
    } else if let Missing::Freed(old) = missing {
        let place = Where::Freed { offset: address - old.base, bytes: old.bytes };
        (Slug::UseAfterFree, place, Cause::UseAfterFree { kind, heap: old.place == HostMemory::Heap })
    } else {
        let (at, side) = outside(launch, trouble, &missing);
        let cause = Cause::OutOfBounds { kind, bytes, space: trouble.space, side };
        (Slug::OutOfBounds, Where::Outside { at, near }, cause)
    };
    let warp = &block.warps[which];
    let thread = 32 * warp.index + trouble.lane as u32;
    let calls = warp.calls(group.frame);
    let mut end = access(launch, block.linear, thread, group.pc, &calls, Action::Accessed { bytes });
    let scope = end.memory.and_then(|memory| memory.scope);
    end.memory = Some(MemoryAccess { kind, space: trouble.space, scope, bytes: bytes as u32 });
    let finding = Finding {
        slug,
        severity: Severity::Error,
        kernel: launch.kernel.into(),
        accesses: vec![end],
        headline: None,
        place,
        cause,
        remedies: Vec::new(),
        count: 1,
    };
    let fault = if trouble.misaligned { Fault::MisalignedAddress } else { Fault::IllegalAddress };
    Ending::found(finding, fault)
}

/// Where an address lies that belongs to nothing, and on which side of what is near.
fn outside(launch: &Launch, trouble: &Trouble, missing: &Missing) -> (Outside, Side) {
    let &Trouble { space, address, bytes, .. } = trouble;
    let at = match (missing, space) {
        (Missing::Near(near), _) => {
            let (far, side) = match address.checked_sub(near.base) {
                // An access that begins inside counts up to its own end.
                Some(offset) if offset < near.bytes => (offset + bytes - near.bytes, Side::Past),
                Some(offset) => (offset - near.bytes, Side::Past),
                None => (near.base - address, Side::Before),
            };
            let element = place::outside(launch, near, address, bytes);
            let buffer = place::allocation_of(launch, near);
            return (Outside::Near { element, far, side, buffer }, side);
        }
        (_, Space::Shared) => Outside::Shared { address, bytes: launch.shared_bytes() },
        (_, space) => Outside::Nothing { space, address },
    };
    (at, Side::Past)
}

/// What a misaligned address counts from.
fn offset(launch: &Launch, trouble: &Trouble) -> Offset {
    let &Trouble { space, address, .. } = trouble;
    match launch.memory.allocation(address).filter(|_| space == Space::Global) {
        Some(allocation) => Offset::Allocation { offset: address - allocation.base, bytes: allocation.bytes },
        None => Offset::Space { space, address },
    }
}

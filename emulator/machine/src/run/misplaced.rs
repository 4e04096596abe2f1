//! Accesses of memory that is not the kernel's, in words: out of bounds, freed, or not aligned.

use super::access::{Action, Trouble};
use super::block::Block;
use super::launch::Launch;
use super::sites::access;
use super::warp::Group;
use crate::memory::Missing;
use crate::memory::space::Space;
use crate::place;
use crate::types::Place;
use crate::watch::Watch;
use finding::{Finding, Slug};

/// The finding for an address that cannot be accessed.
pub(super) fn misplaced<W: Watch>(block: &Block<W>, which: usize, group: &Group, trouble: &Trouble) -> Finding {
    let launch = &block.launch;
    let (verb, done) = match trouble.action {
        Action::Load => ("a load", "loads"),
        Action::Store => ("a store", "stores"),
        Action::Atomic => ("an atomic operation", "updates"),
    };
    let bytes = trouble.bytes;
    let space = trouble.space.name();
    let missing = match trouble.space {
        Space::Global => launch.memory.missing(trouble.address),
        _ => Missing::Nothing,
    };
    let mut arguments = Vec::new();
    let (slug, message, place, why, help) = if trouble.misaligned {
        (
            Slug::Misaligned,
            format!("{verb} of {bytes} bytes at an address that is no multiple of {bytes}"),
            place_of(launch, trouble),
            format!("a GPU accesses {bytes} bytes only at multiples of {bytes}"),
            "use a narrower type until the address is aligned, or align the buffer".to_string(),
        )
    } else if let Missing::Freed(old) = missing {
        (
            Slug::UseAfterFree,
            format!("{verb} in memory that has been freed"),
            format!("byte {} of a freed allocation of {} bytes", trouble.address - old.base, old.bytes),
            match old.place {
                Place::Heap => "a thread has freed the block".to_string(),
                _ => "the allocation was freed before this launch".to_string(),
            },
            match old.place {
                Place::Heap => "free the block after its last use, and set pointers to it to null".to_string(),
                _ => "free the buffer after the last launch that uses it has ended".to_string(),
            },
        )
    } else {
        let place = match (missing, trouble.space) {
            (Missing::Near(near), _) => {
                let of = place::allocation_of(launch, &near);
                let distance = match trouble.address.checked_sub(near.base) {
                    Some(offset) => format!("{} bytes past the end of {of}", offset - near.bytes),
                    None => format!("{} bytes before {of}", near.base - trouble.address),
                };
                match place::outside(launch, &near, trouble.address, bytes) {
                    Some(element) => {
                        arguments.extend(element.argument);
                        format!("{}, {distance}", element.text)
                    }
                    None => distance,
                }
            }
            (_, Space::Shared) => {
                format!("shared+{:#x}, where the block has {} bytes", trouble.address, launch.shared_bytes())
            }
            (_, space) => format!("{} address {:#x}, where there is no memory", space.name(), trouble.address),
        };
        (
            Slug::OutOfBounds,
            format!("{verb} of {bytes} bytes outside any {space} memory"),
            place,
            match missing {
                Missing::Near(near) if trouble.address < near.base => {
                    "the index is below 0: it leads to before what was allocated"
                }
                _ => "the index reaches past what was allocated",
            }
            .to_string(),
            match missing {
                Missing::Near(near) if trouble.address < near.base => {
                    "see how the index is worked out; where it may be negative on purpose, leave the access out"
                }
                _ => "check the index against the size before the access",
            }
            .to_string(),
        )
    };
    let name = place::of_address(launch.part, trouble.space, trouble.address, bytes as u32);
    let place = name.map_or(place.clone(), |name| format!("{place} (near `{name}`)"));
    let warp = &block.warps[which];
    let thread = 32 * warp.index + trouble.lane as u32;
    let action = format!("{done} {bytes} bytes");
    let calls = warp.calls(group.frame);
    Finding {
        slug,
        kernel: launch.kernel.into(),
        message,
        headline: None,
        accesses: vec![access(launch, block.linear, thread, group.pc, &calls, action)],
        place,
        why,
        help,
        count: 1,
        benign: false,
        arguments,
    }
}

/// Where a misaligned address lies. Offsets, not addresses: they are the same in a replay.
fn place_of(launch: &Launch, trouble: &Trouble) -> String {
    let past = trouble.address % trouble.bytes;
    match launch.memory.allocation(trouble.address).filter(|_| trouble.space == Space::Global) {
        Some(allocation) => {
            let offset = trouble.address - allocation.base;
            format!("byte {offset} of an allocation of {} bytes, {past} past a multiple", allocation.bytes)
        }
        None => format!("{}+{:#x}, {past} past a multiple", trouble.space.name(), trouble.address),
    }
}

//! A request of a warp, split by memory region.

use super::request::{InvalidAccess, MemoryRequest};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, WARP, lanes};
use crate::run::launch::Launch;
use finding::AccessKind;

/// Calls `run` for each group of lanes whose addresses lie in one region, until a lane's access is not allowed.
///
/// `run` gets the space, its region, and the addresses in that space. Local memory has no region: each lane has its
/// own, whose bounds `run` must check. On an error `run` has been called for the lanes outside
/// [`InvalidAccess::remaining`].
#[inline(always)]
pub(in crate::run) fn for_each_region(
    launch: &Launch,
    shared: &Region,
    request: MemoryRequest,
    mut run: impl FnMut(Space, Option<&Region>, &[u64; WARP], Mask),
) -> Result<(), InvalidAccess> {
    let MemoryRequest { space, at, mask, bytes, kind } = request;
    let mut rest = mask;
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let (here, same_space) = match space {
            Space::Generic => {
                let here = space::of_generic(at[first]);
                (here, rest & lanes_in(here, at))
            }
            space => (space, rest),
        };
        let in_window;
        let at = if space == Space::Generic && here != Space::Global {
            in_window = at.map(|address| address.wrapping_sub(space::window(here)));
            &in_window
        } else {
            at
        };
        let region = match here {
            Space::Shared => Some(shared),
            Space::Param => Some(&launch.params),
            Space::Local => {
                run(here, None, at, same_space);
                rest &= !same_space;
                continue;
            }
            Space::Generic | Space::Global => launch.memory.region(at[first]),
        };
        let invalid = |lane: usize, remaining: Mask| InvalidAccess {
            lane,
            space: here,
            address: at[lane],
            bytes,
            misaligned: at[lane] & (bytes - 1) != 0,
            kind,
            remaining,
            image: None,
        };
        let Some(region) = region else { return Err(invalid(first, rest)) };
        if kind != AccessKind::Load && here == Space::Param {
            return Err(invalid(first, rest));
        }
        if here == Space::Shared
            && let Some(lane) = outside_own_and_reserved(launch, at, same_space, bytes)
        {
            return Err(invalid(lane, rest));
        }
        if region.admits(at, same_space, bytes, bytes) {
            run(here, Some(region), at, same_space);
            rest &= !same_space;
            continue;
        }
        // Some lane is elsewhere: in another allocation, or in none.
        let fits = |lane: usize| region.contains(at[lane], bytes) && at[lane] & (bytes - 1) == 0;
        let inside: Mask = lanes(same_space).map(|lane| u32::from(fits(lane)) << lane).sum();
        if inside >> first & 1 == 0 {
            return Err(invalid(first, rest));
        }
        run(here, Some(region), at, inside);
        rest &= !inside;
        if here != Space::Global && same_space & !inside != 0 {
            return Err(invalid((same_space & !inside).trailing_zeros() as usize, rest));
        }
    }
    Ok(())
}

/// Returns the lanes whose generic address lies in `space`.
#[inline(always)]
fn lanes_in(space: Space, at: &[u64; WARP]) -> Mask {
    (0..WARP).fold(0, |same, lane| same | u32::from(space::of_generic(at[lane]) == space) << lane)
}

/// Returns a lane whose access lies in the gap between the block's own shared memory and the part that the system
/// reserves. Only kernels that use the reserved part have a region that includes the gap.
#[inline(always)]
fn outside_own_and_reserved(launch: &Launch, at: &[u64; WARP], mask: Mask, bytes: u64) -> Option<usize> {
    if !launch.code.asks_for_reserved_shared {
        return None;
    }
    let (own, reserved) = (launch.shared_bytes(), launch.reserved_shared()?);
    lanes(mask).find(|&lane| at[lane] + bytes > own && at[lane] < reserved)
}

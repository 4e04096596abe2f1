//! State spaces and the generic address windows (PTX ISA, "State Spaces", "Generic Addressing").
//!
//! Device memory starts at 2^48, above any user address of x86-64 and aarch64 with four
//! levels of page tables, so a device pointer is never a valid host pointer. Pinned and
//! unified memory keep their host addresses. Shared, local and parameter memory have
//! windows of their own at the top; every block and every thread sees its own memory there.

/// The state space of an access. `Generic`: the address decides, thread by thread. `Global`: `.const` as well, for its
/// addresses are generic ones already.
pub use finding::Space;

/// First address of device memory.
pub const DEVICE: u64 = 0x0001_0000_0000_0000;
/// One past the last address that device memory may use.
pub const DEVICE_END: u64 = HEAP;
/// First address of what kernels allocate, and one past the last.
pub const HEAP: u64 = 0x0001_e000_0000_0000;
pub const HEAP_END: u64 = SHARED;
pub const SHARED: u64 = 0x0001_f000_0000_0000;
pub const LOCAL: u64 = 0x0001_f100_0000_0000;
pub const PARAM: u64 = 0x0001_f200_0000_0000;
/// Device allocations start at multiples of this, as on hardware.
pub const GRANULE: u64 = 512;
/// Allocations of at least this size begin at a multiple of [`LARGE_ALIGNMENT`]. On an H200 all above 1 MiB do, and
/// programs that manage pages of their own rely on it.
pub const LARGE: u64 = 1 << 20;
pub const LARGE_ALIGNMENT: u64 = 2 << 20;
/// Size of each window in bytes.
pub const WINDOW: u64 = 1 << 24;
/// The shared memory of the block with rank `r` of a cluster begins at `(r + 1) * PEER` in the shared window. Each
/// block has its own at 0 as well. A block has less shared memory than that.
pub const PEER: u64 = 1 << 19;

/// The rank of the block whose shared memory holds an address of the shared window, and the offset there. No rank: the
/// block's own.
#[inline]
pub fn in_cluster(address: u64) -> (Option<u32>, u64) {
    ((address / PEER).checked_sub(1).and_then(|rank| u32::try_from(rank).ok()), address % PEER)
}

/// Where an offset of shared memory is in the block of that rank. Ranks that no cluster has give an address of nothing.
#[inline]
pub fn of_peer(offset: u64, rank: u32) -> u64 {
    (u64::from(rank).min(WINDOW / PEER - 2) + 1) * PEER + offset % PEER
}

/// Added to an address of this space to make it generic.
#[inline]
pub fn window(space: Space) -> u64 {
    match space {
        Space::Generic | Space::Global => 0,
        Space::Shared => SHARED,
        Space::Local => LOCAL,
        Space::Param => PARAM,
    }
}

/// The space that a generic address lies in.
#[inline(always)]
pub fn of_generic(address: u64) -> Space {
    if address < SHARED {
        return Space::Global;
    }
    match address {
        _ if address - SHARED < WINDOW => Space::Shared,
        _ if address.wrapping_sub(LOCAL) < WINDOW => Space::Local,
        _ if address.wrapping_sub(PARAM) < WINDOW => Space::Param,
        _ => Space::Global,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_do_not_overlap() {
        for space in [Space::Shared, Space::Local, Space::Param] {
            assert_eq!(of_generic(window(space)), space);
            assert_eq!(of_generic(window(space) + WINDOW - 1), space);
            assert_eq!(of_generic(window(space) + WINDOW), Space::Global);
        }
        assert_eq!(of_generic(DEVICE), Space::Global);
        assert_eq!(of_generic(0), Space::Global);
    }
}

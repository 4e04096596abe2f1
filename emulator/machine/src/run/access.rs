//! Loads, stores and atomics: addresses to memory, whole warps at a time where they are regular.
//!
//! A request of a warp is split by memory region ([`regions`]), then made region by region ([`load`], [`store`],
//! [`atomic`]). Local memory has no region, and each lane its own ([`local`]). The functions on this path are forced
//! inline, since they must be compiled into each kind of access.

mod atomic;
mod load;
mod local;
mod regions;
mod request;
mod store;
mod value;

pub use atomic::atomic;
pub use load::load;
pub(super) use regions::for_each_region;
pub(super) use request::MemoryRequest;
pub use request::{AccessContext, ImageMisuse, InvalidAccess, addresses};
pub use store::store;

use super::launch::Launch;
use super::stack::Allocated;
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::WARP;
use finding::AccessKind;

/// Returns why a lane may not access memory at an address, or `None` if it may.
pub(super) fn refusal(
    launch: &Launch,
    shared: &Region,
    locals: (&[Vec<u8>], &[Allocated]),
    lane: usize,
    (space, address, bytes): (Space, u64, u64),
    kind: AccessKind,
) -> Option<InvalidAccess> {
    let mut local_error = None;
    let one = 1 << lane;
    let request = MemoryRequest { space, at: &[address; WARP], mask: one, bytes, kind };
    let result = for_each_region(launch, shared, request, |_, region, at, _| {
        let is_local = || local::bytes_of(locals, lane, at[lane], bytes).is_some();
        if region.is_none() && (kind == AccessKind::Atomic || !is_local()) {
            local_error = local::invalid(at, bytes, kind, one);
        }
    });
    result.err().or(local_error)
}

//! The accesses of an instruction, and the words of memory, of at most 8 bytes, that it is about to access: what a
//! thread that waits looks at.

use super::access::addresses;
use super::launch::Launch;
use crate::exec::memory::Semantics;
use crate::exec::{Op, mbarrier};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, Reg, Registers, lanes};
use crate::types::Allocation;
use finding::{AccessKind, HostMemory};

/// Bytes of shared or global memory that a lane looks at or writes: 8 at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessedWord {
    pub space: Space,
    pub address: u64,
    pub bytes: u32,
}

impl AccessedWord {
    /// Returns its present value; 0 where there is no memory.
    pub fn value(&self, launch: &Launch, shared: &Region) -> u64 {
        let region = if self.space == Space::Shared { Some(shared) } else { launch.memory.region(self.address) };
        // An access that is not allowed is left out.
        let is_whole = self.address.is_multiple_of(self.bytes.into());
        let inside = region.filter(|region| is_whole && region.contains(self.address, self.bytes.into()));
        inside.map_or(0, |region| region.load_sized(self.address, self.bytes))
    }

    /// Returns true if it lies in the shared memory of another block of the cluster.
    pub fn is_of_peer(&self) -> bool {
        self.space == Space::Shared && space::in_cluster(self.address).0.is_some()
    }

    /// Returns true if the host can write it while a kernel runs.
    pub fn is_shared_with_host(&self, launch: &Launch) -> bool {
        let is_of_host = |found: Allocation| !matches!(found.place, HostMemory::Device | HostMemory::Heap);
        self.space != Space::Shared && launch.memory.allocation(self.address).is_some_and(is_of_host)
    }

    /// Writes what [`AccessedWord::value`] has given.
    pub fn put(&self, launch: &Launch, shared: &Region, value: u64) {
        let region = if self.space == Space::Shared { Some(shared) } else { launch.memory.region(self.address) };
        if let Some(region) = region.filter(|region| region.contains(self.address, self.bytes.into())) {
            region.write_bytes(self.address, &value.to_le_bytes()[..self.bytes as usize]);
        }
    }
}

/// The accesses of an instruction by one address for each lane.
pub(super) struct Accessed {
    pub kind: AccessKind,
    /// As the instruction says it.
    pub space: Space,
    pub base: Reg,
    pub offset: i64,
    /// Bytes of an element.
    pub bytes: u32,
    pub elements: u32,
    pub semantics: Semantics,
}

impl Accessed {
    pub fn by(op: &Op) -> Option<Accessed> {
        use AccessKind::*;
        let (kind, space, base, offset, bytes, elements, semantics) = match op {
            Op::Load(it) => (Load, it.space, it.base, it.offset, it.bytes, it.elements, it.semantics),
            Op::Store(it) => (Store, it.space, it.base, it.offset, it.bytes, it.elements, it.semantics),
            Op::Atomic(it) => (Atomic, it.space, it.base, it.offset, it.ty.bytes(), it.elements, it.semantics),
            Op::Mbarrier(it) => (BarrierObject, it.space, it.base, it.offset, mbarrier::BYTES as u32, 1, it.semantics),
            _ => return None,
        };
        Some(Accessed { kind, space, base, offset, bytes, elements, semantics })
    }
}

/// The memory that an instruction is about to access for these lanes; what is a thread's own is left out.
pub(super) fn accessed(launch: &Launch, regs: &Registers, op: &Op, mask: Mask) -> Vec<AccessedWord> {
    let Some(Accessed { space, base, offset, bytes, elements, .. }) = Accessed::by(op) else { return Vec::new() };
    let at = addresses(regs, base, offset);
    let all = u64::from(bytes * elements);
    let size = bytes.min(8);
    let word = |lane: usize, skip: u64| {
        let (here, address) = match space {
            Space::Generic => {
                let here = space::of_generic(at[lane]);
                (here, at[lane].wrapping_sub(space::window(here)))
            }
            space => (space, at[lane]),
        };
        let reachable = here == Space::Shared || here == Space::Global && launch.memory.region(address).is_some();
        reachable.then_some(AccessedWord { space: here, address: address.wrapping_add(skip), bytes: size })
    };
    lanes(mask).flat_map(|lane| (0..all).step_by(size as usize).filter_map(move |skip| word(lane, skip))).collect()
}

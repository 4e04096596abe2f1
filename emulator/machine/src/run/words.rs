//! The memory that an instruction is about to access, in words of at most 8 bytes: what a thread that waits looks at.

use super::access::addresses;
use super::launch::Launch;
use crate::exec::{Op, mbarrier};
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{Mask, Registers, lanes};

/// Bytes of shared or global memory that a lane looks at or writes: 8 at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub space: Space,
    pub address: u64,
    pub bytes: u32,
}

impl Word {
    /// What it holds now; 0 where there is no memory.
    pub fn value(&self, launch: &Launch, shared: &Region) -> u64 {
        let region = if self.space == Space::Shared { Some(shared) } else { launch.memory.region(self.address) };
        let inside = region.filter(|region| region.contains(self.address, self.bytes.into()));
        inside.map_or(0, |region| region.load_sized(self.address, self.bytes))
    }
}

/// The memory that an instruction is about to access for these lanes; what is a thread's own is left out.
pub fn words(launch: &Launch, regs: &Registers, op: &Op, mask: Mask) -> Vec<Word> {
    let (space, base, offset, bytes, elements) = match op {
        Op::Load(load) => (load.space, load.base, load.offset, load.bytes, load.elements),
        Op::Store(store) => (store.space, store.base, store.offset, store.bytes, store.elements),
        Op::Atomic(atomic) => (atomic.space, atomic.base, atomic.offset, atomic.ty.bytes(), atomic.elements),
        Op::Mbarrier(op) => (op.space, op.base, op.offset, mbarrier::BYTES as u32, 1),
        _ => return Vec::new(),
    };
    let at = addresses(regs, base, offset);
    let all = u64::from(bytes * elements);
    let size = bytes.min(8);
    let word = |lane: usize, skip: u64| {
        let (here, address) = match space {
            Space::Generic => {
                let here = Space::of_generic(at[lane]);
                (here, at[lane].wrapping_sub(here.window()))
            }
            space => (space, at[lane]),
        };
        let reachable = here == Space::Shared || here == Space::Global && launch.memory.region(address).is_some();
        reachable.then_some(Word { space: here, address: address.wrapping_add(skip), bytes: size })
    };
    lanes(mask).flat_map(|lane| (0..all).step_by(size as usize).filter_map(move |skip| word(lane, skip))).collect()
}

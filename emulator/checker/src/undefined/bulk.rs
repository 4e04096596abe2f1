//! Undefined bits that bulk copies move: those that a copy reads with its source, it writes to its destination.
//!
//! A reduction leaves those undefined that were so before, or are so in its operand.

use crate::sites::LaunchPlace;
use crate::undefined::memory::{BlockUndefined, Undefined};
use crate::undefined::origins::{OriginId, UnwrittenLoad};
use finding::{AccessKind, MemoryAccess};
use machine::memory::space::Space;
use machine::place;
use machine::run::bulk::BulkUnderWay;
use machine::run::launch::Launch;
use machine::run::sites::thread_name;

impl Undefined {
    /// Notes the undefined bits of what a bulk copy has read.
    pub fn read_bulk(
        &mut self,
        launch: &Launch,
        copy: &BulkUnderWay,
        linear: u64,
        block: &mut BlockUndefined,
        launch_place: LaunchPlace,
    ) {
        let (space, address) = copy.from;
        let base = if space == Space::Shared { 0 } else { allocation(launch, address).map_or(0, |(base, _)| base) };
        let bits = if space == Space::Shared { block.bits.as_ref() } else { self.bits.get(base) };
        let Some(bits) = bits.filter(|bits| copy.bytes > 0 && !bits.is_defined(address - base, copy.bytes.into()))
        else {
            return;
        };
        let words = (0..u64::from(copy.bytes)).step_by(4);
        let all = words.flat_map(|word| (bits.get(address - base + word, 4) as u32).to_le_bytes());
        let all: Box<[u8]> = all.collect();
        let first = all.iter().position(|bits| *bits != 0).unwrap_or(0) as u64 & !3;
        let origins = if space == Space::Shared { &block.origins } else { &self.memory };
        let mut origin = if origins.is_empty() { 0 } else { origins.get(address + first, 4) };
        if origin == 0 {
            let loader = thread_name(launch, linear, 32 * copy.warp + copy.lane);
            let load = || UnwrittenLoad {
                launch_place,
                loader,
                memory: MemoryAccess { kind: AccessKind::AsyncCopy, space, scope: None, bytes: 16 },
                place: place::of(launch, space, address + first, 4),
                gone: None,
            };
            origin = self.origins.load(launch_place, loader, load);
        }
        block.bulk.insert(copy.number, (all, origin));
    }

    /// Marks what a bulk copy is about to write.
    pub fn write_bulk(&mut self, launch: &Launch, copy: &BulkUnderWay, block: &mut BlockUndefined) {
        let read: Option<(Box<[u8]>, OriginId)> = block.bulk.remove(&copy.number);
        let (space, address) = copy.to;
        let base = match (space, allocation(launch, address)) {
            (Space::Shared, _) => 0,
            (_, Some((base, _))) => base,
            _ => return,
        };
        let (bits, origins) = match space {
            Space::Shared => (block.bits.as_mut(), &mut block.origins),
            _ => (self.bits.get_mut(base), &mut self.memory),
        };
        let (Some(bits), true) = (bits, copy.bytes > 0) else { return };
        let is_whole = copy.byte_mask == u16::MAX && copy.reduction.is_none();
        let Some((undefined, origin)) = read else {
            if is_whole {
                bits.fill(address - base, copy.bytes.into(), false);
            } else if copy.reduction.is_none() {
                let taken = (0..copy.bytes).filter(|at| copy.byte_mask >> (at % 16) & 1 != 0);
                taken.for_each(|at| bits.set(address - base + u64::from(at), 1, 0));
            }
            return;
        };
        for (at, &undefined) in undefined.iter().enumerate() {
            let (offset, is_taken) = (address - base + at as u64, copy.byte_mask >> (at % 16) & 1 != 0);
            if is_taken {
                let before = if copy.reduction.is_some() { bits.get(offset, 1) } else { 0 };
                bits.set(offset, 1, u64::from(undefined) | before);
            }
        }
        origins.set(address, copy.bytes.into(), origin);
    }
}

/// Returns base and size of the allocation that holds an address.
fn allocation(launch: &Launch, address: u64) -> Option<(u64, u64)> {
    launch.memory.allocation(address).map(|allocation| (allocation.base, allocation.bytes))
}

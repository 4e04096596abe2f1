//! Undefined bits that bulk copies move: those that a copy reads with its source, it writes to its destination.
//!
//! A reduction leaves those undefined that were so before, or are so in its operand.

use crate::sites::LaunchPlace;
use crate::undefined::bits::Bits;
use crate::undefined::memory::{BlockUndefined, Undefined};
use crate::undefined::origins::{OriginId, UnwrittenLoad};
use crate::undefined::registers::RegisterBits;
use finding::{AccessKind, MemoryAccess};
use machine::memory::space::Space;
use machine::place;
use machine::registers::{Reg, Registers};
use machine::run::bulk::{BulkUnderWay, CopySegment};
use machine::run::launch::Launch;
use machine::run::sites::thread_name;

/// The undefined bits of what a copy has read, and where they came from.
pub type ReadBits = (Box<[u8]>, OriginId);

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
        let Some((space, address)) = copy.from else { return };
        let base = if space == Space::Shared { 0 } else { allocation(launch, address).map_or(0, |(base, _)| base) };
        let bits = if space == Space::Shared { block.bits.as_ref() } else { self.bits.get(base) };
        let Some(bits) = bits else { return };
        let is_defined = |segment: &CopySegment| match segment.from {
            Some(from) => bits.is_defined(from - base, segment.bytes.into()),
            None => true,
        };
        if copy.segments().all(|segment| is_defined(&segment)) {
            return;
        }
        let mut all = Vec::new();
        let mut first = None;
        for segment in copy.segments() {
            let Some(from) = segment.from.filter(|_| !is_defined(&segment)) else {
                all.resize(all.len() + segment.bytes as usize, 0);
                continue;
            };
            for at in from..from + u64::from(segment.bytes) {
                all.push(bits.get(at - base, 1) as u8);
                if first.is_none() && all.last() != Some(&0) {
                    first = Some(at & !3);
                }
            }
        }
        let first = first.unwrap_or(address);
        let origins = if space == Space::Shared { &block.origins } else { &self.memory };
        let mut origin = if origins.is_empty() { 0 } else { origins.get(first, 4) };
        if origin == 0 {
            let loader = thread_name(launch, linear, 32 * copy.warp + copy.lane);
            let load = || UnwrittenLoad {
                launch_place,
                loader,
                memory: MemoryAccess { kind: AccessKind::AsyncCopy, space, scope: None, bytes: 16 },
                place: place::of(launch, space, first, 4),
                gone: None,
            };
            origin = self.origins.load(launch_place, loader, load);
        }
        block.bulk.insert(copy.number, (all.into(), origin));
    }

    /// Marks what a bulk copy is about to write.
    /// `read` are the bits that it has read, `block` is that of the destination if shared.
    pub fn write_bulk(
        &mut self,
        launch: &Launch,
        copy: &BulkUnderWay,
        read: Option<ReadBits>,
        block: &mut BlockUndefined,
    ) {
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
        let Some(bits) = bits else { return };
        let mut undefined = read.as_ref().map(|(undefined, _)| &undefined[..]);
        for CopySegment { to, bytes, .. } in copy.segments() {
            let of_segment = undefined.take().map(|all| {
                let (first, rest) = all.split_at(bytes as usize);
                undefined = Some(rest);
                first
            });
            let Some(of_segment) = of_segment else {
                write_defined(bits, to - base, bytes, copy);
                continue;
            };
            for (at, &undefined) in of_segment.iter().enumerate() {
                let (offset, is_taken) = (to - base + at as u64, copy.byte_mask >> (at % 16) & 1 != 0);
                if is_taken {
                    let before = if copy.reduction.is_some() { bits.get(offset, 1) } else { 0 };
                    bits.set(offset, 1, u64::from(undefined) | before);
                }
            }
            if let Some((_, origin)) = read {
                origins.set(to, bytes.into(), origin);
            }
        }
    }
}

impl BlockUndefined {
    /// Takes what a copy of this block has read.
    pub fn take_bulk(&mut self, number: u32) -> Option<ReadBits> {
        self.bulk.remove(&number)
    }

    /// Notes the undefined bits of the registers that an asynchronous store is about to write.
    pub fn store_async(&mut self, number: u32, values: &[Reg], regs: &Registers, lane: usize, bits: &RegisterBits) {
        let undefined = values.iter().flat_map(|reg| {
            let bytes = (4 * reg.width.slots()) as usize;
            bits.get(regs, *reg, lane).to_le_bytes().into_iter().take(bytes)
        });
        let undefined: Box<[u8]> = undefined.collect();
        if let Some(reg) = values.iter().find(|reg| bits.get(regs, **reg, lane) != 0) {
            self.bulk.insert(number, (undefined, bits.origins.get(regs, *reg, lane)));
        }
    }
}

/// Marks what a copy of defined bytes writes.
fn write_defined(bits: &mut Bits, offset: u64, bytes: u32, copy: &BulkUnderWay) {
    match copy.reduction {
        Some(_) => {}
        None if copy.byte_mask == u16::MAX => bits.fill(offset, bytes.into(), false),
        None => {
            let taken = (0..bytes).filter(|at| copy.byte_mask >> (at % 16) & 1 != 0);
            taken.for_each(|at| bits.set(offset + u64::from(at), 1, 0));
        }
    }
}

/// Returns base and size of the allocation that holds an address.
fn allocation(launch: &Launch, address: u64) -> Option<(u64, u64)> {
    launch.memory.allocation(address).map(|allocation| (allocation.base, allocation.bytes))
}

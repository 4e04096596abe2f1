//! Finds, for a wrong answer that no finding explains, the access that wrote the wrong element last, from the trace of
//! the run.

use crate::wrong::ElementAt;
use emulator::finding::{
    Access, AccessKind, AccessValue, Action, AtomicOperation, HostOperation, MemoryAccess, Space, ThreadName, ValueType,
};
use std::collections::{BTreeMap, BTreeSet};
use trace::{Array, ArrayName, Does, Event, Launch, Trace, TracePlace, What};

/// The last write of an element.
#[derive(Clone, Debug)]
pub struct LastWriter {
    pub kernel: String,
    pub access: Access,
    /// The kernel's name for the element.
    pub place: Option<finding::MemoryPlace>,
    /// The launch had more blocks than one.
    pub names_block: bool,
    /// The values that an atomic operation found and left.
    pub change: Option<(AccessValue, String)>,
    /// Elements of the block's shared arrays that it has written and no thread has read, if they are few, and the line
    /// that wrote the last one.
    pub unread: (Vec<finding::MemoryPlace>, u32),
}

impl LastWriter {
    /// The atomic operation that changed the element.
    pub fn changed_by(&self) -> Option<AtomicOperation> {
        match self.access.action {
            Action::Updated { operation, .. } => self.change.as_ref().map(|_| operation),
            _ => None,
        }
    }
}

/// Returns the last write of element `at` that the host found wrong; `None` where it is not known for sure.
pub fn last(trace: &Trace, at: &ElementAt) -> Option<LastWriter> {
    if trace.left_out != 0 {
        return None;
    }
    let mut all: Vec<Write> =
        trace.events.iter().filter_map(|event| element(event, at)).filter_map(|it| write(trace, it)).collect();
    all.sort_by_key(|write| (write.position, write.lane));
    all.dedup_by_key(|write| (write.position, write.lane));
    if all.len() > 1 {
        all.retain(|write| write.value.is_some_and(|(bits, ty)| reads_as(bits, ty, &at.got)));
    }
    let [write] = &all[..] else { return None };
    let event = &trace.events[write.position];
    let (who, launch) = (event.who?, trace.launches.iter().find(|one| (one.first..one.end).contains(&write.position))?);
    let site = &trace.sites[who.site];
    let (grid, block) = launch.block(who.block)?;
    let linear = 32 * who.warp + write.lane;
    let [x, y, _] = grid.block;
    let thread = ThreadName { block, thread: [linear % x, linear / x % y, linear / x / y], linear };
    let What::Access(access) = &event.what else { return None };
    let value = write.value.map(|(bits, ty)| AccessValue { bits, ty, stale: false, unwritten: false });
    let (kind, action) = match access.operation {
        Some(operation) => (
            AccessKind::Atomic,
            Action::Updated {
                operation,
                operand: write.operand.map(|bits| AccessValue { bits, ty: access.ty, stale: false, unwritten: false }),
            },
        ),
        None => (AccessKind::Store, Action::Stored { value }),
    };
    Some(LastWriter {
        kernel: grid.kernel.clone(),
        access: Access {
            location: site.location.clone(),
            called_from: site.called_from.clone(),
            ptx_line: site.ptx_line,
            thread: Some(thread),
            launched_by: Vec::new(),
            memory: Some(MemoryAccess { kind, space: access.space, scope: access.scope, bytes: access.bytes }),
            action,
        },
        place: write.place.map(|(array, index)| named(&trace.arrays[array], index)),
        names_block: grid.grid != [1; 3],
        change: write
            .found
            .map(|bits| (AccessValue { bits, ty: access.ty, stale: false, unwritten: false }, at.got.clone())),
        unread: unread(trace, launch, who.block, linear),
    })
}

fn named(array: &Array, index: Option<i64>) -> finding::MemoryPlace {
    match &array.name {
        ArrayName::Argument { number, .. } => finding::MemoryPlace::Argument { number: *number, index },
        ArrayName::Shared { name, .. } | ArrayName::Variable { name } => {
            finding::MemoryPlace::Variable { name: name.clone(), index: index.map(|index| index as u64) }
        }
    }
}

/// Returns the address of the element, and its bytes, if this is the copy that the host has compared.
fn element(event: &Event, at: &ElementAt) -> Option<(u64, u32)> {
    let What::Host { operation: HostOperation::CopyToHost, address, bytes, .. } = &event.what else { return None };
    let size = bytes / at.of as u64;
    let is_it = bytes % at.of as u64 == 0 && [1, 2, 4, 8].contains(&size);
    is_it.then_some((address.0 + size * at.index as u64, size as u32))
}

/// More than these are no clue.
const FEW: usize = 3;

/// Returns the elements that no thread has read. `thread` may still hold its own in a register: they are no clue.
fn unread(trace: &Trace, launch: &Launch, block: u64, thread: u32) -> (Vec<finding::MemoryPlace>, u32) {
    let (mut written, mut read) = (BTreeMap::new(), BTreeSet::new());
    for event in trace.events.get(launch.first..launch.end).unwrap_or_default() {
        let (Some(who), What::Access(access)) = (event.who, &event.what) else { continue };
        if who.block != block || access.space != Space::Shared {
            continue;
        }
        for by in &access.by_lane {
            let TracePlace::Element { array, index } = by.place else { return Default::default() };
            let first = index.unwrap_or(0);
            let all = (first..first + i64::from(access.elements)).map(|index| (array, index));
            match access.does {
                Does::Store => {
                    let is_own = 32 * who.warp + u32::from(by.lane) == thread;
                    written.extend(all.map(|element| (element, (who.site, is_own))));
                }
                _ => read.extend(all),
            }
        }
    }
    written.retain(|element, _| !read.contains(element));
    if written.values().any(|(_, is_own)| !is_own) {
        written.retain(|_, (_, is_own)| !*is_own);
    }
    let site = written.values().last().and_then(|(site, _)| trace.sites[*site].location.as_ref());
    match site {
        Some(at) if written.len() <= FEW => {
            (written.keys().map(|&(array, index)| named(&trace.arrays[array], Some(index))).collect(), at.line)
        }
        _ => Default::default(),
    }
}

/// A write of one element by one lane.
struct Write {
    position: usize,
    lane: u32,
    /// Index into the arrays, and which element.
    place: Option<(usize, Option<i64>)>,
    /// The value that it left, where the trace says.
    value: Option<(u64, ValueType)>,
    /// The operand of an atomic operation, and what it found.
    operand: Option<u64>,
    found: Option<u64>,
}

/// The last write of the `bytes` bytes at `address` of global memory.
fn write(trace: &Trace, (address, bytes): (u64, u32)) -> Option<Write> {
    trace.events.iter().enumerate().rev().find_map(|(position, event)| {
        let What::Access(access) = &event.what else { return None };
        let writes = matches!(access.does, Does::Store | Does::Atomic);
        if !writes || access.space != Space::Global || access.bytes != bytes {
            return None;
        }
        access.by_lane.iter().rev().find_map(|by| {
            let nth = address.checked_sub(by.address)? / u64::from(bytes);
            if nth >= u64::from(access.elements) || (address - by.address) % u64::from(bytes) != 0 {
                return None;
            }
            let brought = by.values.get(nth as usize).map(|bits| bits.0);
            let place = match by.place {
                TracePlace::Element { array, index } => Some((array, index.map(|index| index + nth as i64))),
                TracePlace::Address { .. } => None,
            };
            let (is_store, found) = (access.operation.is_none(), by.found.get(nth as usize).map(|bits| bits.0));
            if access.operation == Some(AtomicOperation::CompareExchange) && found != brought {
                return None; // It changed nothing.
            }
            Some(Write {
                position,
                lane: u32::from(by.lane),
                place,
                value: brought.filter(|_| is_store).map(|bits| (bits, access.ty)),
                operand: brought.filter(|_| !is_store),
                found,
            })
        })
    })
}

/// True if the host prints these bits so. The type of a store need not be the host's.
fn reads_as(bits: u64, ty: ValueType, got: &str) -> bool {
    let as_numbers = [
        (bits as i32).to_string(),
        (bits as u32).to_string(),
        (bits as i64).to_string(),
        bits.to_string(),
        format!("{:?}", f32::from_bits(bits as u32)),
        format!("{:?}", f64::from_bits(bits)),
    ];
    let narrow = match ty {
        ValueType::U8 | ValueType::S8 | ValueType::B8 => [(bits as i8).to_string(), (bits as u8).to_string()],
        _ => [(bits as i16).to_string(), (bits as u16).to_string()],
    };
    as_numbers.iter().chain(&narrow).any(|number| number == got)
}

//! Of a wrong answer that no finding explains: which access wrote the wrong element last, and whether what a note tells has
//! reached that access. Both are read from the trace of the run.

use crate::check::At;
use driver::emulator::finding::{
    Access, AccessKind, Action, Cause, Finding, HostOperation, MemoryAccess, Space, ThreadName, Value, ValueType,
};
use std::collections::HashSet;
use trace::{Array, ArrayName, Does, Event, Launch, Place, Trace, What, Who};

/// The last write of an element.
#[derive(Clone, Debug)]
pub struct Wrote {
    pub kernel: String,
    pub access: Access,
    /// What the kernel calls the element.
    pub place: Option<finding::Place>,
    /// The launch had more blocks than one.
    pub names_block: bool,
    /// Whether what the notes tell has reached this access; `None` where there are none, or where the trace is cut short.
    pub noted: Option<bool>,
}

/// Who wrote element `at` of what the host found wrong; `None` where that cannot be told for sure.
pub fn last(trace: &Trace, at: &At, notes: &[Finding]) -> Option<Wrote> {
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
    let value = write.value.map(|(bits, ty)| Value { bits, ty, stale: false, unwritten: false });
    let (kind, action) = match access.operation {
        Some(operation) => (
            AccessKind::Atomic,
            Action::Updated {
                operation,
                operand: write.operand.map(|bits| Value { bits, ty: access.ty, stale: false, unwritten: false }),
            },
        ),
        None => (AccessKind::Store, Action::Stored { value }),
    };
    let noted = match notes.is_empty() {
        true => None,
        false => Some(notes.iter().any(|note| reaches(trace, note, write))),
    };
    Some(Wrote {
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
        noted,
    })
}

fn named(array: &Array, index: Option<i64>) -> finding::Place {
    match &array.name {
        ArrayName::Argument { number, .. } => finding::Place::Argument { number: *number, index },
        ArrayName::Shared { name, .. } | ArrayName::Variable { name } => {
            finding::Place::Variable { name: name.clone(), index: index.map(|index| index as u64) }
        }
    }
}

/// Where the element would be, and its bytes, if this is the copy that the host has compared.
fn element(event: &Event, at: &At) -> Option<(u64, u32)> {
    let What::Host { operation: HostOperation::CopyToHost, address, bytes, .. } = &event.what else { return None };
    let size = bytes / at.of as u64;
    let is_it = bytes % at.of as u64 == 0 && [1, 2, 4, 8].contains(&size);
    is_it.then_some((address.0 + size * at.index as u64, size as u32))
}

/// A write of one element by one lane.
struct Write {
    position: usize,
    lane: u32,
    /// Index into the arrays, and which element.
    place: Option<(usize, Option<i64>)>,
    /// What it left, where the trace says.
    value: Option<(u64, ValueType)>,
    /// Of an atomic operation.
    operand: Option<u64>,
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
                Place::Element { array, index } => Some((array, index.map(|index| index + nth as i64))),
                Place::Address { .. } => None,
            };
            let is_store = access.operation.is_none();
            Some(Write {
                position,
                lane: u32::from(by.lane),
                place,
                value: brought.filter(|_| is_store).map(|bits| (bits, access.ty)),
                operand: brought.filter(|_| !is_store),
            })
        })
    })
}

/// Whether the host prints these bits so. The type of a store need not be the host's.
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

/// Whether what `note` tells has reached the thread of `write` by then: through shuffles and votes, or through memory. A thread that
/// it has reached once stays reached, so a yes may be too much; a no is not.
fn reaches(trace: &Trace, note: &Finding, write: &Write) -> bool {
    // What did not happen leaves no event.
    if note.cause == Cause::SwapFailedUnseen {
        return true;
    }
    let places: Vec<_> = note.accesses.iter().filter_map(|access| access.location.as_ref()).collect();
    let is_noted = |who: &Who| trace.sites[who.site].location.as_ref().is_some_and(|at| places.contains(&at));
    let mut reached = Reached::default();
    for (position, event) in trace.events.iter().enumerate().take(write.position + 1) {
        if trace.launches.iter().any(|launch: &Launch| launch.first == position) {
            reached.threads.clear();
            reached.shared.clear();
        }
        if let Some(who) = &event.who {
            reached.follow(who, &event.what, is_noted(who));
        }
    }
    let who = trace.events[write.position].who;
    who.is_some_and(|who| reached.threads.contains(&(who.block, who.warp, write.lane)))
}

/// Threads, by block, warp and lane, and words of memory.
#[derive(Default)]
struct Reached {
    threads: HashSet<(u64, u32, u32)>,
    shared: HashSet<(u64, u64)>,
    global: HashSet<u64>,
}

impl Reached {
    fn follow(&mut self, who: &Who, what: &What, is_noted: bool) {
        let thread = |lane: u32| (who.block, who.warp, lane);
        match what {
            What::Access(access) => {
                let bytes = u64::from(access.bytes * access.elements).max(1);
                for by in &access.by_lane {
                    let words = (by.address / 4)..=((by.address + bytes - 1) / 4);
                    let is_shared = access.space == Space::Shared;
                    let lane = thread(u32::from(by.lane));
                    let holds = |all: &Reached, word: u64| match is_shared {
                        true => all.shared.contains(&(who.block, word)),
                        false => all.global.contains(&word),
                    };
                    if matches!(access.does, Does::Load | Does::Atomic) && words.clone().any(|word| holds(self, word)) {
                        self.threads.insert(lane);
                    }
                    let is_reached = self.threads.contains(&lane);
                    let is_store = access.does == Does::Store;
                    for word in words.filter(|_| is_store || access.does == Does::Atomic && is_reached) {
                        match (is_shared, is_reached) {
                            (true, true) => _ = self.shared.insert((who.block, word)),
                            (true, false) => _ = self.shared.remove(&(who.block, word)),
                            (false, true) => _ = self.global.insert(word),
                            (false, false) => _ = self.global.remove(&word),
                        }
                    }
                }
            }
            What::Meets { exchanges, .. } => {
                let before: Vec<bool> = (0..32).map(|lane| self.threads.contains(&thread(lane))).collect();
                let of_any = exchanges.iter().any(|one| before[usize::from(one.lane % 32)]);
                for one in exchanges {
                    let is_reached = match one.from {
                        // Its own value, where it asked for another's.
                        Some(from) if from == one.lane => is_noted,
                        Some(from) => before[usize::from(from % 32)],
                        None => of_any,
                    };
                    if is_reached {
                        self.threads.insert(thread(u32::from(one.lane)));
                    }
                }
            }
            What::ActiveMask if is_noted => {
                let lanes = (0..32).filter(|lane| who.lanes.contains(*lane));
                lanes.for_each(|lane| _ = self.threads.insert(thread(lane)));
            }
            _ => {}
        }
    }
}

//! What outlives a launch: which memory is defined, who touched it last, and how the
//! host has ordered its operations.

use super::definedness::{Bits, GlobalBits};
use super::race::Memory;
use crate::device::Order;
use crate::memory::Region;
use crate::program::Program;
use crate::report::{Access, Finding, Slug};
use std::collections::HashMap;
use std::sync::Arc;

/// One launch, for those that come after it.
#[derive(Clone, Debug)]
pub struct Record {
    pub order: Order,
    pub kernel: String,
    /// For the source lines of its instructions.
    pub program: Arc<Program>,
    pub kernel_index: usize,
}

/// The launches so far, as the current one sees them.
#[derive(Debug, Default)]
pub struct Past {
    records: Vec<Record>,
    current: Order,
}

impl Past {
    /// True if launch number `launch` is ordered before the current one.
    pub fn is_before(&self, launch: u32) -> bool {
        // Number 0: nobody has touched it.
        let Some(record) = (launch as usize).checked_sub(1).and_then(|at| self.records.get(at)) else { return true };
        let agent = record.order.agent as usize;
        let done = |order: &Order| order.clock.get(agent).copied().unwrap_or(0);
        done(&self.current) >= done(&record.order)
    }

    pub fn record(&self, launch: u32) -> Option<&Record> {
        self.records.get((launch as usize).checked_sub(1)?)
    }
}

/// One device's memory of what happened.
#[derive(Debug, Default)]
pub struct State {
    pub bits: GlobalBits,
    memories: HashMap<u64, Memory>,
    pub past: Past,
}

impl State {
    /// Begins a launch; returns its number, from 1.
    pub fn begin(&mut self, record: Record) -> u32 {
        self.past.current = record.order.clone();
        self.past.records.push(record);
        self.past.records.len() as u32
    }

    /// The cells of the allocation at `base`, and the launches before.
    pub fn memory(&mut self, base: u64) -> (&mut Memory, &Past) {
        (self.memories.entry(base).or_default(), &self.past)
    }

    pub fn forget_memory(&mut self, base: u64) {
        self.bits.remove(base);
        self.memories.remove(&base);
    }

    /// The host, or a load, gives a range one state.
    pub fn fill(&mut self, region: &Region, address: u64, bytes: u64, undefined: bool) {
        let bits = self.bits.entry(region.base(), region.bytes());
        bits.fill(address - region.base(), bytes, undefined);
    }

    /// The host copies one range to another.
    pub fn copy(&mut self, target: &Region, to: u64, source: &Region, from: u64, bytes: u64) {
        let shadow: Option<Bits> = self.bits.get(source.base()).cloned();
        let bits = self.bits.entry(target.base(), target.bytes());
        match shadow {
            Some(shadow) => bits.copy(to - target.base(), &shadow, from - source.base(), bytes),
            None => bits.fill(to - target.base(), bytes, false),
        }
    }

    /// The host reads a range: what nothing has written must not reach it.
    pub fn host_read(&mut self, region: &Region, address: u64, bytes: u64) -> Vec<Finding> {
        let offset = address - region.base();
        let Some(first) = self.bits.get(region.base()).and_then(|bits| bits.first_undefined(offset, bytes)) else {
            return Vec::new();
        };
        let kernel = self.past.records.last().map_or_else(String::new, |record| record.kernel.clone());
        let action = format!("read {bytes} bytes from byte {offset} on");
        vec![Finding {
            slug: Slug::UndefinedValue,
            message: "the host copies a value that was never written".into(),
            accesses: vec![Access { location: None, ptx_line: 0, thread: None, action }],
            place: format!("byte {first} of an allocation of {} bytes", region.bytes()),
            why: match kernel.as_str() {
                "" => "no kernel and no copy has written it".into(),
                kernel => {
                    format!("neither `{kernel}`, the last kernel before the copy, nor anything else has written it")
                }
            },
            help: "let the kernel write every element that the host reads, or copy only what was written".into(),
            kernel,
            count: 1,
            benign: false,
        }]
    }
}

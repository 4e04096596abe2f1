//! What outlives a launch: which memory is defined, who touched it last, and how the
//! host has ordered its operations.

use crate::access::cells::{LINE, Memory};
use crate::access::overflow::Overflow;
use crate::order::launches::{Past, Record, is_before};
use crate::past::host::bytes_of;
use crate::sites::Sites;
use crate::sites::touched::{How, TouchKind, Touched};
use crate::undefined::memory::Undefined;
use finding::{Finding, HostOperation};
use machine::types::Order;
use rustc_hash::FxHashMap;

/// An operation of the host's on a stream: part of an allocation, read or written.
#[derive(Clone, Debug)]
pub struct HostAccess {
    pub base: u64,
    pub offset: u64,
    pub bytes: u64,
    pub writes: bool,
    pub order: Order,
    pub operation: HostOperation,
}

/// One device's memory of what happened.
#[derive(Debug, Default)]
pub struct State {
    undefined: Undefined,
    memories: FxHashMap<u64, Memory>,
    past: Past,
    /// Every access is judged by itself.
    one_by_one: bool,
    /// What to look for where an answer is wrong without a finding; asked for if there is a list.
    hints: Option<Vec<Finding>>,
    /// Accesses of words that raced.
    racing: u64,
    /// Asynchronous operations of the host's that are not in the cells yet, or that a later launch may not be ordered after.
    operations: Vec<HostAccess>,
}

impl State {
    /// Of a device with the same memory: what is undefined there is known, and no launch.
    pub fn fork(&self) -> State {
        State { undefined: self.undefined.fork(), ..State::default() }
    }

    /// From now on every access is judged by itself.
    pub fn judge_one_by_one(&mut self) {
        self.one_by_one = true;
    }

    /// From now on launches also look for what may explain a wrong answer, if `hints`. And a shuffle that finds its source lane
    /// absent gives an undefined value, where else it gives the lane's own, if `suspects_own`: a finding that only arises with
    /// this shows that the value matters.
    pub fn look_for(&mut self, hints: bool, suspects_own: bool) {
        self.hints = hints.then(Vec::new);
        self.undefined.suspect_own(suspects_own);
    }

    pub fn looks_for_hints(&self) -> bool {
        self.hints.is_some()
    }

    pub(crate) fn keep_hints(&mut self, hints: Vec<Finding>) {
        if let Some(kept) = &mut self.hints {
            kept.extend(hints);
        }
    }

    /// Accesses may be judged many at once.
    #[inline]
    pub fn may_be_short(&self) -> bool {
        !self.one_by_one && self.hints.is_none()
    }

    #[inline]
    pub(crate) fn undefined(&self) -> &Undefined {
        &self.undefined
    }

    #[inline]
    pub(crate) fn undefined_mut(&mut self) -> &mut Undefined {
        &mut self.undefined
    }

    /// The launches so far.
    pub(crate) fn past(&self) -> &Past {
        &self.past
    }

    /// For launches that come after this one: where its accesses stand.
    pub(crate) fn keep_sites(&mut self, launch: u32, sites: Sites) {
        self.past.keep_sites(launch, sites);
    }

    /// An asynchronous operation of the host's is kept until a launch begins.
    pub(super) fn add_operation(&mut self, operation: HostAccess) {
        self.operations.push(operation);
    }

    /// Accesses of words have raced.
    #[inline]
    pub(crate) fn add_racing(&mut self, count: u64) {
        self.racing += count;
    }

    /// What was seen so far.
    pub fn take_hints(&mut self) -> Vec<Finding> {
        self.hints.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How many words accesses have raced for so far, each time counted.
    pub fn racing_accesses(&self) -> u64 {
        self.racing
    }

    /// Begins a launch; returns its number, from 1.
    pub fn begin(&mut self, record: Record) -> u32 {
        let mut operations = std::mem::take(&mut self.operations);
        operations.iter().for_each(|operation| self.enter(operation));
        // What this launch comes after is in the cells now, for launches of other streams. The rest must be found there
        // however much this launch touches.
        operations.retain(|operation| !is_before(&operation.order, &record.order));
        self.operations = operations;
        self.past.push(record)
    }

    /// Puts an operation of the host's into the cells, as if a launch had done it.
    fn enter(&mut self, operation: &HostAccess) {
        let record = Record::host(operation.order.clone(), operation.operation);
        let launch = self.past.push(record);
        let kind = if operation.writes { TouchKind::Write } else { TouchKind::Read };
        let touch = |bytes| Touched { thread: 0, clock: 1, how: How::new(0, bytes, kind, None, 4) };
        let (start, end) = (operation.offset, operation.offset + operation.bytes);
        let memory = self.memories.entry(operation.base).or_default();
        let from = start & !3;
        for at in (from & !(LINE - 1)..end).step_by(LINE as usize) {
            let (page, line) = memory.cells.page(at);
            page.renew(line, launch, true, &mut Overflow::default());
            let row = &mut page.lines[line];
            if start <= at && at + LINE <= end && (operation.writes || !row.has_cells()) {
                let touched = touch(0xf);
                let (write, read) = if operation.writes { (touched, Touched::default()) } else { (row.write, touched) };
                row.set_rows(write, read);
                continue;
            }
            for word in (from.max(at)..end.min(at + LINE)).step_by(4) {
                let cell = &mut page.cells(line, &mut Overflow::default())[(word % LINE / 4) as usize];
                cell.read = Touched::default();
                *(if operation.writes { &mut cell.write } else { &mut cell.read }) =
                    touch(bytes_of(word, start, operation.bytes));
            }
        }
    }

    /// The cells of an allocation that was touched.
    pub fn touched(&self, base: u64) -> Option<&Memory> {
        self.memories.get(&base)
    }

    /// The cells of the allocation at `base`, the launches before, and what is undefined.
    pub fn memory(&mut self, base: u64) -> (&mut Memory, &Past, &Undefined) {
        (self.memories.entry(base).or_default(), &self.past, &self.undefined)
    }

    /// A range is new to whoever gets it: who was there before no longer counts, and what they have written is gone.
    pub fn renew(&mut self, base: u64, offset: u64, bytes: u64) {
        self.memories.entry(base).or_default().cells.forget(offset, bytes);
        self.undefined.fill_known(base, offset, bytes, true);
    }

    /// Memory is allocated.
    pub fn add_memory(&mut self, base: u64, bytes: u64, undefined: bool) {
        self.undefined.add(base, bytes, undefined);
    }

    /// After a launch that was not watched nothing is known to be undefined.
    pub fn forget_undefined(&mut self) {
        self.undefined.forget();
    }

    pub fn forget_memory(&mut self, base: u64) {
        self.undefined.remove(base);
        self.operations.retain(|operation| operation.base != base);
        self.memories.remove(&base);
    }
}

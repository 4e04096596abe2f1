//! The state that outlives a launch: undefined memory, the last accesses of memory, and the order of the host's
//! operations.

use crate::delays::history::Histories;
use crate::delays::overlap::LaunchWrites;
use crate::order::dependent::GridWaits;
use crate::order::launches::{LaunchRecord, Past, is_before};
use crate::races::RegionAccesses;
use crate::sites::Sites;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use crate::undefined::memory::Undefined;
use finding::{Finding, HostOperation, Severity};
use machine::memory::history::OlderValues;
use machine::types::{HostOrder, Judgement};
use rustc_hash::FxHashMap;

/// An operation of the host on a stream, which reads or writes part of an allocation.
#[derive(Clone, Debug)]
pub struct HostAccess {
    pub base: u64,
    pub offset: u64,
    pub bytes: u64,
    pub writes: bool,
    pub order: HostOrder,
    pub operation: HostOperation,
}

/// The state of one device.
#[derive(Debug, Default)]
pub struct DeviceState {
    undefined: Undefined,
    memories: FxHashMap<u64, RegionAccesses>,
    past: Past,
    judgement: Judgement,
    /// The hints so far, if launches search for what may explain a wrong answer without a finding.
    hints: Option<Vec<Finding>>,
    /// True if unordered pairs of volatile accesses are notes.
    notes_volatile: bool,
    /// True if launches have a note for threads that leave the kernel before a barrier that others of their block
    /// reach.
    notes_exits: bool,
    /// True if a copy of partly written memory to the host is a note.
    partial_copies_are_notes: bool,
    /// The number of accesses of words that raced.
    racing: u64,
    /// The writes of the last launch, if its schedule may give loads older values.
    writes: Option<LaunchWrites>,
    /// The asynchronous operations of the host that are not in the cells yet, or that a later launch may not be ordered
    /// after.
    operations: Vec<HostAccess>,
}

impl DeviceState {
    /// Returns the state of a device with the same memory: its undefined bits are known, and no launches.
    pub fn fork(&self) -> DeviceState {
        let DeviceState { notes_volatile, notes_exits, .. } = *self;
        DeviceState { undefined: self.undefined.fork(), notes_volatile, notes_exits, ..DeviceState::default() }
    }

    /// Sets how accesses are compared. To be called before the first launch: earlier accesses are not known otherwise.
    pub fn set_judgement(&mut self, judgement: Judgement) {
        self.judgement = judgement;
    }

    pub(crate) fn judgement(&self) -> Judgement {
        self.judgement
    }

    /// Reports a copy of partly written memory to the host as a note instead of an error: programs copy whole buffers
    /// and use the part that was written.
    pub fn note_partial_copies(&mut self) {
        self.partial_copies_are_notes = true;
    }

    /// Adds a note to a launch for conflicting volatile accesses that are unordered.
    pub fn note_volatile_pairs(&mut self) {
        self.notes_volatile = true;
    }

    pub fn notes_volatile_pairs(&self) -> bool {
        self.notes_volatile
    }

    /// Adds a note to a launch for threads that exit before a barrier that others of their block reach.
    pub fn note_exits_before_barriers(&mut self) {
        self.notes_exits = true;
    }

    pub fn notes_exits_before_barriers(&self) -> bool {
        self.notes_exits
    }

    pub(super) fn severity_of_partial_copy(&self) -> Severity {
        if self.partial_copies_are_notes { Severity::Note } else { Severity::Error }
    }

    /// Sets whether launches also search for what may explain a wrong answer (`hints`). Sets whether a shuffle whose
    /// source lane is absent returns an undefined value instead of the lane's own (`suspects_own`). A finding that only
    /// arises with this shows that the value matters.
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

    /// True if many accesses may be judged at once.
    #[inline]
    pub fn may_be_short(&self) -> bool {
        self.judgement == Judgement::Fast && self.hints.is_none()
    }

    #[inline]
    pub(crate) fn undefined(&self) -> &Undefined {
        &self.undefined
    }

    #[inline]
    pub(crate) fn undefined_mut(&mut self) -> &mut Undefined {
        &mut self.undefined
    }

    /// Returns the launches so far.
    pub(crate) fn past(&self) -> &Past {
        &self.past
    }

    /// Keeps the sites and the waits of a launch, for launches that come after it.
    pub(crate) fn keep_sites(&mut self, launch: u32, sites: Sites, waits: GridWaits) {
        self.past.keep_sites(launch, sites, waits);
    }

    /// Returns the writes of the launch before number `launch`, if the two may overlap.
    pub(crate) fn take_overlapped_writes(&mut self, launch: u32) -> Option<(Histories, OlderValues)> {
        self.writes.take()?.for_next(launch, &self.past)
    }

    /// Keeps the writes of a launch for one that overlaps with it.
    pub(crate) fn keep_writes(&mut self, writes: Option<LaunchWrites>) {
        self.writes = writes;
    }

    /// Keeps an asynchronous operation of the host until a launch begins.
    pub(super) fn add_operation(&mut self, operation: HostAccess) {
        self.operations.push(operation);
    }

    /// Adds to the number of accesses of words that raced.
    #[inline]
    pub(crate) fn add_racing(&mut self, count: u64) {
        self.racing += count;
    }

    /// Removes and returns the hints so far.
    pub fn take_hints(&mut self) -> Vec<Finding> {
        self.hints.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns the number of accesses of words that have raced so far.
    pub fn racing_accesses(&self) -> u64 {
        self.racing
    }

    /// Begins a launch; returns its number, from 1.
    pub fn begin(&mut self, record: LaunchRecord) -> u32 {
        let mut operations = std::mem::take(&mut self.operations);
        operations.iter().for_each(|operation| self.enter(operation));
        // The operations that this launch comes after are in the cells now, for launches of other streams. The rest
        // must be found there however much this launch accesses.
        operations.retain(|operation| !is_before(&operation.order, &record.order));
        self.operations = operations;
        self.past.push(record)
    }

    /// Enters an operation of the host into the cells, as if it were a launch.
    fn enter(&mut self, operation: &HostAccess) {
        let record = LaunchRecord::host(operation.order.clone(), operation.operation);
        let launch = self.past.push(record);
        let kind = if operation.writes { RecordedKind::Write } else { RecordedKind::Read };
        let touch = |bytes| RecordedAccess { thread: 0, clock: 1, info: AccessInfo::new(0, bytes, kind, None, 4) };
        let (start, end) = (operation.offset, operation.offset + operation.bytes);
        let memory = self.memories.entry(operation.base).or_default();
        if !self.past.are_all_before() {
            let is_displaced = |old: RecordedAccess| match operation.writes {
                // A conflict with an unordered kernel has already been reported as a race.
                true => old.launch().is_some_and(|launch| !self.past.is_kernel(launch)),
                false => !old.info.writes(),
            };
            memory.displaced.displace(&memory.cells, (start, end), launch, &self.past, is_displaced);
        }
        memory.enter((start, end), launch, touch, self.judgement);
    }

    /// Returns the cells of an allocation that was accessed.
    pub fn touched(&self, base: u64) -> Option<&RegionAccesses> {
        self.memories.get(&base)
    }

    /// Returns the cells of the allocation at `base`, the launches before, and the undefined bits.
    pub fn memory(&mut self, base: u64) -> (&mut RegionAccesses, &Past, &Undefined) {
        (self.memories.entry(base).or_default(), &self.past, &self.undefined)
    }

    /// Marks a range as new memory: earlier accesses no longer count, and what they have written is undefined.
    pub fn renew(&mut self, base: u64, offset: u64, bytes: u64) {
        self.memories.entry(base).or_default().forget(offset, bytes);
        self.writes = None;
        self.undefined.fill_known(base, offset, bytes, true);
    }

    /// Adds an allocation.
    pub fn add_memory(&mut self, base: u64, bytes: u64, undefined: bool) {
        self.undefined.add(base, bytes, undefined);
    }

    /// Makes an allocation longer. What it gains is `undefined` or not.
    pub fn grow_memory(&mut self, base: u64, bytes: u64, undefined: bool) {
        self.undefined.grow(base, bytes, undefined);
    }

    /// Records that work was not run that might have written memory. Unwritten memory is no longer reported, nor what
    /// follows from it.
    pub fn miss_work(&mut self) {
        self.undefined.miss_work();
    }

    /// Marks everything as defined, after a launch that was not checked.
    pub fn forget_undefined(&mut self) {
        self.undefined.forget();
    }

    pub fn forget_memory(&mut self, base: u64) {
        self.undefined.remove(base);
        self.operations.retain(|operation| operation.base != base);
        self.memories.remove(&base);
    }
}

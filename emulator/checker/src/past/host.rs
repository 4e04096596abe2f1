//! The host's copies and fills. They too race with launches that are not ordered before them, they define memory, and
//! the values that they bring to the host must have been written.

use crate::fast::cell::ShadowCell;
use crate::order::launches::LaunchRecord;
use crate::past::state::{DeviceState, HostAccess};
use crate::sites::touched::RecordedAccess;
use crate::undefined::report;
use finding::{
    Access, Action, Beside, Buffer, BufferName, Cause, Finding, HostOperation, MemoryAccess, MemoryPlace, NeverWritten,
    Reached, Severity, Slug, Space, Unwritten, Where,
};
use machine::memory::Region;
use machine::types::HostOrder;

/// The number of words, on each side of an unwritten one, in which a written one is searched for.
const NEAR: u64 = 1 << 12;

/// A range that the host reads or writes.
#[derive(Clone, Copy)]
pub struct HostRange<'a> {
    pub region: &'a Region,
    pub address: u64,
    pub bytes: u64,
}

impl HostRange<'_> {
    /// Returns the allocation's address and size.
    fn whole(&self) -> (u64, u64) {
        (self.region.base(), self.region.bytes())
    }

    fn offset(&self) -> u64 {
        self.address - self.region.base()
    }

    /// Returns the bytes of a word that are in the range, as a mask: the first and the last word need not be whole.
    fn bytes_of(&self, word: u64) -> u32 {
        bytes_of(word, self.offset(), self.bytes)
    }

    /// Returns the place of byte `offset` of the allocation, independent of its names in kernels.
    fn byte(&self, offset: u64) -> Where {
        Where::Byte { offset, buffer: Buffer { bytes: self.region.bytes(), of: BufferName::Allocation } }
    }
}

/// Returns the bytes of a word that are among `bytes` from `offset` on, as a mask.
pub(super) fn bytes_of(word: u64, offset: u64, bytes: u64) -> u32 {
    (0..4).filter(|byte| (offset..offset + bytes).contains(&(word + byte))).fold(0, |bits, byte| bits | 1 << byte)
}

/// Returns the finding for a byte that the host accesses while a copy of this kind may still use it.
pub fn touched_beside_copy(range: HostRange, writes: bool, copy: HostOperation) -> Finding {
    let operation = if writes { HostOperation::Write } else { HostOperation::Read };
    let copied = Action::Host { operation: copy, writes: copy == HostOperation::CopyToHost };
    Finding {
        slug: Slug::RaceGlobal,
        severity: Severity::Error,
        accesses: vec![Access::of_host(copied), Access::of_host(Action::Host { operation, writes })],
        headline: None,
        place: range.byte(range.offset()),
        cause: Cause::HostUnordered {
            operation,
            place: MemoryPlace::Unnamed { bytes: 1 },
            range: (range.offset(), range.bytes),
        },
        remedies: Vec::new(),
        kernel: String::new(),
        count: 1,
    }
}

impl DeviceState {
    /// Marks a range as undefined or defined, for the host or a load of a module.
    pub fn fill(&mut self, range: HostRange, undefined: bool) {
        self.undefined_mut().fill(range.whole(), range.offset(), range.bytes, undefined);
    }

    /// Copies the undefined bits of one range to another.
    pub fn copy(&mut self, to: HostRange, from: HostRange) {
        let sizes = (to.bytes, from.bytes);
        // The writers of the source are not known for its copy, so padding is handled here.
        let padding = self.padding(from.region.base(), from.offset(), from.offset() + from.bytes.min(to.bytes));
        self.undefined_mut().copy(to.whole(), to.offset(), from.region.base(), from.offset(), sizes);
        for (at, bytes) in padding {
            self.undefined_mut().fill_known(to.region.base(), to.offset() + (at - from.offset()), bytes, false);
        }
    }

    /// Returns the number of bytes of an allocation into which kernels have stored results of undefined values.
    pub fn stored_undefined(&self, region: &Region) -> u64 {
        let Some(bits) = self.undefined().bits().get(region.base()) else { return 0 };
        let stored = self.undefined().memory().within(region.base(), region.bytes());
        stored.filter(|(address, _)| bits.get(address - region.base(), 1) != 0).count() as u64
    }

    /// Reports unwritten memory that the host copies, except padding.
    pub fn undefined_read(&mut self, range: HostRange) -> Option<Finding> {
        let bits = self.undefined().bits().get(range.region.base())?;
        bits.first_undefined(range.offset(), range.bytes)?;
        let last = self.past().last_launch();
        let name = last.and_then(|last| last.kernel()).map(str::to_string);
        let kernel = name.clone().unwrap_or_default();
        let copies = Access::of_host(Action::HostRead { bytes: range.bytes, from: range.offset() });
        let base = range.region.base();
        let absent = self.undefined().memory().within(range.address, range.bytes);
        let mut absent = absent.map(|(address, origin)| (address - base, origin));
        let undefined =
            |(byte, origin): (u64, _)| Some((byte, self.undefined().origins().trace(origin)?, bits.get(byte, 1) != 0));
        if let Some((byte, trace, true)) = absent.find_map(|it| undefined(it).filter(|(.., is_so)| *is_so)) {
            return Some(report::copied(&trace, self.past(), copies, range.byte(byte), kernel));
        }
        if self.undefined().misses_work() {
            return None;
        }
        let first = self.first_forgotten(base, range.offset(), range.offset() + range.bytes)?;
        let (accesses, from) =
            match self.undefined().origins().unwritten(self.undefined().memory().get(base + first, 1)) {
                Some(load) => (vec![report::loaded(load, self.past()), copies], report::nothing_written(load)),
                None => {
                    let end = range.offset() + range.bytes;
                    let copied = Unwritten::Copied {
                        kernel: name,
                        at: last.and_then(LaunchRecord::first_line),
                        argument: last.and_then(|last| last.argument(base, base + first)),
                        bytes: bits.first_defined(first, end - first).unwrap_or(end) - first,
                        beside: self.written_beside(base, first, range.region.bytes()),
                    };
                    (vec![copies], copied)
                }
            };
        // A value that a thread has loaded unwritten does not belong to a part of a buffer that was left unwritten.
        let is_partial =
            matches!(from, Unwritten::Copied { .. }) && bits.first_defined(range.offset(), range.bytes).is_some();
        let severity = if is_partial { self.severity_of_partial_copy() } else { Severity::Error };
        Some(Finding {
            slug: Slug::UndefinedValue,
            severity,
            kernel,
            accesses,
            headline: None,
            place: range.byte(first),
            cause: Cause::NeverWritten(Box::new(NeverWritten { reached: Reached::Host, from })),
            remedies: Vec::new(),
            count: 1,
        })
    }

    /// Returns the last kernel's write nearest to byte `first` of the allocation at `base`: before it, else after it.
    fn written_beside(&self, base: u64, first: u64, bytes: u64) -> Option<Beside> {
        let (memory, kernel) = (self.touched(base)?, self.past().last_launch()?.kernel()?);
        let written = |word: u64| {
            let (launch, cell) = memory.cells.peek(word);
            let write = Some(cell.write).filter(|write| write.info.writes() && !write.info.is_none())?;
            let record = self.past().record(write.launch().unwrap_or(launch))?;
            let access = record.access(write.info.site(), Action::Used);
            let (at, bytes) = (access.location?, access.memory?.bytes);
            let offset = record.argument(base, base + word)?.offset;
            (record.kernel() == Some(kernel)).then_some(Beside { at, offset, bytes })
        };
        let word = first & !3;
        let before = (1..=NEAR).map_while(|far| word.checked_sub(4 * far));
        let after = (1..=NEAR).map(|far| word + 4 * far).take_while(|word| *word < bytes);
        before.chain(after).find_map(written)
    }

    /// Judges an operation against the launches before it, and keeps it for later ones.
    pub fn host_operation(
        &mut self,
        range: HostRange,
        writes: bool,
        order: &HostOrder,
        operation: HostOperation,
    ) -> Option<Finding> {
        let (base, offset, bytes) = (range.region.base(), range.offset(), range.bytes);
        // Operations that the host thread itself waits for (agent 0) happen before everything it does later, except for
        // its own accesses beside queued work.
        let is_beside = matches!(operation, HostOperation::Read | HostOperation::Write);
        if order.agent != 0 || is_beside {
            self.add_operation(HostAccess { base, offset, bytes, writes, order: order.clone(), operation });
        }
        if !self.past().any_unordered(order) {
            return None;
        }
        let words = (offset & !3..offset + bytes).step_by(4);
        let cells: Vec<_> = {
            let memory = self.touched(base)?;
            words
                .map(|word| (word, memory.cells.peek(word), memory.displaced.of_word(word).collect::<Vec<_>>()))
                .collect()
        };
        // The last write may be of an older launch than the rest of its cell.
        let racing = |word: u64, (launch, cell): &(u32, ShadowCell), displaced: &[RecordedAccess]| {
            // The program may mean its own access to be as strong as the kernel's.
            let conflict = |touched: &RecordedAccess| {
                !touched.info.is_none()
                    && touched.info.bytes() & range.bytes_of(word) != 0
                    && (writes || touched.info.writes())
                    && !(is_beside && touched.info.scope().is_some())
            };
            let known = [cell.write, cell.read].into_iter().chain(displaced.iter().copied()).filter(conflict);
            known
                .map(|touched| (touched, touched.launch().unwrap_or(*launch)))
                .find(|(_, launch)| !self.past().precedes(*launch, order) && self.past().is_kernel(*launch))
        };
        let mut found =
            cells.iter().filter_map(|(word, cell, displaced)| Some((word, racing(*word, cell, displaced)?)));
        let (word, (first, launch)) = found.next()?;
        let count = 1 + found.count() as u64;
        let record = self.past().record(launch)?;
        let kernel = record.kernel()?.to_string();
        let accessed = Action::InKernel { writes: first.info.writes(), kernel: kernel.clone() };
        let accessed = record.access(first.info.site(), accessed);
        // A later launch has kept only the number of the launch.
        let thread = first.launch().is_none().then(|| record.names()?.thread(first.thread)).flatten();
        let names = record.names()?;
        let whole = range.whole();
        let place = names.place(whole, base + (word & !(u64::from(first.info.size().max(1)) - 1)), first.info.size());
        let memory = accessed.memory.clone().map(|memory| MemoryAccess { space: Space::Global, ..memory });
        Some(Finding {
            slug: Slug::RaceGlobal,
            severity: Severity::Error,
            accesses: vec![Access { memory, thread, ..accessed }, Access::of_host(Action::Host { operation, writes })],
            headline: None,
            place: Where::Byte { offset: *word, buffer: names.buffer(base, whole.1) },
            cause: Cause::HostUnordered { operation, place, range: (offset, bytes) },
            remedies: Vec::new(),
            kernel,
            count,
        })
    }
}

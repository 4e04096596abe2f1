//! The host's copies and fills: they too race with launches that nothing orders before
//! them, they define memory, and what they bring to the host should have been written.

use crate::access::cell::Cell;
use crate::order::launches::Record;
use crate::past::state::{HostAccess, State};
use crate::sites::touched::Touched;
use crate::undefined::report;
use finding::{
    Access, Action, Beside, Buffer, BufferName, Cause, Finding, HostOperation, MemoryAccess, NeverWritten, Reached,
    Severity, Slug, Space, Unwritten, Where,
};
use machine::memory::Region;
use machine::types::Order;

/// Words on each side of one that nothing has written in which a written one is looked for.
const NEAR: u64 = 1 << 12;

/// A range that the host reads or writes.
#[derive(Clone, Copy)]
pub struct Range<'a> {
    pub region: &'a Region,
    pub address: u64,
    pub bytes: u64,
}

impl Range<'_> {
    /// Where the allocation begins, and its bytes.
    fn whole(&self) -> (u64, u64) {
        (self.region.base(), self.region.bytes())
    }

    fn offset(&self) -> u64 {
        self.address - self.region.base()
    }

    /// Which of the four bytes of a word are in it: the first and the last word need not be whole.
    fn bytes_of(&self, word: u64) -> u32 {
        bytes_of(word, self.offset(), self.bytes)
    }

    /// Byte `offset` of the allocation, whatever kernels call it.
    fn byte(&self, offset: u64) -> Where {
        Where::Byte { offset, buffer: Buffer { bytes: self.region.bytes(), of: BufferName::Allocation } }
    }
}

/// Which of the four bytes of a word are among `bytes` from `offset` on.
pub(super) fn bytes_of(word: u64, offset: u64, bytes: u64) -> u32 {
    (0..4).filter(|byte| (offset..offset + bytes).contains(&(word + byte))).fold(0, |bits, byte| bits | 1 << byte)
}

impl State {
    /// The host, or a load, gives a range one state.
    pub fn fill(&mut self, range: Range, undefined: bool) {
        self.undefined_mut().fill(range.whole(), range.offset(), range.bytes, undefined);
    }

    /// One range's bytes copied to another.
    pub fn copy(&mut self, to: Range, from: Range) {
        let sizes = (to.bytes, from.bytes);
        // Who wrote the source is not known of its copy: padding is settled here.
        let padding = self.padding(from.region.base(), from.offset(), from.offset() + from.bytes.min(to.bytes));
        self.undefined_mut().copy(to.whole(), to.offset(), from.region.base(), from.offset(), sizes);
        for (at, bytes) in padding {
            self.undefined_mut().fill_known(to.region.base(), to.offset() + (at - from.offset()), bytes, false);
        }
    }

    /// Bytes of an allocation into which kernels have stored what comes of undefined values.
    pub fn stored_undefined(&self, region: &Region) -> u64 {
        let Some(bits) = self.undefined().bits().get(region.base()) else { return 0 };
        let stored = self.undefined().memory().within(region.base(), region.bytes());
        stored.filter(|(address, _)| bits.get(address - region.base(), 1) != 0).count() as u64
    }

    /// What nothing has written must not reach the host, but for padding.
    pub fn undefined_read(&mut self, range: Range) -> Option<Finding> {
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
        let first = self.first_forgotten(base, range.offset(), range.offset() + range.bytes)?;
        let (accesses, from) =
            match self.undefined().origins().unwritten(self.undefined().memory().get(base + first, 1)) {
                Some(load) => (vec![report::loaded(load, self.past()), copies], report::nothing_written(load)),
                None => {
                    let end = range.offset() + range.bytes;
                    let copied = Unwritten::Copied {
                        kernel: name,
                        at: last.and_then(Record::first_line),
                        argument: last.and_then(|last| last.argument(base, base + first)),
                        bytes: bits.first_defined(first, end - first).unwrap_or(end) - first,
                        beside: self.written_beside(base, first, range.region.bytes()),
                    };
                    (vec![copies], copied)
                }
            };
        Some(Finding {
            slug: Slug::UndefinedValue,
            severity: Severity::Error,
            kernel,
            accesses,
            headline: None,
            place: range.byte(first),
            cause: Cause::NeverWritten(Box::new(NeverWritten { reached: Reached::Host, from })),
            remedies: Vec::new(),
            count: 1,
        })
    }

    /// What the last kernel wrote nearest to byte `first` of the allocation at `base`: before it, else after it.
    fn written_beside(&self, base: u64, first: u64, bytes: u64) -> Option<Beside> {
        let (memory, kernel) = (self.touched(base)?, self.past().last_launch()?.kernel()?);
        let written = |word: u64| {
            let (launch, cell) = memory.cells.peek(word);
            let write = Some(cell.write).filter(|write| write.how.writes() && !write.how.is_none())?;
            let record = self.past().record(write.launch().unwrap_or(launch))?;
            let access = record.access(write.how.site(), Action::Used);
            let (at, bytes) = (access.location?, access.memory?.bytes);
            let offset = record.argument(base, base + word)?.offset;
            (record.kernel() == Some(kernel)).then_some(Beside { at, offset, bytes })
        };
        let word = first & !3;
        let before = (1..=NEAR).map_while(|far| word.checked_sub(4 * far));
        let after = (1..=NEAR).map(|far| word + 4 * far).take_while(|word| *word < bytes);
        before.chain(after).find_map(written)
    }

    /// Judges an operation against the launches before it and keeps it for those after it.
    pub fn host_operation(
        &mut self,
        range: Range,
        writes: bool,
        order: &Order,
        operation: HostOperation,
    ) -> Option<Finding> {
        let (base, offset, bytes) = (range.region.base(), range.offset(), range.bytes);
        // What the host thread itself waits for (agent 0) is before everything it does later, but for what it does beside
        // work that is queued.
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
            words.map(|word| (word, memory.cells.peek(word))).collect()
        };
        // The last write may be of an older launch than the rest of its cell.
        let racing = |word: u64, (launch, cell): &(u32, Cell)| {
            // The program may mean its own access to be as strong as the kernel's.
            let conflict = |touched: &Touched| {
                !touched.how.is_none()
                    && touched.how.bytes() & range.bytes_of(word) != 0
                    && (writes || touched.how.writes())
                    && !(is_beside && touched.how.scope().is_some())
            };
            let known = [cell.write, cell.read].into_iter().filter(conflict);
            known
                .map(|touched| (touched, touched.launch().unwrap_or(*launch)))
                .find(|(_, launch)| !self.past().precedes(*launch, order) && self.past().is_kernel(*launch))
        };
        let mut found = cells.iter().filter_map(|(word, cell)| Some((word, racing(*word, cell)?)));
        let (word, (first, launch)) = found.next()?;
        let count = 1 + found.count() as u64;
        let record = self.past().record(launch)?;
        let kernel = record.kernel()?.to_string();
        let accessed = Action::InKernel { writes: first.how.writes(), kernel: kernel.clone() };
        let accessed = record.access(first.how.site(), accessed);
        let memory = accessed.memory.clone().map(|memory| MemoryAccess { space: Space::Global, ..memory });
        Some(Finding {
            slug: Slug::RaceGlobal,
            severity: Severity::Error,
            accesses: vec![Access { memory, ..accessed }, Access::of_host(Action::Host { operation, writes })],
            headline: None,
            place: range.byte(*word),
            cause: Cause::HostUnordered { operation },
            remedies: Vec::new(),
            kernel,
            count,
        })
    }
}

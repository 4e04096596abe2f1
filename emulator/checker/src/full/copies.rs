//! The host's copies and fills: they too race with launches that nothing orders before
//! them, they define memory, and what they bring to the host should have been written.

use super::absence;
use super::cells::Cell;
use super::host::{Operation, State};
use super::touched::Touched;
use finding::{Access, Finding, Slug};
use machine::memory::Region;
use machine::types::Order;

/// A range that the host reads or writes.
#[derive(Clone, Copy)]
pub struct Range<'a> {
    pub region: &'a Region,
    pub address: u64,
    pub bytes: u64,
}

impl Range<'_> {
    fn offset(&self) -> u64 {
        self.address - self.region.base()
    }
}

impl State {
    /// The host, or a load, gives a range one state.
    pub fn fill(&mut self, range: Range, undefined: bool) {
        self.bits.entry(range.region.base(), range.region.bytes()).fill(range.offset(), range.bytes, undefined);
        self.memory_origins.forget(range.address, range.bytes);
    }

    /// One range's bytes copied to another.
    pub fn copy(&mut self, to: Range, from: Range) {
        let shadow = self.bits.get(from.region.base()).cloned();
        let bits = self.bits.entry(to.region.base(), to.region.bytes());
        match shadow {
            Some(shadow) => bits.copy(to.offset(), &shadow, from.offset(), from.bytes),
            None => bits.fill(to.offset(), to.bytes, false),
        }
        self.memory_origins.copy(to.address, from.address, from.bytes);
    }

    /// What nothing has written must not reach the host.
    pub fn undefined_read(&mut self, range: Range) -> Option<Finding> {
        let bits = self.bits.get(range.region.base())?;
        let first = bits.first_undefined(range.offset(), range.bytes)?;
        let kernel = self.past.last_kernel().unwrap_or_default().to_string();
        let action = format!("the host read {} bytes from byte {} on", range.bytes, range.offset());
        let copies = Access::of_host(action);
        let place = |byte: u64| format!("byte {byte} of an allocation of {} bytes", range.region.bytes());
        let base = range.region.base();
        let absent = self.memory_origins.within(range.address, range.bytes);
        let mut absent = absent.map(|(address, origin)| (address - base, origin));
        let undefined = |(byte, origin): (u64, _)| Some((byte, self.origins.trace(origin)?, bits.get(byte, 1) != 0));
        if let Some((byte, trace, true)) = absent.find_map(|it| undefined(it).filter(|(.., is_so)| *is_so)) {
            return Some(absence::copied(&trace, &self.past, copies, place(byte), kernel));
        }
        if let Some(unwritten) = self.origins.unwritten(self.memory_origins.get(base + first, 1)) {
            return Some(Finding {
                slug: Slug::UndefinedValue,
                message: "the host copies what was made of a value that was never written".into(),
                headline: None,
                accesses: vec![absence::loaded(unwritten, &self.past), copies],
                place: place(first),
                why: absence::nothing_written(unwritten),
                help: "write it before it is loaded, on every path that leads there; if another thread writes it, a barrier \
                       must come between"
                    .into(),
                kernel,
                count: 1,
                benign: false,
                arguments: unwritten.place.argument.clone().into_iter().collect(),
            });
        }
        Some(Finding {
            slug: Slug::UndefinedValue,
            message: "the host copies a value that was never written".into(),
            headline: None,
            accesses: vec![copies],
            place: place(first),
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
            arguments: Vec::new(),
        })
    }

    /// Judges an operation against the launches before it and keeps it for those after it.
    pub fn host_operation(&mut self, range: Range, writes: bool, order: &Order, name: &'static str) -> Option<Finding> {
        let (base, offset, bytes) = (range.region.base(), range.offset(), range.bytes);
        // What the host thread itself waits for (agent 0) is before everything it does later.
        if order.agent != 0 {
            self.operations.push(Operation { base, offset, bytes, writes, order: order.clone(), name });
        }
        if !self.past.any_unordered(order) {
            return None;
        }
        let words = (offset & !3..offset + bytes).step_by(4);
        let cells: Vec<_> = {
            let memory = self.touched(base)?;
            words.map(|word| (word, memory.cells.peek(word))).collect()
        };
        // The last write may be of an older launch than the rest of its cell.
        let racing = |(launch, cell): &(u32, Cell)| {
            let conflict = |touched: &Touched| !touched.how.is_none() && (writes || touched.how.writes());
            let known = [cell.write, cell.read].into_iter().filter(conflict);
            known
                .map(|touched| (touched, touched.launch().unwrap_or(*launch)))
                .find(|(_, launch)| !self.past.precedes(*launch, order) && self.past.is_kernel(*launch))
        };
        let mut found = cells.iter().filter_map(|(word, cell)| Some((word, racing(cell)?)));
        let (word, (first, launch)) = found.next()?;
        let count = 1 + found.count() as u64;
        let record = self.past.record(launch)?;
        let verb = if first.how.writes() { "stored" } else { "loaded" };
        let done = if writes { "wrote" } else { "read" };
        Some(Finding {
            slug: Slug::RaceGlobal,
            kernel: record.name.clone(),
            message: format!("`{}` and {name} are not ordered", record.name),
            headline: None,
            accesses: vec![
                record.access(first.how.site(), format!("{verb} it in `{}`", record.name)),
                Access::of_host(format!("{name} {done} it")),
            ],
            place: format!("byte {word} of an allocation of {} bytes", range.region.bytes()),
            why: "the launch and the copy are in streams that nothing orders".into(),
            help: "use one stream for both, let one wait for the other's event, or synchronise before the copy".into(),
            count,
            benign: false,
            arguments: Vec::new(),
        })
    }
}

//! Managed and page-locked memory that the program touches while a kernel that got a pointer into it is still queued,
//! or an asynchronous copy from or to it.
//!
//! On a GPU the kernel may be running then, so the program must wait first. Until a queued kernel has run, the pages of
//! each managed allocation that an argument of it points into are protected. The first touch of a page raises a signal:
//! it is noted, the page is opened, and the program goes on and sees what was there before. At the next call of the
//! driver each note becomes an access by the host, for the race checker to judge like any other.
//!
//! Off until [`watch`] is called: a signal handler belongs to whoever runs the program. If the program brings one of
//! its own, that one stays, and nothing is watched. A call of the operating system does not raise the signal but fails
//! with `EFAULT`; so memory is protected for as long as it must be and no longer.

use crate::emulated::base::thread::is_in_host_function;
use crate::emulated::queue::StreamMark;
use emulator::finding::HostOperation;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_void};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Pages of the emulator's managed memory. The system's own may be smaller.
const PAGE: usize = emulator::PAGE;

/// Allocations that can be watched at a time, and notes between two calls.
const MOST_RANGES: usize = 1 << 10;
const MOST_NOTES: usize = 1 << 8;

static IS_WATCHING: AtomicBool = AtomicBool::new(false);
/// First and last byte of each allocation, plus one; 0 where there is none. The handler takes no lock.
static RANGES: [[AtomicUsize; 2]; MOST_RANGES] = [const { [const { AtomicUsize::new(0) }; 2] }; MOST_RANGES];
/// Addresses, and whether they were written.
static NOTES: [AtomicUsize; MOST_NOTES] = [const { AtomicUsize::new(0) }; MOST_NOTES];
static WRITTEN: [AtomicBool; MOST_NOTES] = [const { AtomicBool::new(false) }; MOST_NOTES];
static NOTED: AtomicUsize = AtomicUsize::new(0);

/// From here on managed memory is watched.
pub fn watch() {
    IS_WATCHING.store(true, Ordering::Relaxed);
}

/// A context's managed allocations by address, with their length in whole pages.
#[derive(Default)]
pub(crate) struct Managed {
    ranges: BTreeMap<u64, usize>,
    /// Queued launches by stream and number, with the allocations that they got pointers into.
    queued: BTreeMap<(u64, u64), Vec<u64>>,
    protected: BTreeSet<u64>,
    /// Queued asynchronous copies by stream and number, with the part of such memory that they read or write.
    copies: BTreeMap<(u64, u64), CopiedMemory>,
}

/// Memory of the host that a queued copy uses.
#[derive(Clone, Copy)]
struct CopiedMemory {
    start: u64,
    bytes: u64,
    writes: bool,
}

impl CopiedMemory {
    /// Returns true if an access by the host conflicts with the copy.
    fn conflicts(&self, address: u64, writes: bool) -> bool {
        (self.writes || writes) && (self.start..self.start + self.bytes).contains(&address)
    }
}

impl Managed {
    pub(crate) fn add(&mut self, base: u64, bytes: usize) {
        if !IS_WATCHING.load(Ordering::Relaxed) || !is_handler_ours() {
            return;
        }
        let length = bytes.next_multiple_of(PAGE);
        let free = RANGES
            .iter()
            .find(|[start, _]| start.compare_exchange(0, base as usize, Ordering::AcqRel, Ordering::Relaxed).is_ok());
        if let Some([_, end]) = free {
            end.store(base as usize + length, Ordering::Release);
            self.ranges.insert(base, length);
        }
    }

    pub(crate) fn remove(&mut self, base: u64) {
        let Some(length) = self.ranges.remove(&base) else { return };
        protect(base, length, false);
        self.protected.remove(&base);
        if let Some([start, end]) = RANGES.iter().find(|[start, _]| start.load(Ordering::Relaxed) == base as usize) {
            end.store(0, Ordering::Release);
            start.store(0, Ordering::Release);
        }
        self.queued.values_mut().for_each(|bases| bases.retain(|other| *other != base));
    }

    /// A launch with these parameters waits in a stream.
    pub(crate) fn submitted(&mut self, mark: &StreamMark, parameters: &[u8]) {
        if self.ranges.is_empty() {
            return;
        }
        let (words, _) = parameters.as_chunks::<8>();
        let held = |word: &[u8; 8]| {
            let address = u64::from_le_bytes(*word);
            let (base, length) = self.ranges.range(..=address).next_back()?;
            (address < base + *length as u64).then_some(*base)
        };
        let bases: Vec<u64> = words.iter().filter_map(held).collect();
        if !bases.is_empty() && is_handler_ours() {
            bases.iter().for_each(|base| self.protect(*base));
            self.queued.insert(mark.place(), bases);
        }
    }

    /// An asynchronous copy from or to page-locked or unified memory waits in a stream.
    pub(crate) fn submitted_copy(&mut self, mark: &StreamMark, start: u64, bytes: usize, writes: bool) {
        let is_in = |(base, length): (&u64, &usize)| start < base + *length as u64;
        if bytes > 0 && self.ranges.range(..=start).next_back().is_some_and(is_in) && is_handler_ours() {
            let copied = CopiedMemory { start, bytes: bytes as u64, writes };
            self.protect_copied(copied);
            self.copies.insert(mark.place(), copied);
        }
    }

    /// The host may read the source of a copy, and touch nothing of its target.
    fn protect_copied(&self, copied: CopiedMemory) {
        let Some((base, length)) = self.ranges.range(..=copied.start).next_back() else { return };
        if !self.protected.contains(base) {
            let page = PAGE as u64;
            let first = copied.start & !(page - 1);
            let end = (copied.start + copied.bytes).next_multiple_of(page).min(base + *length as u64);
            let protection = if copied.writes { libc::PROT_NONE } else { libc::PROT_READ };
            set_protection(first, (end - first) as usize, protection);
        }
    }

    /// The kind of a queued copy with which an access by the host conflicts.
    pub(crate) fn copy_beside(&self, address: u64, writes: bool) -> Option<HostOperation> {
        let copied = self.copies.values().find(|copied| copied.conflicts(address, writes))?;
        Some(if copied.writes { HostOperation::CopyToHost } else { HostOperation::CopyFromHost })
    }

    /// Work is about to run.
    pub(crate) fn open(&mut self) {
        for base in std::mem::take(&mut self.protected) {
            protect(base, self.ranges.get(&base).copied().unwrap_or(0), false);
        }
        for copied in self.copies.values() {
            if let Some((base, length)) = self.ranges.range(..=copied.start).next_back() {
                protect(*base, *length, false);
            }
        }
    }

    /// Work of a stream has run, up to this number.
    pub(crate) fn done(&mut self, stream: u64, sequence: u64) {
        let done: Vec<(u64, u64)> =
            self.queued.range((stream, 0)..=(stream, sequence)).map(|(place, _)| *place).collect();
        done.iter().for_each(|place| drop(self.queued.remove(place)));
        self.copies.retain(|place, _| !((stream, 0)..=(stream, sequence)).contains(place));
    }

    /// Nothing that is queued will run.
    pub(crate) fn abandon(&mut self) {
        self.queued.clear();
        self.open();
        self.copies.clear();
    }

    /// Protects what launches that still wait may touch.
    pub(crate) fn close(&mut self) {
        if self.queued.is_empty() && self.copies.is_empty() || !is_handler_ours() {
            return;
        }
        self.copies.values().for_each(|copied| self.protect_copied(*copied));
        let bases: BTreeSet<u64> = self.queued.values().flatten().copied().collect();
        bases.into_iter().for_each(|base| self.protect(base));
    }

    fn protect(&mut self, base: u64) {
        if self.protected.insert(base) {
            protect(base, self.ranges.get(&base).copied().unwrap_or(0), true);
        }
    }
}

/// Memory that goes must be open.
impl Drop for Managed {
    fn drop(&mut self) {
        let bases: Vec<u64> = self.ranges.keys().copied().collect();
        bases.into_iter().for_each(|base| self.remove(base));
    }
}

/// Returns the accesses of the program since the last call: the address of each, and true for a write.
pub(crate) fn take_notes() -> Vec<(u64, bool)> {
    if NOTED.load(Ordering::Acquire) == 0 {
        return Vec::new();
    }
    let count = NOTED.swap(0, Ordering::AcqRel).min(MOST_NOTES);
    let notes = NOTES[..count].iter().zip(&WRITTEN);
    notes.map(|(address, writes)| (address.swap(0, Ordering::AcqRel) as u64, writes.load(Ordering::Relaxed))).collect()
}

fn protect(base: u64, length: usize, is_closed: bool) {
    set_protection(base, length, if is_closed { libc::PROT_NONE } else { libc::PROT_READ | libc::PROT_WRITE });
}

fn set_protection(base: u64, length: usize, protection: c_int) {
    // SAFETY: whole pages of an allocation of ours.
    unsafe { libc::mprotect(base as *mut c_void, length, protection) };
}

type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

static mut BEFORE: Option<libc::sigaction> = None;

/// Sets the handler if there was none of ours yet. A program's own, set later, is left alone.
fn is_handler_ours() -> bool {
    static SET: Once = Once::new();
    let ours = on_fault as Handler as usize;
    // SAFETY: the handler keeps to what a handler may do. `BEFORE` is written once, before the handler can run.
    unsafe {
        SET.call_once(|| {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGSEGV, std::ptr::null(), &mut before) == 0 {
                BEFORE = Some(before);
                action.sa_sigaction = ours;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
                libc::sigaction(libc::SIGSEGV, &action, std::ptr::null_mut());
            }
        });
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGSEGV, std::ptr::null(), &mut now) == 0 && now.sa_sigaction == ours
    }
}

/// True if the access that raised the signal was a write. Told apart on x86-64 alone; elsewhere all count as reads.
#[cfg(target_arch = "x86_64")]
unsafe fn is_write(context: *mut c_void) -> bool {
    // SAFETY: the system passes it. Bit 1 of a page fault's error code says so.
    unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_ERR as usize] & 2 != 0 }
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn is_write(_context: *mut c_void) -> bool {
    false
}

unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes what it says. All else here is atomic, or a call that a handler may make.
    unsafe {
        let address = (*info).si_addr() as usize;
        let is_ours = |[start, end]: &[AtomicUsize; 2]| {
            (start.load(Ordering::Acquire)..end.load(Ordering::Acquire)).contains(&address)
        };
        if RANGES.iter().any(is_ours) {
            // The accesses of a host function have their place in a stream.
            if !is_in_host_function() {
                let note = NOTED.fetch_add(1, Ordering::AcqRel);
                if let Some(place) = NOTES.get(note) {
                    WRITTEN[note].store(is_write(context), Ordering::Relaxed);
                    place.store(address, Ordering::Release);
                }
            }
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            protect((address & !(page - 1)) as u64, page, false);
            return;
        }
        let before = BEFORE.unwrap_or_else(|| std::mem::zeroed());
        match before.sa_sigaction {
            libc::SIG_DFL | libc::SIG_IGN => {
                // The access is made once more, and ends the program as it would have without us.
                libc::sigaction(signal, &before, std::ptr::null_mut());
            }
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                std::mem::transmute::<usize, Handler>(handler)(signal, info, context);
            }
            handler => std::mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal),
        }
    }
}

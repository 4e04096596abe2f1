//! Memory that the program frees twice, or never.
//!
//! A second free gets the error code of a real driver; a finding beside it says which allocation it was. What is still
//! allocated when its context ends is said on request only: many programs leave that to the end of the process.

use super::state::ContextState;
use crate::emulated::base::observer::{self, Event, OwnedAllocation};
use emulator::finding::{Access, Action, Cause, Finding, Severity, Slug};
use std::sync::atomic::{AtomicBool, Ordering};

static SAYS_LEAKS: AtomicBool = AtomicBool::new(false);

/// From here on the observer is told what is still allocated in a context that ends.
pub fn say_leaks(say: bool) {
    SAYS_LEAKS.store(say, Ordering::Relaxed);
}

impl ContextState {
    /// Keeps count of what the program allocates.
    pub(crate) fn own(&mut self, address: u64) {
        self.allocations += 1;
        self.owned.insert(address, self.allocations);
    }

    /// Returns the program's allocations that are not freed, in their order.
    pub(crate) fn live(&self) -> Vec<OwnedAllocation> {
        let live = self.owned.iter().filter_map(|(&address, &number)| {
            let allocation = self.device.allocation(address).filter(|allocation| allocation.base == address)?;
            Some(OwnedAllocation { allocation, number })
        });
        let mut live: Vec<OwnedAllocation> = live.collect();
        live.sort_by_key(|owned| owned.number);
        live
    }

    /// A free of an address that no live allocation begins at: if one did, it is freed twice.
    pub(crate) fn freed_again(&mut self, address: u64) {
        let Some(allocation) = self.device.freed(address) else { return };
        let number = self.owned.get(&address).copied().unwrap_or(0);
        self.reports.moved(vec![Finding {
            slug: Slug::UseAfterFree,
            severity: Severity::Error,
            kernel: String::new(),
            accesses: vec![Access::of_host(Action::FreedAgain)],
            headline: None,
            place: OwnedAllocation { allocation, number }.place(),
            cause: Cause::HostFreedTwice,
            remedies: Vec::new(),
            count: 1,
        }]);
    }

    /// The context ends.
    pub(crate) fn say_leaks(&self) {
        let live = self.live();
        if !SAYS_LEAKS.load(Ordering::Relaxed) || live.is_empty() {
            return;
        }
        observer::tell(Event::Leaks(&live));
    }
}

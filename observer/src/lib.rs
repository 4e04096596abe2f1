//! The default observer of the emulated device: it renders findings to stderr, each with a fix that was tried.
//!
//! The crate `driver` hands findings to an observer as data, and knows neither words nor fixes. This crate is that
//! observer. It is a crate of its own, above `driver` and `trial`, for its two users:
//!
//! - A program that only links it, by `use observer as _`. The observer registers itself before `main`, so such a
//!   program has no line for it. Reports go to stderr.
//! - A front end that runs programs of others, `gpu-check`. It registers a listener ([`listen`]), which gets findings
//!   and fixes in place of stderr, and all other events as they are.
//!
//! A program that takes its reports from the driver itself, as a lesson does, has no findings said here.

// Before the others, which use its macro.
#[macro_use]
mod speech;

mod findings;
mod tried;

pub use findings::{Observed, ReadSource, name_kernels, only_file, text};

use driver::emulated::{self, Event, Observer, OwnedAllocation};
use emulator::Allocation;
use emulator::finding::ShapeError;
use report::Reader;
use speech::language;
use std::sync::OnceLock;

/// An event for a listener.
pub enum Heard<'a> {
    /// A finding of the program, and what came of trying to fix it.
    Finding(&'a Observed<'a>),
    /// Anything else.
    Event(Event<'a>),
}

type Listener = fn(Heard<'_>);

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Registers a listener, which hears of findings in place of stderr. Later calls have no effect.
pub fn listen(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// An environment variable that disables trying fixes. With the value `untold` reports do not mention a fix either, for
/// readers who are to find it.
const NO_TRY: &str = "LESSON_NO_TRY";
const UNTOLD: &str = "untold";

struct DefaultObserver;

impl Observer for DefaultObserver {
    fn hear(&self, event: Event<'_>) {
        let listener = LISTENER.get().copied();
        match event {
            Event::Findings(found) => findings::tell(found, listener),
            Event::InvalidShape { error } => say_refused(error),
            Event::Leaks(allocations) => say_leaks(allocations),
            other => {
                if let Some(listener) = listener {
                    listener(Heard::Event(other));
                }
            }
        }
    }

    fn wants_launches(&self) -> bool {
        std::env::var_os(NO_TRY).is_none()
    }

    fn kernel_name(&self, name: &str) -> String {
        report::readable(name)
    }
}

fn say_refused(error: &ShapeError) {
    let why = report::shape_error(error, &Reader::new(language()));
    words::complain(&say!("launch-refused", why));
}

fn say_leaks(allocations: &[OwnedAllocation]) {
    let bytes: u64 = allocations.iter().map(|owned| owned.allocation.bytes).sum();
    words::complain(&say!("leak", count = allocations.len(), bytes));
    let reader = Reader::new(language());
    for OwnedAllocation { allocation: Allocation { bytes, place, .. }, number } in allocations {
        words::complain(&format!("  {}", report::allocation(*bytes, *place, *number, &reader)));
    }
}

/// Runs before `main`: a program that only links this crate has no call in which to register the observer.
#[used]
#[unsafe(link_section = ".init_array")]
static REGISTER: extern "C" fn() = register;

extern "C" fn register() {
    emulated::observe_with(&DefaultObserver);
}

//! Ctrl-C during a search: the first one ends the search, which tells what it has found. The second ends the program.

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The status of a program that Ctrl-C has ended, as a shell has it.
const STATUS: i32 = 130;

static HAS_COME: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns true once Ctrl-C was pressed. From the first call on, one alone does not end the program.
pub fn has_come() -> bool {
    HAS_COME.get_or_init(watch).load(Ordering::Relaxed)
}

fn watch() -> Arc<AtomicBool> {
    let has_come = Arc::new(AtomicBool::new(false));
    // Where signals cannot be watched, Ctrl-C ends the program as ever.
    let watched = flag::register_conditional_shutdown(SIGINT, STATUS, has_come.clone())
        .and_then(|_| flag::register(SIGINT, has_come.clone()));
    drop(watched);
    has_come
}

//! The device by its public surface, a module for each subject. One program, because every test program is linked with
//! the whole emulator. `memory_use.rs` needs a process to itself.

mod advice;
mod branches;
mod by_rule;
mod choices;
mod counters;
mod dependent_values;
mod displaced;
mod elements;
mod fairness;
mod fork;
mod fuel;
mod help;
mod hints;
mod host_access;
#[path = "support/kernel.rs"]
mod kernel;
mod locks;
mod means;
mod monitor;
mod one_word;
mod options;
mod parse;
#[path = "support/races.rs"]
mod races;
mod remedies;
mod skipped;
mod spin;
mod stuck;
mod survey;
mod together;
mod trace;
mod wgmma;
mod whole;
#[path = "support/words.rs"]
mod words;

//! A launch's code as a graph that small questions are asked of. It is made when the first one is asked, once for a
//! launch: most have nothing to explain.
//!
//! In doubt there is a way, and nothing is known of a value.

mod def_use;
mod graph;
pub mod loops;
mod reach;
pub mod statement;

pub use def_use::is_arithmetic;
pub use graph::Holds;
pub use reach::Without;

use def_use::DefUse;
use graph::Graph;
use machine::code::{Instr, KernelCode};
use machine::exec::Op;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::ops::Range;

pub struct Reading<'a> {
    pub code: &'a KernelCode,
    /// The instructions that have taken words which the same threads gave back.
    lock_takers: FxHashSet<u32>,
    graph: OnceCell<Graph>,
    def_use: OnceCell<DefUse>,
}

impl<'a> Reading<'a> {
    pub fn new(code: &'a KernelCode) -> Reading<'a> {
        Reading { code, lock_takers: FxHashSet::default(), graph: OnceCell::new(), def_use: OnceCell::new() }
    }

    pub fn with_lock_takers(self, lock_takers: FxHashSet<u32>) -> Reading<'a> {
        Reading { lock_takers, ..self }
    }

    fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::new(self.code))
    }

    fn def_use(&self) -> &DefUse {
        self.def_use.get_or_init(|| DefUse::new(self.code))
    }

    /// True if a thread has given back, in this run, what it had taken by this instruction.
    pub fn has_taken(&self, pc: u32) -> bool {
        self.lock_takers.contains(&pc)
    }

    /// Returns the end of the function that an instruction stands in.
    pub fn end(&self, pc: u32) -> u32 {
        self.around(pc).end
    }

    /// The instructions of the function that an instruction stands in.
    pub fn around(&self, pc: u32) -> Range<u32> {
        self.code.body(self.code.function_at(pc))
    }

    pub fn instr(&self, pc: u32) -> &'a Instr {
        &self.code.instrs[pc as usize]
    }

    pub fn op(&self, pc: u32) -> &'a Op {
        &self.instr(pc).op
    }
}

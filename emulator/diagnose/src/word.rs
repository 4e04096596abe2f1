//! Words by which one thread tells another that it may go on: flags, locks, counters, and variables that are none of
//! these.
//!
//! A lock waits for one value, that of a free lock, and changes it to another. So what a compare-and-swap expects, or
//! what an exchange stores, is in the code; and the same thread writes back what it found. A semaphore is given back
//! too, but its compare-and-swap expects what the thread has read. The index of a queue is not given back.

use crate::code::{Reading, is_arithmetic};
use finding::{AtomicOperation, Word};
use machine::exec::Op;
use machine::memory::space::Space;
use machine::registers::Reg;

impl Reading<'_> {
    /// Returns the purpose of the word that the instruction at `pc` looks at.
    pub fn word(&self, pc: u32) -> Word {
        let Op::Atomic(it) = self.op(pc) else { return Word::Flag };
        match it.operation {
            AtomicOperation::Exchange | AtomicOperation::CompareExchange if self.takes_lock(pc) => Word::Lock,
            // A swap of one value for the same one is a read.
            AtomicOperation::CompareExchange if self.is_one_value((pc, it.src[0]), (pc, it.swap)) => Word::Flag,
            AtomicOperation::Exchange | AtomicOperation::CompareExchange => Word::Variable,
            AtomicOperation::Increment => Word::Counter,
            // An addition of 0 is a read.
            AtomicOperation::Add if self.adds(pc, it.src[0]) => Word::Counter,
            _ => Word::Flag,
        }
    }

    /// True if the instruction at `pc` takes a lock.
    pub fn takes_lock(&self, pc: u32) -> bool {
        self.has_taken(pc) && matches!(self.op(pc), Op::Atomic(it) if self.is_of_code(pc, it.src[0]))
    }

    /// True if a value is made of constants, and of what the kernel or the function is given: no thread has read it.
    fn is_of_code(&self, pc: u32, reg: Reg) -> bool {
        let is_given = |pc: u32| match self.op(pc) {
            Op::Load(it) => it.space == Space::Param,
            op => is_arithmetic(op),
        };
        self.made_of(pc, reg).is_some_and(|made| made.writers().all(is_given))
    }
}

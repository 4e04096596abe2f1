//! The stack of a thread.

use crate::registers::Reg;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackOp {
    /// `d` gets the address of `size` bytes that are the thread's until its function returns.
    Allocate { d: Reg, size: Reg, align: u64 },
    /// Saves the address at which the next `alloca` would begin.
    Save { d: Reg },
    /// Gives back all that was allocated since `a` was saved.
    Restore { a: Reg },
}

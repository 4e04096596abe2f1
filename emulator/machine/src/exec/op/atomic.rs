//! Atomic operations.

use super::memory::Semantics;
use crate::memory::space::Space;
use crate::registers::Reg;
use finding::AtomicOperation;
use ptx::ast::Type;

/// Registers of a vector operation, in order; the rest are [`Reg::NONE`].
pub type Registers8 = [Reg; 8];

#[derive(Clone, Debug)]
pub struct Atomic {
    pub operation: AtomicOperation,
    pub ty: Type,
    pub space: Space,
    pub base: Reg,
    pub offset: i64,
    /// Old values; [`Reg::NONE`] throughout for `red`.
    pub dst: Registers8,
    /// False where the kernel never looks at the old value, as if it were a `red`.
    pub looked_at: bool,
    pub src: Registers8,
    /// The new value of a compare-and-exchange.
    pub swap: Reg,
    pub elements: u32,
    pub semantics: Semantics,
}

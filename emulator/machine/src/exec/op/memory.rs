//! Loads and stores.

use crate::memory::space::Space;
use crate::registers::Reg;
use finding::Scope;
use ptx::ast::Type;

/// The ordering that an operation promises (PTX ISA, "Memory Consistency Model").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    Weak,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    /// `fence.sc` only.
    Sc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    pub ordering: Ordering,
    pub scope: Scope,
    /// `.volatile`: relaxed, and said so in reports.
    pub volatile: bool,
}

impl Semantics {
    pub const WEAK: Semantics = Semantics { ordering: Ordering::Weak, scope: Scope::Block, volatile: false };

    #[inline]
    pub fn is_strong(self) -> bool {
        self.ordering != Ordering::Weak
    }

    #[inline]
    pub fn acquires(self) -> bool {
        matches!(self.ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::Sc)
    }

    #[inline]
    pub fn releases(self) -> bool {
        matches!(self.ordering, Ordering::Release | Ordering::AcqRel | Ordering::Sc)
    }
}

/// Registers of a vector access, in order; the rest are [`Reg::NONE`].
pub type VectorRegisters = [Reg; MOST_ELEMENTS];

/// Elements of an access. Those of 32 bytes are for GPUs that no lesson asks for, and a page carries every byte of
/// code.
pub const MOST_ELEMENTS: usize = if cfg!(target_family = "wasm") { 4 } else { 8 };

#[derive(Clone, Debug)]
pub struct Load {
    pub space: Space,
    pub base: Reg,
    pub offset: i64,
    /// The type of one element; its size is `bytes`: 1, 2, 4, 8 or 16.
    pub ty: Type,
    pub bytes: u32,
    /// Sign-extend to so many bytes; 0: zero-extend.
    pub extend: u32,
    pub dst: VectorRegisters,
    pub elements: u32,
    pub semantics: Semantics,
}

#[derive(Clone, Debug)]
pub struct StoreOp {
    pub space: Space,
    pub base: Reg,
    pub offset: i64,
    pub ty: Type,
    pub bytes: u32,
    pub src: VectorRegisters,
    pub elements: u32,
    pub semantics: Semantics,
}

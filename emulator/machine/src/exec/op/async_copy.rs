//! Asynchronous copies.

use crate::registers::Reg;

/// `[base + offset]`.
#[derive(Clone, Copy, Debug)]
pub struct AsyncCopyAddress {
    pub base: Reg,
    pub offset: i64,
}

/// The number of a copy's bytes that come from its source; the others are zero.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    All,
    /// The number of bytes in the register.
    Bytes(Reg),
    /// None where the predicate holds, or does not if it is negated.
    NotIf(Reg, bool),
}

impl Given {
    /// The register that it is read from.
    #[inline]
    pub fn register(self) -> Reg {
        match self {
            Given::All => Reg::NONE,
            Given::Bytes(register) | Given::NotIf(register, _) => register,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct AsyncCopyOp {
    pub to: AsyncCopyAddress,
    pub from: AsyncCopyAddress,
    /// 4, 8 or 16.
    pub bytes: u32,
    pub given: Given,
}

#[derive(Clone, Copy, Debug)]
pub enum Async {
    Start(AsyncCopyOp),
    /// All copies that a thread has started since its last group become one.
    Commit,
    /// Until only so many of the latest groups are under way.
    WaitGroup(u32),
    WaitAll,
}

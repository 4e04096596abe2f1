//! Collective operations of a warp.

use super::matrix::{Fragments, Mma};
use super::tensor_copy::MapCopy;
use super::wgmma::WarpgroupKind;
use crate::registers::Reg;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vote {
    All,
    Any,
    Uni,
    Ballot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    Add,
    MinU,
    MinS,
    MaxU,
    MaxS,
    And,
    Or,
    Xor,
}

/// Which instruction, qualifiers included: lanes meet only at equal kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollectiveKind {
    Barrier,
    Shuffle(Shuffle),
    Vote(Vote),
    MatchAny {
        bytes: u32,
    },
    MatchAll {
        bytes: u32,
    },
    Redux(Reduce),
    Elect,
    /// `mma.sync`, which brings and gets several registers: [`Collective::fragments`].
    Mma(Mma),
    /// An instruction of a warpgroup. A product brings and gets registers as `mma` does. Its descriptors are in `a` and
    /// `b`, and the predicate that says whether `d` is added is in `c`, negated if `negated`.
    Warpgroup(WarpgroupKind),
    /// `tensormap.cp_fenceproxy`. The addresses of the destination and the source are in `a` and `b`.
    MapCopy(MapCopy),
}

impl CollectiveKind {
    /// True if it orders the memory accesses of its lanes: `bar.warp.sync`. `tensormap.cp_fenceproxy` counts as well,
    /// though the ISA does not say so (towards silence).
    pub fn orders(self) -> bool {
        matches!(self, CollectiveKind::Barrier | CollectiveKind::MapCopy(_))
    }
}

#[derive(Clone, Debug)]
pub struct Collective {
    pub kind: CollectiveKind,
    pub members: Reg,
    pub d: Reg,
    /// `d|p`.
    pub p: Reg,
    pub a: Reg,
    pub negated: bool,
    pub b: Reg,
    pub c: Reg,
    pub fragments: Option<Box<Fragments>>,
}

impl Collective {
    pub fn new(kind: CollectiveKind, members: Reg) -> Collective {
        let none = Reg::NONE;
        Collective { kind, members, d: none, p: none, a: none, negated: false, b: none, c: none, fragments: None }
    }
}

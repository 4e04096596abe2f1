//! The instructions of a warpgroup: products of matrices, and what waits for them.

use super::matrix::MatrixElement;
use ptx::ast::Type;

/// Rows of `d` in a warpgroup. Each warp computes 16 of them.
pub const ROWS: usize = 64;
/// Rows of `d` in one warp.
pub const WARP_ROWS: usize = 16;

/// One instruction of a warpgroup. Its registers are in the [`Collective`](super::warp::Collective) that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarpgroupKind {
    /// `wgmma.fence`
    Fence,
    /// `wgmma.mma_async`
    Multiply(Wgmma),
    /// `wgmma.commit_group`: the products since the last one become a group.
    Commit,
    /// `wgmma.wait_group`: until only so many of the latest groups are under way.
    Wait(u32),
    /// `setmaxnreg`, which changes no value.
    SetMaxRegisters { increases: bool, registers: u32 },
}

impl WarpgroupKind {
    /// As PTX writes it.
    pub fn name(self) -> &'static str {
        match self {
            WarpgroupKind::Fence => "wgmma.fence",
            WarpgroupKind::Multiply(_) => "wgmma.mma_async",
            WarpgroupKind::Commit => "wgmma.commit_group",
            WarpgroupKind::Wait(_) => "wgmma.wait_group",
            WarpgroupKind::SetMaxRegisters { .. } => "setmaxnreg",
        }
    }
}

/// One form of `wgmma.mma_async`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wgmma {
    pub n: usize,
    pub k: usize,
    pub a: MatrixElement,
    pub b: MatrixElement,
    pub d: Type,
    pub saturates: bool,
    /// `a` is in shared memory; else in registers.
    pub a_is_shared: bool,
    pub negates_a: bool,
    pub negates_b: bool,
    /// M-major, N-major: the elements of a column of `a`, or of a row of `b`, lie side by side.
    pub a_is_transposed: bool,
    pub b_is_transposed: bool,
}

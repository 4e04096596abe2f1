//! Products of matrices, as checkers observe them.

use super::{At, Touch};
use crate::exec::memory::Semantics;
use crate::exec::warp::Collective;
use crate::exec::wgmma::PIECE;
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{Mask, WARP};

/// A product of matrices that a warp of a warpgroup starts.
pub struct StartedProduct<'a> {
    pub at: At<'a>,
    pub op: &'a Collective,
    /// Products of a warp are numbered from 1.
    pub number: u32,
    /// The addresses of the pieces of 16 bytes that it reads, ascending.
    pub pieces: &'a [u64],
    pub shared: &'a Region,
}

impl StartedProduct<'_> {
    /// Calls `with` for its reads of shared memory, a piece for each lane.
    pub fn each_read(&self, mut with: impl FnMut(&Touch)) {
        for chunk in self.pieces.chunks(WARP) {
            let mut addresses = [0; WARP];
            addresses[..chunk.len()].copy_from_slice(chunk);
            with(&Touch {
                at: self.at,
                space: Space::Shared,
                region: Some(self.shared),
                addresses: &addresses,
                mask: Mask::MAX >> (WARP - chunk.len()),
                bytes: PIECE as u32,
                elements: 1,
                semantics: Semantics::WEAK,
                owner: self.at.block,
            });
        }
    }
}

//! The sites from which the warps of a block arrive at its barriers, for a `__syncthreads()` only.

use machine::exec::Op;
use machine::watch::At;

/// A warp that has arrived at a barrier, and the site.
#[derive(Clone, Copy, Debug)]
pub struct Comer {
    pub warp: u32,
    pub site: u32,
}

/// The first warp that arrived at a barrier since it last completed, and the first that arrived at a different
/// instruction.
#[derive(Clone, Copy, Debug, Default)]
pub struct BarrierSites {
    one: Option<Comer>,
    other: Option<Comer>,
}

impl BarrierSites {
    /// Returns the first warp that arrived, and the first that arrived elsewhere. `None` if it was no
    /// `__syncthreads()`.
    pub fn comers(&self) -> Option<(Comer, Option<Comer>)> {
        Some((self.one?, self.other))
    }

    pub fn arrive(&mut self, at: &At, id: usize, site: u32) {
        let Op::Barrier(op) = &at.launch.code.instrs[at.pc as usize].op else { return };
        if !op.is_whole(id as u32) {
            return;
        }
        let comer = Comer { warp: at.warp, site };
        match self.one {
            None => self.one = Some(comer),
            // Lanes of one warp are a separate finding.
            Some(one) if one.site != site && one.warp != at.warp && self.other.is_none() => self.other = Some(comer),
            Some(_) => {}
        }
    }
}

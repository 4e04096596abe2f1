//! From where the warps of a block have come to its barriers, as far as that is a `__syncthreads()`.

use machine::exec::Op;
use machine::watch::At;

/// A warp that has come to a barrier, and where.
#[derive(Clone, Copy, Debug)]
pub struct Comer {
    pub warp: u32,
    pub site: u32,
}

/// The first warp that came to a barrier since it was last complete, and the first that came to another instruction.
#[derive(Clone, Copy, Debug, Default)]
pub struct BarrierSites {
    one: Option<Comer>,
    other: Option<Comer>,
}

impl BarrierSites {
    /// The first warp that came, and the first that came elsewhere; `None` if it was no `__syncthreads()`.
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
            // Lanes of one warp are a finding's matter.
            Some(one) if one.site != site && one.warp != at.warp && self.other.is_none() => self.other = Some(comer),
            Some(_) => {}
        }
    }
}

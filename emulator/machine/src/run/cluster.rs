//! Thread block clusters: blocks that run side by side, their barrier, and each other's shared memory (PTX ISA,
//! "Cluster of Cooperative Thread Arrays", "barrier.cluster").
//!
//! A phase of the barrier is complete when every thread of the cluster has arrived or has ended. A thread that waits
//! goes on once the phase of its last arrival is complete. One that arrives again without waiting is misuse, as the ISA
//! leaves it undefined. So is one that waits without having arrived: it would wait for itself.

use super::arrivals::Arrival;
use super::barrier::{forbids, path};
use super::block::Block;
use super::ending::LaunchEnding;
use super::misuse::{self, Misuse};
use super::warp::{Group, Wait};
use crate::exec::Op;
use crate::exec::barrier::BARRIERS;
use crate::registers::Mask;
use crate::watch::{At, Watch};

/// The blocks that are resident beside one, those of its cluster among them.
pub struct Peers<'p, 'a, W: Watch> {
    before: &'p mut [Block<'a, W>],
    after: &'p mut [Block<'a, W>],
}

impl<'p, 'a, W: Watch> Peers<'p, 'a, W> {
    pub fn none() -> Peers<'p, 'a, W> {
        Peers { before: &mut [], after: &mut [] }
    }

    /// Returns one of the blocks, and the others.
    pub fn split(all: &'p mut [Block<'a, W>], at: usize) -> (&'p mut Block<'a, W>, Peers<'p, 'a, W>) {
        let (before, rest) = all.split_at_mut(at);
        let (block, after) = rest.split_first_mut().expect("it is one of them");
        (block, Peers { before, after })
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Block<'a, W>> {
        self.before.iter_mut().chain(self.after.iter_mut())
    }

    /// The other blocks of a block's cluster.
    pub fn of(&mut self, block: &Block<'a, W>) -> impl Iterator<Item = &mut Block<'a, W>> {
        let (cluster, most) = (block.cluster(), if block.launch.has_peers() { usize::MAX } else { 0 });
        self.all().take(most).filter(move |peer| peer.cluster() == cluster)
    }

    /// The block with that number in the launch.
    pub fn at(&mut self, linear: u64) -> Option<&mut Block<'a, W>> {
        self.all().find(|peer| peer.linear == linear)
    }

    /// Calls `with` with the block of that number in the place of `block`, and `block` among its peers.
    pub fn swapped<R>(
        &mut self,
        block: &mut Block<'a, W>,
        linear: u64,
        with: impl FnOnce(&mut Block<'a, W>, &mut Peers<'_, 'a, W>) -> R,
    ) -> R {
        let at = self.all().position(|peer| peer.linear == linear).expect("it is one of them");
        std::mem::swap(block, self.all().nth(at).expect("found above"));
        let result = with(block, self);
        std::mem::swap(block, self.all().nth(at).expect("found above"));
        result
    }

    /// The block of that rank in a block's cluster, unless it is the block itself.
    pub fn of_rank(&mut self, block: &Block<'a, W>, rank: u32) -> Option<&mut Block<'a, W>> {
        self.of(block).find(|peer| peer.launch.cluster_rank(peer.linear) == rank)
    }

    /// True if some other block of the cluster goes on.
    pub fn some_runs(&mut self, block: &Block<'a, W>) -> bool {
        block.launch.has_peers() && self.of(block).any(|peer| peer.is_ready())
    }
}

/// True if a resident block can get a turn: it goes on, or nobody in its cluster does and it says so.
pub fn may_run<W: Watch>(resident: &[Block<W>], at: usize) -> bool {
    let block = &resident[at];
    if block.has_ended || block.is_ready() || block.is_done() {
        return !block.has_ended;
    }
    let cluster = block.cluster();
    let is_stuck = !resident.iter().any(|peer| peer.cluster() == cluster && peer.is_ready());
    // Blocks that wait for others of the cluster alone are not to blame.
    is_stuck && !waits_for_others(block)
}

/// True if all threads of a block that have not ended have arrived at the barrier of its cluster.
fn waits_for_others<W: Watch>(block: &Block<W>) -> bool {
    block.warps.iter().zip(&block.barriers[BARRIERS].arrived).all(|(warp, arrived)| warp.live() & !arrived == 0)
}

/// True if a group stands on `barrier.cluster.wait`.
pub fn is_wait<W: Watch>(block: &Block<W>, which: usize, at: usize) -> bool {
    let group = block.warps[which].groups[at];
    matches!(&block.launch.code.instrs[group.pc as usize].op, Op::Barrier(op) if op.cluster)
}

/// Group `at` of warp `which` stands on `barrier.cluster.arrive`.
pub fn arrive<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    at: usize,
) -> Result<(), LaunchEnding> {
    let Block { launch, warps, linear, barriers, passes, .. } = &mut *block;
    let warp = &mut warps[which];
    let group = warp.groups[at];
    let Op::ClusterArrive(op) = &launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
    let here = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
    let arrival = Arrival {
        warp: warp.index,
        mask: group.mask,
        pc: group.pc,
        frame: group.frame,
        path: if W::ON { path(&warp.calls(group.frame)) } else { 0 },
        count: 0,
        aligned: op.aligned,
        reduction: None,
        ayes: 0,
    };
    let barrier = &mut barriers[BARRIERS];
    let again = passes[which] & group.mask != 0;
    let again = again.then_some(Misuse::ArrivesTwice(Arrival { mask: passes[which] & group.mask, ..arrival }));
    if let Some(misuse) = forbids(barrier, &arrival).or(again) {
        return Err(misuse::of_barrier(block, which, at, misuse));
    }
    if W::ON {
        if let Some(other) = barrier.diverges(&arrival) {
            watch.diverge(&here, &warp.watch, BARRIERS as u32, &other, group.mask);
        }
        watch.cluster_arrive(&here, op.releases, &mut warp.watch, group.mask);
    }
    barrier.arrivals.push(arrival);
    barrier.arrived[which] |= group.mask;
    warp.groups[at].pc += 1;
    settle(watch, block, peers);
    Ok(())
}

/// Group `at` of warp `which` stands on `barrier.cluster.wait`.
pub fn wait<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, at: usize) -> Result<(), LaunchEnding> {
    let group = block.warps[which].groups[at];
    let (arrived, passes) = (block.barriers[BARRIERS].arrived[which], block.passes[which]);
    let unarrived = group.mask & !(passes | arrived);
    if unarrived != 0 {
        block.warps[which].groups[at].mask = unarrived;
        return Err(misuse::of_barrier(block, which, at, Misuse::WaitsUnarrived));
    }
    let parts = [group.mask & passes, group.mask & arrived];
    let warp = &mut block.warps[which];
    let mut is_first = true;
    for mask in parts.into_iter().filter(|mask| *mask != 0) {
        let part = Group { mask, wait: Wait::Barrier(BARRIERS as u8), ..group };
        if std::mem::take(&mut is_first) {
            warp.groups[at] = part;
        } else {
            warp.groups.push(part);
        }
    }
    release(watch, block, which);
    Ok(())
}

/// Lets the waiting lanes of a warp go on whose phase is complete.
fn release<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize) {
    let Block { launch, warps, linear, passes, .. } = block;
    let warp = &mut warps[which];
    for at in 0..warp.groups.len() {
        let group = warp.groups[at];
        if group.wait != Wait::Barrier(BARRIERS as u8) || group.mask & !passes[which] != 0 {
            continue;
        }
        passes[which] &= !group.mask;
        if W::ON {
            let here = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
            watch.cluster_passes(&here, &mut warp.watch, group.mask);
        }
        warp.groups[at] = Group { pc: group.pc + 1, wait: Wait::Ready, ..group };
    }
}

/// Completes the phase if all threads of the cluster have arrived or ended.
pub fn settle<'a, W: Watch>(watch: &mut W, block: &mut Block<'a, W>, peers: &mut Peers<'_, 'a, W>) {
    let come = |block: &Block<W>| block.barriers[BARRIERS].arrived.iter().any(|arrived| *arrived != 0);
    let is_complete = (come(block) || peers.of(block).any(|peer| come(peer)))
        && waits_for_others(block)
        && peers.of(block).all(|peer| waits_for_others(peer));
    if !is_complete {
        return;
    }
    if W::ON {
        watch.cluster_completes(&block.launch, block.linear);
    }
    complete(watch, block);
    peers.of(block).for_each(|peer| complete(watch, peer));
}

fn complete<W: Watch>(watch: &mut W, block: &mut Block<W>) {
    let barrier = &mut block.barriers[BARRIERS];
    let arrived: Vec<Mask> = barrier.arrived.clone();
    barrier.reset();
    for (which, arrived) in arrived.into_iter().enumerate() {
        block.passes[which] |= arrived & block.warps[which].live();
        release(watch, block, which);
    }
}

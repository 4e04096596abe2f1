//! Blocks of a cluster: when they begin and end, and their accesses of each other's shared memory (PTX ISA, "Shared
//! State Space", `.shared::cluster`).

use super::Worker;
use super::blocks::MOST_SPARE;
use crate::exec::Op;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, lanes};
use crate::run::access::{self, AccessContext, InvalidAccess, addresses};
use crate::run::accessed::Accessed;
use crate::run::block::Block;
use crate::run::cluster::Peers;
use crate::run::delay::Delay;
use crate::run::ending::LaunchEnding;
use crate::run::misplaced::Misplaced;
use crate::run::warp::Group;
use crate::watch::{At, Watch};
use std::sync::atomic::Ordering::Relaxed;

impl<'a, W: Watch> Worker<'a, W> {
    /// The blocks of a cluster begin one after the other, on one worker.
    pub(super) fn next_of_cluster(&mut self) -> Option<u64> {
        let size = u64::from(self.launch.blocks_per_cluster());
        if self.of_cluster.is_empty() {
            let nth = self.launch.next_block.fetch_add(size, Relaxed) / size;
            let of = self.launch.blocks() / size;
            if nth >= of {
                return None;
            }
            let cluster = self.schedule.begins(nth, of);
            let ranks = (0..size).rev().map(|rank| self.schedule.begins(rank, size) as u32);
            self.of_cluster = ranks.map(|rank| self.launch.block_of_cluster(cluster, rank)).collect();
        }
        self.of_cluster.pop()
    }

    /// A block of a cluster has ended. Its memory stays until all of the cluster have, so that late accesses are seen.
    pub(super) fn end_in_cluster(
        &mut self,
        resident: &mut Vec<Block<'a, W>>,
        at: usize,
        spare: &mut Vec<Block<'a, W>>,
    ) {
        let block = &mut resident[at];
        block.has_ended = true;
        let cluster = block.cluster();
        if resident.iter().any(|block| block.cluster() == cluster && !block.has_ended) {
            return;
        }
        let (ended, others) = std::mem::take(resident).into_iter().partition(|block| block.cluster() == cluster);
        *resident = others;
        spare.extend(ended);
        spare.truncate(MOST_SPARE);
    }

    /// Makes the access on which group `at` of warp `which` stands for these lanes, block by block, and goes on.
    pub(super) fn access_peers(
        &mut self,
        block: &mut Block<'a, W>,
        peers: &mut Peers<'_, 'a, W>,
        which: usize,
        at: usize,
        mask: Mask,
    ) -> Result<(), LaunchEnding> {
        let group = block.warps[which].groups[at];
        let launch = block.launch.clone();
        let op = &launch.code.instrs[group.pc as usize].op;
        block.warps[which].enter_window(group.frame);
        let here = At {
            launch: &launch,
            block: block.linear,
            warp: block.warps[which].index,
            pc: group.pc,
            frame: group.frame,
        };
        let accessed = Accessed::by(op).expect("it makes an access");
        let own = launch.cluster_rank(block.linear);
        let mut rest = mask;
        while rest != 0 {
            let places = addresses(&block.warps[which].regs, accessed.base, accessed.offset);
            let rank_of = |lane: usize| match rank(accessed.space, places[lane]) {
                Some(rank) => (rank, space::of_peer(0, rank)),
                None => (own, 0),
            };
            let first = rank_of(rest.trailing_zeros() as usize);
            let same: Mask = lanes(rest).filter(|&lane| rank_of(lane) == first).map(|lane| 1 << lane).sum();
            rest &= !same;
            let mut todo = same;
            while todo != 0
                && let Err(invalid) = self.access_of(block, peers, (which, group), op, first, todo)
            {
                let warp = &mut block.warps[which];
                match self.skip(&here, warp, &block.shared, op, &invalid) {
                    Some(left) => todo = left,
                    None => return Err(Misplaced::new(&here, &invalid).ending(warp)),
                }
            }
        }
        block.warps[which].groups[at] = Group { pc: group.pc + 1, ..group };
        Ok(())
    }

    /// Makes an access of the memory of the block with that rank; the addresses are so far beyond it.
    fn access_of(
        &mut self,
        block: &mut Block<'a, W>,
        peers: &mut Peers<'_, 'a, W>,
        (which, group): (usize, Group),
        op: &Op,
        (rank, shift): (u32, u64),
        mask: Mask,
    ) -> Result<(), InvalidAccess> {
        let launch = block.launch.clone();
        let linear = block.linear;
        let is_own = launch.cluster_rank(linear) == rank;
        if !is_own && peers.of_rank(block, rank).is_none() {
            return Err(no_such_block(&launch.code.instrs[group.pc as usize].op, block, which, mask));
        }
        let Block { warps, shared, history, watch, .. } = match is_own {
            true => &mut *block,
            false => {
                let peer = peers.of_rank(block, rank).expect("looked for above");
                let mut cx = AccessContext {
                    launch: &launch,
                    block: linear,
                    pc: group.pc,
                    frame: group.frame,
                    shared: &peer.shared,
                    owner: peer.linear,
                    shift,
                    watch: &mut self.watch,
                    block_watch: &mut peer.watch,
                    delay: (W::ON && self.manner.is_adverse).then_some(Delay {
                        schedule: &mut *self.schedule,
                        is_prompt: self.is_prompt,
                        shared: &mut peer.history,
                        global: &mut self.history,
                    }),
                };
                return run(&mut cx, &mut block.warps[which], op, mask);
            }
        };
        let mut cx = AccessContext {
            launch: &launch,
            block: linear,
            pc: group.pc,
            frame: group.frame,
            shared,
            owner: linear,
            shift,
            watch: &mut self.watch,
            block_watch: watch,
            delay: (W::ON && self.manner.is_adverse).then_some(Delay {
                schedule: &mut *self.schedule,
                is_prompt: self.is_prompt,
                shared: history,
                global: &mut self.history,
            }),
        };
        run(&mut cx, &mut warps[which], op, mask)
    }
}

fn run<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut crate::run::warp::Warp<W>,
    op: &Op,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    match op {
        Op::Load(load) => access::load(cx, warp, load, mask),
        Op::Store(store) => access::store(cx, warp, store, mask),
        Op::Atomic(atomic) => access::atomic(cx, warp, atomic, mask),
        _ => unreachable!("no other instruction comes here"),
    }
}

/// The rank that an address names; `None` for the memory of this block, and for what is not shared.
fn rank(space: Space, address: u64) -> Option<u32> {
    let offset = match space {
        Space::Shared => address,
        Space::Generic if space::of_generic(address) == Space::Shared => address - space::window(Space::Shared),
        _ => return None,
    };
    space::in_cluster(offset).0
}

/// An access to a block that the cluster does not have.
fn no_such_block<W: Watch>(op: &Op, block: &Block<W>, which: usize, mask: Mask) -> InvalidAccess {
    let accessed = Accessed::by(op).expect("it makes an access");
    let lane = mask.trailing_zeros() as usize;
    let address = addresses(&block.warps[which].regs, accessed.base, accessed.offset)[lane];
    let address = match accessed.space {
        Space::Generic => address - space::window(Space::Shared),
        _ => address,
    };
    let bytes = u64::from(accessed.bytes * accessed.elements);
    InvalidAccess {
        lane,
        space: Space::Shared,
        address,
        bytes,
        misaligned: false,
        kind: accessed.kind,
        remaining: mask,
        image: None,
    }
}

//! Bulk copies that threads start (PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk", "cp.async.bulk.commit_group",
//! "cp.async.bulk.wait_group"). How they go on is in `bulk_moves.rs`.
//!
//! A copy into shared memory may go to another block of the cluster, with its barrier object in that block as well. A
//! multicast is one copy for each block that its mask names, at the same place of each. Bits that stand for no
//! block of the cluster are ignored (towards silence).
//!
//! Addresses are checked when the copy starts. Where one side has been freed by the time it runs, nothing moves. A size
//! or an address that is no multiple of 16 is undefined in the ISA, and ends the launch. So does a barrier object in
//! another block than the destination.

use super::access::{InvalidAccess, addresses};
use super::async_stores;
use super::block::Block;
use super::bulk::BulkUnderWay;
use super::bulk_moves::{self, region};
use super::cluster::Peers;
use super::ending::LaunchEnding;
use super::launch::Launch;
use super::mbarrier::{self, MbarrierObject};
use super::misplaced::Misplaced;
use super::tensor_copies;
use super::tensor_maps;
use super::warp::{Group, Warp};
use crate::exec::async_copy::AsyncCopyAddress;
use crate::exec::bulk_copy::{Bulk, BulkCompletion, BulkCopyOp, UNIT};
use crate::exec::{IS_WHOLE, Op};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, Reg, lanes};
use crate::watch::{At, CopyBlocks, StartedBulk, Watch};
use finding::{AccessKind, Decision, ObjectMisuse, TensorMisuse};

/// Bulk copies of one block that may be under way.
const MOST: usize = 1 << 12;

/// Group `at` of warp `which` stands on an instruction of this family.
pub(super) fn run<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    at: usize,
) -> Result<(), LaunchEnding> {
    let group = block.warps[which].groups[at];
    let code = block.launch.code;
    let Op::Bulk(op) = &code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
    block.warps[which].enter_window(group.frame);
    let mut starter = Starter { watch, block, peers, which, group };
    match &**op {
        Bulk::Start(copy) => {
            starter.decide(&copy.sources(), Decision::Address);
            starter.start(&[], |block, peers, lane| checked(block, peers, which, copy, lane, group.mask))?;
        }
        // They do not decode.
        Bulk::StartTensor(_) | Bulk::Store(_) | Bulk::Replace(_) if !IS_WHOLE => {}
        Bulk::StartTensor(copy) => {
            starter.decide(&copy.sources().collect::<Vec<_>>(), Decision::Address);
            tensor_maps::read(starter.watch, starter.block, which, &group, copy.map);
            starter
                .start(&[], |block, peers, lane| tensor_copies::checked(block, peers, which, copy, lane, group.mask))?;
        }
        Bulk::Store(store) => {
            starter.decide(&[store.to.base, store.object.base], Decision::Address);
            if store.operation.is_some() {
                starter.decide(store.values(), Decision::Atomic);
            }
            starter.start(store.values(), |block, peers, lane| {
                async_stores::checked(block, peers, which, store, lane, group.mask)
            })?;
        }
        Bulk::Replace(replacement) => {
            starter.decide(&[replacement.map.base], Decision::Address);
            tensor_maps::replace(watch, block, which, &group, replacement)?;
        }
        Bulk::Commit => lanes(group.mask).for_each(|lane| block.bulk.commit((which as u32, lane as u32))),
        Bulk::Wait { left, reads } => {
            lanes(group.mask)
                .for_each(|lane| bulk_moves::wait(watch, block, peers, which, &group, lane, (*left, *reads)));
        }
    }
    block.warps[which].groups[at].pc += 1;
    Ok(())
}

/// A group that starts copies.
struct Starter<'s, 'p, 'a, W: Watch> {
    watch: &'s mut W,
    block: &'s mut Block<'a, W>,
    peers: &'s mut Peers<'p, 'a, W>,
    which: usize,
    group: Group,
}

impl<'a, W: Watch> Starter<'_, '_, 'a, W> {
    fn decide(&mut self, sources: &[Reg], what: Decision) {
        if W::ON {
            let Block { launch, linear, warps, .. } = &mut *self.block;
            let warp = &mut warps[self.which];
            let (Group { pc, frame, mask, .. }, index) = (self.group, warp.index);
            let here = At { launch, block: *linear, warp: index, pc, frame };
            for reg in sources.iter().filter(|reg| reg.is_some()) {
                self.watch.decide(&here, &mut warp.watch, &warp.regs, *reg, mask, what);
            }
        }
    }

    /// Starts the copies of each lane, which write `values` if they have no source in memory.
    fn start(
        &mut self,
        values: &[Reg],
        checked: impl Fn(&mut Block<'a, W>, &mut Peers<'_, 'a, W>, usize) -> Result<Vec<BulkUnderWay>, Refusal>,
    ) -> Result<(), LaunchEnding> {
        for lane in lanes(self.group.mask) {
            let copies = checked(self.block, self.peers, lane)
                .map_err(|refusal| refusal.ending(self.block, self.which, &Group { mask: 1 << lane, ..self.group }))?;
            for copy in copies {
                self.announce(lane, &copy, values);
                self.block.bulk.start(copy);
            }
        }
        while self.block.bulk.count() > MOST {
            bulk_moves::move_nth(self.watch, self.block, self.peers, 0);
        }
        Ok(())
    }

    fn announce(&mut self, lane: usize, copy: &BulkUnderWay, values: &[Reg]) {
        if W::ON {
            let Block { launch, linear, warps, shared, watch: block_watch, .. } = &mut *self.block;
            let warp = &mut warps[copy.warp as usize];
            let at = At { launch, block: *linear, warp: warp.index, pc: self.group.pc, frame: self.group.frame };
            let (target, peer) = match self.peers.at(copy.owner).filter(|_| copy.owner != *linear) {
                Some(Block { shared, watch, .. }) => (&*shared, Some(watch)),
                None => (&*shared, None),
            };
            let start = StartedBulk {
                at,
                lane,
                copy,
                from: copy.from.and_then(|from| region(launch, shared, from)),
                to: region(launch, target, copy.to),
                values,
                regs: &warp.regs,
            };
            self.watch.bulk_starts(&start, &mut CopyBlocks { own: block_watch, peer }, &mut warp.watch);
        }
    }
}

/// The reason why a copy cannot start.
pub(super) enum Refusal {
    Access(InvalidAccess),
    Object(u64, ObjectMisuse),
    Tensor(TensorMisuse),
}

impl Refusal {
    /// The launch ends with it. `one` is the lane's.
    pub(super) fn ending<W: Watch>(&self, block: &Block<W>, which: usize, one: &Group) -> LaunchEnding {
        match self {
            Refusal::Access(invalid) => {
                let warp = &block.warps[which];
                let (launch, pc, frame) = (&block.launch, one.pc, one.frame);
                let here = At { launch, block: block.linear, warp: warp.index, pc, frame };
                Misplaced::new(&here, invalid).ending(warp)
            }
            Refusal::Object(address, misuse) => mbarrier::misused(block, which, one, *address, *misuse),
            Refusal::Tensor(misuse) => tensor_copies::misused(block, which, one, *misuse),
        }
    }
}

/// One destination of a copy.
#[derive(Clone, Copy)]
pub(super) struct Destination {
    /// The block whose shared memory it is in, if shared, and the object.
    pub owner: u64,
    pub address: u64,
    pub object: Option<u64>,
}

impl Destination {
    /// Returns one copy of `form` for each destination, numbered in the block that starts them.
    pub(super) fn copies<W: Watch>(
        all: &[Destination],
        form: &BulkUnderWay,
        block: &mut Block<W>,
    ) -> Vec<BulkUnderWay> {
        let to_each = all.iter().map(|&Destination { owner, address, object }| {
            let (number, to) = (block.bulk.next_number(), (form.to.0, address));
            BulkUnderWay { number, to, owner, object, ..form.clone() }
        });
        to_each.collect()
    }
}

/// Returns the block whose shared memory an address is in, and the address there. An address of no block of the cluster
/// stays as it is written, and is outside the memory of this one.
pub(super) fn shared_place(launch: &Launch, own: u64, written: u64) -> (u64, u64) {
    let address = without_window(written);
    let (rank, offset) = space::in_cluster(address);
    match rank.filter(|rank| launch.has_peers() && *rank < launch.blocks_per_cluster()) {
        Some(rank) => (launch.first_block() + launch.block_of_cluster(launch.cluster_number(own), rank), offset),
        None => (own, address),
    }
}

/// Returns where a copy into shared memory goes: to the written address, or to the blocks of a multicast.
pub(super) fn destinations<'a, W: Watch>(
    block: &Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    (to, object): (u64, u64),
    multicast: Option<u64>,
    (lane, remaining): (usize, Mask),
) -> Result<Vec<Destination>, Refusal> {
    let (launch, own) = (&*block.launch, block.linear);
    let ((owner, address), (of_object, object)) = (shared_place(launch, own, to), shared_place(launch, own, object));
    let owners = match multicast {
        None if owner != of_object => return Err(Refusal::Object(object, ObjectMisuse::OtherBlock)),
        None => vec![owner],
        Some(blocks) => {
            let ranks = (0..launch.blocks_per_cluster()).filter(|rank| blocks >> rank & 1 != 0);
            let cluster = launch.cluster_number(own);
            ranks.map(|rank| launch.first_block() + launch.block_of_cluster(cluster, rank)).collect()
        }
    };
    let mut destinations = Vec::new();
    for owner in owners {
        let shared = peers.at(owner).map_or(&block.shared, |peer| &peer.shared);
        let object = Some(object_at(shared, object, lane, remaining)?);
        destinations.push(Destination { owner, address, object });
    }
    Ok(destinations)
}

/// Returns a lane's copies, if their addresses and their size are allowed.
fn checked<'a, W: Watch>(
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    op: &BulkCopyOp,
    lane: usize,
    mask: Mask,
) -> Result<Vec<BulkUnderWay>, Refusal> {
    let Block { launch, warps, shared, linear, .. } = &*block;
    let Warp { regs, index, .. } = &warps[which];
    let (warp, own) = (*index, *linear);
    let at = |side: &AsyncCopyAddress| addresses(regs, side.base, side.offset)[lane];
    let bytes = regs.get(op.bytes, lane) & 0xffff_ffff;
    let remaining = mask & (!0 << lane);
    let place = |space, written| match space {
        Space::Shared => shared_place(launch, own, written),
        _ => (own, written),
    };
    let ((_, to), (reader, from)) = (place(op.to_space, at(&op.to)), place(op.from_space, at(&op.from)));
    // A copy reads the memory of its own block alone.
    let from = if reader == own { from } else { without_window(at(&op.from)) };
    let to = side(launch, shared, (op.to_space, to, bytes), (lane, remaining)).map_err(Refusal::Access)?;
    let from = side(launch, shared, (op.from_space, from, bytes), (lane, remaining)).map_err(Refusal::Access)?;
    if !bytes.is_multiple_of(UNIT) {
        let size = ObjectMisuse::BulkSize { bytes };
        return Err(Refusal::Object(if op.to_space == Space::Shared { to.1 } else { from.1 }, size));
    }
    let destinations = match &op.completion {
        BulkCompletion::Group => vec![Destination { owner: own, address: to.1, object: None }],
        BulkCompletion::Transactions(object) => {
            let multicast = op.multicast.is_some().then(|| regs.get(op.multicast, lane));
            destinations(block, peers, (at(&op.to), at(object)), multicast, (lane, remaining))?
        }
    };
    let byte_mask = if op.byte_mask.is_some() { regs.get(op.byte_mask, lane) as u16 } else { u16::MAX };
    let form = BulkUnderWay {
        warp,
        lane: lane as u32,
        number: 0,
        from: Some(from),
        to,
        owner: own,
        bytes: bytes as u32,
        byte_mask,
        reduction: op.reduction,
        object: None,
        tensor: None,
        data: None,
    };
    Ok(Destination::copies(&destinations, &form, block))
}

/// Returns one side of a copy, if it may be accessed. All blocks of a cluster have shared memory of one size.
fn side(
    launch: &Launch,
    shared: &Region,
    (space, address, bytes): (Space, u64, u64),
    (lane, remaining): (usize, Mask),
) -> Result<(Space, u64), InvalidAccess> {
    let misaligned = !address.is_multiple_of(UNIT);
    let holds = match space {
        Space::Shared => shared.contains(address, bytes),
        _ => launch.memory.region(address).is_some_and(|region| region.contains(address, bytes)),
    };
    if holds && !misaligned || bytes == 0 {
        return Ok((space, address));
    }
    let bytes = if misaligned { UNIT } else { bytes };
    let kind = AccessKind::AsyncCopy;
    Err(InvalidAccess { lane, space, address, bytes, misaligned, kind, remaining, image: None })
}

/// Returns an address of shared memory, also if it is written as a generic one.
pub(super) fn without_window(written: u64) -> u64 {
    match space::of_generic(written) {
        Space::Shared => written.wrapping_sub(space::window(Space::Shared)),
        _ => written,
    }
}

/// Returns the address of a barrier object, if there is one.
fn object_at(shared: &Region, address: u64, lane: usize, remaining: Mask) -> Result<u64, Refusal> {
    let misaligned = !address.is_multiple_of(8);
    if misaligned || !shared.contains(address, 8) {
        let (space, kind) = (Space::Shared, AccessKind::BarrierObject);
        let invalid = InvalidAccess { lane, space, address, bytes: 8, misaligned, kind, remaining, image: None };
        return Err(Refusal::Access(invalid));
    }
    match MbarrierObject::at(shared, address) {
        Some(_) => Ok(address),
        None => Err(Refusal::Object(address, ObjectMisuse::NoObject)),
    }
}

//! Barrier objects in shared memory (PTX ISA, "mbarrier": contents, phases, arrive-on, expect-tx, complete-tx).
//!
//! An object goes through phases. A phase is complete when no arrival and no transaction is pending; then the next one
//! begins, with as many arrivals pending as are expected. All of it is in the object's 64 bits, so what overwrites
//! these destroys the object, as on a GPU.
//!
//! `try_wait` may suspend its thread and wakes it in the end, complete or not: here it answers at once, as `test_wait`
//! does. So threads that wait for ever spin, and end as a livelock, not as a deadlock. What the ISA leaves undefined
//! (operations on what is no object, more arrivals than are pending, counts out of range, a phase completed by
//! `.noComplete`) ends the launch. Two things pass, towards silence: a state that is two phases old, and an arrival by
//! `cp.async.mbarrier.arrive` at an object that has none pending. The checker reports an object that is initialised
//! twice.

use super::access::{InvalidAccess, addresses};
use super::block::Block;
use super::cluster::Peers;
use super::ending::{LaunchEnding, of_block};
use super::misplaced::Misplaced;
use super::sites::threads_at;
use super::warp::{Group, Warp};
use crate::exec::Op;
use crate::exec::mbarrier::{Arrive, BYTES, COUNT, Mbarrier, ObjectAction, PARITY, Phase};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::place;
use crate::registers::{Mask, Registers, WARP, lanes};
use crate::types::Fault;
use crate::watch::{At, Signal, Touch, Watch};
use finding::{AccessKind, Cause, Decision, ObjectMisuse, Slug};

/// The contents of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MbarrierObject {
    /// Arrivals that the current phase still waits for, and those that the next one will.
    pub pending: u64,
    expected: u64,
    /// Transactions under way; fewer than none where they complete before they are expected.
    transactions: i64,
    /// The parity of the current phase.
    is_odd: bool,
}

/// Marks an object, in its two highest bits.
const MARK: u64 = 0b10;
const MOST_TRANSACTIONS: i64 = COUNT as i64;

impl MbarrierObject {
    fn new(count: u64) -> Result<MbarrierObject, ObjectMisuse> {
        match count {
            1..=COUNT => Ok(MbarrierObject { pending: count, expected: count, transactions: 0, is_odd: false }),
            _ => Err(ObjectMisuse::Count { count }),
        }
    }

    /// From the lowest bit: 20 of pending arrivals, 20 of expected ones, 21 of transactions (signed), the parity of the
    /// phase, and two that mark a valid object.
    fn to_bits(self) -> u64 {
        let transactions = (self.transactions & 0x1f_ffff) as u64;
        self.pending | self.expected << 20 | transactions << 40 | u64::from(self.is_odd) << 61 | MARK << 62
    }

    fn from_bits(bits: u64) -> Option<MbarrierObject> {
        (bits >> 62 == MARK).then_some(MbarrierObject {
            pending: bits & COUNT,
            expected: bits >> 20 & COUNT,
            // Extends the sign.
            transactions: ((bits << 3) as i64) >> 43,
            is_odd: bits >> 61 & 1 != 0,
        })
    }

    pub fn at(shared: &Region, address: u64) -> Option<MbarrierObject> {
        MbarrierObject::from_bits(shared.load_sized(address, BYTES as u32))
    }

    pub fn put(self, shared: &Region, address: u64) {
        shared.store::<u64>(address, self.to_bits());
    }

    /// Returns the state that an arrival in the current phase returns.
    fn state(self) -> u64 {
        self.pending | u64::from(self.is_odd) << PARITY
    }

    fn expect(&mut self, transactions: i64) -> Result<(), ObjectMisuse> {
        self.transactions += transactions;
        if self.transactions.abs() > MOST_TRANSACTIONS { Err(ObjectMisuse::Transactions) } else { Ok(()) }
    }

    /// Completes transactions; true if that completes the phase.
    pub fn complete(&mut self, transactions: i64) -> bool {
        self.transactions -= transactions;
        self.settle()
    }

    /// Returns the number of transactions that the current phase waits for; negative if more are complete than it
    /// expects.
    pub fn transactions(self) -> i64 {
        self.transactions
    }

    fn arrive(&mut self, count: u64, drops: bool) -> Result<(), ObjectMisuse> {
        if count == 0 || count > self.pending || drops && count > self.expected {
            return Err(ObjectMisuse::TooMany { come: count, pending: self.pending });
        }
        self.pending -= count;
        self.expected -= if drops { count } else { 0 };
        Ok(())
    }

    /// Begins the next phase if the current one is complete; true if it was.
    fn settle(&mut self) -> bool {
        let is_complete = self.pending == 0 && self.transactions == 0;
        if is_complete {
            (self.pending, self.is_odd) = (self.expected, !self.is_odd);
        }
        is_complete
    }
}

/// Makes the arrivals of a warp whose copies are done. One whose object is no more, or has no arrival pending, is
/// dropped.
pub fn settle_tracked<W: Watch>(shared: &Region, warp: &mut Warp<W>, watch: &mut W, block_watch: &mut W::Block) {
    for tracked in warp.copies.take_tracked() {
        let Some(mut object) = MbarrierObject::at(shared, tracked.address) else { continue };
        if object.arrive(1, false).is_err() {
            continue;
        }
        let completes = object.settle();
        object.put(shared, tracked.address);
        if W::ON {
            let signal = Signal::Tracked { warp: warp.index, lane: tracked.lane as usize, last: tracked.last };
            watch.signal(tracked.address, &signal, block_watch, &mut warp.watch);
            if completes {
                watch.signal(tracked.address, &Signal::Completes, block_watch, &mut warp.watch);
            }
        }
    }
}

/// The objects of a group's lanes: addresses in shared memory.
fn objects(
    regs: &Registers,
    op: &Mbarrier,
    shared: &Region,
    shift: u64,
    mask: Mask,
) -> Result<[u64; WARP], InvalidAccess> {
    let mut at = addresses(regs, op.base, op.offset);
    for lane in lanes(mask) {
        let written = at[lane];
        let space = if op.space == Space::Generic { space::of_generic(written) } else { op.space };
        if op.space == Space::Generic && space != Space::Global {
            at[lane] = written.wrapping_sub(space::window(space));
        }
        at[lane] = at[lane].wrapping_sub(shift);
        let misaligned = !at[lane].is_multiple_of(BYTES);
        if space != Space::Shared || misaligned || !shared.contains(at[lane], BYTES) {
            let (address, kind) = (at[lane], AccessKind::Atomic);
            return Err(InvalidAccess {
                lane,
                space,
                address,
                bytes: BYTES,
                misaligned,
                kind,
                remaining: mask,
                image: None,
            });
        }
    }
    Ok(at)
}

/// Executes the mbarrier instruction at which group `at` of warp `which` stands.
pub(super) fn run<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    at: usize,
) -> Result<(), LaunchEnding> {
    let group = block.warps[which].groups[at];
    let code = block.launch.code;
    let Op::Mbarrier(op) = &code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
    block.warps[which].enter_window(group.frame);
    let own = block.linear;
    for (rank, mask) in owners(block, which, op, group.mask) {
        let part = Group { mask, ..group };
        let Some(rank) = rank else {
            run_at(watch, block, peers, which, part, op, (own, 0))?;
            continue;
        };
        let shift = space::of_peer(0, rank);
        if block.launch.cluster_rank(own) == rank {
            run_at(watch, block, peers, which, part, op, (own, shift))?;
        } else if let Some(peer) = peers.of_rank(block, rank) {
            // The objects of the peer are in its memory, and what checkers keep of them is kept with it.
            let owner = peer.linear;
            std::mem::swap(&mut block.shared, &mut peer.shared);
            std::mem::swap(&mut block.watch, &mut peer.watch);
            let result = run_at(watch, block, &mut Peers::none(), which, part, op, (owner, shift));
            let peer = peers.of_rank(block, rank).expect("found above");
            std::mem::swap(&mut block.shared, &mut peer.shared);
            std::mem::swap(&mut block.watch, &mut peer.watch);
            result?;
        } else {
            run_at(watch, block, peers, which, part, op, (own, 0))?;
        }
    }
    block.warps[which].groups[at].pc += 1;
    Ok(())
}

/// The lanes by the rank of the block whose objects they use; no rank for those of this block. Arrivals and counts of
/// transactions alone may go to other blocks (PTX ISA, "mbarrier.arrive").
fn owners<W: Watch>(block: &Block<W>, which: usize, op: &Mbarrier, mask: Mask) -> Vec<(Option<u32>, Mask)> {
    let may_be_remote =
        matches!(op.action, ObjectAction::Arrive(_) | ObjectAction::ExpectTx(_) | ObjectAction::CompleteTx(_));
    if !block.launch.has_peers() || !may_be_remote {
        return vec![(None, mask)];
    }
    let at = addresses(&block.warps[which].regs, op.base, op.offset);
    let mut parts: Vec<(Option<u32>, Mask)> = Vec::new();
    for lane in lanes(mask) {
        let rank = match op.space {
            Space::Generic if space::of_generic(at[lane]) != Space::Shared => None,
            Space::Generic => space::in_cluster(at[lane] - space::window(Space::Shared)).0,
            _ => space::in_cluster(at[lane]).0,
        };
        match parts.iter_mut().find(|(known, _)| *known == rank) {
            Some((_, part)) => *part |= 1 << lane,
            None => parts.push((rank, 1 << lane)),
        }
    }
    parts
}

/// Executes an instruction on objects of one block, `owner`, whose shared memory is `block.shared` at present. Lanes'
/// addresses are `shift` beyond those in it.
fn run_at<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    group: Group,
    op: &Mbarrier,
    (owner, shift): (u64, u64),
) -> Result<(), LaunchEnding> {
    let warp = &mut block.warps[which];
    let places = match objects(&warp.regs, op, &block.shared, shift, group.mask) {
        Ok(places) => places,
        Err(invalid) => {
            let here =
                At { launch: &block.launch, block: block.linear, warp: warp.index, pc: group.pc, frame: group.frame };
            return Err(Misplaced::new(&here, &invalid).ending(warp));
        }
    };
    let mut operation = MbarrierOperation { watch, block, peers, which, group, op, owner };
    operation.announce(&places);
    let mut passed = 0;
    for lane in lanes(group.mask) {
        match operation.of_lane(lane, places[lane]) {
            Ok(passes) => passed |= u32::from(passes) << lane,
            Err(misuse) => return Err(operation.misused(lane, places[lane], misuse)),
        }
    }
    let warp = &mut block.warps[which];
    if matches!(op.action, ObjectAction::Test(_)) && op.dst.is_some() {
        warp.regs.set_pred(op.dst.index, passed, group.mask);
    }
    if W::ON && op.dst.is_some() {
        watch.define(&mut warp.watch, &warp.regs, op.dst, group.mask);
    }
    Ok(())
}

/// An operation of a group on objects, one for each of its lanes.
struct MbarrierOperation<'o, 'p, 'a, W: Watch> {
    watch: &'o mut W,
    block: &'o mut Block<'a, W>,
    peers: &'o mut Peers<'p, 'a, W>,
    which: usize,
    group: Group,
    op: &'o Mbarrier,
    /// The block whose objects they are.
    owner: u64,
}

impl<W: Watch> MbarrierOperation<'_, '_, '_, W> {
    fn announce(&mut self, places: &[u64; WARP]) {
        if !W::ON {
            return;
        }
        let (op, Group { pc, mask, frame, .. }) = (self.op, self.group);
        let Block { launch, linear, warps, shared, watch, .. } = &mut *self.block;
        let warp = &mut warps[self.which];
        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
        for (reg, what) in op.sources().into_iter().chain([(op.base, Decision::Address)]) {
            self.watch.decide(&here, &mut warp.watch, &warp.regs, reg, mask, what);
        }
        let touch = Touch {
            at: here,
            space: Space::Shared,
            region: Some(shared),
            addresses: places,
            mask,
            bytes: BYTES as u32,
            elements: 1,
            semantics: op.semantics,
            owner: self.owner,
        };
        self.watch.mbarrier(&touch, op, watch, &mut warp.watch);
    }

    /// One lane's operation; true if the phase that it asks for is complete.
    fn of_lane(&mut self, lane: usize, address: u64) -> Result<bool, ObjectMisuse> {
        let (op, which) = (self.op, self.which);
        let known = MbarrierObject::at(&self.block.shared, address);
        let number = |warp: &Warp<W>, reg| warp.regs.get(reg, lane) & 0xffff_ffff;
        let warp = &self.block.warps[which];
        let mut object = match op.action {
            ObjectAction::Init(count) => {
                MbarrierObject::new(number(warp, count))?.put(&self.block.shared, address);
                return Ok(false);
            }
            _ => known.ok_or(ObjectMisuse::NoObject)?,
        };
        let before = object.state();
        match op.action {
            ObjectAction::Test(phase) => {
                let parity = match phase {
                    Phase::State(state) => warp.regs.get(state, lane) >> PARITY,
                    Phase::Parity(parity) => number(warp, parity),
                };
                let is_past = |object: MbarrierObject| object.is_odd != (parity & 1 != 0);
                if !is_past(object) && self.finish_tracked(address) {
                    object = MbarrierObject::at(&self.block.shared, address).ok_or(ObjectMisuse::NoObject)?;
                }
                let passes = is_past(object);
                if passes {
                    self.signal(address, |at| Signal::Passes { at, lane, semantics: op.semantics });
                }
                return Ok(passes);
            }
            ObjectAction::Init(_) => unreachable!("done above"),
            ObjectAction::Inval => {
                self.block.shared.store::<u64>(address, 0);
                return Ok(false);
            }
            ObjectAction::ExpectTx(transactions) => object.expect(number(warp, transactions) as i64)?,
            ObjectAction::CompleteTx(transactions) => object.expect(-(number(warp, transactions) as i64))?,
            ObjectAction::Arrive(Arrive { count, drops, no_complete, transactions }) => {
                if transactions.is_some() {
                    object.expect(number(warp, transactions) as i64)?;
                }
                object.arrive(if count.is_some() { number(warp, count) } else { 1 }, drops)?;
                if no_complete && object.pending == 0 && object.transactions == 0 {
                    return Err(ObjectMisuse::Completes);
                }
            }
            ObjectAction::Track(adds) => {
                object.pending += u64::from(adds);
                if object.pending > COUNT {
                    return Err(ObjectMisuse::Count { count: object.pending });
                }
                object.put(&self.block.shared, address);
                let last = self.block.warps[which].copies.track(lane, address);
                self.signal(address, |at| Signal::Tracks { at, lane, last });
                let Block { warps, shared, watch, .. } = &mut *self.block;
                settle_tracked(shared, &mut warps[which], self.watch, watch);
                return Ok(false);
            }
        }
        let completes = object.settle();
        object.put(&self.block.shared, address);
        if matches!(op.action, ObjectAction::Arrive(_)) {
            self.signal(address, |at| Signal::Arrives { at, lane, semantics: op.semantics });
            self.block.warps[which].regs.set(op.dst, lane, before);
        }
        if completes {
            self.signal(address, |_| Signal::Completes);
        }
        Ok(false)
    }

    fn signal(&mut self, address: u64, signal: impl for<'s> Fn(At<'s>) -> Signal<'s>) {
        if W::ON {
            let Block { launch, linear, warps, watch, .. } = &mut *self.block;
            let warp = &mut warps[self.which];
            let at = At { launch, block: *linear, warp: warp.index, pc: self.group.pc, frame: self.group.frame };
            self.watch.signal(address, &signal(at), watch, &mut warp.watch);
        }
    }

    /// A thread waits at an object: the copies that it tracks come to their end. True if there were any.
    fn finish_tracked(&mut self, address: u64) -> bool {
        let any_bulk = super::bulk_moves::finish_tracked(self.watch, self.block, self.peers, address);
        let Block { launch, linear, warps, shared, watch, .. } = &mut *self.block;
        let mut any = any_bulk;
        for warp in warps.iter_mut() {
            for copy in warp.copies.take_tracked_by(address) {
                super::async_copies::move_bytes(launch, *linear, shared, &copy, self.watch, watch);
                any = true;
            }
            settle_tracked(shared, warp, self.watch, watch);
        }
        any
    }

    fn misused(&self, lane: usize, address: u64, misuse: ObjectMisuse) -> LaunchEnding {
        let one = Group { mask: 1 << lane, ..self.group };
        misused(self.block, self.which, &one, address, misuse)
    }
}

/// Ends the launch for the misuse of an object by one thread.
pub(super) fn misused<W: Watch>(
    block: &Block<W>,
    which: usize,
    one: &Group,
    address: u64,
    misuse: ObjectMisuse,
) -> LaunchEnding {
    let (slug, bytes) = match misuse {
        ObjectMisuse::NoObject => (Slug::UndefinedValue, BYTES as u32),
        ObjectMisuse::BulkSize { .. } => (Slug::Misaligned, 4),
        _ => (Slug::BarrierDivergence, BYTES as u32),
    };
    let place = place::of(&block.launch, Space::Shared, address, bytes);
    let cause = Cause::BarrierObject { place, misuse, most: COUNT, in_cluster: block.launch.has_peers() };
    let did = |threads| finding::Action::MisusedObject { threads, misuse };
    let ends = vec![threads_at(block, which as u32, one, did)];
    LaunchEnding::found(of_block(&block.launch, block.linear, slug, cause, ends), Fault::IllegalInstruction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_keeps_what_it_is_given() {
        for (pending, expected, transactions, is_odd) in [(1, 1, 0, false), (7, COUNT, -3, true), (0, 9, 1 << 19, true)]
        {
            let object = MbarrierObject { pending, expected, transactions, is_odd };
            assert_eq!(MbarrierObject::from_bits(object.to_bits()), Some(object));
        }
        assert_eq!(
            (MbarrierObject::from_bits(0), MbarrierObject::new(0), MbarrierObject::new(1 << 20).is_err()),
            (None, Err(ObjectMisuse::Count { count: 0 }), true)
        );
    }

    #[test]
    fn a_phase_ends_with_its_last_arrival_and_its_last_transaction() {
        let mut object = MbarrierObject::new(2).unwrap();
        object.expect(16).unwrap();
        object.arrive(2, false).unwrap();
        assert!(!object.settle());
        assert_eq!(object.arrive(1, false), Err(ObjectMisuse::TooMany { come: 1, pending: 0 }));
        object.expect(-16).unwrap();
        assert!(object.settle());
        assert_eq!((object.pending, object.is_odd), (2, true));
        // A thread that drops out is not waited for again.
        object.arrive(1, true).unwrap();
        object.arrive(1, false).unwrap();
        assert!(object.settle());
        assert_eq!((object.pending, object.is_odd), (1, false));
    }
}

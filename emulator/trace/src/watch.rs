//! The checker and the recorder as one watcher: each event is recorded, then judged, and what was found is noted. What
//! the oracle answers is the checker's alone, so a traced run is the same run.

mod forwarded;

use crate::bits::{Bits, Lanes};
use crate::event::{Does, Released, What};
use crate::found::SoFar;
use crate::recorder::Recorder;
use checker::Checker;
use finding::{Finding, Slug};
use machine::code::{Function, Instr};
use machine::exec::Op;
use machine::exec::atomic::Atomic;
use machine::exec::barrier::{BARRIERS, Fence, FencedSpace};
use machine::exec::mbarrier::Mbarrier;
use machine::exec::memory::{Load, Ordering, Semantics, StoreOp};
use machine::exec::warp::Collective;
use machine::registers::{Mask, Registers, WARP};
use machine::run::arrivals::Arrival;
use machine::run::bulk::BulkUnderWay;
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::watch::{
    At, BulkWait, CopyBlocks, Events, Keeps, Signal, StartedBulk, StartedCopy, StartedProduct, Touch,
};

pub(crate) struct RecordingChecker<'c, 't> {
    pub checker: Checker<'c>,
    pub record: Recorder<'t>,
}

type Warp = <Checker<'static> as Keeps>::Warp;
type Block = <Checker<'static> as Keeps>::Block;

impl RecordingChecker<'_, '_> {
    /// After something that may have been found.
    fn told(&mut self) {
        let changes = self.checker.changes();
        if self.record.finds.seen != changes {
            let Recorder { tracer, finds, last, .. } = &mut self.record;
            finds.seen = changes;
            let so_far = SoFar { events: &tracer.log.events, sites: &tracer.tables.sites, launches: &tracer.launches };
            finds.note(self.checker.found(), *last, &so_far);
        }
    }
}

impl Keeps for RecordingChecker<'_, '_> {
    const ON: bool = true;
    const GOES_ON: bool = true;
    type Warp = Warp;
    type Block = Block;
}

impl Events for RecordingChecker<'_, '_> {
    fn begin_block(&mut self, launch: &Launch, linear: u64, block: &mut Block) {
        self.record.push_of_none(|| What::BlockBegins { in_block: linear });
        self.checker.begin_block(launch, linear, block);
    }

    fn begin_warp(&mut self, warp: &mut Warp, regs: &Registers, kernel: &Function, exists: Mask) {
        self.checker.begin_warp(warp, regs, kernel, exists);
    }

    fn turn(&mut self, at: &At, mask: Mask) {
        self.record.turn(at, mask);
    }

    fn executed(&mut self, at: &At, regs: &Registers, instr: &Instr, mask: Mask, exec: Mask) {
        self.record.executed(at, mask, exec);
        self.checker.executed(at, regs, instr, mask, exec);
    }

    fn stands(&mut self, at: &At, block: &mut Block, warp: &mut Warp, regs: &Registers, mask: Mask, exec: Mask) {
        self.checker.stands(at, block, warp, regs, mask, exec);
        self.told();
    }

    fn called(&mut self, call: &At, warp: &mut Warp, frame: u32) {
        self.record.called(call, frame);
        self.checker.called(call, warp, frame);
    }

    fn load(&mut self, touch: &Touch, load: &Load, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        self.record.load(touch, load);
        self.checker.load(touch, load, block, warp, regs);
        self.told();
    }

    fn store(&mut self, touch: &Touch, store: &StoreOp, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        self.record.store(touch, store, regs);
        self.checker.store(touch, store, block, warp, regs);
        self.told();
    }

    fn atomic(&mut self, touch: &Touch, atomic: &Atomic, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        self.record.atomic(touch, atomic, regs);
        self.checker.atomic(touch, atomic, block, warp, regs);
        self.told();
    }

    fn copy(&mut self, touch: &Touch, copy: &StartedCopy, to: bool, block: &mut Block, warp: &mut Warp) {
        self.record.touch(touch, if to { Does::CopyTo } else { Does::CopyFrom });
        self.checker.copy(touch, copy, to, block, warp);
        self.told();
    }

    fn waited(&mut self, warp: &mut Warp, lane: usize, last: u32) {
        self.checker.waited(warp, lane, last);
    }

    fn copy_moves(&mut self, launch: &Launch, linear: u64, copy: &UnderWay, block: &mut Block) {
        self.record.push_of_none(|| What::Copied {
            in_block: linear,
            by_warp: copy.warp,
            by_lane: copy.lane as u8,
            bytes: copy.bytes,
            to: Bits(copy.to),
        });
        self.checker.copy_moves(launch, linear, copy, block);
        self.told();
    }

    fn bulk_starts(&mut self, start: &StartedBulk, blocks: &mut CopyBlocks<Block>, warp: &mut Warp) {
        let StartedBulk { at, lane, copy, from, to, .. } = *start;
        for segment in copy.segments() {
            let from_space = copy.from.map_or(copy.to.0, |(space, _)| space);
            let sides = [
                (from, from_space, segment.from, at.block, Does::CopyFrom),
                (to, copy.to.0, Some(segment.to), copy.owner, Does::CopyTo),
            ];
            for (region, space, address, owner, does) in sides {
                let Some(address) = address else { continue };
                let mut addresses = [0; WARP];
                addresses[lane] = address;
                let touch = Touch {
                    at,
                    space,
                    region,
                    addresses: &addresses,
                    mask: 1 << lane,
                    bytes: segment.bytes,
                    elements: 1,
                    semantics: Semantics::WEAK,
                    owner,
                };
                self.record.touch(&touch, does);
            }
        }
        self.checker.bulk_starts(start, blocks, warp);
        self.told();
    }

    fn bulk_has_read(&mut self, launch: &Launch, linear: u64, copy: &BulkUnderWay, block: &mut Block) {
        self.checker.bulk_has_read(launch, linear, copy, block);
    }

    fn bulk_writes(&mut self, launch: &Launch, linear: u64, copy: &BulkUnderWay, blocks: &mut CopyBlocks<Block>) {
        self.record.push_of_none(|| What::Copied {
            in_block: linear,
            by_warp: copy.warp,
            by_lane: copy.lane as u8,
            bytes: copy.bytes,
            to: Bits(copy.to.1),
        });
        self.checker.bulk_writes(launch, linear, copy, blocks);
        self.told();
    }

    fn bulk_completes(&mut self, linear: u64, copy: &BulkUnderWay, blocks: &mut CopyBlocks<Block>) {
        self.checker.bulk_completes(linear, copy, blocks);
    }

    fn bulk_waited(&mut self, wait: &BulkWait, block: &mut Block, warp: &mut Warp) {
        self.checker.bulk_waited(wait, block, warp);
    }

    fn product_starts(&mut self, start: &StartedProduct, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        start.each_read(|touch| self.record.touch(touch, Does::Load));
        self.checker.product_starts(start, block, warp, regs);
        self.told();
    }

    fn products_committed(&mut self, warp: &mut Warp) {
        self.checker.products_committed(warp);
    }

    fn products_waited(&mut self, at: &At, last: u32, warp: &mut Warp) {
        self.checker.products_waited(at, last, warp);
    }

    fn products_fenced(&mut self, warp: &mut Warp) {
        self.checker.products_fenced(warp);
    }

    fn proxy_fence(&mut self, at: &At, warp: &mut Warp, mask: Mask, space: FencedSpace) {
        self.checker.proxy_fence(at, warp, mask, space);
    }

    fn map_fence(
        &mut self,
        at: &At,
        fence: &Fence,
        maps: Option<&[u64; WARP]>,
        block: &mut Block,
        warp: &mut Warp,
        mask: Mask,
    ) {
        self.checker.map_fence(at, fence, maps, block, warp, mask);
    }

    fn map_access(&mut self, touch: &Touch, writes: bool, block: &mut Block, warp: &mut Warp) {
        self.record.touch(touch, if writes { Does::Store } else { Does::Load });
        self.checker.map_access(touch, writes, block, warp);
        self.told();
    }

    fn misplaced(&mut self, at: &At, slug: Slug, warp: &mut Warp, tell: &dyn Fn() -> Finding) {
        self.checker.misplaced(at, slug, warp, tell);
        self.told();
    }

    fn mbarrier(&mut self, touch: &Touch, op: &Mbarrier, block: &mut Block, warp: &mut Warp) {
        self.record.touch(touch, Does::UseObject);
        self.checker.mbarrier(touch, op, block, warp);
        self.told();
    }

    fn signal(&mut self, address: u64, signal: &Signal, block: &mut Block, warp: &mut Warp) {
        if matches!(signal, Signal::Completes) {
            self.record.push_of_none(|| What::PhaseCompletes { address: Bits(address) });
        }
        self.checker.signal(address, signal, block, warp);
        self.told();
    }

    fn fence(&mut self, at: &At, fence: &Fence, block: &mut Block, warp: &mut Warp, mask: Mask) {
        let ordering = ordering(fence.semantics.ordering);
        self.record.push(at, mask, |_| What::Fence { scope: fence.semantics.scope, ordering });
        self.checker.fence(at, fence, block, warp, mask);
    }

    fn meet(&mut self, at: &At, op: &Collective, block: &mut Block, warp: &mut Warp, met: Mask) {
        self.record.push(at, met, |_| What::Meets { function: op.kind.name(), exchanges: Vec::new() });
        self.checker.meet(at, op, block, warp, met);
        self.told();
    }

    fn branch(&mut self, at: &At, warp: &mut Warp, taken: Mask, on: Mask) {
        self.checker.branch(at, warp, taken, on);
    }

    fn part(&mut self, at: &At, warp: &mut Warp, one: Mask, other: Mask) {
        self.record.part(at, one, other);
        self.checker.part(at, warp, one, other);
    }

    fn diverge(&mut self, at: &At, warp: &Warp, id: u32, other: &Arrival, mask: Mask) {
        self.checker.diverge(at, warp, id, other, mask);
        self.told();
    }

    fn arrive(&mut self, at: &At, id: usize, block: &mut Block, warp: &mut Warp, mask: Mask) {
        let waits = matches!(&at.launch.code.instrs[at.pc as usize].op, Op::Barrier(barrier) if barrier.waits);
        self.record.push(at, mask, |_| What::Arrives { barrier: id, waits });
        self.checker.arrive(at, id, block, warp, mask);
        self.told();
    }

    fn cluster_arrive(&mut self, at: &At, releases: bool, warp: &mut Warp, mask: Mask) {
        self.record.push(at, mask, |_| What::Arrives { barrier: BARRIERS, waits: false });
        self.checker.cluster_arrive(at, releases, warp, mask);
    }

    fn cluster_completes(&mut self, launch: &Launch, linear: u64) {
        self.record.push_of_none(|| What::Opens { in_block: linear, barrier: BARRIERS, released: Vec::new() });
        self.checker.cluster_completes(launch, linear);
    }

    fn cluster_passes(&mut self, at: &At, warp: &mut Warp, mask: Mask) {
        self.checker.cluster_passes(at, warp, mask);
    }

    fn end_block(&mut self, launch: &Launch, linear: u64, block: &mut Block) {
        self.checker.end_block(launch, linear, block);
        self.told();
    }

    fn complete(&mut self, launch: &Launch, linear: u64, id: usize, block: &mut Block) {
        self.record.push_of_none(|| What::Opens { in_block: linear, barrier: id, released: Vec::new() });
        self.checker.complete(launch, linear, id, block);
        self.told();
    }

    fn release(&mut self, id: usize, block: &mut Block, warp: &mut Warp, index: u32, mask: Mask) {
        if let Some(What::Opens { released, .. }) = self.record.last() {
            released.push(Released { warp: index, lanes: Lanes(mask) });
        }
        self.checker.release(id, block, warp, index, mask);
    }

    fn exit(&mut self, at: &At, block: &mut Block, warp: &mut Warp, mask: Mask) {
        self.record.exit(at, mask);
        self.checker.exit(at, block, warp, mask);
        self.told();
    }
}

/// As PTX writes it.
fn ordering(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Weak => "weak",
        Ordering::Relaxed => "relaxed",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcqRel => "acq_rel",
        Ordering::Sc => "sc",
    }
}

//! The events of threads, passed on to all parts of the checker that keep state about them.

use super::{BlockState, Checker, WarpState, burn_for_views};
use crate::sites::LaunchPlace;
use finding::{Finding, Slug};
use machine::code::Function;
use machine::exec::IS_WHOLE;
use machine::exec::Op;
use machine::exec::atomic::Atomic;
use machine::exec::barrier::{Fence, FencedSpace};
use machine::exec::mbarrier::Mbarrier;
use machine::exec::memory::{Load, StoreOp};
use machine::exec::warp::Collective;
use machine::registers::{Mask, Registers, WARP};
use machine::run::arrivals::Arrival;
use machine::run::bulk::BulkUnderWay;
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::watch::{At, BulkWait, CopyBlocks, Events, Signal, StartedBulk, StartedCopy, StartedProduct, Touch};
use std::rc::Rc;

impl Checker<'_> {
    /// Records that lanes do something that may publish what they have acquired.
    #[inline(always)]
    pub(super) fn note_publication(&mut self, at: &At, mask: Mask) {
        if let Some(delays) = &mut self.delays {
            delays.note_publication(at, mask);
        }
    }
}

impl Events for Checker<'_> {
    fn begin_block(&mut self, launch: &Launch, linear: u64, block: &mut BlockState) {
        self.races.count_blocks(linear + 1);
        block.undefined.begin(launch);
        block.order.begin();
        block.trace.begin();
        block.ways.clear();
        block.histories.clear();
        block.reads.clear();
        block.memory.begin_block();
        block.peers.begin();
    }

    /// A warp state is used for one block after the other: its tables stay allocated.
    fn begin_warp(&mut self, warp: &mut WarpState, regs: &Registers, kernel: &Function, exists: Mask) {
        warp.undefined.begin(regs, kernel, exists);
        warp.trace.begin(exists);
        warp.ways.begin(exists);
        warp.order.begin(self.grids.nothing());
        if self.has_peers {
            warp.order.start_in_cluster();
        }
        self.speculation.end(&mut warp.reads);
        warp.pending_joins.clear();
        warp.products.begin();
        warp.astray = 0;
    }

    #[inline(always)]
    fn stands(
        &mut self,
        at: &At,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        mask: Mask,
        exec: Mask,
    ) {
        let marks = self.trace.rejoins.marks(at.pc);
        if marks != 0 {
            self.goes_its_way(at, block, warp, (regs, marks), mask, exec);
        }
        if !warp.pending_joins.is_empty() {
            self.leave_hammocks(at, warp, regs, mask);
        }
        if self.uses.concerns(at.pc) && exec != 0 {
            self.use_registers(at, warp, regs, exec);
        }
        if self.speculation.concerns(at.pc, &warp.reads) {
            self.follow_values(at, warp, regs, mask, exec);
        }
    }

    fn called(&mut self, call: &At, warp: &mut WarpState, frame: u32) {
        warp.ways.called(call.frame, frame, call.pc + 1);
        warp.trace.called(&mut self.trace.sites, call, frame);
    }

    #[inline(always)]
    fn load(&mut self, touch: &Touch, load: &Load, block: &mut BlockState, warp: &mut WarpState, regs: &Registers) {
        self.check_load(touch, load, block, warp, regs);
    }

    #[inline(always)]
    fn store(
        &mut self,
        touch: &Touch,
        store: &StoreOp,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        self.check_store(touch, store, block, warp, regs);
    }

    fn atomic(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        self.check_atomic(touch, atomic, block, warp, regs);
    }

    fn copy(&mut self, touch: &Touch, copy: &StartedCopy, to: bool, block: &mut BlockState, warp: &mut WarpState) {
        self.check_copy(touch, copy, to, block, warp);
    }

    fn waited(&mut self, warp: &mut WarpState, lane: usize, last: u32) {
        warp.order.waited_for(lane, last);
    }

    fn copy_moves(&mut self, launch: &Launch, linear: u64, copy: &UnderWay, block: &mut BlockState) {
        let site = block.order.copies().moves(copy);
        self.state.undefined_mut().move_copy(
            launch,
            copy,
            linear,
            &mut block.undefined,
            LaunchPlace { launch: self.number, site },
        );
    }

    fn bulk_starts(&mut self, start: &StartedBulk, blocks: &mut CopyBlocks<BlockState>, warp: &mut WarpState) {
        self.check_bulk(start, blocks, warp);
    }

    fn bulk_has_read(&mut self, launch: &Launch, linear: u64, copy: &BulkUnderWay, block: &mut BlockState) {
        let launch_place = LaunchPlace { launch: self.number, site: block.order.bulk().site(copy.number) };
        self.state.undefined_mut().read_bulk(launch, copy, linear, &mut block.undefined, launch_place);
    }

    fn bulk_writes(&mut self, launch: &Launch, _: u64, copy: &BulkUnderWay, blocks: &mut CopyBlocks<BlockState>) {
        let read = blocks.own.undefined.take_bulk(copy.number);
        self.state.undefined_mut().write_bulk(launch, copy, read, &mut blocks.target().undefined);
    }

    fn bulk_completes(&mut self, linear: u64, copy: &BulkUnderWay, blocks: &mut CopyBlocks<BlockState>) {
        let view = blocks.own.order.bulk().completes(copy.number, linear);
        if let (Some(view), Some(object)) = (view, copy.object) {
            blocks.target().order.objects().transfer(object, &view);
        }
    }

    fn bulk_waited(&mut self, wait: &BulkWait, block: &mut BlockState, warp: &mut WarpState) {
        let mut view = (*warp.order.views()[wait.lane]).clone();
        block.order.bulk().waited(wait.number, wait.at.block, wait.reads, &mut view);
        warp.order.learn(wait.lane, &Rc::new(view));
    }

    fn product_starts(
        &mut self,
        start: &StartedProduct,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        self.check_product(start, block, warp, regs);
        burn_for_views(start.at.launch);
    }

    fn products_committed(&mut self, warp: &mut WarpState) {
        warp.products.commit();
    }

    fn products_waited(&mut self, at: &At, last: u32, warp: &mut WarpState) {
        warp.order.learn_products(at, last);
        warp.products.wait(last);
    }

    fn products_fenced(&mut self, warp: &mut WarpState) {
        warp.products.fence();
    }

    fn proxy_fence(&mut self, at: &At, warp: &mut WarpState, mask: Mask, space: FencedSpace) {
        warp.order.proxy_fence(at.block, at.warp, mask, space);
        burn_for_views(at.launch);
    }

    fn map_fence(
        &mut self,
        at: &At,
        fence: &Fence,
        maps: Option<&[u64; WARP]>,
        block: &mut BlockState,
        warp: &mut WarpState,
        mask: Mask,
    ) {
        if IS_WHOLE {
            self.pass_map_fence(at, fence, maps, block, warp, mask);
        }
    }

    fn map_access(&mut self, touch: &Touch, writes: bool, block: &mut BlockState, warp: &mut WarpState) {
        if IS_WHOLE {
            self.check_map(touch, writes, block, warp);
        }
    }

    fn misplaced(&mut self, at: &At, slug: Slug, warp: &mut WarpState, tell: &dyn Fn() -> Finding) {
        let site = warp.trace.site(&mut self.trace.sites, at);
        self.findings.misplaced(at.launch, &self.trace.sites, site, slug, tell);
    }

    fn mbarrier(&mut self, touch: &Touch, op: &Mbarrier, block: &mut BlockState, warp: &mut WarpState) {
        self.check_barrier_object(touch, op, block, warp);
    }

    fn signal(&mut self, address: u64, signal: &Signal, block: &mut BlockState, warp: &mut WarpState) {
        let WarpState { order, trace, .. } = warp;
        let site = |at: &At| trace.site(&mut self.trace.sites, at);
        let unordered = block.order.objects().signal(address, signal, order, site);
        if let (Some(unordered), Signal::Passes { at, .. }, 0, true) = (unordered, signal, warp.astray, IS_WHOLE) {
            self.tell_unordered_expect(at.launch, address, unordered);
        }
    }

    fn fence(&mut self, at: &At, fence: &Fence, _: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        let site = warp.trace.site(&mut self.trace.sites, at);
        if fence.semantics.acquires() {
            self.trace.flags.fenced(at.block, at.warp, mask, fence.semantics.scope);
            if let Some(delays) = &mut self.delays {
                delays.acquires(at, mask, fence.semantics.scope);
            }
        }
        warp.order.fence(at, fence, site, mask, self.delays.as_mut().map(|delays| delays.fences()));
        burn_for_views(at.launch);
    }

    fn meet(&mut self, at: &At, op: &Collective, _: &mut BlockState, warp: &mut WarpState, met: Mask) {
        self.note_publication(at, met);
        let (site, orders) = (warp.trace.site(&mut self.trace.sites, at), op.kind.orders());
        warp.trace.meet(site, met, orders, warp.order.clock());
        warp.undefined.meet();
        warp.order.meet(at, op, met);
        self.state.undefined_mut().come(at, met, LaunchPlace { launch: self.number, site });
        let code = at.launch.code;
        if code.groups_trade_by_memory && !orders && code.is_of_groups(at.pc, &self.trace.sites.calls(site)) {
            warp.order.shuffled(at, met);
        }
    }

    #[inline(always)]
    fn branch(&mut self, at: &At, warp: &mut WarpState, taken: Mask, on: Mask) {
        let lanes = self.trace.exit_branches.of(at, taken, on);
        if lanes != 0 {
            warp.trace.leave(at.pc, lanes);
        }
    }

    fn part(&mut self, at: &At, warp: &mut WarpState, one: Mask, other: Mask) {
        let site = warp.trace.site(&mut self.trace.sites, at);
        warp.trace.part(site, one, other);
    }

    fn diverge(&mut self, at: &At, warp: &WarpState, id: u32, other: &Arrival, mask: Mask) {
        if warp.astray & (mask | other.mask) != 0 {
            return;
        }
        let theirs = At { pc: other.pc, frame: other.frame, ..*at };
        let sites = &mut self.trace.sites;
        let places = (warp.trace.site(sites, &theirs), warp.trace.site(sites, at));
        self.findings.diverged(at, sites, places, id, other, mask);
    }

    fn arrive(&mut self, at: &At, id: usize, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        self.note_publication(at, mask);
        let site = warp.trace.site(&mut self.trace.sites, at);
        block.trace.arrive(at, id, site, &mut warp.trace);
        if let Op::Barrier(barrier) = &at.launch.code.instrs[at.pc as usize].op
            && barrier.aligned
        {
            warp.ways.wait(site, id as u32, barrier.is_whole(id as u32), mask);
        }
        let waits = matches!(&at.launch.code.instrs[at.pc as usize].op, Op::Barrier(it) if it.waits);
        block.order.arrive(id, at.warp, &mut warp.order, mask, waits);
    }

    fn cluster_arrive(&mut self, at: &At, releases: bool, warp: &mut WarpState, mask: Mask) {
        self.note_publication(at, mask);
        self.clusters.arrive(at, releases, &mut warp.order, mask);
        burn_for_views(at.launch);
    }

    fn cluster_completes(&mut self, launch: &Launch, linear: u64) {
        self.clusters.complete(launch, linear);
    }

    fn cluster_passes(&mut self, at: &At, warp: &mut WarpState, mask: Mask) {
        self.clusters.pass(at, &mut warp.order, mask);
        burn_for_views(at.launch);
    }

    fn end_block(&mut self, launch: &Launch, linear: u64, block: &mut BlockState) {
        self.check_end(launch, linear, block);
    }

    fn complete(&mut self, launch: &Launch, linear: u64, id: usize, block: &mut BlockState) {
        let barrier = block.trace.complete(id);
        self.notes.opened(launch, &self.trace.sites, linear, barrier);
        if self.state.notes_exits_before_barriers() {
            self.notes.left_before(launch, &self.trace.sites, linear, barrier, block.trace.exited());
        }
        let waiting = block.order.complete(id, linear);
        let are_all = waiting == launch.threads_per_block();
        if are_all && self.races.forgets_at_barriers() && self.state.may_be_short() {
            block.memory.era += 1;
        }
        block.undefined.settle();
    }

    fn release(&mut self, id: usize, block: &mut BlockState, warp: &mut WarpState, _: u32, mask: Mask) {
        block.order.release(id, &mut warp.order, mask);
        block.trace.release(&mut warp.trace, mask);
    }

    fn exit(&mut self, at: &At, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        self.grids.leaves(at, &warp.order, mask);
        if at.launch.has_peers() || at.launch.code.bulk_copies {
            block.peers.exits(warp.order.views(), mask);
        }
        let site = warp.trace.site(&mut self.trace.sites, at);
        warp.trace.exit(at, site, mask, &mut block.trace, &mut self.trace.compared);
        warp.ways.exit(mask);
        if warp.trace.live() == 0 {
            self.speculation.end(&mut warp.reads);
        }
        if let Some(delays) = &mut self.delays {
            delays.ends(at, mask);
        }
    }
}

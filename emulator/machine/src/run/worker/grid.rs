//! A grid: blocks handed to workers, and what ends a launch.

use super::options;
use super::spin::{self, Spin};
use super::{FuelLeft, Worker};
use crate::exec::runtime::DeviceCall;
use crate::run::block::Block;
use crate::run::builtin::{self, CallOutcome};
use crate::run::cluster::{self, Peers};
use crate::run::device_calls::{Called, Calls};
use crate::run::ending::LaunchEnding;
use crate::run::misplaced::Misplaced;
use crate::run::stop::GroupStop;
use crate::run::stuck::Spinning;
use crate::run::warp::{Group, Wait, Warp};
use crate::run::{
    async_copies, barrier, bulk_copies, bulk_moves, collective, grid_barrier, mbarrier, mismatch, misuse, stuck, wgmma,
};
use crate::schedule::choices::ChoiceOptions;
use crate::schedule::{BinaryChoice, ChoicePoint, Event, PartsAt, TurnOf};
use crate::types::Fault;
use crate::watch::{At, Watch};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

/// The end of a block's turn.
enum BlockTurn {
    Done,
    Slice,
    Failed,
}

/// Thread instructions that take as long as to make a grid and its blocks' first warp.
const FUEL_OF_GRID: u64 = 256;
/// The greatest number of blocks that are resident beyond those that run side by side. They begin so that blocks that
/// wait for a child grid can be served, and may wait for one themselves; each takes memory of the host.
const MOST_WAITING: u64 = 1024;
/// The longest turn of a block whose cluster has others, in instructions: they may wait for each other, and those that
/// wait are not among the blocks that the schedule chooses from.
const CLUSTER_SLICE: u64 = 1 << 11;
/// Instructions of a diverged warp, over any number of turns, after which the schedule is told that one of its groups
/// may be waiting for another ([`Event::Spent`]).
const LONG_DIVIDED: u64 = 1 << 12;

impl<'a, W: Watch> Worker<'a, W> {
    /// Runs blocks until there are none left.
    pub fn run(&mut self) {
        let most = self.launch.resident.max(1);
        let in_cluster = self.launch.blocks_per_cluster() as usize;
        // Blocks that are to be resident: with some schedules more and more, up to `most`.
        let mut wanted = match self.launch.cooperative {
            true => most,
            false => self.schedule.residents(most).max(1),
        };
        let mut resident: Vec<Block<'a, W>> = Vec::new();
        let mut spare: Vec<Block<'a, W>> = Vec::new();
        let mut names: Vec<u64> = Vec::new();
        let mut able: Vec<usize> = Vec::new();
        loop {
            if self.begin_blocks(&mut resident, &mut spare, wanted).is_break() {
                return;
            }
            self.set_crowded(resident.len() as u64 >= wanted + MOST_WAITING);
            if self.launch.stopped() {
                return;
            }
            if resident.is_empty() {
                // Blocks of other workers may launch more.
                match &self.runtime {
                    Some(runtime) if runtime.queue.wait() => continue,
                    _ => return,
                }
            }
            names.clear();
            able.clear();
            able.extend((0..resident.len()).filter(|&at| in_cluster == 1 || cluster::may_run(&resident, at)));
            names.extend(able.iter().map(|&at| resident[at].linear));
            let at = able[self.schedule.choose(ChoicePoint::Block(&names))];
            if self.schedule.is_over() {
                return self.stop_at(options::blocks(&resident));
            }
            let slice = self.schedule.slice(TurnOf::Block).min(if in_cluster > 1 { CLUSTER_SLICE } else { u64::MAX });
            let (block, mut peers) = Peers::split(&mut resident, at);
            match self.run_block(block, &mut peers, slice) {
                BlockTurn::Done => {
                    // Kernels may launch grids of any number of blocks.
                    match self.fuel_left() {
                        FuelLeft::Some => self.retire(&mut resident, at, &mut spare),
                        FuelLeft::Nothing => return self.end_for_fuel(&mut resident),
                        FuelLeft::OverLimit => return self.launch.fail(Fault::InstructionLimit),
                    }
                }
                BlockTurn::Slice => {
                    if self.end_if_hopeless(&mut resident, most).is_break() {
                        return;
                    }
                    // It may wait for a block that has not begun: make room for one more.
                    if !self.manner.shows_each_event || self.looks {
                        wanted = (wanted + 1).min(most);
                    }
                    // Or for one of another worker, which the host may have put aside. With checks there is one.
                    if !W::ON {
                        std::thread::yield_now();
                    }
                }
                BlockTurn::Failed => return,
            }
        }
    }

    /// Gives a block its turn.
    fn run_block(&mut self, block: &mut Block<'a, W>, peers: &mut Peers<'_, 'a, W>, slice: u64) -> BlockTurn {
        let mut left = slice;
        let mut ready: Vec<usize> = Vec::with_capacity(block.warps.len());
        loop {
            ready.clear();
            ready.extend((0..block.warps.len()).filter(|&warp| block.warps[warp].is_ready()));
            if ready.is_empty() {
                if block.is_done() {
                    return BlockTurn::Done;
                }
                if peers.some_runs(block) {
                    return BlockTurn::Slice;
                }
                self.end(stuck::deadlock(block));
                return BlockTurn::Failed;
            }
            let is_used_up = left == 0 || self.launch.tree.fuel.load(Relaxed) == 0;
            if is_used_up || self.wants_room || std::mem::take(&mut self.makes_room) {
                return BlockTurn::Slice;
            }
            if self.launch.code.copies {
                async_copies::move_some(&mut self.watch, &mut *self.schedule, block, peers);
            }
            let which = ready[self.schedule.choose(ChoicePoint::Warp { ready: &ready, last: block.last_warp() })];
            if self.schedule.is_over() {
                self.stop_at(options::warps(block, &ready));
                return BlockTurn::Failed;
            }
            block.turn_to(which);
            let warp = &mut block.warps[which];
            let is_asked = warp.groups.len() > 1 && (!self.manner.is_free() || warp.can_converge());
            if is_asked && self.schedule.decide(BinaryChoice::Converges) {
                warp.converge();
            }
            let at = self.pick_group(warp);
            if self.schedule.is_over() {
                self.stop_at(options::groups(block, which));
                return BlockTurn::Failed;
            }
            self.part_before_turn(warp, at);
            let limit = self.limit(warp, at);
            self.looks = false;
            if W::ON {
                let group = warp.groups[at];
                let here = At {
                    launch: &block.launch,
                    block: block.linear,
                    warp: warp.index,
                    pc: group.pc,
                    frame: group.frame,
                };
                self.watch.turn(&here, group.mask);
            }
            let turn = self.schedule.slice(TurnOf::Group).min(left);
            let (unused, why) = self.run_group(block, which, at, turn, limit);
            left = if self.manner.shows_each_event { 0 } else { left - (turn - unused) };
            self.schedule.observe(Event::Ran(turn - unused));
            let (is_slice, warp) = (matches!(why, GroupStop::Slice), &mut block.warps[which]);
            if warp.groups.len() == 1 {
                warp.begin_divided();
                if is_slice && self.looks && ready.len() > 1 {
                    self.schedule.observe(Event::Lingers);
                }
            } else if is_slice || warp.divided_for() >= LONG_DIVIDED {
                warp.begin_divided();
                self.schedule.observe(Event::Spent);
            }
            if self.serve_or_end(block, peers, which, at, why).is_break() {
                return BlockTurn::Failed;
            }
        }
    }

    /// Ends the launch where the schedule has stopped: somebody has these to choose from, unless a choice does not fit.
    fn stop_at(&mut self, options: ChoiceOptions) {
        self.unanswered = Some(Box::new(options));
    }

    fn pick_group(&mut self, warp: &Warp<W>) -> usize {
        if warp.groups.len() == 1 {
            return 0;
        }
        let mut ready = [0; 32];
        let mut count = 0;
        for (at, group) in warp.groups.iter().enumerate() {
            if group.wait == Wait::Ready {
                ready[count] = at;
                count += 1;
            }
        }
        let ready = &ready[..count];
        ready[self.schedule.choose(ChoicePoint::Group { groups: &warp.groups, ready })]
    }

    /// Leaves lanes of a group behind before its turn. A person is asked until the lanes that go on are those wanted.
    fn part_before_turn(&mut self, warp: &mut Warp<W>, at: usize) {
        loop {
            let Group { mask, .. } = warp.groups[at];
            let behind = self.schedule.parts(mask, PartsAt::Turn) & mask;
            if behind == 0 || behind == mask {
                return;
            }
            warp.groups.push(Group { mask: behind, ..warp.groups[at] });
            warp.groups[at].mask &= !behind;
            if !self.manner.is_free() {
                return;
            }
        }
    }

    /// Returns the address at which a group should stop so that another one can join it: the lowest above its own at
    /// which another ready group of its frame stands, or `u32::MAX`.
    fn limit(&self, warp: &Warp<W>, at: usize) -> u32 {
        if warp.groups.len() == 1 || !self.manner.stops_to_converge {
            return u32::MAX;
        }
        let mine = warp.groups[at];
        let others = warp.groups.iter().enumerate().filter(|(other, group)| {
            *other != at && group.wait == Wait::Ready && group.frame == mine.frame && group.pc > mine.pc
        });
        others.map(|(_, group)| group.pc).min().unwrap_or(u32::MAX)
    }

    /// Serves what stopped a group, or ends the launch and breaks.
    pub(super) fn serve_or_end(
        &mut self,
        block: &mut Block<'a, W>,
        peers: &mut Peers<'_, 'a, W>,
        which: usize,
        at: usize,
        why: GroupStop,
    ) -> ControlFlow<()> {
        match self.serve(block, peers, which, at, why) {
            Ok(()) => ControlFlow::Continue(()),
            Err(ending) => {
                self.end(ending);
                ControlFlow::Break(())
            }
        }
    }

    /// Does what a group cannot do by itself, unless the launch ends here.
    fn serve(
        &mut self,
        block: &mut Block<'a, W>,
        peers: &mut Peers<'_, 'a, W>,
        which: usize,
        at: usize,
        why: GroupStop,
    ) -> Result<(), LaunchEnding> {
        match why {
            GroupStop::Slice | GroupStop::Choose => Ok(()),
            GroupStop::Exit(mask) => {
                if let Some(runtime) = self.runtime.as_ref().filter(|_| !self.has_skipped) {
                    self.unasked.ended(runtime, block, which, mask);
                }
                async_copies::end(&mut self.watch, block, which, mask);
                bulk_moves::end(&mut self.watch, block, peers, which, mask);
                if self.launch.code.products {
                    wgmma::end(block, which);
                }
                let Block { launch, warps, watch, linear, .. } = block;
                let warp = &mut warps[which];
                if W::ON {
                    let here = At {
                        launch,
                        block: *linear,
                        warp: warp.index,
                        pc: warp.groups[at].pc,
                        frame: warp.groups[at].frame,
                    };
                    self.watch.exit(&here, watch, &mut warp.watch, mask);
                }
                warp.exit(mask);
                warp.groups.swap_remove(at);
                if launch.number == 0 {
                    self.ended += u64::from(mask.count_ones());
                }
                // They are waited for no longer.
                collective::settle(&mut self.watch, block, which);
                barrier::settle_all(&mut self.watch, block);
                cluster::settle(&mut self.watch, block, peers);
                wgmma::failure(block)
            }
            GroupStop::ClusterArrive => cluster::arrive(&mut self.watch, block, peers, which, at),
            GroupStop::OfPeer(mask) => self.access_peers(block, peers, which, at, mask),
            GroupStop::Barrier => {
                let may_wait = self.manner.is_adverse && !self.manner.is_free();
                if may_wait && self.schedule.decide(BinaryChoice::HoldsBack) {
                    // The group stands on the instruction and comes here again.
                    return Ok(());
                }
                if cluster::is_wait(block, which, at) {
                    return cluster::wait(&mut self.watch, block, which, at);
                }
                let arrived = barrier::arrive(&mut self.watch, block, which, at);
                arrived.map_err(|misuse| misuse::of_barrier(block, which, at, misuse))
            }
            GroupStop::Collective => match collective::arrive(&mut self.watch, block, which, at) {
                Ok(()) => wgmma::failure(block).and(mismatch::cannot_meet(block, which).map_or(Ok(()), Err)),
                Err(guilty) => Err(mismatch::outside_own_mask(block, which, guilty)),
            },
            GroupStop::Builtin => match builtin::run(&mut self.watch, block, which, at) {
                CallOutcome::Done => Ok(()),
                CallOutcome::Asserted => Err(LaunchEnding::asked_for(Fault::Assert, block, which, at)),
                CallOutcome::FreedBadly(lane, bad) => Err(misuse::bad_free(block, which, at, lane, bad)),
                CallOutcome::Device(call) => self.device_call(block, which, at, call),
            },
            GroupStop::Mbarrier => mbarrier::run(&mut self.watch, block, peers, which, at),
            GroupStop::Bulk => bulk_copies::run(&mut self.watch, block, peers, which, at),
            GroupStop::Trap => Err(grid_barrier::trapped(block, which, at)),
            GroupStop::WildJump => Err(misuse::wild_jump(block, which, at)),
            GroupStop::StackOverflow => Err(misuse::stack_used_up(block, which, at)),
            GroupStop::InvalidAccess(invalid) => {
                let warp = &block.warps[which];
                let Group { pc, frame, .. } = warp.groups[at];
                let here = At { launch: &block.launch, block: block.linear, warp: warp.index, pc, frame };
                Err(Misplaced::new(&here, &invalid).ending(warp))
            }
        }
    }

    /// Group `at` of warp `which` calls the device runtime.
    fn device_call(
        &mut self,
        block: &mut Block<'a, W>,
        which: usize,
        at: usize,
        what: DeviceCall,
    ) -> Result<(), LaunchEnding> {
        let runtime = self.runtime.as_ref().expect("the code calls it");
        let mut calls = Calls { watch: &mut self.watch, runtime, unasked: &mut self.unasked };
        let called = calls.run(block, which, at, what)?;
        if let Called::Launched = called {
            // A grid costs more time than its instructions, and some for each grid above it, of which its threads know.
            self.launch.tree.burn(FUEL_OF_GRID + u64::from(block.launch.depth));
        }
        match called {
            Called::Launched if self.schedule.decide(BinaryChoice::Begins) => self.makes_room = true,
            Called::Waits => self.wants_room = true,
            Called::Launched | Called::Done => {}
        }
        Ok(())
    }

    /// Ends the launch and breaks if it can be seen that nothing will end it, or if its fuel or the host's limit is
    /// used up.
    fn end_if_hopeless(&mut self, resident: &mut [Block<'a, W>], most: u64) -> ControlFlow<()> {
        let left = self.fuel_left();
        if left == FuelLeft::OverLimit {
            self.launch.fail(Fault::InstructionLimit);
            return ControlFlow::Break(());
        }
        let has_fuel = left == FuelLeft::Some;
        let all_begun = || match &self.runtime {
            Some(runtime) => !runtime.queue.has_unstarted_blocks(),
            None => self.launch.next_block.load(Relaxed) >= self.launch.blocks(),
        };
        let is_whole = || resident.len() as u64 >= most || all_begun();
        // A proof says more than that the fuel is used up.
        if is_whole() && (self.thread_instructions >= self.suspicion || !has_fuel) {
            self.suspicion = 2 * self.thread_instructions;
            self.finish_copies(resident);
            if let Some(spins) = spin::all_spin(self, resident) {
                self.end_spinning(resident, &spins, true);
                return ControlFlow::Break(());
            }
        }
        if !has_fuel && !self.launch.stopped() {
            self.end_for_fuel(resident);
        }
        if self.launch.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Completes all asynchronous copies under way, which threads that spin may be waiting for.
    fn finish_copies(&mut self, resident: &mut [Block<'a, W>]) {
        if !self.launch.code.copies {
            return;
        }
        for at in 0..resident.len() {
            let (block, mut peers) = Peers::split(resident, at);
            (0..block.warps.len()).for_each(|which| async_copies::end(&mut self.watch, block, which, u32::MAX));
            while block.bulk.count() > 0 {
                bulk_moves::move_nth(&mut self.watch, block, &mut peers, 0);
            }
        }
    }

    fn fuel_left(&mut self) -> FuelLeft {
        let (most, blocks) = (self.most_fuel(), self.launch.blocks());
        self.fuel.look(self.thread_instructions, self.launch.tree, blocks, most, &mut self.ended)
    }

    /// Ends the launch where its threads run.
    fn end_for_fuel(&mut self, resident: &mut [Block<'a, W>]) {
        let running = spin::where_they_run(self, resident);
        if !self.launch.stopped() {
            self.end_spinning(resident, &running, false);
        }
    }

    /// Ends the launch: its threads spin, for ever if that is proven.
    fn end_spinning(&mut self, resident: &[Block<'a, W>], spins: &[Spin], proven: bool) {
        let launch = &self.launch;
        let waiting = launch.blocks().saturating_sub(launch.next_block.load(Relaxed));
        let not_begun = if proven && self.runtime.is_none() { waiting } else { 0 };
        let (watch, instructions) = (&self.watch, self.thread_instructions);
        let ending = Spinning { watch, launch, resident, spins, proven, instructions, not_begun }.ending();
        self.end(ending);
    }
}

//! Launches that cannot go on: deadlock, exactly, and livelock, exactly or by fuel.
//!
//! A deadlock is found when every thread of a block that has not ended waits at a barrier
//! or a `.sync` instruction. Nothing outside the block can wake such a thread, so this is
//! exact, and no schedule makes one that the kernel does not have. Where threads spin it is
//! a livelock: proven in [`super::spin`], or else taken for one when the fuel is used up.

use super::block::Block;
use super::grid_barrier::is_grid_barrier;
use super::mbarrier::Object;
use super::misuse::of_block;
use super::sites::access;
use super::spin::Spin;
use super::warp::{Wait, Warp};
use super::words::Word;
use super::worker::Worker;
use crate::exec::Op;
use crate::place;
use crate::types::Fault;
use crate::watch::{LastWrite, Watch};
use finding::{
    Access, Action, BarrierName, Cause, Counted, Fate, Livelock, Look, Place, Slug, Threads, WaitAt, Waiting,
};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;

/// Threads that stand at one place and wait for the same.
pub(super) struct Standing {
    pc: u32,
    /// The calls that led there.
    calls: Vec<u32>,
    pub wait: Wait,
    threads: Threads,
    /// Who has to come, where that is known by name.
    missing: Threads,
    /// How many a barrier counts, where it does.
    counted: Option<Counted>,
    /// What they find, where they look at memory.
    look: Option<Look>,
    /// They look at the barrier of a cooperative grid.
    at_grid_barrier: bool,
}

impl Standing {
    fn new(pc: u32, calls: Vec<u32>, wait: Wait) -> Standing {
        let (threads, missing) = (Threads::default(), Threads::default());
        Standing { pc, calls, wait, threads, missing, counted: None, look: None, at_grid_barrier: false }
    }
}

/// What reading the code may add to a livelock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivelockClue {
    /// What threads set that have ended, and others look at.
    pub set: Vec<SetForOthers>,
    /// Where threads spin.
    pub spins: Vec<Spot>,
}

/// An instruction, and the calls that led to it, innermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub pc: u32,
    pub calls: Vec<u32>,
}

/// A word that a thread has set before it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetForOthers {
    pub by: Spot,
    /// Where threads look at it.
    pub look: Spot,
    /// The instructions with which all look that do.
    pub looks: Vec<u32>,
}

/// Places that a report lists; the rest is counted.
const PLACES: usize = 16;
/// Blocks that it lists of those that wait in one line, each for something else.
const ALIKE: usize = 4;

impl<W: Watch> Worker<'_, W> {
    pub(super) fn deadlock(&mut self, block: &Block<W>) {
        let all = self.standing(block, &block.warps);
        let ends = all.iter().take(PLACES).map(|standing| self.describe(block, standing, &all)).collect();
        let cause = Cause::Deadlock { ended: ended(block), more: all.len().saturating_sub(PLACES) };
        self.end(block, Slug::Deadlock, cause, ends, Fault::Timeout);
    }

    /// Every waiting thread of these warps, by place and by what it waits for.
    pub(super) fn standing(&self, block: &Block<W>, warps: &[Warp<W>]) -> Vec<Standing> {
        let mut all: Vec<Standing> = Vec::new();
        for warp in warps {
            for group in &warp.groups {
                let calls = warp.calls(group.frame);
                let same = |known: &Standing| (known.pc, known.wait) == (group.pc, group.wait) && known.calls == calls;
                let known = all.iter().position(same);
                let at = known.unwrap_or_else(|| {
                    all.push(Standing::new(group.pc, calls, group.wait));
                    all.len() - 1
                });
                all[at].threads.add(warp.index, group.mask);
                if let Wait::Members(_, members) = group.wait {
                    let met = warp.groups.iter().filter(|other| other.wait == group.wait);
                    let met = met.fold(0, |met, other| met | other.mask);
                    all[at].missing.add(warp.index, members & warp.live() & !met);
                }
            }
        }
        for standing in &mut all {
            let Wait::Barrier(id) = standing.wait else { continue };
            let barrier = &block.barriers[id as usize];
            for (warp, arrived) in block.warps.iter().zip(&barrier.arrived) {
                // Where threads are counted it is open who comes, but a warp comes whole.
                if barrier.expected.is_none() || *arrived != 0 {
                    standing.missing.add(warp.index, warp.live() & !arrived);
                }
            }
            if let Some(expected) = barrier.expected {
                let come = barrier.arrived.iter().map(|arrived| arrived.count_ones()).sum();
                standing.counted = Some(Counted { expected, come });
            }
        }
        all
    }

    /// Who waits where, and for whom: the numbers are of places in `all`.
    pub(super) fn describe(&self, block: &Block<W>, standing: &Standing, all: &[Standing]) -> Access {
        self.describe_from(block, standing, all, 0)
    }

    /// The same where `first` places come before these.
    fn describe_from(&self, block: &Block<W>, standing: &Standing, all: &[Standing], first: usize) -> Access {
        let counted = standing.counted;
        let at = match (standing.wait, &self.launch.code.instrs[standing.pc as usize].op) {
            (Wait::Ready, _) if standing.at_grid_barrier => WaitAt::GridBarrier,
            (Wait::Ready, _) => WaitAt::Spin(standing.look.clone()),
            (Wait::Members(kind, mask), _) => WaitAt::Mask { function: kind.name(), mask },
            (Wait::Barrier(id), Op::Barrier(op)) => WaitAt::Barrier { barrier: op.name(u32::from(id)), counted },
            (Wait::Barrier(_), _) => WaitAt::Barrier { barrier: BarrierName::Unknown, counted },
        };
        let (threads, missing) = (standing.threads.clone(), standing.missing.clone());
        let places = all.iter().zip(first + 1..).filter(|(other, _)| other.threads.meets(&missing));
        let missing_at = places.map(|(_, number)| number).collect();
        let thread = threads.first();
        let action = Action::Waits(Box::new(Waiting { block: None, threads, at, missing, missing_at }));
        let mut end = access(&block.launch, block.linear, thread, standing.pc, &standing.calls, action);
        end.thread = None;
        end
    }

    /// Ends the launch: its threads spin, for ever if that is proven. Always false.
    pub(super) fn livelock(&mut self, resident: &[Block<W>], spins: &[Spin], proven: bool) -> bool {
        let (mut ends, stand, more_blocks) = self.stuck(resident, spins);
        let grid = if proven { self.grid_deadlock(resident, spins) } else { None };
        let (slug, cause, clue) = match grid {
            Some(cause) => (Slug::Deadlock, cause, None),
            None => {
                let (writes, set) = self.last_writes(resident, spins, &stand);
                ends.extend(writes);
                let waiting = self.launch.blocks().saturating_sub(self.launch.next_block.load(Relaxed));
                let livelock = Livelock {
                    proven,
                    instructions: self.thread_instructions,
                    fuel: self.launch.tree.fuel_given,
                    more_blocks,
                    not_begun: if proven && self.runtime.is_none() { waiting } else { 0 },
                    reason: None,
                };
                let spins = spins.iter().map(|spin| spot(resident, spin)).collect();
                (Slug::Livelock, Cause::Livelock(Box::new(livelock)), Some(LivelockClue { set, spins }))
            }
        };
        let block = &resident[spins.first().map_or(0, |spin| spin.block)];
        self.fatal.push((of_block(&block.launch, block.linear, slug, cause, ends), clue));
        self.fail(Fault::Timeout)
    }

    /// Who spins or waits, and at each end who stands there: the block's place among those under way, and its threads. Blocks
    /// like those told are counted.
    fn stuck(&self, resident: &[Block<W>], spins: &[Spin]) -> (Vec<Access>, Vec<(usize, Threads)>, usize) {
        let (mut ends, mut stand, mut more_blocks) = (Vec::new(), Vec::new(), 0);
        let mut told: Vec<Standing> = Vec::new();
        for (index, block) in resident.iter().enumerate() {
            let all = self.spinning_or_waiting(block, index, spins);
            let is_told = |one: &Standing| {
                let alike = || told.iter().filter(|known| (known.pc, known.wait) == (one.pc, one.wait));
                alike().any(|known| (known.counted, &known.look) == (one.counted, &one.look))
                    || alike().count() >= ALIKE
            };
            if all.iter().all(is_told) || ends.len() + all.len() > PLACES {
                more_blocks += 1;
                continue;
            }
            let first = ends.len();
            for standing in &all {
                stand.push((index, standing.threads.clone()));
                let mut end = self.describe_from(block, standing, &all, first);
                if let (true, Action::Waits(waiting)) = (resident.len() > 1, &mut end.action) {
                    waiting.block = Some(block.launch.block_index(block.linear));
                }
                ends.push(end);
            }
            told.extend(all);
        }
        (ends, stand, more_blocks)
    }

    /// Every thread of a block: those that run by what they look at, those that wait by what they wait for.
    fn spinning_or_waiting(&self, block: &Block<W>, index: usize, spins: &[Spin]) -> Vec<Standing> {
        let mut all: Vec<Standing> = Vec::new();
        for spin in spins.iter().filter(|spin| spin.block == index) {
            let at_grid_barrier = spin.word.is_some_and(|word| is_grid_barrier(&self.launch, &word));
            let look = spin.word.map(|word| {
                let place = place::of(&block.launch, word.space, word.address, word.bytes);
                if let Op::Mbarrier(_) = &self.launch.code.instrs[spin.group.pc as usize].op {
                    let count = Object::at(&block.shared, word.address).map_or(0, |object| object.pending);
                    return Look::ArrivalsMissing { count, place };
                }
                Look::Value { value: value_of(block, &word), place }
            });
            let calls = block.warps[spin.warp as usize].calls(spin.group.frame);
            let same = |known: &Standing| known.pc == spin.group.pc && known.calls == calls && known.look == look;
            let at = all.iter().position(same).unwrap_or_else(|| {
                let standing = Standing::new(spin.group.pc, calls, Wait::Ready);
                all.push(Standing { look, at_grid_barrier, ..standing });
                all.len() - 1
            });
            all[at].threads.add(spin.warp, spin.group.mask);
        }
        all.extend(self.standing(block, &block.warps).into_iter().filter(|standing| standing.wait != Wait::Ready));
        all
    }

    /// Who wrote last what the threads look at, once for each place; not where the spinning threads' own tries are all that is
    /// known. `stand` says who stands at the ends that are told already. And what threads have set that have ended.
    fn last_writes(
        &self,
        resident: &[Block<W>],
        spins: &[Spin],
        stand: &[(usize, Threads)],
    ) -> (Vec<Access>, Vec<SetForOthers>) {
        let mut known: Vec<(u64, u32, u32, u64)> = Vec::new();
        let (mut writes, mut set) = (Vec::new(), Vec::new());
        for spin in spins {
            let Some(word) = spin.word else { continue };
            let block = &resident[spin.block];
            let Some(write) = self.watch.last_write(&block.launch, &block.watch, word.space, word.address) else {
                continue;
            };
            let key = (write.block, write.thread, write.pc, if write.has_set { word.address } else { 0 });
            let own = !write.has_set && spins.iter().any(|other| other.group.pc == write.pc);
            if own || known.contains(&key) || known.len() == PLACES {
                continue;
            }
            known.push(key);
            let action = match write.has_set {
                false => Action::WroteLast { block: None },
                true => {
                    let place = place::of(&block.launch, word.space, word.address, word.bytes);
                    let place = Some(place).filter(|place| !matches!(place, Place::Unnamed { .. }));
                    let fate = fate(resident, &write, stand);
                    if fate == Fate::Ended {
                        let looks = |other: &&Spin| other.word.is_some_and(|it| it.address == word.address);
                        set.push(SetForOthers {
                            by: Spot { pc: write.pc, calls: write.calls.clone() },
                            look: spot(resident, spin),
                            looks: spins.iter().filter(looks).map(|other| other.group.pc).collect(),
                        });
                    }
                    Action::Set { block: None, place, value: value_of(block, &word), fate }
                }
            };
            writes.push(access(&block.launch, write.block, write.thread, write.pc, &write.calls, action));
        }
        // Of several blocks a report names each by itself.
        let blocks: BTreeSet<_> = writes.iter().filter_map(|end| end.thread).map(|thread| thread.block).collect();
        if let (1, true) = (blocks.len(), resident.len() > 1) {
            writes.iter_mut().for_each(|end| match &mut end.action {
                Action::Set { block, .. } | Action::WroteLast { block } => *block = blocks.first().copied(),
                _ => {}
            });
        }
        (writes, set)
    }
}

fn spot<W: Watch>(resident: &[Block<W>], spin: &Spin) -> Spot {
    let warp = &resident[spin.block].warps[spin.warp as usize];
    Spot { pc: spin.group.pc, calls: warp.calls(spin.group.frame) }
}

/// What is in a word, as most words are read.
fn value_of<W: Watch>(block: &Block<W>, word: &Word) -> i64 {
    let value = word.value(&block.launch, &block.shared);
    if word.bytes == 4 { i64::from(value as i32) } else { value as i64 }
}

/// What has become of a thread that set what others wait for.
fn fate<W: Watch>(resident: &[Block<W>], write: &LastWrite, stand: &[(usize, Threads)]) -> Fate {
    let Some(index) = resident.iter().position(|block| block.linear == write.block) else {
        return Fate::Ended;
    };
    let (warp, lane) = (write.thread / 32, write.thread % 32);
    if resident[index].warps.iter().any(|it| it.index == warp && it.exited >> lane & 1 != 0) {
        return Fate::Ended;
    }
    let thread = Threads::of_warp(warp, 1 << lane);
    let at = stand.iter().position(|(block, threads)| *block == index && threads.meets(&thread));
    at.map_or(Fate::Unknown, |at| Fate::StandsAt(at + 1))
}

/// Threads of a block that are no more.
fn ended<W: Watch>(block: &Block<W>) -> Threads {
    let mut ended = Threads::default();
    block.warps.iter().for_each(|warp| ended.add(warp.index, warp.exited));
    ended
}

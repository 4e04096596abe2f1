//! Launches that cannot go on: deadlock, exactly, and livelock, exactly or by fuel.
//!
//! A deadlock is found when every thread of a block that has not ended waits at a barrier
//! or a `.sync` instruction. Nothing outside the block can wake such a thread, so this is
//! exact, and no schedule makes one that the kernel does not have. Where threads spin it is
//! a livelock: proven in [`super::worker::spin`], or else taken for one when the fuel is used up.

use super::accessed::AccessedWord;
use super::block::Block;
use super::ending::{LaunchEnding, LivelockClue, SetForOthers, Spot, of_block};
use super::grid_barrier::{grid_deadlock, is_grid_barrier};
use super::launch::Launch;
use super::mbarrier::MbarrierObject;
use super::sites::access;
use super::standing::{Standing, describe, describe_from, standing};
use super::warp::Wait;
use super::worker::spin::Spin;
use crate::exec::Op;
use crate::place;
use crate::types::Fault;
use crate::watch::{LastWrite, Watch};
use finding::{Access, Action, Cause, Fate, Livelock, Look, MemoryPlace, Slug, Threads};
use std::collections::BTreeSet;

/// Places that a report lists; the rest is counted.
const PLACES: usize = 16;
/// Blocks that it lists of those that wait in one line, each for something else.
const ALIKE: usize = 4;

/// No thread of a block goes on.
pub(super) fn deadlock<W: Watch>(block: &Block<W>) -> LaunchEnding {
    let all = standing(block, &block.warps);
    let ends = all.iter().take(PLACES).map(|standing| describe(block, standing, &all)).collect();
    let cause = Cause::Deadlock { ended: ended(block), more: all.len().saturating_sub(PLACES) };
    let finding = of_block(&block.launch, block.linear, Slug::Deadlock, cause, ends);
    LaunchEnding::found(finding, Fault::Timeout)
}

/// A launch whose threads spin: all blocks under way.
pub(super) struct Spinning<'s, 'a, W: Watch> {
    pub watch: &'s W,
    /// The host's own grid.
    pub launch: &'s Launch<'a>,
    pub resident: &'s [Block<'a, W>],
    pub spins: &'s [Spin],
    /// They do so for ever.
    pub proven: bool,
    /// Thread instructions so far.
    pub instructions: u64,
    /// Blocks for which there is no room, if they spin for ever.
    pub not_begun: u64,
}

impl<W: Watch> Spinning<'_, '_, W> {
    pub fn ending(&self) -> LaunchEnding {
        let (mut ends, stand, more_blocks) = self.stuck();
        let grid = if self.proven { grid_deadlock(self.launch, self.resident, self.spins) } else { None };
        let (slug, cause, clue) = match grid {
            Some(cause) => (Slug::Deadlock, cause, None),
            None => {
                let (writes, set) = self.last_writes(&stand);
                ends.extend(writes);
                let livelock = Livelock {
                    proven: self.proven,
                    instructions: self.instructions,
                    fuel: self.launch.tree.fuel_given,
                    more_blocks,
                    not_begun: self.not_begun,
                    reason: None,
                };
                let spins = self.spins.iter().map(|spin| spot(self.resident, spin)).collect();
                (Slug::Livelock, Cause::Livelock(Box::new(livelock)), Some(LivelockClue { set, spins }))
            }
        };
        let block = &self.resident[self.spins.first().map_or(0, |spin| spin.block)];
        LaunchEnding::spinning(of_block(&block.launch, block.linear, slug, cause, ends), clue, Fault::Timeout)
    }

    /// The threads that spin or wait, and those at each end: the block's place among those under way, and its threads.
    /// Blocks like those told are counted.
    fn stuck(&self) -> (Vec<Access>, Vec<(usize, Threads)>, usize) {
        let (mut ends, mut stand, mut more_blocks) = (Vec::new(), Vec::new(), 0);
        let mut told: Vec<Standing> = Vec::new();
        for (index, block) in self.resident.iter().enumerate() {
            let all = self.spinning_or_waiting(block, index);
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
                let mut end = describe_from(block, standing, &all, first);
                if let (true, Action::Waits(waiting)) = (self.resident.len() > 1, &mut end.action) {
                    waiting.block = Some(block.launch.block_index(block.linear));
                }
                ends.push(end);
            }
            told.extend(all);
        }
        (ends, stand, more_blocks)
    }

    /// Every thread of a block: those that run by what they look at, those that wait by what they wait for.
    fn spinning_or_waiting(&self, block: &Block<W>, index: usize) -> Vec<Standing> {
        let mut all: Vec<Standing> = Vec::new();
        for spin in self.spins.iter().filter(|spin| spin.block == index) {
            let at_grid_barrier = spin.word.is_some_and(|word| is_grid_barrier(self.launch, &word));
            let look = spin.word.map(|word| {
                let place = place::of(&block.launch, word.space, word.address, word.bytes);
                if let Op::Mbarrier(_) = &self.launch.code.instrs[spin.group.pc as usize].op {
                    let object = MbarrierObject::at(&block.shared, word.address);
                    let (count, bytes) = object.map_or((0, 0), |object| (object.pending, object.transactions()));
                    return Look::ArrivalsMissing { count, bytes, place };
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
        all.extend(standing(block, &block.warps).into_iter().filter(|standing| standing.wait != Wait::Ready));
        all
    }

    /// The last writers of the words that the threads look at, once for each place; not where the spinning threads' own
    /// tries are all that is known. `stand` says who stands at the ends that are told already. And what threads have
    /// set that have ended.
    fn last_writes(&self, stand: &[(usize, Threads)]) -> (Vec<Access>, Vec<SetForOthers>) {
        let (resident, spins) = (self.resident, self.spins);
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
                    let place = Some(place).filter(|place| !matches!(place, MemoryPlace::Unnamed { .. }));
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
        // If the writes are of several blocks, the report names the block of each.
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

/// Returns the value of a word, as most words are read.
fn value_of<W: Watch>(block: &Block<W>, word: &AccessedWord) -> i64 {
    let value = word.value(&block.launch, &block.shared);
    if word.bytes == 4 { i64::from(value as i32) } else { value as i64 }
}

/// Returns the fate of a thread that set what others wait for.
fn fate<W: Watch>(resident: &[Block<W>], write: &LastWrite, stand: &[(usize, Threads)]) -> Fate {
    let Some(index) = resident.iter().position(|block| block.linear == write.block) else {
        return Fate::Ended;
    };
    let (warp, lane) = (write.thread / 32, write.thread % 32);
    if resident[index].warps.iter().any(|it| it.index == warp && it.exited() >> lane & 1 != 0) {
        return Fate::Ended;
    }
    let thread = Threads::of_warp(warp, 1 << lane);
    let at = stand.iter().position(|(block, threads)| *block == index && threads.meets(&thread));
    at.map_or(Fate::Unknown, |at| Fate::StandsAt { end: at + 1 })
}

/// Threads of a block that are no more.
fn ended<W: Watch>(block: &Block<W>) -> Threads {
    let mut ended = Threads::default();
    block.warps.iter().for_each(|warp| ended.add(warp.index, warp.exited()));
    ended
}

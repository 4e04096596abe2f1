//! The schedule of an explored launch: a thread at a time, an instruction at a time, until none can go on.

use super::run::Run;
use machine::registers::{Mask, lanes};
use machine::schedule::{BinaryChoice, ChoicePoint, PartsAt, Schedule, ScheduleTraits, TurnOf};
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub struct OneByOne {
    run: Arc<Mutex<Run>>,
    threads_per_block: u32,
    block: u64,
    warp: usize,
    /// Blocks, and warps of a block, in which no thread could go on since one last did.
    idle_blocks: FxHashSet<u64>,
    idle_warps: FxHashSet<(u64, usize)>,
    /// The group that is about to run has a thread that may go on.
    may_step: bool,
    is_over: bool,
}

impl OneByOne {
    pub fn new(run: Arc<Mutex<Run>>, threads_per_block: u32) -> OneByOne {
        OneByOne {
            run,
            threads_per_block,
            block: 0,
            warp: 0,
            idle_blocks: FxHashSet::default(),
            idle_warps: FxHashSet::default(),
            may_step: false,
            is_over: false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first lane of a group whose thread is not halted.
    fn first_lane(&self, mask: Mask) -> Option<usize> {
        let first = self.block * u64::from(self.threads_per_block) + 32 * self.warp as u64;
        let run = self.lock();
        lanes(mask).find(|&lane| !run.threads[first as usize + lane].is_halted)
    }
}

impl Schedule for OneByOne {
    fn traits(&self) -> ScheduleTraits {
        ScheduleTraits { shows_each_event: true, ..ScheduleTraits::default() }
    }

    fn residents(&mut self, most: u64) -> u64 {
        most
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        match question {
            ChoicePoint::Block(resident) => {
                let at = resident.iter().position(|block| !self.idle_blocks.contains(block));
                self.is_over |= at.is_none() || self.lock().refused.is_some();
                self.block = resident[at.unwrap_or(0)];
                at.unwrap_or(0)
            }
            ChoicePoint::Warp { ready, .. } => {
                let at = ready.iter().position(|&warp| !self.idle_warps.contains(&(self.block, warp)));
                if at.is_none() {
                    self.idle_blocks.insert(self.block);
                }
                self.warp = ready[at.unwrap_or(0)];
                at.unwrap_or(0)
            }
            ChoicePoint::Group { groups, ready } => {
                ready.iter().position(|&group| self.first_lane(groups[group].mask).is_some()).unwrap_or(0)
            }
            ChoicePoint::Grid(_) | ChoicePoint::Copy(_) | ChoicePoint::Back(_) | ChoicePoint::Behind(_) => 0,
        }
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        match of {
            TurnOf::Block => u64::MAX,
            TurnOf::Group => {
                let slice = if self.may_step { self.lock().slice } else { 0 };
                if slice > 0 {
                    self.idle_blocks.clear();
                    self.idle_warps.clear();
                }
                slice
            }
        }
    }

    fn decide(&mut self, _: BinaryChoice) -> bool {
        false
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        if at != PartsAt::Turn {
            return 0;
        }
        let lane = self.first_lane(mask);
        self.may_step = lane.is_some();
        if !self.may_step {
            self.idle_warps.insert((self.block, self.warp));
        }
        lane.map_or(0, |lane| mask & !(1 << lane))
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

//! Blocks that cannot go on: deadlock, exactly, and livelock, by fuel.
//!
//! A deadlock is found when every thread of a block that has not ended waits at a barrier
//! or a `.sync` instruction. Nothing outside the block can wake such a thread, so this is
//! exact, and no schedule makes one that the kernel does not have.

use super::block::Block;
use super::grid::{Worker, access};
use super::misuse::Words;
use super::warp::{Wait, Warp};
use crate::device::Fault;
use crate::exec::Op;
use crate::report::threads::Threads;
use crate::report::{Access, Slug};
use crate::watch::Watch;

/// Threads that stand at one place and wait for the same.
pub(super) struct Standing {
    pc: u32,
    /// The calls that led there.
    calls: Vec<u32>,
    pub wait: Wait,
    threads: Threads,
    /// Who has to come, where that is known by name.
    missing: Threads,
    /// What is said of them besides.
    lacks: String,
}

/// Places that a report lists; the rest is counted.
const PLACES: usize = 16;

impl<W: Watch> Worker<'_, W> {
    pub(super) fn deadlock(&mut self, block: &Block<W>) {
        let all = self.standing(block, &block.warps);
        let ends = all.iter().take(PLACES).map(|standing| self.describe(block, standing, &all)).collect();
        let mut why = "no thread is left that could come to where these wait".to_string();
        let ended = ended(block);
        if !ended.is_empty() {
            why = format!("{why}: {ended} of the block {} ended", if ended.count() == 1 { "has" } else { "have" });
        }
        if all.len() > PLACES {
            why = format!("{why} (and threads wait at {} more places)", all.len() - PLACES);
        }
        let words = Words {
            slug: Slug::Deadlock,
            message: "every thread of the block that has not ended waits for another".into(),
            why,
            help: "let every thread that a barrier counts, or a mask names, reach it",
        };
        self.end(block, words, ends, Fault::Timeout);
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
                    let (threads, missing) = (Threads::default(), Threads::default());
                    all.push(Standing {
                        pc: group.pc,
                        calls,
                        wait: group.wait,
                        threads,
                        missing,
                        lacks: String::new(),
                    });
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
                let come: u32 = barrier.arrived.iter().map(|arrived| arrived.count_ones()).sum();
                standing.lacks = format!(" until {expected} threads have come, and {come} have");
            }
        }
        all
    }

    /// Who waits where, and for whom: the numbers are of places in `all`.
    pub(super) fn describe(&self, block: &Block<W>, standing: &Standing, all: &[Standing]) -> Access {
        let name = match (standing.wait, &self.launch.code.instrs[standing.pc as usize].op) {
            (Wait::Members(kind, members), _) => format!("`{}` with mask {members:#010x}", kind.name()),
            (Wait::Barrier(id), Op::Barrier(op)) => op.name(u32::from(id)),
            _ => "a barrier".into(),
        };
        let (threads, missing) = (&standing.threads, &standing.missing);
        let mut text =
            format!("{threads} wait{} at {name}{}", if threads.count() == 1 { "s" } else { "" }, standing.lacks);
        if !missing.is_empty() {
            let places = all.iter().zip(1..).filter(|(other, _)| other.threads.meets(missing));
            let places: Vec<String> = places.map(|(_, number)| format!("({number})")).collect();
            text = format!("{text} for {missing}, who stand at {}", places.join(", "));
        }
        let mut end = access(self.launch, block.linear, threads.first(), standing.pc, &standing.calls, text);
        end.thread = None;
        end
    }

    pub(super) fn livelock(&mut self, block: &Block<W>) {
        let mut ends = Vec::new();
        for warp in &block.warps {
            for group in &warp.groups {
                let what = if group.wait == Wait::Ready { "still ran here" } else { "waited here" };
                ends.push(self.threads_at(block, warp.index, group, what));
            }
        }
        let words = Words {
            slug: Slug::Livelock,
            message: "the launch goes on without an end in sight".into(),
            why: format!("it has run {} thread instructions", self.thread_instructions),
            help: "look for a loop whose end depends on a thread or block that cannot make progress",
        };
        self.end(block, words, ends, Fault::Timeout);
    }
}

/// Threads of a block that are no more.
fn ended<W: Watch>(block: &Block<W>) -> Threads {
    let mut ended = Threads::default();
    block.warps.iter().for_each(|warp| ended.add(warp.index, warp.exited));
    ended
}

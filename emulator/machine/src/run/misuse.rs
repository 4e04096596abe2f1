//! What the ISA gives no meaning, and so ends the launch: misused barriers (PTX ISA, "bar,
//! barrier"), jumps and calls to nowhere ("brx.idx", "call"), a call stack that is used up.

use super::arrivals::Arrival;
use super::block::Block;
use super::call::MOST_CALLS;
use super::sites::access;
use super::warp::{Group, Wait};
use super::worker::Worker;
use crate::exec::Op;
use crate::exec::branch::Branch;
use crate::memory::heap::BadFree;
use crate::types::Fault;
use crate::watch::Watch;
use finding::threads::Threads;
use finding::{Access, Argument, Finding, Slug};
use std::borrow::Cow;

/// Why a barrier does not take a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    NoSuchBarrier(u32),
    /// A thread count that no barrier can have.
    Count(u32),
    /// A thread has arrived in this phase already.
    ArrivesTwice(Arrival),
    /// Others wait for another number of threads.
    CountsDiffer(Arrival),
    /// Others bring another reduction, or none.
    ReductionsDiffer(Arrival),
}

/// What a finding says besides its places.
pub(super) struct Words {
    pub slug: Slug,
    pub message: String,
    pub why: String,
    pub help: Cow<'static, str>,
    /// Arguments that the places named point to.
    pub arguments: Vec<Argument>,
}

impl<W: Watch> Worker<'_, W> {
    /// Threads of one warp, with what they did at `pc`.
    pub(super) fn threads_at(&self, block: &Block<W>, warp: u32, group: &Group, action: &str) -> Access {
        let threads = Threads::of_warp(warp, group.mask);
        let calls = block.warps[warp as usize].calls(group.frame);
        let action = format!("{threads} {action}");
        let mut end = access(&block.launch, block.linear, threads.first(), group.pc, &calls, action);
        end.thread = None;
        end
    }

    /// Ends the launch with a finding.
    pub(super) fn end(&mut self, block: &Block<W>, words: Words, ends: Vec<Access>, fault: Fault) -> bool {
        let [x, y, z] = block.launch.block_index(block.linear);
        let Words { slug, message, why, help, arguments } = words;
        self.fatal.push(Finding {
            slug,
            kernel: block.launch.kernel.into(),
            message,
            headline: None,
            accesses: ends,
            place: format!("block ({x},{y},{z})"),
            why,
            help: help.into_owned(),
            count: 1,
            benign: false,
            arguments,
        });
        self.launch.fail(fault);
        false
    }

    /// Group `at` of warp `which` stands on a barrier that cannot be.
    pub(super) fn barrier_misused(&mut self, block: &Block<W>, which: usize, at: usize, misuse: Misuse) -> bool {
        let group = block.warps[which].groups[at];
        let Op::Barrier(op) = &self.launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
        let comes = |action: &str| self.threads_at(block, which as u32, &group, action);
        let came = |earlier: &Arrival, action: &str| {
            let stood = Group { pc: earlier.pc, mask: earlier.mask, frame: earlier.frame, wait: Wait::Ready };
            self.threads_at(block, earlier.warp, &stood, action)
        };
        let (words, ends) = match misuse {
            Misuse::NoSuchBarrier(id) => (
                Words {
                    slug: Slug::OutOfBounds,
                    message: format!("there is no barrier {id}"),
                    why: "a block has sixteen barriers, 0 to 15".into(),
                    help: "use a number from 0 to 15".into(),
                    arguments: Vec::new(),
                },
                vec![comes(&format!("came to barrier {id}"))],
            ),
            Misuse::Count(0) => (
                Words {
                    slug: Slug::BarrierDivergence,
                    message: "threads arrive at a barrier of no threads".into(),
                    why: "a thread that arrives and does not wait must say how many threads take part".into(),
                    help: "count the threads that arrive and those that wait, whole warps".into(),
                    arguments: Vec::new(),
                },
                vec![comes("gave a count of 0")],
            ),
            Misuse::Count(count) => (
                Words {
                    slug: Slug::BarrierDivergence,
                    message: format!("a barrier counts {count} threads, which is no number of whole warps"),
                    why: "whole warps take part in a barrier, so its count is a multiple of 32".into(),
                    help: "round the count up to a multiple of 32; threads that have ended count with their warp"
                        .into(),
                    arguments: Vec::new(),
                },
                vec![comes(&format!("gave a count of {count}"))],
            ),
            Misuse::ArrivesTwice(first) => (
                Words {
                    slug: Slug::BarrierDivergence,
                    message: "a thread arrives twice at one barrier before it completes".into(),
                    why: "a thread that does not wait at a barrier must not come to it again before the others have"
                        .into(),
                    help: "let the thread wait at a second barrier until the first one has completed".into(),
                    arguments: Vec::new(),
                },
                vec![came(&first, "arrived first"), comes("arrived again")],
            ),
            Misuse::CountsDiffer(first) => (
                Words {
                    slug: Slug::BarrierDivergence,
                    message: "warps give one barrier different counts of threads".into(),
                    why: "all who take part in a barrier must say the same number".into(),
                    help: "give the barrier one count, or use two barriers".into(),
                    arguments: Vec::new(),
                },
                vec![
                    came(&first, &format!("gave a count of {}", first.count)),
                    comes(&match op.threads.is_some() {
                        true => format!(
                            "gave a count of {}",
                            block.warps[which].regs.get(op.threads, group.mask.trailing_zeros() as usize)
                        ),
                        false => "came for the whole block".into(),
                    }),
                ],
            ),
            Misuse::ReductionsDiffer(first) => (
                Words {
                    slug: Slug::BarrierDivergence,
                    message: "a barrier that votes meets one that does not, or votes otherwise".into(),
                    why: "all who take part in a barrier that gathers votes must gather them in the same way".into(),
                    help: "use the same kind of barrier on all sides, or barriers of different numbers".into(),
                    arguments: Vec::new(),
                },
                vec![came(&first, "came first"), comes("came with another operation")],
            ),
        };
        self.end(block, words, ends, Fault::IllegalInstruction)
    }

    /// Group `at` jumps or calls where there is no code.
    pub(super) fn wild_jump(&mut self, block: &Block<W>, which: usize, at: usize) -> bool {
        let warp = &block.warps[which];
        let group = warp.groups[at];
        let lane = group.mask.trailing_zeros() as usize;
        let (message, action) = match &self.launch.code.instrs[group.pc as usize].op {
            Op::Branch(Branch::Table(table)) => (
                format!("a jump by a table of {} places", table.1.len()),
                format!("took entry {}", warp.regs.get(table.0, lane)),
            ),
            _ => ("a call through a pointer to no function".to_string(), "called it".to_string()),
        };
        let calls = warp.calls(group.frame);
        let end = access(&block.launch, block.linear, 32 * warp.index + lane as u32, group.pc, &calls, action);
        let words = Words {
            slug: Slug::OutOfBounds,
            message,
            why: "there is no code at that place".into(),
            help: "check the index, or the pointer, before the jump".into(),
            arguments: Vec::new(),
        };
        self.end(block, words, vec![end], Fault::IllegalAddress)
    }

    /// A lane of group `at` gives `free` what is no live block of the heap.
    pub(super) fn freed_badly(&mut self, block: &Block<W>, which: usize, at: usize, lane: usize, bad: BadFree) -> bool {
        let warp = &block.warps[which];
        let group = warp.groups[at];
        let calls = warp.calls(group.frame);
        let (slug, message, why, help) = match bad {
            BadFree::Twice(old) => (
                Slug::UseAfterFree,
                format!("a second `free` of a block of {} bytes", old.bytes),
                "a thread has freed the block before",
                "free each block once, and set pointers to it to null",
            ),
            BadFree::Foreign => (
                Slug::OutOfBounds,
                "a `free` of an address that `malloc` has not returned".to_string(),
                "only the start of a block that a kernel has allocated can be freed on the device",
                "keep the pointer that `malloc` or `new` returned; what the host allocated, the host frees",
            ),
        };
        let end =
            access(&block.launch, block.linear, 32 * warp.index + lane as u32, group.pc, &calls, "freed it".into());
        let words = Words { slug, message, why: why.into(), help: help.into(), arguments: Vec::new() };
        self.end(block, words, vec![end], Fault::LaunchFailed)
    }

    /// Group `at` calls deeper than a thread's stack reaches.
    pub(super) fn stack_used_up(&mut self, block: &Block<W>, which: usize, at: usize) -> bool {
        let warp = &block.warps[which];
        let group = warp.groups[at];
        let depth = warp.frames[group.frame as usize].depth;
        let thread = 32 * warp.index + group.mask.trailing_zeros();
        let is_call = !matches!(self.launch.code.instrs[group.pc as usize].op, Op::Stack(_));
        let (what, action) = match is_call {
            true => ("a call goes deeper than a thread's stack", format!("called {} deep", depth + 1)),
            false => ("more is allocated than a thread's stack has", "allocated on its stack".into()),
        };
        // Its own line says it: a list of thousands of calls would not.
        let end = access(&block.launch, block.linear, thread, group.pc, &[], action);
        let bytes = self.launch.profile.local_per_thread;
        let words = Words {
            slug: Slug::OutOfBounds,
            message: what.into(),
            why: format!("a thread has {bytes} bytes of local memory, and its calls go {MOST_CALLS} deep at most"),
            help: "end the recursion earlier, or keep less in local arrays".into(),
            arguments: Vec::new(),
        };
        self.end(block, words, vec![end], Fault::StackOverflow)
    }
}

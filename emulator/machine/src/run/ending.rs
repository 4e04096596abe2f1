//! Why a launch ends before its threads have ended: the fault that the host hears of, and the finding that tells it.

use super::block::Block;
use super::launch::Launch;
use crate::types::{EndedAt, Fault};
use crate::watch::Watch;
use finding::{Access, Cause, Finding, Severity, Slug, Where};

/// The part of a livelock that an analysis of the code may explain further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivelockClue {
    /// The writes of threads that have ended, to words that others look at.
    pub set: Vec<SetForOthers>,
    /// The places where threads spin.
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
    /// The place where threads look at it.
    pub look: Spot,
    /// The instructions with which all look that do.
    pub looks: Vec<u32>,
}

/// The finding of a launch that has ended, and what may be added to it.
pub type Fatal = (Finding, Option<LivelockClue>);

/// The end of a launch.
pub struct LaunchEnding {
    fault: Fault,
    /// None where the fault says all.
    fatal: Option<Box<Fatal>>,
    at: Option<EndedAt>,
}

impl LaunchEnding {
    /// An end that the kernel has asked for, by group `at` of warp `which`.
    pub fn asked_for<W: Watch>(fault: Fault, block: &Block<W>, which: usize, at: usize) -> LaunchEnding {
        let warp = &block.warps[which];
        let group = &warp.groups[at];
        let location = block.launch.code.user_lines(group.pc, &warp.calls(group.frame)).0;
        let thread = block.launch.thread_index(32 * warp.index + group.mask.trailing_zeros());
        let at = EndedAt { location, block: block.launch.block_index(block.linear), thread };
        LaunchEnding { fault, fatal: None, at: Some(at) }
    }

    pub fn found(finding: Finding, fault: Fault) -> LaunchEnding {
        LaunchEnding { fault, fatal: Some(Box::new((finding, None))), at: None }
    }

    /// An end that reading the code may explain.
    pub fn spinning(finding: Finding, clue: Option<LivelockClue>, fault: Fault) -> LaunchEnding {
        LaunchEnding { fault, fatal: Some(Box::new((finding, clue))), at: None }
    }

    pub fn into_parts(self) -> (Fault, Option<Fatal>, Option<EndedAt>) {
        (self.fault, self.fatal.map(|fatal| *fatal), self.at)
    }
}

/// A finding about a block.
pub fn of_block(launch: &Launch, block: u64, slug: Slug, cause: Cause, ends: Vec<Access>) -> Finding {
    Finding {
        slug,
        severity: Severity::Error,
        kernel: launch.kernel.into(),
        accesses: ends,
        headline: None,
        place: Where::Block { block: launch.block_index(block) },
        cause,
        remedies: Vec::new(),
        count: 1,
    }
}

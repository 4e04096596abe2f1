//! The barrier of a cooperative grid (CUDA Programming Guide, "Cooperative Groups", "Grid Synchronization").
//!
//! PTX has no such barrier. CUDA's header makes one of a word in memory, whose address a cooperative launch gives in
//! `%envreg1` and `%envreg2`: thread 0 of each block adds to the word and looks at it until its highest bit turns. In an
//! ordinary launch the registers are zero here, and the header comes to a `trap`. (A driver may give an address all the
//! same, and a small grid then passes.)
//!
//! That trap is told from a kernel's own by its place, in that header; where PTX says no lines, any trap of a kernel that
//! asks for the registers counts. Blocks that wait for a block that has ended, or that waits elsewhere, are proven to spin
//! (`spin.rs`) and then called a deadlock.

use super::block::Block;
use super::launch::Launch;
use super::misuse::Words;
use super::spin::Spin;
use super::words::Word;
use super::worker::Worker;
use crate::memory::space::Space;
use crate::types::Fault;
use crate::watch::Watch;
use finding::Slug;

/// Bytes of what the driver gives a cooperative launch.
pub const GRID_SYNC_BYTES: u64 = 8;

/// True for the word on which the blocks of a cooperative grid wait.
pub(super) fn is_grid_barrier(launch: &Launch, word: &Word) -> bool {
    let whole = launch.grid_sync..launch.grid_sync + GRID_SYNC_BYTES;
    launch.cooperative && word.space == Space::Global && whole.contains(&word.address)
}

impl<W: Watch> Worker<'_, W> {
    /// Group `at` of warp `which` has come to a `trap`; false, since that ends the launch.
    pub(super) fn trapped(&mut self, block: &Block<W>, which: usize, at: usize) -> bool {
        let group = block.warps[which].groups[at];
        let code = self.launch.code;
        let calls = block.warps[which].calls(group.frame);
        let has_lines = code.user_lines(group.pc, &calls).0.is_some();
        let is_theirs = !has_lines || code.is_of_groups(group.pc, &calls);
        if block.launch.cooperative || !code.asks_for_grid_barrier || !is_theirs {
            return self.fail(Fault::LaunchFailed);
        }
        let comes = if group.mask.count_ones() == 1 {
            "comes to the barrier of the grid"
        } else {
            "come to the barrier of the grid"
        };
        let end = self.threads_at(block, which as u32, &group, comes);
        let words = Words {
            slug: Slug::CooperativeLaunch,
            message: "a barrier of the whole grid in a launch that is not cooperative".into(),
            why: "only a cooperative launch promises that all blocks are there at once; in any other, blocks may wait for \
                  one that has no place to begin"
                .into(),
            help: "launch it with cuLaunchCooperativeKernel, with no more blocks than the occupancy call allows".into(),
            arguments: Vec::new(),
        };
        self.end(block, words, vec![end], Fault::LaunchFailed)
    }

    /// What is said where every block that is left waits at the barrier of the grid, or for those who do; `None` where
    /// somebody spins on anything else.
    pub(super) fn grid_deadlock(&self, resident: &[Block<W>], spins: &[Spin]) -> Option<Words> {
        let waits = |spin: &Spin| spin.word.is_some_and(|word| is_grid_barrier(&self.launch, &word));
        if spins.is_empty() || !spins.iter().all(waits) {
            return None;
        }
        let arrived = |index: usize| spins.iter().any(|spin| spin.block == index);
        let elsewhere = (0..resident.len()).filter(|&index| !arrived(index)).count() as u64;
        let there = resident.iter().filter(|block| block.launch.number == self.launch.number).count() as u64;
        let ended = self.launch.blocks() - there;
        let mut who = Vec::new();
        if ended > 0 {
            who.push(format!("{} ended", blocks(ended)));
        }
        if elsewhere > 0 {
            who.push(format!(
                "{} at another barrier",
                if elsewhere == 1 { "one block waits".into() } else { format!("{elsewhere} blocks wait") }
            ));
        }
        let who = if who.is_empty() { "they have come a different number of times".into() } else { who.join(", and ") };
        Some(Words {
            slug: Slug::Deadlock,
            message: "blocks wait at the barrier of the grid for blocks that will not come".into(),
            why: format!("thread 0 of every block of the grid must come to it as often: {who}"),
            help: "let every block reach each barrier of the grid; return after it, not before".into(),
            arguments: Vec::new(),
        })
    }
}

fn blocks(count: u64) -> String {
    if count == 1 { "one block has".into() } else { format!("{count} blocks have") }
}

//! The barrier of a cooperative grid (CUDA Programming Guide, "Cooperative Groups", "Grid Synchronization").
//!
//! PTX has no such barrier. CUDA's header makes one of a word in memory, whose address a cooperative launch gives in
//! `%envreg1` and `%envreg2`. Thread 0 of each block adds to the word and looks at it until its highest bit turns. In
//! an ordinary launch the registers are zero here, and the header comes to a `trap`. (A driver may give an address all
//! the same, and a small grid then passes.)
//!
//! That trap is told from a kernel's own by its place, in that header; where PTX says no lines, any trap of a kernel
//! that asks for the registers counts. Blocks that wait for a block that has ended, or that waits elsewhere, are proven
//! to spin (`spin.rs`) and then called a deadlock.

use super::accessed::AccessedWord;
use super::block::Block;
use super::ending::{LaunchEnding, of_block};
use super::launch::Launch;
use super::sites::threads_at;
use super::worker::spin::Spin;
use crate::memory::space::Space;
use crate::types::Fault;
use crate::watch::Watch;
use finding::{Action, Blocks, Cause, Slug};
use std::collections::BTreeMap;

/// Bytes of what the driver gives a cooperative launch.
pub const GRID_SYNC_BYTES: u64 = 8;

/// True for the word on which the blocks of a cooperative grid wait.
pub(super) fn is_grid_barrier(launch: &Launch, word: &AccessedWord) -> bool {
    let whole = launch.grid_sync..launch.grid_sync + GRID_SYNC_BYTES;
    launch.cooperative && word.space == Space::Global && whole.contains(&word.address)
}

/// Group `at` of warp `which` has come to a `trap`.
pub(super) fn trapped<W: Watch>(block: &Block<W>, which: usize, at: usize) -> LaunchEnding {
    let group = block.warps[which].groups[at];
    let code = block.launch.code;
    let calls = block.warps[which].calls(group.frame);
    let has_lines = code.user_lines(group.pc, &calls).0.is_some();
    let is_theirs = !has_lines || code.is_of_groups(group.pc, &calls);
    if block.launch.cooperative || !code.asks_for_grid_barrier || !is_theirs {
        return LaunchEnding::asked_for(Fault::LaunchFailed, block, which, at);
    }
    let end = threads_at(block, which as u32, &group, |threads| Action::CameToGridBarrier { threads });
    let finding = of_block(&block.launch, block.linear, Slug::CooperativeLaunch, Cause::NotCooperative, vec![end]);
    LaunchEnding::found(finding, Fault::LaunchFailed)
}

/// The cause where every block that is left waits at the barrier of the grid, or for those who do; `None` where
/// somebody spins on anything else.
pub(super) fn grid_deadlock<W: Watch>(launch: &Launch, resident: &[Block<W>], spins: &[Spin]) -> Option<Cause> {
    let waits = |spin: &Spin| spin.word.is_some_and(|word| is_grid_barrier(launch, &word));
    if spins.is_empty() || !spins.iter().all(waits) {
        return None;
    }
    let arrived = |index: usize| spins.iter().any(|spin| spin.block == index);
    let own: BTreeMap<u64, bool> = resident
        .iter()
        .enumerate()
        .filter(|(_, block)| block.launch.number == launch.number)
        .map(|(index, block)| (block.linear, arrived(index)))
        .collect();
    let grid = launch.grid_of(0).grid;
    let blocks =
        |state: Option<bool>| Blocks::new(grid, (0..launch.blocks()).filter(|block| own.get(block).copied() == state));
    Some(Cause::GridDeadlock { waiting: blocks(Some(true)), ended: blocks(None), elsewhere: blocks(Some(false)) })
}

//! Threads that spin: an exact proof that a launch cannot end.
//!
//! Take a thread that runs alone and comes back to where it was, with the same registers and the same local memory. If
//! it finds all other memory as it was, it does so for ever unless somebody else writes. Where that holds for every
//! thread under way that does not wait, nobody writes: no schedule can end the launch. It is tried now and then, by
//! letting each group go round once; a group that meets others, prints, ends or changes memory spoils the proof, and
//! then the launch's fuel decides. So does a look at memory that the host can write meanwhile, and so do blocks that
//! have not begun where there is room for them. A group that reads a clock is followed through all that the clock may
//! say ([`any_time`]). (A weak load might still be shown an older value; where that matters there is a race to report.)

use super::{Worker, any_time};
use crate::exec::Op;
use crate::exec::branch::Callee;
use crate::exec::mbarrier::ObjectAction;
use crate::memory::Region;
use crate::registers::{Mask, Registers, lanes};
use crate::run::accessed::{AccessedWord, accessed};
use crate::run::block::Block;
use crate::run::cluster::Peers;
use crate::run::launch::Launch;
use crate::run::stack::Allocated;
use crate::run::warp::{Group, Wait, Warp};
use crate::watch::Watch;

/// The longest loop that is looked for, in instructions.
const LONGEST: u32 = 1 << 12;
/// The budget of all searches of a launch, in instructions: this many, and one more for each `ONE_IN` that its threads
/// have run.
const ALWAYS: u64 = 1 << 14;
const ONE_IN: u64 = 16;
/// Bytes that are kept or compared in the time of an instruction.
const BYTES_PER_STEP: u64 = 1 << 10;

/// Threads that come back to where they were.
pub(in crate::run) struct Spin {
    /// The block's place among those under way.
    pub block: usize,
    pub warp: u32,
    /// The group, at its access to memory if it makes one.
    pub group: Group,
    /// The word that they all look at.
    pub word: Option<AccessedWord>,
}

/// All that decides what a group does next, memory of others aside.
struct SpinState {
    group: Group,
    regs: Registers,
    locals: Vec<Vec<u8>>,
    stacks: Vec<Allocated>,
    /// The cost of saving or comparing it, in instructions.
    steps: u64,
}

impl SpinState {
    /// Saves the state of a group. `None` if the budget `left` is used up.
    fn of<W: Watch>(warp: &Warp<W>, at: usize, left: &mut u64) -> Option<SpinState> {
        let group = warp.groups[at];
        let locals: usize = lanes(group.mask).map(|lane| warp.locals[lane].len()).sum();
        let steps = (warp.regs.bytes() + locals) as u64 / BYTES_PER_STEP;
        *left = left.checked_sub(1 + steps)?;
        let locals = lanes(group.mask).map(|lane| warp.locals[lane].clone()).collect();
        Some(SpinState { group, regs: warp.regs.clone(), locals, stacks: warp.stacks.clone(), steps })
    }

    fn is_again<W: Watch>(&self, warp: &Warp<W>, at: usize) -> bool {
        self.group == warp.groups[at]
            && self.regs.same_contents(&warp.regs)
            && self.stacks == warp.stacks
            && lanes(self.group.mask).zip(&self.locals).all(|(lane, local)| warp.locals[lane] == *local)
    }
}

/// Returns the spinning threads if every thread under way that does not wait spins, and so will for ever. `None`
/// otherwise.
pub(super) fn all_spin<'a, W: Watch>(worker: &mut Worker<'a, W>, resident: &mut [Block<'a, W>]) -> Option<Vec<Spin>> {
    // Without checks other workers may be writing.
    if !W::ON {
        return None;
    }
    let mut spins = Vec::new();
    let mut left = most_steps(worker);
    for (index, block) in resident.iter_mut().enumerate() {
        for which in 0..block.warps.len() {
            let mut at = 0;
            // A group that splits on its way leaves the other part at the end of the list.
            while at < block.warps[which].groups.len() {
                if block.warps[which].groups[at].wait == Wait::Ready {
                    let round = goes_round(worker, block, which, at, &mut left, HostActivity::MayWrite)?;
                    let warp = block.warps[which].index;
                    spins.extend(round.into_iter().map(|(group, word)| Spin { block: index, warp, group, word }));
                }
                at += 1;
            }
        }
    }
    Some(spins)
}

fn most_steps<W: Watch>(worker: &Worker<W>) -> u64 {
    ALWAYS + worker.thread_instructions / ONE_IN
}

/// Returns the places of all groups that run, proven to spin or not.
pub(super) fn where_they_run<'a, W: Watch>(worker: &mut Worker<'a, W>, resident: &mut [Block<'a, W>]) -> Vec<Spin> {
    let mut spins = Vec::new();
    let mut left = most_steps(worker);
    for (index, block) in resident.iter_mut().enumerate() {
        for which in 0..block.warps.len() {
            for at in 0..block.warps[which].groups.len() {
                let group = block.warps[which].groups[at];
                if group.wait == Wait::Ready {
                    let round = goes_round(worker, block, which, at, &mut left, HostActivity::Waits);
                    let round = round.unwrap_or_else(|| vec![(group, None)]);
                    let warp = block.warps[which].index;
                    spins.extend(round.into_iter().map(|(group, word)| Spin { block: index, warp, group, word }));
                }
            }
        }
    }
    spins
}

/// Tells whether a thread of the host may end a loop by a write to memory that it shares with the device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HostActivity {
    MayWrite,
    Waits,
}

impl HostActivity {
    /// Returns true if the host may write one of these words.
    pub(super) fn may_write(self, launch: &Launch, words: &[AccessedWord]) -> bool {
        self == HostActivity::MayWrite && words.iter().any(|word| word.is_shared_with_host(launch))
    }
}

/// Lets a group run until it is where it was, and nothing has changed; `None` if it does anything else, or if no steps
/// are left. Gives the place of its last look at memory that is not its own, and what was looked at: lanes that looked
/// at different words come apart.
fn goes_round<'a, W: Watch>(
    worker: &mut Worker<'a, W>,
    block: &mut Block<'a, W>,
    which: usize,
    at: usize,
    left: &mut u64,
    host: HostActivity,
) -> Option<Vec<(Group, Option<AccessedWord>)>> {
    let mut before = SpinState::of(&block.warps[which], at, left)?;
    let mut seen = None;
    let code = block.launch.code;
    // Brent's way to find a cycle: the state to come back to is taken anew at each power of two.
    let mut steps = 0u32;
    while steps < LONGEST {
        *left = left.checked_sub(1)?;
        let warp = &mut block.warps[which];
        let group = warp.groups[at];
        warp.enter_window(group.frame);
        let instr = &code.instrs[group.pc as usize];
        let exec = instr.guard.lets(&warp.regs, group.mask);
        if let (true, Op::Special(_)) = (exec != 0, &instr.op) {
            return any_time::goes_round(block, which, at, left, host);
        }
        if exec != 0 && !stays_alone(&instr.op, warp, &group) {
            return None;
        }
        let looked_at = accessed(&block.launch, &warp.regs, &instr.op, exec);
        if host.may_write(&block.launch, &looked_at) {
            return None;
        }
        // Other blocks of the cluster may change their own memory, which this search does not follow.
        if block.launch.has_peers() && looked_at.iter().any(|word| word.is_of_peer()) {
            return None;
        }
        let before_it = values(&block.launch, &block.shared, &looked_at);
        let parts = by_word(&block.launch, &warp.regs, &instr.op, exec);
        // It sees the latest values here; after those no schedule may show it older ones. And what it stores
        // is in memory: behind others it would change nothing, and come to the front in a later round.
        worker.is_prompt = true;
        let (_, why) = worker.run_group(block, which, at, 1, u32::MAX);
        worker.is_prompt = false;
        if worker.serve_or_end(block, &mut Peers::none(), which, at, why).is_break()
            || before_it != values(&block.launch, &block.shared, &looked_at)
        {
            return None;
        }
        if !parts.is_empty() && !matches!(instr.op, Op::Store(_)) {
            seen = Some((group, parts));
        }
        let warp = &block.warps[which];
        if warp.groups[at].mask != before.group.mask {
            (before, steps, seen) = (SpinState::of(warp, at, left)?, 0, None);
            continue;
        }
        if before.group == warp.groups[at] {
            *left = left.checked_sub(before.steps)?;
        }
        if before.is_again(warp, at) {
            let Some((group, mut parts)) = seen else { return Some(vec![(before.group, None)]) };
            // Lanes that made no access themselves are added to the first group that did.
            let looked = parts.iter().fold(0, |looked, (mask, _)| looked | mask);
            parts[0].0 |= before.group.mask & !looked;
            return Some(parts.into_iter().map(|(mask, word)| (Group { mask, ..group }, Some(word))).collect());
        }
        steps += 1;
        if steps.is_power_of_two() {
            before = SpinState::of(warp, at, left)?;
        }
    }
    None
}

pub(super) fn values(launch: &Launch, shared: &Region, words: &[AccessedWord]) -> Vec<u64> {
    words.iter().map(|word| word.value(launch, shared)).collect()
}

/// The lanes by the first word that each is about to access.
pub(super) fn by_word(launch: &Launch, regs: &Registers, op: &Op, mask: Mask) -> Vec<(Mask, AccessedWord)> {
    let mut parts: Vec<(Mask, AccessedWord)> = Vec::new();
    for lane in lanes(mask) {
        let Some(&word) = accessed(launch, regs, op, 1 << lane).first() else { continue };
        match parts.iter_mut().find(|(_, known)| *known == word) {
            Some((mask, _)) => *mask |= 1 << lane,
            None => parts.push((1 << lane, word)),
        }
    }
    parts
}

/// True if an instruction concerns its own threads and memory alone, and does the same each time.
fn stays_alone<W: Watch>(op: &Op, warp: &Warp<W>, group: &Group) -> bool {
    match op {
        Op::Alu(_) | Op::Steps(_) | Op::Branch(_) | Op::Load(_) | Op::Store(_) | Op::Atomic(_) => true,
        Op::Fence(_) | Op::ProxyFence(_) | Op::MapFence(_) => true,
        Op::Sleep(_) | Op::GridDependency(_) | Op::Nop => true,
        Op::Mbarrier(op) => matches!(op.action, ObjectAction::Test(_)),
        Op::Call(call) => !matches!(call.callee, Callee::Builtin(_)),
        Op::Return => warp.frames[group.frame as usize].depth > 0,
        Op::Stack(_)
        | Op::Async(_)
        | Op::Bulk(_)
        | Op::Image(_)
        | Op::Special(_)
        | Op::Exit
        | Op::Trap
        | Op::Barrier(_)
        | Op::ClusterArrive(_)
        | Op::Warp(_)
        | Op::ActiveMask(_) => false,
    }
}

//! Threads of a block that go on no more: where they stand, and what they wait for.

use super::block::Block;
use super::sites::access;
use super::warp::{Wait, Warp};
use crate::exec::Op;
use crate::watch::Watch;
use finding::{Access, Action, BarrierName, Counted, Look, Threads, WaitAt, Waiting};

/// Threads that stand at one place and wait for the same.
pub(super) struct Standing {
    pub pc: u32,
    /// The calls that led there.
    pub calls: Vec<u32>,
    pub wait: Wait,
    pub threads: Threads,
    /// The threads that have to come, where they are known by name.
    pub missing: Threads,
    /// The number of threads that a barrier waits for and has, where it counts them.
    pub counted: Option<Counted>,
    /// The values that they find, where they look at memory.
    pub look: Option<Look>,
    /// They look at the barrier of a cooperative grid.
    pub at_grid_barrier: bool,
}

impl Standing {
    pub fn new(pc: u32, calls: Vec<u32>, wait: Wait) -> Standing {
        let (threads, missing) = (Threads::default(), Threads::default());
        Standing { pc, calls, wait, threads, missing, counted: None, look: None, at_grid_barrier: false }
    }
}

/// Every waiting thread of these warps, by place and by what it waits for.
pub(super) fn standing<W: Watch>(block: &Block<W>, warps: &[Warp<W>]) -> Vec<Standing> {
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
            // It is open which threads come to a barrier that counts them, but a warp comes whole.
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

/// Describes which threads wait, where, and for which others; those stand at indices of `all`.
pub(super) fn describe<W: Watch>(block: &Block<W>, standing: &Standing, all: &[Standing]) -> Access {
    describe_from(block, standing, all, 0)
}

/// As `describe`, where `first` places come before these.
pub(super) fn describe_from<W: Watch>(block: &Block<W>, standing: &Standing, all: &[Standing], first: usize) -> Access {
    let counted = standing.counted;
    let at = match (standing.wait, &block.launch.code.instrs[standing.pc as usize].op) {
        (Wait::Ready, _) if standing.at_grid_barrier => WaitAt::GridBarrier,
        (Wait::Ready, _) => WaitAt::Spin { look: standing.look.clone() },
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

//! The options of a person who makes a schedule's choices, where the choice is whose turn it is.

use crate::run::block::Block;
use crate::run::warp::{Group, Wait, Warp};
use crate::schedule::choices::{BlockOption, ChoiceOptions, GroupOption, WarpOption};
use crate::watch::Watch;

pub(super) fn blocks<W: Watch>(resident: &[Block<W>]) -> ChoiceOptions {
    ChoiceOptions::Blocks { blocks: resident.iter().map(block).collect() }
}

/// `ready` holds indices of warps.
pub(super) fn warps<W: Watch>(of: &Block<W>, ready: &[usize]) -> ChoiceOptions {
    let option = |&at: &usize| {
        let warp = &of.warps[at];
        let ready = warp.groups.iter().filter(|group| group.wait == Wait::Ready);
        WarpOption { warp: warp.index, groups: ready.map(|it| group(of, warp, it)).collect() }
    };
    ChoiceOptions::Warps { block: block(of), warps: ready.iter().map(option).collect() }
}

pub(super) fn groups<W: Watch>(of: &Block<W>, warp: usize) -> ChoiceOptions {
    let warp = &of.warps[warp];
    let ready = warp.groups.iter().filter(|group| group.wait == Wait::Ready);
    ChoiceOptions::Groups { block: block(of), warp: warp.index, groups: ready.map(|it| group(of, warp, it)).collect() }
}

fn block<W: Watch>(of: &Block<W>) -> BlockOption {
    let launch = &of.launch;
    BlockOption { number: of.linear, kernel: launch.kernel.to_string(), index: launch.block_index(of.linear) }
}

fn group<W: Watch>(of: &Block<W>, warp: &Warp<W>, group: &Group) -> GroupOption {
    let code = of.launch.code;
    let (location, called_from) = code.user_lines(group.pc, &warp.calls(group.frame));
    let ptx_line = code.instrs.get(group.pc as usize).map_or(0, |instr| instr.line);
    GroupOption { lanes: group.mask, location, called_from, ptx_line }
}

//! Masks that do not fit: lanes of a warp that can never meet (PTX ISA, "shfl.sync",
//! "vote.sync", "match.sync", "redux.sync", "bar.warp.sync", "elect.sync").
//!
//! A lane leaves a `.sync` instruction when all lanes that its mask names, and that have not
//! exited, have come to the same instruction, qualifiers and mask. So lanes that wait for
//! one another with anything else never go on: a cycle of such waits is exact, and it is
//! found as soon as it closes. A lane that is not in its own mask has no defined behaviour.
//! Both end the launch. Lanes that pass another meeting first and come later are not judged:
//! they may still come.

use super::block::Block;
use super::ending::{LaunchEnding, of_block};
use super::sites::threads_at;
use super::standing::{Standing, describe, standing};
use super::warp::{Group, Wait, Warp};
use crate::exec::warp::CollectiveKind;
use crate::registers::Mask;
use crate::types::Fault;
use crate::watch::Watch;
use finding::{Access, Action, AllCome, Cause, Differs, Slug};

/// One meeting that lanes wait for.
struct Meeting {
    wait: Wait,
    come: Mask,
    missing: Mask,
}

impl<W: Watch> Warp<W> {
    /// The meetings at which lanes of this warp wait.
    fn meetings(&self) -> Vec<Meeting> {
        let mut all: Vec<Meeting> = Vec::new();
        for group in &self.groups {
            let Wait::Members(_, members) = group.wait else { continue };
            match all.iter_mut().find(|meeting| meeting.wait == group.wait) {
                Some(meeting) => meeting.come |= group.mask,
                None => all.push(Meeting { wait: group.wait, come: group.mask, missing: members & self.live() }),
            }
        }
        all.iter_mut().for_each(|meeting| meeting.missing &= !meeting.come);
        all
    }
}

/// Meetings that wait for each other in a ring, by index.
fn ring(all: &[Meeting]) -> Option<Vec<usize>> {
    fn search(all: &[Meeting], path: &mut Vec<usize>, done: &mut Vec<usize>) -> Option<Vec<usize>> {
        let last = *path.last()?;
        for next in (0..all.len()).filter(|&next| all[last].missing & all[next].come != 0) {
            if let Some(start) = path.iter().position(|&at| at == next) {
                return Some(path[start..].to_vec());
            }
            if !done.contains(&next) {
                path.push(next);
                if let Some(found) = search(all, path, done) {
                    return Some(found);
                }
                path.pop();
            }
        }
        done.push(last);
        None
    }
    let mut done = Vec::new();
    (0..all.len()).find_map(|start| search(all, &mut vec![start], &mut done))
}

/// Lanes of warp `which` that wait for one another and can never meet.
pub(super) fn cannot_meet<W: Watch>(block: &Block<W>, which: usize) -> Option<LaunchEnding> {
    let warp = &block.warps[which];
    if warp.groups.len() < 2 {
        return None;
    }
    let all = warp.meetings();
    let ring = ring(&all)?;
    let stuck = |standing: &Standing| ring.iter().any(|&at| all[at].wait == standing.wait);
    let stand: Vec<Standing> = standing(block, std::slice::from_ref(warp)).into_iter().filter(stuck).collect();
    let ends: Vec<Access> = stand.iter().map(|one| describe(block, one, &stand)).collect();
    let kinds = ring.iter().map(|&at| match all[at].wait {
        Wait::Members(kind, _) => Some(kind),
        _ => None,
    });
    let one_kind = kinds.clone().all(|kind| kinds.clone().next() == Some(kind));
    let (differs, all_come) = match one_kind {
        true => {
            let first = warp.groups.iter().filter(|group| group.wait == all[ring[0]].wait);
            (Differs::Masks, all_come(block, which, first))
        }
        false => {
            // Out of the mask of a shuffle a lane gives no value.
            let shuffles = kinds.clone().any(|kind| matches!(kind, Some(CollectiveKind::Shuffle(_))));
            (Differs::Operations { shuffles }, None)
        }
    };
    let cause = Cause::MaskMismatch { differs, all_come };
    let finding = of_block(&block.launch, block.linear, Slug::MaskMismatch, cause, ends);
    Some(LaunchEnding::found(finding, Fault::Timeout))
}

/// Lanes of warp `which` that the mask they would wait with does not name.
pub(super) fn outside_own_mask<W: Watch>(block: &Block<W>, which: usize, guilty: Group) -> LaunchEnding {
    let Wait::Members(kind, members) = guilty.wait else { unreachable!("it would wait for them") };
    let called = |threads| Action::CalledWithMask { threads, function: kind.name(), mask: members };
    let end = threads_at(block, block.warps[which].index, &guilty, called);
    let all_come = all_come(block, which, std::iter::once(&guilty));
    let cause = Cause::OutsideOwnMask { all_come };
    let finding = of_block(&block.launch, block.linear, Slug::MaskMismatch, cause, vec![end]);
    LaunchEnding::found(finding, Fault::IllegalInstruction)
}

/// True if all lanes of a warp that have not ended stand where `some` do.
fn all_come<'g, W: Watch>(
    block: &Block<W>,
    which: usize,
    mut some: impl Iterator<Item = &'g Group>,
) -> Option<AllCome> {
    let warp = &block.warps[which];
    let place = |group: &Group| (group.pc, warp.calls(group.frame));
    let first = some.next()?;
    let here = place(first);
    let come = warp.groups.iter().filter(|group| place(group) == here).fold(0, |come, group| come | group.mask);
    if come != warp.live() {
        return None;
    }
    Some(AllCome {
        at: block.launch.code.user_lines(here.0, &here.1).0,
        whole_warp: come == Mask::MAX,
        is_barrier: matches!(first.wait, Wait::Members(CollectiveKind::Barrier, _)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_three_is_found_and_a_chain_is_not() {
        let meeting =
            |come, missing| Meeting { wait: Wait::Members(CollectiveKind::Elect, come | missing), come, missing };
        let mut all = vec![meeting(0b100, 0b001), meeting(0b001, 0b010), meeting(0b010, 0b1000)];
        assert_eq!(ring(&all), None);
        all[2].missing = 0b100;
        assert_eq!(ring(&all).map(|ring| ring.len()), Some(3));
        all[2].missing = 0b001;
        assert_eq!(ring(&all), Some(vec![1, 2]));
    }
}

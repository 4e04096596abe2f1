//! The state of each warp under way: its calls, and the groups that its lanes form.

use machine::registers::Mask;
use rustc_hash::FxHashMap;

/// The warps of a launch, by block and number.
#[derive(Debug, Default)]
pub(crate) struct Warps(FxHashMap<(u64, u32), Warp>);

#[derive(Debug, Default)]
pub(crate) struct Warp {
    /// By frame, the chain of calls that led there, as [`checker::Sites`] numbers them.
    pub chains: Vec<u32>,
    /// Lanes that were last seen together.
    groups: Vec<Mask>,
}

/// The difference between lanes that go on together and the groups before.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Regrouped {
    /// These have become one group; empty if no lanes have come together.
    pub joined: Vec<Mask>,
    /// These stay behind.
    pub left: Mask,
}

impl Warps {
    pub fn of(&mut self, block: u64, warp: u32) -> &mut Warp {
        self.0.entry((block, warp)).or_default()
    }

    pub fn forget(&mut self, block: u64, warp: u32) {
        self.0.remove(&(block, warp));
    }
}

impl Warp {
    /// The lanes of `mask` go on together.
    pub fn regroup(&mut self, mask: Mask) -> Regrouped {
        if self.groups.contains(&mask) {
            return Regrouped::default();
        }
        let mut joined: Vec<Mask> = self.groups.iter().copied().filter(|group| group & mask != 0).collect();
        let whole = joined.iter().fold(0, |all, group| all | group);
        self.groups.retain(|group| group & mask == 0);
        self.groups.push(mask);
        let left = whole & !mask;
        self.groups.extend(Some(left).filter(|left| *left != 0));
        if joined.len() < 2 {
            joined.clear();
        }
        Regrouped { joined, left }
    }

    /// These have ended; true if no lane that was ever seen is left.
    pub fn end(&mut self, mask: Mask) -> bool {
        self.groups.iter_mut().for_each(|group| *group &= !mask);
        self.groups.retain(|group| *group != 0);
        self.groups.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_part_and_come_together() {
        let mut warp = Warp::default();
        assert_eq!(warp.regroup(0xff), Regrouped::default());
        assert_eq!(warp.regroup(0x0f), Regrouped { joined: vec![], left: 0xf0 });
        assert_eq!(warp.regroup(0xf0), Regrouped::default());
        assert_eq!(warp.regroup(0x30), Regrouped { joined: vec![], left: 0xc0 });
        assert_eq!(warp.regroup(0xff), Regrouped { joined: vec![0x0f, 0x30, 0xc0], left: 0 });
        assert!(!warp.end(0x7f));
        assert!(warp.end(0x80));
    }

    #[test]
    fn some_of_what_has_joined_may_stay_behind_at_once() {
        let mut warp = Warp::default();
        warp.regroup(0xff);
        warp.regroup(0x0f);
        assert_eq!(warp.regroup(0x3f), Regrouped { joined: vec![0x0f, 0xf0], left: 0xc0 });
    }
}

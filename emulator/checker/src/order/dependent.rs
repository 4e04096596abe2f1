//! Launches with programmatic stream serialization (CUDA Programming Guide, "Programmatic Dependent Launch and
//! Synchronization"; PTX ISA, "griddepcontrol").
//!
//! Such a launch may begin once each block of the launch before it in its stream has triggered or ended. Only
//! `griddepcontrol.wait` orders the two: after it, all of that launch is in the thread's past. A trigger orders nothing
//! that its own launch does. It passes on one thing: if all threads of a block that trigger have waited before, then
//! the launches that they waited for are complete when the dependent launch begins.
//!
//! A launch is complete only after what it has waited for. If none of its threads waits, nothing says that the launches
//! before it are complete when it is, so a wait for it covers it alone. Everything of a stream that does not overlap
//! comes after all launches of the chain.
//!
//! The launches that a launch overlaps with are a range of the clock of its stream, since only launches in a row
//! overlap.

use crate::order::clock::View;
use crate::order::launches::LaunchRecord;
use crate::order::warp::WarpOrder;
use machine::exec::GridDependency;
use machine::registers::{Mask, lanes};
use machine::types::HostOrder;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// The operations of its stream that a launch is not ordered after although they come before it, by their clock.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    /// For a thread that has not waited.
    begin: Range<u32>,
    /// For a thread that has waited.
    waited: Range<u32>,
}

impl Overlap {
    /// Returns the overlap of a launch that follows `before`, the last operation of its stream. One that follows an
    /// operation of the host has none.
    pub fn after(before: Option<&LaunchRecord>, order: &HostOrder) -> Overlap {
        let (Some(before), Some(known)) = (before.filter(|it| it.kernel().is_some()), order.overlaps) else {
            return Overlap::default();
        };
        let last = tick(&before.order);
        let first = |range: &Range<u32>| if range.is_empty() { last } else { range.start }.max(known + 1);
        let (early, late) = (&before.overlap.begin, &before.overlap.waited);
        Overlap {
            begin: first(if before.waits.before_trigger { late } else { early })..last + 1,
            waited: first(if before.waits.any { late } else { early })..last,
        }
    }

    fn range(&self, has_waited: bool) -> &Range<u32> {
        if has_waited { &self.waited } else { &self.begin }
    }

    /// Returns true if there is none, for a thread that has waited or not.
    pub fn is_none(&self, has_waited: bool) -> bool {
        self.range(has_waited).is_empty()
    }

    /// Returns true if a launch with this overlap, at `order`, is not ordered after the operation at `earlier`.
    pub fn includes(&self, earlier: &HostOrder, order: &HostOrder, has_waited: bool) -> bool {
        earlier.agent == order.agent && self.range(has_waited).contains(&tick(earlier))
    }
}

/// Returns the number of an operation in its stream.
pub fn tick(order: &HostOrder) -> u32 {
    order.clock.get(order.agent as usize).copied().unwrap_or(0)
}

/// The waits of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridWaits {
    /// True if some thread has waited: then the launch is complete only after what it waited for.
    pub any: bool,
    /// True if in some block no thread triggers before it has waited.
    pub before_trigger: bool,
}

/// The waits and triggers of the running launch, by block.
#[derive(Debug, Default)]
pub struct BlockWaits(FxHashMap<u64, BlockWait>);

#[derive(Debug, Default)]
struct BlockWait {
    has_waited: bool,
    /// True if a thread has triggered that had not waited.
    is_early: bool,
}

impl BlockWaits {
    /// Records an instruction of lanes of a warp of `block`.
    pub fn run(&mut self, op: GridDependency, block: u64, warp: &mut WarpOrder, mask: Mask) {
        let waits = self.0.entry(block).or_default();
        match op {
            GridDependency::Wait => {
                waits.has_waited = true;
                warp.wait_for_grids(mask);
            }
            GridDependency::Trigger => {
                waits.is_early |= lanes(mask).any(|lane| !warp.views()[lane].has_waited());
            }
        }
    }

    pub fn of_launch(&self) -> GridWaits {
        let waited = || self.0.values().filter(|block| block.has_waited);
        GridWaits { any: waited().next().is_some(), before_trigger: waited().any(|block| !block.is_early) }
    }
}

impl WarpOrder {
    /// Records that lanes have waited for the grids that their launch depends on.
    fn wait_for_grids(&mut self, mask: Mask) {
        let mut last: Option<(Rc<View>, Rc<View>)> = None;
        for lane in lanes(mask) {
            let mine = self.views()[lane].clone();
            let waited = match &last {
                Some((old, new)) if Rc::ptr_eq(old, &mine) => new.clone(),
                _ => View::with_wait(&mine),
            };
            self.set_view(lane, waited.clone());
            last = Some((mine, waited));
        }
    }
}

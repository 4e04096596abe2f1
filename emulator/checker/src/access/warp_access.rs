//! One memory access of a warp, and the accesses of words that it consists of.

use crate::access::actor::{Actor, Current};
use crate::access::row::LaneRow;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use machine::exec::memory::Scope;
use machine::memory::space::Space;
use machine::registers::{Mask, lanes};
use machine::watch::Touch;

/// One memory access of a warp.
#[derive(Clone, Copy)]
pub struct WarpAccess<'a> {
    pub touch: &'a Touch<'a>,
    /// The row of all lanes, if their addresses are consecutive.
    pub row: Option<&'a LaneRow>,
    /// The rows of the two halves of the warp, if each is consecutive.
    pub halves: Option<[LaneRow; 2]>,
    pub kind: RecordedKind,
    /// The scope of a strong access.
    pub scope: Option<Scope>,
    /// The lanes whose compare-and-swap fails.
    pub fails: Mask,
}

impl<'a> WarpAccess<'a> {
    /// As `of`, for a plain load or store that takes effect in order: it may be judged by rows.
    #[inline(always)]
    pub fn by_rows(touch: &'a Touch<'a>, kind: RecordedKind, row: Option<&'a LaneRow>) -> WarpAccess<'a> {
        let halves = if row.is_none() { LaneRow::halves(touch, kind) } else { None };
        WarpAccess { row, halves, ..WarpAccess::of(touch, kind) }
    }

    #[inline(always)]
    pub fn of(touch: &'a Touch<'a>, kind: RecordedKind) -> WarpAccess<'a> {
        // All that can access it are in each other's scope: the threads of the block, however narrow the scope is, or
        // of the cluster.
        let reaches_all = if touch.at.launch.has_peers() { Scope::Cluster } else { Scope::Block };
        let is_whole = touch.space == Space::Shared && touch.semantics.scope >= reaches_all;
        let narrowest = if is_whole { Scope::Device } else { Scope::Block };
        let scope = touch.semantics.is_strong().then_some(touch.semantics.scope.max(narrowest));
        WarpAccess { touch, row: None, halves: None, kind, scope, fails: 0 }
    }

    /// Calls `then` with each word that each lane touches, and the access to record for it.
    pub fn for_each_word(&self, actor: &Actor, base: u64, mut then: impl FnMut(&Current, u32, u64, RecordedAccess)) {
        let WarpAccess { touch, kind, scope, .. } = *self;
        // Elements of a plain vector are judged as one access.
        let (count, size) = match scope {
            Some(_) => (touch.elements, touch.bytes),
            None => (1, touch.bytes * touch.elements),
        };
        for lane in lanes(touch.mask) {
            let current = Current { actor, lane: lane as u32 };
            for element in 0..count {
                let offset = touch.addresses[lane] - base + u64::from(touch.bytes * element);
                let end = offset + u64::from(size);
                for word in (offset & !3..end).step_by(4) {
                    let info = AccessInfo::new(actor.site(), bytes_in(word, offset, end), kind, scope, size);
                    then(&current, element, word, actor.touched(lane as u32, info));
                }
            }
        }
    }
}

/// Returns the bytes of the word at `word` that lie in `start..end`, as a mask.
#[inline(always)]
pub fn bytes_in(word: u64, start: u64, end: u64) -> u32 {
    let (from, to) = (start.max(word) - word, end.min(word + 4) - word);
    ((1u32 << to) - 1) & !((1u32 << from) - 1)
}

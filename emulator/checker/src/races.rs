//! The race check of a launch: what is kept of each memory region's accesses, and the choice between the two checkers,
//! the plain [rule] and the [fast](crate::fast) one.

use crate::access::actor::{Actor, Current};
use crate::access::race::Race;
use crate::access::warp_access::{WarpAccess, bytes_in};
use crate::fast::cells::Cells;
use crate::fast::checker::FastChecker;
use crate::fast::displaced::Displaced;
use crate::fast::readers::UnorderedBlocks;
use crate::fast::side_table::SideTable;
use crate::rule::RaceChecker;
use crate::rule::history::{History, PlainChecker};
use crate::sites::touched::{MOST_INSTRUCTIONS, RecordedAccess};
use machine::code::KernelCode;
use machine::exec::Op;
use machine::exec::memory::Semantics;
use machine::exec::wgmma;
use machine::memory::space::Space;
use machine::registers::lanes;
use machine::run::launch::Launch;
use machine::types::Judgement;
use machine::watch::Touch;
use std::ops::RangeInclusive;

/// The state that all accesses of one launch share.
pub struct RaceCheck {
    overflow: SideTable,
    warps_per_block: u32,
    /// True if the encoding can distinguish all accesses; otherwise none is judged.
    are_told_apart: bool,
    /// True if barriers drop earlier accesses: see [`RaceCheck::forgets_at_barriers`].
    forgets_at_barriers: bool,
    judgement: Judgement,
}

impl RaceCheck {
    pub fn new(launch: &Launch, judgement: Judgement) -> RaceCheck {
        let mut all = RaceCheck {
            overflow: SideTable::new(UnorderedBlocks::of(launch)),
            warps_per_block: launch.warp_stride(),
            are_told_apart: launch.code.instrs.len() <= MOST_INSTRUCTIONS,
            forgets_at_barriers: !launch.has_peers() && !launch.code.copies && !may_synchronise_in_shared(launch.code),
            judgement,
        };
        all.count_blocks(launch.blocks());
        all
    }

    /// Sets the number of blocks: with the grids that kernels launch, they may become too many to distinguish their
    /// accesses.
    pub fn count_blocks(&mut self, blocks: u64) {
        self.are_told_apart &= blocks * u64::from(self.warps_per_block) < 1 << 27;
    }

    /// True if an access is judged.
    #[inline(always)]
    pub fn judges(&self, touch: &Touch) -> bool {
        self.are_told_apart
            && touch.region.is_some()
            && !(touch.space == Space::Shared && is_reserved(touch.at.launch, touch))
    }

    /// Returns true if a barrier at which all threads of the block wait makes the earlier accesses to shared memory
    /// irrelevant, since they happen before all later ones. False for kernels with strong accesses to shared memory,
    /// whose last writer a report of waiting threads names, and with asynchronous copies, which a barrier does not
    /// order.
    #[inline(always)]
    pub fn forgets_at_barriers(&self) -> bool {
        self.forgets_at_barriers
    }

    /// Returns the number of accesses that the last ones were compared with one by one.
    #[inline(always)]
    pub fn take_looks(&mut self) -> u64 {
        self.overflow.take_looks()
    }

    /// Returns the checker of a region that begins at `base`, for an access of launch or era `era`.
    #[inline(always)]
    pub fn of_region<'m>(&'m mut self, region: &'m mut RegionAccesses, base: u64, era: u32) -> RegionChecker<'m> {
        RegionChecker { region, overflow: &mut self.overflow, base, era, judgement: self.judgement }
    }
}

/// The accesses that are kept of one memory region.
#[derive(Clone, Debug, Default)]
pub struct RegionAccesses {
    /// The last accesses of each word, also where [`History`] has all of them: operations of the host and reports look
    /// at these.
    pub cells: Cells,
    /// Accesses that newer ones have replaced in `cells`. Used for global memory only.
    pub displaced: Displaced,
    /// All accesses, if they are judged by the plain rule.
    history: Option<Box<History>>,
    /// For shared memory, takes the place of the launch number. A new era begins with each block, and with each barrier
    /// at which all threads of the block wait: accesses of earlier eras happen before all later ones.
    pub era: u32,
    /// The first era of the present block.
    first_era: u32,
}

impl RegionAccesses {
    fn history_mut(&mut self, judgement: Judgement) -> &mut History {
        self.history.get_or_insert_with(|| Box::new(History::new(judgement == Judgement::Rule)))
    }

    /// Records an operation of the host on a range as launch `launch`, made of accesses such as `touch` has for the
    /// bytes of a word.
    pub fn enter(
        &mut self,
        (start, end): (u64, u64),
        launch: u32,
        touch: impl Fn(u32) -> RecordedAccess,
        judgement: Judgement,
    ) {
        if judgement.is_by_rule() {
            let history = self.history_mut(judgement);
            let words = (start & !3..end).step_by(4);
            words.for_each(|word| history.add(word, launch, touch(bytes_in(word, start, end))));
        }
        self.cells.enter((start, end), launch, touch);
    }

    /// Begins the use of this shared memory by another block.
    pub fn begin_block(&mut self) {
        self.era += 1;
        self.first_era = self.era;
    }

    /// Returns the eras of the present block.
    pub fn eras(&self) -> RangeInclusive<u32> {
        self.first_era..=self.era
    }

    /// Removes all accesses of a range of whole lines.
    pub fn forget(&mut self, offset: u64, bytes: u64) {
        self.cells.forget(offset, bytes);
        self.displaced.forget(offset, bytes);
        if let Some(history) = &mut self.history {
            history.forget(offset, bytes);
        }
    }
}

/// The race checker of one memory region, while an access of a warp is judged.
pub struct RegionChecker<'m> {
    region: &'m mut RegionAccesses,
    overflow: &'m mut SideTable,
    /// The address at which the region begins.
    base: u64,
    /// The launch, or for shared memory the era, of the accesses that are judged.
    era: u32,
    judgement: Judgement,
}

impl RegionChecker<'_> {
    /// Returns the address at which the region begins.
    pub fn base(&self) -> u64 {
        self.base
    }

    #[inline(always)]
    fn fast(&mut self) -> FastChecker<'_> {
        let RegionAccesses { cells, displaced, .. } = &mut *self.region;
        FastChecker { cells, displaced, overflow: self.overflow, base: self.base, era: self.era }
    }

    fn plain(&mut self) -> PlainChecker<'_> {
        PlainChecker { history: self.region.history_mut(self.judgement), base: self.base, era: self.era }
    }

    /// Judges an access against accesses of older launches that later ones have displaced. The plain checker keeps
    /// these with all others.
    pub fn judge_displaced(
        &mut self,
        actor: &Actor,
        access: &WarpAccess,
        found: &mut impl FnMut(&Current, u32, Race, u64),
    ) {
        let is_by_rule = self.judgement.is_by_rule();
        self.fast().judge_displaced(actor, access, &mut |current: &Current, element, race, word| {
            if !is_by_rule {
                found(current, element, race, word);
            }
        });
    }
}

impl RaceChecker for RegionChecker<'_> {
    #[inline(always)]
    fn judge(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64)) {
        if self.judgement.is_by_rule() {
            self.plain().judge(actor, access, found);
            return self.fast().judge(actor, access, &mut |_: &Current, _, _, _| ());
        }
        self.fast().judge(actor, access, found);
    }

    fn judge_read(&mut self, current: &Current, word: u64, new: RecordedAccess, found: &mut impl FnMut(Race)) {
        match self.judgement.is_by_rule() {
            true => self.plain().judge_read(current, word, new, found),
            false => self.fast().judge_read(current, word, new, found),
        }
    }

    fn note_read(&mut self, word: u64, read: RecordedAccess) {
        if self.judgement.is_by_rule() {
            self.plain().note_read(word, read);
        }
        self.fast().note_read(word, read);
    }
}

/// True if the code may access shared memory by a strong operation.
fn may_synchronise_in_shared(code: &KernelCode) -> bool {
    let is_strong = |space: Space, semantics: Semantics| semantics.is_strong() && space != Space::Global;
    code.instrs.iter().any(|instr| match &instr.op {
        Op::Load(it) => is_strong(it.space, it.semantics),
        Op::Store(it) => is_strong(it.space, it.semantics),
        Op::Atomic(it) => is_strong(it.space, it.semantics),
        Op::Mbarrier(_) | Op::Bulk(_) => true,
        Op::Warp(_) => wgmma::is_product(&instr.op),
        _ => false,
    })
}

/// True for an access to the part of shared memory that the system reserves for cooperative groups.
#[inline(always)]
fn is_reserved(launch: &Launch, touch: &Touch) -> bool {
    launch.code.asks_for_reserved_shared
        && launch.reserved_shared().is_some_and(|begin| lanes(touch.mask).all(|lane| touch.addresses[lane] >= begin))
}

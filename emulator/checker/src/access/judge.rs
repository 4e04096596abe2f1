//! Data races by happens-before (PTX ISA, "Memory Consistency Model": conflict, morally strong, causality order).
//!
//! Two accesses of one place race if at least one writes, they are not ordered, and they are not morally strong: both
//! strong, of the same size, each in the other's scope. Order comes from program order, block and warp barriers, release
//! and acquire; never from the order in which this run happened to do things. Exact for the accesses that a run makes; of
//! a racing write only the latest is kept, so that one bug is not reported for every pair that it gives rise to.

use crate::access::cells::{Cell, Cells, LINE};
use crate::access::observation::observed;
use crate::access::overflow::{More, Overflow};
use crate::access::record::{again, record, thin_out};
use crate::access::touched::{How, Kind, MOST_INSTRUCTIONS, Touched};
use crate::order::clock::{Clock, Narrow, View};
use crate::order::copies::Copied;
use crate::order::release::{Location, Patterns, Pending, Reach, SyncVar};
use crate::past::state::Past;
use crate::trace::flags::{Between, First, Flags};
use crate::trace::lack::Lack;
use crate::trace::sites::Sites;
use machine::exec::Op;
use machine::exec::memory::Scope;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::At;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// The warp whose access is judged.
pub struct Actor<'a> {
    pub at: &'a At<'a>,
    /// Where the access stands, and all sites so far.
    pub site: u32,
    pub sites: &'a Sites,
    /// Its number in the launch.
    pub warp: u32,
    /// The warp that its accesses are written down for: another one for asynchronous copies.
    pub recorded: u32,
    pub clock: Clock,
    pub copied: Option<&'a Copied>,
    /// By lane.
    pub views: &'a [Rc<View>],
    pub patterns: &'a [Patterns],
    /// All its lanes share one view: see [`Actor::is_alike`].
    pub alike: OnceCell<bool>,
    /// It may go short ways.
    pub short_ways: bool,
    pub warps_per_block: u32,
    /// The launches before this one, for memory that outlives a launch.
    pub past: Option<&'a Past>,
    /// Lanes that read an older value than the last write's, or whose store comes in behind it.
    pub passes_by: Mask,
    /// How far back they look, or how many writes they come in behind.
    pub back: [u8; WARP],
    /// Lanes that compare and do not swap.
    pub fails: Mask,
    /// It updates, and no lane fails: lanes that do so one after the other are kept as one.
    pub joins: bool,
    /// Besides, it drops what it finds, and the schedule lets nothing look back: it may be one of a run
    /// ([`WriteChain::runs_on`](crate::access::write_chain::WriteChain::runs_on)).
    pub runs_on: bool,
    /// Pairs that are no races are wanted too.
    pub hints: bool,
    /// Loads may look back, and writes come in behind others.
    pub is_adverse: bool,
}

/// The thread whose access is judged: a lane of its warp.
#[derive(Clone, Copy)]
pub struct Current<'a> {
    pub actor: &'a Actor<'a>,
    pub lane: u32,
}

/// Who has read what the first access's thread released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The second access's thread, at this site.
    At(u32),
    /// Another thread, before a barrier that both passed.
    BeforeBarrier,
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    pub first: Touched,
    pub second: Touched,
    /// They would be ordered, or strong, if these reached both blocks.
    pub narrow: Option<Narrow>,
    /// They would be ordered if a fence followed what has been seen.
    pub unfenced: Option<Seen>,
    /// The site of a strong write of the same word that the thread of a plain load has made before.
    pub own_update: Option<u32>,
    /// They are morally strong, and race with nobody: nothing else orders them.
    pub is_allowed: bool,
    /// The earlier launch, by index among the device's, where the first access is of another one.
    pub launch: Option<u32>,
}

impl Race {
    fn of(first: Touched, second: Touched) -> Race {
        Race { first, second, narrow: None, unfenced: None, own_update: None, is_allowed: false, launch: None }
    }
}

impl Actor<'_> {
    /// True if all its lanes share one view: what one of them knows they all know.
    #[inline(always)]
    pub fn is_alike(&self) -> bool {
        // All are compared, side by side: that is shorter than to stop at the first that differs.
        let alike = || self.views.iter().fold(true, |alike, view| alike & Rc::ptr_eq(view, &self.views[0]));
        *self.alike.get_or_init(alike)
    }

    /// True for atomic operations.
    pub fn updates(&self) -> bool {
        matches!(self.at.launch.code.instrs[self.at.pc as usize].op, Op::Atomic(_))
    }

    /// Block and warp in it of a warp in the launch.
    #[inline(always)]
    pub fn place(&self, warp: u32) -> (u64, u32) {
        match warp.checked_sub(self.warp - self.at.warp) {
            Some(warp) if warp < self.warps_per_block => (self.at.block, warp),
            _ => (u64::from(warp / self.warps_per_block), warp % self.warps_per_block),
        }
    }

    /// The access that a lane is about to make.
    #[inline(always)]
    pub fn touched(&self, lane: u32, how: How) -> Touched {
        Touched { thread: self.recorded * 32 + lane, clock: self.clock, how }
    }
}

impl Current<'_> {
    #[inline(always)]
    fn place(&self, warp: u32) -> (u64, u32) {
        self.actor.place(warp)
    }

    pub fn passes_by(&self) -> bool {
        self.actor.passes_by >> self.lane & 1 != 0
    }

    fn view(&self) -> &View {
        &self.actor.views[self.lane as usize]
    }

    #[inline(always)]
    fn knows(&self, view: &View, warp: u32, lane: u32, clock: Clock) -> bool {
        let (block, warp) = self.place(warp);
        view.of(block, warp, lane as usize) >= clock
    }

    /// True for an access that would be behind the current one if shuffles ordered memory, as cooperative groups' own code
    /// takes them to; and for a store of its own warp in the same step, where all lanes put down what they have worked out together.
    pub fn was_told(&self, other: Touched, new: Touched) -> bool {
        let (block, warp) = self.place(other.warp());
        let same_step = other.warp() == new.warp() && other.clock == new.clock && other.how.site() == new.how.site();
        same_step || self.view().was_told(block, warp, other.lane() as usize, other.clock)
    }

    /// The store of a flag between two accesses that race, which would order them if it released what is behind it.
    pub fn between(&self, unreleased: &Flags, sync: &FxHashMap<Location, SyncVar>, race: &Race) -> Between {
        if race.launch.is_some() || race.narrow.is_some() {
            return Between::default();
        }
        let first = race.first;
        let (block, warp) = self.place(first.warp());
        let second = (self.actor.at.block, self.actor.at.warp, self.lane);
        if race.unfenced.is_some() {
            let covers = |view: &View| self.knows(view, first.warp(), first.lane(), first.clock);
            let released =
                |place| sync.get(&place).is_some_and(|var| var.entries().iter().any(|(_, view)| covers(view)));
            let look = unreleased.look_between(second, self.view(), block != second.0, released);
            return Between { look, ..Between::default() };
        }
        let first = First { by: (block, warp, first.lane()), clock: first.clock, site: first.how.site() };
        let flag = unreleased.store_between(self.actor.sites, first, second, self.view());
        let beside = || unreleased.barrier_beside(self.actor.sites, first, second, self.view()).map(Lack::Beside);
        let lack = if flag.is_none() { beside() } else { None };
        Between { flag, look: None, lack, ..Between::default() }
    }

    /// True if what all these lanes did up to `clock` is behind the current access.
    pub fn knows_all(&self, warp: u32, mask: Mask, clock: Clock) -> bool {
        let (block, warp) = self.place(warp);
        self.view().of_all(block, warp, mask) >= clock
    }

    /// True if no strong access can be in the scope of `new`, this thread's, and not in that of `old`, of the same scope.
    pub fn reaches_as_far(&self, old: Touched, new: Touched) -> bool {
        new.how.scope().is_none() || new.how.is_wide() || self.is_in_its_block(old.warp())
    }

    pub fn is_in_its_block(&self, warp: u32) -> bool {
        self.place(warp).0 == self.actor.at.block
    }

    /// The warps of the launch of which it may know anything, where these are not all.
    pub fn known_warps(&self) -> Option<impl Iterator<Item = u32>> {
        let (own, warps) = (self.actor.at.block, self.actor.warps_per_block);
        let others = self.view().blocks()?.filter(move |block| *block != own);
        Some(others.chain([own]).flat_map(move |block| (0..warps).map(move |warp| block as u32 * warps + warp)))
    }

    /// True if all that a side table keeps and that can race with `new` is behind the current access.
    pub fn knows_all_of(&self, more: &More, new: How) -> bool {
        more.against(new).all(|(warp, clock, how, mask)| !how.is_older() && self.knows_all(warp, mask, clock))
    }

    #[inline(always)]
    pub fn ordered(&self, other: Touched) -> bool {
        if other.how.is_spread() {
            return other.parts().all(|part| self.ordered_alone(part));
        }
        self.ordered_alone(other)
    }

    #[inline(always)]
    fn ordered_alone(&self, other: Touched) -> bool {
        if let Some(launch) = other.launch() {
            return self.actor.past.is_none_or(|past| past.is_before(launch));
        }
        other.thread == self.actor.warp * 32 + self.lane
            || self.knows(self.view(), other.warp(), other.lane(), other.clock)
            || self.actor.copied.is_some_and(|copied| self.has_waited(copied, other))
    }

    /// True for a copy of its own that it has waited for.
    fn has_waited(&self, copied: &Copied, other: Touched) -> bool {
        let (block, warp) = self.place(other.warp());
        block == self.actor.at.block && copied.has_waited(self.lane, (warp, other.lane()), other.clock)
    }

    /// The same by what its warp was told, and not because it is its own access.
    #[inline(always)]
    pub fn knows_of(&self, other: Touched) -> bool {
        match other.launch() {
            Some(_) => self.ordered_alone(other),
            None => !other.how.is_spread() && self.knows(self.view(), other.warp(), other.lane(), other.clock),
        }
    }

    /// Judges one recorded access against the new one.
    #[inline(always)]
    fn judge(&self, other: Touched, new: Touched) -> Option<Race> {
        let (a, b) = (other.how, new.how);
        if a.is_none() || a.bytes() & b.bytes() == 0 || !(a.writes() || b.writes()) {
            return None;
        }
        other.parts().find_map(|part| self.judge_alone(part, new))
    }

    fn judge_alone(&self, other: Touched, new: Touched) -> Option<Race> {
        let (a, b) = (other.how, new.how);
        if a.bytes() & b.bytes() == 0 || self.ordered_alone(other) {
            return None;
        }
        if let Some(launch) = other.launch() {
            let wide = |how: How| how.scope() >= Some(Scope::Gpu);
            let morally_strong = wide(a) && wide(b) && a.size() == b.size();
            let race = Race { launch: Some(launch), ..Race::of(other, new) };
            return (!morally_strong).then_some(race);
        }
        let (warp, lane, clock) = (other.warp(), other.lane(), other.clock);
        let (block, within) = self.place(warp);
        let mut narrow = self.view().denied(block, within, lane as usize, clock);
        if let (Some(first), Some(second)) = (a.scope(), b.scope()) {
            let block = |touched: Touched| u64::from(touched.warp() / self.actor.warps_per_block);
            let reach = |touched: Touched, scope: Scope| Reach::new(scope, block(touched), touched.how.site());
            let (theirs, ours) = (reach(other, first), reach(new, second));
            let alike = a.size() == b.size() && a.bytes() == b.bytes();
            if alike && theirs.meets(ours) {
                return self.actor.hints.then(|| Race { is_allowed: true, ..Race::of(other, new) });
            }
            if alike {
                narrow = Some(ours.denies(theirs));
            }
        }
        // What it has observed and not acquired.
        let pending = &self.actor.patterns[self.lane as usize].pending;
        let knows = |pending: &&Pending| pending.narrow.is_none() && self.knows(&pending.released.1, warp, lane, clock);
        let told = &self.actor.patterns[self.lane as usize].told.observed;
        let is_told =
            || told.iter().any(|(_, view)| self.knows(view, warp, lane, clock)).then_some(Seen::BeforeBarrier);
        let seen = || pending.iter().find(knows).map(|pending| Seen::At(pending.seen)).or_else(is_told);
        let unfenced = if narrow.is_none() { seen() } else { None };
        Some(Race { narrow, unfenced, ..Race::of(other, new) })
    }
}

/// What is kept for one stretch of memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub cells: Cells,
    /// Shared memory is a new one for each block: they are told apart as launches are.
    pub block: u32,
}

/// Judges `bytes` bytes at `offset` and records them. `found` gets every race.
#[expect(clippy::too_many_arguments, reason = "one access, all its sides")]
pub fn access(
    memory: &mut Memory,
    side: &mut Overflow,
    launch: u32,
    current: &Current,
    offset: u64,
    size: u32,
    kind: Kind,
    scope: Option<Scope>,
    found: &mut impl FnMut(Race, u64),
) {
    debug_assert!((current.actor.site as usize) < MOST_INSTRUCTIONS);
    let end = offset + u64::from(size);
    let mut word = offset & !3;
    while word < end {
        let from = offset.max(word) - word;
        let to = end.min(word + 4) - word;
        let bytes = ((1u32 << to) - 1) & !((1u32 << from) - 1);
        let how = How::new(current.actor.site, bytes, kind, scope, size);
        let new = current.actor.touched(current.lane, how);
        let (page, line) = memory.cells.page(word);
        if page.lines[line].launch != launch {
            page.renew(line, launch, current.actor.past.is_some(), side);
        }
        let cell = &mut page.cells(line)[(word % LINE / 4) as usize];
        if cell.read.how.is_older() {
            // From here on the launch's own accesses stand for it, unless nothing orders it before them.
            let read = std::mem::take(&mut cell.read);
            if !current.ordered(read) {
                side.get(cell).add(read, 0);
            }
        }
        if cell.is_untouched() {
            // Nothing to judge against: most cells are met this way.
            *(if kind == Kind::Read { &mut cell.read } else { &mut cell.write }) = new;
        } else if current.passes_by() || !(current.actor.short_ways && again(cell, side, current, new)) {
            check(cell, side, current, new, &mut |race| found(race, word));
            if new.how.writes() && cell.write.how.is_older() && current.ordered(cell.write) {
                cell.write = Touched::default();
            }
            record(cell, side, current, new);
        }
        word += 4;
    }
}

#[inline(always)]
fn check(cell: &mut Cell, side: &mut Overflow, current: &Current, new: Touched, found: &mut impl FnMut(Race)) {
    let (write, read) = (cell.write, cell.read);
    let more = side.existing(cell).map(|more| {
        more.join(write, cell.lanes);
        &*more
    });
    let spread = cell.lanes;
    let judge = |old: Touched| {
        let race = current.judge(old, new);
        let race = race.filter(|race| !observed(write, read, more, current, race.first))?;
        Some(Race { own_update: own_update(&race, (write, spread), more), ..race })
    };
    // What a warp did in one step may be known as a whole.
    let is_open =
        cell.lanes & cell.lanes.wrapping_sub(1) == 0 || !current.knows_all(write.warp(), cell.lanes, write.clock);
    let others = lanes(cell.lanes).map(|lane| write.by(lane));
    if is_open && let Some(race) = std::iter::once(write).chain(others).find_map(judge) {
        found(race);
    }
    if new.how.writes()
        && let Some(race) = judge(read)
    {
        found(race);
    }
    let Some(more) = more.filter(|more| more.writes || new.how.writes()) else { return };
    // In a stable order, so that a seed always tells the same story.
    let mut races: Vec<Race> = Vec::new();
    // Of writes of device scope that are no longer told apart all that are made alike are observed, or none.
    let mut all_observed = None;
    for (warp, clock, how, mask) in more.against(new.how) {
        // Atomics do not race with each other unless scopes or sizes differ; reads never with reads.
        if !how.writes() && !new.how.writes() || !how.is_older() && current.knows_all(warp, mask, clock) {
            continue;
        }
        let is_told_apart = more.chain(how).knows(warp, clock, how);
        if all_observed == Some(how) && !is_told_apart {
            continue;
        }
        // Of those alike the thread that comes first is told.
        if races.iter().any(|race| race.first.how == how && race.first.warp() < warp) {
            continue;
        }
        let each = lanes(mask).map(|lane| Touched { thread: warp * 32 + lane as u32, clock, how });
        for race in each.filter_map(|old| current.judge(old, new)) {
            if !observed(write, read, Some(more), current, race.first) {
                races.push(race);
                break;
            }
            if how.is_wide() && !is_told_apart {
                all_observed = Some(how);
                break;
            }
        }
    }
    if let Some(more) = side.existing(cell) {
        thin_out(more, current, new, &races);
    }
    races.sort_by_key(|race| (race.first.how.site(), race.first.thread, race.first.clock));
    races.dedup_by_key(|race| race.first.how.site());
    races.into_iter().for_each(found);
}

/// The site of a strong write of the word that the thread of a race's plain load has made, where that is kept.
fn own_update(race: &Race, (write, others): (Touched, Mask), more: Option<&More>) -> Option<u32> {
    let (a, b) = (race.first, race.second);
    let is_plain_load = |it: &Touched| it.how.kind() == Kind::Read && it.how.scope().is_none();
    let thread = [a, b].into_iter().find(is_plain_load)?.thread;
    let is_update = |how: How| how.writes() && how.scope().is_some() && !how.is_older();
    let is_own = |it: &Touched| it.thread == thread && is_update(it.how);
    let last = std::iter::once(write).chain(lanes(others).map(|lane| write.by(lane))).find(is_own);
    let kept = || {
        let is_own =
            |warp: u32, how, mask: Mask| warp == thread / 32 && mask >> (thread % 32) & 1 != 0 && is_update(how);
        more?
            .against(write.how)
            .find(|(warp, _, how, mask)| is_own(*warp, *how, *mask))
            .map(|(_, _, how, _)| how.site())
    };
    last.map(|it| it.how.site()).or_else(kept)
}

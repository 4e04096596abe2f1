//! One memory access of a warp: judged and recorded.

use crate::access::judge::{self, Actor, Current, Race};
use crate::access::row::Row;
use crate::access::short::Short;
use crate::access::touched::{How, Kind};
use crate::checks::{BlockState, Checker, WarpState};
use crate::findings::values::Values;
use crate::order::clock::{Clock, View, joined};
use crate::order::copies::is_copy;
use crate::order::release::{By, Location, Pending, Reach, Released, SyncVar};
use crate::trace::flags::{Between, FlagStore, Look, Releases};
use crate::trace::hints::may_matter;
use crate::trace::sites::Sites;
use machine::exec::Op;
use machine::exec::memory::{Scope, Semantics};
use machine::lanes::at_one;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::{At, Touch};
use std::cell::OnceCell;
use std::rc::Rc;

impl WarpState {
    /// A strong read of `lane` finds what a location has released.
    pub fn observe(&mut self, lane: usize, place: Option<Location>, var: &SyncVar, semantics: Semantics, reach: Reach) {
        for (released, narrow) in var.seen_by(reach) {
            let (theirs, view) = released;
            let meets = theirs.meets(reach);
            if narrow.is_none() && theirs.by == By::ToldFenceSc {
                self.patterns[lane].told.observe(released);
            } else if !semantics.acquires() {
                self.patterns[lane].observe(released, narrow, reach, place);
                self.fenced = true;
            } else if narrow.is_none() && meets {
                self.views[lane] = joined(&self.views[lane], view);
            } else {
                self.views[lane] = View::denying(&self.views[lane], narrow.unwrap_or(reach.denies(*theirs)), view);
                if narrow.is_none() {
                    // A wider fence may follow.
                    self.patterns[lane].observe(released, narrow, reach, place);
                    self.fenced = true;
                }
            }
        }
    }

    /// What a strong write of `lane` to `place` releases: by itself, because of a fence or a release before it, and what
    /// others have fenced before a barrier.
    pub fn releases(&mut self, touch: &Touch, lane: usize, place: Location, reach: Reach) -> Vec<Released> {
        let patterns = &self.patterns[lane];
        let released = touch.semantics.releases().then(|| {
            let mut view = (*self.views[lane]).clone();
            self.tell(&mut view, touch.at.block, touch.at.warp, 1 << lane);
            (reach, Rc::new(view))
        });
        // A release covers what fences before it cover, but for those that reach farther, and for the order of `fence.sc`.
        let adds = |fence: &Reach| released.is_none() || fence.wide && !reach.wide || fence.by == By::FenceSc;
        let fences = patterns.fences.iter().filter(|(fence, _)| adds(fence));
        let own = patterns.own(place).filter(|(own, _)| adds(own));
        let before = fences.chain(own).chain(&patterns.told.fenced);
        let all = released.iter().chain(before).cloned().collect();
        if let Some(released) = released {
            self.patterns[lane].releases(place, released);
            self.fenced = true;
        }
        all
    }

    /// A fence of `lane`, or an acquiring operation at `place`, acquires what its relaxed reads have observed (there), as
    /// far as it reaches.
    pub fn acquire(&mut self, lane: usize, place: Option<Location>, fence: Reach) {
        let here = |pending: &Pending| place.is_none() || pending.place == place;
        let (here, elsewhere) = std::mem::take(&mut self.patterns[lane].pending).into_iter().partition(here);
        self.patterns[lane].pending = elsewhere;
        let here: Vec<Pending> = here;
        for pending in here {
            let (_, view) = &pending.released;
            let Some(narrow) = pending.denied(fence) else {
                self.views[lane] = joined(&self.views[lane], view);
                continue;
            };
            self.views[lane] = View::denying(&self.views[lane], narrow, view);
            // A wider fence may follow.
            if pending.narrow.is_none() {
                self.patterns[lane].pending.push(pending);
            }
        }
    }
}

/// True for two accesses of shared memory by cooperative groups' own code. Below compute capability 8.0 tiles of several warps
/// trade values in a `block_tile_memory` that the kernel gives them. One lane of the last warp to come acquires there what the
/// others have stored, tells the rest of its warp by a shuffle, and these read it. A shuffle orders no memory, so by the
/// letter that is a race, and no bug of the kernel's: between accesses of that code its shuffles and votes count as order
/// ([`Current::was_told`]). What they do not order either is reported, and so is every race with the kernel's
/// own code. From 8.0 on this memory is the system's, which its address tells ([`is_reserved`]).
fn is_of_groups(launch: &Launch, sites: &Sites, race: &Race) -> bool {
    let theirs = |how: How| launch.code.is_of_groups(sites.pc(how.site()), &sites.calls(how.site()));
    launch.code.groups_trade_by_memory && race.launch.is_none() && theirs(race.first.how) && theirs(race.second.how)
}

/// True for an access to the system's part of shared memory, which is cooperative groups' own.
#[inline(always)]
fn is_reserved(launch: &Launch, touch: &Touch) -> bool {
    launch.code.asks_for_reserved_shared
        && launch.reserved_shared().is_some_and(|begin| lanes(touch.mask).all(|lane| touch.addresses[lane] >= begin))
}

impl Checker<'_> {
    /// Judges and records what every lane is about to do. Lanes in `fails` compare and do not swap.
    #[expect(clippy::too_many_arguments, reason = "one access, all its sides")]
    pub fn race(
        &mut self,
        touch: &Touch,
        row: Option<&Row>,
        kind: Kind,
        block: &mut BlockState,
        warp: &WarpState,
        values: Values,
        fails: Mask,
    ) {
        self.goes_on(&touch.at, touch.mask);
        let (Some(region), true) = (touch.region, self.races) else { return };
        let launch = touch.at.launch;
        if touch.space == Space::Shared && is_reserved(launch, touch) {
            return;
        }
        // The threads of one block are in each other's scope, however narrow.
        let narrowest = if touch.space == Space::Shared { Scope::Gpu } else { Scope::Cta };
        let scope = touch.semantics.is_strong().then_some(touch.semantics.scope.max(narrowest));
        let number = (touch.at.block * u64::from(self.warps_per_block)) as u32 + touch.at.warp;
        let site = self.sites.of(&touch.at, &warp.chains);
        let Checker { state, side, findings, sites, delays, unreleased, holders, sync, hints, .. } = self;
        let (sites, unreleased, holders, sync) = (&*sites, &*unreleased, &*holders, &*sync);
        let (short_ways, ended) = (!state.one_by_one && state.hints.is_none(), &block.ended);
        let mut racing = 0;
        let (memory, era, past) = match touch.space {
            Space::Shared => {
                let era = block.memory.block;
                (&mut block.memory, era, None)
            }
            Space::Global => {
                let (memory, past) = state.memory(region.base());
                (memory, self.number, Some(past))
            }
            _ => return,
        };
        let base = region.base();
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let copying = warp.copied.as_ref().filter(|copied| copied.now != 0);
        let passes_by = |lane: &usize| delays.as_ref().is_some_and(|delays| delays.passes_by(kind, *lane));
        let passes_by =
            lanes(if delays.is_some() { touch.mask } else { 0 }).filter(passes_by).map(|lane| 1 << lane).sum();
        let is_behind = kind != Kind::Read && passes_by != 0;
        let short = Short::new(touch, kind, scope).filter(|_| short_ways && copying.is_none() && !is_behind);
        let joins = fails == 0 && matches!(launch.code.instrs[touch.at.pc as usize].op, Op::Atomic(_));
        let actor = Actor {
            at: &touch.at,
            site,
            sites,
            warp: number,
            copied: warp.copied.as_deref(),
            clock: copying.map_or(warp.clock, |copied| copied.now),
            recorded: number + copying.and(launch.copying_warps()).unwrap_or(0),
            views: &warp.views,
            patterns: &warp.patterns,
            alike: OnceCell::new(),
            short_ways,
            warps_per_block: self.warps_per_block,
            past,
            passes_by,
            back: delays.as_ref().map_or([0; WARP], |delays| delays.back(kind)),
            fails,
            joins,
            runs_on: short_ways && joins && kind == Kind::Write && delays.is_none(),
            hints: hints.is_some(),
            is_adverse: delays.is_some(),
        };
        let mut rest = touch.mask;
        if let (Some(row), None, Kind::Read | Kind::Write, true) = (row, scope, kind, short_ways) {
            rest = actor.walk(memory, side, era, row, base, kind, rest);
        }
        // Lanes that all touch one word go together below.
        let apart = touch.addresses[rest.trailing_zeros() as usize % WARP]
            != touch.addresses[31 - rest.leading_zeros() as usize % WARP];
        if let (Some(short), true, true) = (&short, rest != 0, apart || rest.is_power_of_two()) {
            rest = short.glance(memory, side, era, &actor, base, rest, touch.addresses);
        }
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let current = Current { actor: &actor, lane: lane as u32 };
            let offset = touch.addresses[lane] - base;
            if let Some(short) = &short
                && let Some(done) = short.go(memory, side, era, current, offset, rest, touch.addresses)
            {
                rest &= !done;
                continue;
            }
            // Elements of a vector are accesses of their own; plain ones may be judged as one.
            let bytes = touch.bytes;
            let (count, size) = if scope.is_some() { (touch.elements, bytes) } else { (1, bytes * touch.elements) };
            for element in 0..count {
                let offset = offset + u64::from(bytes * element);
                let mut last = None;
                judge::access(memory, side, era, &current, offset, size, kind, scope, &mut |race, word| {
                    if race.is_allowed {
                        let releases = |place| sync.get(&place).is_some_and(|var| !var.entries().is_empty());
                        if let Some(hints) = hints.as_mut()
                            && !releases((tag, base + word))
                            && may_matter(launch, sites, &race)
                        {
                            let nothing = || Between::default();
                            hints.pairs.race(launch, sites, touch, &values, race, word, lane, None, &nothing);
                        }
                        return;
                    }
                    racing += u64::from(last.replace(word) != Some(word));
                    let repeats = copying.is_some_and(|copied| copied.again >> lane & 1 != 0);
                    let is_theirs = touch.space == Space::Shared
                        && is_of_groups(launch, sites, &race)
                        && current.was_told(race.first, race.second);
                    if is_theirs || repeats && is_copy(launch, race.first) {
                        return;
                    }
                    let earlier = race.launch.and_then(|number| past?.record(number));
                    let between = || {
                        let between = current.between(unreleased, sync, &race);
                        let apart = || current.apart(&race, (tag, base + word), warp, ended, holders);
                        match between.is_known() {
                            true => between,
                            false => Between {
                                lack: apart(),
                                passed: current.passed(&race, warp, ended),
                                branch: current.branch(&race, warp, touch.mask),
                                ..between
                            },
                        }
                    };
                    findings.race(launch, sites, touch, &values, race, word, lane, earlier, &between);
                });
            }
        }
        state.racing += racing;
    }

    /// Keeps what may be a flag: a strong store or update of one thread, and a look of lanes at one place.
    #[inline(always)]
    fn note_flag(&mut self, touch: &Touch, kind: Kind, failed: Mask, warp: &WarpState) {
        let lane = touch.mask.trailing_zeros() as usize % WARP;
        let one = touch.mask.is_power_of_two();
        let last = 31 - touch.mask.leading_zeros() as usize % WARP;
        // Of lanes that try a lock together most fail, and have looked.
        let looks = kind == Kind::Read || failed != 0;
        let one_place = one || looks && touch.addresses[lane] == touch.addresses[last];
        if touch.elements != 1 || !one_place {
            return;
        }
        let At { block, warp: number, .. } = touch.at;
        let place = ((touch.space == Space::Shared).then_some(block), touch.addresses[lane]);
        if kind != Kind::Write {
            let acquires = touch.semantics.acquires().then_some(touch.semantics.scope);
            let site = self.sites.of(&touch.at, &warp.chains);
            let look = Look { block, warp: number, mask: touch.mask, clock: warp.clock, site, acquires };
            self.unreleased.looked(place, look);
        }
        if kind != Kind::Read && failed == 0 && one {
            let site = self.sites.of(&touch.at, &warp.chains);
            let knew = &warp.views[lane];
            let releases = match warp.patterns[lane].fences.last() {
                _ if touch.semantics.releases() => Releases::All,
                Some((reach, view)) => Releases::Fence(reach.site, view.clone()),
                None => Releases::Nothing,
            };
            let (by, hides) = ((block, number, lane as u32), kind != Kind::Atomic);
            self.unreleased.stored(place, FlagStore { by, clock: warp.clock, site, knew, releases, hides });
        }
    }

    /// An acquiring update is judged by what it knows once it has acquired.
    pub fn acquire_first(&mut self, touch: &Touch, warp: &mut WarpState) {
        if !touch.semantics.acquires() || self.sync.is_empty() && !warp.fenced {
            return;
        }
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let site = self.sites.of(&touch.at, &warp.chains);
        let reach = Reach::new(touch.semantics.scope, touch.at.block, site);
        for lane in lanes(touch.mask) {
            for element in 0..touch.elements {
                let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
                self.look(touch, lane, key, reach, warp);
            }
        }
    }

    /// A strong read finds what was released at a place.
    fn look(&self, touch: &Touch, lane: usize, place: Location, reach: Reach, warp: &mut WarpState) {
        let semantics = touch.semantics;
        if let Some(var) = self.sync.get(&place).filter(|var| var.is_for(touch.bytes)) {
            warp.observe(lane, Some(place), var, semantics, reach);
        }
        if semantics.acquires() && !warp.patterns[lane].pending.is_empty() {
            warp.acquire(lane, Some(place), reach);
        }
    }

    /// What strong accesses and plain writes do to a location's release, and what those that observe learn from it.
    /// Lanes in `failed` compare and do not exchange: they only read.
    pub fn synchronise(&mut self, touch: &Touch, kind: Kind, observes: bool, failed: Mask, warp: &mut WarpState) {
        let semantics = touch.semantics;
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        if !semantics.is_strong() {
            // A plain write hides what was released there before.
            if kind == Kind::Write && !self.sync.is_empty() {
                for lane in lanes(touch.mask) {
                    self.sync.remove(&(tag, touch.addresses[lane]));
                }
            }
            return;
        }
        self.note_flag(touch, kind, failed, warp);
        if let Some(delays) = self.delays.as_mut().filter(|_| semantics.acquires()) {
            delays.followers.acquire(touch.at.block, touch.at.warp, touch.mask);
        }
        if self.sync.is_empty() && !semantics.releases() && !warp.fenced {
            // Nobody has released anything, and these lanes do not.
            return;
        }
        let site = self.sites.of(&touch.at, &warp.chains);
        let reach = Reach::new(semantics.scope, touch.at.block, site);
        let mut released_something = false;
        // Elements of a vector are locations of their own.
        let places = lanes(touch.mask).flat_map(|lane| (0..touch.elements).map(move |element| (lane, element)));
        for (lane, element) in places {
            let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
            if observes {
                self.look(touch, lane, key, reach, warp);
            }
            if kind == Kind::Read || failed >> lane & 1 != 0 {
                continue;
            }
            released_something |= semantics.releases();
            let released = warp.releases(touch, lane, key, reach);
            match kind {
                Kind::Atomic if !released.is_empty() => {
                    self.sync.entry(key).or_default().update(reach, touch.bytes, &released)
                }
                Kind::Atomic => drop(self.sync.get_mut(&key).map(|var| var.update(reach, touch.bytes, &released))),
                _ if released.is_empty() => drop(self.sync.remove(&key)),
                _ => drop(self.sync.insert(key, SyncVar::new(reach, touch.bytes, released))),
            }
            let others = at_one(touch.addresses, touch.addresses[lane]) & touch.mask & !failed;
            if let Some(delays) = &mut self.delays
                && others > 1 << lane
            {
                delays.between.push((lane, key.1, self.sync.get(&key).cloned().unwrap_or_default()));
            }
        }
        if released_something {
            warp.clock += 1;
        }
    }

    /// The same for stores that come in behind others, which keep what the location has released. What each lane's
    /// own releases is returned.
    pub fn released_behind(&mut self, touch: &Touch, warp: &mut WarpState) -> Vec<SyncVar> {
        let semantics = touch.semantics;
        if !semantics.is_strong() {
            return vec![SyncVar::default(); touch.mask.count_ones() as usize];
        }
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let site = self.sites.of(&touch.at, &warp.chains);
        let reach = Reach::new(semantics.scope, touch.at.block, site);
        let place = |lane: usize| (tag, touch.addresses[lane]);
        let released = lanes(touch.mask).map(|lane| warp.releases(touch, lane, place(lane), reach));
        let released = released.map(|released| SyncVar::new(reach, touch.bytes, released)).collect();
        warp.clock += Clock::from(semantics.releases());
        released
    }
}

//! Reports of undefined values: the load that found nothing written, or the shuffle that took the value of an absent
//! lane, and what then depended on it.

use crate::checks::{BlockState, Checker, WarpState};
use crate::findings::clue::Clue;
use crate::findings::list::{ONE_THREAD, access};
use crate::past::state::Past;
use crate::trace::exited::{Exited, Passed};
use crate::trace::partings;
use crate::trace::sites::Sites;
use crate::undefined::origins::{AbsentRead, Origin, Spot, Trace, UnwrittenLoad};
use machine::exec::warp::Collective;
use machine::memory::space::Space;
use machine::place;
use machine::run::launch::Launch;
use machine::run::sites::thread_name;

use finding::{
    Absence, AbsentLane, Access, AccessKind, Action, Away, Cause, Decision, Edit, Finding, Gone, MemoryAccess,
    NeverWritten, Place, Reached, Remedy, Severity, Slug, SourceLocation, ThreadName, Unwritten, Where,
};
use machine::registers::{Mask, Reg, Registers, lanes};
use machine::watch::{At, Touch};

impl Checker<'_> {
    /// Something depends on a register in the lanes of `mask`.
    #[inline(always)]
    pub fn depends(&mut self, at: &At, warp: &WarpState, regs: &Registers, reg: Reg, mask: Mask, what: Decision) {
        if warp.bits.is_tainted(regs, reg, mask) {
            let guilty = warp.bits.undefined_lanes(regs, reg, mask);
            self.undefined_register(at, warp, regs, reg, guilty, what);
        }
    }

    /// Reports an undefined register for the first of `guilty`, an absent lane's first.
    pub fn undefined_register(
        &mut self,
        at: &At,
        warp: &WarpState,
        regs: &Registers,
        reg: Reg,
        guilty: Mask,
        what: Decision,
    ) {
        if guilty != 0 {
            let origins = lanes(guilty).map(|lane| (lane, warp.bits.origins.get(regs, reg, lane)));
            self.report(at, warp, guilty, what, Some(reg), origins);
        }
    }

    /// The same for what lies in memory.
    pub fn undefined_memory(
        &mut self,
        touch: &Touch,
        warp: &WarpState,
        origins: &[(usize, Origin)],
        guilty: Mask,
        what: Decision,
    ) {
        if guilty != 0 {
            self.report(&touch.at, warp, guilty, what, None, origins.iter().copied());
        }
    }

    /// `origins` are those of the guilty lanes.
    fn report(
        &mut self,
        at: &At,
        warp: &WarpState,
        guilty: Mask,
        what: Decision,
        reg: Option<Reg>,
        origins: impl Iterator<Item = (usize, Origin)>,
    ) {
        let site = self.sites.of(at, &warp.chains);
        let telling = origins.filter(|(_, origin)| *origin != 0).min_by_key(|(_, origin)| *origin);
        let traced = telling.and_then(|(lane, origin)| Some((lane, self.state.origins.trace(origin)?.absence)));
        let Some((lane, absence)) = traced else {
            return self.report_unwritten(at, site, guilty, what, reg, telling);
        };
        let Checker { findings, sites, .. } = self;
        let Spot { launch, site: shuffle } = absence.spot;
        let same_launch = launch == self.number;
        // Another launch's lines are numbered apart from this one's.
        let there = if same_launch { findings.line(at.launch, sites, shuffle) } else { u32::MAX };
        let key = (Slug::AbsentLane, there, findings.line(at.launch, sites, site));
        let rank = ONE_THREAD;
        if findings.count(key, rank, None) {
            return;
        }
        let there = |site, action| match same_launch {
            true => Access { thread: Some(absence.taker), ..access(at.launch, sites, at.block, 0, site, action) },
            false => end(&self.state.past, Spot { launch, site }, absence.taker, action),
        };
        let thread = 32 * at.warp + lane as u32;
        let used = access(at.launch, sites, at.block, thread, site, Action::Decided(what));
        let place = Where::Block(at.launch.block_index(at.block));
        let kernel = at.launch.kernel.to_string();
        let finding = absent_lane(&absence, Reached::Decision(what), there, vec![used], kernel, place);
        findings.add(key, finding, rank, None, None);
    }

    /// Something depends on what nothing has written; the load that found it, where there was one.
    fn report_unwritten(
        &mut self,
        at: &At,
        site: u32,
        guilty: Mask,
        what: Decision,
        reg: Option<Reg>,
        telling: Option<(usize, Origin)>,
    ) {
        let known = telling.and_then(|(lane, origin)| Some((lane, self.state.origins.unwritten(origin)?.clone())));
        let Checker { findings, sites, .. } = self;
        let line = findings.line(at.launch, sites, site);
        let there = match known.as_ref().map(|(_, unwritten)| unwritten.spot) {
            Some(spot) if spot.launch == self.number => findings.line(at.launch, sites, spot.site),
            Some(_) => u32::MAX,
            None => line,
        };
        let key = (Slug::UndefinedValue, there, line);
        if findings.count(key, ONE_THREAD, None) {
            return;
        }
        let lane = known.as_ref().map_or(guilty.trailing_zeros(), |(lane, _)| *lane as u32);
        let used = |action| access(at.launch, sites, at.block, 32 * at.warp + lane, site, action);
        let (accesses, from) = match &known {
            None => (vec![used(Action::UsedUnwritten)], Unwritten::Unknown { writers: Vec::new() }),
            Some((_, unwritten)) => {
                let load = match unwritten.spot.launch == self.number {
                    true => {
                        of_load(unwritten, access(at.launch, sites, at.block, 0, unwritten.spot.site, found(unwritten)))
                    }
                    false => loaded(unwritten, &self.state.past),
                };
                (vec![load, used(Action::Decided(what))], nothing_written(unwritten))
            }
        };
        let finding = Finding {
            slug: Slug::UndefinedValue,
            severity: Severity::Error,
            kernel: at.launch.kernel.into(),
            accesses,
            headline: None,
            place: Where::Block(at.launch.block_index(at.block)),
            cause: Cause::NeverWritten(Box::new(NeverWritten { reached: Reached::Decision(what), from })),
            remedies: Vec::new(),
            count: 1,
        };
        match (known, reg) {
            // Which lines write the variable is read in the code.
            (None, Some(reg)) => {
                let clue = Some(Clue::Unwritten { pc: at.pc, reg });
                // No race can have left it behind: a register is its thread's own.
                match findings.has_race() {
                    false => findings.add_first(key, finding, clue),
                    true => findings.add(key, finding, ONE_THREAD, None, clue),
                }
            }
            _ => findings.add(key, finding, ONE_THREAD, None, None),
        }
    }

    /// Lane `lane` is about to take the value of lane `from`, which is not there.
    pub fn absent(
        &mut self,
        at: &At,
        warp: &WarpState,
        regs: &Registers,
        op: &Collective,
        lane: usize,
        from: u32,
    ) -> Origin {
        let members = regs.get(op.members, lane) as Mask;
        let absent = if warp.exists >> from & 1 == 0 {
            AbsentLane::NoThread(warp.exists.count_ones())
        } else if members >> from & 1 == 0 {
            // It may have ended besides; the mask is what the kernel says itself.
            AbsentLane::NotNamed(members)
        } else {
            AbsentLane::Exited
        };
        let taker = thread_name(at.launch, at.block, 32 * at.warp + lane as u32);
        let spot = self.spot(at, warp);
        let asked =
            warp.bits.masks.source(regs, op.members, lane).filter(|_| matches!(absent, AbsentLane::NotNamed(_)));
        let away = warp.ways.away(lane, from as usize);
        let comes = warp.ways.has_met(spot.site, from);
        self.state.origins.absent(AbsentRead { spot, taker, from, absent, away, asked, comes })
    }

    fn spot(&mut self, at: &At, warp: &WarpState) -> Spot {
        Spot { launch: self.number, site: self.sites.of(at, &warp.chains) }
    }

    /// Whence a lane's undefined bytes in memory come.
    pub fn memory_origin(
        &self,
        touch: &Touch,
        block: &BlockState,
        warp: &WarpState,
        lane: usize,
        skip: u64,
        bytes: u32,
    ) -> Origin {
        let origins = match touch.space {
            Space::Shared => &block.origins,
            Space::Global => &self.state.memory_origins,
            Space::Local => &warp.local_origins[lane],
            _ => return 0,
        };
        if origins.is_empty() { 0 } else { origins.get(touch.addresses[lane] + skip, bytes.into()) }
    }

    /// A register has been loaded with undefined bits.
    #[expect(clippy::too_many_arguments, reason = "one access, all its sides")]
    pub fn load_origins(
        &mut self,
        touch: &Touch,
        block: &BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        skip: u64,
        undefined: &[u64],
    ) {
        for lane in lanes(touch.mask).filter(|&lane| undefined[lane] != 0) {
            let mut origin = self.memory_origin(touch, block, warp, lane, skip, touch.bytes);
            if origin == 0 {
                let (launch, address) = (touch.at.launch, touch.addresses[lane] + skip);
                let loader = thread_name(launch, touch.at.block, 32 * touch.at.warp + lane as u32);
                let spot = self.spot(&touch.at, warp);
                let Checker { state, sites, .. } = self;
                origin = state.origins.load(spot, loader, || UnwrittenLoad {
                    spot,
                    loader,
                    memory: loading(touch),
                    place: place_of(launch, touch.space, address, touch.bytes),
                    gone: match touch.space {
                        Space::Shared => gone(launch, sites, &block.ended, &warp.passed),
                        _ => None,
                    },
                });
            }
            warp.bits.origins.set(regs, reg, lane, origin);
        }
    }

    /// A register has been stored, its undefined bits too.
    pub fn store_origins(
        &mut self,
        touch: &Touch,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        skip: u64,
    ) {
        for lane in lanes(warp.bits.undefined_lanes(regs, reg, touch.mask)) {
            let mut origin = warp.bits.origins.get(regs, reg, lane);
            if origin != 0 {
                let thread = thread_name(touch.at.launch, touch.at.block, 32 * touch.at.warp + lane as u32);
                let spot = self.spot(&touch.at, warp);
                origin = self.state.origins.stored(origin, spot, thread);
            }
            let origins = match touch.space {
                Space::Shared => &mut block.origins,
                Space::Global => &mut self.state.memory_origins,
                Space::Local => &mut warp.local_origins[lane],
                _ => return,
            };
            origins.set(touch.addresses[lane] + skip, touch.bytes.into(), origin);
        }
    }
}

/// Threads for which the last barrier did not wait.
fn gone(launch: &Launch, sites: &Sites, ended: &Exited, passed: &Passed) -> Option<Gone> {
    let (threads, site) = ended.gone_before(passed)?;
    let line = |site: u32| sites.user_lines(launch.code, site).0;
    Some(Gone { threads, end: line(site)?, barrier: line(passed.site)? })
}

fn loading(touch: &Touch) -> MemoryAccess {
    let scope = touch.semantics.is_strong().then(|| touch.semantics.scope.into());
    let bytes = touch.bytes * touch.elements;
    MemoryAccess { kind: AccessKind::Load, space: touch.space.into(), scope, bytes }
}

/// A place that nothing has written.
fn place_of(launch: &Launch, space: Space, address: u64, bytes: u32) -> Place {
    match space {
        Space::Local => Place::Own,
        _ => place::of(launch, space, address, bytes),
    }
}

fn found(unwritten: &UnwrittenLoad) -> Action {
    Action::LoadedUnwritten(unwritten.place.clone())
}

/// What is known of the load beside its lines.
fn of_load(unwritten: &UnwrittenLoad, access: Access) -> Access {
    Access { thread: Some(unwritten.loader), memory: Some(unwritten.memory.clone()), ..access }
}

/// The load of what nothing had written, of a launch that is over.
pub fn loaded(unwritten: &UnwrittenLoad, past: &Past) -> Access {
    of_load(unwritten, end(past, unwritten.spot, unwritten.loader, found(unwritten)))
}

pub fn nothing_written(unwritten: &UnwrittenLoad) -> Unwritten {
    Unwritten::Loaded { place: unwritten.place.clone(), gone: unwritten.gone.clone() }
}

/// The host copies what an absent lane gave.
pub fn copied(trace: &Trace, past: &Past, copies: Access, place: Where, kernel: String) -> Finding {
    let Trace { absence, stored } = trace;
    let there = |site, action| end(past, Spot { site, ..absence.spot }, absence.taker, action);
    let stored = stored.map(|(spot, thread)| end(past, spot, thread, Action::StoredResult));
    let then = stored.into_iter().chain([copies]).collect();
    absent_lane(absence, Reached::Host, there, then, kernel, place)
}

/// `there` makes an access at another site of the shuffle's launch; `then` is what came after the shuffle.
fn absent_lane(
    absence: &AbsentRead,
    reached: Reached,
    there: impl Fn(u32, Action) -> Access,
    then: Vec<Access>,
    kernel: String,
    place: Where,
) -> Finding {
    let AbsentRead { taker, from, absent, away, asked, comes, .. } = *absence;
    let mask = match absent {
        AbsentLane::NotNamed(mask) => Some(mask),
        _ => None,
    };
    let taken = there(absence.spot.site, Action::TookFrom { lane: from, absent });
    // Where both stand in one file its lines are enough.
    let beside = |site| {
        let at = there(site, Action::AskedActiveMask(None)).location?;
        (at.file == taken.location.as_ref()?.file).then_some(at)
    };
    let away = away.and_then(|away| match away {
        partings::WentAway::Parted(site) => beside(site).map(Away::Parted),
        partings::WentAway::Ended(site) => beside(site).map(Away::Ended),
    });
    let cause = Absence { reached, lane: from, absent, taker: taker.linear, away, comes, asked: asked.is_some() };
    let remedies = taken.location.as_ref().and_then(|at| one_mask(&cause, at)).into_iter().collect();
    let asked = asked.map(|site| there(site, Action::AskedActiveMask(mask)));
    Finding {
        slug: Slug::AbsentLane,
        severity: Severity::Error,
        kernel,
        headline: Some(usize::from(asked.is_some())),
        accesses: asked.into_iter().chain([taken]).chain(then).collect(),
        place,
        cause: Cause::AbsentLane(Box::new(cause)),
        remedies,
        count: 1,
    }
}

/// Lanes that come to one shuffle with several masks may be meant to trade among all of them.
fn one_mask(absence: &Absence, at: &SourceLocation) -> Option<Remedy> {
    (absence.asked || absence.comes).then(|| vec![Edit::ChangeMask { at: at.clone(), mask: Mask::MAX }])
}

/// An access of a launch that is over.
fn end(past: &Past, spot: Spot, thread: ThreadName, action: Action) -> Access {
    let access = match past.record(spot.launch) {
        Some(record) => record.access(spot.site, action),
        None => Access::of_host(action),
    };
    Access { thread: Some(thread), ..access }
}

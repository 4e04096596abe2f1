//! Reports of undefined values: the load of unwritten memory, or the shuffle that took the value of an absent lane, and
//! what then depended on it.

use crate::evidence::partings::WentAway;
use crate::findings::clue::Clue;
use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::order::launches::Past;
use crate::sites::LaunchPlace;
use crate::sites::Sites;
use crate::undefined::memory::Undefined;
use crate::undefined::origins::{AbsenceTrace, AbsentRead, OriginId, UnwrittenLoad};
use finding::{
    Absence, AbsentLane, Access, Action, Away, Cause, Decision, Edit, Finding, NeverWritten, Reached, Remedy, Severity,
    Slug, SourceLocation, ThreadName, Unwritten, Where,
};
use machine::registers::{Mask, Reg};
use machine::watch::At;

/// The state that a report needs.
pub struct Reporter<'a> {
    pub undefined: &'a Undefined,
    pub past: &'a Past,
    pub findings: &'a mut Findings,
    pub sites: &'a Sites,
    /// The launch's number among the device's.
    pub number: u32,
}

impl Reporter<'_> {
    /// Reports that something at `site` depends on undefined values. `guilty` are the lanes, each with the origin of
    /// its value; an absent lane is reported first. `reg` is the register that holds the value, if any.
    pub fn depends(self, at: &At, site: u32, what: Decision, reg: Option<Reg>, guilty: &[(usize, OriginId)]) {
        let Some(&(first, _)) = guilty.first() else { return };
        let telling = guilty.iter().copied().filter(|(_, origin)| *origin != 0).min_by_key(|(_, origin)| *origin);
        let traced = telling.and_then(|(lane, origin)| Some((lane, self.undefined.origins.trace(origin)?.absence)));
        let Some((lane, absence)) = traced else {
            return self.unwritten(at, site, first, what, reg, telling);
        };
        let Reporter { past, findings, sites, number, .. } = self;
        let LaunchPlace { launch, site: shuffle } = absence.launch_place;
        let same_launch = launch == number;
        // Another launch's lines are numbered separately.
        let there = if same_launch { findings.line(at.launch, sites, shuffle) } else { u32::MAX };
        let key = (Slug::AbsentLane, there, findings.line(at.launch, sites, site));
        let rank = ONE_THREAD;
        if findings.count(key, rank, None) {
            return;
        }
        let there = |site, action| match same_launch {
            true => Access { thread: Some(absence.taker), ..access(at.launch, sites, at.block, 0, site, action) },
            false => end(past, LaunchPlace { launch, site }, absence.taker, action),
        };
        let thread = 32 * at.warp + lane as u32;
        let used = access(at.launch, sites, at.block, thread, site, Action::Decided { decision: what });
        let place = Where::Block { block: at.launch.block_index(at.block) };
        let kernel = at.launch.kernel.to_string();
        let finding = absent_lane(&absence, Reached::Decision { decision: what }, there, vec![used], kernel, place);
        findings.add(key, finding, rank, None, None);
    }

    /// Reports that something depends on a value that nothing has written, with the load of it, if there was one.
    fn unwritten(
        self,
        at: &At,
        site: u32,
        first: usize,
        what: Decision,
        reg: Option<Reg>,
        telling: Option<(usize, OriginId)>,
    ) {
        let known = telling.and_then(|(lane, origin)| Some((lane, self.undefined.origins.unwritten(origin)?.clone())));
        let Reporter { past, findings, sites, number, .. } = self;
        let line = findings.line(at.launch, sites, site);
        let there = match known.as_ref().map(|(_, unwritten)| unwritten.launch_place) {
            Some(launch_place) if launch_place.launch == number => findings.line(at.launch, sites, launch_place.site),
            Some(_) => u32::MAX,
            None => line,
        };
        let key = (Slug::UndefinedValue, there, line);
        if findings.count(key, ONE_THREAD, None) {
            return;
        }
        let lane = known.as_ref().map_or(first, |(lane, _)| *lane) as u32;
        let used = |action| access(at.launch, sites, at.block, 32 * at.warp + lane, site, action);
        let (accesses, from) = match &known {
            None => (vec![used(Action::UsedUnwritten)], Unwritten::Unknown { writers: Vec::new() }),
            Some((_, unwritten)) => {
                let load = match unwritten.launch_place.launch == number {
                    true => of_load(
                        unwritten,
                        access(at.launch, sites, at.block, 0, unwritten.launch_place.site, found(unwritten)),
                    ),
                    false => loaded(unwritten, past),
                };
                // An atomic operation itself reads what it depends on.
                let is_same = unwritten.launch_place == LaunchPlace { launch: number, site };
                let decided = (!is_same).then(|| used(Action::Decided { decision: what }));
                ([load].into_iter().chain(decided).collect(), nothing_written(unwritten))
            }
        };
        let finding = Finding {
            slug: Slug::UndefinedValue,
            severity: Severity::Error,
            kernel: at.launch.kernel.into(),
            accesses,
            headline: None,
            place: Where::Block { block: at.launch.block_index(at.block) },
            cause: Cause::NeverWritten(Box::new(NeverWritten { reached: Reached::Decision { decision: what }, from })),
            remedies: Vec::new(),
            count: 1,
        };
        match (known, reg) {
            // The code shows which lines write the variable.
            (None, Some(reg)) => {
                let clue = Some(Clue::Unwritten { pc: at.pc, reg });
                // No race can have caused it: a register belongs to its thread.
                match findings.has_race() {
                    false => findings.add_independent(key, finding, clue),
                    true => findings.add(key, finding, ONE_THREAD, None, clue),
                }
            }
            _ => findings.add(key, finding, ONE_THREAD, None, None),
        }
    }
}

fn found(unwritten: &UnwrittenLoad) -> Action {
    Action::LoadedUnwritten { place: unwritten.place.clone() }
}

/// Adds to the lines of a load the other details that are known.
fn of_load(unwritten: &UnwrittenLoad, access: Access) -> Access {
    Access { thread: Some(unwritten.loader), memory: Some(unwritten.memory.clone()), ..access }
}

/// Returns the load of an unwritten value in a launch that is over.
pub fn loaded(unwritten: &UnwrittenLoad, past: &Past) -> Access {
    of_load(unwritten, end(past, unwritten.launch_place, unwritten.loader, found(unwritten)))
}

pub fn nothing_written(unwritten: &UnwrittenLoad) -> Unwritten {
    Unwritten::Loaded { place: unwritten.place.clone(), gone: unwritten.gone.clone() }
}

/// Reports that the host copies a value taken from an absent lane.
pub fn copied(trace: &AbsenceTrace, past: &Past, copies: Access, place: Where, kernel: String) -> Finding {
    let AbsenceTrace { absence, stored } = trace;
    let there = |site, action| end(past, LaunchPlace { site, ..absence.launch_place }, absence.taker, action);
    let stored = stored.map(|(launch_place, thread)| end(past, launch_place, thread, Action::StoredResult));
    let then = stored.into_iter().chain([copies]).collect();
    absent_lane(absence, Reached::Host, there, then, kernel, place)
}

/// Returns a finding about an absent lane. `there` returns an access at another site of the shuffle's launch; `then` is
/// what followed the shuffle.
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
        AbsentLane::NotNamed { mask } => Some(mask),
        _ => None,
    };
    let taken = there(absence.launch_place.site, Action::TookFrom { lane: from, absent });
    // If both are in one file, the line is enough.
    let beside = |site| {
        let at = there(site, Action::AskedActiveMask { mask: None }).location?;
        (at.file == taken.location.as_ref()?.file).then_some(at)
    };
    let away = away.and_then(|away| match away {
        WentAway::Parted(site) => beside(site).map(|at| Away::Parted { at }),
        WentAway::Ended(site) => beside(site).map(|at| Away::Ended { at }),
    });
    let cause = Absence { reached, lane: from, absent, taker: taker.linear, away, comes, asked: asked.is_some() };
    let remedies = taken.location.as_ref().and_then(|at| one_mask(&cause, at)).into_iter().collect();
    let asked = asked.map(|site| there(site, Action::AskedActiveMask { mask }));
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

/// Suggests one mask for all lanes: lanes that reach one shuffle with several masks may be meant to exchange among all
/// of them.
fn one_mask(absence: &Absence, at: &SourceLocation) -> Option<Remedy> {
    (absence.asked || absence.comes).then(|| vec![Edit::ChangeMask { at: at.clone(), mask: Mask::MAX }])
}

/// Returns an access of a launch that is over.
fn end(past: &Past, launch_place: LaunchPlace, thread: ThreadName, action: Action) -> Access {
    let access = match past.record(launch_place.launch) {
        Some(record) => record.access(launch_place.site, action),
        None => Access::of_host(action),
    };
    Access { thread: Some(thread), ..access }
}

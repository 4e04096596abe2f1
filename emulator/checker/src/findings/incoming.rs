//! Incoming races: they are grouped into findings, and one pair of each is shown. Some are held back until it is known
//! if they matter ([`crate::speculation`]).

use crate::access::race::{Race, distance};
use crate::evidence::apart::Between;
use crate::findings::clue::{Clue, RaceClue};
use crate::findings::list::{Clarity, FindingKey, Findings, PairRank};
use crate::findings::race::{Conflict, RacingPair, kind_of, shown, slug_of};
use crate::findings::values::AccessValues;
use crate::order::copies::is_copy;
use crate::order::launches::LaunchRecord;
use crate::sites::Sites;
use crate::sites::touched::{AccessInfo, RecordedKind};
use finding::{Finding, HostOperation};
use machine::run::launch::Launch;
use machine::watch::Touch;

/// The identity of a race's finding, and the rank of this race in it.
struct RaceOutline {
    key: FindingKey,
    rank: PairRank,
    /// The site of the plain load in a race of one with an atomic operation.
    plain_load: Option<u32>,
    same_value: bool,
    is_of_copies: bool,
    /// True if both are one access of the source.
    one_access: bool,
}

/// A race that is complete and not yet among the findings.
pub struct PendingRace {
    outline: RaceOutline,
    finding: Finding,
    clue: RaceClue,
}

impl std::fmt::Debug for PendingRace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PendingRace").field(&self.outline.key).finish()
    }
}

impl PendingRace {
    pub fn key(&self) -> FindingKey {
        self.outline.key
    }
}

impl Findings {
    /// Adds a race; `between` returns the evidence about its order.
    pub fn race(&mut self, conflict: Conflict, between: &dyn Fn() -> Between) {
        let Some(outline) = self.outline(conflict) else { return };
        let RaceOutline { key, rank, plain_load, .. } = outline;
        self.note_copies(&outline);
        if !self.count(key, rank, plain_load) {
            let pair = outline.pair(conflict, between());
            self.add(key, pair.finding(), rank, plain_load, Some(Clue::Race(Box::new(pair.clue()))));
        } else if let Some(entry) = self.open(key, rank) {
            let between = between();
            let ends = [conflict.race.first, conflict.race.second].map(|it| it.info.site());
            if entry.shows_more(&shown(&conflict.race, &between), ends) {
                let pair = outline.pair(conflict, between);
                self.add_alternative(key, pair.finding(), pair.clue());
            }
        }
    }

    /// As [`Findings::race`], for a race that becomes a finding only if [`Findings::admit`] is called.
    pub fn pending(&mut self, conflict: Conflict, between: &dyn Fn() -> Between) -> Option<PendingRace> {
        let outline = self.outline(conflict)?;
        let pair = outline.pair(conflict, between());
        let (finding, clue) = (pair.finding(), pair.clue());
        Some(PendingRace { outline, finding, clue })
    }

    pub fn admit(&mut self, race: PendingRace) {
        let PendingRace { outline, finding, clue } = race;
        let RaceOutline { key, rank, plain_load, .. } = outline;
        self.note_copies(&outline);
        if !self.count(key, rank, plain_load) {
            self.add(key, finding, rank, plain_load, Some(Clue::Race(Box::new(clue))));
        } else if let Some(entry) = self.open(key, rank)
            && entry.shows_more(&clue.shown, [clue.ends[0].site, clue.ends[1].site])
        {
            self.add_alternative(key, finding, clue);
        }
    }

    fn note_copies(&mut self, outline: &RaceOutline) {
        if outline.is_of_copies {
            self.races_with_copies(outline.key);
        }
    }

    /// Returns the identity and rank of a race. `None` if it is not reported.
    fn outline(&mut self, conflict: Conflict) -> Option<RaceOutline> {
        let Conflict { sites, touch, values, lane, race, earlier, .. } = conflict;
        let by_host = earlier.and_then(LaunchRecord::host_operation);
        if matches!(by_host, Some(HostOperation::Read | HostOperation::Write)) && race.second.info.scope().is_some() {
            // The program may mean its own access to be as strong.
            return None;
        }
        let launch = touch.at.launch;
        let slug = slug_of(touch.space, race.narrow.is_some());
        let same_value = store_one_value(touch, values, &race, lane);
        let second = self.line(launch, sites, race.second.info.site());
        let first = match earlier {
            // Another kernel's lines are numbered separately.
            Some(_) => u32::MAX,
            None => self.line(launch, sites, race.first.info.site()),
        };
        // A load whose word another thread then overwrites shows a lost update best.
        let clarity = match (race.first.info.kind(), race.second.info.kind()) {
            (RecordedKind::Read, _) => Clarity::ReadFirst,
            (_, RecordedKind::Read) => Clarity::ReadLater,
            _ => Clarity::TwoWrites,
        };
        let one_access = first == second;
        let lost_update = one_access && clarity == Clarity::ReadFirst;
        Some(RaceOutline {
            // Whichever came first in this run, it is one bug.
            key: (slug, first.min(second), first.max(second)),
            rank: PairRank { fails: !same_value, lost_update, distance: distance(launch, &race), clarity },
            plain_load: plain_load(launch, sites, &race).filter(|_| earlier.is_none()),
            same_value,
            is_of_copies: is_copy(launch, race.first) || is_copy(launch, race.second),
            one_access,
        })
    }
}

impl RaceOutline {
    fn pair<'a>(&self, conflict: Conflict<'a>, between: Between) -> RacingPair<'a> {
        RacingPair {
            conflict,
            launch: conflict.touch.at.launch,
            same_value: self.same_value,
            between,
            distance: self.rank.distance,
            one_access: self.one_access,
        }
    }
}

/// True for two plain stores of one value to one location.
fn store_one_value(touch: &Touch, values: &AccessValues, race: &Race, lane: usize) -> bool {
    let plain_store = |info: AccessInfo| info.kind() == RecordedKind::Write && info.scope().is_none();
    let copies = is_copy(touch.at.launch, race.first);
    if copies || !plain_store(race.first.info) || !plain_store(race.second.info) {
        return false;
    }
    let (Some((regs, src)), Some(region)) = (&values.stored, touch.region) else { return false };
    let same_step = race.first.warp() == race.second.warp()
        && race.first.clock == race.second.clock
        && race.first.info.site() == race.second.info.site();
    let address = touch.addresses[lane];
    let other = race.first.lane() as usize;
    let beside = same_step && touch.mask >> other & 1 != 0 && touch.addresses[other] == address;
    let bytes = touch.bytes.min(8);
    let kept = if bytes == 8 { !0 } else { (1 << (8 * bytes)) - 1 };
    // All elements of a vector have to agree.
    (0..touch.elements).zip(src).all(|(element, &src)| {
        let mine = regs.get(src, lane);
        match beside {
            true => regs.get(src, other) == mine,
            false => region.load_sized(address + u64::from(element * touch.bytes), bytes) == mine & kept,
        }
    })
}

/// The site of the plain load in a race of one with an atomic operation.
fn plain_load(launch: &Launch, sites: &Sites, race: &Race) -> Option<u32> {
    let is_update = |info: AccessInfo| {
        info.scope().is_some() && kind_of(info, Some(launch.code), sites.pc(info.site())) == RecordedKind::Atomic
    };
    let is_load = |info: AccessInfo| info.kind() == RecordedKind::Read && info.scope().is_none();
    let (a, b) = (race.first.info, race.second.info);
    match (is_load(a) && is_update(b), is_load(b) && is_update(a)) {
        (true, _) => Some(a.site()),
        (_, true) => Some(b.site()),
        _ => None,
    }
}

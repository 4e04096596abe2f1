//! A race as a finding: its two accesses, its place, and what may have been meant to order them. What only the code tells comes
//! in when the launch is over (crate `diagnose`).

use crate::access::race::{Race, distance};
use crate::evidence::apart::Between;
use crate::evidence::lack::Lack;
use crate::findings::clue::{Clue, RaceClue, RaceEnd, Shown};
use crate::findings::list::{Clarity, Findings, Rank, access};
use crate::findings::values::{self, AccessValues};
use crate::order::clock::TooNarrow;
use crate::order::copies::{is_copy, starts_copy, whereabouts};
use crate::order::launches::Record;
use crate::order::release::Location;
use crate::sites::Sites;
use crate::sites::touched::{How, TouchKind, Touched};
use finding::{
    Access, AccessKind, Action, BetweenThreads, Branch, Cause, Copies, Distance, Finding, HostOperation, MemoryAccess,
    NarrowPart, Place, PlainAccess, Relation, Scope, Severity, Slug, SourceLocation, Synchroniser, Unordered, Value,
    Where,
};
use machine::code::{Code, Instr};
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::exec::memory::Semantics;
use machine::memory::space::Space;
use machine::place;
use machine::run::grids::Identity;
use machine::run::launch::Launch;
use machine::watch::Touch;

/// Two accesses that race, and where the second one stands.
#[derive(Clone, Copy)]
pub struct Conflict<'a> {
    pub sites: &'a Sites,
    /// The second access, what it does, and the lane that it is of.
    pub touch: &'a Touch<'a>,
    pub values: &'a AccessValues<'a>,
    pub lane: usize,
    pub race: Race,
    /// Offset of the word that both touch.
    pub word: u64,
    /// The launch of the first access, if it is another one.
    pub earlier: Option<&'a Record>,
}

impl Findings {
    /// A race; `between` says what may have been meant to order it.
    pub fn race(&mut self, conflict: Conflict, between: &dyn Fn() -> Between) {
        let Conflict { sites, touch, values, lane, race, earlier, .. } = conflict;
        let by_host = earlier.and_then(Record::host_operation);
        if matches!(by_host, Some(HostOperation::Read | HostOperation::Write)) && race.second.how.scope().is_some() {
            // The program may mean its own access to be as strong.
            return;
        }
        let launch = touch.at.launch;
        let slug = slug_of(touch.space, race.narrow.is_some());
        let same_value = store_one_value(touch, values, &race, lane);
        let second = self.line(launch, sites, race.second.how.site());
        let first = match earlier {
            // Another kernel's lines are numbered apart from this one's.
            Some(_) => u32::MAX,
            None => self.line(launch, sites, race.first.how.site()),
        };
        // Whichever came first in this run, it is one bug.
        let key = (slug, first.min(second), first.max(second));
        // What one thread has loaded and another overwrites shows a lost update best.
        let clarity = match (race.first.how.kind(), race.second.how.kind()) {
            (TouchKind::Read, _) => Clarity::ReadFirst,
            (_, TouchKind::Read) => Clarity::ReadLater,
            _ => Clarity::TwoWrites,
        };
        let lost_update = first == second && clarity == Clarity::ReadFirst;
        let distance = distance(launch, &race);
        let rank = Rank { fails: !same_value, lost_update, distance, clarity };
        let plain_load = plain_load(launch, sites, &race).filter(|_| earlier.is_none());
        if is_copy(launch, race.first) || is_copy(launch, race.second) {
            self.races_with_copies(key);
        }
        let one_access = first == second;
        let pair = |between| Pair { conflict, launch, same_value, between, distance, one_access };
        if !self.count(key, rank, plain_load) {
            let pair = pair(between());
            self.add(key, pair.finding(), rank, plain_load, Some(Clue::Race(Box::new(pair.clue()))));
        } else if let Some(entry) = self.open(key, rank) {
            let between = between();
            let (shown, ends) = (shown(&race, &between), [race.first, race.second].map(|it| it.how.site()));
            let first = match &entry.clue {
                Some(Clue::Race(clue)) => Some(&**clue),
                _ => None,
            };
            let mut kept = first.into_iter().chain(entry.alternatives.iter().map(|(_, clue)| clue));
            if !shown.is_nothing() && !kept.any(|clue| clue.shows_as(&shown, ends)) {
                let pair = pair(between);
                self.add_alternative(key, pair.finding(), pair.clue());
            }
        }
    }
}

/// Two plain stores of one value to one place.
fn store_one_value(touch: &Touch, values: &AccessValues, race: &Race, lane: usize) -> bool {
    let plain_store = |how: How| how.kind() == TouchKind::Write && how.scope().is_none();
    let copies = is_copy(touch.at.launch, race.first);
    if copies || !plain_store(race.first.how) || !plain_store(race.second.how) {
        return false;
    }
    let (Some((regs, src)), Some(region)) = (&values.stored, touch.region) else { return false };
    let same_step = race.first.warp() == race.second.warp()
        && race.first.clock == race.second.clock
        && race.first.how.site() == race.second.how.site();
    let address = touch.addresses[lane];
    let other = race.first.lane() as usize;
    let beside = same_step && touch.mask >> other & 1 != 0 && touch.addresses[other] == address;
    let bytes = touch.bytes.min(8);
    let kept = if bytes == 8 { !0 } else { (1 << (8 * bytes)) - 1 };
    // Of a vector all elements.
    (0..touch.elements).zip(src).all(|(element, &src)| {
        let mine = regs.get(src, lane);
        match beside {
            true => regs.get(src, other) == mine,
            false => region.load_sized(address + u64::from(element * touch.bytes), bytes) == mine & kept,
        }
    })
}

fn shown(race: &Race, between: &Between) -> Shown {
    Shown { unfenced: race.unfenced, flag: between.flag, look: between.look, lack: between.lack }
}

/// A race and all that is needed to tell it.
struct Pair<'a> {
    conflict: Conflict<'a>,
    launch: &'a Launch<'a>,
    same_value: bool,
    between: Between,
    distance: Distance,
    /// Both are one access of the source.
    one_access: bool,
}

impl Pair<'_> {
    fn clue(&self) -> RaceClue {
        let Conflict { touch, lane, race, word, earlier, .. } = self.conflict;
        let end = |it: Touched| RaceEnd {
            site: it.how.site(),
            lane: it.lane(),
            is_read: it.how.kind() == TouchKind::Read,
            is_strong: it.how.scope().is_some(),
            from: match u64::from(it.how.size()) {
                bytes @ 4.. => word & !(bytes - 1),
                _ => word + u64::from(it.how.bytes().trailing_zeros()),
            },
            bytes: it.how.size().into(),
        };
        let locks = match self.between.lack {
            Some(Lack::Locks(locks)) => locks.map(|lock| lock.map(|lock| self.name_of(lock))),
            _ => [None, None],
        };
        RaceClue {
            ends: [end(race.first), end(race.second)],
            is_earlier: earlier.is_some(),
            buffer: (touch.space != Space::Shared)
                .then(|| self.launch.memory.allocation(touch.addresses[lane]))
                .flatten()
                .map(|it| it.base),
            shown: shown(&race, &self.between),
            is_certain: race.narrow.is_some() || race.unfenced.is_some(),
            locks,
            passed: self.between.passed,
            own_update: race.own_update,
        }
    }

    fn finding(&self) -> Finding {
        let launch = self.launch;
        let Conflict { sites, touch, values, lane, race, word, .. } = self.conflict;
        let (block, thread) = whereabouts(launch, race.second.thread);
        let (element, at) = self.element();
        let action = values.action(lane, touch.region, at, element);
        let second = access(launch, sites, block, thread, race.second.how.site(), action);
        let address = touch.addresses[lane];
        let bytes = race.second.how.size();
        let place = match touch.space {
            Space::Shared => Where::Shared { block: launch.grid_of(block).block_index(block), bytes, offset: word },
            _ => match place::buffer(launch, address) {
                Some((offset, buffer)) => Where::Global { bytes, offset, buffer },
                None => Where::GlobalAddress { bytes, address },
            },
        };
        let severity = match race.is_allowed {
            true => Severity::Hint,
            false if self.same_value => Severity::Note,
            false => Severity::Error,
        };
        let named = place::of(launch, touch.space, address, touch.bytes * touch.elements);
        let cause = Unordered {
            same_value: self.same_value,
            allowed: race.is_allowed,
            ..Unordered::new(named, self.distance, self.relation())
        };
        Finding {
            slug: slug_of(touch.space, race.narrow.is_some()),
            severity,
            kernel: launch.kernel.into(),
            accesses: vec![self.first(), Access { memory: Some(values.memory(touch)), ..second }],
            headline: None,
            place,
            cause: Cause::Unordered(Box::new(cause)),
            remedies: Vec::new(),
            count: 1,
        }
    }

    /// What might have ordered them, by where they run.
    fn relation(&self) -> Relation {
        let Pair { launch, conflict: Conflict { race, earlier, .. }, .. } = self;
        let (first, second) = (whereabouts(launch, race.first.thread), whereabouts(launch, race.second.thread));
        if let Some(record) = earlier {
            record.host_operation().map_or(Relation::Launches, |operation| Relation::Host { operation })
        } else if let Some(grids) = between_grids(launch, race, first.0, second.0) {
            grids
        } else if let Some(narrow) = race.narrow {
            Relation::ScopeTooNarrow(self.too_narrow(narrow))
        } else if is_copy(launch, race.first) {
            Relation::Copies {
                copies: match is_copy(launch, race.second) {
                    true => Copies::Both,
                    false if first == second => Copies::OneThread { writes: race.first.how.writes() },
                    false => Copies::OtherThread,
                },
            }
        } else {
            Relation::Threads(Box::new(self.between_threads()))
        }
    }

    /// What is known without reading on in the code.
    fn between_threads(&self) -> BetweenThreads {
        let Pair { launch, conflict: Conflict { sites, race, .. }, .. } = self;
        let (a, b) = (race.first.how, race.second.how);
        let op = |how: How| launch.code.instrs.get(sites.pc(how.site()) as usize).map(|instr| &instr.op);
        let swaps = |how: How| matches!(op(how), Some(Op::Atomic(it)) if it.operation == Operation::CompareExchange);
        let reads = |how: How| how.kind() == TouchKind::Read;
        let lines = [a, b].map(|how| self.location(how.site()).map(|it| it.line));
        let plain = [a, b].into_iter().find(|how| how.scope().is_none());
        let branch = self.between.branch;
        BetweenThreads {
            strong: match (a.scope().is_some(), b.scope().is_some()) {
                (true, false) => Some(0),
                (false, true) => Some(1),
                _ => None,
            },
            one_access: self.one_access,
            one_line: lines[0].is_some() && lines[0] == lines[1],
            updates: false,
            in_loop: false,
            in_branches: false,
            two_arrays: false,
            polled: None,
            compares: reads(a) && swaps(b) || reads(b) && swaps(a),
            plain: match plain {
                Some(how) if how.kind() == TouchKind::Write => PlainAccess::Store,
                _ => PlainAccess::Load,
            },
            both_update: [a, b]
                .into_iter()
                .all(|how| matches!(op(how), Some(Op::Atomic(_))) || how.kind() == TouchKind::Atomic),
            cooperative: launch.cooperative,
            branch: branch.and_then(|(site, lanes)| Some(Branch { at: self.location(site)?, lanes })),
            missing: None,
        }
    }

    /// What does not reach the other block, as far as it is known.
    fn too_narrow(&self, narrow: TooNarrow) -> finding::Narrow {
        let mut parts: Vec<NarrowPart> = Vec::new();
        for site in [narrow.release, narrow.sees, narrow.fence].into_iter().flatten() {
            let pc = self.conflict.sites.pc(site);
            let op = self.launch.code.instrs.get(pc as usize).map(|instr| &instr.op);
            let what = match op {
                Some(Op::Fence(_)) => Synchroniser::Fence,
                Some(Op::Atomic(it)) => Synchroniser::Atomic { operation: it.operation },
                Some(Op::Load(_)) => Synchroniser::Load,
                _ => Synchroniser::Store,
            };
            let has = op.and_then(semantics).map_or(Scope::Block, |it| it.scope);
            let of_object = self.launch.code.location(pc).is_some_and(|location| location.of_atomics);
            let part = NarrowPart { at: self.location(site), what, has, of_object };
            // Both sides may be one line of a lock.
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        finding::Narrow { parts }
    }

    /// The place of a site, if it is in the file of the second access.
    fn location(&self, site: u32) -> Option<SourceLocation> {
        self.conflict.sites.beside(self.launch.code, site, self.conflict.race.second.how.site())
    }

    /// Which element of a vector access stands in the word, and its address.
    fn element(&self) -> (usize, u64) {
        let Conflict { touch, lane, word, .. } = self.conflict;
        let address = touch.addresses[lane];
        let word = word + touch.region.map_or(0, |region| region.base());
        let element = (word.saturating_sub(address) / u64::from(touch.bytes)).min(u64::from(touch.elements - 1));
        (element as usize, address + element * u64::from(touch.bytes))
    }

    fn first(&self) -> Access {
        let launch = self.launch;
        let Conflict { sites, touch, values, lane, race, earlier, .. } = self.conflict;
        let (element, address) = self.element();
        let how = race.first.how;
        let site = how.site();
        let same_step = race.first.warp() == race.second.warp()
            && how.site() == race.second.how.site()
            && race.first.clock == race.second.clock;
        let size = how.size().min(8);
        let value = match (&values.stored, touch.region) {
            (Some(_), _) if same_step && how.writes() => {
                values.of(race.first.lane() as usize, touch.region, address, element)
            }
            // What the first access left or found is still in memory: the second has not happened yet.
            (_, Some(region)) if size == values.ty.bytes() => {
                Some(values::value(region.load_sized(address & !u64::from(size - 1), size), values.ty))
            }
            _ => None,
        };
        let (code, pc) = match earlier {
            Some(record) => (record.code(), record.sites.pc(site)),
            None => (Some(launch.code), sites.pc(site)),
        };
        let kind = access_kind(how, code, pc);
        let is_own = earlier.is_none();
        let action = match (kind, kind_of(how, code, pc)) {
            (AccessKind::BarrierObject, TouchKind::Write) if is_own => Action::Initialised,
            (AccessKind::BarrierObject, _) if is_own => Action::Used,
            (_, TouchKind::Read) if is_own && is_copy(launch, race.first) => Action::StartedCopyFrom,
            _ if is_own && is_copy(launch, race.first) => Action::StartedCopyTo,
            (_, TouchKind::Read) => {
                let unwritten = values.is_unwritten(lane, element);
                Action::Loaded { value: value.map(|value| Value { unwritten, ..value }) }
            }
            (_, TouchKind::Write) => Action::Stored { value },
            // An atomic's operand is gone; what it left is what counts.
            (_, TouchKind::Atomic) => Action::UpdatedTo { value },
        };
        let op = code.and_then(|code| code.instrs.get(pc as usize)).map(|instr| &instr.op);
        // Of shared memory all scopes reach the block: `how` does not tell them apart.
        let scope = how.scope().map(|scope| op.and_then(semantics).map_or(scope, |it| it.scope));
        let memory = MemoryAccess { kind, space: touch.space, scope, bytes: how.size() };
        let (block, thread) = whereabouts(launch, race.first.thread);
        let end = match earlier {
            None => access(launch, sites, block, thread, site, action),
            // The grid may have had another shape: the thread's place in it is not known here.
            Some(record) => record.access(site, record.earlier(action)),
        };
        Access { memory: Some(memory), ..end }
    }

    /// What a lock is called.
    fn name_of(&self, (block, address): Location) -> Place {
        let space = if block.is_some() { Space::Shared } else { Space::Global };
        match place::of(self.launch, space, address, 4) {
            Place::Unnamed { .. } => Place::Address { address },
            named => named,
        }
    }
}

/// Two blocks of different grids, which nothing orders; `None` for blocks of one grid.
fn between_grids(launch: &Launch, race: &Race, first: u64, second: u64) -> Option<Relation> {
    let (first, second) = (launch.grid_of(first), launch.grid_of(second));
    if race.narrow.is_some() || first.first_block == second.first_block {
        return None;
    }
    let name = |grid: &Identity| launch.code.parts[grid.part as usize].name.to_string();
    Some(match (first.is_launched_by(&second), second.is_launched_by(&first)) {
        (true, _) => Relation::ParentAndChild { child: name(&first) },
        (_, true) => Relation::ParentAndChild { child: name(&second) },
        _ => Relation::Grids { kernels: [name(&first), name(&second)] },
    })
}

fn semantics(op: &Op) -> Option<Semantics> {
    match op {
        Op::Load(it) => Some(it.semantics),
        Op::Store(it) => Some(it.semantics),
        Op::Atomic(it) => Some(it.semantics),
        Op::Fence(it) => Some(it.semantics),
        _ => None,
    }
}

/// What an access was, by its instruction.
fn access_kind(how: How, code: Option<&Code>, pc: u32) -> AccessKind {
    let is_object = |code: &Code| matches!(code.instrs.get(pc as usize), Some(Instr { op: Op::Mbarrier(_), .. }));
    match kind_of(how, code, pc) {
        _ if code.is_some_and(|code| starts_copy(code, pc)) => AccessKind::AsyncCopy,
        _ if code.is_some_and(is_object) => AccessKind::BarrierObject,
        TouchKind::Read => AccessKind::Load,
        TouchKind::Write => AccessKind::Store,
        TouchKind::Atomic => AccessKind::Atomic,
    }
}

/// What an access was, by what its instruction does: an update that nobody looks at is kept as a store.
fn kind_of(how: How, code: Option<&Code>, pc: u32) -> TouchKind {
    match code.and_then(|code| code.instrs.get(pc as usize)) {
        Some(Instr { op: Op::Atomic(_), .. }) => TouchKind::Atomic,
        _ => how.kind(),
    }
}

/// The slug of a race by its space and cause.
fn slug_of(space: Space, scope: bool) -> Slug {
    match (scope, space) {
        (true, _) => Slug::RaceScope,
        (_, Space::Shared) => Slug::RaceShared,
        _ => Slug::RaceGlobal,
    }
}

/// The site of the plain load in a race of one with an atomic operation.
fn plain_load(launch: &Launch, sites: &Sites, race: &Race) -> Option<u32> {
    let is_update =
        |how: How| how.scope().is_some() && kind_of(how, Some(launch.code), sites.pc(how.site())) == TouchKind::Atomic;
    let is_load = |how: How| how.kind() == TouchKind::Read && how.scope().is_none();
    let (a, b) = (race.first.how, race.second.how);
    match (is_load(a) && is_update(b), is_load(b) && is_update(a)) {
        (true, _) => Some(a.site()),
        (_, true) => Some(b.site()),
        _ => None,
    }
}

//! A race as a finding: its two accesses, its place, and the evidence about their order. Details that only the code
//! shows are added when the launch is over (crate `diagnose`).

use crate::access::race::{MissingProxyFence, Race};
use crate::evidence::apart::Between;
use crate::evidence::lack::MissingOrder;
use crate::findings::clue::{RaceClue, RaceEnd, RaceEvidence};
use crate::findings::list::access;
use crate::findings::values::{self, AccessValues};
use crate::order::bulk::is_bulk;
use crate::order::clock::TooNarrow;
use crate::order::copies::{is_copy, starts_copy, whereabouts};
use crate::order::launches::LaunchRecord;
use crate::order::products::is_product;
use crate::order::release::Location;
use crate::sites::Sites;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use finding::{
    Access, AccessKind, AccessValue, Action, BetweenThreads, Branch, Cause, Copies, DependentWait, Distance, Finding,
    MemoryAccess, MemoryPlace, NarrowPart, PlainAccess, Relation, Scope, Severity, Slug, SourceLocation, Synchroniser,
    Unordered, Where,
};
use machine::code::{Instr, KernelCode};
use machine::exec::atomic::Operation;
use machine::exec::memory::Semantics;
use machine::exec::wgmma;
use machine::exec::{GridDependency, Op};
use machine::memory::space::Space;
use machine::place;
use machine::run::grids::GridIdentity;
use machine::run::launch::Launch;
use machine::watch::Touch;

/// Two accesses that race, and the context of the second one.
#[derive(Clone, Copy)]
pub struct Conflict<'a> {
    pub sites: &'a Sites,
    /// The second access; below, its values and its lane.
    pub touch: &'a Touch<'a>,
    pub values: &'a AccessValues<'a>,
    pub lane: usize,
    pub race: Race,
    /// The offset of the word that both touch.
    pub word: u64,
    /// The launch of the first access, if it is another one.
    pub earlier: Option<&'a LaunchRecord>,
    /// Set if that is a launch before this one in its stream, with which this one overlaps.
    pub overlap: Option<MissingWait<'a>>,
}

/// The reason for which a launch before this one in its stream is not ordered before an access.
#[derive(Clone, Copy)]
pub enum MissingWait<'a> {
    /// The thread has not waited.
    Own,
    /// It has, but this launch between the two has not.
    Of(&'a LaunchRecord),
}

pub(super) fn shown(race: &Race, between: &Between) -> RaceEvidence {
    RaceEvidence { unfenced: race.unfenced, flag: between.flag, look: between.look, lack: between.lack }
}

/// A race and all that is needed to report it.
pub(super) struct RacingPair<'a> {
    pub conflict: Conflict<'a>,
    pub launch: &'a Launch<'a>,
    pub same_value: bool,
    pub between: Between,
    pub distance: Distance,
    /// True if both are one access of the source.
    pub one_access: bool,
}

impl RacingPair<'_> {
    pub fn clue(&self) -> RaceClue {
        let Conflict { touch, lane, race, word, earlier, .. } = self.conflict;
        let end = |it: RecordedAccess| RaceEnd {
            site: it.info.site(),
            lane: it.lane(),
            is_read: it.info.kind() == RecordedKind::Read,
            is_strong: it.info.scope().is_some(),
            from: match u64::from(it.info.size()) {
                bytes @ 4.. => word & !(bytes - 1),
                _ => word + u64::from(it.info.bytes().trailing_zeros()),
            },
            bytes: it.info.size().into(),
        };
        let locks = match self.between.lack {
            Some(MissingOrder::Locks(locks)) => locks.map(|lock| lock.map(|lock| self.name_of(lock.place))),
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

    pub fn finding(&self) -> Finding {
        let launch = self.launch;
        let Conflict { sites, touch, values, lane, race, word, .. } = self.conflict;
        let (block, thread) = whereabouts(launch, race.second.thread);
        let (element, at) = self.element();
        let action = values.action(lane, touch.region, at, element);
        let second = access(launch, sites, block, thread, race.second.info.site(), action);
        // The other access may begin in a later element.
        let (address, named_bytes) = match element {
            0 => (touch.addresses[lane], touch.bytes * touch.elements),
            _ => (at, touch.bytes),
        };
        let bytes = race.second.info.size();
        let place = match touch.space {
            Space::Shared => {
                let block = launch.grid_of(touch.owner).block_index(touch.owner);
                Where::Shared { block, bytes, offset: word }
            }
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
        let named = place::of(launch, touch.space, address, named_bytes);
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

    /// Returns the relation of the threads, which determines what might have ordered them.
    fn relation(&self) -> Relation {
        let RacingPair { launch, conflict: Conflict { race, earlier, overlap, .. }, .. } = self;
        let (first, second) = (whereabouts(launch, race.first.thread), whereabouts(launch, race.second.thread));
        if let Some(record) = earlier {
            match (record.host_operation(), overlap) {
                (Some(operation), _) => Relation::Host { operation },
                (None, Some(missing)) => Relation::Dependent { wait: self.wait(record, *missing) },
                (None, None) => Relation::Launches,
            }
        } else if let Some(grids) = between_grids(launch, race, first.0, second.0) {
            grids
        } else if let Some(narrow) = race.narrow {
            Relation::ScopeTooNarrow(self.too_narrow(narrow))
        } else if let Some(missing) = race.proxy {
            let op = launch.code.instrs.get(self.conflict.sites.pc(race.second.info.site()) as usize).map(|it| &it.op);
            let copies = match missing {
                MissingProxyFence::Async => Copies::ProxyFence { product: op.is_some_and(wgmma::is_product) },
                MissingProxyFence::Map(missing) => Copies::MapFence { missing },
            };
            Relation::Copies { copies }
        } else if is_product(launch, race.first) {
            Relation::Copies { copies: Copies::Product }
        } else if is_bulk(launch, race.first) {
            let op = launch.code.instrs.get(self.conflict.sites.pc(race.first.info.site()) as usize).map(|it| &it.op);
            let by_object = op.is_some_and(|op| matches!(op, Op::Bulk(it) if it.is_tracked()));
            Relation::Copies { copies: Copies::Bulk { copy: 0, by_object, writes: race.first.info.writes() } }
        } else if is_copy(launch, race.first) {
            Relation::Copies {
                copies: match is_copy(launch, race.second) {
                    true => Copies::Both,
                    false if first == second => Copies::OneThread { writes: race.first.info.writes() },
                    false => Copies::OtherThread,
                },
            }
        } else {
            Relation::Threads(Box::new(self.between_threads()))
        }
    }

    /// Returns the wait that is missing between this launch and an earlier one of its stream.
    fn wait(&self, earlier: &LaunchRecord, missing: MissingWait) -> DependentWait {
        let has = |code: &KernelCode, wanted: GridDependency| {
            code.instrs.iter().any(|instr| matches!(instr.op, Op::GridDependency(op) if op == wanted))
        };
        match missing {
            MissingWait::Of(between) => {
                DependentWait::Between { kernel: between.kernel().unwrap_or_default().to_string() }
            }
            MissingWait::Own if has(self.launch.code, GridDependency::Wait) => DependentWait::Late,
            MissingWait::Own => DependentWait::Missing {
                triggered: earlier.code().is_some_and(|code| has(code, GridDependency::Trigger)),
            },
        }
    }

    /// Returns the evidence about two threads that does not depend on other code.
    fn between_threads(&self) -> BetweenThreads {
        let RacingPair { launch, conflict: Conflict { sites, race, .. }, .. } = self;
        let (a, b) = (race.first.info, race.second.info);
        let op = |info: AccessInfo| launch.code.instrs.get(sites.pc(info.site()) as usize).map(|instr| &instr.op);
        let swaps =
            |info: AccessInfo| matches!(op(info), Some(Op::Atomic(it)) if it.operation == Operation::CompareExchange);
        let reads = |info: AccessInfo| info.kind() == RecordedKind::Read;
        let lines = [a, b].map(|info| self.location(info.site()).map(|it| it.line));
        let plain = [a, b].into_iter().find(|info| info.scope().is_none());
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
                Some(info) if info.kind() == RecordedKind::Write => PlainAccess::Store,
                _ => PlainAccess::Load,
            },
            both_update: [a, b]
                .into_iter()
                .all(|info| matches!(op(info), Some(Op::Atomic(_))) || info.kind() == RecordedKind::Atomic),
            cooperative: launch.cooperative,
            branch: branch.and_then(|(site, lanes)| Some(Branch { at: self.location(site)?, lanes })),
            missing: None,
        }
    }

    /// Returns the parts whose scope does not include the other block, as far as they are known.
    fn too_narrow(&self, narrow: TooNarrow) -> finding::Narrow {
        let mut parts: Vec<NarrowPart> = Vec::new();
        for site in [narrow.release, narrow.sees, narrow.fence].into_iter().flatten() {
            let pc = self.conflict.sites.pc(site);
            let op = self.launch.code.instrs.get(pc as usize).map(|instr| &instr.op);
            let what = match op {
                Some(Op::Fence(_)) => Synchroniser::Fence,
                Some(Op::Atomic(it)) => Synchroniser::Atomic { operation: it.operation },
                Some(Op::Load(_)) => Synchroniser::Load,
                Some(Op::Mbarrier(_)) => Synchroniser::Arrival,
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

    /// Returns the source location of a site, if it is in the file of the second access.
    fn location(&self, site: u32) -> Option<SourceLocation> {
        self.conflict.sites.beside(self.launch.code, site, self.conflict.race.second.info.site())
    }

    /// Returns the element of a vector access that is in the word, and its address.
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
        let info = race.first.info;
        let site = info.site();
        let same_step = race.first.warp() == race.second.warp()
            && info.site() == race.second.info.site()
            && race.first.clock == race.second.clock;
        let size = info.size().min(8);
        let value = match (&values.stored, touch.region) {
            (Some(_), _) if same_step && info.writes() => {
                values.of(race.first.lane() as usize, touch.region, address, element)
            }
            // The value that the first access left or found is still in memory: the second has not happened yet.
            (_, Some(region)) if size == values.ty.bytes() => {
                Some(values::value(region.load_sized(address & !u64::from(size - 1), size), values.ty))
            }
            _ => None,
        };
        let (code, pc) = match earlier {
            Some(record) => (record.code(), record.sites.pc(site)),
            None => (Some(launch.code), sites.pc(site)),
        };
        let is_own = earlier.is_none();
        let kind = match access_kind(info, code, pc) {
            // The read of a tensor map counts as its thread's own.
            AccessKind::AsyncCopy if is_own && !is_copy(launch, race.first) => AccessKind::Load,
            kind => kind,
        };
        let action = match (kind, kind_of(info, code, pc)) {
            (AccessKind::BarrierObject, RecordedKind::Write) if is_own => Action::Initialised,
            (AccessKind::BarrierObject, _) if is_own => Action::Used,
            _ if is_own && is_product(launch, race.first) => Action::StartedProduct { from_memory: true },
            (_, RecordedKind::Read) if is_own && is_copy(launch, race.first) => Action::StartedCopyFrom,
            _ if is_own && is_copy(launch, race.first) => Action::StartedCopyTo,
            (_, RecordedKind::Read) => {
                let unwritten = values.is_unwritten(lane, element);
                Action::Loaded { value: value.map(|value| AccessValue { unwritten, ..value }) }
            }
            (_, RecordedKind::Write) => Action::Stored { value },
            // An atomic operation's operand is no longer known; its result is what counts.
            (_, RecordedKind::Atomic) => Action::UpdatedTo { value },
        };
        let op = code.and_then(|code| code.instrs.get(pc as usize)).map(|instr| &instr.op);
        // In shared memory all scopes include the block, and `info` does not distinguish them.
        let scope = info.scope().map(|scope| op.and_then(semantics).map_or(scope, |it| it.scope));
        let memory = MemoryAccess { kind, space: touch.space, scope, bytes: info.size() };
        let (block, thread) = whereabouts(launch, race.first.thread);
        let end = match earlier {
            None => access(launch, sites, block, thread, site, action),
            // The grid may have had another shape, so the thread's position in it is not known here.
            Some(record) => record.access(site, record.earlier(action)),
        };
        Access { memory: Some(memory), ..end }
    }

    /// Returns the name of a lock.
    fn name_of(&self, (block, address): Location) -> MemoryPlace {
        let space = if block.is_some() { Space::Shared } else { Space::Global };
        match place::of(self.launch, space, address, 4) {
            MemoryPlace::Unnamed { .. } => MemoryPlace::Address { address },
            named => named,
        }
    }
}

/// Returns the relation of two blocks of different grids, which nothing orders; `None` for blocks of one grid.
fn between_grids(launch: &Launch, race: &Race, first: u64, second: u64) -> Option<Relation> {
    let (first, second) = (launch.grid_of(first), launch.grid_of(second));
    if race.narrow.is_some() || first.first_block == second.first_block {
        return None;
    }
    let name = |grid: &GridIdentity| launch.code.parts[grid.part as usize].name.to_string();
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
        Op::Mbarrier(it) => Some(it.semantics),
        _ => None,
    }
}

/// Returns the kind of an access, by its instruction.
fn access_kind(info: AccessInfo, code: Option<&KernelCode>, pc: u32) -> AccessKind {
    let is_object = |code: &KernelCode| matches!(code.instrs.get(pc as usize), Some(Instr { op: Op::Mbarrier(_), .. }));
    let is_matrix = |code: &KernelCode| code.instrs.get(pc as usize).is_some_and(|it| wgmma::is_product(&it.op));
    match kind_of(info, code, pc) {
        _ if code.is_some_and(|code| starts_copy(code, pc)) => AccessKind::AsyncCopy,
        _ if code.is_some_and(is_object) => AccessKind::BarrierObject,
        _ if code.is_some_and(is_matrix) => AccessKind::MatrixOperand,
        RecordedKind::Read => AccessKind::Load,
        RecordedKind::Write => AccessKind::Store,
        RecordedKind::Atomic => AccessKind::Atomic,
    }
}

/// Returns the kind of an access, by the effect of its instruction: an update whose result is not used is recorded as a
/// store.
pub(super) fn kind_of(info: AccessInfo, code: Option<&KernelCode>, pc: u32) -> RecordedKind {
    match code.and_then(|code| code.instrs.get(pc as usize)) {
        Some(Instr { op: Op::Atomic(_), .. }) => RecordedKind::Atomic,
        _ => info.kind(),
    }
}

/// Returns the slug of a race, by its space and cause.
pub(super) fn slug_of(space: Space, scope: bool) -> Slug {
    match (scope, space) {
        (true, _) => Slug::RaceScope,
        (_, Space::Shared) => Slug::RaceShared,
        _ => Slug::RaceGlobal,
    }
}

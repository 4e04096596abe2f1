//! What may help against a finding: what its cause names exactly, then what stands near its lines, smallest first.
//!
//! Cheap guesses: each is tried before it is told, so none needs to be likely. No analysis stands behind them but the
//! source's statements.

mod places;

pub use places::Places;

use crate::source::Source;
use finding::{
    AbsentLane, AccessKind, AtomicAccess, BarrierKind, Cause, Distance, Edit, Finding, Position, Relation, Remedy,
    Scope, SourceLocation, Unwritten,
};

/// Of a finding of `kernel`; each remedy names one place for each of its edits.
pub fn candidates(finding: &Finding, places: &impl Places, kernel: &str) -> Vec<Remedy> {
    let near = Near { finding, places, kernel };
    let exact = finding.remedies.iter().flat_map(|remedy| near.exactly(remedy));
    let mut all: Vec<Remedy> = Vec::new();
    for remedy in exact.chain(near.by_cause()) {
        if !remedy.is_empty() && !all.contains(&remedy) {
            all.push(remedy);
        }
    }
    all
}

/// The same by the source's `text`. `is_here` tells its own name from its headers', which are other texts: what changes one of those
/// is left out. None where the text cannot be read.
pub fn candidates_in(text: &str, is_here: impl Fn(&str) -> bool, finding: &Finding, kernel: &str) -> Vec<Remedy> {
    let Ok(source) = Source::parse(text) else { return Vec::new() };
    let mut all = candidates(finding, &source, kernel);
    all.retain(|remedy| remedy.iter().flat_map(Edit::locations).all(|at| is_here(&at.file)));
    all
}

/// What may be meant in a kernel's text, with a finding or without one.
pub fn guesses_in(text: &str, finding: Option<&Finding>, kernel: &str) -> Vec<Remedy> {
    if finding.is_some_and(is_of_the_launch) {
        return Vec::new();
    }
    let lines: Vec<u32> =
        finding.iter().flat_map(|it| &it.accesses).filter_map(|it| Some(it.location.as_ref()?.line)).collect();
    Source::parse(text).map_or(Vec::new(), |source| source.guesses(kernel, "", &lines))
}

/// What no change of an expression cures.
fn is_of_the_launch(finding: &Finding) -> bool {
    match &finding.cause {
        Cause::Unordered(race) => matches!(race.relation, Relation::Launches | Relation::Grids { .. }),
        cause => matches!(
            cause,
            Cause::NotCooperative
                | Cause::PointerToOwnMemory { .. }
                | Cause::HostUnordered { .. }
                | Cause::HostFreedTwice
                | Cause::UseAfterFree { .. }
        ),
    }
}

/// A finding's lines in their source.
struct Near<'a, P> {
    finding: &'a Finding,
    places: &'a P,
    kernel: &'a str,
}

impl<P: Places> Near<'_, P> {
    /// The same with each place between two lines in turn.
    fn exactly(&self, remedy: &Remedy) -> Vec<Remedy> {
        let mut all: Vec<Remedy> = vec![Vec::new()];
        for edit in remedy {
            let each = match edit {
                Edit::InsertBarrier { barrier, at: Position::Between { first, second } } => {
                    let insert = |at| Edit::InsertBarrier { barrier: *barrier, at };
                    self.between(first, second).into_iter().map(insert).collect()
                }
                Edit::InsertFence { scope, at: Position::Between { first, second } } => {
                    let insert = |at| Edit::InsertFence { scope: *scope, at };
                    self.between(first, second).into_iter().map(insert).collect()
                }
                Edit::BoundIndex { at, below: None } => self.bounds(at),
                edit => vec![edit.clone()],
            };
            let with = |edit: &Edit| {
                let edit = edit.clone();
                all.iter().map(move |so_far| so_far.iter().cloned().chain([edit.clone()]).collect())
            };
            all = each.iter().flat_map(with).collect();
        }
        all
    }

    fn by_cause(&self) -> Vec<Remedy> {
        match &self.finding.cause {
            Cause::Unordered(race) => match &race.relation {
                Relation::Launches | Relation::ParentAndChild { .. } | Relation::Grids { .. } => Vec::new(),
                _ => {
                    let widest = race.others.iter().fold(race.distance, |widest, other| widest.max(*other));
                    let mut all = self.waits();
                    all.extend(self.split_updates(widest));
                    all.extend(self.flags(&race.relation));
                    all.extend(self.barriers(widest));
                    all.extend(self.atomics());
                    all.extend(race.lost_update.iter().flat_map(|_| self.barriers_and_splits(widest)));
                    let own = own_barrier(widest).into_iter();
                    all.extend(
                        own.flat_map(|own| self.written(|source, at| source.in_step(at, own).into_iter().collect())),
                    );
                    all.extend(self.by_one(widest));
                    all.extend(self.written(Source::divided));
                    all.extend(self.written(Source::together));
                    all
                }
            },
            Cause::OutOfBounds { .. } | Cause::OutsideArray { .. } => {
                let bounds = self.lines().into_iter().flat_map(|at| self.bounds(&at)).collect();
                let each = [
                    bounds,
                    self.written(Source::guards),
                    self.written(Source::returns),
                    self.written(Source::strict),
                    self.written(Source::bounded_reads),
                    self.written(Source::larger),
                ];
                each.into_iter().flatten().map(|edit| vec![edit]).collect()
            }
            Cause::NeverWritten(unwritten) => match &unwritten.from {
                // Its first access is the load.
                Unwritten::Loaded { .. } => {
                    let load = self.finding.accesses.first().and_then(|access| access.location.as_ref());
                    let bounded = load.zip(self.places.source()).map(|(at, source)| source.bounded_reads(at));
                    let all = bounded.into_iter().flatten().map(|edit| vec![edit]).chain(self.waiting());
                    all.chain(self.written(Source::together)).chain(self.written(Source::initialised)).collect()
                }
                Unwritten::Unknown { writers } => {
                    let broadcasts = writers.iter().zip(self.places.source().into_iter().cycle());
                    let broadcasts = broadcasts.flat_map(|(at, source)| source.broadcasts(at)).map(|edit| vec![edit]);
                    broadcasts.chain(self.written(Source::initialised)).collect()
                }
                Unwritten::Copied { at, .. } => {
                    let source = at.as_ref().zip(self.places.source());
                    source.map_or(Vec::new(), |(at, source)| source.valued(at, None))
                }
            },
            Cause::AbsentLane(absence) => {
                let lanes = match absence.absent {
                    AbsentLane::NoThread { threads } => self.fewer_lanes(threads),
                    AbsentLane::Exited | AbsentLane::NotNamed { .. } => Vec::new(),
                };
                lanes.into_iter().chain(self.collectives()).chain(self.by_all()).collect()
            }
            Cause::MaskMismatch { .. } | Cause::OutsideOwnMask { .. } => {
                self.collectives().into_iter().chain(self.by_all()).collect()
            }
            Cause::BarrierDivergence { .. }
            | Cause::WarpsAtDifferentBarriers { .. }
            | Cause::BarrierInBranch { .. }
            | Cause::GridDeadlock { .. }
            | Cause::Deadlock { .. } => {
                let all = self.written(Source::together).into_iter().chain(self.moved_barriers());
                all.chain(self.collectives()).collect()
            }
            Cause::Livelock(_) => {
                let mut all: Vec<Remedy> = self.written(Source::later_barriers);
                // A lock is often taken in a function.
                for (lines, source) in [self.lines(), self.calls()].iter().zip(self.places.source().into_iter().cycle())
                {
                    all.extend(lines.windows(2).filter_map(|pair| source.in_order(&pair[0], &pair[1])));
                }
                all
            }
            _ => Vec::new(),
        }
    }

    /// What the source suggests near each of the lines.
    fn written<T>(&self, near: impl Fn(&Source, &SourceLocation) -> Vec<T>) -> Vec<T> {
        let Some(source) = self.places.source() else { return Vec::new() };
        self.lines().iter().flat_map(|at| near(source, at)).collect()
    }

    /// What lanes do together: by all, where some would not come.
    fn by_all(&self) -> Vec<Remedy> {
        let (mut all, lines) = (self.written(Source::together), self.lines());
        for remedy in all.clone() {
            let whole = lines.iter().map(|at| Edit::ChangeMask { at: at.clone(), mask: u32::MAX });
            all.extend(whole.map(|mask| remedy.iter().cloned().chain([mask]).collect()));
        }
        all
    }

    /// The lines of the accesses, each once, from the top.
    fn lines(&self) -> Vec<SourceLocation> {
        from_the_top(self.finding.accesses.iter().filter_map(|access| access.location.clone()))
    }

    /// The lines from which the functions with the accesses are called, likewise.
    fn calls(&self) -> Vec<SourceLocation> {
        from_the_top(self.finding.accesses.iter().flat_map(|access| access.called_from.clone()))
    }

    /// Each place for a statement between two lines.
    fn between(&self, first: &SourceLocation, second: &SourceLocation) -> Vec<Position> {
        if first.file != second.file {
            return Vec::new();
        }
        let (upper, lower) = (first.line.min(second.line), first.line.max(second.line));
        self.places.between(&first.file, upper, lower)
    }

    /// A barrier between the lines, and anywhere in the loops that they stand in.
    fn barriers(&self, widest: Distance) -> Vec<Remedy> {
        let lines = self.lines();
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Vec::new() };
        let mut places = self.between(first, last);
        for at in [last, first] {
            places.extend(self.places.in_loop(at));
        }
        let kinds: &[BarrierKind] = match widest {
            Distance::Warp => &[BarrierKind::Warp { mask: u32::MAX }, BarrierKind::Block],
            Distance::Block => &[BarrierKind::Block],
            Distance::Grid if self.places.knows_grids() => &[BarrierKind::Grid],
            Distance::Grid => &[],
        };
        let insert = |barrier: &BarrierKind| {
            let barrier = *barrier;
            places.iter().map(move |at| vec![Edit::InsertBarrier { barrier, at: at.clone() }])
        };
        kinds.iter().flat_map(insert).collect()
    }

    /// A barrier before the lines: another thread may write what is read there, later.
    fn waiting(&self) -> Vec<Remedy> {
        let barrier = BarrierKind::Block;
        let before = |at: SourceLocation| vec![Edit::InsertBarrier { barrier, at: Position::Before { at } }];
        self.lines().into_iter().map(before).collect()
    }

    /// The copies that the lines start are waited for, by each thread and, where that is not enough, by the block.
    fn waits(&self) -> Vec<Remedy> {
        let waits = self.written(Source::waits).into_iter();
        let with_barrier = |wait: Edit| {
            let Edit::Insert { at, .. } = &wait else { return vec![vec![wait]] };
            let barrier = Edit::InsertBarrier { barrier: BarrierKind::Block, at: at.clone() };
            vec![vec![wait.clone()], vec![wait, barrier]]
        };
        waits.flat_map(with_barrier).collect()
    }

    /// The line races with itself: all have read before one writes, and all have written before one goes on.
    fn split_updates(&self, widest: Distance) -> Vec<Remedy> {
        let ([at], Some(barrier)) = (&self.lines()[..], own_barrier(widest)) else { return Vec::new() };
        let split = Edit::SplitUpdate { at: at.clone(), barrier };
        let after = Edit::InsertBarrier { barrier, at: Position::After { at: at.clone() } };
        vec![vec![split.clone()], vec![split, after]]
    }

    /// The same of one of two lines, and a barrier between them.
    fn barriers_and_splits(&self, widest: Distance) -> Vec<Remedy> {
        let lines = self.lines();
        let ([first, last], Some(barrier)) = (&lines[..], own_barrier(widest)) else { return Vec::new() };
        let mut all = Vec::new();
        for at in [last, first] {
            for place in self.between(first, last) {
                let between = Edit::InsertBarrier { barrier, at: place };
                let split = Edit::SplitUpdate { at: at.clone(), barrier };
                let after = Edit::InsertBarrier { barrier, at: Position::After { at: at.clone() } };
                if between != after {
                    all.push(vec![between, split, after]);
                }
            }
        }
        all
    }

    /// What one thread waits for and another sets is a flag: both atomically, with fences around what it tells of.
    fn flags(&self, relation: &Relation) -> Vec<Remedy> {
        let Relation::Threads(between) = relation else { return Vec::new() };
        if between.polled.is_none() {
            return Vec::new();
        }
        let (mut atomic, mut fences) = (Vec::new(), Vec::new());
        for access in &self.finding.accesses {
            let (Some(at), Some(memory)) = (access.location.clone(), &access.memory) else { return Vec::new() };
            let (access, position) = match memory.kind {
                AccessKind::Load => (AtomicAccess::Load, Position::After { at: at.clone() }),
                AccessKind::Store => (AtomicAccess::Store, Position::Before { at: at.clone() }),
                _ => continue,
            };
            atomic.push(Edit::MakeAtomic { at, access });
            fences.push(Edit::InsertFence { scope: Scope::Device, at: position });
        }
        vec![atomic.clone(), atomic.into_iter().chain(fences).collect()]
    }

    /// The warp has so many threads only.
    fn fewer_lanes(&self, threads: u32) -> Vec<Remedy> {
        if !threads.is_power_of_two() || threads < 2 {
            return Vec::new();
        }
        let mut all = Vec::new();
        for at in self.lines() {
            let width = Edit::ChangeWidth { at: at.clone(), width: threads };
            let halved = self.places.source().and_then(|source| source.halved(&at, threads));
            all.extend(halved.clone().map(|halved| vec![halved, width.clone()]));
            all.extend(halved.map(|halved| vec![halved]));
            all.push(vec![width]);
        }
        all
    }

    /// What all store at one place, one thread stores.
    fn by_one(&self, widest: Distance) -> Option<Remedy> {
        let ([at], Some(_)) = (&self.lines()[..], self.places.source()) else { return None };
        let condition = match widest {
            Distance::Grid => "blockIdx.x * blockDim.x + threadIdx.x == 0",
            Distance::Warp | Distance::Block => "threadIdx.x == 0",
        };
        Some(vec![Edit::Guard { at: at.clone(), condition: condition.into() }])
    }

    /// Each line as one atomic operation.
    fn atomics(&self) -> Vec<Remedy> {
        let update = AtomicAccess::Update { operation: None };
        self.lines().into_iter().map(|at| vec![Edit::MakeAtomic { at, access: update }]).collect()
    }

    /// The access only where its index is smaller than one of the kernel's arguments.
    fn bounds(&self, at: &SourceLocation) -> Vec<Edit> {
        let bound = |number| Edit::BoundIndex { at: at.clone(), below: Some(number) };
        self.places.counts(self.kernel).into_iter().map(bound).collect()
    }

    /// What lanes do together: by all lanes, before the branch that parts them.
    fn collectives(&self) -> Vec<Remedy> {
        let mut all = Vec::new();
        for at in self.lines() {
            let whole = Edit::ChangeMask { at: at.clone(), mask: u32::MAX };
            all.push(vec![whole.clone()]);
            for above in self.places.branches(&at) {
                let hoist = Edit::Hoist { at: at.clone(), above };
                all.push(vec![hoist.clone()]);
                all.push(vec![hoist, whole.clone()]);
            }
        }
        all
    }

    /// The barriers of the finding's lines, taken together and put before or after the branch that parts the threads.
    fn moved_barriers(&self) -> Vec<Remedy> {
        let lines = self.lines();
        let remove = |at: &SourceLocation| Edit::RemoveBarrier { at: at.clone() };
        let mut all = Vec::new();
        for at in &lines {
            for branch in self.places.branches(at) {
                let places = [Position::Before { at: branch.clone() }, Position::After { at: branch }];
                for at_branch in places {
                    let barrier = BarrierKind::Block;
                    let insert = Edit::InsertBarrier { barrier, at: at_branch };
                    all.push(lines.iter().map(remove).chain([insert.clone()]).collect());
                    all.push(vec![remove(at), insert]);
                }
            }
        }
        all
    }
}

/// What holds threads so far from one another, in any launch.
fn own_barrier(widest: Distance) -> Option<BarrierKind> {
    match widest {
        Distance::Warp => Some(BarrierKind::Warp { mask: u32::MAX }),
        Distance::Block => Some(BarrierKind::Block),
        Distance::Grid => None,
    }
}

fn from_the_top(places: impl Iterator<Item = SourceLocation>) -> Vec<SourceLocation> {
    let mut all: Vec<_> = places.collect();
    all.sort();
    all.dedup_by_key(|at| (at.file.clone(), at.line));
    all
}

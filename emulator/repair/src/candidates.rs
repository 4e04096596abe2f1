//! Candidates for the fix of a finding: what its cause names exactly, then what stands near its lines, smallest first.
//!
//! These are cheap guesses from the source's statements, without further analysis. Each is tried before it is told, so
//! a wrong guess does no harm.

mod places;

pub use places::Places;

use crate::source::SourceFile;
use finding::{
    Access, Action, AtomicAccess, BarrierKind, BarrierMisuse, Cause, Copies, Distance, Edit, Finding, Position,
    Relation, Remedy, Scope, SourceLocation, Unordered,
};

/// Returns the candidates for a finding of `kernel`; each remedy names one place for each of its edits.
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

/// As [`candidates`], by the source's `text`. `is_here` tells its own name from its headers', which are other texts:
/// what changes one of those is left out. None where the text cannot be read.
pub fn candidates_in(text: &str, is_here: impl Fn(&str) -> bool, finding: &Finding, kernel: &str) -> Vec<Remedy> {
    let Ok(source) = SourceFile::parse(text) else { return Vec::new() };
    let mut all = candidates(finding, &source, kernel);
    all.retain(|remedy| remedy.iter().flat_map(Edit::locations).all(|at| is_here(&at.file)));
    all
}

/// Returns what may be meant in a kernel's text, with a finding or without one.
pub fn guesses_in(text: &str, finding: Option<&Finding>, kernel: &str) -> Vec<Remedy> {
    if finding.is_some_and(is_of_the_launch) {
        return Vec::new();
    }
    let lines: Vec<u32> =
        finding.iter().flat_map(|it| &it.accesses).filter_map(|it| Some(it.location.as_ref()?.line)).collect();
    SourceFile::parse(text).map_or(Vec::new(), |source| source.guesses(kernel, "", &lines))
}

/// Returns true for a finding that no change of an expression cures.
fn is_of_the_launch(finding: &Finding) -> bool {
    match &finding.cause {
        Cause::Unordered(race) => matches!(
            race.relation,
            Relation::Launches | Relation::Host { .. } | Relation::Grids { .. } | Relation::Dependent { .. }
        ),
        cause => matches!(
            cause,
            Cause::NotCooperative
                | Cause::PointerToOwnMemory { .. }
                | Cause::HostUnordered { .. }
                | Cause::HostFreedTwice
                | Cause::UseAfterFree { .. }
                | Cause::BeforePeerStarts { .. }
                | Cause::AfterPeerEnds { .. }
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
    /// The remedy with each place between two lines in turn.
    fn exactly(&self, remedy: &Remedy) -> Vec<Remedy> {
        let mut all: Vec<Remedy> = vec![Vec::new()];
        for edit in remedy {
            let each = match edit {
                Edit::InsertBarrier { barrier, at: Position::Between { first, second } } => {
                    let places = self.between(first, second);
                    let alike = self.barriers_like(*barrier, first.line);
                    let insert = |barrier| places.iter().cloned().map(move |at| Edit::InsertBarrier { barrier, at });
                    alike.into_iter().flat_map(insert).collect()
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
                Relation::Launches | Relation::Host { .. } | Relation::Grids { .. } => Vec::new(),
                Relation::Dependent { .. } => self.grid_waits(),
                Relation::ParentAndChild { .. } => self.before_launches(),
                _ => {
                    let widest = race.widest();
                    let all = self.waits(race).into_iter().chain(self.split_updates(widest));
                    let all = all.chain(self.barriers(widest)).chain(self.handed_on(race)).chain(self.atomics());
                    let all = all.chain(self.by_one(widest)).chain(self.fences(widest));
                    all.chain(self.written(SourceFile::together)).collect()
                }
            },
            Cause::OutOfBounds { .. } | Cause::OutsideArray { .. } => {
                let bounds: Vec<Edit> = self.lines().into_iter().flat_map(|at| self.bounds(&at)).collect();
                let edits =
                    bounds.into_iter().chain(self.written(SourceFile::guards)).chain(self.written(SourceFile::returns));
                edits.map(|edit| vec![edit]).chain(self.written(SourceFile::bounded_reads)).collect()
            }
            Cause::NeverWritten(_) => {
                let each = [
                    self.written(SourceFile::bounded_reads),
                    self.waiting(),
                    self.written(SourceFile::together),
                    self.written(SourceFile::initialised),
                ];
                each.into_iter().flatten().collect()
            }
            Cause::AbsentLane(_) => self.widths().chain(self.collectives()).chain(self.by_all()).collect(),
            Cause::MaskMismatch { .. } | Cause::OutsideOwnMask { .. } => {
                self.collectives().into_iter().chain(self.by_all()).collect()
            }
            Cause::BarrierCount { .. } | Cause::CountsDiffer => self.counts(),
            Cause::BarrierDivergence { .. }
            | Cause::WarpsAtDifferentBarriers { .. }
            | Cause::BarrierInBranch { .. }
            | Cause::GridDeadlock { .. }
            | Cause::Deadlock { .. }
            | Cause::Livelock(_) => {
                let all = self.written(SourceFile::together).into_iter().chain(self.moved_barriers());
                all.chain(self.collectives()).collect()
            }
            Cause::BeforePeerStarts { .. } | Cause::AfterPeerEnds { .. } => self.cluster_barriers(),
            Cause::ProductNotWaitedFor { .. } => self.product_waits(),
            Cause::ProductNotFenced { .. } | Cause::FirstProductNotFenced => self.product_fences(),
            _ => Vec::new(),
        }
    }

    /// Returns the suggestions of the source near each of the lines.
    fn written<T>(&self, near: impl Fn(&SourceFile, &SourceLocation) -> Vec<T>) -> Vec<T> {
        let Some(source) = self.places.source() else { return Vec::new() };
        self.lines().iter().flat_map(|at| near(source, at)).collect()
    }

    /// Makes all lanes take part in a collective, where some would not come.
    fn by_all(&self) -> Vec<Remedy> {
        let whole = |at: &SourceLocation| Edit::ChangeMask { at: at.clone(), mask: u32::MAX };
        let masks: Vec<Edit> = self.lines().iter().map(whole).collect();
        let with_mask = |remedy: Remedy| {
            let both = masks.iter().map(|mask| remedy.iter().cloned().chain([mask.clone()]).collect());
            std::iter::once(remedy.clone()).chain(both.collect::<Vec<_>>())
        };
        self.written(SourceFile::together).into_iter().flat_map(with_mask).collect()
    }

    /// The lines of the accesses, each once, from the top.
    fn lines(&self) -> Vec<SourceLocation> {
        from_the_top(self.finding.accesses.iter().filter_map(|access| access.location.clone()))
    }

    /// Each place for a statement between two lines.
    fn between(&self, first: &SourceLocation, second: &SourceLocation) -> Vec<Position> {
        if first.file != second.file {
            return Vec::new();
        }
        let (upper, lower) = (first.line.min(second.line), first.line.max(second.line));
        self.places.between(&first.file, upper, lower)
    }

    fn barriers_like(&self, barrier: BarrierKind, line: u32) -> Vec<BarrierKind> {
        self.places.source().map_or(vec![barrier], |source| source.barriers_like(barrier, line))
    }

    /// A barrier between the lines, and anywhere in the loops that they stand in.
    fn barriers(&self, widest: Distance) -> Vec<Remedy> {
        let lines = self.lines();
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Vec::new() };
        let mut places = self.between(first, last);
        for at in [last, first] {
            places.extend(self.places.in_loop(at));
        }
        let is_copy = self.finding.accesses.iter().any(|access| access.action == Action::StartedCopyTo);
        let kinds: &[BarrierKind] = match widest {
            // Before a copy, a lane may arrive at a barrier object for its warp.
            Distance::Block if !is_copy => &[BarrierKind::Block],
            Distance::Warp | Distance::Block => &[BarrierKind::Warp { mask: u32::MAX }, BarrierKind::Block],
            Distance::Grid if self.finding.is_in_cluster() => &[BarrierKind::Cluster],
            Distance::Grid if self.places.knows_grids() => &[BarrierKind::Grid],
            Distance::Grid => &[],
        };
        let alike = kinds.iter().flat_map(|barrier| self.barriers_like(*barrier, first.line));
        let insert = |barrier| places.iter().map(move |at| vec![Edit::InsertBarrier { barrier, at: at.clone() }]);
        alike.flat_map(insert).collect()
    }

    /// A barrier before the lines: another thread may write what is read there, later.
    fn waiting(&self) -> Vec<Remedy> {
        let barrier = BarrierKind::Block;
        let before = |at: SourceLocation| vec![Edit::InsertBarrier { barrier, at: Position::Before { at } }];
        self.lines().into_iter().map(before).collect()
    }

    /// A cluster barrier near an access to a peer's memory, or a wait for a copy that may outlive its block.
    fn cluster_barriers(&self) -> Vec<Remedy> {
        let is_early = matches!(self.finding.cause, Cause::BeforePeerStarts { .. });
        let near = |at: SourceLocation| match is_early {
            true => self.places.near(&at, at.line.saturating_sub(NEAR)..=at.line),
            false => self.places.near(&at, at.line..=at.line + NEAR),
        };
        let insert = |at| match self.finding.is_in_own_block() {
            true => vec![Edit::InsertBulkWait { at }],
            false => vec![Edit::InsertBarrier { barrier: BarrierKind::Cluster, at }],
        };
        self.lines().into_iter().flat_map(near).map(insert).collect()
    }

    /// Between the line of a copy and the thread's own next one.
    fn waits(&self, race: &Unordered) -> Vec<Remedy> {
        match race.relation {
            Relation::Copies { copies: Copies::Both | Copies::OneThread { .. } } => self.each_wait(),
            Relation::Copies { copies: Copies::Bulk { by_object: false, .. } } => {
                self.between_lines().into_iter().map(|at| vec![Edit::InsertBulkWait { at }]).collect()
            }
            Relation::Copies { copies: Copies::Product } => self.product_waits(),
            Relation::Copies { copies: Copies::ProxyFence { .. } } => {
                self.between_lines().into_iter().map(|at| vec![Edit::InsertProxyFence { at }]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Before a product whose registers have been written.
    fn product_fences(&self) -> Vec<Remedy> {
        let at = self.finding.accesses.last().and_then(|access| access.location.clone());
        at.map(|at| vec![Edit::InsertProductFence { at: Position::Before { at } }]).into_iter().collect()
    }

    /// Right after a product, or between its line and what uses its registers or changes its matrix. Other threads also
    /// need a barrier after the wait.
    fn product_waits(&self) -> Vec<Remedy> {
        let barrier = BarrierKind::Block;
        let wait = |at: &Position| Edit::InsertProductWait { at: at.clone() };
        let place = |access: Option<&Access>| access.and_then(|access| access.location.clone());
        let is_product = |access: &&Access| matches!(access.action, Action::StartedProduct { .. });
        let product = place(self.finding.accesses.iter().find(is_product));
        // The use of a register may be arithmetic within a statement, where no instruction can be inserted.
        let used = place(self.finding.accesses.last());
        let mut places: Vec<Position> = product.map(|at| Position::After { at }).into_iter().collect();
        places.extend(self.between_lines());
        places.extend(used.map(|at| Position::Before { at }));
        let alone = places.iter().map(|at| vec![wait(at)]);
        let both = places.iter().map(|at| vec![wait(at), Edit::InsertBarrier { barrier, at: at.clone() }]);
        alone.chain(both).collect()
    }

    /// Before the access of the later launch.
    fn grid_waits(&self) -> Vec<Remedy> {
        let at = self.finding.accesses.last().and_then(|access| access.location.clone());
        at.map(|at| vec![Edit::InsertGridWait { at: Position::Before { at } }]).into_iter().collect()
    }

    /// A barrier is there for other threads, before which the copy has to be waited for.
    fn handed_on(&self, race: &Unordered) -> Vec<Remedy> {
        let Relation::Copies { copies: Copies::OtherThread } = race.relation else { return Vec::new() };
        self.each_wait()
    }

    fn each_wait(&self) -> Vec<Remedy> {
        self.between_lines().into_iter().map(|at| vec![Edit::InsertWait { at }]).collect()
    }

    /// Each place between the lines of the two accesses.
    fn between_lines(&self) -> Vec<Position> {
        match &self.lines()[..] {
            [first, .., last] => self.between(first, last),
            _ => Vec::new(),
        }
    }

    /// Between blocks: before what sets a flag, after what looks at it, or both.
    fn fences(&self, widest: Distance) -> Vec<Remedy> {
        let ([first, second], Distance::Grid) = (&self.finding.accesses[..], widest) else { return Vec::new() };
        let (Some(first), Some(second)) = (&first.location, &second.location) else { return Vec::new() };
        let fence = |at: Position| Edit::InsertFence { scope: Scope::Device, at };
        let [after, before] =
            [Position::After { at: first.clone() }, Position::Before { at: second.clone() }].map(fence);
        vec![vec![after.clone()], vec![before.clone()], vec![after, before]]
    }

    /// The line races with itself: all have read before one writes, and all have written before one goes on.
    fn split_updates(&self, widest: Distance) -> Vec<Remedy> {
        let ([at], Some(barrier)) = (&self.lines()[..], BarrierKind::of(widest)) else { return Vec::new() };
        let split = Edit::SplitUpdate { at: at.clone(), barrier };
        let after = Edit::InsertBarrier { barrier, at: Position::After { at: at.clone() } };
        vec![vec![split.clone()], vec![split, after]]
    }

    /// All threads name one count of whole warps.
    fn counts(&self) -> Vec<Remedy> {
        let given = self.finding.accesses.iter().filter_map(|access| match access.action {
            Action::Misused { misuse: BarrierMisuse::GaveCount { count }, .. } => u32::try_from(count).ok(),
            _ => None,
        });
        let whole = given.filter_map(|count| count.max(1).checked_next_multiple_of(32));
        let all = |threads| self.lines().into_iter().map(|at| Edit::ChangeCount { at, threads }).collect();
        whole.map(all).collect()
    }

    /// A part of the warp trades by itself.
    fn widths(&self) -> impl Iterator<Item = Remedy> {
        let of_line = |at: SourceLocation| [16, 8, 4].map(|width| vec![Edit::ChangeWidth { at: at.clone(), width }]);
        self.lines().into_iter().flat_map(of_line)
    }

    /// Lets one thread store what all store at one place.
    fn by_one(&self, widest: Distance) -> Option<Remedy> {
        let [at] = &self.lines()[..] else { return None };
        let condition = match widest {
            Distance::Grid => ONE_OF_GRID,
            Distance::Warp | Distance::Block => ONE_OF_BLOCK,
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

    /// Moves a collective before the branch that parts the lanes: all of them take part there.
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

    /// The barriers of the finding's lines, taken together and put before or after the branch that parts the threads,
    /// further down, or nowhere.
    fn moved_barriers(&self) -> Vec<Remedy> {
        let lines = self.lines();
        let remove = |at: &SourceLocation| Edit::RemoveBarrier { at: at.clone() };
        let (barrier, below) = match self.finding.cause {
            Cause::Livelock(_) => (BarrierKind::Warp { mask: u32::MAX }, NEAR),
            _ => (BarrierKind::Block, 0),
        };
        let mut all = Vec::new();
        for at in &lines {
            let branches = self.places.branches(at).into_iter();
            let beside = branches.flat_map(|at| [Position::Before { at: at.clone() }, Position::After { at }]);
            let below = self.places.between(&at.file, at.line + 1, at.line + below);
            for place in beside.chain(below) {
                let insert = Edit::InsertBarrier { barrier, at: place };
                all.push(lines.iter().map(remove).chain([insert.clone()]).collect());
                all.push(vec![remove(at), insert]);
            }
        }
        // Nothing may need it.
        all.push(lines.iter().map(remove).collect());
        all
    }

    /// A barrier before a launch, and before the branch that it is in.
    fn before_launches(&self) -> Vec<Remedy> {
        let sites = self.finding.accesses.iter().flat_map(|access| &access.launched_by);
        let launches = from_the_top(sites.filter_map(|site| site.location.clone())).into_iter();
        let places = launches.flat_map(|at| self.places.branches(&at).into_iter().chain([at]));
        let barrier = BarrierKind::Block;
        places.map(|at| vec![Edit::InsertBarrier { barrier, at: Position::Before { at } }]).collect()
    }
}

/// Lines below a barrier that a thread waits for after a loop that never ends, and around an access to a peer's memory.
const NEAR: u32 = 16;

/// One thread of all, as a condition in C++.
pub(crate) const ONE_OF_BLOCK: &str = "threadIdx.x == 0";
pub(crate) const ONE_OF_GRID: &str = "blockIdx.x * blockDim.x + threadIdx.x == 0";

fn from_the_top(places: impl Iterator<Item = SourceLocation>) -> Vec<SourceLocation> {
    let mut all: Vec<_> = places.collect();
    all.sort();
    all.dedup_by_key(|at| (at.file.clone(), at.line));
    all
}

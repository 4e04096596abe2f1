//! What may help against a finding: what its cause names exactly, then what stands near its lines, smallest first.
//!
//! Cheap guesses: each is tried before it is told, so none needs to be likely. No analysis stands behind them but the
//! source's statements.

use crate::source::{Source, location};
use finding::{AtomicAccess, BarrierKind, Cause, Distance, Edit, Finding, Position, Relation, Remedy, SourceLocation};

/// What is around a line, by whatever is at hand of the kernel: its source, or its PTX alone.
pub trait Places {
    /// Each place for a statement between two lines of a file, from the top.
    fn between(&self, file: &str, upper: u32, lower: u32) -> Vec<Position>;
    /// Each place in the innermost loop around a line, its end first: there a round is over.
    fn in_loop(&self, at: &SourceLocation) -> Vec<Position>;
    /// Where the branches around a line begin, the innermost first.
    fn branches(&self, at: &SourceLocation) -> Vec<SourceLocation>;
    /// Which of the kernel's parameters may be a number of elements.
    fn counts(&self, kernel: &str) -> Vec<usize>;
}

impl Places for Source {
    fn between(&self, file: &str, upper: u32, lower: u32) -> Vec<Position> {
        self.boundaries(upper, lower).iter().flat_map(|gap| gap.positions(file)).collect()
    }

    fn in_loop(&self, at: &SourceLocation) -> Vec<Position> {
        let Some(around) = self.loops(at.line).into_iter().next() else { return Vec::new() };
        let gaps = self.boundaries(around.at.line, around.last_line);
        gaps.iter().rev().flat_map(|gap| gap.positions(&at.file)).collect()
    }

    fn branches(&self, at: &SourceLocation) -> Vec<SourceLocation> {
        Source::branches(self, at.line).iter().map(|branch| location(branch.at, &at.file)).collect()
    }

    fn counts(&self, kernel: &str) -> Vec<usize> {
        let parameters = self.parameters(kernel).unwrap_or_default().into_iter().enumerate();
        let counts = parameters.filter(|(_, parameter)| !parameter.ty.contains(['*', '&', '<', '[']));
        counts.map(|(number, _)| number).collect()
    }
}

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
                    self.barriers(widest).into_iter().chain(self.atomics()).collect()
                }
            },
            Cause::OutOfBounds { .. } | Cause::OutsideArray { .. } => {
                self.lines().iter().flat_map(|at| self.bounds(at)).map(|edit| vec![edit]).collect()
            }
            Cause::NeverWritten(_) => self.waiting(),
            Cause::AbsentLane(_) | Cause::MaskMismatch { .. } | Cause::OutsideOwnMask { .. } => self.collectives(),
            Cause::BarrierDivergence { .. }
            | Cause::WarpsAtDifferentBarriers { .. }
            | Cause::OpensWithout
            | Cause::Deadlock { .. } => self.moved_barriers().into_iter().chain(self.collectives()).collect(),
            _ => Vec::new(),
        }
    }

    /// The lines of the accesses, each once, from the top.
    fn lines(&self) -> Vec<SourceLocation> {
        let mut all: Vec<_> = self.finding.accesses.iter().filter_map(|access| access.location.clone()).collect();
        all.sort();
        all.dedup_by_key(|at| (at.file.clone(), at.line));
        all
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
            Distance::Grid => &[BarrierKind::Grid],
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

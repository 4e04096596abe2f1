//! What a finding's candidates ask of the kernel around its lines.

use crate::source::{Gap, Source, location};
use finding::{Edit, Position, Remedy, SourceLocation};

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

    /// Whether the kernel may know a barrier of its grid: only a cooperative launch has one.
    fn knows_grids(&self) -> bool {
        false
    }

    // What is written as C++: there is none where nothing but PTX is at hand.

    /// The line's statement only where a name in one of its indices is smaller than a parameter.
    fn guards(&self, _: &SourceLocation) -> Vec<Edit> {
        Vec::new()
    }
    /// What the line reads only where its index is smaller than a parameter.
    fn bounded_reads(&self, _: &SourceLocation) -> Vec<Edit> {
        Vec::new()
    }
    /// `<` for `<=` in what is around the line.
    fn strict(&self, _: &SourceLocation) -> Vec<Edit> {
        Vec::new()
    }
    /// A wait for the asynchronous copies that the line starts.
    fn waits(&self, _: &SourceLocation) -> Vec<Edit> {
        Vec::new()
    }
    /// The loop around the line from half of these lanes on.
    fn halved(&self, _: &SourceLocation, _lanes: u32) -> Option<Edit> {
        None
    }
    /// Threads that would leave before the barrier in the line stay, and do nothing up to it.
    fn staying(&self, _: &SourceLocation) -> Vec<Remedy> {
        Vec::new()
    }
    /// The barrier in the line further down.
    fn later_barriers(&self, _: &SourceLocation) -> Vec<Remedy> {
        Vec::new()
    }
    /// Two elements that the lines take, the lower one first.
    fn in_order(&self, _first: &SourceLocation, _second: &SourceLocation) -> Option<Remedy> {
        None
    }
    /// What the line computes for one lane is given to all.
    fn broadcasts(&self, _: &SourceLocation) -> Vec<Edit> {
        Vec::new()
    }
}

/// Those that are in no branch which does not hold all `lines`: not every thread gets there. The outermost come first.
fn outside_branches(source: &Source, gaps: Vec<Gap>, lines: &[u32]) -> Vec<Gap> {
    let branches = |line: u32| {
        let ifs = Source::branches(source, line).into_iter().map(|branch| (branch.at, branch.in_else));
        ifs.chain(source.switches(line).into_iter().map(|at| (at, false)))
    };
    let depth = |gap: &Gap| {
        let beside = gap.after.or(gap.before)?;
        // A branch that is the statement beside the gap does not hold it.
        let around: Vec<_> = branches(beside.line).filter(|(at, _)| *at < beside).collect();
        let is_of_all = around.iter().all(|own| lines.iter().all(|line| branches(*line).any(|other| other == *own)));
        is_of_all.then(|| around.len() + source.loops(beside.line).len())
    };
    let mut kept: Vec<(usize, Gap)> = gaps.into_iter().filter_map(|gap| Some((depth(&gap)?, gap))).collect();
    kept.sort_by_key(|(depth, _)| *depth);
    kept.into_iter().map(|(_, gap)| gap).collect()
}

fn gaps_of(gaps: Vec<Gap>, file: &str) -> Vec<Position> {
    gaps.iter().flat_map(|gap| gap.positions(file)).collect()
}

impl Places for Source {
    fn between(&self, file: &str, upper: u32, lower: u32) -> Vec<Position> {
        gaps_of(outside_branches(self, self.boundaries(upper, lower), &[upper, lower]), file)
    }

    fn in_loop(&self, at: &SourceLocation) -> Vec<Position> {
        let Some(around) = self.loops(at.line).into_iter().next() else { return Vec::new() };
        let gaps = self.boundaries(around.at.line, around.last_line).into_iter().rev().collect();
        gaps_of(outside_branches(self, gaps, &[at.line]), &at.file)
    }

    fn branches(&self, at: &SourceLocation) -> Vec<SourceLocation> {
        Source::branches(self, at.line).iter().map(|branch| location(branch.at, &at.file)).collect()
    }

    fn counts(&self, kernel: &str) -> Vec<usize> {
        let parameters = self.parameters(kernel).unwrap_or_default().into_iter().enumerate();
        let counts = parameters.filter(|(_, parameter)| !parameter.ty.contains(['*', '&', '<', '[']));
        counts.map(|(number, _)| number).collect()
    }

    fn knows_grids(&self) -> bool {
        self.mentions("cooperative_groups")
    }

    fn guards(&self, at: &SourceLocation) -> Vec<Edit> {
        Source::guards(self, at)
    }

    fn bounded_reads(&self, at: &SourceLocation) -> Vec<Edit> {
        Source::bounded_reads(self, at)
    }

    fn strict(&self, at: &SourceLocation) -> Vec<Edit> {
        Source::strict(self, at)
    }

    fn waits(&self, at: &SourceLocation) -> Vec<Edit> {
        Source::waits(self, at)
    }

    fn halved(&self, at: &SourceLocation, lanes: u32) -> Option<Edit> {
        Source::halved(self, at, lanes)
    }

    fn staying(&self, at: &SourceLocation) -> Vec<Remedy> {
        Source::staying(self, at)
    }

    fn later_barriers(&self, at: &SourceLocation) -> Vec<Remedy> {
        Source::later_barriers(self, at)
    }

    fn in_order(&self, first: &SourceLocation, second: &SourceLocation) -> Option<Remedy> {
        Source::in_order(self, first, second)
    }

    fn broadcasts(&self, at: &SourceLocation) -> Vec<Edit> {
        Source::broadcasts(self, at)
    }
}

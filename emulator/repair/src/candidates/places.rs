//! Questions of a finding's candidates about the kernel around its lines.

use crate::source::{Gap, SourceFile, location};
use finding::{Position, SourceLocation};

/// The surroundings of a line, by whatever is at hand of the kernel: its source, or its PTX alone.
pub trait Places {
    /// Each place for a statement between two lines of a file, from the top.
    fn between(&self, file: &str, upper: u32, lower: u32) -> Vec<Position>;
    /// Each place in the innermost loop around a line, its end first: there a round is over.
    fn in_loop(&self, at: &SourceLocation) -> Vec<Position>;
    /// Returns the starts of the branches around a line, the innermost first.
    fn branches(&self, at: &SourceLocation) -> Vec<SourceLocation>;
    /// Which of the kernel's parameters may be a number of elements.
    fn counts(&self, kernel: &str) -> Vec<usize>;

    /// Returns true if the kernel may use a barrier of its grid: only a cooperative launch has one.
    fn knows_grids(&self) -> bool {
        false
    }

    /// The source, for what is written as C++.
    fn source(&self) -> Option<&SourceFile> {
        None
    }
}

/// The gaps that every thread which runs `lines` gets to: a branch around the gap must be around all `lines` as well.
/// The outermost come first.
fn outside_branches(source: &SourceFile, gaps: Vec<Gap>, lines: &[u32]) -> Vec<Gap> {
    let branches = |line: u32| {
        let ifs = SourceFile::branches(source, line).into_iter().map(|branch| (branch.at, branch.in_else));
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

impl Places for SourceFile {
    fn between(&self, file: &str, upper: u32, lower: u32) -> Vec<Position> {
        gaps_of(outside_branches(self, self.boundaries(upper, lower), &[upper, lower]), file)
    }

    fn in_loop(&self, at: &SourceLocation) -> Vec<Position> {
        let Some(around) = self.loops(at.line).into_iter().next() else { return Vec::new() };
        let gaps = self.boundaries(around.at.line, around.last_line).into_iter().rev().collect();
        gaps_of(outside_branches(self, gaps, &[at.line]), &at.file)
    }

    fn branches(&self, at: &SourceLocation) -> Vec<SourceLocation> {
        SourceFile::branches(self, at.line).iter().map(|branch| location(branch.at, &at.file)).collect()
    }

    fn counts(&self, kernel: &str) -> Vec<usize> {
        let parameters = self.parameters(kernel).unwrap_or_default().into_iter().enumerate();
        let counts = parameters.filter(|(_, parameter)| !parameter.ty.contains(['*', '&', '<', '[']));
        counts.map(|(number, _)| number).collect()
    }

    fn knows_grids(&self) -> bool {
        self.mentions("cooperative_groups")
    }

    fn source(&self) -> Option<&SourceFile> {
        Some(self)
    }
}

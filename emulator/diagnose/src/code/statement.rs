//! Instructions by the user's lines. What the compiler has made several of, by unrolling or inlining, is the one
//! statement of the source that it is.

use super::Reading;
use checker::Sites;
use finding::SourceLocation;
use machine::code::{KernelCode, Location};

/// The user's own instruction behind a site: itself, or the call that led there.
#[derive(Clone, Copy)]
pub struct UserStatement<'a> {
    pub pc: u32,
    location: &'a Location,
    /// The function that it stands in, as it is called.
    function: usize,
    /// The number of inlined functions around the instruction that the statement calls; 0 for its own statement.
    depth: usize,
}

impl<'a> UserStatement<'a> {
    pub fn of(code: &'a KernelCode, sites: &Sites, site: u32) -> Option<UserStatement<'a>> {
        let all = [sites.pc(site)].into_iter().chain(sites.calls(site));
        all.filter_map(|pc| UserStatement::at(code, pc)).next()
    }

    /// The instruction at `pc`, if it is of a line of the user's.
    pub fn at(code: &'a KernelCode, pc: u32) -> Option<UserStatement<'a>> {
        let location = code.location(pc).filter(|it| !it.is_header)?;
        Some(UserStatement { pc, location, function: code.function_at(pc), depth: 0 })
    }

    /// Returns the statement of a site and the calls that lead to it, outermost first.
    pub fn all_of(code: &'a KernelCode, sites: &Sites, site: u32) -> Vec<UserStatement<'a>> {
        let pcs = [sites.pc(site)].into_iter().chain(sites.calls(site));
        let with_callers = |it: UserStatement<'a>| {
            (0..=it.location.inlined_into.len()).map(move |depth| UserStatement { depth, ..it })
        };
        let mut all: Vec<_> = pcs.filter_map(|pc| UserStatement::at(code, pc)).flat_map(with_callers).collect();
        all.reverse();
        all
    }

    pub fn line(&self) -> u32 {
        self.at_depth().line
    }

    pub fn place(&self) -> SourceLocation {
        self.at_depth().clone()
    }

    fn at_depth(&self) -> &'a SourceLocation {
        self.depth.checked_sub(1).map_or(&self.location.place, |outer| &self.location.inlined_into[outer])
    }

    /// The lines into which the function around it was inlined.
    fn callers(&self) -> &'a [SourceLocation] {
        &self.location.inlined_into[self.depth..]
    }

    /// The function that it stands in, if that was inlined and its name is known.
    fn inlined(&self) -> Option<&'a String> {
        self.location.function.as_ref().filter(|_| self.depth == 0)
    }

    /// True if both stand in one function of the source: then their lines are in order.
    pub fn is_beside(&self, other: &UserStatement) -> bool {
        let is_inside = self.depth + other.depth == 0;
        let one_function = match (self.inlined(), other.inlined()) {
            (Some(one), Some(other)) => one == other,
            // Inlined here, and called there.
            (Some(_), None) | (None, Some(_)) if is_inside => false,
            // Without names two calls of one line are taken for one function.
            _ => self.function == other.function && self.callers() == other.callers(),
        };
        one_function && self.at_depth().file == other.at_depth().file
    }

    /// Returns the number of [`UserStatement::copies`] in this one call of the function, where it is inlined.
    pub fn copies_of_call(&self, reading: &Reading) -> usize {
        let is_here = |pc: &u32| {
            let other = UserStatement::at(reading.code, *pc);
            other.is_some_and(|it| it.location.inlined_into == self.location.inlined_into)
        };
        self.copies(reading).into_iter().filter(is_here).count()
    }

    /// This instruction, and where else the compiler has put the same: for a call that is inlined, in this call alone.
    pub fn copies(&self, reading: &Reading) -> Vec<u32> {
        let kind = std::mem::discriminant(reading.op(self.pc));
        let own = UserStatement { depth: 0, ..*self };
        let is_of_call = |it: &UserStatement| self.depth == 0 || it.location.inlined_into == self.location.inlined_into;
        let is_it = |pc: &u32| {
            let is_alike =
                |it: UserStatement| it.location.place == self.location.place && it.is_beside(&own) && is_of_call(&it);
            std::mem::discriminant(reading.op(*pc)) == kind
                && UserStatement::at(reading.code, *pc).is_some_and(is_alike)
        };
        (0..reading.code.instrs.len() as u32).filter(is_it).collect()
    }
}

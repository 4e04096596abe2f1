//! Barriers that stand between two lines already: where one orders them in one direction alone, and what else stands there that
//! does not hold both threads.
//!
//! A loop that goes from line 18 over a barrier in line 19 to line 20 orders 18 before 20. If the two race all the same, it is
//! line 20 of one round and line 18 of the next, and another barrier between the two mends nothing. So it is with a function that
//! is called twice. The barrier is one that this run has passed, and the code says that nobody comes from the upper line to the
//! lower one without a barrier (see [`super::paths`]). Where the code leaves that open, so does the finding.

use super::makers::Makers;
use super::paths::{Holds, Own, Paths};
use super::race::Pair;
use finding::{Distance, Means, Missing, SourceLocation, Turn};
use machine::code::Code;
use machine::exec::Op;
use std::collections::BTreeMap;

impl Pair<'_> {
    /// The rounds or calls that race, where a barrier stands between the lines already.
    pub(super) fn rounds(&self) -> Option<Missing> {
        let code = self.code;
        let (upper, lower) = self.own_lines()?;
        let holds = match self.distance {
            Distance::Warp => Holds::Lanes,
            Distance::Block => Holds::Block,
            Distance::Grid => return None,
        };
        // Where code of headers counts to the line before, the barrier may seem to stand in the upper line itself.
        let lines = upper.line()..lower.line();
        let mut passed = self.clue.passed.iter().flatten().filter_map(|site| Own::of(code, self.sites, *site));
        let barrier = passed.find(|it| it.is_beside(&upper) && lines.contains(&it.line()))?;
        let barrier = Some(barrier.place()).filter(|place| place.line != upper.line());
        let (above, below) = (upper.place(), lower.place());
        let paths = Paths::new(code, holds);
        if !paths.leads(&lower, &upper) || !paths.leads(&upper, &lower) {
            return None;
        }
        if paths.is_open(&upper, &lower) {
            return Some(Missing::SamePhase { above, below, barrier: barrier? });
        }
        let [first, second] = self.clue.ends.map(|end| self.sites.user_lines(code, end.site).1);
        let turn = if first == second { Turn::Round } else { Turn::Call };
        Some(Missing::NextRound { above, below, barrier, turn })
    }

    /// What stands between the two lines and does not do it. A line that does more than that may be a barrier of another kind,
    /// such as that of a grid.
    pub(super) fn wrong_means(&self) -> Option<Missing> {
        let code = self.code;
        let (upper, lower) = self.own_lines()?;
        let inside = |own: &Own| own.is_beside(&upper) && (upper.line() + 1..lower.line()).contains(&own.line());
        let mut lines: BTreeMap<u32, (Option<Means>, SourceLocation)> = BTreeMap::new();
        for own in (0..code.instrs.len() as u32).filter_map(|pc| Own::at(code, pc)).filter(inside) {
            let found = found(code, own.pc);
            let known = match found {
                Some(_) => lines.entry(own.line()).or_insert((Some(Means::Fence), own.place())),
                None => continue,
            };
            known.0 = match found {
                Some(Found::Means(means)) => known.0.map(|known| known.max(means)),
                _ => None,
            };
        }
        let is_too_small = |means: Means| match means {
            Means::Fence => true,
            Means::WarpBarrier => self.distance != Distance::Warp,
            Means::BlockBarrier => self.distance == Distance::Grid,
        };
        let known = lines.into_values().filter_map(|(means, at)| Some((means?, at)));
        let (means, at) = known.filter(|(means, _)| is_too_small(*means)).max_by_key(|(means, _)| *means)?;
        Some(Missing::WrongMeans { at, means })
    }

    /// Two stores of one instruction: where their place was worked out, and what a thread may go round that it depends on.
    pub(super) fn same_place(&self) -> Option<Missing> {
        let (code, [first, second]) = (self.code, self.clue.ends.map(|end| end.site));
        let Op::Store(store) = &code.instrs.get(self.sites.pc(first) as usize)?.op else { return None };
        if self.clue.is_earlier || first != second {
            return None;
        }
        let makers = Makers::of(code, self.sites.pc(first), store.base)?;
        let own = self.location(first)?.line;
        let made = makers.line(self.sites, first);
        let atomic = makers.avoidable_atomic(self.sites.pc(first)).and_then(|pc| Own::at(code, pc));
        let atomic = atomic.filter(|it| it.line() <= own).map(|it| it.place());
        (made.is_some() || atomic.is_some()).then_some(Missing::SamePlace { made, atomic })
    }

    /// Both lines, if they are two of one function: the upper one first.
    fn own_lines(&self) -> Option<(Own<'_>, Own<'_>)> {
        if self.clue.is_earlier {
            return None;
        }
        let [a, b] = self.clue.ends.map(|end| Own::of(self.code, self.sites, end.site));
        let (a, b) = (a?, b?);
        let are_apart = a.is_beside(&b) && a.line() != b.line();
        are_apart.then_some(if a.line() < b.line() { (a, b) } else { (b, a) })
    }
}

/// What one instruction is.
enum Found {
    Means(Means),
    /// Something else by which threads may wait for one another.
    More,
}

fn found(code: &Code, pc: u32) -> Option<Found> {
    let paths = Paths::new(code, Holds::Block);
    Some(match &code.instrs[pc as usize].op {
        Op::Fence(_) => Found::Means(Means::Fence),
        _ if paths.has(pc, &waits_otherwise) => Found::More,
        _ if paths.is_held(pc) => Found::Means(Means::BlockBarrier),
        _ if Paths::new(code, Holds::Lanes).is_held(pc) => Found::Means(Means::WarpBarrier),
        _ => return None,
    })
}

fn waits_otherwise(op: &Op) -> bool {
    match op {
        Op::Atomic(_) | Op::Mbarrier(_) => true,
        Op::Load(load) => load.semantics.is_strong(),
        Op::Barrier(it) => it.threads.is_some() || it.cluster,
        _ => false,
    }
}

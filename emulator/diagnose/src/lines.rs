//! Facts about two racing lines that follow from the code: a barrier between them that orders one direction alone,
//! an operation there that does not hold both threads, and the origin of two stores' address.
//!
//! A loop that goes from line 18 over a barrier in line 19 to line 20 orders 18 before 20. If the two race all the
//! same, it is line 20 of one round and line 18 of the next, and another barrier between the two fixes nothing. So it
//! is with a function that is called twice. The barrier is one that this run has passed, and the code says that nobody
//! comes from the upper line to the lower one without a barrier. Where the code leaves that open, so does the finding.

use super::code::statement::UserStatement;
use super::code::{Holds, Reading, Without, is_arithmetic};
use super::race::Pair;
use finding::{Distance, Means, Missing, SourceLocation, Turn};
use machine::exec::Op;
use machine::exec::mbarrier::ObjectAction;
use machine::memory::space::Space;
use machine::registers::Reg;
use std::collections::BTreeMap;

impl Pair<'_> {
    /// The rounds or calls that race, where a barrier stands between the lines already, or between the calls that led
    /// to them.
    pub(super) fn rounds(&self) -> Option<Missing> {
        let of_lines = || self.rounds_of(self.statements()?, false);
        of_lines().or_else(|| self.rounds_of(self.statements_or_calls()?, true))
    }

    /// As `rounds`, for two statements of one function. `are_calls`: they led to the accesses.
    fn rounds_of(&self, (upper, lower): (UserStatement, UserStatement), are_calls: bool) -> Option<Missing> {
        let of_grid;
        let (barrier, without) = match self.distance {
            Distance::Warp => (self.passed_between(&upper, &lower)?, Without::barrier(Holds::Lanes)),
            Distance::Block => (self.passed_between(&upper, &lower)?, Without::barrier(Holds::Block)),
            Distance::Grid => {
                let place;
                (of_grid, place) = self.grid_barrier(&upper, &lower)?;
                (Some(place), Without { any_of: &of_grid, ..Without::default() })
            }
        };
        let (above, below) = (upper.place(), lower.place());
        let (upper, lower) = (upper.copies(self.reading), lower.copies(self.reading));
        let is_way = |from: &[u32], to: &[u32], without| self.reading.is_way(from, to, without);
        if !is_way(&lower, &upper, Without::default()) || !is_way(&upper, &lower, Without::default()) {
            return None;
        }
        if is_way(&upper, &lower, without) {
            let is_of_grid = self.distance == Distance::Grid;
            return barrier.filter(|_| !is_of_grid).map(|barrier| Missing::SamePhase { above, below, barrier });
        }
        let [first, second] = self.clue.ends.map(|end| self.sites.user_lines(self.reading.code, end.site).1);
        let turn = if are_calls || first == second { Turn::Round } else { Turn::Call };
        let at_end = turn == Turn::Round && lower.iter().any(|load| self.reading.decides_the_next(*load, &upper));
        Some(Missing::NextRound { above, below, barrier, turn, at_end })
    }

    /// The rounds that race where threads wait for a barrier object between the lines. What the lower line has done
    /// came first in this run. Had the two raced within a round, the upper line would have come first.
    pub(super) fn rounds_of_object(&self) -> Option<Missing> {
        if self.distance == Distance::Grid {
            return None;
        }
        let (upper, lower) = self.statements()?;
        let first = UserStatement::of(self.reading.code, self.sites, self.clue.ends[0].site)?;
        let lines = upper.line()..lower.line();
        let waits = |it: &UserStatement| match self.reading.op(it.pc) {
            Op::Mbarrier(it) => matches!(it.action, ObjectAction::Test(_)),
            _ => false,
        };
        let is_between = |it: &UserStatement| it.is_beside(&upper) && lines.contains(&it.line()) && waits(it);
        let all = 0..self.reading.code.instrs.len() as u32;
        let wait = all.filter_map(|pc| UserStatement::at(self.reading.code, pc)).find(is_between)?;
        let (above, below, barrier) = (upper.place(), lower.place(), Some(wait.place()));
        let (upper, lower) = (upper.copies(self.reading), lower.copies(self.reading));
        let is_round = self.reading.is_way(&lower, &upper, Without::default());
        let came_first = first.line() == below.line && above.line != below.line;
        (is_round && came_first).then_some(Missing::NextRound {
            above,
            below,
            barrier,
            turn: Turn::Round,
            at_end: false,
        })
    }

    /// A barrier between the lines that both threads have passed. Where code of headers counts to the line before, it
    /// may seem to stand in the upper line itself, and then has no place of its own.
    fn passed_between(&self, upper: &UserStatement, lower: &UserStatement) -> Option<Option<SourceLocation>> {
        let lines = upper.line()..lower.line();
        let passed = self.clue.passed.iter().flatten();
        let mut passed = passed.filter_map(|site| UserStatement::of(self.reading.code, self.sites, *site));
        let barrier = passed.find(|it| it.is_beside(upper) && lines.contains(&it.line()))?;
        Some(Some(barrier.place()).filter(|place| place.line != upper.line()))
    }

    /// The `grid.sync()` between two lines: its barriers of the block, and its line. A `block.sync()` has no atomic
    /// operation.
    fn grid_barrier(&self, upper: &UserStatement, lower: &UserStatement) -> Option<(Vec<u32>, SourceLocation)> {
        let code = self.reading.code;
        let lines = upper.line() + 1..lower.line();
        let is_between = |it: &UserStatement| it.is_beside(upper) && lines.contains(&it.line());
        let of_groups = (0..code.instrs.len() as u32).filter(|pc| code.is_of_groups(*pc, &[]));
        let mut by_line: BTreeMap<u32, Vec<UserStatement>> = BTreeMap::new();
        for it in of_groups.filter_map(|pc| UserStatement::at(code, pc)).filter(is_between) {
            by_line.entry(it.line()).or_default().push(it);
        }
        let is_atomic = |it: &UserStatement| matches!(self.reading.op(it.pc), Op::Atomic(_));
        let of_grid = by_line.into_values().find(|line| line.iter().any(is_atomic))?;
        let is_barrier = |it: &&UserStatement| matches!(self.reading.op(it.pc), Op::Barrier(_));
        let barriers: Vec<u32> = of_grid.iter().filter(is_barrier).map(|it| it.pc).collect();
        (code.asks_for_grid_barrier && !barriers.is_empty()).then(|| (barriers, of_grid[0].place()))
    }

    /// The operation between the two lines that does not order them. A line that does more than that may be a barrier
    /// of another kind, such as that of a grid.
    pub(super) fn wrong_means(&self) -> Option<Missing> {
        let code = self.reading.code;
        let (upper, lower) = self.statements_or_calls()?;
        let inside = |it: &UserStatement| it.is_beside(&upper) && (upper.line() + 1..lower.line()).contains(&it.line());
        let mut lines: BTreeMap<u32, (Option<Means>, SourceLocation)> = BTreeMap::new();
        for it in (0..code.instrs.len() as u32).filter_map(|pc| UserStatement::at(code, pc)).filter(inside) {
            let Some(found) = found(self.reading, it.pc) else { continue };
            let (known, _) = lines.entry(it.line()).or_insert((Some(Means::Fence), it.place()));
            *known = match found {
                InstrKind::Means(means) => known.map(|known| known.max(means)),
                InstrKind::More => None,
            };
        }
        let is_too_small = |means: Means| match means {
            Means::Fence => true,
            Means::WarpBarrier => self.distance != Distance::Warp,
            Means::BlockBarrier => self.distance == Distance::Grid,
        };
        let known = lines.into_values().filter_map(|(means, at)| Some((means?, at)));
        let (means, at) = known.filter(|(means, _)| is_too_small(*means)).max_by_key(|(means, _)| *means)?;
        if self.distance == Distance::Grid && self.grid_barrier(&upper, &lower).is_some() {
            return None;
        }
        Some(Missing::WrongMeans { at, means })
    }

    /// Two stores of one instruction: where their place was worked out, and an atomic operation that it depends on and
    /// that a thread may go round.
    pub(super) fn same_place(&self) -> Option<Missing> {
        let (code, [first, second]) = (self.reading.code, self.clue.ends.map(|end| end.site));
        let pc = self.sites.pc(first);
        let Op::Store(store) = &code.instrs.get(pc as usize)?.op else { return None };
        if self.clue.is_earlier || first != second {
            return None;
        }
        let (writers, store) = (self.reading.made_of(pc, store.base)?, UserStatement::of(code, self.sites, first)?);
        // Without an index all store at one place, whoever they are.
        if self.reading.is_uniform(&writers, None) {
            return None;
        }
        let line = self.location(first)?.line;
        // Code after the store belongs to another iteration; and pointers are made ready wherever the compiler likes,
        // mostly above.
        let made = writers.writers().filter(|pc| is_arithmetic(self.reading.op(*pc)));
        let made = made.filter_map(|pc| UserStatement::at(code, pc)).filter(|it| it.is_beside(&store));
        let made = made.filter(|it| it.line() < store.line()).max_by_key(UserStatement::line).map(|it| it.place());
        let mut atomics = writers.writers().filter(|pc| matches!(self.reading.op(*pc), Op::Atomic(_)));
        let atomic = atomics.find(|atomic| self.reading.is_way_round(&[*atomic], pc));
        let atomic =
            atomic.and_then(|pc| UserStatement::at(code, pc)).filter(|it| it.line() <= line).map(|it| it.place());
        (made.is_some() || atomic.is_some()).then_some(Missing::SamePlace { made, atomic })
    }

    /// Both lines, if they are two of one function: the upper one first.
    fn statements(&self) -> Option<(UserStatement<'_>, UserStatement<'_>)> {
        if self.clue.is_earlier {
            return None;
        }
        let [a, b] = self.clue.ends.map(|end| UserStatement::of(self.reading.code, self.sites, end.site));
        in_order(a?, b?)
    }

    /// As [`Pair::statements`], but the calls in the innermost function that led to both, where it calls twice.
    fn statements_or_calls(&self) -> Option<(UserStatement<'_>, UserStatement<'_>)> {
        if self.clue.is_earlier {
            return None;
        }
        let [a, b] = self.clue.ends.map(|end| UserStatement::all_of(self.reading.code, self.sites, end.site));
        let (a, b) = a.into_iter().zip(b).find(|(a, b)| a.place() != b.place())?;
        in_order(a, b)
    }
}

/// Both statements, if they stand in two lines of one function: the upper one first.
fn in_order<'a>(a: UserStatement<'a>, b: UserStatement<'a>) -> Option<(UserStatement<'a>, UserStatement<'a>)> {
    let are_apart = a.is_beside(&b) && a.line() != b.line();
    are_apart.then_some(if a.line() < b.line() { (a, b) } else { (b, a) })
}

/// The kind of an instruction.
enum InstrKind {
    Means(Means),
    /// Something else by which threads may wait for one another.
    More,
}

fn found(reading: &Reading, pc: u32) -> Option<InstrKind> {
    Some(match reading.op(pc) {
        Op::Fence(_) => InstrKind::Means(Means::Fence),
        _ if reading.may_do(pc, waits_otherwise) => InstrKind::More,
        _ if reading.is_held(pc, Holds::Block) => InstrKind::Means(Means::BlockBarrier),
        _ if reading.is_held(pc, Holds::Lanes) => InstrKind::Means(Means::WarpBarrier),
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

/// True if the value that the load at `load` finds chooses alone where its thread stores later: with it goes nothing in
/// which threads differ, such as their index. Were it the same for all, all would store to one place.
pub fn chooses_a_place(reading: &Reading, load: u32) -> bool {
    (load + 1..reading.end(load)).any(|pc| match reading.op(pc) {
        Op::Store(store) if matches!(store.space, Space::Global | Space::Shared) => {
            let made = reading.made_of(pc, store.base);
            made.is_some_and(|made| made.writers().any(|pc| pc == load) && reading.is_uniform(&made, Some(load)))
        }
        _ => false,
    })
}

/// True for a plain load or store whose line also does the other to the same address, as `*p += v` does.
pub fn updates_in_one_line(reading: &Reading, pc: u32) -> bool {
    let Some(is_other) = other_half(reading, pc) else { return false };
    let is_beside = |other: &u32| line(reading, *other) == line(reading, pc);
    match reading.op(pc) {
        Op::Store(_) => (0..pc).rev().take_while(is_beside).any(is_other),
        _ => (pc + 1..reading.end(pc)).take_while(is_beside).any(is_other),
    }
}

/// As [`updates_in_one_line`], wherever the compiler has put the other half: before a loop it may load once for all
/// iterations.
pub fn is_half_of_an_update(reading: &Reading, pc: u32) -> bool {
    other_half(reading, pc).is_some_and(|is_other| (0..reading.code.instrs.len() as u32).any(is_other))
}

/// True if what a thread loads at `load`, or anywhere, decides whether it stores at `store`, to the same address.
pub fn updates_by_choice(reading: &Reading, load: Option<u32>, store: u32) -> bool {
    let decides = |load: u32| {
        let is_it = matches!(reading.op(load), Op::Load(_)) && place(reading, load) == place(reading, store);
        is_it && (load + 1..=store).any(|pc| reading.asks_for(pc, load)) && reading.is_way_inside(load, store)
    };
    let is_store = matches!(reading.op(store), Op::Store(_)) && place(reading, store).is_some();
    is_store && load.map_or_else(|| (reading.around(store).start..store).any(decides), decides)
}

/// True if the element that is accessed at `pc` gets a value that is made of another element's, and that one a value
/// made of this one's.
pub fn is_swapped(reading: &Reading, pc: u32) -> bool {
    let Some(own) = place(reading, pc) else { return false };
    let stores: Vec<_> = reading.around(pc).filter(|it| matches!(reading.op(*it), Op::Store(_))).collect();
    let gets = |store: u32, from: RegisterAddress| match reading.op(store) {
        Op::Store(it) => {
            let made = reading.made_of(store, it.src[0]);
            let is_from = |pc: u32| matches!(reading.op(pc), Op::Load(_)) && place(reading, pc) == Some(from);
            made.is_some_and(|made| made.writers().any(is_from))
        }
        _ => false,
    };
    let others = || stores.iter().filter_map(|store| Some((*store, place(reading, *store)?)));
    others().any(|(other, there)| {
        there != own
            && there.0 == own.0
            && gets(other, own)
            && others().any(|(store, at)| at == own && gets(store, there))
    })
}

/// True if an atomic operation and a load are of one size and at one address, by the same register and offset.
pub fn is_one_place(reading: &Reading, atomic: u32, load: u32) -> bool {
    let (Op::Atomic(atomic), Op::Load(load)) = (reading.op(atomic), reading.op(load)) else { return false };
    (atomic.space, atomic.base, atomic.offset) == (load.space, load.base, load.offset)
        && atomic.ty.bytes() == load.ty.bytes()
}

/// Space, register and offset.
type RegisterAddress = (Space, Reg, i64);

/// Returns the address of a plain access, as the code writes it.
fn place(reading: &Reading, pc: u32) -> Option<RegisterAddress> {
    match reading.op(pc) {
        Op::Load(it) => Some((it.space, it.base, it.offset)),
        Op::Store(it) => Some((it.space, it.base, it.offset)),
        _ => None,
    }
}

/// Returns a test for stores of a load's line to the same address, or the other way round.
fn other_half<'a>(reading: &'a Reading, pc: u32) -> Option<impl Fn(u32) -> bool + 'a> {
    let address = |pc: u32| match reading.op(pc) {
        Op::Load(it) => Some((false, it.space, it.base, it.offset)),
        Op::Store(it) => Some((true, it.space, it.base, it.offset)),
        _ => None,
    };
    let (stores, space, base, offset) = address(pc)?;
    let own = line(reading, pc)?;
    Some(move |other: u32| address(other) == Some((!stores, space, base, offset)) && line(reading, other) == Some(own))
}

fn line<'a>(reading: &'a Reading, pc: u32) -> Option<(&'a str, u32)> {
    reading.code.location(pc).map(|it| (it.place.file.as_str(), it.place.line))
}

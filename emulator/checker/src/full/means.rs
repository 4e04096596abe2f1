//! Barriers that stand between two lines already: where one orders them in one direction alone, and what else stands there that
//! does not hold both threads.
//!
//! A loop that goes from line 18 over a barrier in line 19 to line 20 orders 18 before 20. If the two race all the same, it is
//! line 20 of one round and line 18 of the next, and another barrier between the two mends nothing. So it is with a function that
//! is called twice. The barrier is one that this run has passed, and the code says that nobody comes from the upper line to the
//! lower one without a barrier (see [`super::paths`]). Where the code leaves that open, so does the advice.

use super::describe::Described;
use machine::code::Code;
use machine::code_reading::makers::Makers;
use machine::code_reading::paths::{Holds, Own, Paths};
use machine::exec::Op;
use std::collections::BTreeMap;

/// How far apart two threads are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    Lanes,
    Warps,
    Blocks,
}

impl Described<'_> {
    /// The rounds or calls that race, where a barrier stands between the lines already: why, and what would help.
    pub(super) fn rounds(&self, apart: Apart) -> Option<(String, String)> {
        let code = self.launch.code;
        let (upper, lower) = self.ends()?;
        let holds = match apart {
            Apart::Lanes => Holds::Lanes,
            Apart::Warps => Holds::Block,
            Apart::Blocks => return None,
        };
        // Where code of headers counts to the line before, the barrier may seem to stand in the upper line itself.
        let lines = upper.line()..lower.line();
        let mut passed = self
            .between
            .passed
            .iter()
            .flatten()
            .filter_map(|site| Own::of(code, self.sites.pc(*site), self.sites.calls(*site)));
        let barrier = passed.find(|it| it.is_beside(&upper) && lines.contains(&it.line()))?;
        let between = Some(barrier.line()).filter(|line| *line != upper.line());
        let (above, below) = (upper.line(), lower.line());
        let paths = Paths::new(code, holds);
        if !paths.leads(&lower, &upper) || !paths.leads(&upper, &lower) {
            return None;
        }
        if paths.is_open(&upper, &lower) {
            let between = between?;
            return Some((
                format!(
                    "both threads have passed the barrier in line {between}, and nothing orders what they do between one barrier and \
                     the next"
                ),
                format!(
                    "if line {below} is to come before line {above} of a later round or call: one more barrier, like that in \
                     line {between}, behind line {below}; if it is to come after line {above}: let no way from there to line {below} go \
                     round the barrier"
                ),
            ));
        }
        let callers = |site: u32| self.sites.user_lines(code, site).1;
        let in_one_call = callers(self.race.first.how.site()) == callers(self.race.second.how.site());
        let (turn, back) = match in_one_call {
            true => ("round", format!("before the loop comes back to line {above}")),
            false => ("call", format!("before the function comes to line {above} again")),
        };
        let (which, like) = match between {
            Some(line) => (format!("the barrier in line {line}"), format!(", like that in line {line},")),
            None => ("the barrier between them".to_string(), String::new()),
        };
        let (second, others) = match apart {
            Apart::Lanes => (
                format!("put a second barrier{like} after line {below}"),
                "; a `__syncthreads()` if threads of other warps use the place too",
            ),
            _ => (format!("put a `__syncthreads()` that all threads of the block reach after line {below}"), ""),
        };
        Some((
            format!(
                "{which} orders line {above} before line {below}, and not line {below} before line {above} of the next {turn}"
            ),
            format!("{second} and all other use of it in the {turn}, {back}{others}"),
        ))
    }

    /// What stands between the two lines and does not do it. A line that does more than that may be a barrier of another kind,
    /// such as that of a grid.
    pub(super) fn wrong_means(&self, apart: Apart) -> Option<String> {
        let code = self.launch.code;
        let (upper, lower) = self.ends()?;
        let inside = |own: &Own| own.is_beside(&upper) && (upper.line() + 1..lower.line()).contains(&own.line());
        let mut lines: BTreeMap<u32, Option<Means>> = BTreeMap::new();
        for own in (0..code.instrs.len() as u32).filter_map(|pc| Own::at(code, pc)).filter(inside) {
            match Means::of(code, own.pc) {
                Some(Found::Means(means)) => {
                    if let Some(known) = lines.entry(own.line()).or_insert(Some(means)) {
                        *known = means.max(*known);
                    }
                }
                Some(Found::More) => {
                    lines.insert(own.line(), None);
                }
                None => {}
            }
        }
        let is_too_small = |means: Means| match means {
            Means::Fence => true,
            Means::Lanes => apart != Apart::Lanes,
            Means::Block => apart == Apart::Blocks,
        };
        let known = lines.into_iter().filter_map(|(line, means)| Some((means?, line)));
        let (means, line) = known.filter(|(means, _)| is_too_small(*means)).max_by_key(|(means, _)| *means)?;
        Some(match means {
            Means::Fence => {
                format!("the fence in line {line} orders the accesses of its own thread and waits for no other")
            }
            Means::Lanes => {
                format!("the barrier in line {line} holds lanes of one warp together, and these are threads of two")
            }
            Means::Block => {
                format!("the barrier in line {line} holds the threads of one block together, and these are in two")
            }
        })
    }

    /// Two stores of one instruction: where their place was worked out, and what a thread may go round that it depends on.
    pub(super) fn same_place(&self) -> Option<(String, Option<String>)> {
        let (code, site) = (self.launch.code, self.race.first.how.site());
        let Op::Store(store) = &code.instrs[self.sites.pc(site) as usize].op else { return None };
        if self.earlier.is_some() || site != self.race.second.how.site() {
            return None;
        }
        let makers = Makers::of(code, self.sites.pc(site), store.base)?;
        let line = |pc: u32| Some(Own::at(code, pc)?.line());
        let (own, made) = (self.line(site)?, makers.line(self.sites.pc(site), self.sites.calls(site)));
        let place = match made {
            Some(made) => format!("both threads have worked out the same place, in line {made}"),
            None => "both threads have worked out the same place".to_string(),
        };
        match makers.avoidable_atomic(self.sites.pc(site)).and_then(line).filter(|line| *line <= own) {
            Some(atomic) => Some((
                format!("{place}: it depends on the atomic operation in line {atomic}, which stands in a branch"),
                Some(format!(
                    "let threads that come here and do not take that branch have what line {atomic} returned in another thread: handed to them by \
                     a shuffle, in a line that all of them come to"
                )),
            )),
            None => made.map(|_| (place, None)),
        }
    }

    /// Both lines, if they are two of one function: the upper one first.
    fn ends(&self) -> Option<(Own<'_>, Own<'_>)> {
        if self.earlier.is_some() {
            return None;
        }
        let own = |site: u32| Own::of(self.launch.code, self.sites.pc(site), self.sites.calls(site));
        let (a, b) = (own(self.race.first.how.site())?, own(self.race.second.how.site())?);
        let are_apart = a.is_beside(&b) && a.line() != b.line();
        are_apart.then_some(if a.line() < b.line() { (a, b) } else { (b, a) })
    }
}

/// What may be taken for an order of two threads, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Means {
    Fence,
    Lanes,
    Block,
}

/// What one instruction is.
enum Found {
    Means(Means),
    /// Something else by which threads may wait for one another.
    More,
}

impl Means {
    fn of(code: &Code, pc: u32) -> Option<Found> {
        let paths = Paths::new(code, Holds::Block);
        Some(match &code.instrs[pc as usize].op {
            Op::Fence(_) => Found::Means(Means::Fence),
            _ if paths.has(pc, &waits_otherwise) => Found::More,
            _ if paths.is_held(pc) => Found::Means(Means::Block),
            _ if Paths::new(code, Holds::Lanes).is_held(pc) => Found::Means(Means::Lanes),
            _ => return None,
        })
    }
}

fn waits_otherwise(op: &Op) -> bool {
    match op {
        Op::Atomic(_) | Op::Mbarrier(_) => true,
        Op::Load(load) => load.semantics.is_strong(),
        Op::Barrier(it) => it.threads.is_some() || it.cluster,
        _ => false,
    }
}

//! What would order two accesses that race: which fence, which scope, which barrier, which lock, by line.
//!
//! A flag or a lock that both threads have used comes first: a barrier beside it would hide what it lacks, or never end. Then
//! come barriers that did not take in both threads. All that is said here this run has shown; the rest is said in general
//! words ([`super::words::reasons`]).

use super::WarpState;
use super::clock::Narrow;
use super::describe::Described;
use super::ended::Ended;
use super::holders::{Holders, Step};
use super::race::{Current, Race, Seen};
use super::rounds::barrier_between;
use super::sync::Place;
use super::touched::{How, Kind};
use super::unreleased::{Beside, Flag};
use finding::Argument;
use machine::code_reading::uses::{chooses_a_place, in_one_run};
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::memory::space::Space;
use machine::place;
use machine::registers::Mask;

/// Why, and what would help.
type Advice = (String, String);

/// What two threads that race lack, beside the fences of a flag.
#[derive(Clone, Copy, Debug)]
pub enum Lack {
    Beside(Beside),
    /// The first one's thread ended here, before the barrier that the second one's has passed.
    Ended {
        end: u32,
        barrier: u32,
    },
    /// At the warp's barrier at this site these lanes met, and the other's is not one of them.
    Lane {
        barrier: u32,
        met: Mask,
    },
    /// The same, and the other lane had ended at the second site.
    LaneEnded {
        barrier: u32,
        end: u32,
    },
    /// Both lanes have traded registers here, which orders no memory.
    Trade {
        site: u32,
    },
    /// A word that was taken by a compare-and-swap or an exchange is set back by a plain store.
    PlainUnlock {
        taken: u32,
        store: u32,
    },
    /// The locks that each holds, as far as they are locks.
    Locks([Option<Place>; 2]),
}

impl Current<'_> {
    /// What keeps two threads of a race apart that no flag joins: a barrier that one of them did not come to, or two locks.
    pub fn apart(&self, race: &Race, place: Place, warp: &WarpState, ended: &Ended, holders: &Holders) -> Option<Lack> {
        if race.launch.is_some() || race.narrow.is_some() || race.unfenced.is_some() {
            return None;
        }
        let (sites, at) = (self.actor.sites, self.actor.at);
        let (block, within) = self.actor.place(race.first.warp());
        let (first, second) = ((block, within, race.first.lane()), (at.block, at.warp, self.lane));
        let pc = |site: u32| sites.pc(site);
        let plain_store = |how: How| how.kind() == Kind::Write && how.scope().is_none();
        for (thread, own, other) in
            [(first, race.first.how, race.second.how), (second, race.second.how, race.first.how)]
        {
            let is_plain = plain_store(own) && other.scope().is_some();
            if let Some(taken) = is_plain.then(|| holders.taken_at(thread, place)).flatten() {
                return Some(Lack::PlainUnlock { taken, store: own.site() });
            }
        }
        if (block, within) == (at.block, at.warp) {
            let (from, to) = (pc(race.first.how.site()), pc(self.actor.site));
            let met = warp.ways.met((first.2, race.first.clock), self.lane, |site| (from..to).contains(&pc(site)));
            if met.is_some() {
                return met;
            }
        }
        let end = ended.before(&warp.passed, first, second).filter(|_| self.is_whole(warp.passed.site));
        if let Some(end) = end {
            return Some(Lack::Ended { end, barrier: warp.passed.site });
        }
        let step = |clock, site| Step { clock, pc: pc(site) };
        let theirs = (first, step(race.first.clock, race.first.how.site()));
        let ours = (second, step(self.actor.clock, self.actor.site));
        holders.apart(theirs, ours).map(Lack::Locks)
    }
}

impl Current<'_> {
    /// True for a barrier of all threads of the block.
    fn is_whole(&self, site: u32) -> bool {
        match &self.actor.at.launch.code.instrs[self.actor.sites.pc(site) as usize].op {
            Op::Barrier(barrier) => !barrier.threads.is_some(),
            _ => false,
        }
    }

    /// The branch in which two lanes of a warp are with `group`.
    pub fn branch(&self, race: &Race, warp: &WarpState, group: Mask) -> Option<(u32, Mask)> {
        let is_own = self.actor.place(race.first.warp()) == (self.actor.at.block, self.actor.at.warp);
        let lanes = 1 << race.first.lane() | 1 << self.lane;
        let site = warp.ways.side(group, lanes).filter(|_| is_own && race.launch.is_none())?;
        Some((site, group))
    }

    /// The last barrier of their warp that both threads have passed, and the last of their block.
    pub fn passed(&self, race: &Race, warp: &WarpState, ended: &Ended) -> [Option<u32>; 2] {
        let (block, within) = self.actor.place(race.first.warp());
        if race.launch.is_some() || block != self.actor.at.block {
            return [None; 2];
        }
        let lanes = 1 << race.first.lane() | 1 << self.lane;
        let of_warp = (within == self.actor.at.warp).then(|| warp.ways.last_barrier(lanes)).flatten();
        // Of the first thread it is known that it has not ended before.
        let of_block = warp.passed.last(self.lane).filter(|site| ended.is_complete() && self.is_whole(*site));
        [of_warp, of_block]
    }
}

impl Described<'_> {
    /// What is known of this very pair, if anything is.
    pub(super) fn known(&self) -> Option<Advice> {
        let missing = self.race.unfenced.map(|seen| self.unfenced(seen));
        missing.or_else(|| self.not_released(self.between.flag?)).or_else(|| self.lacking(self.between.lack?))
    }

    /// True if what is known is about two lanes of a warp as such.
    pub(super) fn is_of_lanes(&self) -> bool {
        !self.is_told()
            || matches!(self.between.lack, Some(Lack::Lane { .. } | Lack::LaneEnded { .. } | Lack::Trade { .. }))
    }

    fn is_told(&self) -> bool {
        self.race.unfenced.is_some() || self.between.flag.is_some() || self.between.lack.is_some()
    }

    /// What has been seen in vain, and what to put behind it.
    fn unfenced(&self, seen: Seen) -> Advice {
        let site = match seen {
            Seen::At(site) => Some(site),
            Seen::BeforeBarrier => self.between.look,
        };
        match site.and_then(|site| self.line(site)) {
            Some(line) => (
                match seen {
                    Seen::At(_) => format!("(2) has seen in line {line} that (1) was done, but no fence follows"),
                    Seen::BeforeBarrier => {
                        format!(
                            "it was seen in line {line} that (1) was done, but no fence follows there before the barrier"
                        )
                    }
                },
                format!(
                    "put a `__threadfence()` behind line {line}, where the flag or lock is seen, in the thread that sees it"
                ),
            ),
            None => (
                "it was seen that (1) was done, but no fence lies between that and (2)".to_string(),
                "put a `__threadfence()` behind the line that sees the flag or takes the lock, in the thread that does"
                    .to_string(),
            ),
        }
    }

    /// What was seen had released nothing: where a fence is missing on the writer's side.
    fn not_released(&self, flag: Flag) -> Option<Advice> {
        let line = self.line(flag.site)?;
        let first = self.sites.user_lines(self.launch.code, self.race.first.how.site()).0?.line;
        // A lock is taken and given back behind its critical section: there both may stand in one line.
        let place =
            if first < line { format!("between lines {first} and {line}") } else { format!("before line {line}") };
        let (seen, behind) = match self.line(flag.look) {
            Some(look) if look == line => {
                (format!("line {look} has seen what it sets after (1) in another thread"), format!("line {look}"))
            }
            Some(look) => {
                (format!("line {look} has seen what line {line} sets after (1)"), format!("line {look}, which sees it"))
            }
            None => (format!("it was seen what line {line} sets after (1)"), "the line that sees it".to_string()),
        };
        let too = if flag.is_acquired { String::new() } else { format!(", and another behind {behind}") };
        Some((
            format!("{seen}, but no fence lies between (1) and line {line}"),
            format!(
                "put a `__threadfence()` {place}, in the thread that sets the flag or counter, or gives the lock back, there{too}"
            ),
        ))
    }

    fn lacking(&self, lack: Lack) -> Option<Advice> {
        match lack {
            Lack::Beside(beside) => self.beside(beside),
            Lack::Ended { end, barrier } => {
                let (ended, line) = (self.ended(end)?, self.line(barrier)?);
                Some((
                    format!(
                        "(1)'s thread did not come to the barrier in line {line}, which (2)'s thread has passed: it {ended}, and a \
                         barrier does not wait for threads that have ended"
                    ),
                    format!(
                        "let all threads of the block come to line {line}: none may return before it, or go round it in a branch"
                    ),
                ))
            }
            Lack::Lane { barrier, met } => {
                let line = self.line(barrier)?;
                let lanes = [self.race.first.lane(), self.race.second.lane()];
                let [inside, outside] = if met >> lanes[0] & 1 != 0 { lanes } else { [lanes[1], lanes[0]] };
                Some((
                    format!(
                        "at the barrier of the warp in line {line} lane {inside} met the lanes of {met:#010x}, and lane {outside} \
                         is not one of them"
                    ),
                    format!(
                        "name in the mask in line {line} all lanes that trade here, and let all of them come to it; make the mask \
                         before the branch of those that take part, not by `__activemask()`"
                    ),
                ))
            }
            Lack::LaneEnded { barrier, end } => {
                let (line, ended) = (self.line(barrier)?, self.ended(end)?);
                Some((
                    format!(
                        "(1)'s lane did not come to the barrier of the warp in line {line}, which (2)'s lane has passed: it {ended}"
                    ),
                    "let both lanes come to one barrier between the two lines, which names both: none may return before it, or \
                     go round it in a branch"
                        .to_string(),
                ))
            }
            Lack::Trade { site } => {
                let line = self.line(site)?;
                let Op::Warp(op) = &self.launch.code.instrs[self.sites.pc(site) as usize].op else { return None };
                let name = op.kind.name();
                Some((
                    format!(
                        "both lanes come to the `{name}` in line {line}, but that trades registers and orders no memory"
                    ),
                    format!("put a `__syncwarp()` that both lanes reach between the two lines, beside the `{name}`"),
                ))
            }
            Lack::PlainUnlock { taken, store } => {
                let (taken, store) = (self.line(taken)?, self.line(store)?);
                Some((
                    format!(
                        "the thread that stores in line {store} has taken it by an atomic operation in line {taken}"
                    ),
                    format!(
                        "what an atomic operation takes, an atomic operation gives back: `__threadfence()` and then `atomicExch()` \
                         in line {store}"
                    ),
                ))
            }
            Lack::Locks(locks) => self.locks(locks),
        }
    }

    /// What a thread did at `end`: a branch led it straight out, or it came to its end there.
    fn ended(&self, end: u32) -> Option<String> {
        let line = self.line(end)?;
        Some(match &self.launch.code.instrs[self.sites.pc(end) as usize].op {
            Op::Branch(_) => format!("left the kernel from line {line}"),
            _ => format!("ended in line {line}"),
        })
    }

    /// A barrier that is missing beside a flag with its fences.
    fn beside(&self, beside: Beside) -> Option<Advice> {
        let (first, second) = (self.race.first.how.site(), self.race.second.how.site());
        match beside {
            Beside::Store { store, release, look } => {
                let (line, seen, above) = (self.line(store)?, self.line(look)?, self.line(first)?);
                let fence = self.line(release)?;
                (self.is_open(first, release)).then(|| {
                    (
                        format!(
                            "another thread of (1)'s block sets in line {line} what line {seen} has seen, and nothing orders (1) \
                             before that thread's line {fence}"
                        ),
                        format!("put a `__syncthreads()` that all threads of the block reach between lines {above} and {fence}"),
                    )
                })
            }
            Beside::Look { look } => {
                let (seen, below) = (self.line(look)?, self.line(second)?);
                self.is_open(look, second).then(|| {
                    (
                        format!(
                            "another thread of (2)'s block has seen in line {seen} that (1) was done, but nothing orders (2) \
                             behind that"
                        ),
                        format!(
                            "put a `__syncthreads()` that all threads of the block reach between lines {seen} and {below}, behind \
                             the fence"
                        ),
                    )
                })
            }
        }
    }

    /// True if one line follows the other in the kernel, and no barrier for the whole block stands between.
    fn is_open(&self, from: u32, to: u32) -> bool {
        let lines = (self.line(from), self.line(to));
        let (from, to) = (self.sites.pc(from), self.sites.pc(to));
        lines.0 < lines.1 && from < to && barrier_between(self.launch.code, from, to).is_none()
    }

    fn locks(&self, locks: [Option<Place>; 2]) -> Option<Advice> {
        let names = locks.map(|lock| lock.map(|lock| self.name_of(lock).0));
        let [one, other] = names;
        let (why, mend) = match (one, other) {
            (Some(one), Some(other)) => (
                format!("(1) was made under the lock {one} and (2) under {other}: no lock keeps them apart"),
                "let both threads hold one lock, the same, around these lines".to_string(),
            ),
            (Some(one), None) => (
                format!("(1) was made under the lock {one}, which (2)'s thread does not hold"),
                "let (2)'s thread hold that lock too, around its line".to_string(),
            ),
            (None, Some(other)) => (
                format!("(2) is made under the lock {other}, which (1)'s thread did not hold"),
                "let (1)'s thread hold that lock too, around its line".to_string(),
            ),
            (None, None) => return None,
        };
        let fences = match self.race.first.warp() / self.launch.warp_stride()
            == self.race.second.warp() / self.launch.warp_stride()
        {
            true => "a fence",
            false => "a `__threadfence()`",
        };
        Some((
            why,
            format!("{mend}; {fences} belongs behind the line that takes it and before the one that gives it back"),
        ))
    }

    /// What a lock is called.
    fn name_of(&self, (block, address): Place) -> (String, Option<Argument>) {
        let space = if block.is_some() { Space::Shared } else { Space::Global };
        let place = place::of(self.launch, space, address, 4);
        match place.text.starts_with("the same") {
            true => (format!("at {address:#x}"), None),
            false => (place.text, place.argument),
        }
    }

    /// Arguments of the kernel that the advice mentions.
    pub(super) fn mentioned(&self) -> Vec<Argument> {
        let Some(Lack::Locks(locks)) = self.between.lack else { return Vec::new() };
        locks.into_iter().flatten().filter_map(|lock| self.name_of(lock).1).collect()
    }

    /// The line of an update that the thread of a plain load has made before in the same place, and whether the load can be meant
    /// for nothing but what that update returns: nobody looks at it, who makes the one makes the other, and what is loaded chooses
    /// alone where the thread stores.
    pub(super) fn own_update(&self) -> Option<(u32, bool)> {
        let site = self.race.own_update?;
        let instr = self.launch.code.instrs.get(self.sites.pc(site) as usize)?;
        let ends = [self.race.first.how, self.race.second.how];
        let is_plain_load = |how: &How| how.kind() == Kind::Read && how.scope().is_none();
        let load = ends.into_iter().find(is_plain_load)?;
        let (line, below) = (self.line(site)?, self.line(load.site())?);
        match &instr.op {
            Op::Atomic(it) if line < below => {
                let (code, load) = (self.launch.code, self.sites.pc(load.site()));
                let is_alike = in_one_run(code, self.sites.pc(site), load) && chooses_a_place(code, load);
                Some((line, !it.looked_at && is_alike))
            }
            _ => None,
        }
    }

    /// What does not reach the other block, as far as it is known, and what to widen.
    pub(super) fn too_narrow(&self, narrow: Narrow) -> Advice {
        let mut sites: Vec<u32> = Vec::new();
        for site in [narrow.release, narrow.sees, narrow.fence].into_iter().flatten() {
            // Both sides may be one line of a lock.
            if !sites.contains(&site) {
                sites.push(site);
            }
        }
        let named = |&site: &u32| {
            let what = match self.launch.code.instrs.get(self.sites.pc(site) as usize).map(|instr| &instr.op) {
                Some(Op::Fence(_)) => "the fence",
                Some(Op::Atomic(_)) => "the atomic operation",
                Some(Op::Load(_)) => "the load",
                _ => "the store",
            };
            self.line(site).map(|line| format!("{what} in line {line}"))
        };
        let named: Option<Vec<String>> = sites.iter().map(named).collect();
        // Two instructions may be one line of the source.
        let named = named.map(|mut all| {
            let mut known = Vec::new();
            all.retain(|name| !known.contains(name) && (known.push(name.clone()), true).1);
            all
        });
        let mut wide: Vec<String> = Vec::new();
        for name in sites.iter().filter_map(|site| wider(&self.launch.code.instrs[self.sites.pc(*site) as usize].op)) {
            if !wide.contains(&name) {
                wide.push(name);
            }
        }
        let wide = match wide.is_empty() {
            true => "the function without `_block` in its name".to_string(),
            false => wide.join(", "),
        };
        let is_fence = |site: &u32| matches!(self.launch.code.instrs[self.sites.pc(*site) as usize].op, Op::Fence(_));
        let of_objects = match sites.iter().all(is_fence) {
            true => "",
            false => "; of `cuda::` objects `thread_scope_device` for `thread_scope_block`",
        };
        let (which, reach) = match named.as_deref() {
            Some([one]) => (one.clone(), "reaches its"),
            Some([first @ .., last]) => (format!("{} and {last}", first.join(", ")), "reach their"),
            _ => ("the synchronisation between them".to_string(), "reaches its"),
        };
        (
            format!("{which} {reach} own block only, and (1) and (2) are in different blocks"),
            format!(
                "give {which} device scope: {wide}{of_objects}; a flag or lock between blocks needs it on both sides"
            ),
        )
    }
}

/// What has device scope in place of an instruction that has not, as CUDA calls both.
fn wider(op: &Op) -> Option<String> {
    match op {
        Op::Fence(_) => Some("`__threadfence()` for `__threadfence_block()`".into()),
        Op::Atomic(it) => {
            let name = it.operation.cuda_name();
            Some(match it.operation {
                // A subtraction is the addition of less than 0.
                Operation::Add => "`atomicAdd()` or `atomicSub()` for the same with `_block`".into(),
                _ => format!("`{name}()` for `{name}_block()`"),
            })
        }
        _ => None,
    }
}

//! What is looked for on request, where an answer is wrong and no checker has found anything: strong accesses of one place that
//! nothing orders, what `__activemask()` gave, compare-and-swaps that failed and whose answer nobody looks at, and shuffles that
//! found no lane where they looked.
//!
//! None is a bug by itself. In a tree of shuffles the lanes whose sums nobody needs find none, so that is said with an "if". A counter's updates may come in any order, and so may the looks of a thread that waits for a
//! flag: these are left out, as far as the instructions tell, and so is what locks are taken and given back with.

use super::Full;
use super::describe::{Findings, access};
use super::race::Race;
use super::rounds::is_polled;
use super::sites::Sites;
use super::touched::{How, Kind};
use finding::{Access, Finding, Slug};
use machine::exec::Op;
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::warp;
use machine::registers::Mask;
use machine::run::launch::Launch;
use machine::watch::At;

/// How many of each sort are told.
const MOST: usize = 2;

#[derive(Default)]
pub struct Hints {
    pub pairs: Findings,
    asked: Vec<Asked>,
    missed: Vec<Missed>,
    beyond: Vec<Beyond>,
}

/// Lanes whose shuffles led out of the warp, or out of their group of lanes.
struct Beyond {
    site: u32,
    block: u64,
    warp: u32,
    kind: warp::Kind,
    lanes: Mask,
}

/// A compare-and-swap that did nothing, and whose answer nobody looks at.
struct Missed {
    site: u32,
    block: u64,
    thread: u32,
    count: u64,
}

/// What `activemask` gave where it was not all that there was.
struct Asked {
    site: u32,
    block: u64,
    warp: u32,
    mask: Mask,
    live: Mask,
}

/// True for two strong accesses whose order may matter.
pub fn may_matter(launch: &Launch, sites: &Sites, race: &Race) -> bool {
    let pc = |how: How| sites.pc(how.site());
    let [a, b] = [race.first.how, race.second.how].map(|how| Strong { how, pc: pc(how) });
    let updates = a.operation(launch).is_some() && b.operation(launch).is_some();
    let stores = |it: &Strong| matches!(it.operation(launch), Some((Operation::Exchange, false)));
    let takes = |it: &Strong| {
        matches!(it.operation(launch), Some((Operation::CompareExchange, _) | (Operation::Exchange, true)))
    };
    let waits = |it: &Strong| it.how.kind() == Kind::Read && is_polled(launch.code, it.pc);
    let ends = [&a, &b];
    // Updates among themselves are what atomics are for; one that only stores overwrites the others'.
    let is_overwritten = !updates || ends.into_iter().any(stores);
    is_overwritten && !ends.into_iter().any(takes) && !ends.into_iter().any(waits)
}

struct Strong {
    how: How,
    pc: u32,
}

impl Strong {
    /// Of an atomic operation: which, and whether what it finds is looked at.
    fn operation(&self, launch: &Launch) -> Option<(Operation, bool)> {
        match &launch.code.instrs[self.pc as usize].op {
            Op::Atomic(it) => Some((it.operation, it.looked_at)),
            _ => None,
        }
    }
}

impl Full<'_> {
    /// To be called when the launch is over, before its findings are taken.
    pub fn keep_hints(&mut self, launch: &Launch) {
        if let (Some(hints), Some(kept)) = (self.hints.take(), &mut self.state.hints) {
            kept.extend(hints.finish(launch, &self.sites));
        }
    }
}

impl Hints {
    /// `activemask` gave `mask` where the lanes in `live` had not ended.
    pub fn asked(&mut self, at: &At, site: u32, mask: Mask, live: Mask) {
        // Of grids that kernels launch nothing is told.
        let is_first = at.launch.number == 0;
        if is_first && mask != live && self.asked.len() < MOST && self.asked.iter().all(|known| known.site != site) {
            self.asked.push(Asked { site, block: at.block, warp: at.warp, mask, live });
        }
    }

    /// Lanes in `failed` compare and do not swap.
    pub fn compared(&mut self, at: &At, site: u32, atomic: &Atomic, failed: Mask) {
        let is_first = at.launch.number == 0;
        if !is_first || failed == 0 || atomic.looked_at {
            return;
        }
        let count = u64::from(failed.count_ones());
        if let Some(known) = self.missed.iter_mut().find(|known| known.site == site) {
            known.count += count;
        } else if self.missed.len() < MOST {
            let thread = 32 * at.warp + failed.trailing_zeros();
            self.missed.push(Missed { site, block: at.block, thread, count });
        }
    }

    /// The lanes in `alone` found none where they looked.
    pub fn shuffled(&mut self, at: &At, site: u32, kind: warp::Kind, alone: Mask) {
        if at.launch.number != 0 || alone == 0 || !matches!(kind, warp::Kind::Shuffle(_)) {
            return;
        }
        match self.beyond.iter_mut().find(|known| known.site == site) {
            Some(known) if (known.block, known.warp) == (at.block, at.warp) => known.lanes |= alone,
            Some(_) => {}
            None => self.beyond.push(Beyond { site, block: at.block, warp: at.warp, kind, lanes: alone }),
        }
    }

    /// What to say of shuffles that found no lane, line by line: a loop may have become many instructions.
    fn alone(&self, launch: &Launch, sites: &Sites) -> Option<Finding> {
        let mut lines: Vec<(&Beyond, Mask)> = Vec::new();
        for it in &self.beyond {
            let line = |it: &Beyond| sites.user_lines(launch.code, it.site).0.map(|place| (place.file, place.line));
            match lines.iter_mut().find(|(known, _)| line(known) == line(it)) {
                Some((_, lanes)) => *lanes |= it.lanes,
                None => lines.push((it, it.lanes)),
            }
        }
        let (first, _) = lines.first()?;
        let end = |&(it, mask): &(&Beyond, Mask)| -> Access {
            let action = format!("gave lanes {mask:#010x} their own values back: no lane is where they look");
            Access { thread: None, ..access(launch, sites, it.block, 32 * it.warp, it.site, action) }
        };
        let [x, y, z] = launch.block_index(first.block);
        Some(Finding {
            slug: Slug::AbsentLane,
            kernel: launch.kernel.into(),
            message: "a shuffle that leads out of the warp, or out of its group of lanes, returns the lane's own value"
                .into(),
            headline: None,
            accesses: lines.iter().take(MOST).map(end).collect(),
            place: format!("warp {} of block ({x},{y},{z})", first.warp),
            why: format!(
                "`{}` reads another lane only where there is one; these lanes got what they had put in",
                first.kind.name()
            ),
            help: format!(
                "if the results of these lanes count, let all lanes make the call, and take in what it returns only where the other \
                 lane exists{}; if all lanes need the whole result, call `__shfl_xor_sync()` with the same offset instead",
                match first.kind {
                    warp::Kind::Shuffle(warp::Shuffle::Up) => ", in lanes from `offset` on",
                    warp::Kind::Shuffle(warp::Shuffle::Down) => ", where lane + offset is still below 32 or the width",
                    _ => "",
                }
            ),
            count: 1,
            benign: true,
            arguments: Vec::new(),
        })
    }

    /// What to say of compare-and-swaps that failed unseen.
    fn unseen(&self, launch: &Launch, sites: &Sites) -> Option<Finding> {
        let first = self.missed.first()?;
        let end = |it: &Missed| -> Access {
            let more = if it.count > 1 { format!(", and {} more like it", it.count - 1) } else { String::new() };
            let action = format!("found another value there than it looked for, and changed nothing{more}");
            access(launch, sites, it.block, it.thread, it.site, action)
        };
        let [x, y, z] = launch.block_index(first.block);
        Some(Finding {
            slug: Slug::RaceGlobal,
            kernel: launch.kernel.into(),
            message: "a compare-and-swap failed, and nobody looked".into(),
            headline: None,
            accesses: self.missed.iter().map(end).collect(),
            place: format!("block ({x},{y},{z})"),
            why: "`atomicCAS()` stores only if the place still holds what it is given; where another thread has come first it does \
                  nothing and returns what it found, and nothing here uses that"
                .into(),
            help: "compare what it returns with what it was given, and where they differ begin again with the value that it found, in \
                   a loop; or let one atomic operation do all, such as `atomicAdd()`"
                .into(),
            count: first.count,
            benign: true,
            arguments: Vec::new(),
        })
    }

    pub fn finish(mut self, launch: &Launch, sites: &Sites) -> Vec<Finding> {
        let pairs = std::mem::take(&mut self.pairs);
        let mut all: Vec<Finding> = self.unseen(launch, sites).into_iter().collect();
        all.extend(pairs.finish().into_iter().take(MOST));
        all.extend(self.alone(launch, sites));
        // They are no races.
        all.iter_mut().for_each(|pair| pair.why = pair.why.replace(" race here too", " do so too"));
        let end = |it: &Asked| -> Access {
            let action =
                format!("got {:#010x} from `__activemask()`, while lanes {:#010x} had not ended", it.mask, it.live);
            access(launch, sites, it.block, 32 * it.warp + it.mask.trailing_zeros(), it.site, action)
        };
        let Some(first) = self.asked.first() else { return all };
        let is_other = |it: &Asked| (it.block, it.warp) == (first.block, first.warp) && it.mask != first.mask;
        let differ = self.asked.iter().any(is_other);
        let one_mask = if differ { "use one mask wherever the same lanes are meant; " } else { "" };
        let [x, y, z] = launch.block_index(first.block);
        all.push(Finding {
            slug: Slug::AbsentLane,
            kernel: launch.kernel.into(),
            message: "`__activemask()` gives the lanes that happen to run together, not those that take part".into(),
            headline: None,
            accesses: self.asked.iter().map(end).collect(),
            place: format!("block ({x},{y},{z})"),
            why: format!(
                "the lanes of a warp need not stay together, so the mask may name fewer lanes than take part{}",
                if differ { "; and where lanes have parted in between, two calls give two masks" } else { "" }
            ),
            help: one_mask.to_string()
                + "make the mask by `__ballot_sync()` before the branch of those that take part, or let every lane take part \
                   with a neutral value",
            count: 1,
            benign: true,
            arguments: Vec::new(),
        });
        all
    }
}

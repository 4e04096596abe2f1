//! Hints, which are searched for on request if an answer is wrong and no checker has found anything. These are strong
//! accesses of one location that nothing orders, and results of `__activemask()`. They are also compare-and-swaps that
//! failed and whose result is not used, and shuffles whose source lane does not exist.
//!
//! None is a bug by itself. In a tree of shuffles, lanes whose sums are not needed have no source lane, so the report
//! says "if". A counter's updates may come in any order, and so may the reads of a thread that waits for a flag. These
//! are left out, as far as the instructions show, and so are the operations that take and release locks.

use crate::access::race::Race;
use crate::evidence::loose::{Loose, mark};
use crate::evidence::polls::is_polled;
use crate::findings::list::{Findings, access};
use crate::sites::Sites;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use finding::{Access, Action, Cause, Finding, Severity, ShuffleDirection, Slug, Where};
use machine::code::KernelCode;
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::{Op, warp};
use machine::registers::Mask;
use machine::run::launch::Launch;
use machine::watch::At;

/// The greatest number of hints of each kind that are reported.
const MOST: usize = 2;

pub struct Hints {
    /// True if only pairs of volatile accesses are wanted.
    only_volatile: bool,
    loose: Loose,
    pairs: Findings,
    asked: Vec<ActiveMaskUse>,
    missed: Vec<Missed>,
    beyond: Vec<ShuffleSources>,
}

/// Lanes whose shuffles have a source outside the warp, or outside their group of lanes.
struct ShuffleSources {
    site: u32,
    block: u64,
    warp: u32,
    kind: warp::CollectiveKind,
    lanes: Mask,
}

/// A compare-and-swap that failed, and whose result is not used.
struct Missed {
    site: u32,
    block: u64,
    thread: u32,
    count: u64,
}

/// A result of `activemask` that does not include all live lanes.
struct ActiveMaskUse {
    site: u32,
    block: u64,
    warp: u32,
    mask: Mask,
    live: Mask,
}

/// True for two strong accesses whose order may matter.
fn may_matter(launch: &Launch, sites: &Sites, race: &Race) -> bool {
    let pc = |info: AccessInfo| sites.pc(info.site());
    let [a, b] = [race.first.info, race.second.info].map(|info| StrongOperation { info, pc: pc(info) });
    let updates = a.operation(launch).is_some() && b.operation(launch).is_some();
    let stores = |it: &StrongOperation| matches!(it.operation(launch), Some((Operation::Exchange, false)));
    let takes = |it: &StrongOperation| {
        matches!(it.operation(launch), Some((Operation::CompareExchange, _) | (Operation::Exchange, true)))
    };
    let waits = |it: &StrongOperation| it.info.kind() == RecordedKind::Read && is_polled(launch.code, it.pc);
    let ends = [&a, &b];
    // Atomics are meant for concurrent updates; one that only stores overwrites the others'.
    let is_overwritten = !updates || ends.into_iter().any(stores);
    is_overwritten && !ends.into_iter().any(takes) && !ends.into_iter().any(waits)
}

/// True for a volatile load or store.
fn is_volatile(code: &KernelCode, pc: u32) -> bool {
    match &code.instrs[pc as usize].op {
        Op::Load(it) => it.semantics.volatile,
        Op::Store(it) => it.semantics.volatile,
        _ => false,
    }
}

struct StrongOperation {
    info: AccessInfo,
    pc: u32,
}

impl StrongOperation {
    /// Returns the operation of an atomic access, and true if its result is used.
    fn operation(&self, launch: &Launch) -> Option<(Operation, bool)> {
        match &launch.code.instrs[self.pc as usize].op {
            Op::Atomic(it) => Some((it.operation, it.looked_at)),
            _ => None,
        }
    }
}

impl Hints {
    /// `None` on a page: see `no_hints.rs`.
    pub fn new(code: &KernelCode) -> Option<Hints> {
        let (pairs, asked, missed, beyond) = Default::default();
        Some(Hints { only_volatile: false, loose: Loose::new(code), pairs, asked, missed, beyond })
    }

    /// Looks for pairs of volatile accesses only. `None` if the code has no such access.
    pub fn of_volatile(code: &KernelCode) -> Option<Hints> {
        let has_any = (0..code.instrs.len()).any(|pc| is_volatile(code, pc as u32));
        let hints = if has_any { Hints::new(code) } else { None };
        hints.map(|hints| Hints { only_volatile: true, ..hints })
    }

    /// True for two strong accesses whose order may matter, and which the kernel has not ordered by fences.
    /// `is_released`: their location holds a release, as a flag does.
    pub fn are_told(&self, launch: &Launch, sites: &Sites, race: &Race, is_released: bool) -> bool {
        let block = |it: RecordedAccess| it.warp() / launch.warp_stride();
        let is_one_block = block(race.first) == block(race.second);
        let pcs = [race.first, race.second].map(|it| sites.pc(it.info.site()));
        let said = self.loose.of(pcs, is_one_block);
        let is = |mark: u8| said & mark != 0;
        let is_wanted = !self.only_volatile || pcs.into_iter().all(|pc| is_volatile(launch.code, pc));
        is_wanted
            && may_matter(launch, sites, race)
            && (is(mark::LOOSE) || !is_released && (is(mark::LATE) || !is(mark::FENCED | mark::REPEATS)))
    }

    /// Returns the pairs of strong accesses that nothing orders.
    pub fn pairs(&mut self) -> &mut Findings {
        &mut self.pairs
    }

    /// Records that `activemask` returned `mask` when the lanes in `live` had not ended.
    pub fn asked(&mut self, at: &At, site: u32, mask: Mask, live: Mask) {
        // Grids that kernels launch are not reported.
        let is_first = at.launch.number == 0;
        if is_first && mask != live && self.asked.len() < MOST && self.asked.iter().all(|known| known.site != site) {
            self.asked.push(ActiveMaskUse { site, block: at.block, warp: at.warp, mask, live });
        }
    }

    /// Records that the compare-and-swap of the lanes in `failed` fails.
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

    /// Records that the lanes in `alone` have no source lane in a shuffle.
    pub fn shuffled(&mut self, at: &At, site: u32, kind: warp::CollectiveKind, alone: Mask) {
        if at.launch.number != 0 || alone == 0 || !matches!(kind, warp::CollectiveKind::Shuffle(_)) {
            return;
        }
        match self.beyond.iter_mut().find(|known| known.site == site) {
            Some(known) if (known.block, known.warp) == (at.block, at.warp) => known.lanes |= alone,
            Some(_) => {}
            None => self.beyond.push(ShuffleSources { site, block: at.block, warp: at.warp, kind, lanes: alone }),
        }
    }

    /// Returns the hint about shuffles without a source lane, by line: a loop may have become many instructions.
    fn alone(&self, launch: &Launch, sites: &Sites) -> Option<Finding> {
        let mut lines: Vec<(&ShuffleSources, Mask)> = Vec::new();
        for it in &self.beyond {
            let line =
                |it: &ShuffleSources| sites.user_lines(launch.code, it.site).0.map(|place| (place.file, place.line));
            match lines.iter_mut().find(|(known, _)| line(known) == line(it)) {
                Some((_, lanes)) => *lanes |= it.lanes,
                None => lines.push((it, it.lanes)),
            }
        }
        let (first, _) = lines.first()?;
        let end = |&(it, lanes): &(&ShuffleSources, Mask)| {
            let action = Action::ShuffleGaveBack { lanes };
            Access { thread: None, ..access(launch, sites, it.block, 32 * it.warp, it.site, action) }
        };
        let accesses = lines.iter().take(MOST).map(end).collect();
        let place = Where::Warp { block: launch.block_index(first.block), warp: first.warp };
        let direction = match first.kind {
            warp::CollectiveKind::Shuffle(warp::Shuffle::Up) => Some(ShuffleDirection::Up),
            warp::CollectiveKind::Shuffle(warp::Shuffle::Down) => Some(ShuffleDirection::Down),
            _ => None,
        };
        let cause = Cause::ShuffleBeyond { function: first.kind.name(), direction };
        Some(hint(launch, Slug::AbsentLane, accesses, place, cause))
    }

    /// Returns the hint about compare-and-swaps that failed and whose result is not used.
    fn unseen(&self, launch: &Launch, sites: &Sites) -> Option<Finding> {
        let first = self.missed.first()?;
        let end = |it: &Missed| {
            let action = Action::FailedToSwap { count: it.count };
            access(launch, sites, it.block, it.thread, it.site, action)
        };
        let accesses = self.missed.iter().map(end).collect();
        let place = Where::Block { block: launch.block_index(first.block) };
        let hint = hint(launch, Slug::RaceGlobal, accesses, place, Cause::SwapFailedUnseen);
        Some(Finding { count: first.count, ..hint })
    }

    /// Returns the hint about results of `activemask`.
    fn masks(&self, launch: &Launch, sites: &Sites) -> Option<Finding> {
        let first = self.asked.first()?;
        let end = |it: &ActiveMaskUse| {
            let action = Action::ActiveMaskGave { mask: it.mask, live: it.live };
            access(launch, sites, it.block, 32 * it.warp + it.mask.trailing_zeros(), it.site, action)
        };
        let accesses = self.asked.iter().map(end).collect();
        let place = Where::Block { block: launch.block_index(first.block) };
        let is_other = |it: &ActiveMaskUse| (it.block, it.warp) == (first.block, first.warp) && it.mask != first.mask;
        let differ = self.asked.iter().any(is_other);
        Some(hint(launch, Slug::AbsentLane, accesses, place, Cause::ActiveMask { differ }))
    }

    /// Returns the pairs of volatile accesses as notes, if only these are wanted. Two writes of one value are left out.
    pub fn volatile_notes(&self, pairs: &[Finding]) -> Vec<Finding> {
        if !self.only_volatile {
            return Vec::new();
        }
        let differ = pairs.iter().filter(|pair| pair.severity != Severity::Note);
        differ.map(|pair| Finding { severity: Severity::Note, ..pair.clone() }).collect()
    }

    pub fn finish(self, launch: &Launch, sites: &Sites, pairs: Vec<Finding>) -> Vec<Finding> {
        let pairs = pairs.into_iter().take(MOST).map(|pair| Finding { severity: Severity::Hint, ..pair });
        let (unseen, alone, masks) = (self.unseen(launch, sites), self.alone(launch, sites), self.masks(launch, sites));
        unseen.into_iter().chain(pairs).chain(alone).chain(masks).collect()
    }
}

fn hint(launch: &Launch, slug: Slug, accesses: Vec<Access>, place: Where, cause: Cause) -> Finding {
    Finding {
        slug,
        severity: Severity::Hint,
        kernel: launch.kernel.into(),
        accesses,
        headline: None,
        place,
        cause,
        remedies: Vec::new(),
        count: 1,
    }
}

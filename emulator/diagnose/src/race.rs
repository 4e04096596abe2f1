//! Remedies for two threads of one launch that race: which fence, barrier or lock would order them, by line.
//!
//! A flag or a lock that both threads have used comes first: a barrier beside it would hide what it lacks, or never
//! end. Then come barriers that did not take in both threads. All that is told by these this run has shown; after them
//! comes what the code alone says of the two lines.

use super::code::statement::UserStatement;
use super::code::{self, Holds, Reading, Without};
use super::lines::{
    chooses_a_place, is_half_of_an_update, is_one_place, is_swapped, updates_by_choice, updates_in_one_line,
};
use checker::{BesideFlag, Clue, Flag, ListedFinding, MissingOrder, RaceClue, RaceEnd, ReleaseSeen, Sites};
use finding::{
    Cause, Copies, Distance, End, Finding, LostUpdate, Missing, PlainAccess, Polled, Relation, SourceLocation,
    Unordered, Word,
};
use machine::exec::Op;

/// Chooses which pair of accesses an entry shows, and adds what the code says about it. Gives whether the cause is now
/// that pair's own (its flag, its lock, its scope), and not just a missing order.
pub fn complete(entry: &mut ListedFinding, reading: &Reading, sites: &Sites) -> bool {
    let Some(Clue::Race(clue)) = &entry.clue else { return false };
    let pair = |finding: &Finding, clue| Some(Pair { reading, sites, clue, distance: unordered(finding)?.distance });
    let Some(shown) = pair(&entry.finding, clue) else { return false };
    let own = shown.known();
    if own.is_none() && !clue.is_certain {
        let known = |(finding, clue)| pair(finding, clue)?.known();
        if let Some(at) = entry.alternatives.iter().position(|(finding, clue)| known((finding, clue)).is_some()) {
            let (finding, clue) = entry.alternatives.swap_remove(at);
            entry.finding = Finding { count: entry.finding.count, ..finding };
            entry.clue = Some(Clue::Race(Box::new(clue)));
            return complete(entry, reading, sites);
        }
    }
    let is_known = own.is_some() || clue.is_certain;
    let is_early = own.is_none() && shown.is_early_for_copy();
    let in_cluster = entry.finding.is_in_cluster();
    let Cause::Unordered(cause) = &mut entry.finding.cause else { return is_known };
    if is_early && matches!(cause.relation, Relation::Threads(_)) {
        cause.relation = Relation::Copies { copies: Copies::Bulk { copy: 1, by_object: true, writes: true } };
        return true;
    }
    if let Relation::Threads(between) = &mut cause.relation {
        between.polled = shown.polled();
        between.in_branches = !between.one_access && shown.is_in_branches(in_cluster);
        if between.in_branches {
            between.in_loop = shown.is_in_loop();
        }
        between.two_arrays = !between.one_access && shown.may_be_two_arrays();
        if shown.plain_updates() {
            between.plain = PlainAccess::Update;
        }
        if between.one_access {
            between.updates = shown.updates();
            between.in_loop = shown.is_in_loop();
        }
        let overlap = shown.overlap();
        let differs = overlap.clone().filter(|it| matches!(it, Missing::Overlap { strong: true, .. }));
        let missing = differs.or(own).or(overlap).or_else(|| shown.rounds()).or_else(|| shown.rounds_of_object());
        between.missing = missing.or_else(|| shown.own_update());
        if between.missing.is_none() && between.polled.is_none() && !between.in_branches {
            between.missing = shown.same_place().or_else(|| shown.wrong_means());
        }
        if between.missing.is_none() && between.polled.is_none() && shown.updates_by_choice() {
            cause.lost_update = Some(LostUpdate { in_one_warp: cause.distance == Distance::Warp });
        }
    }
    is_known
}

/// True if two elements get one another's value where threads race.
pub fn swaps(entry: &ListedFinding, reading: &Reading, sites: &Sites) -> bool {
    let Some(Clue::Race(clue)) = &entry.clue else { return false };
    unordered(&entry.finding).is_some_and(|it| Pair { reading, sites, clue, distance: it.distance }.swaps())
}

/// Returns the facts about two accesses that nothing orders.
pub fn unordered(finding: &Finding) -> Option<&Unordered> {
    match &finding.cause {
        Cause::Unordered(it) => Some(it),
        _ => None,
    }
}

/// A pair of accesses and the code that they stand in.
pub struct Pair<'a> {
    pub reading: &'a Reading<'a>,
    pub sites: &'a Sites,
    pub clue: &'a RaceClue,
    pub distance: Distance,
}

impl Pair<'_> {
    /// The place of a site, if it is in the file of the second access.
    pub fn location(&self, site: u32) -> Option<SourceLocation> {
        self.sites.beside(self.reading.code, site, self.clue.ends[1].site)
    }

    /// Returns what this run has shown of this very pair, if anything.
    fn known(&self) -> Option<Missing> {
        let shown = &self.clue.shown;
        let missing = shown.unfenced.map(|seen| self.unfenced(seen));
        missing.or_else(|| self.not_released(shown.flag?)).or_else(|| self.lacking(shown.lack?))
    }

    /// Returns the fence that is missing at a flag that was seen in vain.
    fn unfenced(&self, seen: ReleaseSeen) -> Missing {
        let (site, before_barrier) = match seen {
            ReleaseSeen::At(site) => (Some(site), false),
            ReleaseSeen::BeforeBarrier => {
                (self.clue.shown.look, self.clue.shown.look.is_none_or(|look| self.is_behind_barrier(look)))
            }
        };
        let word = site.map_or(Word::Flag, |site| self.word(site));
        Missing::FenceAfterLook { seen: site.and_then(|site| self.location(site)), before_barrier, word }
    }

    /// True if the block waits on every way from there to the second access. The order of a look may also come by a
    /// warp's barrier, or from the lane beside.
    fn is_behind_barrier(&self, look: u32) -> bool {
        let [look, second] = [look, self.clue.ends[1].site].map(|site| [self.sites.pc(site)]);
        !self.reading.is_way(&look, &second, Without::barrier(Holds::Block))
    }

    /// Returns the fence that is missing on the writer's side: the write that was seen had released nothing.
    fn not_released(&self, flag: Flag) -> Option<Missing> {
        Some(Missing::FenceBeforeFlag {
            set: self.location(flag.site)?,
            first: self.sites.user_lines(self.reading.code, self.clue.ends[0].site).0?,
            look: self.location(flag.look),
            acquired: flag.is_acquired,
            word: self.word(flag.look),
        })
    }

    /// Returns the purpose of the word that was looked at here.
    fn word(&self, look: u32) -> Word {
        self.reading.word(self.sites.pc(look))
    }

    /// True if a lock was taken here.
    fn takes_lock(&self, taken: u32) -> bool {
        self.reading.takes_lock(self.sites.pc(taken))
    }

    fn lacking(&self, lack: MissingOrder) -> Option<Missing> {
        Some(match lack {
            MissingOrder::Beside(beside) => return self.beside(beside),
            // Had it stayed, the barrier would have parted the two only if all come by it from one to the other.
            // And who leaves by what it has read there has read something else than the others: that is another race.
            MissingOrder::Ended { end, .. } if self.is_open_way() || self.leaves_by_first(end) => return None,
            MissingOrder::Ended { end, barrier } => {
                Missing::EndedBeforeBarrier { end: self.end(end)?, barrier: self.location(barrier)? }
            }
            MissingOrder::Lane { barrier, met } => {
                let [first, second] = self.clue.ends.map(|end| end.lane);
                let (inside, outside) = if met >> first & 1 != 0 { (first, second) } else { (second, first) };
                Missing::LaneNotInMask { barrier: self.location(barrier)?, met, inside, outside }
            }
            MissingOrder::LaneEnded { barrier, end } => {
                Missing::LaneEnded { barrier: self.location(barrier)?, end: self.end(end)? }
            }
            MissingOrder::Trade { site } => {
                let Op::Warp(op) = self.reading.op(self.sites.pc(site)) else { return None };
                Missing::OnlyShuffled { at: self.location(site)?, function: op.kind.name() }
            }
            MissingOrder::PlainUnlock { taken, .. } if !self.takes_lock(taken) => return None,
            MissingOrder::PlainUnlock { taken, store } => {
                Missing::PlainUnlock { taken: self.location(taken)?, store: self.location(store)? }
            }
            MissingOrder::ReleasedEarly { taken, .. } if !self.takes_lock(taken) => return None,
            MissingOrder::ReleasedEarly { site, is_first, .. } => return self.released_early(site, is_first),
            MissingOrder::Locks(held) if !held.iter().flatten().all(|lock| self.takes_lock(lock.taken)) => return None,
            MissingOrder::Locks(_) => {
                let [first, second] = self.clue.locks.clone();
                let is_one = first.is_some() || second.is_some();
                return is_one.then_some(Missing::Locks { first, second, one_block: self.distance != Distance::Grid });
            }
        })
    }

    /// Within a block this holds only if no barrier of the block follows the release: such a barrier may be meant to
    /// order the two.
    fn released_early(&self, release: u32, first: bool) -> Option<Missing> {
        let access = self.clue.ends[usize::from(!first)].site;
        let [from, to] = [release, access].map(|site| [self.sites.pc(site)]);
        let is_open = || self.reading.is_way(&from, &to, Without::barrier(Holds::Block));
        (self.distance == Distance::Grid || is_open()).then_some(Missing::ReleasedEarly {
            release: self.location(release)?,
            access: self.location(access)?,
            first,
        })
    }

    /// True if what the first access has read decides that its thread ends there.
    fn leaves_by_first(&self, end: u32) -> bool {
        let first = self.clue.ends[0];
        let (end, first_pc) = (self.sites.pc(end), self.sites.pc(first.site));
        first.is_read && (self.reading.asks_for(end, first_pc) || self.reading.decides_the_next(first_pc, &[first_pc]))
    }

    /// True if a thread can come from the first access to the second one with no barrier of the block on its way.
    fn is_open_way(&self) -> bool {
        let [first, second] = self.clue.ends.map(|end| [self.sites.pc(end.site)]);
        self.reading.is_way(&first, &second, Without::barrier(Holds::Block))
    }

    /// Returns the end of a thread at `end`: a branch led it straight out, or it came to its end there.
    fn end(&self, end: u32) -> Option<End> {
        let by_branch = matches!(self.reading.op(self.sites.pc(end)), Op::Branch(_));
        Some(End { at: self.location(end)?, by_branch })
    }

    /// A barrier that is missing beside a flag with its fences.
    fn beside(&self, beside: BesideFlag) -> Option<Missing> {
        let [first, second] = self.clue.ends.map(|end| end.site);
        match beside {
            BesideFlag::Store { store, release, look } => {
                self.is_open(first, release, Holds::Block).then_some(Missing::BarrierBeforeFlag {
                    set: self.location(store)?,
                    look: self.location(look)?,
                    first: self.location(first)?,
                    fence: self.location(release)?,
                })
            }
            BesideFlag::Look { look, one_warp } => {
                let holds = if one_warp { Holds::Lanes } else { Holds::Block };
                let (from, to) = (self.location(look)?, self.location(second)?);
                let missing = Missing::BarrierAfterLook { look: from, second: to, one_warp };
                self.is_open(look, second, holds).then_some(missing)
            }
        }
    }

    /// True if one line follows the other in the kernel, and not all come there by such a barrier.
    fn is_open(&self, from: u32, to: u32, holds: Holds) -> bool {
        let line = |site| self.location(site).map(|it| it.line);
        let is_above = line(from) < line(to);
        let [from, to] = [from, to].map(|site| [self.sites.pc(site)]);
        let is_way = |without| self.reading.is_way(&from, &to, without);
        is_above && (is_way(Without::barrier(holds)) || !is_way(Without::default()))
    }

    /// The update that the thread of a plain load has made before in the same place, and not just in this run: the code
    /// writes one address for both. Who passes a barrier in between wants what all have made of it. `certain` says that
    /// the load can be meant for nothing but what that update returns. Then nobody looks at that result, who makes the
    /// one makes the other, and what is loaded chooses alone where the thread stores.
    fn own_update(&self) -> Option<Missing> {
        let pc = self.sites.pc(self.clue.own_update?);
        let load = self.clue.ends.into_iter().find(|end| end.is_read && !end.is_strong)?;
        let (at, below) = (self.location(self.clue.own_update?)?, self.location(load.site)?);
        match &self.reading.code.instrs.get(pc as usize)?.op {
            Op::Atomic(it) if at.line < below.line => {
                let (load, instrs) = (self.sites.pc(load.site), 0..self.reading.code.instrs.len() as u32);
                let barriers: Vec<u32> = instrs.filter(|pc| matches!(self.reading.op(*pc), Op::Barrier(_))).collect();
                let is_at_once =
                    self.reading.is_way(&[pc], &[load], Without { any_of: &barriers, ..Without::default() });
                if !is_at_once || !is_one_place(self.reading, pc, load) {
                    return None;
                }
                let is_alike = self.reading.in_one_run(pc, load) && chooses_a_place(self.reading, load);
                Some(Missing::OwnUpdate { at, certain: !it.looked_at && is_alike })
            }
            _ => None,
        }
    }

    /// Returns the way in which one of the two waits for what the other sets, if it does.
    fn polled(&self) -> Option<Polled> {
        let is_look = |end: &RaceEnd| end.is_read || self.reading.is_look(self.sites.pc(end.site));
        let reads = self.clue.ends.into_iter().filter(is_look);
        let mut waits = reads.filter_map(|end| Some((end, self.reading.polled(self.sites.pc(end.site))?)));
        let (end, polled) = waits.next()?;
        Some(match polled {
            // A plain load that was taken out of its loop.
            code::loops::PollLoop::Once(pc) if !end.is_strong => Polled::Once { at: self.location(pc) },
            _ => Polled::Again,
        })
    }

    /// True if the one that reads, or else the first, is half of a line that loads and stores, or its thread stores by
    /// what it has loaded there. Where two places change their values, that is no update of one.
    fn updates(&self) -> bool {
        let reads = self.clue.ends.iter().find(|end| end.is_read).or(self.clue.ends.first());
        let is_one = reads.is_some_and(|end| is_half_of_an_update(self.reading, self.sites.pc(end.site)));
        (is_one || self.updates_by_choice()) && !self.swaps()
    }

    /// True if what a thread loads decides whether it stores there, as in `if (*p < v) *p = v`: of one who loads and
    /// one who stores, or of two who store.
    fn updates_by_choice(&self) -> bool {
        let pc = |end: &RaceEnd| self.sites.pc(end.site);
        let (reads, stores): (Vec<&RaceEnd>, Vec<&RaceEnd>) = self.clue.ends.iter().partition(|end| end.is_read);
        let is_plain = self.clue.ends.iter().all(|end| !end.is_strong) && !self.clue.is_earlier;
        let Some(store) = stores.first().map(|end| pc(end)).filter(|_| is_plain && !self.swaps()) else { return false };
        updates_by_choice(self.reading, reads.first().map(|end| pc(end)), store)
    }

    /// True if two elements of memory get one another's value.
    pub fn swaps(&self) -> bool {
        !self.clue.is_earlier && self.clue.ends.iter().any(|end| is_swapped(self.reading, self.sites.pc(end.site)))
    }

    /// Accesses of different size that share bytes: two writes, or two that race for no other reason.
    fn overlap(&self) -> Option<Missing> {
        let [first, second] = &self.clue.ends;
        let strong = first.is_strong && second.is_strong;
        let are_meant = strong || [first, second].into_iter().all(|end| !end.is_read && !end.is_strong);
        let bytes = [first, second].map(|end| [end.from, end.from + end.bytes - 1]);
        (are_meant && first.bytes != second.bytes).then_some(Missing::Overlap { bytes, strong })
    }

    /// True if the second access is the write of a bulk copy that the first access should have waited for: the copy is
    /// above it, and comes again only past a barrier, if at all. A thread that does nothing but copy in a loop may
    /// refill what others read: there the reads may be what it does not wait for.
    fn is_early_for_copy(&self) -> bool {
        let [first, second] = self.clue.ends;
        let [access, copy] = [first, second].map(|end| self.sites.pc(end.site));
        let without = match self.distance {
            Distance::Warp => Without::barrier(Holds::Lanes),
            Distance::Block => Without::barrier(Holds::Block),
            Distance::Grid => Without::default(),
        };
        let is_way = |from, to, without| self.reading.is_way(&[from], &[to], without);
        let is_refilled_elsewhere =
            || is_way(copy, copy, Without::default()) && !is_way(access, copy, Without::default());
        matches!(self.reading.op(copy), Op::Bulk(it) if it.is_tracked())
            && !second.is_read
            && is_way(copy, access, Without::default())
            && !is_way(access, copy, without)
            && !is_refilled_elsewhere()
    }

    /// True if no thread of the block, or of the cluster, comes from one access to the other.
    fn is_in_branches(&self, in_cluster: bool) -> bool {
        let [first, second] = self.clue.ends.map(|end| [self.sites.pc(end.site)]);
        let is_way = |from: &[u32], to: &[u32]| self.reading.is_way(from, to, Without::default());
        let waits_together = (self.distance != Distance::Grid || in_cluster) && !self.clue.is_earlier;
        waits_together && !is_way(&first, &second) && !is_way(&second, &first)
    }

    /// True for two plain writes in shared memory that is declared without a size, in which a kernel cuts its arrays
    /// itself.
    fn may_be_two_arrays(&self) -> bool {
        let are_writes = self.clue.ends.iter().all(|end| !end.is_read && !end.is_strong);
        let shared = self.reading.code.parts.iter().flat_map(|part| part.shared.iter());
        let is_cut = |from: u64| shared.clone().any(|it| it.bytes == 0 && it.offset <= from);
        are_writes && self.clue.buffer.is_none() && self.clue.ends.iter().all(|end| is_cut(end.from))
    }

    /// True if a thread can come here again, in a loop that the compiler has kept or unrolled, and by no barrier.
    fn is_in_loop(&self) -> bool {
        let holds = if self.distance == Distance::Warp { Holds::Lanes } else { Holds::Block };
        let is_kept = |end: &RaceEnd| {
            let pc = [self.sites.pc(end.site)];
            let is_held = self.distance != Distance::Grid && !self.reading.is_way(&pc, &pc, Without::barrier(holds));
            self.reading.is_in_loop(pc[0]) && !is_held
        };
        // A line stores once: more than one instruction is more than one iteration.
        let is_unrolled = |end: &RaceEnd| {
            let store = UserStatement::of(self.reading.code, self.sites, end.site).filter(|_| !end.is_read);
            // A function that is called twice is inlined twice.
            store.is_some_and(|store| store.copies_of_call(self.reading) > 1)
        };
        self.clue.ends.iter().any(|end| is_kept(end) || is_unrolled(end))
    }

    /// True if the plain one of the two is half of a line that loads and stores.
    fn plain_updates(&self) -> bool {
        let plain = self.clue.ends.into_iter().find(|end| !end.is_strong);
        plain.is_some_and(|end| updates_in_one_line(self.reading, self.sites.pc(end.site)))
    }
}

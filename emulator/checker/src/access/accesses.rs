//! The entry point: one memory access of a warp is compared with the earlier ones, lane by lane or many lanes together,
//! and recorded.

use crate::access::actor::{Actor, Current};
use crate::access::cells::{LINE, Memory};
use crate::access::judge;
use crate::access::race::Race;
use crate::access::readers::UnorderedBlocks;
use crate::access::row::Row;
use crate::access::short::Short;
use crate::access::table::Overflow;
use crate::sites::touched::{How, MOST_INSTRUCTIONS, TouchKind, Touched};
use machine::code::Code;
use machine::exec::Op;
use machine::exec::memory::{Scope, Semantics};
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::run::launch::Launch;
use machine::types::Judgement;
use machine::watch::Touch;

/// The state that all accesses of one launch share.
pub struct Accesses {
    overflow: Overflow,
    warps_per_block: u32,
    /// True if the encoding can distinguish all accesses; otherwise none is judged.
    are_told_apart: bool,
    /// True if barriers drop earlier accesses: see [`Accesses::forgets_at_barriers`].
    forgets_at_barriers: bool,
    judgement: Judgement,
}

/// One memory access of a warp.
#[derive(Clone, Copy)]
pub struct WarpAccess<'a> {
    pub touch: &'a Touch<'a>,
    /// The row of all lanes, if their addresses are consecutive.
    pub row: Option<&'a Row>,
    /// The rows of the two halves of the warp, if each is consecutive.
    pub halves: Option<[Row; 2]>,
    pub kind: TouchKind,
    /// The scope of a strong access.
    pub scope: Option<Scope>,
    /// The lanes whose compare-and-swap fails.
    pub fails: Mask,
}

impl<'a> WarpAccess<'a> {
    /// As `of`, for a plain load or store that takes effect in order: it may be judged by rows.
    #[inline(always)]
    pub fn by_rows(touch: &'a Touch<'a>, kind: TouchKind, row: Option<&'a Row>) -> WarpAccess<'a> {
        let halves = if row.is_none() { Row::halves(touch, kind) } else { None };
        WarpAccess { row, halves, ..WarpAccess::of(touch, kind) }
    }

    #[inline(always)]
    pub fn of(touch: &'a Touch<'a>, kind: TouchKind) -> WarpAccess<'a> {
        // The threads of one block are in each other's scope, however narrow.
        let narrowest = if touch.space == Space::Shared { Scope::Device } else { Scope::Block };
        let scope = touch.semantics.is_strong().then_some(touch.semantics.scope.max(narrowest));
        WarpAccess { touch, row: None, halves: None, kind, scope, fails: 0 }
    }

    /// Calls `then` with each word that each lane touches, and the access to record for it.
    pub fn for_each_word(&self, actor: &Actor, base: u64, mut then: impl FnMut(&Current, u32, u64, Touched)) {
        let WarpAccess { touch, kind, scope, .. } = *self;
        // Elements of a plain vector are judged as one access.
        let (count, size) = match scope {
            Some(_) => (touch.elements, touch.bytes),
            None => (1, touch.bytes * touch.elements),
        };
        for lane in lanes(touch.mask) {
            let current = Current { actor, lane: lane as u32 };
            for element in 0..count {
                let offset = touch.addresses[lane] - base + u64::from(touch.bytes * element);
                let end = offset + u64::from(size);
                for word in (offset & !3..end).step_by(4) {
                    let how = How::new(actor.site(), bytes_in(word, offset, end), kind, scope, size);
                    then(&current, element, word, actor.touched(lane as u32, how));
                }
            }
        }
    }
}

/// Returns the bytes of the word at `word` that lie in `start..end`, as a mask.
#[inline(always)]
pub fn bytes_in(word: u64, start: u64, end: u64) -> u32 {
    let (from, to) = (start.max(word) - word, end.min(word + 4) - word);
    ((1u32 << to) - 1) & !((1u32 << from) - 1)
}

/// The shadow of the memory that is accessed: its last accesses.
pub struct Shadow<'m> {
    pub memory: &'m mut Memory,
    pub overflow: &'m mut Overflow,
    /// The address at which the memory begins.
    pub base: u64,
    /// The launch, or for shared memory the era, of the accesses that are judged.
    pub era: u32,
    pub judgement: Judgement,
}

impl Accesses {
    pub fn new(launch: &Launch, judgement: Judgement) -> Accesses {
        let mut all = Accesses {
            overflow: Overflow::new(UnorderedBlocks::of(launch)),
            warps_per_block: launch.warp_stride(),
            are_told_apart: launch.code.instrs.len() <= MOST_INSTRUCTIONS,
            forgets_at_barriers: !launch.code.copies && !may_synchronise_in_shared(launch.code),
            judgement,
        };
        all.count_blocks(launch.blocks());
        all
    }

    /// Sets the number of blocks: with the grids that kernels launch, they may become too many to distinguish their
    /// accesses.
    pub fn count_blocks(&mut self, blocks: u64) {
        self.are_told_apart &= blocks * u64::from(self.warps_per_block) < 1 << 27;
    }

    /// True if an access is judged.
    #[inline(always)]
    pub fn judges(&self, touch: &Touch) -> bool {
        self.are_told_apart
            && touch.region.is_some()
            && !(touch.space == Space::Shared && is_reserved(touch.at.launch, touch))
    }

    /// Returns true if a barrier at which all threads of the block wait makes the earlier accesses to shared memory
    /// irrelevant, since they happen before all later ones. False for kernels with strong accesses to shared memory,
    /// whose last writer a report of waiting threads names, and with asynchronous copies, which a barrier does not
    /// order.
    #[inline(always)]
    pub fn forgets_at_barriers(&self) -> bool {
        self.forgets_at_barriers
    }

    /// Returns the number of accesses that the last ones were compared with one by one.
    #[inline(always)]
    pub fn take_looks(&mut self) -> u64 {
        self.overflow.take_looks()
    }

    /// Returns the shadow of the memory that begins at `base`, for an access of launch or era `era`.
    #[inline(always)]
    pub fn shadow<'m>(&'m mut self, memory: &'m mut Memory, base: u64, era: u32) -> Shadow<'m> {
        Shadow { memory, overflow: &mut self.overflow, base, era, judgement: self.judgement }
    }
}

impl Shadow<'_> {
    /// Records these reads for later launches, in words for which no other read is kept.
    pub fn note_reads(&mut self, reads: &[(u64, Touched)]) {
        let Shadow { memory, overflow, era, judgement, .. } = self.parts();
        for &(word, read) in reads {
            if judgement.is_by_rule() {
                memory.history_mut(judgement).add(word, era, read);
            }
            let (page, line) = memory.cells.page(word);
            if page.lines[line].launch != era {
                page.renew(line, era, true, overflow);
            }
            let cell = &mut page.cells(line, overflow)[(word % LINE / 4) as usize];
            if cell.read.is_void_or_older() {
                cell.read = read;
            }
        }
    }

    /// Reborrows each part separately.
    #[inline(always)]
    pub fn parts(&mut self) -> Shadow<'_> {
        Shadow { memory: self.memory, overflow: self.overflow, ..*self }
    }

    /// Judges and records the access that each lane is about to make.
    #[inline(always)]
    pub fn judge(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64)) {
        if self.judgement.is_by_rule() {
            self.memory.history_mut(self.judgement).judge(actor, access, (self.base, self.era), found);
            // The host's operations and reports look at the cells.
            return self.judge_by_cells(actor, access, &mut |_: &Current, _, _, _| ());
        }
        self.judge_by_cells(actor, access, found);
    }

    #[inline(always)]
    fn judge_by_cells(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64)) {
        let WarpAccess { touch, kind, scope, .. } = *access;
        let short = Short::new(touch, kind, scope).filter(|_| actor.may_be_short());
        let mut rest = touch.mask;
        if scope.is_none() && kind != TouchKind::Atomic && actor.short_ways() {
            if let Some(row) = access.row {
                rest = actor.walk(self, row, kind, rest);
            } else if let Some(halves) = &access.halves {
                halves.iter().for_each(|row| rest = actor.walk(self, row, kind, rest));
            }
        }
        // Lanes that all touch one word are handled together below.
        let apart = touch.addresses[rest.trailing_zeros() as usize % WARP]
            != touch.addresses[31 - rest.leading_zeros() as usize % WARP];
        if let (Some(short), true, true) = (&short, rest != 0, apart || rest.is_power_of_two()) {
            rest = short.glance(self, actor, rest, touch.addresses);
        }
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let current = Current { actor, lane: lane as u32 };
            let offset = touch.addresses[lane] - self.base;
            if let Some(short) = &short
                && let Some(done) = short.go(self, current, offset, rest, touch.addresses)
            {
                rest &= !done;
                continue;
            }
            // Elements of a vector are separate accesses; plain ones may be judged as one.
            let bytes = touch.bytes;
            let (count, size) = if scope.is_some() { (touch.elements, bytes) } else { (1, bytes * touch.elements) };
            for element in 0..count {
                let offset = offset + u64::from(bytes * element);
                judge::access(self, &current, access, offset, size, &mut |race, word| {
                    found(&current, element, race, word);
                });
            }
        }
    }
}

/// True if the code may access shared memory by a strong operation.
fn may_synchronise_in_shared(code: &Code) -> bool {
    let is_strong = |space: Space, semantics: Semantics| semantics.is_strong() && space != Space::Global;
    code.instrs.iter().any(|instr| match &instr.op {
        Op::Load(it) => is_strong(it.space, it.semantics),
        Op::Store(it) => is_strong(it.space, it.semantics),
        Op::Atomic(it) => is_strong(it.space, it.semantics),
        Op::Mbarrier(_) => true,
        _ => false,
    })
}

/// True for an access to the part of shared memory that the system reserves for cooperative groups.
#[inline(always)]
fn is_reserved(launch: &Launch, touch: &Touch) -> bool {
    launch.code.asks_for_reserved_shared
        && launch.reserved_shared().is_some_and(|begin| lanes(touch.mask).all(|lane| touch.addresses[lane] >= begin))
}

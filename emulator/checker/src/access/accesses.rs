//! One memory access of a warp: judged against those before it, lane by lane or many together, and recorded.

use crate::access::actor::{Actor, Current};
use crate::access::cells::Memory;
use crate::access::judge;
use crate::access::overflow::Overflow;
use crate::access::race::Race;
use crate::access::row::Row;
use crate::access::short::Short;
use crate::sites::touched::{MOST_INSTRUCTIONS, TouchKind};
use machine::exec::memory::Scope;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::Touch;

/// What all accesses of one launch share.
pub struct Accesses {
    overflow: Overflow,
    warps_per_block: u32,
    /// Accesses can be told apart: else none is judged.
    are_told_apart: bool,
}

/// One memory access of a warp.
#[derive(Clone, Copy)]
pub struct WarpAccess<'a> {
    pub touch: &'a Touch<'a>,
    /// If the lanes' addresses are one after the other.
    pub row: Option<&'a Row>,
    /// If that is so in each half of the warp.
    pub halves: Option<[Row; 2]>,
    pub kind: TouchKind,
    /// Of a strong access.
    pub scope: Option<Scope>,
    /// Lanes that compare and do not swap.
    pub fails: Mask,
}

impl<'a> WarpAccess<'a> {
    /// As `of`, for a plain load or store in its turn: it may be judged by rows.
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
}

/// Who touched the memory at hand last.
pub struct Shadow<'m> {
    pub memory: &'m mut Memory,
    pub overflow: &'m mut Overflow,
    /// Where the memory begins.
    pub base: u64,
    /// The launch or block that accesses to it are of.
    pub era: u32,
}

impl Accesses {
    pub fn new(launch: &Launch) -> Accesses {
        let mut all = Accesses {
            overflow: Overflow::default(),
            warps_per_block: launch.warp_stride(),
            are_told_apart: launch.code.instrs.len() <= MOST_INSTRUCTIONS,
        };
        all.count_blocks(launch.blocks());
        all
    }

    /// There are so many blocks: grids that kernels launch may become more than accesses can be told apart for.
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

    /// How many accesses the last ones were compared with, one by one.
    #[inline(always)]
    pub fn take_looks(&mut self) -> u64 {
        self.overflow.take_looks()
    }

    /// What is kept of the memory that begins at `base`, for an access of launch or block `era`.
    #[inline(always)]
    pub fn shadow<'m>(&'m mut self, memory: &'m mut Memory, base: u64, era: u32) -> Shadow<'m> {
        Shadow { memory, overflow: &mut self.overflow, base, era }
    }
}

impl Shadow<'_> {
    /// Each part by itself.
    #[inline(always)]
    pub fn parts(&mut self) -> Shadow<'_> {
        Shadow { memory: self.memory, overflow: self.overflow, ..*self }
    }

    /// Judges and records what every lane is about to do.
    #[inline(always)]
    pub fn judge(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64)) {
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
        // Lanes that all touch one word go together below.
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
            // Elements of a vector are accesses of their own; plain ones may be judged as one.
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

/// True for an access to the system's part of shared memory, which is cooperative groups' own.
#[inline(always)]
fn is_reserved(launch: &Launch, touch: &Touch) -> bool {
    launch.code.asks_for_reserved_shared
        && launch.reserved_shared().is_some_and(|begin| lanes(touch.mask).all(|lane| touch.addresses[lane] >= begin))
}

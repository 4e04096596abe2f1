//! Undefined values in loads, stores, atomic operations and copies (PTX ISA, "ld", "st", "atom", "cp.async"). An atomic
//! operation that computes with the value it finds depends on it; an exchange only passes it on.

use crate::access::row::LaneRow;
use crate::evidence::here::Here;
use crate::findings::values::touched_memory;
use crate::sites::LaunchPlace;
use crate::undefined::memory::{BlockUndefined, Undefined};
use crate::undefined::origins::{LEFT_OUT, OriginId, UnwrittenLoad};
use crate::undefined::registers::RegisterBits;
use crate::undefined::warp::WarpUndefined;
use finding::{AccessKind, MemoryAccess, MemoryPlace};
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::memory::{Load, StoreOp};
use machine::memory::space::Space;
use machine::place;
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::run::sites::thread_name;
use machine::watch::Touch;
use rustc_hash::FxHashMap;

/// The warp that moves undefined bits, its registers and its block's memory, and its site.
pub struct Mover<'a> {
    pub block: &'a mut BlockUndefined,
    pub warp: &'a mut WarpUndefined,
    pub regs: &'a Registers,
    pub here: Here<'a>,
}

impl Undefined {
    /// Sets the undefined bits of the registers that a load writes. Lanes in `back` get older values: `older` replaces
    /// the latest values' bits by theirs, by element.
    #[inline(always)]
    pub fn load(
        &mut self,
        touch: &Touch,
        load: &Load,
        row: Option<&LaneRow>,
        back: Mask,
        older: impl Fn(usize, &mut [u64; WARP]),
        mut by: Mover,
    ) {
        let regs = by.regs;
        if back == 0 && self.all_defined(touch, row, by.block) {
            load.dst[..load.elements as usize].iter().for_each(|&reg| by.warp.registers.define(regs, reg, touch.mask));
            return;
        }
        for (element, &reg) in load.dst[..load.elements as usize].iter().enumerate() {
            let skip = u64::from(load.bytes) * element as u64;
            let mut undefined = self.memory_bits(touch, by.block, by.warp, skip, load.bytes.min(8));
            if back != 0 {
                older(element, &mut undefined);
            }
            let any = undefined.iter().fold(0, |any, bits| any | bits);
            if load.extend != 0 && any != 0 {
                for bits in &mut undefined {
                    let sign = *bits >> (8 * load.bytes - 1) & 1 != 0;
                    *bits |= if sign { !0 << (8 * load.bytes - 1) } else { 0 };
                }
            }
            if load.bytes == 16 {
                let high = self.memory_bits(touch, by.block, by.warp, skip + 8, 8);
                for lane in lanes(touch.mask) {
                    by.warp.registers.set(regs, reg, lane, undefined[lane]);
                    by.warp.registers.set_high(regs, reg, lane, high[lane]);
                }
                self.load_origins(touch, reg, skip, &undefined, &mut by);
            } else if any == 0 {
                by.warp.registers.define(regs, reg, touch.mask);
            } else {
                lanes(touch.mask).for_each(|lane| by.warp.registers.set(regs, reg, lane, undefined[lane]));
                self.load_origins(touch, reg, skip, &undefined, &mut by);
            }
        }
    }

    /// Sets the undefined bits of the memory that a store writes.
    #[inline(always)]
    pub fn store(&mut self, touch: &Touch, store: &StoreOp, row: Option<&LaneRow>, mut by: Mover) {
        let regs = by.regs;
        let sources = &store.src[..store.elements as usize];
        let clean = !sources.iter().any(|&reg| by.warp.registers.is_tainted(regs, reg, touch.mask));
        if let (Some(row), true) = (row.filter(|row| touch.space != Space::Local && row.is_dense(touch.mask)), clean) {
            self.define_row(touch, row, by.block);
            return;
        }
        if clean && touch.space != Space::Local && self.all_defined(touch, row, by.block) {
            return;
        }
        for (element, &reg) in sources.iter().enumerate() {
            let skip = u64::from(store.bytes) * element as u64;
            let bytes = store.bytes.min(8);
            self.set_memory_bits(touch, by.block, by.warp, skip, bytes, |bits, lane| bits.get(regs, reg, lane));
            if store.bytes == 16 {
                let high = |bits: &RegisterBits, lane| bits.get_high(regs, reg, lane);
                self.set_memory_bits(touch, by.block, by.warp, skip + 8, 8, high);
            }
            self.store_origins(touch, reg, skip, &mut by);
        }
    }

    /// Handles undefined values that atomic operations find. Returns those that they compute with, by element: lanes,
    /// each with its origin.
    pub fn update(&mut self, touch: &Touch, atomic: &Atomic, mut by: Mover) -> Vec<Vec<(usize, OriginId)>> {
        let (regs, mut guilty) = (by.regs, Vec::new());
        let defined = self.all_defined(touch, None, by.block);
        for element in 0..atomic.elements {
            let skip = u64::from(touch.bytes * element);
            let dst = atomic.dst[element as usize];
            by.warp.registers.define(regs, dst, touch.mask);
            if defined {
                continue;
            }
            let mut old_undefined: Mask = 0;
            let mut absent: Vec<(usize, OriginId)> = Vec::new();
            let bytes = touch.bytes.min(8);
            let low = self.memory_bits(touch, by.block, by.warp, skip, bytes);
            let high =
                if touch.bytes == 16 { self.memory_bits(touch, by.block, by.warp, skip + 8, 8) } else { [0; WARP] };
            for lane in lanes(touch.mask) {
                // The first of several lanes leaves the word defined for the others.
                let same = |earlier: usize| touch.addresses[earlier] == touch.addresses[lane];
                if low[lane] | high[lane] == 0 || lanes(old_undefined).any(same) {
                    continue;
                }
                old_undefined |= 1 << lane;
                let mut origin = self.memory_origin(touch, by.block, by.warp, lane, skip, touch.bytes);
                if origin == 0 && atomic.operation != Operation::Exchange {
                    origin = self.unwritten_origin(touch, lane, skip, AccessKind::Atomic, &mut by.here);
                }
                absent.push((lane, origin));
                let one = &Touch { mask: 1 << lane, ..*touch };
                self.set_memory_bits(one, by.block, by.warp, skip, bytes, |_, _| 0);
                if touch.bytes == 16 {
                    self.set_memory_bits(one, by.block, by.warp, skip + 8, 8, |_, _| 0);
                }
                // An exchange computes nothing: the value that it found is undefined, which is no finding yet. The
                // value of an omitted access is never one.
                if atomic.operation == Operation::Exchange || origin == LEFT_OUT {
                    by.warp.registers.set(regs, dst, lane, low[lane]);
                    by.warp.registers.set_high(regs, dst, lane, high[lane]);
                    by.warp.registers.origins.set(regs, dst, lane, origin);
                }
            }
            if atomic.operation != Operation::Exchange {
                guilty.push(absent);
            }
        }
        guilty
    }

    /// Moves a copy's bytes: bits that are undefined in its source are so in its destination.
    pub fn move_copy(
        &mut self,
        launch: &Launch,
        copy: &UnderWay,
        linear: u64,
        block: &mut BlockUndefined,
        launch_place: LaunchPlace,
    ) {
        let base = launch.memory.allocation(copy.from).map(|allocation| allocation.base);
        let source = base.and_then(|base| Some((self.bits.get(base)?, copy.from - base)));
        let Some(bits) = &mut block.bits else { return };
        let Some((source, from)) = source.filter(|(source, from)| !source.is_defined(*from, copy.given.into())) else {
            return bits.fill(copy.to, copy.bytes.into(), false);
        };
        for word in (0..copy.bytes).step_by(4) {
            let given = copy.given.saturating_sub(word).min(4);
            let undefined = if given == 0 { 0 } else { source.get(from + u64::from(word), given) };
            bits.set(copy.to + u64::from(word), 4, undefined);
            if undefined == 0 {
                continue;
            }
            let at = copy.from + u64::from(word);
            let mut origin = self.memory.get(at, given.into());
            if origin == 0 {
                let loader = thread_name(launch, linear, 32 * copy.warp + copy.lane);
                let load = || UnwrittenLoad {
                    launch_place,
                    loader,
                    memory: MemoryAccess {
                        kind: AccessKind::AsyncCopy,
                        space: Space::Global,
                        scope: None,
                        bytes: copy.bytes,
                    },
                    place: place::of(launch, Space::Global, at, 4),
                    gone: None,
                };
                origin = self.origins.load(launch_place, loader, load);
            }
            block.origins.set(copy.to + u64::from(word), 4, origin);
        }
    }

    /// Returns the origin of a lane's undefined bytes in memory.
    fn memory_origin(
        &self,
        touch: &Touch,
        block: &BlockUndefined,
        warp: &WarpUndefined,
        lane: usize,
        skip: u64,
        bytes: u32,
    ) -> OriginId {
        let origins = match touch.space {
            Space::Shared => &block.origins,
            Space::Global => &self.memory,
            Space::Local => warp.locals.origins(lane),
            _ => return 0,
        };
        if origins.is_empty() { 0 } else { origins.get(touch.addresses[lane] + skip, bytes.into()) }
    }

    /// Sets the origins of a register that has been loaded with undefined bits.
    fn load_origins(&mut self, touch: &Touch, reg: Reg, skip: u64, undefined: &[u64], by: &mut Mover) {
        let Mover { block, warp, regs, here } = by;
        for lane in lanes(touch.mask).filter(|&lane| undefined[lane] != 0) {
            let mut origin = self.memory_origin(touch, block, warp, lane, skip, touch.bytes);
            if origin == 0 {
                origin = self.unwritten_origin(touch, lane, skip, AccessKind::Load, here);
            }
            warp.registers.origins.set(regs, reg, lane, origin);
        }
    }

    /// Returns the origin of a value that nothing has written, which a lane loads.
    fn unwritten_origin(
        &mut self,
        touch: &Touch,
        lane: usize,
        skip: u64,
        kind: AccessKind,
        here: &mut Here,
    ) -> OriginId {
        let (launch, address) = (touch.at.launch, touch.addresses[lane] + skip);
        let loader = thread_name(launch, touch.at.block, 32 * touch.at.warp + lane as u32);
        let launch_place = here.launch_place(&touch.at);
        let found = || UnwrittenLoad {
            launch_place,
            loader,
            memory: touched_memory(touch, kind),
            place: place_of(launch, touch.space, address, touch.bytes),
            gone: match touch.space {
                Space::Shared => here.gone(launch),
                _ => None,
            },
        };
        match kind {
            AccessKind::Atomic if !self.origins.misses_work => self.origins.found(launch_place, loader, found),
            _ => self.origins.load(launch_place, loader, found),
        }
    }

    /// Sets the origins of memory after a register with undefined bits has been stored.
    fn store_origins(&mut self, touch: &Touch, reg: Reg, skip: u64, by: &mut Mover) {
        let Mover { block, warp, regs, here } = by;
        for lane in lanes(warp.registers.undefined_lanes(regs, reg, touch.mask)) {
            let mut origin = warp.registers.origins.get(regs, reg, lane);
            if origin != 0 {
                let thread = thread_name(touch.at.launch, touch.at.block, 32 * touch.at.warp + lane as u32);
                let launch_place = here.launch_place(&touch.at);
                origin = self.origins.stored(origin, launch_place, thread);
            }
            let origins = match touch.space {
                Space::Shared => &mut block.origins,
                Space::Global => &mut self.memory,
                Space::Local => warp.locals.origins_mut(lane),
                _ => return,
            };
            origins.set(touch.addresses[lane] + skip, touch.bytes.into(), origin);
        }
    }
}

/// Returns the location of unwritten memory.
fn place_of(launch: &Launch, space: Space, address: u64, bytes: u32) -> MemoryPlace {
    match space {
        Space::Local => MemoryPlace::Own,
        _ => place::of(launch, space, address, bytes),
    }
}

/// Returns the lanes whose compare-and-exchange will fail, one lane after the other.
pub fn failing(touch: &Touch, atomic: &Atomic, regs: &Registers) -> Mask {
    let (Operation::CompareExchange, Some(region)) = (atomic.operation, touch.region) else { return 0 };
    let kept = u128::MAX >> (128 - 8 * touch.bytes);
    let mut written: FxHashMap<u64, u128> = FxHashMap::default();
    let mut failed = 0;
    for lane in lanes(touch.mask) {
        let address = touch.addresses[lane];
        let old = written.get(&address).copied().unwrap_or_else(|| match touch.bytes {
            16 => u128::from(region.load_sized(address + 8, 8)) << 64 | u128::from(region.load_sized(address, 8)),
            bytes => region.load_sized(address, bytes).into(),
        });
        if old == regs.get_quad(atomic.src[0], lane) & kept {
            written.insert(address, regs.get_quad(atomic.swap, lane) & kept);
        } else {
            failed |= 1 << lane;
        }
    }
    failed
}

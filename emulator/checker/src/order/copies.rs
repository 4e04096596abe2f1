//! Asynchronous copies as the checker sees them (PTX ISA, "cp.async": a weak memory operation, ordered with nothing until its
//! thread has waited for it).
//!
//! A copy reads its source and writes its destination as a thread of its own would that begins with all that the copying
//! thread has done and that nobody knows of. Such threads stand in warps behind those of the block
//! ([`Launch::copying_warps`]), lane by lane, and a warp's copies number their clock. So two copies are ordered only
//! if the thread has waited for the first; and where a thread has waited, what it makes known to others takes its copies
//! along. Both accesses are judged when the copy starts, whenever its bytes move.

use crate::access::touched::Kind;
use crate::access::touched::Touched;
use crate::checks::{BlockState, Checker, WarpState};
use crate::findings::values::{Done, Values};
use crate::order::clock::{Clock, View};
use crate::undefined::origins::{Spot, UnwrittenLoad};
use finding::{AccessKind, MemoryAccess};
use machine::code::Code;
use machine::exec::Op;
use machine::memory::space::Space;
use machine::place;
use machine::registers::{Mask, WARP, lanes};
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::run::sites::thread_name;
use machine::watch::{Start, Touch};
use rustc_hash::FxHashMap;

/// A warp's copies.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The warp of the threads that make them.
    by: u32,
    /// By lane, the last one that it has waited for.
    waited: [Clock; WARP],
    /// The one that is being judged; 0 for none.
    pub now: Clock,
    /// Lanes whose copy repeats the last one to its place.
    pub again: Mask,
}

/// What a block's warps have started.
#[derive(Debug, Default)]
pub struct Started {
    /// By destination, what was copied there last: address and bytes of the source, and all bytes.
    sources: FxHashMap<u64, (u64, u32, u32)>,
    /// By warp and number, the site of a copy and the lanes whose bytes have not moved.
    under_way: FxHashMap<(u32, u32), (u32, Mask)>,
}

impl Started {
    pub fn clear(&mut self) {
        self.sources.clear();
        self.under_way.clear();
    }

    /// The lanes whose copy repeats the last one to its place, which is now theirs. Whichever of two such copies comes last, the
    /// same bytes stay: whatever changes the source between them races with one of the two, or orders them. (Cooperative groups
    /// let all lanes that have nothing left to copy repeat the last one's.)
    fn repeated(&mut self, touch: &Touch, copy: &Start) -> Mask {
        let repeats = |&lane: &usize| {
            let source = (copy.from[lane], copy.given[lane], touch.bytes);
            self.sources.insert(touch.addresses[lane], source) == Some(source)
        };
        lanes(touch.mask).filter(repeats).fold(0, |mask, lane| mask | 1 << lane)
    }

    fn starts(&mut self, warp: u32, number: u32, site: u32, mask: Mask) {
        let (known, lanes) = self.under_way.entry((warp, number)).or_default();
        *known = site;
        *lanes |= mask;
    }

    /// A lane's bytes are about to move; the site of the copy.
    fn moves(&mut self, copy: &UnderWay) -> u32 {
        let key = (copy.warp, copy.number);
        let Some((site, lanes)) = self.under_way.get_mut(&key) else { return 0 };
        let site = *site;
        *lanes &= !(1 << copy.lane);
        if *lanes == 0 {
            self.under_way.remove(&key);
        }
        site
    }
}

impl Copied {
    /// The copies that these lanes have waited for, as lanes of another warp.
    pub fn of(&self, mask: Mask) -> Vec<(u32, Mask, Clock)> {
        let mut parts: Vec<(u32, Mask, Clock)> = Vec::new();
        for lane in lanes(mask).filter(|&lane| self.waited[lane] != 0) {
            match parts.iter_mut().find(|(.., clock)| *clock == self.waited[lane]) {
                Some((_, lanes, _)) => *lanes |= 1 << lane,
                None => parts.push((self.by, 1 << lane, self.waited[lane])),
            }
        }
        parts
    }

    /// True if `lane` has waited for this copy of its own.
    pub fn has_waited(&self, lane: u32, (warp, copying): (u32, u32), clock: Clock) -> bool {
        (warp, copying) == (self.by, lane) && self.waited[lane as usize] >= clock
    }
}

impl WarpState {
    /// Adds to a view all that these lanes have done: what makes it known to others.
    pub fn tell(&self, view: &mut View, block: u64, warp: u32, mask: Mask) {
        view.raise(block, warp, mask, self.clock);
        for (warp, mask, clock) in self.copied.iter().flat_map(|copied| copied.of(mask)) {
            view.raise(block, warp, mask, clock);
        }
    }

    pub fn waited_for(&mut self, lane: usize, last: u32) {
        let Some(copied) = &mut self.copied else { return };
        copied.waited[lane] = copied.waited[lane].max(last);
    }
}

impl Checker<'_> {
    /// Lanes start copy `number` of their warp: judges the side of it that `touch` is.
    pub fn start_copy(
        &mut self,
        touch: &Touch,
        copy: &Start,
        writes: bool,
        block: &mut BlockState,
        warp: &mut WarpState,
    ) {
        let by = touch.at.warp + touch.at.launch.copying_warps().unwrap_or(0);
        let copied = warp.copied.get_or_insert_with(|| Box::new(Copied { by, waited: [0; WARP], now: 0, again: 0 }));
        copied.now = copy.number;
        copied.again = if writes { block.copies.repeated(touch, copy) } else { 0 };
        let (kind, done) = if writes { (Kind::Write, Done::CopyTo) } else { (Kind::Read, Done::CopyFrom) };
        let values = Values::without(done);
        if writes {
            self.stays_inside(touch, warp, values);
        }
        self.race(touch, None, kind, block, warp, values, 0);
        if writes {
            self.synchronise(touch, kind, false, 0, warp);
        }
        warp.copied.as_mut().expect("made above").now = 0;
        if writes {
            let site = self.sites.of(&touch.at, &warp.chains);
            block.copies.starts(touch.at.warp, copy.number, site, touch.mask);
        }
    }

    /// A copy's bytes move: what is undefined in its source is so in its destination.
    pub fn move_copy(&mut self, launch: &Launch, copy: &UnderWay, linear: u64, block: &mut BlockState) {
        let site = block.copies.moves(copy);
        let base = launch.memory.allocation(copy.from).map(|allocation| allocation.base);
        let source = base.and_then(|base| Some((self.state.bits.get(base)?, copy.from - base)));
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
            let mut origin = self.state.memory_origins.get(at, given.into());
            if origin == 0 {
                let loader = thread_name(launch, linear, 32 * copy.warp + copy.lane);
                let spot = Spot { launch: self.number, site };
                let load = || UnwrittenLoad {
                    spot,
                    loader,
                    memory: MemoryAccess {
                        kind: AccessKind::AsyncCopy,
                        space: Space::Global.into(),
                        scope: None,
                        bytes: copy.bytes,
                    },
                    place: place::of(launch, Space::Global, at, 4),
                    gone: None,
                };
                origin = self.state.origins.load(spot, loader, load);
            }
            block.origins.set(copy.to + u64::from(word), 4, origin);
        }
    }
}

/// True for an asynchronous copy of this launch.
pub fn is_copy(launch: &Launch, touched: Touched) -> bool {
    let is_later = |warps| touched.warp() % launch.warp_stride() >= warps;
    !touched.how.is_older() && launch.copying_warps().is_some_and(is_later)
}

/// True for an instruction that starts one.
pub fn starts_copy(code: &Code, pc: u32) -> bool {
    code.instrs.get(pc as usize).is_some_and(|instr| matches!(instr.op, Op::Async(_)))
}

//! Loads that get an older value (see [`crate::delays::history`]): what they may read, and what they
//! observe. Such a load synchronises with the write that it reads and not with the latest;
//! its value's undefined bits are that write's; and whether it races is judged as ever.
//!
//! Stores that come in behind others: they race as ever, and what they release is for those alone that read them.

use crate::access::touched::Kind;
use crate::checks::{BlockState, Checker, WarpState};
use crate::delays::followers::Followers;
use crate::delays::history::{FencesSc, Step, Strength, Visible};
use crate::findings::values::Values;
use crate::order::release::{Reach, SyncVar};
use machine::exec::memory::{Scope, Store};
use machine::lanes::at_one;
use machine::memory::space::Space;
use machine::registers::{Mask, Registers, WARP, lanes};
use machine::watch::{At, Late, Older, Touch};

/// What is kept while a schedule may give loads older values.
#[derive(Default)]
pub struct Delays {
    /// Writes to global memory; a block keeps those to its own.
    pub visible: Visible,
    pub fences: FencesSc,
    pub followers: Followers,
    /// How far the load that comes next goes back.
    pub next: Option<Box<Older>>,
    /// The same for the load at hand.
    pub now: Option<Box<Older>>,
    /// Behind how many writes the lanes' stores go that come next.
    pub behind: Option<Box<[u8; WARP]>>,
    /// What places had released once a lane of the instruction at hand had written there, and before others of its lanes did.
    pub between: Vec<(usize, u64, SyncVar)>,
    /// What the lanes' atomic operations find that look back: those that come next, or are at hand.
    pub late: Option<Box<Late>>,
}

impl Delays {
    /// True if a lane of the load at hand gets an older value of any element.
    pub fn looks_back(&self, lane: usize) -> bool {
        self.now.as_ref().is_some_and(|older| older.is_for(lane))
    }

    /// True for a lane that gets an older value, or whose store comes in behind others: the last write stands in front.
    pub fn passes_by(&self, kind: Kind, lane: usize) -> bool {
        match (kind, &self.late) {
            (Kind::Read, _) => self.looks_back(lane),
            (_, Some(late)) => late.back[lane] != 0,
            (Kind::Write, _) => self.behind.as_ref().is_some_and(|back| back[lane] != 0),
            (Kind::Atomic, _) => false,
        }
    }

    /// How far each lane looks back, for all elements of a strong load alike; or how many writes its store comes in behind.
    pub fn back(&self, kind: Kind) -> [u8; WARP] {
        match (kind, &self.late) {
            (Kind::Read, _) => self.now.as_ref().map_or([0; WARP], |older| older.back[0]),
            (_, Some(late)) => late.back,
            (Kind::Write, _) => self.behind.as_deref().copied().unwrap_or([0; WARP]),
            (Kind::Atomic, _) => [0; WARP],
        }
    }

    /// The older value that a lane gets of an element.
    pub fn older(&self, lane: usize, element: usize) -> Option<u64> {
        self.now.as_ref()?.get(lane, element)
    }
}

pub fn step(touch: &Touch, lane: usize, clock: crate::order::clock::Clock) -> Step {
    let strength = match touch.semantics {
        semantics if !semantics.is_strong() => Strength::Weak,
        semantics if semantics.scope < Scope::Gpu => Strength::Narrow,
        _ => Strength::Wide,
    };
    Step { block: touch.at.block, warp: touch.at.warp, lane: lane as u32, clock, strength }
}

/// Each element's address, those of one element together, as the machine goes through them.
fn places<'a>(touch: &'a Touch, mask: Mask) -> impl Iterator<Item = (usize, usize, u64)> + 'a {
    let address = |element: u32, lane: usize| touch.addresses[lane] + u64::from(touch.bytes * element);
    (0..touch.elements)
        .flat_map(move |element| lanes(mask).map(move |lane| (element as usize, lane, address(element, lane))))
}

impl Checker<'_> {
    /// Lanes do something by which others may learn of what they know.
    pub fn goes_on(&mut self, at: &At, mask: Mask) {
        if let Some(delays) = &mut self.delays {
            delays.followers.touch(at.block, at.warp, mask);
        }
    }

    pub fn now(&self) -> u64 {
        self.delays.as_ref().map_or(0, |delays| delays.followers.now())
    }

    pub fn visible<'b>(&'b self, touch: &Touch, block: &'b BlockState) -> Option<&'b Visible> {
        let delays = self.delays.as_ref()?;
        match touch.space {
            Space::Shared => Some(&block.visible),
            Space::Global => Some(&delays.visible),
            _ => None,
        }
    }

    pub fn visible_mut<'b>(&'b mut self, touch: &Touch, block: &'b mut BlockState) -> Option<&'b mut Visible> {
        let delays = self.delays.as_mut()?;
        match touch.space {
            Space::Shared => Some(&mut block.visible),
            Space::Global => Some(&mut delays.visible),
            _ => None,
        }
    }

    /// How far back each lane of a load may look; `None` where none may.
    pub fn older_values(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<Older>> {
        let visible = self.visible(touch, block)?;
        let mut older: Option<Box<Older>> = None;
        for (element, lane, address) in places(touch, touch.mask) {
            let most = visible.most(address, touch.bytes, step(touch, lane, warp.clock), &warp.views[lane]);
            if most != 0 {
                older.get_or_insert_with(|| Box::new(Older::NONE)).back[element][lane] = most as u8;
            }
        }
        older
    }

    /// A load begins: the lanes that get an older value have observed what they read, and are returned.
    pub fn look_back(&mut self, touch: &Touch, block: &mut BlockState, warp: &mut WarpState) -> Mask {
        let Some(delays) = &mut self.delays else { return 0 };
        delays.now = delays.next.take();
        let older = delays.now.as_deref().map_or([[0; WARP]; 4], |older| older.back);
        let back: Mask = lanes(touch.mask).filter(|&lane| delays.looks_back(lane)).map(|lane| 1 << lane).sum();
        if touch.semantics.is_strong() {
            let tag = (touch.space == Space::Shared).then_some(touch.at.block);
            let reach = Reach::new(touch.semantics.scope, touch.at.block, touch.at.pc);
            for (element, lane, address) in places(touch, back) {
                let released = match older[element][lane] {
                    0 => self.sync.get(&(tag, address)).filter(|var| var.is_for(touch.bytes)),
                    far => {
                        self.visible(touch, block).and_then(|visible| visible.older(address, far.into())).map(|o| o.0)
                    }
                };
                if let Some(released) = released {
                    warp.observe(lane, Some((tag, address)), released, touch.semantics, reach);
                }
                if touch.semantics.acquires() {
                    warp.acquire(lane, Some((tag, address)), reach);
                }
            }
        }
        let (clock, now) = (warp.clock, self.now());
        if let Some(delays) = self.delays.as_mut().filter(|_| touch.semantics.acquires()) {
            delays.followers.acquire(touch.at.block, touch.at.warp, back);
        }
        if let Some(visible) = self.visible_mut(touch, block) {
            for (element, lane, address) in places(touch, touch.mask) {
                let by = (step(touch, lane, clock), now);
                visible.reads(address, touch.bytes, older[element][lane].into(), by);
            }
        }
        back
    }

    /// Undefined bits of the older values that lanes in `back` get.
    pub fn older_bits(
        &self,
        touch: &Touch,
        element: usize,
        block: &BlockState,
        back: Mask,
        undefined: &mut [u64; WARP],
    ) {
        let Some(older) = self.delays.as_ref().and_then(|delays| delays.now.as_ref()) else { return };
        for lane in lanes(back).filter(|&lane| older.back[element][lane] != 0) {
            let address = touch.addresses[lane] + u64::from(touch.bytes) * element as u64;
            let far = older.back[element][lane].into();
            if let Some((_, bits)) = self.visible(touch, block).and_then(|visible| visible.older(address, far)) {
                undefined[lane] = bits;
            }
        }
    }

    /// Atomic operations of `mask` that write nothing have read the latest value.
    pub fn note_reads(&mut self, touch: &Touch, mask: Mask, clock: crate::order::clock::Clock, block: &mut BlockState) {
        let now = self.now();
        if let Some(visible) = self.visible_mut(touch, block) {
            for (_, lane, address) in places(touch, mask) {
                visible.reads(address, touch.bytes, 0, (step(touch, lane, clock), now));
            }
        }
    }

    /// Behind how many of the last writes each lane's store may come in. Where several lanes store to one place they do
    /// so in their order.
    pub fn places_behind(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<[u8; WARP]>> {
        let visible = self.visible(touch, block).filter(|_| touch.elements == 1 && touch.bytes <= 8)?;
        let mut places: Option<Box<[u8; WARP]>> = None;
        for lane in lanes(touch.mask) {
            let address = touch.addresses[lane];
            let behind = visible.behind(address, touch.bytes, step(touch, lane, warp.clock), &warp.views[lane]);
            if behind != 0 && at_one(touch.addresses, address) & touch.mask == 1 << lane {
                places.get_or_insert_with(|| Box::new([0; WARP]))[lane] = behind;
            }
        }
        places
    }

    /// Judges and records those lanes' stores that come in behind others, and returns the lanes.
    pub fn store_behind(
        &mut self,
        touch: &Touch,
        store: &Store,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) -> Mask {
        let Some(back) = self.delays.as_ref().and_then(|delays| delays.behind.clone()) else { return 0 };
        let behind = lanes(touch.mask).filter(|&lane| back[lane] != 0).map(|lane| 1 << lane).sum();
        let touch = &Touch { mask: behind, ..*touch };
        let clock = warp.clock;
        self.race(touch, None, Kind::Write, block, warp, Values::store(store, regs), 0);
        if let Some(delays) = &mut self.delays {
            delays.behind = None;
        }
        let (released, now) = (self.released_behind(touch, warp), self.now());
        if let Some(visible) = self.visible_mut(touch, block) {
            for (lane, released) in lanes(behind).zip(released) {
                let undefined = warp.bits.get(regs, store.src[0], lane) & (u64::MAX >> (64 - 8 * touch.bytes));
                let by = (step(touch, lane, clock), now);
                visible.wrote_behind(touch.addresses[lane], back[lane].into(), by, released, undefined);
            }
        }
        behind
    }

    /// Lanes of `mask` write; memory still has its old undefined bits.
    pub fn note_writes(
        &mut self,
        touch: &Touch,
        mask: Mask,
        clock: crate::order::clock::Clock,
        block: &mut BlockState,
        warp: &WarpState,
        updates: bool,
    ) {
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let between = self.delays.as_mut().map(|delays| std::mem::take(&mut delays.between)).unwrap_or_default();
        let now = self.now();
        for element in 0..touch.elements {
            let skip = u64::from(touch.bytes * element);
            let undefined = self.memory_bits(touch, block, warp, skip, touch.bytes.min(8));
            for lane in lanes(mask) {
                let address = touch.addresses[lane] + skip;
                // What a lane before this one has just written there counts as defined.
                let again =
                    lanes(mask & ((1 << lane) - 1)).any(|before| touch.addresses[before] == touch.addresses[lane]);
                let undefined = if again { 0 } else { undefined[lane] };
                let then = between.iter().find(|(by, at, _)| (*by, *at) == (lane, address)).map(|(.., var)| var);
                let var = then.or_else(|| self.sync.get(&(tag, address))).filter(|_| touch.semantics.is_strong());
                let released = var.cloned().unwrap_or_default();
                if let Some(visible) = self.visible_mut(touch, block) {
                    visible.wrote(address, touch.bytes, (step(touch, lane, clock), now), released, undefined, updates);
                }
            }
        }
    }
}

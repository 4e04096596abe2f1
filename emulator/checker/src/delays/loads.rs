//! Loads that get an older value (see [`crate::delays::history`]): the writes that they may read, and what they
//! observe. Such a load synchronises with the write that it reads and not with the latest. The undefined bits of its
//! value are that write's. Its races are judged like those of any load.
//!
//! Stores that take an earlier position in the coherence order: their races are judged like those of any store, and
//! only loads that read them acquire what they release.

use crate::delays::followers::Followers;
use crate::delays::history::{DelayStep, Histories, Strength};
use crate::order::fences::FencesSc;
use crate::order::locations::{Releases, WriteReleases};
use crate::order::release::{Reach, SyncVar};
use crate::order::warp::WarpOrder;
use crate::sites::touched::{Clock, RecordedKind};
use machine::exec::memory::{MOST_ELEMENTS, Scope};
use machine::lanes::at_one;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::{At, Late, Older, Touch};

/// The state for a schedule that may give loads older values.
#[derive(Default)]
pub struct Delays {
    /// The writes to global memory. Those to shared memory are kept with the block.
    global: Histories,
    fences: FencesSc,
    pub(super) followers: Followers,
    /// The number of writes that the next load goes back.
    next: Option<Box<Older>>,
    /// The number of writes that the current load goes back.
    now: Option<Box<Older>>,
    /// By lane, the number of last writes before which the next stores take their position.
    behind: Option<Box<[u8; WARP]>>,
    /// The releases of locations after the write of a lane of the current instruction, and before that of the next
    /// lane.
    between: Vec<WriteReleases>,
    /// The values that the lanes' next or current atomic operations find, if these are older ones.
    late: Option<Box<Late>>,
}

impl Delays {
    /// Creates the state for a launch that may read back these writes to global memory.
    pub fn new(global: Histories) -> Delays {
        Delays { global, ..Delays::default() }
    }

    /// Returns the writes to global memory.
    pub fn into_writes(self) -> Histories {
        self.global
    }

    /// True if a lane of the current load gets an older value of any element.
    pub fn looks_back(&self, lane: usize) -> bool {
        self.now.as_ref().is_some_and(|older| older.is_for(lane))
    }

    /// True for a lane that gets an older value, or whose store takes an earlier position: the last write comes after
    /// it.
    pub fn passes_by(&self, kind: RecordedKind, lane: usize) -> bool {
        match (kind, &self.late) {
            (RecordedKind::Read, _) => self.looks_back(lane),
            (_, Some(late)) => late.back[lane] != 0,
            (RecordedKind::Write, _) => self.behind.as_ref().is_some_and(|back| back[lane] != 0),
            (RecordedKind::Atomic, _) => false,
        }
    }

    /// Returns the number of writes that each lane reads back, which is the same for all elements of a strong load, or
    /// before which its store takes its position.
    pub fn back(&self, kind: RecordedKind) -> [u8; WARP] {
        match (kind, &self.late) {
            (RecordedKind::Read, _) => self.now.as_ref().map_or([0; WARP], |older| older.back[0]),
            (_, Some(late)) => late.back,
            (RecordedKind::Write, _) => self.behind.as_deref().copied().unwrap_or([0; WARP]),
            (RecordedKind::Atomic, _) => [0; WARP],
        }
    }

    pub fn goes_back(&mut self, older: &Older) {
        self.next = Some(Box::new(older.clone()));
    }

    pub fn goes_behind(&mut self, back: &[u8; WARP]) {
        self.behind = Some(Box::new(*back));
    }

    pub fn goes_late(&mut self, late: &Late) {
        self.late = Some(Box::new(late.clone()));
    }

    /// Returns the older values that the current load gets.
    pub fn now(&self) -> Option<Box<Older>> {
        self.now.clone()
    }

    /// Returns the number of last writes before which the lanes' current stores take their position.
    pub fn stores_behind(&self) -> Option<Box<[u8; WARP]>> {
        self.behind.clone()
    }

    /// Returns the values that the current atomic operations find.
    pub fn late(&self) -> Option<Box<Late>> {
        self.late.clone()
    }

    pub(super) fn late_is_over(&mut self) {
        self.late = None;
    }

    /// Records that lanes do something that may publish what they have acquired.
    pub fn note_publication(&mut self, at: &At, mask: Mask) {
        self.followers.touch(at.block, at.warp, mask);
    }

    pub fn acquires(&mut self, at: &At, mask: Mask, scope: Scope) {
        self.followers.acquire(at.block, at.warp, mask, scope >= Scope::Device);
    }

    pub fn ends(&mut self, at: &At, mask: Mask) {
        self.followers.end(at.block, at.warp, mask);
    }

    /// Returns the order of `fence.sc`.
    pub fn fences(&mut self) -> &mut FencesSc {
        &mut self.fences
    }

    /// Returns the list of the releases of locations between lanes of one instruction.
    pub fn between(&mut self) -> &mut Vec<WriteReleases> {
        &mut self.between
    }

    /// Removes the writes to these bytes of global memory, which are new.
    pub fn forget(&mut self, address: u64, bytes: u64) {
        self.global.forget(address, bytes);
    }
}

pub(super) fn step(touch: &Touch, lane: usize, clock: Clock) -> DelayStep {
    let strength = match touch.semantics {
        semantics if !semantics.is_strong() => Strength::Weak,
        semantics if semantics.scope < Scope::Device => Strength::Narrow,
        _ => Strength::Wide,
    };
    DelayStep { block: touch.at.block, warp: touch.at.warp, lane: lane as u32, clock, strength }
}

/// Returns the address of each element and lane, grouped by element, in the order of the machine.
fn places<'a>(touch: &'a Touch, mask: Mask) -> impl Iterator<Item = (usize, usize, u64)> + 'a {
    let address = |element: u32, lane: usize| touch.addresses[lane] + u64::from(touch.bytes * element);
    (0..touch.elements)
        .flat_map(move |element| lanes(mask).map(move |lane| (element as usize, lane, address(element, lane))))
}

impl Delays {
    /// Returns the writes of the memory that an access is to.
    pub(super) fn histories_of<'b>(&'b self, touch: &Touch, block: &'b Histories) -> Option<&'b Histories> {
        match touch.space {
            Space::Shared => Some(block),
            Space::Global => Some(&self.global),
            _ => None,
        }
    }

    pub(super) fn histories_of_mut<'b>(
        &'b mut self,
        touch: &Touch,
        block: &'b mut Histories,
    ) -> Option<&'b mut Histories> {
        match touch.space {
            Space::Shared => Some(block),
            Space::Global => Some(&mut self.global),
            _ => None,
        }
    }

    /// Returns the number of writes that each lane of a load may read back; `None` if no lane may.
    pub fn older_values(&self, touch: &Touch, block: &Histories, warp: &WarpOrder) -> Option<Box<Older>> {
        let histories = self.histories_of(touch, block)?;
        let mut older: Option<Box<Older>> = None;
        for (element, lane, address) in places(touch, touch.mask) {
            let most =
                histories.furthest_back(address, touch.bytes, step(touch, lane, warp.clock()), &warp.views()[lane]);
            if most != 0 {
                older.get_or_insert_with(|| Box::new(Older::NONE)).back[element][lane] = most as u8;
            }
        }
        older
    }

    /// Begins a load. The lanes that get an older value observe the writes that they read, and are returned.
    pub fn look_back(
        &mut self,
        touch: &Touch,
        block: &mut Histories,
        warp: &mut WarpOrder,
        releases: &Releases,
    ) -> Mask {
        self.now = self.next.take();
        let older = self.now.as_deref().map_or([[0; WARP]; MOST_ELEMENTS], |older| older.back);
        let back: Mask = lanes(touch.mask).filter(|&lane| self.looks_back(lane)).map(|lane| 1 << lane).sum();
        if touch.semantics.is_strong() {
            let tag = touch.shared_block();
            let reach = Reach::in_launch(touch.at.launch, touch.semantics.scope, touch.at.block, touch.at.pc);
            for (element, lane, address) in places(touch, back) {
                let released = match older[element][lane] {
                    0 => releases.get((tag, address)).filter(|var| var.is_for(touch.bytes)),
                    far => self
                        .histories_of(touch, block)
                        .and_then(|histories| histories.older(address, far.into()))
                        .map(|o| o.0),
                };
                if let Some(released) = released {
                    warp.observe(lane, Some((tag, address)), released, touch.semantics, reach);
                }
                if touch.semantics.acquires() {
                    warp.acquire(lane, Some((tag, address)), reach);
                }
            }
        }
        let (clock, now) = (warp.clock(), self.followers.now());
        if touch.semantics.acquires() {
            self.acquires(&touch.at, back, touch.semantics.scope);
        }
        if let Some(histories) = self.histories_of_mut(touch, block) {
            for (element, lane, address) in places(touch, touch.mask) {
                let by = (step(touch, lane, clock), now);
                histories.reads(address, touch.bytes, older[element][lane].into(), by);
            }
        }
        back
    }

    /// Sets the undefined bits of the older values that lanes in `back` get.
    pub fn older_bits(
        &self,
        touch: &Touch,
        element: usize,
        block: &Histories,
        back: Mask,
        undefined: &mut [u64; WARP],
    ) {
        let Some(older) = self.now.as_deref() else { return };
        for lane in lanes(back).filter(|&lane| older.back[element][lane] != 0) {
            let address = touch.addresses[lane] + u64::from(touch.bytes) * element as u64;
            let far = older.back[element][lane].into();
            if let Some((_, bits)) = self.histories_of(touch, block).and_then(|histories| histories.older(address, far))
            {
                undefined[lane] = bits;
            }
        }
    }

    /// Records that atomic operations of `mask`, which write nothing, have read the latest value.
    pub fn note_reads(&mut self, touch: &Touch, mask: Mask, clock: Clock, block: &mut Histories) {
        let now = self.followers.now();
        if let Some(histories) = self.histories_of_mut(touch, block) {
            for (_, lane, address) in places(touch, mask) {
                histories.reads(address, touch.bytes, 0, (step(touch, lane, clock), now));
            }
        }
    }

    /// Returns the numbers of last writes before which each lane's store may take its position. If several lanes store
    /// to one location, they do so in their order.
    pub fn places_behind(&self, touch: &Touch, block: &Histories, warp: &WarpOrder) -> Option<Box<[u8; WARP]>> {
        let histories = self.histories_of(touch, block).filter(|_| touch.elements == 1 && touch.bytes <= 8)?;
        let mut places: Option<Box<[u8; WARP]>> = None;
        for lane in lanes(touch.mask) {
            let address = touch.addresses[lane];
            let behind = histories.behind(address, touch.bytes, step(touch, lane, warp.clock()), &warp.views()[lane]);
            if behind != 0 && at_one(touch.addresses, address) & touch.mask == 1 << lane {
                places.get_or_insert_with(|| Box::new([0; WARP]))[lane] = behind;
            }
        }
        places
    }

    /// Records the lanes' stores at earlier positions; `undefined` returns the undefined bits of their values.
    pub fn put_behind(
        &mut self,
        touch: &Touch,
        clock: Clock,
        released: Vec<SyncVar>,
        undefined: impl Fn(usize) -> u64,
        block: &mut Histories,
    ) {
        let Some(back) = self.behind.take() else { return };
        let now = self.followers.now();
        if let Some(histories) = self.histories_of_mut(touch, block) {
            for (lane, released) in lanes(touch.mask).zip(released) {
                let by = (step(touch, lane, clock), now);
                histories.wrote_behind(touch.addresses[lane], back[lane].into(), by, released, undefined(lane));
            }
        }
    }

    /// Records the writes of lanes. Memory must still have its old undefined bits.
    pub fn note_writes(
        &mut self,
        touch: &Touch,
        clock: Clock,
        block: &mut Histories,
        updates: bool,
        releases: &Releases,
        bits: impl Fn(u64) -> [u64; WARP],
    ) {
        let tag = touch.shared_block();
        let between = std::mem::take(&mut self.between);
        let now = self.followers.now();
        for element in 0..touch.elements {
            let skip = u64::from(touch.bytes * element);
            let undefined = bits(skip);
            for lane in lanes(touch.mask) {
                let address = touch.addresses[lane] + skip;
                // A value that an earlier lane has just written there counts as defined.
                let again = lanes(touch.mask & ((1 << lane) - 1))
                    .any(|before| touch.addresses[before] == touch.addresses[lane]);
                let undefined = if again { 0 } else { undefined[lane] };
                let then = between.iter().find(|(by, at, _)| (*by, *at) == (lane, address)).map(|(.., var)| var);
                let var = then.or_else(|| releases.get((tag, address))).filter(|_| touch.semantics.is_strong());
                let released = var.cloned().unwrap_or_default();
                if let Some(histories) = self.histories_of_mut(touch, block) {
                    histories.wrote(
                        address,
                        touch.bytes,
                        (step(touch, lane, clock), now),
                        released,
                        undefined,
                        updates,
                    );
                }
            }
        }
    }
}

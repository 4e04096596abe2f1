//! Loads that get an older value (see [`super::visible`]): what they may read, and what they
//! observe. Such a load synchronises with the write that it reads and not with the latest;
//! its value's undefined bits are that write's; and whether it races is judged as ever.

use super::sync::Reach;
use super::visible::{FencesSc, Step, Visible};
use super::{BlockState, Full, WarpState};
use crate::memory::space::Space;
use crate::registers::{Mask, WARP, lanes};
use crate::watch::{Older, Touch};

/// What is kept while a schedule may give loads older values.
#[derive(Default)]
pub struct Delays {
    /// Writes to global memory; a block keeps those to its own.
    visible: Visible,
    pub fences: FencesSc,
    /// How far the load that comes next goes back.
    pub next: Option<Box<Older>>,
    /// The same for the load at hand.
    pub now: Option<Box<Older>>,
}

impl Delays {
    /// True if a lane of the load at hand gets an older value of any element.
    pub fn looks_back(&self, lane: usize) -> bool {
        self.now.as_ref().is_some_and(|older| older.is_for(lane))
    }

    /// The older value that a lane gets of an element.
    pub fn older(&self, lane: usize, element: usize) -> Option<u64> {
        self.now.as_ref()?.get(lane, element)
    }
}

fn step(touch: &Touch, lane: usize, clock: super::Clock) -> Step {
    Step { block: touch.at.block, warp: touch.at.warp, lane: lane as u32, clock }
}

/// Each element's address, those of one element together, as the machine goes through them.
fn places<'a>(touch: &'a Touch, mask: Mask) -> impl Iterator<Item = (usize, usize, u64)> + 'a {
    let address = |element: u32, lane: usize| touch.addresses[lane] + u64::from(touch.bytes * element);
    (0..touch.elements)
        .flat_map(move |element| lanes(mask).map(move |lane| (element as usize, lane, address(element, lane))))
}

impl Full<'_> {
    fn visible<'b>(&'b self, touch: &Touch, block: &'b BlockState) -> Option<&'b Visible> {
        let delays = self.delays.as_ref()?;
        match touch.space {
            Space::Shared => Some(&block.visible),
            Space::Global => Some(&delays.visible),
            _ => None,
        }
    }

    fn visible_mut<'b>(&'b mut self, touch: &Touch, block: &'b mut BlockState) -> Option<&'b mut Visible> {
        let delays = self.delays.as_mut()?;
        match touch.space {
            Space::Shared => Some(&mut block.visible),
            Space::Global => Some(&mut delays.visible),
            _ => None,
        }
    }

    /// How far back each lane of a load may look; `None` where none may.
    pub(super) fn older_values(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<Older>> {
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
    pub(super) fn look_back(&mut self, touch: &Touch, block: &mut BlockState, warp: &mut WarpState) -> Mask {
        let Some(delays) = &mut self.delays else { return 0 };
        delays.now = delays.next.take();
        let older = delays.now.as_deref().map_or([[0; WARP]; 4], |older| older.back);
        let back: Mask = lanes(touch.mask).filter(|&lane| delays.looks_back(lane)).map(|lane| 1 << lane).sum();
        if touch.semantics.is_strong() {
            let tag = (touch.space == Space::Shared).then_some(touch.at.block);
            let reach = Reach::new(touch.semantics.scope, touch.at.block, touch.at.pc);
            for (element, lane, address) in places(touch, back) {
                let released = match older[element][lane] {
                    0 => self.sync.get(&(tag, address)).map(|var| var.entries()),
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
        let clock = warp.clock;
        if let Some(visible) = self.visible_mut(touch, block) {
            for (element, lane, address) in places(touch, touch.mask) {
                visible.reads(address, touch.bytes, older[element][lane].into(), step(touch, lane, clock));
            }
        }
        back
    }

    /// Undefined bits of the older values that lanes in `back` get.
    pub(super) fn older_bits(
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
    pub(super) fn note_reads(&mut self, touch: &Touch, mask: Mask, clock: super::Clock, block: &mut BlockState) {
        if let Some(visible) = self.visible_mut(touch, block) {
            for (_, lane, address) in places(touch, mask) {
                visible.reads(address, touch.bytes, 0, step(touch, lane, clock));
            }
        }
    }

    /// Lanes of `mask` write; memory still has its old undefined bits.
    pub(super) fn note_writes(
        &mut self,
        touch: &Touch,
        mask: Mask,
        clock: super::Clock,
        block: &mut BlockState,
        warp: &WarpState,
    ) {
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        for element in 0..touch.elements {
            let skip = u64::from(touch.bytes * element);
            let undefined = self.memory_bits(touch, block, warp, skip, touch.bytes.min(8));
            for lane in lanes(mask) {
                let address = touch.addresses[lane] + skip;
                // What a lane before this one has just written there counts as defined.
                let again =
                    lanes(mask & ((1 << lane) - 1)).any(|before| touch.addresses[before] == touch.addresses[lane]);
                let undefined = if again { 0 } else { undefined[lane] };
                let var = self.sync.get(&(tag, address)).filter(|_| touch.semantics.is_strong());
                let released = var.map_or_else(Vec::new, |var| var.entries().to_vec());
                if let Some(visible) = self.visible_mut(touch, block) {
                    visible.wrote(address, touch.bytes, step(touch, lane, clock), released, undefined);
                }
            }
        }
    }
}

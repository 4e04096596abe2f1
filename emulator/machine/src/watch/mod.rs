//! The interface of checkers, which observe what a kernel does and never change a value.
//!
//! It has two halves. Events go to the checker and return nothing ([`Events`], [`ValueEvents`], [`GridEvents`]). The
//! [`Oracle`] answers a schedule that gives loads older values: which ones the memory model allows, by the events so
//! far.
//!
//! The machine is generic over [`Watch`], so with [`Off`] every call here compiles to nothing. A call comes before the
//! operation that it announces, while memory and registers hold the old values, unless its name is in the past tense.

mod bulk;
pub mod flow;
mod products;

use crate::code::{Function, Instr};
use crate::exec::atomic::Atomic;
use crate::exec::barrier::{Fence, FencedSpace};
use crate::exec::mbarrier::Mbarrier;
use crate::exec::memory::{Load, MOST_ELEMENTS, Semantics, StoreOp};
use crate::exec::warp::{Collective, Outputs};
use crate::exec::{Alu, GridDependency, Op};
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{Mask, Reg, Registers, WARP, lanes};
use crate::run::arrivals::Arrival;
use crate::run::bulk::BulkUnderWay;
use crate::run::copies::UnderWay;
use crate::run::launch::Launch;
use finding::{Decision, Finding, Slug};

pub use bulk::{BulkWait, CopyBlocks, StartedBulk};
pub use products::StartedProduct;

/// A place in the launch where something happens.
#[derive(Clone, Copy)]
pub struct At<'a> {
    pub launch: &'a Launch<'a>,
    /// Linear block index.
    pub block: u64,
    pub warp: u32,
    pub pc: u32,
    /// The call that the instruction runs in, by its number in the warp; 0 is the kernel itself.
    pub frame: u32,
}

/// Memory that some lanes of a warp are about to touch, all in one space and, if global or
/// shared, in one region.
pub struct Touch<'a> {
    pub at: At<'a>,
    pub space: Space,
    /// `None` for local memory.
    pub region: Option<&'a Region>,
    /// Each lane's address, in the space's own numbering.
    pub addresses: &'a [u64; WARP],
    pub mask: Mask,
    /// Bytes of one element, and how many stand side by side.
    pub bytes: u32,
    pub elements: u32,
    pub semantics: Semantics,
    /// The block whose memory it is, if shared; the accessing one's own otherwise.
    pub owner: u64,
}

impl Touch<'_> {
    /// The block of which this is the shared memory; `None` for other memory.
    #[inline(always)]
    pub fn shared_block(&self) -> Option<u64> {
        (self.space == Space::Shared).then_some(self.owner)
    }
}

/// An asynchronous copy that lanes start.
pub struct StartedCopy<'a> {
    /// Copies of a warp are numbered from 1.
    pub number: u32,
    /// By lane, the address of its source, and how many bytes it takes from there.
    pub from: &'a [u64; WARP],
    pub given: &'a [u32; WARP],
}

/// One group of those that a `.sync` instruction has brought together, and what it gets.
pub struct CollectiveGroup<'a> {
    pub at: At<'a>,
    pub op: &'a Collective,
    pub group: Mask,
    /// The lanes of all groups.
    pub met: Mask,
    pub out: &'a Outputs,
}

/// A guard that is read.
pub struct GuardRead<'a> {
    pub pred: u32,
    /// The instruction that it guards.
    pub op: &'a Op,
    /// Some lane will run that.
    pub runs: bool,
}

/// An operation on the order at a barrier object.
pub enum Signal<'a> {
    Arrives {
        at: At<'a>,
        lane: usize,
        semantics: Semantics,
    },
    /// The current phase is complete.
    Completes,
    /// A lane finds a phase complete.
    Passes {
        at: At<'a>,
        lane: usize,
        semantics: Semantics,
    },
    /// A lane has an arrival made once its asynchronous copies up to number `last` are done.
    Tracks {
        at: At<'a>,
        lane: usize,
        last: u32,
    },
    /// That arrival.
    Tracked {
        warp: u32,
        lane: usize,
        last: u32,
    },
}

/// A load that looks back, by element of a vector access and lane.
#[derive(Clone)]
pub struct Older {
    /// The number of writes; 0 is the latest value.
    pub back: [[u8; WARP]; MOST_ELEMENTS],
    /// The value that it finds there.
    pub value: [[u64; WARP]; MOST_ELEMENTS],
}

impl Older {
    pub const NONE: Older = Older { back: [[0; WARP]; MOST_ELEMENTS], value: [[0; WARP]; MOST_ELEMENTS] };

    /// True if a lane gets an older value of any element.
    #[inline]
    pub fn is_for(&self, lane: usize) -> bool {
        self.back.iter().any(|element| element[lane] != 0)
    }

    /// The older value that a lane gets of an element.
    #[inline]
    pub fn get(&self, lane: usize, element: usize) -> Option<u64> {
        (self.back[element][lane] != 0).then_some(self.value[element][lane])
    }

    /// Puts the older values of one element in place of the latest.
    #[inline]
    pub fn replace(&self, element: usize, mask: Mask, values: &mut [u64; WARP]) {
        for lane in lanes(mask).filter(|&lane| self.back[element][lane] != 0) {
            values[lane] = self.value[element][lane];
        }
    }
}

/// Which of a place's last writes an atomic operation of each lane may find, the newest aside: bit `n` stands for `n`
/// writes back.
#[derive(Clone)]
pub struct Room {
    /// If it writes nothing.
    pub reads: [u8; WARP],
    /// If it writes what it finds.
    pub keeps: [u8; WARP],
    /// Whatever it writes.
    pub writes: [u8; WARP],
}

impl Room {
    pub const NONE: Room = Room { reads: [0; WARP], keeps: [0; WARP], writes: [0; WARP] };
}

/// Atomic operations that look back: they stand right behind the write that they find, and memory keeps what it has.
#[derive(Clone)]
pub struct Late {
    /// The number of writes; 0 is the latest value.
    pub back: [u8; WARP],
    pub found: [u64; WARP],
    pub new: [u64; WARP],
    /// Lanes that compare and do not swap.
    pub fails: Mask,
}

impl Late {
    pub const NONE: Late = Late { back: [0; WARP], found: [0; WARP], new: [0; WARP], fails: 0 };

    /// The lanes that look back.
    #[inline]
    pub fn mask(&self) -> Mask {
        (0..WARP).map(|lane| u32::from(self.back[lane] != 0) << lane).sum()
    }
}

/// The state that a checker keeps, and whether there is one.
pub trait Keeps {
    const ON: bool;
    /// An access that is not allowed is told and left out, and the launch goes on. Else it ends there.
    const GOES_ON: bool = false;
    /// Kept with each warp, and with each block.
    type Warp: Default;
    type Block: Default;
}

/// Whoever watches a launch: one object stands behind all of these.
pub trait Watch: Events + ValueEvents + GridEvents + Oracle {}

impl<W: Events + ValueEvents + GridEvents + Oracle> Watch for W {}

/// Events of threads: their accesses, barriers, branches and ends. Nothing comes back; every method does nothing unless
/// a checker says otherwise.
#[allow(unused_variables)]
pub trait Events: Keeps {
    fn begin_block(&mut self, launch: &Launch, linear: u64, block: &mut Self::Block) {}
    /// A warp starts; `exists` are the lanes that have a thread.
    fn begin_warp(&mut self, warp: &mut Self::Warp, regs: &Registers, kernel: &Function, exists: Mask) {}
    /// A group of lanes gets its turn, at the instruction at `at`.
    fn turn(&mut self, at: &At, mask: Mask) {}
    /// A group of lanes runs an instruction: `mask` are all of them, `exec` those that its guard lets.
    fn executed(&mut self, at: &At, regs: &Registers, instr: &Instr, mask: Mask, exec: Mask) {}
    /// The same group stands there, before anything is done.
    fn stands(
        &mut self,
        at: &At,
        block: &mut Self::Block,
        warp: &mut Self::Warp,
        regs: &Registers,
        mask: Mask,
        exec: Mask,
    ) {
    }
    /// The call instruction at `call` leads to frame `frame`; `call.frame` is the caller's.
    fn called(&mut self, call: &At, warp: &mut Self::Warp, frame: u32) {}
    fn load(&mut self, touch: &Touch, load: &Load, block: &mut Self::Block, warp: &mut Self::Warp, regs: &Registers) {}
    fn store(
        &mut self,
        touch: &Touch,
        store: &StoreOp,
        block: &mut Self::Block,
        warp: &mut Self::Warp,
        regs: &Registers,
    ) {
    }
    fn atomic(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut Self::Block,
        warp: &mut Self::Warp,
        regs: &Registers,
    ) {
    }
    /// Lanes start an asynchronous copy, whose source `touch` is, or whose destination.
    fn copy(&mut self, touch: &Touch, copy: &StartedCopy, to: bool, block: &mut Self::Block, warp: &mut Self::Warp) {}
    /// A lane has waited for its asynchronous copies up to number `last`.
    fn waited(&mut self, warp: &mut Self::Warp, lane: usize, last: u32) {}
    /// The bytes of an asynchronous copy are about to move.
    fn copy_moves(&mut self, launch: &Launch, linear: u64, copy: &UnderWay, block: &mut Self::Block) {}
    /// A lane starts a bulk copy.
    fn bulk_starts(&mut self, start: &StartedBulk, blocks: &mut CopyBlocks<Self::Block>, warp: &mut Self::Warp) {}
    /// A bulk copy of block `linear` has read its source.
    fn bulk_has_read(&mut self, launch: &Launch, linear: u64, copy: &BulkUnderWay, block: &mut Self::Block) {}
    /// A bulk copy is about to write its destination.
    fn bulk_writes(&mut self, launch: &Launch, linear: u64, copy: &BulkUnderWay, blocks: &mut CopyBlocks<Self::Block>) {
    }
    /// The bytes of a bulk copy are complete at its barrier object.
    fn bulk_completes(&mut self, linear: u64, copy: &BulkUnderWay, blocks: &mut CopyBlocks<Self::Block>) {}
    /// A lane has waited for one of its bulk copies.
    fn bulk_waited(&mut self, wait: &BulkWait, block: &mut Self::Block, warp: &mut Self::Warp) {}
    /// A warp starts a product of matrices.
    fn product_starts(
        &mut self,
        start: &StartedProduct,
        block: &mut Self::Block,
        warp: &mut Self::Warp,
        regs: &Registers,
    ) {
    }
    /// The products of a warp since its last group become one.
    fn products_committed(&mut self, warp: &mut Self::Warp) {}
    /// A warp has waited for its products up to number `last`.
    fn products_waited(&mut self, at: &At, last: u32, warp: &mut Self::Warp) {}
    /// `wgmma.fence`: a warp orders its accesses of registers, and those of its next products.
    fn products_fenced(&mut self, warp: &mut Self::Warp) {}
    /// Lanes order what they know, and what other proxies access from now on.
    fn proxy_fence(&mut self, at: &At, warp: &mut Self::Warp, mask: Mask, space: FencedSpace) {}
    /// Lanes pass a fence for tensor maps: one that releases, or one that acquires the maps at `maps`, by lane.
    fn map_fence(
        &mut self,
        at: &At,
        fence: &Fence,
        maps: Option<&[u64; WARP]>,
        block: &mut Self::Block,
        warp: &mut Self::Warp,
        mask: Mask,
    ) {
    }
    /// A lane is about to change a tensor map, or to read it for a copy.
    fn map_access(&mut self, touch: &Touch, writes: bool, block: &mut Self::Block, warp: &mut Self::Warp) {}
    /// A lane is about to make an access that is not allowed; `tell` tells all of it.
    fn misplaced(&mut self, at: &At, slug: Slug, warp: &mut Self::Warp, tell: &dyn Fn() -> Finding) {}
    /// Lanes are about to use barrier objects.
    fn mbarrier(&mut self, touch: &Touch, op: &Mbarrier, block: &mut Self::Block, warp: &mut Self::Warp) {}
    /// Something has happened at the object at `address`.
    fn signal(&mut self, address: u64, signal: &Signal, block: &mut Self::Block, warp: &mut Self::Warp) {}
    fn fence(&mut self, at: &At, fence: &Fence, block: &mut Self::Block, warp: &mut Self::Warp, mask: Mask) {}
    /// All the lanes that a `.sync` instruction brings together have come; called once a meeting.
    fn meet(&mut self, at: &At, op: &Collective, block: &mut Self::Block, warp: &mut Self::Warp, met: Mask) {}
    /// Lanes come to a branch: some take it, the others go on.
    fn branch(&mut self, at: &At, warp: &mut Self::Warp, taken: Mask, on: Mask) {}
    /// At a branch lanes go two ways.
    fn part(&mut self, at: &At, warp: &mut Self::Warp, one: Mask, other: Mask) {}
    /// Lanes arrive at an aligned block barrier at which others of their warp have arrived from elsewhere.
    fn diverge(&mut self, at: &At, warp: &Self::Warp, id: u32, other: &Arrival, mask: Mask) {}
    /// Lanes arrive at a block barrier (and wait, or not).
    fn arrive(&mut self, at: &At, id: usize, block: &mut Self::Block, warp: &mut Self::Warp, mask: Mask) {}
    /// Lanes arrive at their cluster's barrier, for which they will wait later.
    fn cluster_arrive(&mut self, at: &At, releases: bool, warp: &mut Self::Warp, mask: Mask) {}
    /// The barrier of the cluster that a block is of completes.
    fn cluster_completes(&mut self, launch: &Launch, linear: u64) {}
    /// Lanes that have waited for it go on.
    fn cluster_passes(&mut self, at: &At, warp: &mut Self::Warp, mask: Mask) {}
    /// All threads of a block have ended, and others of its cluster have not yet.
    fn end_block(&mut self, launch: &Launch, linear: u64, block: &mut Self::Block) {}
    /// A block barrier completes; called once, then [`Events::release`] for the waiting lanes of each warp, which has
    /// number `index`.
    fn complete(&mut self, launch: &Launch, linear: u64, id: usize, block: &mut Self::Block) {}
    fn release(&mut self, id: usize, block: &mut Self::Block, warp: &mut Self::Warp, index: u32, mask: Mask) {}
    fn exit(&mut self, at: &At, block: &mut Self::Block, warp: &mut Self::Warp, mask: Mask) {}
}

/// Values that registers and memory come to hold, and those that decide something. Nothing comes back.
#[allow(unused_variables)]
pub trait ValueEvents: Keeps {
    /// Memory written by the device runtime, at an address of its space.
    fn define_memory(&mut self, space: Space, base: u64, address: u64, bytes: u64, block: &mut Self::Block) {}
    /// A call has opened a new frame for `mask`; the window stands on it.
    /// Its local memory begins at `local`.
    fn enter_frame(&mut self, warp: &mut Self::Warp, regs: &Registers, function: &Function, local: u64, mask: Mask) {}
    /// Registers copied as arguments or results: windows are given by their bases.
    fn copy_register(&mut self, warp: &mut Self::Warp, from: (Window, Reg), to: (Window, Reg), mask: Mask) {}
    /// Bytes copied inside local memory, as arguments or results.
    fn copy_local(&mut self, warp: &mut Self::Warp, from: u64, to: u64, bytes: u64, mask: Mask) {}
    /// A lane has allocated so many bytes on its stack.
    fn undefine_local(&mut self, warp: &mut Self::Warp, at: u64, bytes: u64, lane: usize) {}
    /// Local memory written by the device runtime.
    fn define_local(&mut self, warp: &mut Self::Warp, at: u64, bytes: u64, mask: Mask) {}
    fn alu(&mut self, warp: &mut Self::Warp, regs: &Registers, alu: &Alu, mask: Mask) {}
    /// The access of these lanes is left out: what it should have brought to `results` is unknown, and what it `writes`
    /// is lost.
    fn left_out(&mut self, warp: &mut Self::Warp, regs: &Registers, results: &[Reg], mask: Mask, writes: bool) {}
    /// A register written with a value made of nothing undefined.
    fn define(&mut self, warp: &mut Self::Warp, regs: &Registers, reg: Reg, mask: Mask) {}
    /// `activemask` at `at` gives `mask` to the lanes in it.
    fn active_mask(&mut self, at: &At, warp: &mut Self::Warp, regs: &Registers, reg: Reg, mask: Mask) {}
    /// A guard is about to be read.
    fn guard(&mut self, at: &At, warp: &mut Self::Warp, regs: &Registers, guard: &GuardRead, mask: Mask) {}
    /// A register decides something that must not be undefined: a branch, an address, a count.
    fn decide(&mut self, at: &At, warp: &mut Self::Warp, regs: &Registers, reg: Reg, mask: Mask, what: Decision) {}
    /// Records the operands of one group; called for every group before the first [`ValueEvents::collective`].
    fn gather(&mut self, warp: &mut Self::Warp, regs: &Registers, op: &Collective, group: Mask) {}
    /// Records the results of one group, before they are written.
    fn collective(&mut self, meeting: &CollectiveGroup, warp: &mut Self::Warp, regs: &Registers) {}
}

/// Grids that kernels launch, and memory that they get. Nothing comes back.
#[allow(unused_variables)]
pub trait GridEvents: Keeps {
    /// The warp is of a grid that a kernel launched: it knows what that grid comes after.
    fn inherit(&mut self, grid: u32, warp: &mut Self::Warp) {}
    /// A buffer for the arguments of a launch: nothing that was there before counts.
    fn fresh_buffer(&mut self, launch: &Launch, address: u64, bytes: u64) {}
    /// Lanes wait for the grids that their launch depends on, or let those begin that depend on it.
    fn grid_dependency(&mut self, at: &At, op: GridDependency, warp: &mut Self::Warp, mask: Mask) {}
    /// A lane launches a grid.
    fn launches(&mut self, at: &At, warp: &mut Self::Warp, lane: usize, child: &Launch) {}
    /// A grid may begin, after all that these grids and those that they launched have done.
    fn grid_begins(&mut self, grid: u32, after: &[u32]) {}
    /// A grid is complete, and so are those that it launched.
    fn grid_ends(&mut self, grid: u32, parent: u32) {}
    /// Later grids may begin after these complete grids, and after no other complete ones.
    fn grids_kept(&mut self, complete: &[u32]) {}
    /// A thread has allocated these bytes on the heap of device code.
    fn allocated(&mut self, base: u64, bytes: u64) {}
    /// A thread has freed the block of the heap at `base`.
    fn freed(&mut self, base: u64) {}
}

/// Which values the memory model lets an access get, by all that the events have told, and which of them it gets.
#[allow(unused_variables)]
pub trait Oracle: Keeps {
    /// Returns how far back the memory model lets a load look; asked only where a schedule gives loads older values.
    fn older(&self, touch: &Touch, block: &Self::Block, warp: &Self::Warp) -> Option<Box<Older>> {
        None
    }
    /// Records the values that the next load gets.
    fn goes_back(&mut self, older: &Older) {}
    /// Returns, by lane, the positions in coherence order that the next store may take: bit `n` stands for the one
    /// before the last `n` writes, from 1 on. Asked only where a schedule delays stores.
    fn behind(&self, touch: &Touch, block: &Self::Block, warp: &Self::Warp) -> Option<Box<[u8; WARP]>> {
        None
    }
    /// Records the position that the schedule has chosen for each lane's next store: before how many of the last
    /// writes. A store with 0 is the latest write, and memory gets its value.
    fn goes_behind(&mut self, back: &[u8; WARP]) {}
    /// Returns the values that each lane's atomic operation may find; asked only where a schedule lets them look back.
    fn room(&self, touch: &Touch, atomic: &Atomic, block: &Self::Block, warp: &Self::Warp) -> Option<Box<Room>> {
        None
    }
    /// Records the values that the next atomic operation finds.
    fn goes_late(&mut self, late: &Late) {}
    /// Returns the lanes in which a register depends on an access that was skipped.
    fn misled(&self, warp: &Self::Warp, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        0
    }
    /// Returns the lanes whose control flow depends on such a value, so that their accesses may be a consequence.
    fn astray(&self, warp: &Self::Warp) -> Mask {
        0
    }
    /// True if work before this launch was not run, so that its kernel may find values which no real run has.
    fn misses_work(&self) -> bool {
        false
    }
    /// Returns true if the position of threads may depend on an access that was skipped.
    fn may_follow(&self) -> bool {
        false
    }
    /// The last write of the word at an address, as far as it is known, and which block's it was.
    fn last_write(&self, launch: &Launch, block: &Self::Block, space: Space, address: u64) -> Option<LastWrite> {
        None
    }
}

/// The last write of a word.
pub struct LastWrite {
    pub block: u64,
    /// Linear in its block.
    pub thread: u32,
    pub pc: u32,
    /// The calls that led there, innermost first.
    pub calls: Vec<u32>,
    /// It has set what is there; else it may be an update that left the word as it was.
    pub has_set: bool,
}

/// A frame's register window: first slot, first predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub slots: usize,
    pub preds: usize,
}

/// No checks.
pub struct Off;

impl Keeps for Off {
    const ON: bool = false;
    type Warp = ();
    type Block = ();
}

impl Events for Off {}
impl ValueEvents for Off {}
impl GridEvents for Off {}
impl Oracle for Off {}

//! A warp: 32 lanes, their registers, and the groups they run in.

use super::copies::CopiesUnderWay;
pub use super::group::{Group, Wait};
use super::launch::Launch;
use super::products::WarpProducts;
use super::stack::{Allocated, STACK};
use crate::code::{Function, function_address};
use crate::decode::{Constant, Reserved, ThreadRegister};
use crate::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use crate::watch::{Off, Watch};

/// One call in progress. Two lanes are in the same call if they are in the same frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Position of the function in [`crate::code::KernelCode::functions`].
    pub function: u32,
    pub parent: u32,
    pub return_pc: u32,
    pub depth: u32,
    /// First register slot and first predicate.
    pub slots: u32,
    pub preds: u32,
    /// First byte of local memory.
    pub local: u64,
    /// The frame that was opened last by a call from this one; 0 if none was.
    pub last_child: u32,
    /// The one that its parent opened before it; 0 if none.
    pub earlier_child: u32,
}

impl Frame {
    /// True if a child of the same frame stands for the same call, its registers in the same place.
    pub fn is_same_call(&self, other: &Frame) -> bool {
        (self.function, self.return_pc, self.slots) == (other.function, other.return_pc, other.slots)
    }
}

pub struct Warp<W: Watch> {
    pub(super) index: u32,
    pub(super) regs: Registers,
    pub(super) groups: Vec<Group>,
    pub(super) frames: Vec<Frame>,
    /// Lanes that have a thread.
    exists: Mask,
    exited: Mask,
    /// Each thread's local memory, grown as calls go deeper.
    pub(super) locals: Vec<Vec<u8>>,
    /// The stack allocations of each thread; empty until one allocates.
    pub(super) stacks: Vec<Allocated>,
    /// Instructions that this warp has run.
    clock: u64,
    /// Total nanoseconds slept.
    slept: u64,
    /// Its clock when it was last of one group, or the schedule was last told that it is not.
    divided: u64,
    pub(super) copies: CopiesUnderWay,
    pub(super) products: WarpProducts,
    pub(super) watch: W::Warp,
}

impl<W: Watch> Warp<W> {
    pub fn new(launch: &Launch, index: u32) -> Warp<W> {
        let left = launch.threads_per_block() - 32 * index;
        let exists = if left >= 32 { !0 } else { (1 << left) - 1 };
        let mut warp = Warp {
            index,
            regs: Registers::default(),
            groups: Vec::new(),
            frames: Vec::new(),
            exists,
            exited: 0,
            locals: vec![Vec::new(); WARP],
            stacks: Vec::new(),
            clock: 0,
            slept: 0,
            divided: 0,
            copies: CopiesUnderWay::default(),
            products: WarpProducts::default(),
            watch: W::Warp::default(),
        };
        let kernel = launch.entry();
        warp.regs.reserve(kernel.frame.slots as usize, kernel.frame.preds as usize);
        warp.fill_constants(launch, launch.first_block(), kernel, 0, exists, |_| true);
        warp
    }

    /// Back to the kernel's first instruction, for block `block` of the same grid, or of another of the same shape.
    pub fn restart(&mut self, launch: &Launch, block: u64, is_same_grid: bool) {
        let kernel = launch.entry();
        self.exited = 0;
        self.clock = 0;
        self.slept = 0;
        self.divided = 0;
        self.copies.clear();
        self.products.clear();
        self.frames.clear();
        self.frames.push(Frame {
            function: launch.part.first,
            parent: 0,
            return_pc: 0,
            depth: 0,
            slots: 0,
            preds: 0,
            local: 0,
            last_child: 0,
            earlier_child: 0,
        });
        self.groups.clear();
        self.groups.push(Group { pc: kernel.entry, mask: self.exists, frame: 0, wait: Wait::Ready });
        self.enter_window(0);
        // All other constants of the kernel's frame are the same in every block of a grid.
        let moves = |constant: &Constant| match constant {
            Constant::Special(register) => !is_same_grid || register.is_of_block(),
            _ => false,
        };
        self.fill_constants(launch, block, kernel, 0, self.exists, moves);
        for local in &mut self.locals {
            local.clear();
            local.resize(kernel.local_bytes as usize, 0);
        }
        self.stacks.iter_mut().for_each(Allocated::clear);
    }

    /// A copy that nobody watches, without the copies and products under way.
    pub fn unwatched(&self) -> Warp<Off> {
        Warp {
            index: self.index,
            regs: self.regs.clone(),
            groups: self.groups.clone(),
            frames: self.frames.clone(),
            exists: self.exists,
            exited: self.exited,
            locals: self.locals.clone(),
            stacks: self.stacks.clone(),
            clock: self.clock,
            slept: self.slept,
            divided: self.divided,
            copies: CopiesUnderWay::default(),
            products: WarpProducts::default(),
            watch: Default::default(),
        }
    }

    /// A thread's own memory, its frames' or what it has allocated.
    pub fn own(&self, lane: usize, address: u64, bytes: u64) -> Option<&[u8]> {
        match self.stacks.get(lane) {
            Some(stack) if address >= STACK => stack.get(address, bytes),
            _ => self.locals[lane].get(address as usize..address.checked_add(bytes)? as usize),
        }
    }

    pub fn own_mut(&mut self, lane: usize, address: u64, bytes: u64) -> Option<&mut [u8]> {
        match self.stacks.get_mut(lane) {
            Some(stack) if address >= STACK => stack.get_mut(address, bytes),
            _ => self.locals[lane].get_mut(address as usize..address.checked_add(bytes)? as usize),
        }
    }

    #[inline]
    pub fn exists(&self) -> Mask {
        self.exists
    }

    #[inline]
    pub fn exited(&self) -> Mask {
        self.exited
    }

    #[inline]
    pub fn live(&self) -> Mask {
        self.exists & !self.exited
    }

    #[inline]
    pub fn exit(&mut self, mask: Mask) {
        self.exited |= mask;
    }

    /// Its `%clock`: an instruction takes a cycle, which is a nanosecond.
    #[inline]
    pub fn clock(&self) -> u64 {
        self.clock + self.slept
    }

    /// Advances its clock without running instructions.
    pub fn sleep(&mut self, nanoseconds: u64) {
        self.slept += nanoseconds;
    }

    #[inline]
    pub fn slept(&self) -> u64 {
        self.slept
    }

    /// It has run so many more.
    #[inline]
    pub fn advance(&mut self, instructions: u64) {
        self.clock += instructions;
    }

    /// Instructions that it has run since it was last of one group, or the schedule was last told that it is not.
    #[inline]
    pub fn divided_for(&self) -> u64 {
        self.clock - self.divided
    }

    /// It is of one group, or the schedule has been told that it is not.
    #[inline]
    pub fn begin_divided(&mut self) {
        self.divided = self.clock;
    }

    /// Points the register window at a frame.
    pub fn enter_window(&mut self, frame: u32) {
        let frame = &self.frames[frame as usize];
        self.regs.base = frame.slots as usize;
        self.regs.pred_base = frame.preds as usize;
    }

    /// Writes the constant slots of a frame whose window is current, for the lanes in `mask`.
    pub fn fill_constants(
        &mut self,
        launch: &Launch,
        block: u64,
        function: &Function,
        local: u64,
        mask: Mask,
        wanted: impl Fn(&Constant) -> bool,
    ) {
        for (reg, constant) in &function.frame.constants {
            if !wanted(constant) {
                continue;
            }
            match constant {
                Constant::Special(register) => {
                    for lane in lanes(mask) {
                        let thread = 32 * self.index + lane as u32;
                        self.regs.set(*reg, lane, special(launch, *register, block, thread));
                    }
                }
                Constant::Bits(bits) => self.broadcast(*reg, *bits, mask),
                Constant::Global { variable, offset } => {
                    self.broadcast(*reg, launch.globals[*variable].wrapping_add_signed(*offset), mask);
                }
                Constant::Frame(offset) => self.broadcast(*reg, local.wrapping_add_signed(*offset), mask),
                Constant::Function(index) => self.broadcast(*reg, function_address(*index), mask),
            }
        }
    }

    fn broadcast(&mut self, reg: Reg, value: u64, mask: Mask) {
        for lane in lanes(mask) {
            match reg.width {
                Width::Quad => self.regs.set_quad(reg, lane, u128::from(value)),
                _ => self.regs.set(reg, lane, value),
            }
        }
    }

    /// Joins ready groups that stand at the same place.
    pub fn converge(&mut self) {
        let mut at = 0;
        while at < self.groups.len() {
            let first = self.groups[at];
            if first.wait == Wait::Ready {
                let mut other = at + 1;
                while other < self.groups.len() {
                    let second = self.groups[other];
                    if second.wait == Wait::Ready && second.pc == first.pc && second.frame == first.frame {
                        self.groups[at].mask |= second.mask;
                        self.groups.swap_remove(other);
                    } else {
                        other += 1;
                    }
                }
            }
            at += 1;
        }
    }

    /// True if groups stand at one instruction.
    pub fn can_converge(&self) -> bool {
        let ready = || self.groups.iter().filter(|group| group.wait == Wait::Ready);
        ready().enumerate().any(|(at, one)| ready().skip(at + 1).any(|it| (it.pc, it.frame) == (one.pc, one.frame)))
    }

    /// The call instructions that led to a frame, innermost first.
    pub fn calls(&self, frame: u32) -> Vec<u32> {
        let mut calls = Vec::new();
        let mut frame = &self.frames[frame as usize];
        while frame.depth > 0 {
            calls.push(frame.return_pc - 1);
            frame = &self.frames[frame.parent as usize];
        }
        calls
    }

    pub fn is_ready(&self) -> bool {
        self.groups.iter().any(|group| group.wait == Wait::Ready)
    }
}

/// A special register's value for one thread (PTX ISA, "Special Registers").
fn special(launch: &Launch, register: ThreadRegister, block: u64, thread: u32) -> u64 {
    use ThreadRegister::*;
    let lane = thread % 32;
    let below = (1u32 << lane) - 1;
    let value = match register {
        Tid(axis) => launch.thread_index(thread)[axis as usize],
        Ntid(axis) => launch.block[axis as usize],
        Ctaid(axis) => launch.block_index(block)[axis as usize],
        Nctaid(axis) => launch.grid[axis as usize],
        Clusterid(axis) => launch.block_index(block)[axis as usize] / launch.cluster[axis as usize],
        Nclusterid(axis) => launch.grid[axis as usize] / launch.cluster[axis as usize],
        ClusterCtaid(axis) => launch.block_index(block)[axis as usize] % launch.cluster[axis as usize],
        ClusterNctaid(axis) => launch.cluster[axis as usize],
        ClusterCtarank => launch.cluster_rank(block),
        ClusterNctarank => launch.blocks_per_cluster(),
        IsExplicitCluster => u32::from(launch.is_explicit_cluster),
        LaneId => lane,
        WarpId => thread / 32,
        NwarpId => launch.warps_per_block(),
        SmId => (block % u64::from(launch.profile.multiprocessors)) as u32,
        NsmId => launch.profile.multiprocessors,
        GridId => return launch.grid_id,
        LaneMaskEq => 1 << lane,
        LaneMaskLt => below,
        LaneMaskLe => below | 1 << lane,
        LaneMaskGt => !(below | 1 << lane),
        LaneMaskGe => !below,
        DynamicSharedSize => launch.dynamic_shared,
        TotalSharedSize => launch.shared_bytes() as u32,
        ReservedShared(what) => reserved(launch, what) as u32,
        // The driver's own registers: cooperative groups find the address of the grid's barrier in these two.
        Envreg(1) => (launch.grid_sync >> 32) as u32,
        Envreg(2) => launch.grid_sync as u32,
        Envreg(_) => 0,
    };
    u64::from(value)
}

/// Returns the value of a special register of the reserved shared memory. The second of its two parts is that of
/// cooperative groups.
fn reserved(launch: &Launch, what: Reserved) -> u64 {
    let begin = launch.reserved_shared().unwrap_or(0);
    let bytes = u64::from(launch.profile.shared_reserved_per_block);
    match what {
        Reserved::Begin | Reserved::Part(0) => begin,
        Reserved::Part(_) => begin + bytes / 2,
        Reserved::End => begin + bytes,
        Reserved::Cap => bytes,
    }
}

//! One kernel made ready to run: its own instructions and those of every function it can reach.

use crate::decode::Frame;
use crate::exec::Op;
use crate::exec::branch::BranchOp;
use crate::exec::class::Class;
use crate::registers::{Mask, Reg, Registers, Width};
use finding::{MOST_CALLERS, SourceLocation};
use std::ops::Range;

/// `@p` in front of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstrGuard {
    Always,
    If(u32),
    Unless(u32),
}

impl InstrGuard {
    /// The lanes of `mask` that it lets run.
    #[inline(always)]
    pub fn lets(self, regs: &Registers, mask: Mask) -> Mask {
        match self {
            InstrGuard::Always => mask,
            InstrGuard::If(pred) => mask & regs.pred(pred),
            InstrGuard::Unless(pred) => mask & !regs.pred(pred),
        }
    }

    /// The predicate register that it reads.
    pub fn register(self) -> Option<Reg> {
        match self {
            InstrGuard::Always => None,
            InstrGuard::If(pred) | InstrGuard::Unless(pred) => Some(Reg::new(pred, Width::Pred)),
        }
    }
}

/// A decoded instruction in its place.
#[derive(Clone, Debug)]
pub struct Instr {
    pub op: Op,
    pub guard: InstrGuard,
    pub class: Class,
    /// Line in the PTX text.
    pub line: u32,
    /// Index into [`KernelCode::locations`]; [`NO_LOCATION`] where the PTX says nothing.
    pub location: u32,
}

impl Instr {
    /// The instructions that a branch leads to.
    pub fn targets(&self) -> &[u32] {
        match &self.op {
            Op::Branch(BranchOp::To(target)) => std::slice::from_ref(target),
            Op::Branch(BranchOp::Table(table)) => &table.1,
            _ => &[],
        }
    }

    /// True if some thread may go on to the next instruction. A call counts as one that comes back.
    pub fn falls_through(&self) -> bool {
        self.guard != InstrGuard::Always || !matches!(self.op, Op::Branch(_) | Op::Return | Op::Exit | Op::Trap)
    }
}

pub const NO_LOCATION: u32 = u32::MAX;

/// The place where a function expects an argument or leaves a result.
#[derive(Clone, Copy, Debug)]
pub enum Formal {
    /// Offset in its frame, bytes.
    Memory {
        offset: u64,
        bytes: u64,
    },
    Register(Reg),
}

impl Formal {
    /// Returns the bytes that each call or return of a thread copies; 0 for a register.
    pub fn bytes(&self) -> u64 {
        if let Formal::Memory { bytes, .. } = *self { bytes } else { 0 }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    /// Index among the program's functions.
    pub index: usize,
    /// Address of the first instruction.
    pub entry: u32,
    pub frame: Frame,
    /// Bytes of local memory its frame takes.
    pub local_bytes: u64,
    pub params: Vec<Formal>,
    pub results: Vec<Formal>,
}

/// A named stretch of shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedVariable {
    pub name: String,
    pub offset: u64,
    /// 0 for `extern __shared__`.
    pub bytes: u64,
    /// Bytes of one element.
    pub element: u32,
    /// The kernel's addresses step by multiples of so many bytes through it; 0 where nothing tells.
    pub step: u64,
}

/// The type that a parameter points to, by its type in the kernel's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pointee {
    #[default]
    Unknown,
    /// Numbers or pointers of so many bytes.
    Bytes(u64),
    /// A structure, whose size the name does not tell.
    Structure,
}

/// The properties of the elements of an array, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    pub pointee: Pointee,
    /// As that of [`SharedVariable`].
    pub step: u64,
}

/// One kernel with the functions that it can call.
#[derive(Clone, Debug, Default)]
pub struct KernelPart {
    /// Its number among the program's kernels.
    pub kernel: usize,
    pub name: String,
    /// Positions of its functions in [`KernelCode::functions`]: itself, and one past the last.
    pub first: u32,
    pub end: u32,
    pub shared: Vec<SharedVariable>,
    /// Bytes of static shared memory; dynamic shared memory starts here.
    pub static_shared: u64,
    /// The elements that its parameters point to, by number.
    pub pointees: Vec<Elements>,
    /// The steps through the module's variables, by index.
    pub global_steps: Vec<u64>,
}

/// Everything the machine needs of a kernel.
#[derive(Clone, Debug, Default)]
pub struct KernelCode {
    pub instrs: Vec<Instr>,
    /// The kernel itself is first.
    pub functions: Vec<Function>,
    /// True if some instruction launches a kernel.
    pub launches: bool,
    /// True if some instruction calls the device runtime, be it for the last error alone.
    pub asks_runtime: bool,
    /// The kernel, and those that it can launch.
    pub parts: Vec<KernelPart>,
    /// By instruction, the shared variable of its kernel that its address was made from; short where there is only one.
    pub shared_meant: Vec<Option<u32>>,
    pub locations: Vec<Location>,
    /// Some instruction starts an asynchronous copy, or a product of a warpgroup.
    pub copies: bool,
    /// Some instruction starts a bulk copy, or waits for some; or starts a product of a warpgroup.
    pub bulk_copies: bool,
    /// Some instruction starts a product of a warpgroup.
    pub products: bool,
    /// Some instruction waits for the grids that the launch depends on, or lets dependent ones begin.
    pub grid_dependencies: bool,
    /// Products are complete when they have started: the code is for a debugger, and the assembler waits for each.
    pub products_are_waited_for: bool,
    /// Its `mov` instructions, ascending; none without products.
    pub moves: Vec<u32>,
    /// Some instruction reads `%reserved_smem_offset_...`.
    pub asks_for_reserved_shared: bool,
    /// Code of cooperative groups loads or stores in shared memory that the kernel has given it.
    pub groups_trade_by_memory: bool,
    /// Some instruction reads `%envreg1` or `%envreg2`, where a cooperative launch finds the barrier of its grid.
    pub asks_for_grid_barrier: bool,
}

/// The source location that `.loc` gives an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The user's own line, or a line of CUDA's headers where no user's line led there by inlining.
    pub place: SourceLocation,
    pub is_header: bool,
    /// The instruction is of cooperative groups, wherever it was inlined.
    pub of_groups: bool,
    /// It is of the library's atomic objects, wherever it was inlined.
    pub of_atomics: bool,
    /// The user's lines into which `place` was inlined, innermost first.
    pub inlined_into: Vec<SourceLocation>,
    /// The function whose line `place` is, if it was inlined.
    pub function: Option<String>,
}

impl KernelCode {
    /// Returns true if results may differ between schedules without a data race: some instruction is a strong access,
    /// works on a barrier object, or reads a clock or the active mask.
    pub fn depends_on_schedule(&self) -> bool {
        self.instrs.iter().any(|instr| match &instr.op {
            Op::Load(it) => it.semantics.is_strong(),
            Op::Store(it) => it.semantics.is_strong(),
            Op::Atomic(_) | Op::Mbarrier(_) | Op::Bulk(_) | Op::ActiveMask(_) | Op::Special(_) => true,
            _ => false,
        })
    }

    /// Program function `index` as a kernel calls it: its position and itself.
    #[inline]
    pub fn function(&self, part: &KernelPart, index: usize) -> Option<(u32, &Function)> {
        let mut own = (part.first..part.end).map(|at| (at, &self.functions[at as usize]));
        own.find(|(_, function)| function.index == index)
    }

    /// The instructions of the function at this position.
    pub fn body(&self, function: usize) -> Range<u32> {
        let end = self.functions.get(function + 1).map_or(self.instrs.len() as u32, |next| next.entry);
        self.functions[function].entry..end
    }

    /// The position of the function that contains an instruction.
    pub fn function_at(&self, pc: u32) -> usize {
        // The kernel is first, at 0.
        self.functions.partition_point(|function| function.entry <= pc).saturating_sub(1)
    }

    #[inline]
    pub fn location(&self, pc: u32) -> Option<&Location> {
        self.locations.get(self.instrs.get(pc as usize)?.location as usize)
    }

    /// True for an instruction of cooperative groups, or of another header that they call; the user's own are not.
    pub fn is_of_groups(&self, pc: u32, calls: &[u32]) -> bool {
        let mut known = [pc].into_iter().chain(calls.iter().copied()).filter_map(|pc| self.location(pc));
        let of_headers = known.by_ref().find(|location| location.of_groups || !location.is_header);
        of_headers.is_some_and(|location| location.of_groups)
    }

    /// The user's line of the instruction at `pc`, and the lines that called it. `calls` are the call instructions that
    /// led there, innermost first: an instruction of CUDA's headers, or of a function without lines, is its caller's.
    pub fn user_lines(&self, pc: u32, calls: &[u32]) -> (Option<SourceLocation>, Vec<SourceLocation>) {
        let known = || [pc].into_iter().chain(calls.iter().copied()).filter_map(|pc| self.location(pc));
        let own = known().filter(|location| !location.is_header);
        let mut lines =
            own.flat_map(|location| std::iter::once(&location.place).chain(&location.inlined_into)).cloned();
        let first = lines.next().or_else(|| known().next().map(|location| location.place.clone()));
        (first, lines.take(MOST_CALLERS).collect())
    }
}

/// Function addresses are far from any memory, and apart from each other.
const FUNCTIONS: u64 = 0x7fff_0000_0000_0000;

#[inline]
pub fn function_address(index: usize) -> u64 {
    FUNCTIONS + 16 * index as u64
}

/// The inverse of [`function_address`].
#[inline]
pub fn function_of_address(address: u64) -> Option<usize> {
    let offset = address.checked_sub(FUNCTIONS)?;
    (offset.is_multiple_of(16) && offset < 1 << 32).then_some((offset / 16) as usize)
}

//! Loops that wait for the value that they load, as the code shows them.

use machine::code::{Instr, InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::branch::BranchOp;

/// The greatest number of instructions after the load in a loop that does nothing but poll.
pub const POLL: u32 = 12;

/// True for an instruction that has no effect on other threads.
pub fn is_quiet(code: &KernelCode, pc: u32) -> bool {
    matches!(
        &code.instrs[pc as usize].op,
        Op::Alu(_) | Op::Steps(_) | Op::Branch(_) | Op::Fence(_) | Op::Sleep(_) | Op::GridDependency(_) | Op::Nop
    )
}

/// True for a load in a loop that does nothing but wait for its value: a jump goes back over it, and nothing on the
/// path has an effect on other threads.
pub fn is_polled(code: &KernelCode, load: u32) -> bool {
    let is_quiet = |pc: u32| is_quiet(code, pc) || pc == load;
    let end = (load + POLL).min(code.instrs.len() as u32);
    let way = (load..end).take_while(|&pc| is_quiet(pc));
    let mut jumps = way.filter_map(|pc| match &code.instrs[pc as usize] {
        instr if instr.guard == InstrGuard::Always => None,
        Instr { op: Op::Branch(BranchOp::To(target)), .. } => Some(*target),
        _ => None,
    });
    jumps.any(|target| target <= load && (target..load).all(is_quiet))
}

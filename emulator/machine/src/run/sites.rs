//! Threads and places of a launch, as a finding names them.

use super::launch::Launch;
use crate::code::Code;
use finding::{Access, ThreadName};

/// A thread of a launch, as CUDA names it.
pub fn thread_name(launch: &Launch, block: u64, thread: u32) -> ThreadName {
    launch.grid_of(block).thread(block, thread)
}

/// One end of a finding; `calls` are the calls that led to the instruction, innermost first.
pub fn access(launch: &Launch, block: u64, thread: u32, pc: u32, calls: &[u32], action: String) -> Access {
    let (location, called_from) = launch.code.user_lines(pc, calls);
    let grid = launch.grid_of(block);
    Access {
        location,
        called_from,
        ptx_line: line_of(launch.code, pc),
        thread: Some(grid.thread(block, thread)),
        action,
        launched_by: grid.launched_by(launch.code),
    }
}

fn line_of(code: &Code, pc: u32) -> u32 {
    code.instrs.get(pc as usize).map_or(0, |instr| instr.line)
}

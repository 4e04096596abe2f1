//! Which lines write a variable that a thread has used and not written.

use super::makers::Makers;
use finding::{Cause, Finding, SourceLocation, Unwritten};
use machine::code::Code;
use machine::registers::Reg;
use std::collections::BTreeMap;

/// The instruction at `pc` uses `reg`.
pub fn complete(finding: &mut Finding, code: &Code, pc: u32, reg: Reg) {
    let Cause::NeverWritten(cause) = &mut finding.cause else { return };
    if let Unwritten::Unknown { writers } = &mut cause.from {
        *writers = lines(code, pc, reg).unwrap_or_default();
    }
}

/// One place of each line; nothing where one of the writers has no line.
fn lines(code: &Code, pc: u32, reg: Reg) -> Option<Vec<SourceLocation>> {
    let makers = Makers::of(code, pc, reg)?;
    let mut lines: BTreeMap<u32, SourceLocation> = BTreeMap::new();
    for &writer in makers.of_unwritten(pc)? {
        let at = code.user_lines(writer, &[]).0?;
        lines.entry(at.line).or_insert(at);
    }
    Some(lines.into_values().collect())
}

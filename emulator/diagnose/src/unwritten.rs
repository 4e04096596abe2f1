//! Which lines write a variable that a thread has used and not written.

use super::code::Reading;
use finding::{Cause, Finding, SourceLocation, Unwritten};
use machine::exec::Op;
use machine::registers::Reg;
use std::collections::BTreeMap;

/// The instruction at `pc` uses `reg`.
pub fn complete(finding: &mut Finding, reading: &Reading, pc: u32, reg: Reg) {
    let Cause::NeverWritten(cause) = &mut finding.cause else { return };
    if let Unwritten::Unknown { writers } = &mut cause.from {
        *writers = lines(reading, pc, reg).unwrap_or_default();
    }
}

/// One place of each line; nothing where one of the writers has no line.
fn lines(reading: &Reading, pc: u32, reg: Reg) -> Option<Vec<SourceLocation>> {
    let mut lines: BTreeMap<u32, SourceLocation> = BTreeMap::new();
    for writer in writers(reading, pc, reg)? {
        let at = reading.code.user_lines(*writer, &[]).0?;
        lines.entry(at.line).or_insert(at);
    }
    Some(lines.into_values().collect())
}

/// Returns the instructions that write the one register behind `reg` that a thread at `to` may not have written.
/// `None` if there are several such registers, or if a call or another lane may have given the value.
fn writers<'a>(reading: &'a Reading, to: u32, reg: Reg) -> Option<&'a [u32]> {
    let made = reading.made_of(to, reg)?;
    if made.is_given || made.writers().any(|pc| matches!(reading.op(pc), Op::Call(_) | Op::Warp(_))) {
        return None;
    }
    let mut all = made.registers.into_iter().filter(|(_, writers)| reading.is_way_round(writers, to));
    let (_, writers) = all.next()?;
    all.next().is_none().then_some(writers)
}

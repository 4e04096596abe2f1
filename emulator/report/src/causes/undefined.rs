//! Uninitialized values: what nothing has written, or a shuffle has taken from a lane that was absent.

use crate::phrase::action::decision;
use crate::phrase::threads::threads;
use crate::phrase::{any_of, place};
use crate::{Reader, readable};
use finding::{
    Absence, AbsentLane, Away, Beside, Beyond, Cause, Finding, MemoryPlace, NeverWritten, Reached, SourceLocation,
    Unwritten,
};
use std::collections::BTreeSet;
use words::MessageValues;

pub(super) fn never_written<'a>(values: &mut MessageValues<'a>, value: &'a NeverWritten, reader: &Reader) {
    values.set("what", reached(value.reached, reader));
    values.set("by_host", value.reached == Reached::Host);
    match &value.from {
        Unwritten::Loaded { place, gone } => {
            values.set("place", place::unwritten(place, reader));
            values.set("has_gone", gone.is_some());
            if let Some(gone) = gone {
                values.set("who", threads(&gone.threads, reader));
                values.set("count", gone.threads.count());
                values.set("end", gone.end.line);
                values.set("barrier", gone.barrier.line);
            }
        }
        Unwritten::Unknown { writers } => {
            values.set("has_writers", !writers.is_empty());
            values.set("writers", lines(writers, reader));
            values.set("named", reader.assigned.is_some());
            values.set("name", reader.assigned.clone().unwrap_or_default());
        }
        Unwritten::Copied { kernel, argument, bytes, beside, .. } => {
            values.set("has_beside", beside.is_some() && argument.is_some());
            values.set("at_a_time", beside.as_ref().map_or(0, |beside| at_a_time(beside, *argument, *bytes, reader)));
            values.set("line", beside.as_ref().map_or(0, |beside| beside.at.line));
            values.set("has_kernel", kernel.is_some());
            values.set("kernel", kernel.as_deref().map(readable).unwrap_or_default());
            values.set("known", argument.is_some());
            values.set("place", argument.map_or_else(String::new, |at| copied(at, *bytes, reader)));
        }
    }
}

/// Returns the line that writes beside what the host copies, and what it does.
pub(crate) fn beside<'a>(finding: &'a Finding, reader: &Reader) -> Option<(&'a SourceLocation, String)> {
    let Cause::NeverWritten(value) = &finding.cause else { return None };
    let Unwritten::Copied { argument: Some(argument), bytes, beside: Some(beside), .. } = &value.from else {
        return None;
    };
    // Without a known element size, name all bytes of one access.
    let size = reader.element(argument.argument).unwrap_or(u64::from(beside.bytes).max(1));
    let near = Beyond { offset: beside.offset / size * size, ..*argument };
    let (beside, written) = (&beside.at, copied(near, size, reader));
    Some((beside, say!(reader, "written-beside", beside = written, place = copied(*argument, *bytes, reader))))
}

/// Returns what is wrong with a line that would write the elements that the host copies, if it were changed.
pub(crate) fn missed(finding: &Finding, reader: &Reader) -> Option<String> {
    let Cause::NeverWritten(value) = &finding.cause else { return None };
    let Unwritten::Copied { argument: Some(argument), bytes, .. } = &value.from else { return None };
    Some(say!(reader, "missed-here", place = copied(*argument, *bytes, reader)))
}

/// Elements that the line writes in one access, where fewer are left; else 0.
fn at_a_time(beside: &Beside, argument: Option<Beyond>, left: u64, reader: &Reader) -> u64 {
    let written = u64::from(beside.bytes);
    let size = argument.and_then(|argument| reader.element(argument.argument)).filter(|size| 2 * size <= written);
    size.filter(|_| left < written).map_or(0, |size| written / size)
}

/// `out[256]`, or the bytes where nobody knows the elements' size.
fn copied(at: Beyond, bytes: u64, reader: &Reader) -> String {
    // Without a name there are bytes only.
    let size = reader.element(at.argument).filter(|_| reader.name(at.argument).is_some());
    let size = size.filter(|size| at.offset.is_multiple_of(*size) && bytes.is_multiple_of(*size));
    let unit = size.unwrap_or(1);
    let (first, count) = (at.offset / unit, bytes / unit);
    let last = first + count.saturating_sub(1);
    match (size, reader.name(at.argument)) {
        (Some(_), Some(name)) => say!(reader, "elements", name, first, last, count),
        _ => {
            let place = MemoryPlace::Argument { number: at.argument, index: None };
            let buffer = match reader.name(at.argument) {
                Some(name) => format!("`{name}`"),
                None => place::of(&place, reader),
            };
            say!(reader, "bytes-of", first, last, count, buffer)
        }
    }
}

fn reached(reached: Reached, reader: &Reader) -> String {
    match reached {
        Reached::Decision { decision: what } => decision(what, reader),
        Reached::Host => String::new(),
    }
}

/// `3, 5 or 9`.
fn lines(all: &[SourceLocation], reader: &Reader) -> String {
    let lines: BTreeSet<u32> = all.iter().map(|at| at.line).collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    any_of(&lines, reader)
}

pub(super) fn absent_lane(values: &mut MessageValues<'_>, absence: &Absence, reader: &Reader) {
    values.set("what", reached(absence.reached, reader));
    values.set("lane", absence.lane);
    values.set("taker", absence.taker % 32);
    values.set("asked", absence.asked);
    values.set("comes", absence.comes);
    let absent = match absence.absent {
        AbsentLane::NoThread { threads } => {
            // The warp's threads are the last of the block.
            values.set("threads", absence.taker / 32 * 32 + threads);
            values.set("last", threads.saturating_sub(1));
            "no-thread"
        }
        AbsentLane::Exited => "ended",
        AbsentLane::NotNamed { mask } => {
            values.set("mask", format!("{mask:#010x}"));
            "not-named"
        }
    };
    values.set("absent", absent);
    let (away, line) = match &absence.away {
        None => ("unknown", 0),
        Some(Away::Parted { at }) => ("parted", at.line),
        Some(Away::Ended { at }) => ("ended", at.line),
    };
    values.set("away", away);
    values.set("away_line", line);
}

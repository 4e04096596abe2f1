//! Accesses outside of the kernel's memory, frees that cannot be, jumps and calls to nowhere.

use crate::Reader;
use crate::phrase::{noun, place};
use finding::{Cause, Finding, Offset, Outside, Place, Side, Where};
use words::Values;

pub(super) fn values<'a>(values: &mut Values<'a>, finding: &'a Finding, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::OutOfBounds { kind, bytes: _, space, side } => {
            values.set("access", noun::access(Some(*kind), reader));
            if finding.place == Where::Nowhere {
                values.set("place", say!(reader, "outside-memory", space = space.name()));
            }
            // What the launch alone says the size of.
            let near = match &finding.place {
                Where::Outside { at: Outside::Shared { .. }, near: Some(Place::Variable { name, .. }) } => Some(name),
                _ => None,
            };
            values.set("launch_sizes", near.is_some_and(|name| reader.is_sized_by_launch(name)));
            values.set("near", near.map_or("", |name| name.as_str()));
            let is_nowhere =
                matches!(finding.place, Where::Outside { at: Outside::Nothing { .. }, .. } | Where::Nowhere);
            values.set(
                "side",
                match side {
                    _ if is_nowhere => "nothing",
                    Side::Before => "before",
                    Side::Past => "past",
                },
            );
        }
        Cause::OutsideArray { array, side } => {
            values.set("array", array.as_str());
            values.set("side", place::side(*side, reader));
        }
        Cause::Misaligned { kind, bytes } => {
            values.set("access", noun::access(Some(*kind), reader));
            values.set("bytes", *bytes);
            let offset = match finding.place {
                Where::Misaligned { at: Offset::Allocation { offset, .. }, .. } => Some(offset),
                _ => None,
            };
            values.set("in_buffer", offset.is_some());
            values.set("offset", offset.unwrap_or(0));
        }
        Cause::UseAfterFree { kind, heap } => {
            values.set("access", noun::access(Some(*kind), reader));
            values.set("heap", *heap);
        }
        Cause::FreedTwice { bytes } => values.set("bytes", *bytes),
        Cause::NoCode { table } => values.set("entries", table.unwrap_or(0)),
        Cause::StackUsedUp { by_call, bytes, most_calls } => {
            values.set("by_call", *by_call);
            values.set("bytes", *bytes);
            values.set("most", *most_calls);
        }
        _ => {}
    }
}

//! Accesses outside of the kernel's memory, frees that cannot be, jumps and calls to nowhere.

use crate::Reader;
use crate::phrase::{noun, place};
use finding::{BufferSide, Cause, Finding, MemoryPlace, Offset, Outside, SurfaceAxis, Where};
use words::MessageValues;

pub(super) fn values<'a>(values: &mut MessageValues<'a>, finding: &'a Finding, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::OutOfBounds { kind, bytes, space, side } => {
            values.set("access", noun::access(Some(*kind), reader));
            if finding.place == Where::Nowhere {
                values.set("place", say!(reader, "outside-memory", space = space.name()));
            }
            if let Where::Outside {
                at: Outside::Shared { elements: Some(elements), .. },
                near: Some(near @ MemoryPlace::Variable { name, .. }),
            } = &finding.place
            {
                values.set("place", place::outside_array(&place::of(near, reader), name, *side, *elements, reader));
            }
            // The array whose size the launch alone gives.
            let near = match &finding.place {
                Where::Outside { at: Outside::Shared { .. }, near: Some(near) } => match near.base() {
                    MemoryPlace::Variable { name, .. } => Some(name),
                    _ => None,
                },
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
                    _ if has_wrapped(finding, *bytes) => "wrapped",
                    BufferSide::Before => "before",
                    BufferSide::Past => "past",
                },
            );
        }
        Cause::ReadOnly { kind, place } => {
            values.set("access", noun::access(Some(*kind), reader));
            values.set("variable", place::of(place, reader));
        }
        Cause::OutsideArray { array, side } => {
            values.set("array", array.as_str());
            values.set("side", place::side(*side, reader));
            let kind = finding.accesses.first().and_then(|access| access.memory.as_ref()).map(|memory| memory.kind);
            values.set("access", noun::access(kind, reader));
            let whole = MemoryPlace::Variable { name: array.clone(), index: None };
            let place = match finding.place {
                Where::OutsideArray { index, elements, .. } => {
                    place::outside_array(&place::element(&whole, index, reader), array, *side, elements, reader)
                }
                _ => place::of(&whole, reader),
            };
            values.set("place", place);
        }
        Cause::Misaligned { kind, bytes } => {
            values.set("access", noun::access(Some(*kind), reader));
            values.set("bytes", *bytes);
            let offset = match finding.place {
                Where::Misaligned { at: Offset::Allocation { offset, .. }, .. } => Some(offset),
                _ => None,
            };
            misaligned(values, finding, *bytes, reader);
            let known = match finding.place {
                Where::Misaligned { start: Some(start), .. } => Some(start.offset),
                _ => offset,
            };
            values.set("in_buffer", offset.is_some());
            values.set("offset", known.unwrap_or(0));
        }
        Cause::UseAfterFree { kind, heap } => {
            values.set("access", noun::access(Some(*kind), reader));
            values.set("heap", *heap);
        }
        Cause::BeforePeerStarts { kind } | Cause::AfterPeerEnds { kind } => {
            values.set("access", noun::access(Some(*kind), reader));
            let owner = match finding.place {
                Where::Shared { block: [x, y, z], .. } => format!("({x},{y},{z})"),
                _ => "?".to_string(),
            };
            values.set("block", owner);
            values.set("own", finding.is_in_own_block());
        }
        Cause::NoImage { is_surface, handle } => {
            values.set("surface", *is_surface);
            values.set("handle", format!("{handle:#x}"));
        }
        Cause::OutsideSurface { kind, axis, at, size } => {
            values.set("access", noun::access(Some(*kind), reader));
            values.set(
                "axis",
                match axis {
                    SurfaceAxis::X => "x",
                    SurfaceAxis::Y => "y",
                    SurfaceAxis::Z => "z",
                    SurfaceAxis::Layer => "layer",
                },
            );
            values.set("at", at.to_string());
            values.set("size", size.to_string());
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

/// True if the index plus 2^32 is that of an element of the buffer.
fn has_wrapped(finding: &Finding, bytes: u64) -> bool {
    let Where::Outside { at: Outside::Near { element: Some(element), buffer, .. }, .. } = &finding.place else {
        return false;
    };
    let MemoryPlace::Argument { index: Some(index), .. } = element else { return false };
    (i64::from(i32::MIN)..0).contains(index) && ((index + (1 << 32)) as u64).saturating_mul(bytes) < buffer.bytes
}

/// Names the part that breaks the alignment, the offset or the address it counts from, and the fix.
fn misaligned<'a>(values: &mut MessageValues<'a>, finding: &'a Finding, bytes: u64, reader: &Reader) {
    let Where::Misaligned { near: Some(near), start: Some(start), .. } = &finding.place else {
        values.set("breaks", "unknown");
        values.set("named", false);
        for value in ["at", "near"] {
            values.set(value, "");
        }
        values.set("per", 0);
        values.set("start", 0);
        return;
    };
    let element = place::misaligned(near, *start, bytes, reader);
    let is_variable = matches!(near.base(), MemoryPlace::Variable { .. });
    let breaks = match &element {
        _ if start.past > 0 && is_variable => "variable",
        _ if start.past > 0 => "pointer",
        Some(_) => "index",
        None => "byte",
    };
    values.set("breaks", breaks);
    let (at, per) = element.unwrap_or_else(|| (String::new(), 0));
    values.set("named", !at.is_empty());
    values.set("at", at);
    values.set("per", per);
    values.set("near", place::whole(near, reader));
    values.set("start", start.past);
}

//! Where: a variable, an element, a buffer, a block.

use crate::Names;
use finding::{Buffer, BufferName, Cause, Finding, HostMemory, Offset, Outside, Place, Side, Where};

/// A variable with its index, or part of what an argument points to.
pub(super) fn of(place: &Place, names: &Names) -> String {
    match place {
        Place::Variable { name, index: None } => format!("`{name}`"),
        Place::Variable { name, index: Some(index) } => format!("`{name}[{index}]`"),
        Place::Argument { number, index } => match (index, names.get(*number)) {
            (Some(index), Some(name)) => format!("`{name}[{index}]`"),
            (None, Some(name)) => format!("`*{name}`"),
            (Some(index), None) => format!("element {index} of what argument {number} points to"),
            (None, None) => format!("what argument {number} points to"),
        },
        Place::Own => "a variable of its own".into(),
        Place::Unnamed { bytes } => format!("the same {bytes} bytes"),
        Place::Address { address } => format!("at {address:#x}"),
    }
}

/// The same where only a name tells anything.
pub(super) fn named(place: &Place, names: &Names) -> Option<String> {
    match place {
        Place::Variable { .. } | Place::Argument { .. } | Place::Own => Some(of(place, names)),
        Place::Unnamed { .. } | Place::Address { .. } => None,
    }
}

/// A place that nothing has written.
pub(super) fn unwritten(place: &Place, names: &Names) -> String {
    match place {
        Place::Unnamed { bytes } => format!("{bytes} bytes of memory"),
        _ => of(place, names),
    }
}

/// "past the end".
pub(super) fn side(side: Side) -> &'static str {
    match side {
        Side::Before => "before the start",
        Side::Past => "past the end",
    }
}

/// An allocation: "the 4096-byte buffer that argument 1 points to".
fn buffer(Buffer { bytes, of }: &Buffer, names: &Names) -> String {
    match of {
        BufferName::Argument { number } => {
            format!("the {bytes}-byte buffer that {} points to", names.argument(*number))
        }
        BufferName::Variable { name } => format!("`{name}`, a variable of {bytes} bytes"),
        BufferName::Allocation => format!("an allocation of {bytes} bytes"),
    }
}

/// An allocation of the program's.
pub fn allocation(bytes: u64, memory: HostMemory, number: u64) -> String {
    let kind = match memory {
        HostMemory::Device => "device memory",
        HostMemory::Heap => "the heap of device code",
        HostMemory::PageLocked => "page-locked memory",
        HostMemory::Unified => "unified memory",
        HostMemory::Registered => "registered host memory",
    };
    format!("{bytes} bytes of {kind}, allocation {number} of the context")
}

/// Where in memory, and in which block.
pub(super) fn of_finding(finding: &Finding, names: &Names) -> String {
    let near = |place: String, near: &Option<Place>| match near.as_ref().and_then(|near| named(near, names)) {
        Some(near) => format!("{place} (near {near})"),
        None => place,
    };
    match &finding.place {
        Where::Nowhere => String::new(),
        Where::Block { block: at } => block(*at),
        Where::Warp { block: at, warp } => match finding.cause {
            Cause::ShuffleBeyond { .. } => format!("warp {warp} of {}", block(*at)),
            _ => format!("{}, warp {warp}", block(*at)),
        },
        Where::Shared { block: at, bytes, offset } => format!("{}, {bytes} bytes at shared+{offset:#x}", block(*at)),
        Where::Global { bytes, offset, buffer: of } => {
            format!("{bytes} bytes of global memory, byte {offset} of {}", buffer(of, names))
        }
        Where::GlobalAddress { bytes, address } => format!("{bytes} bytes of global memory, address {address:#x}"),
        Where::Byte { offset, buffer: of } => format!("byte {offset} of {}", buffer(of, names)),
        Where::Freed { offset, bytes } => format!("byte {offset} of a freed allocation of {bytes} bytes"),
        Where::Misaligned { at, past, near: name } => {
            let at = match at {
                Offset::Allocation { offset, bytes } => format!("byte {offset} of an allocation of {bytes} bytes"),
                Offset::Space { space, address } => format!("{}+{address:#x}", space.name()),
            };
            near(format!("{at}, {past} past a multiple"), name)
        }
        Where::Outside { at, near: name } => near(outside(at, names), name),
        Where::OutsideArray { block: at, far, side: which, array, bytes, there } => {
            let there = there.as_ref().and_then(|there| named(there, names));
            let there = there.map_or(String::new(), |there| format!(", where {there} lies"));
            format!("{}, {far} bytes {} of `{array}`, which has {bytes} bytes{there}", block(*at), side(*which))
        }
        Where::Allocation { bytes, memory, number } => allocation(*bytes, *memory, *number),
    }
}

fn outside(at: &Outside, names: &Names) -> String {
    match at {
        Outside::Near { element, far, side, buffer: of } => {
            let of = buffer(of, names);
            let distance = match side {
                Side::Past => format!("{far} bytes past the end of {of}"),
                Side::Before => format!("{far} bytes before {of}"),
            };
            match element.as_ref().and_then(|element| named(element, names)) {
                Some(element) => format!("{element}, {distance}"),
                None => distance,
            }
        }
        Outside::Shared { address, bytes } => format!("shared+{address:#x}, where the block has {bytes} bytes"),
        Outside::Nothing { space, address } => {
            format!("{} address {address:#x}, where there is no memory", space.name())
        }
    }
}

fn block([x, y, z]: [u32; 3]) -> String {
    format!("block ({x},{y},{z})")
}

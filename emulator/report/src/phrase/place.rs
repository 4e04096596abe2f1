//! Names of places: a variable, an element, a buffer, a block.

use crate::Reader;
use crate::reader::ArrayParameter;
use finding::{Buffer, BufferName, BufferSide, Cause, Finding, HostMemory, MemoryPlace, Offset, Outside, Start, Where};

/// A variable with its index, or part of what an argument points to. An index counts elements of the access's size.
/// If the source says that the elements are structures, or of a type that is not known, the byte there is told instead.
pub fn of(place: &MemoryPlace, reader: &Reader) -> String {
    let byte = |index: i64| Some(index * i64::try_from(reader.bytes_of_index()?).ok()?);
    match place {
        MemoryPlace::Variable { name, index: Some(index) } if reader.has_members(name) => {
            let whole = MemoryPlace::Variable { name: name.clone(), index: None };
            let byte = i64::try_from(*index).ok().and_then(byte);
            byte.map_or_else(|| by_index(place, reader), |byte| part(&whole, byte, reader))
        }
        MemoryPlace::Argument { number, index: Some(index) } if reader.argument_has_members(*number) => {
            let whole = MemoryPlace::Argument { number: *number, index: None };
            byte(*index).map_or_else(|| by_index(place, reader), |byte| part(&whole, byte, reader))
        }
        place => by_index(place, reader),
    }
}

/// As `of`, with an index that counts the elements of the source.
fn by_index(place: &MemoryPlace, reader: &Reader) -> String {
    match place {
        MemoryPlace::Variable { name, index: None } => format!("`{name}`"),
        MemoryPlace::Variable { name, index: Some(index) } => {
            match reader.shape(name).map(|shape| shape.element(*index)) {
                None => format!("`{name}[{index}]`"),
                Some(Some(element)) => format!("`{name}{element}`"),
                Some(None) => say!(reader, "element-of-variable", index = *index, name),
            }
        }
        MemoryPlace::Argument { number, index } => argument(*number, *index, reader),
        MemoryPlace::Part { of: whole, byte } => part(whole, *byte, reader),
        MemoryPlace::Own => say!(reader, "own-variable"),
        MemoryPlace::Unnamed { bytes } => say!(reader, "same-bytes", bytes = *bytes),
        MemoryPlace::Address { address } => say!(reader, "at-address", address = hex(*address)),
    }
}

/// The memory that an argument points to, or an element of it.
fn argument(number: usize, index: Option<i64>, reader: &Reader) -> String {
    if let Some(array) = reader.array(number) {
        return of_array(array, index, reader);
    }
    match (index, reader.name(number)) {
        (Some(index), Some(name)) => format!("`{name}[{index}]`"),
        (None, Some(name)) => format!("`*{name}`"),
        (Some(index), None) => say!(reader, "element-of-argument", index, number),
        (None, None) => say!(reader, "what-argument-points-to", number),
    }
}

/// An array that a Python function got, or an element of it.
fn of_array(ArrayParameter { name, dimensions }: &ArrayParameter, index: Option<i64>, reader: &Reader) -> String {
    match index {
        None => format!("`{name}`"),
        Some(index) if *dimensions == 1 => format!("`{name}[{index}]`"),
        Some(index) => say!(reader, "element-of-array", index, name),
    }
}

/// A part of an element by its member, if the source tells where that lies; else by its byte.
fn part(whole: &MemoryPlace, byte: i64, reader: &Reader) -> String {
    let by_member = || match whole {
        MemoryPlace::Argument { number, .. } => {
            let ((layout, has_arrow), name) = (reader.layout(*number)?, reader.name(*number)?);
            let (index, member) = layout.find(byte)?;
            Some(match member.strip_prefix('.').filter(|_| index == 0 && *has_arrow) {
                Some(member) => format!("`{name}->{member}`"),
                None => format!("`{name}[{index}]{member}`"),
            })
        }
        MemoryPlace::Variable { name, .. } => {
            let (layout, is_array) = reader.layout_of_variable(name)?;
            let (index, member) = layout.find(byte)?;
            if !is_array && index == 0 {
                return Some(format!("`{name}{member}`"));
            }
            let shaped = reader.shape(name).map(|shape| shape.element(u64::try_from(index).ok()?));
            Some(match shaped {
                None => format!("`{name}[{index}]{member}`"),
                Some(element) => format!("`{name}{}{member}`", element?),
            })
        }
        _ => None,
    };
    by_member().unwrap_or_else(|| say!(reader, "byte-of-place", byte, place = self::whole(whole, reader)))
}

/// As `of`, for places where only a name tells anything.
pub(crate) fn named(place: &MemoryPlace, reader: &Reader) -> Option<String> {
    match place {
        MemoryPlace::Variable { .. } | MemoryPlace::Argument { .. } | MemoryPlace::Part { .. } | MemoryPlace::Own => {
            Some(of(place, reader))
        }
        MemoryPlace::Unnamed { .. } | MemoryPlace::Address { .. } => None,
    }
}

/// Element `index` of a place that has none by itself.
pub(crate) fn element(place: &MemoryPlace, index: i64, reader: &Reader) -> String {
    match place {
        MemoryPlace::Variable { name, .. } => match u64::try_from(index) {
            Ok(index) => by_index(&MemoryPlace::Variable { name: name.clone(), index: Some(index) }, reader),
            Err(_) => format!("`{name}[{index}]`"),
        },
        MemoryPlace::Argument { number, .. } => {
            by_index(&MemoryPlace::Argument { number: *number, index: Some(index) }, reader)
        }
        place => of(place, reader),
    }
}

/// Returns the name of what has elements: its own, or the argument that points to it.
pub(crate) fn whole(place: &MemoryPlace, reader: &Reader) -> String {
    match place {
        MemoryPlace::Argument { number, .. } => {
            match reader.array(*number).map(|it| it.name.as_str()).or(reader.name(*number)) {
                Some(name) => format!("`{name}`"),
                None => say!(reader, "what-argument-points-to", number = *number),
            }
        }
        place => of(place, reader),
    }
}

/// `s[64]` is past the end of `s`, which has 64 elements.
pub(crate) fn outside_array(element: &str, array: &str, of: BufferSide, elements: u64, reader: &Reader) -> String {
    say!(reader, "element-outside", element, side = side(of, reader), array, elements)
}

/// The element that begins at a misaligned address, if one does, and how many there are from multiple to multiple.
pub(crate) fn misaligned(near: &MemoryPlace, start: Start, bytes: u64, reader: &Reader) -> Option<(String, u64)> {
    // The size of an element by the source, or else by the instruction.
    let fits =
        |size: &u64| *size > 0 && *size < bytes && bytes.is_multiple_of(*size) && start.offset.is_multiple_of(*size);
    let size = reader.element_of(near).into_iter().chain([start.element]).find(fits)?;
    Some((element(near, (start.offset / size) as i64, reader), bytes / size))
}

/// Memory that nothing has written.
pub(crate) fn unwritten(place: &MemoryPlace, reader: &Reader) -> String {
    match place {
        MemoryPlace::Unnamed { bytes } => say!(reader, "some-bytes", bytes = *bytes),
        _ => of(place, reader),
    }
}

/// `past the end`.
pub(crate) fn side(side: BufferSide, reader: &Reader) -> String {
    let side = match side {
        BufferSide::Before => "before",
        BufferSide::Past => "past",
    };
    say!(reader, "side", side)
}

/// An allocation: `the 4096-byte buffer that argument 1 points to`.
fn buffer(Buffer { bytes, of }: &Buffer, reader: &Reader) -> String {
    let bytes = *bytes;
    match of {
        BufferName::Argument { number } => say!(reader, "buffer-of", bytes, argument = reader.argument(*number)),
        BufferName::Variable { name } => say!(reader, "buffer-variable", name, bytes),
        BufferName::Allocation => say!(reader, "buffer-unnamed", bytes),
    }
}

/// An allocation of the program's.
pub fn allocation(bytes: u64, memory: HostMemory, number: u64, reader: &Reader) -> String {
    let memory = match memory {
        HostMemory::Device => "device",
        HostMemory::Heap => "heap",
        HostMemory::PageLocked => "page-locked",
        HostMemory::Unified => "unified",
        HostMemory::Registered => "registered",
    };
    say!(reader, "allocation", bytes, memory, number)
}

/// Returns the place in memory, and in which block.
pub(crate) fn of_finding(finding: &Finding, reader: &Reader) -> String {
    let near = |place: String, near: &Option<MemoryPlace>| match near.as_ref().and_then(|near| named(near, reader)) {
        Some(near) => say!(reader, "near", place, near),
        None => place,
    };
    let block = |at: &[u32; 3]| block(*at, reader);
    let buffer = |of: &Buffer| buffer(of, reader);
    match &finding.place {
        Where::Nowhere => String::new(),
        Where::Block { block: at } => block(at),
        Where::Warp { block: at, warp } => match finding.cause {
            Cause::ShuffleBeyond { .. } => say!(reader, "warp-of", warp = *warp, block = block(at)),
            _ => format!("{}, warp {warp}", block(at)),
        },
        Where::Shared { block: at, bytes, offset } => {
            say!(reader, "in-shared", block = block(at), bytes = *bytes, offset = hex(*offset))
        }
        Where::Global { bytes, offset, buffer: of } => {
            say!(reader, "in-global", bytes = *bytes, offset = *offset, buffer = buffer(of))
        }
        Where::GlobalAddress { bytes, address } => {
            say!(reader, "at-global-address", bytes = *bytes, address = hex(*address))
        }
        Where::Byte { offset, buffer: of } => say!(reader, "byte-of", offset = *offset, buffer = buffer(of)),
        Where::Freed { offset, bytes } => say!(reader, "byte-of-freed", offset = *offset, bytes = *bytes),
        Where::Misaligned { at, past, near: name, .. } => {
            let at = match at {
                Offset::Allocation { offset, bytes } => {
                    say!(reader, "byte-of-allocation", offset = *offset, bytes = *bytes)
                }
                Offset::Space { space, address } => format!("{}+{address:#x}", space.name()),
            };
            let place = say!(reader, "past-a-multiple", at, past = *past);
            match name {
                Some(name) => say!(reader, "near", place, near = whole(name, reader)),
                None => place,
            }
        }
        Where::Outside { at: at @ Outside::Shared { .. }, near: Some(element) } => {
            say!(reader, "element-there", element = of(element, reader), at = outside(at, reader))
        }
        Where::Outside { at, near: name } => near(outside(at, reader), name),
        Where::OutsideArray { block: at, far, side: which, array, bytes, there, .. } => {
            let side = side(*which, reader);
            let at = say!(reader, "outside-array-at", block = block(at), far = *far, side, array, bytes = *bytes);
            match there.as_ref().and_then(|there| named(there, reader)) {
                Some(there) => say!(reader, "outside-array-there", at, there),
                None => at,
            }
        }
        Where::Allocation { bytes, memory, number } => allocation(*bytes, *memory, *number, reader),
    }
}

/// The byte of global memory that a finding is about, by its allocation or address.
pub(crate) fn of_allocation(finding: &Finding, reader: &Reader) -> Option<String> {
    match &finding.place {
        Where::Global { offset, buffer: of, .. } | Where::Byte { offset, buffer: of } => {
            Some(say!(reader, "byte-in", offset = *offset, buffer = buffer(of, reader)))
        }
        Where::GlobalAddress { address, .. } => Some(of(&MemoryPlace::Address { address: *address }, reader)),
        _ => None,
    }
}

fn outside(at: &Outside, reader: &Reader) -> String {
    match at {
        Outside::Near { element, far, side, buffer: of } => {
            let buffer = buffer(of, reader);
            let at = match side {
                BufferSide::Past => say!(reader, "bytes-past", far = *far, buffer),
                BufferSide::Before => say!(reader, "bytes-before", far = *far, buffer),
            };
            match element.as_ref().and_then(|element| named(element, reader)) {
                Some(element) => say!(reader, "element-there", element, at),
                None => at,
            }
        }
        Outside::Shared { address, bytes, .. } => {
            say!(reader, "outside-shared", at = *address, bytes = *bytes)
        }
        Outside::Nothing { space, address } => {
            say!(reader, "no-memory", space = space.name(), address = hex(*address))
        }
    }
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}

fn block([x, y, z]: [u32; 3], reader: &Reader) -> String {
    say!(reader, "block", x, y, z)
}

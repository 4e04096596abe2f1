//! Arrays, and copies to and from them ("Memory Management").

use super::call::{Error, RuntimeResult, check, context, give};
use super::copy::{Rows, When, copy_sides, sides};
use super::memory::Extent;
use crate::cu::{self, Address, ArrayDescription, Code, Copy2D, Handle, Side};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

/// `CU_MEMORYTYPE_ARRAY`
pub const ARRAY: c_uint = 3;

/// `cudaChannelFormatDesc`: bits of each component, and their kind.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    pub bits: [c_int; 4],
    pub kind: c_int,
}

/// `CUarray_format` by its number, with the bits of a component and `cudaChannelFormatKind`.
const FORMATS: [(c_uint, c_int, c_int); 8] =
    [(1, 8, 1), (2, 16, 1), (3, 32, 1), (8, 8, 0), (9, 16, 0), (10, 32, 0), (16, 16, 2), (32, 32, 2)];

impl Channels {
    /// The driver's format and number of channels.
    pub fn format(&self) -> RuntimeResult<(c_uint, c_uint)> {
        const INVALID: Error = Error(20);
        let count = self.bits.iter().take_while(|&&bits| bits != 0).count();
        let first = self.bits[0];
        let is_even = self.bits[..count].iter().all(|&bits| bits == first);
        let is_zero = self.bits[count..].iter().all(|&bits| bits == 0);
        if !matches!(count, 1 | 2 | 4) || !is_even || !is_zero {
            return Err(INVALID);
        }
        let known = FORMATS.iter().find(|(_, bits, kind)| (*bits, *kind) == (first, self.kind));
        known.map(|(format, ..)| (*format, count as c_uint)).ok_or(INVALID)
    }

    /// True for the two kinds of integers.
    pub fn is_integer(&self) -> bool {
        self.kind < 2
    }

    pub fn of(format: c_uint, count: c_uint) -> Channels {
        let (_, bits, kind) = FORMATS.into_iter().find(|known| known.0 == format).unwrap_or((0, 0, 3));
        Channels { bits: std::array::from_fn(|at| if at < count as usize { bits } else { 0 }), kind }
    }
}

/// # Safety
/// `channels` is null or the caller's.
pub unsafe fn allocate(array: *mut Handle, channels: *const Channels, extent: Extent, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: the caller's, and an out-pointer of the caller.
    unsafe { check(cu::cuArray3DCreate_v2(array, &described(array, channels, extent, flags)?)) }
}

/// # Safety
/// `channels` is null or the caller's.
pub unsafe fn allocate_mipmapped(
    array: *mut Handle,
    channels: *const Channels,
    extent: Extent,
    levels: c_uint,
    flags: c_uint,
) -> RuntimeResult {
    context()?;
    // SAFETY: the caller's, and an out-pointer of the caller.
    unsafe { check(cu::cuMipmappedArrayCreate(array, &described(array, channels, extent, flags)?, levels)) }
}

/// # Safety
/// `channels` is null or the caller's.
unsafe fn described(
    array: *mut Handle,
    channels: *const Channels,
    Extent { width, height, depth }: Extent,
    flags: c_uint,
) -> RuntimeResult<ArrayDescription> {
    if array.is_null() || channels.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let (format, count) = unsafe { channels.read_unaligned().format()? };
    Ok(ArrayDescription { width, height, depth, format, channels: count, flags })
}

pub unsafe fn free_mipmapped(array: Handle) -> RuntimeResult {
    context()?;
    if array.is_null() {
        return Ok(());
    }
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuMipmappedArrayDestroy(array) })
}

pub unsafe fn level(level: *mut Handle, array: Handle, nth: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller, and a handle, which is looked up.
    check(unsafe { cu::cuMipmappedArrayGetLevel(level, array, nth) })
}

pub unsafe fn plane(plane: *mut Handle, array: Handle, index: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: as above.
    check(unsafe { cu::cuArrayGetPlane(plane, array, index) })
}

pub unsafe fn memory_requirements(
    requirements: *mut c_void,
    array: Handle,
    device: c_int,
    find: unsafe extern "C" fn(*mut c_void, Handle, c_int) -> Code,
) -> RuntimeResult {
    context()?;
    // SAFETY: as above.
    check(unsafe { find(requirements, array, device) })
}

pub unsafe fn sparse_properties(
    properties: *mut c_void,
    array: Handle,
    find: unsafe extern "C" fn(*mut c_void, Handle) -> Code,
) -> RuntimeResult {
    context()?;
    // SAFETY: as above.
    check(unsafe { find(properties, array) })
}

pub unsafe fn free(array: Handle) -> RuntimeResult {
    context()?;
    if array.is_null() {
        return Ok(());
    }
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuArrayDestroy(array) })
}

fn description(array: Handle) -> RuntimeResult<ArrayDescription> {
    context()?;
    let mut found = ArrayDescription::default();
    // SAFETY: an out-pointer to a local, and a handle, which is looked up.
    check(unsafe { cu::cuArray3DGetDescriptor_v2(&mut found, array) })?;
    Ok(found)
}

pub fn elements(array: Handle) -> RuntimeResult<Channels> {
    let found = description(array)?;
    Ok(Channels::of(found.format, found.channels))
}

/// Bytes of an element.
pub fn element(array: Handle) -> RuntimeResult<usize> {
    let bits: c_int = elements(array)?.bits.iter().sum();
    Ok(bits as usize / 8)
}

/// Each of the three may be null.
pub unsafe fn info(channels: *mut Channels, extent: *mut Extent, flags: *mut c_uint, array: Handle) -> RuntimeResult {
    let found = description(array)?;
    let size = Extent { width: found.width, height: found.height, depth: found.depth };
    // SAFETY: out-pointers of the caller.
    unsafe {
        let _ = give(channels, Channels::of(found.format, found.channels));
        let _ = give(extent, size);
        let _ = give(flags, found.flags);
    }
    Ok(())
}

pub unsafe fn channels(channels: *mut Channels, array: Handle) -> RuntimeResult {
    let found = description(array)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { give(channels, Channels::of(found.format, found.channels)) }
}

/// A place in an array: bytes in a row, and rows.
#[derive(Clone, Copy)]
pub struct ArrayPlace {
    pub array: Handle,
    pub x: usize,
    pub y: usize,
}

impl ArrayPlace {
    fn side(self) -> Side {
        let ArrayPlace { array, x, y } = self;
        Side { x, y, memory: ARRAY, host: null_mut(), device: 0, array, pitch: 0 }
    }
}

fn side(rows: Rows, memory: c_uint) -> Side {
    let Rows { pointer, pitch } = rows;
    Side { x: 0, y: 0, memory, host: pointer, device: pointer as Address, array: null_mut(), pitch }
}

pub unsafe fn copy_to(
    to: ArrayPlace,
    from: Rows,
    (width, height): (usize, usize),
    kind: c_int,
    when: When,
) -> RuntimeResult {
    context()?;
    let (source, _) = sides(kind)?;
    // SAFETY: memory of the caller's, as long as it says.
    unsafe { copy_sides(&Copy2D { from: side(from, source), to: to.side(), width, height }, when) }
}

pub unsafe fn copy_from(
    to: Rows,
    from: ArrayPlace,
    (width, height): (usize, usize),
    kind: c_int,
    when: When,
) -> RuntimeResult {
    context()?;
    let (_, target) = sides(kind)?;
    // SAFETY: memory of the caller's, as long as it says.
    unsafe { copy_sides(&Copy2D { from: from.side(), to: side(to, target), width, height }, when) }
}

pub unsafe fn copy_between(
    to: ArrayPlace,
    from: ArrayPlace,
    (width, height): (usize, usize),
    when: When,
) -> RuntimeResult {
    context()?;
    // SAFETY: handles, which are looked up.
    unsafe { copy_sides(&Copy2D { from: from.side(), to: to.side(), width, height }, when) }
}

/// A copy of bytes that go on in the next row where one ends, as rectangles: the rest of the first row, whole rows, and
/// the beginning of the last.
fn rectangles(place: ArrayPlace, bytes: usize) -> RuntimeResult<Vec<(ArrayPlace, usize, usize)>> {
    let row = description(place.array)?.width * element(place.array)?;
    let first = row.checked_sub(place.x).ok_or(Error::INVALID_VALUE)?.min(bytes);
    let rest = bytes - first;
    let below = |rows: usize| ArrayPlace { x: 0, y: place.y + rows, ..place };
    let all = [(place, first, 1), (below(1), row, rest / row), (below(1 + rest / row), rest % row, 1)];
    Ok(all.into_iter().filter(|(_, width, height)| width * height > 0).collect())
}

/// # Safety
/// There are so many bytes at `from`.
pub unsafe fn copy_line_to(
    to: ArrayPlace,
    mut from: *mut c_void,
    bytes: usize,
    kind: c_int,
    when: When,
) -> RuntimeResult {
    for (place, width, height) in rectangles(to, bytes)? {
        // SAFETY: as above.
        unsafe { copy_to(place, Rows { pointer: from, pitch: width }, (width, height), kind, when)? };
        from = from.wrapping_byte_add(width * height);
    }
    Ok(())
}

/// # Safety
/// There is room for so many bytes at `to`.
pub unsafe fn copy_line_from(
    mut to: *mut c_void,
    from: ArrayPlace,
    bytes: usize,
    kind: c_int,
    when: When,
) -> RuntimeResult {
    for (place, width, height) in rectangles(from, bytes)? {
        // SAFETY: as above.
        unsafe { copy_from(Rows { pointer: to, pitch: width }, place, (width, height), kind, when)? };
        to = to.wrapping_byte_add(width * height);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_of_the_driver() {
        for (bits, kind, want) in [
            ([8, 8, 8, 8], 1, Ok((1, 4))),
            ([32, 0, 0, 0], 2, Ok((32, 1))),
            ([16, 16, 0, 0], 0, Ok((9, 2))),
            ([16, 0, 0, 0], 2, Ok((16, 1))),
            ([8, 8, 8, 0], 1, Err(Error(20))),
            ([8, 16, 0, 0], 1, Err(Error(20))),
            ([8, 0, 0, 0], 2, Err(Error(20))),
            ([0, 0, 0, 0], 3, Err(Error(20))),
        ] {
            let channels = Channels { bits, kind };
            assert_eq!(channels.format(), want, "{bits:?}");
            if let Ok((format, count)) = want {
                assert_eq!(Channels::of(format, count), channels);
            }
        }
    }
}

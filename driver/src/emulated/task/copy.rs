//! A copy of rows of memory between host, device and arrays, checked.

use crate::emulated::base::host_memory::HostMemory;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Device, HostOrder};
use std::ffi::c_void;
use std::ptr::addr_of;

/// One end of a copy as its struct describes it.
#[derive(Clone)]
pub(crate) struct Description {
    pub(crate) memory: u32,
    pub(crate) host: u64,
    pub(crate) device: u64,
    pub(crate) array: u64,
    /// Offset of the first byte: in a row, in rows, in slices.
    pub(crate) start: [usize; 3],
    pub(crate) pitch: usize,
    /// Rows of a slice.
    pub(crate) height: usize,
}

pub(crate) const HOST: u32 = CUmemorytype_enum::CU_MEMORYTYPE_HOST as u32;
pub(crate) const DEVICE: u32 = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE as u32;
pub(crate) const ARRAY: u32 = CUmemorytype_enum::CU_MEMORYTYPE_ARRAY as u32;
pub(crate) const UNIFIED: u32 = CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED as u32;

/// Bytes of a row, rows, slices.
pub(crate) type CopyExtent = [usize; 3];

/// One end, checked: every row lies in memory that is there.
#[derive(Clone)]
pub(crate) enum CopyEnd {
    Host(HostMemory),
    Device(u64),
}

#[derive(Clone)]
pub(crate) struct CopyRows {
    pub(crate) end: CopyEnd,
    /// From one row, and one slice, to the next.
    steps: [usize; 2],
}

impl CopyRows {
    /// # Safety
    /// Host memory that the description names is the caller's, as large as it says.
    unsafe fn new(state: &ContextState, from: &Description, extent: CopyExtent) -> CallResult<CopyRows> {
        let [width, height, depth] = extent;
        let array = match from.memory {
            ARRAY => Some(state.array(from.array)?),
            _ => None,
        };
        let (pitch, rows) = match array {
            // The start may be anywhere in memory; in an array a row ends where it ends.
            Some(array) if from.start[0].checked_add(width).is_none_or(|end| end > array.pitch) => {
                return Err(CUDA_ERROR_INVALID_VALUE);
            }
            Some(array) if from.start[1].checked_add(height).is_none_or(|end| end > array.rows) => {
                return Err(CUDA_ERROR_INVALID_VALUE);
            }
            Some(array) => (array.pitch, array.rows),
            None if from.pitch == 0 => (width.saturating_add(from.start[0]), from.height),
            None => (from.pitch, from.height),
        };
        let rows = rows.max(height.saturating_add(from.start[1]));
        let slice = pitch.checked_mul(rows).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        if (height > 1 || depth > 1) && pitch < width {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let offset = |row: [usize; 3]| {
            let rows = row[1].checked_mul(pitch)?;
            row[2].checked_mul(slice)?.checked_add(rows)?.checked_add(row[0])
        };
        let first = offset(from.start).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let span = offset([width, height - 1, depth - 1]).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let end = match (from.memory, array) {
            // SAFETY: the caller's memory, as above.
            (HOST, _) => CopyEnd::Host(unsafe { HostMemory::new(from.host.wrapping_add(first as u64) as _, span)? }),
            (DEVICE, _) => device(state, from.device, first, span)?,
            (ARRAY, Some(array)) => device(state, array.address, first, span)?,
            (UNIFIED, _) => match device(state, from.device, first, span) {
                Ok(end) => end,
                // SAFETY: with unified addressing this is the caller's host memory, or it is refused.
                Err(_) => CopyEnd::Host(unsafe {
                    HostMemory::new((from.device as *const c_void).wrapping_byte_add(first), span)?
                }),
            },
            _ => return Err(CUDA_ERROR_INVALID_VALUE),
        };
        Ok(CopyRows { end, steps: [pitch, slice] })
    }

    fn offset(&self, row: usize, slice: usize) -> usize {
        row * self.steps[0] + slice * self.steps[1]
    }

    /// Memory that is the host's alone: neither the device's nor page-locked.
    pub(crate) fn is_pageable(&self, device: &Device) -> bool {
        matches!(&self.end, CopyEnd::Host(memory) if !memory.is_pinned(device))
    }
}

fn device(state: &ContextState, address: u64, first: usize, span: usize) -> CallResult<CopyEnd> {
    let start = address.checked_add(first as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    state.check_range(start, span)?;
    Ok(CopyEnd::Device(start))
}

/// The two ends of a copy struct. Memory types are read as numbers: a caller's may be no value of the enum.
macro_rules! ends {
    ($copy:expr, $($src_z:ident, $dst_z:ident, $src_height:ident, $dst_height:ident)?) => {{
        let copy = $copy;
        if copy.is_null() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's struct, read field by field.
        unsafe {
            let from = Description {
                memory: addr_of!((*copy).srcMemoryType).cast::<u32>().read(),
                host: (*copy).srcHost as u64,
                device: (*copy).srcDevice,
                array: (*copy).srcArray as u64,
                start: [(*copy).srcXInBytes, (*copy).srcY, 0 $(+ (*copy).$src_z)?],
                pitch: (*copy).srcPitch,
                height: 0 $(+ (*copy).$src_height)?,
            };
            let to = Description {
                memory: addr_of!((*copy).dstMemoryType).cast::<u32>().read(),
                host: (*copy).dstHost as u64,
                device: (*copy).dstDevice,
                array: (*copy).dstArray as u64,
                start: [(*copy).dstXInBytes, (*copy).dstY, 0 $(+ (*copy).$dst_z)?],
                pitch: (*copy).dstPitch,
                height: 0 $(+ (*copy).$dst_height)?,
            };
            (to, from)
        }
    }};
}

pub(crate) use ends;

/// A copy that can be made more than once.
#[derive(Clone)]
pub(crate) struct MemoryCopy {
    pub(crate) context: u64,
    to: Description,
    from: Description,
    extent: CopyExtent,
    /// `None` if there is nothing to copy.
    pub(crate) rows: Option<(CopyRows, CopyRows)>,
    /// True if one end was the host's alone when the copy was described.
    pub(crate) needs_pageable: bool,
}

impl MemoryCopy {
    /// # Safety
    /// Host memory that the descriptions name is the caller's, as large as they say, as often as the copy is made.
    pub(crate) unsafe fn new(
        state: &ContextState,
        context: u64,
        (to, from): (Description, Description),
        extent: CopyExtent,
    ) -> CallResult<MemoryCopy> {
        let rows = if extent.contains(&0) {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { (CopyRows::new(state, &to, extent)?, CopyRows::new(state, &from, extent)?) })
        };
        let is_pageable = |end: &CopyRows| end.is_pageable(&state.device);
        let needs_pageable = rows.as_ref().is_some_and(|(to, from)| is_pageable(to) || is_pageable(from));
        Ok(MemoryCopy { context, to, from, extent, rows, needs_pageable })
    }

    /// # Safety
    /// `parameters` is null or the caller's struct, and its memory as for `new`.
    pub(crate) unsafe fn of(
        state: &ContextState,
        context: u64,
        parameters: *const CUDA_MEMCPY3D,
    ) -> CallResult<MemoryCopy> {
        let ends = ends!(parameters, srcZ, dstZ, srcHeight, dstHeight);
        // SAFETY: as above.
        unsafe { MemoryCopy::new(state, context, ends, extent(parameters)) }
    }

    /// Bytes in a row, between any two addresses.
    ///
    /// # Safety
    /// As for `new`.
    pub(crate) unsafe fn line(
        state: &ContextState,
        context: u64,
        to: u64,
        from: u64,
        bytes: usize,
    ) -> CallResult<MemoryCopy> {
        let end = |device| Description { device, ..line(UNIFIED, 0) };
        // SAFETY: as above.
        unsafe { MemoryCopy::new(state, context, (end(to), end(from)), [bytes, 1, 1]) }
    }

    pub(crate) fn run(&self, state: &mut ContextState, order: &HostOrder) {
        if let Some((to, from)) = &self.rows {
            run(state, order, to, from, self.extent);
        }
    }

    pub(crate) fn parameters(&self) -> CUDA_MEMCPY3D {
        let kind = |end: &Description| match end.memory {
            HOST => CUmemorytype_enum::CU_MEMORYTYPE_HOST,
            DEVICE => CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
            ARRAY => CUmemorytype_enum::CU_MEMORYTYPE_ARRAY,
            _ => CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
        };
        let (to, from) = (&self.to, &self.from);
        CUDA_MEMCPY3D {
            srcXInBytes: from.start[0],
            srcY: from.start[1],
            srcZ: from.start[2],
            srcLOD: 0,
            srcMemoryType: kind(from),
            srcHost: from.host as *const c_void,
            srcDevice: from.device,
            srcArray: from.array as CUarray,
            reserved0: std::ptr::null_mut(),
            srcPitch: from.pitch,
            srcHeight: from.height,
            dstXInBytes: to.start[0],
            dstY: to.start[1],
            dstZ: to.start[2],
            dstLOD: 0,
            dstMemoryType: kind(to),
            dstHost: to.host as *mut c_void,
            dstDevice: to.device,
            dstArray: to.array as CUarray,
            reserved1: std::ptr::null_mut(),
            dstPitch: to.pitch,
            dstHeight: to.height,
            WidthInBytes: self.extent[0],
            Height: self.extent[1],
            Depth: self.extent[2],
        }
    }
}

fn run(
    state: &mut ContextState,
    order: &HostOrder,
    to: &CopyRows,
    from: &CopyRows,
    [width, height, depth]: CopyExtent,
) {
    for slice in 0..depth {
        for row in 0..height {
            let (target, source) = (to.offset(row, slice), from.offset(row, slice));
            match (&to.end, &from.end) {
                (CopyEnd::Device(to), CopyEnd::Device(from)) => {
                    state.transfer(to + target as u64, from + source as u64, width, order);
                }
                (CopyEnd::Device(to), CopyEnd::Host(from)) => {
                    state.upload(to + target as u64, from.part(source, width).read(), order);
                }
                (CopyEnd::Host(to), CopyEnd::Device(from)) => {
                    state.download(to.part(target, width), from + source as u64, order);
                }
                (CopyEnd::Host(to), CopyEnd::Host(from)) => {
                    let bytes = from.part(source, width).read().to_vec();
                    to.part(target, width).write().copy_from_slice(&bytes);
                }
            }
        }
    }
}

/// One end of a copy that has no rows.
pub(crate) fn line(memory: u32, offset: usize) -> Description {
    Description { memory, host: 0, device: 0, array: 0, start: [offset, 0, 0], pitch: 0, height: 0 }
}

pub(crate) unsafe fn extent(parameters: *const CUDA_MEMCPY3D) -> CopyExtent {
    // SAFETY: the caller's struct.
    unsafe { [(*parameters).WidthInBytes, (*parameters).Height, (*parameters).Depth] }
}

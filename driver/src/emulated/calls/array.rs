//! Arrays (CUDA Driver API, "Memory Management"): pitch-free device memory with a descriptor. Kernels read and write
//! them by texture and surface objects.

use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::Context;
use crate::emulated::context::current::current;
use crate::emulated::context::handle;
use crate::emulated::context::objects::Array;
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Channel, HostMemory};
use std::ffi::c_void;
use std::ptr::addr_of;
use std::sync::Arc;

/// `CUDA_ARRAY3D_DEFERRED_MAPPING`
const DEFERRED_MAPPING: u32 = 0x80;
/// Flags of CUDA 13's header.
const KNOWN_FLAGS: u32 = 0x1ff;

/// The format of one channel, as a number because a caller's may be no value of the enum.
pub(super) fn channel(format: u32) -> CallResult<Channel> {
    use CUarray_format_enum::*;
    let known = [
        (CU_AD_FORMAT_UNSIGNED_INT8, Channel::U8),
        (CU_AD_FORMAT_UNSIGNED_INT16, Channel::U16),
        (CU_AD_FORMAT_UNSIGNED_INT32, Channel::U32),
        (CU_AD_FORMAT_SIGNED_INT8, Channel::S8),
        (CU_AD_FORMAT_SIGNED_INT16, Channel::S16),
        (CU_AD_FORMAT_SIGNED_INT32, Channel::S32),
        (CU_AD_FORMAT_HALF, Channel::F16),
        (CU_AD_FORMAT_FLOAT, Channel::F32),
    ];
    let found = known.into_iter().find(|(known, _)| *known as u32 == format);
    found.map(|(_, channel)| channel).ok_or(CUDA_ERROR_INVALID_VALUE)
}

/// Bytes of one channel.
fn channel_bytes(format: u32) -> CallResult<usize> {
    channel(format).map(|channel| channel.bytes() as usize)
}

pub(crate) unsafe fn create(array: *mut CUarray, descriptor: *const CUDA_ARRAY_DESCRIPTOR) -> CallResult {
    if descriptor.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct; the format is checked before it is read as an enum.
    let descriptor = unsafe {
        channel_bytes(addr_of!((*descriptor).Format).cast::<u32>().read())?;
        let plain = descriptor.read();
        CUDA_ARRAY3D_DESCRIPTOR {
            Width: plain.Width,
            Height: plain.Height,
            Depth: 0,
            Format: plain.Format,
            NumChannels: plain.NumChannels,
            Flags: 0,
        }
    };
    // SAFETY: an out-pointer of the caller.
    unsafe { create_3d(array, &descriptor) }
}

pub(crate) unsafe fn create_3d(array: *mut CUarray, descriptor: *const CUDA_ARRAY3D_DESCRIPTOR) -> CallResult {
    // SAFETY: an out-pointer and a struct of the caller.
    let (array, descriptor) = unsafe { (out(array)?, read(descriptor)?) };
    let context = current()?;
    let mut state = context.lock()?;
    check(&descriptor)?;
    array.set(allocate(&context, &mut state, descriptor, false)? as CUarray);
    Ok(())
}

/// # Safety
/// `descriptor` is null or the caller's.
pub(super) unsafe fn read(descriptor: *const CUDA_ARRAY3D_DESCRIPTOR) -> CallResult<CUDA_ARRAY3D_DESCRIPTOR> {
    if descriptor.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct; the format is checked before it is read as an enum.
    unsafe {
        channel_bytes(addr_of!((*descriptor).Format).cast::<u32>().read())?;
        Ok(descriptor.read())
    }
}

/// Checks that there is an array of this shape.
pub(super) fn check(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> CallResult {
    let CUDA_ARRAY3D_DESCRIPTOR { Width: width, Height: height, Depth: depth, .. } = *descriptor;
    let layered = descriptor.Flags & CUDA_ARRAY3D_LAYERED != 0;
    let cube = descriptor.Flags & CUDA_ARRAY3D_CUBEMAP != 0;
    let flat = depth > 0 && height == 0 && !layered;
    let no_cube = cube && (width != height || depth == 0 || depth % 6 != 0 || (depth != 6 && !layered));
    let is_layerless = layered && depth == 0;
    if width == 0 || flat || no_cube || is_layerless || !matches!(descriptor.NumChannels, 1 | 2 | 4) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if descriptor.Flags & !KNOWN_FLAGS != 0 || !fits(descriptor) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

/// Makes an array of a shape that was checked.
pub(super) fn allocate(
    context: &Arc<Context>,
    state: &mut ContextState,
    descriptor: CUDA_ARRAY3D_DESCRIPTOR,
    is_level: bool,
) -> CallResult<u64> {
    let texel = channel_bytes(descriptor.Format as u32)? * descriptor.NumChannels as usize;
    let rows = descriptor.Height.max(1);
    let pitch = descriptor.Width.checked_mul(texel).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let bytes = pitch.checked_mul(rows).and_then(|slice| slice.checked_mul(descriptor.Depth.max(1)));
    let address = state.allocate(bytes.ok_or(CUDA_ERROR_INVALID_VALUE)?, HostMemory::Device)?;
    let key = handle::register(handle::HandleKind::Array, context);
    state.arrays.insert(key, Array { address, pitch, rows, descriptor, is_level });
    Ok(key)
}

/// Ends an array. No work uses it.
pub(super) fn free(state: &mut ContextState, key: u64) -> CallResult {
    let removed = state.arrays.remove(&key).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    handle::forget(key);
    state.device.free(removed.address).map_err(code)
}

/// Returns true if an array is within the device's limits for its shape (CUDA Driver API, `cuArray3DCreate`).
fn fits(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> bool {
    use CUdevice_attribute_enum::*;
    let within = |most: [CUdevice_attribute; 3]| {
        let sizes = [descriptor.Width, descriptor.Height, descriptor.Depth];
        sizes.iter().zip(most).all(|(size, most)| limit(most).is_some_and(|most| *size <= most as usize))
    };
    let (layered, cube) = (CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_CUBEMAP);
    match (descriptor.Flags & (layered | cube), descriptor.Height, descriptor.Depth) {
        (flags, ..) if flags == layered | cube => within([
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS,
        ]),
        // Its depth is 6.
        (flags, ..) if flags == cube => within([CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH; 3]),
        (flags, 0, _) if flags == layered => within([
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS,
        ]),
        (flags, ..) if flags == layered => within([
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
        ]),
        (_, 0, _) => within([CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH; 3]),
        (_, _, 0) => within([
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
        ]),
        _ => {
            within([
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
            ]) || within([
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE,
            ])
        }
    }
}

/// Work that uses it is done first. A level of a mipmapped array stays, as on an H200.
pub(crate) unsafe fn destroy(array: CUarray) -> CallResult {
    may_call()?;
    let context = handle::owner(handle::HandleKind::Array, array as u64)?;
    let mut state = context.drain(context.lock()?)?;
    if state.array(array as u64)?.is_level {
        return Ok(());
    }
    free(&mut state, array as u64)
}

pub(crate) unsafe fn descriptor_3d(descriptor: *mut CUDA_ARRAY3D_DESCRIPTOR, array: CUarray) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let descriptor = unsafe { out(descriptor)? };
    may_call()?;
    let context = handle::owner(handle::HandleKind::Array, array as u64)?;
    descriptor.set(context.lock()?.array(array as u64)?.descriptor);
    Ok(())
}

pub(crate) unsafe fn descriptor(descriptor: *mut CUDA_ARRAY_DESCRIPTOR, array: CUarray) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let descriptor = unsafe { out(descriptor)? };
    may_call()?;
    let context = handle::owner(handle::HandleKind::Array, array as u64)?;
    let found = context.lock()?.array(array as u64)?.descriptor;
    descriptor.set(CUDA_ARRAY_DESCRIPTOR {
        Width: found.Width,
        Height: found.Height,
        Format: found.Format,
        NumChannels: found.NumChannels,
    });
    Ok(())
}

/// Tells how an array without memory of its own must be mapped: none is made here.
pub(crate) unsafe fn memory_requirements(requirements: *mut c_void, array: CUarray, _device: CUdevice) -> CallResult {
    if requirements.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    unmapped(array, CUDA_ARRAY3D_SPARSE | DEFERRED_MAPPING)
}

pub(crate) unsafe fn sparse_properties(properties: *mut CUDA_ARRAY_SPARSE_PROPERTIES, array: CUarray) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let _ = unsafe { out(properties)? };
    unmapped(array, CUDA_ARRAY3D_SPARSE)
}

/// The result of a question about arrays that were made with one of some flags.
fn unmapped(array: CUarray, flags: u32) -> CallResult {
    may_call()?;
    let context = handle::owner(handle::HandleKind::Array, array as u64)?;
    let has_flag = context.lock()?.array(array as u64)?.descriptor.Flags & flags != 0;
    Err(if has_flag { CUDA_ERROR_NOT_SUPPORTED } else { CUDA_ERROR_INVALID_VALUE })
}

/// Planes are of formats that are refused.
pub(crate) unsafe fn plane(plane: *mut CUarray, array: CUarray, _index: u32) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let _ = unsafe { out(plane)? };
    may_call()?;
    handle::owner(handle::HandleKind::Array, array as u64)?;
    Err(CUDA_ERROR_INVALID_VALUE)
}

/// The largest arrays, as devices of compute capability 9.0 have them.
pub(crate) fn limit(attribute: CUdevice_attribute) -> Option<u32> {
    use CUdevice_attribute_enum::*;
    Some(match attribute {
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH => 1 << 28,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH => 2_097_120,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH => 131_072,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT => 65_536,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT => 65_000,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH => 32_768,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH => 16_384,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE => 8_192,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS => 2_048,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS
        | CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS => 2_046,
        _ => return None,
    })
}

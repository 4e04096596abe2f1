//! Mipmapped arrays (CUDA Driver API, "Memory Management"): arrays of one content in several sizes, each half as wide
//! as the one before.

use super::array::{allocate, check, free, limit, read};
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::current;
use crate::emulated::context::handle::{self, HandleKind};
use crate::emulated::context::objects::MipmappedArray;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_void;

/// Makes as many levels as are asked for, but at least one, and none after that of a single texel.
pub(crate) unsafe fn create(
    array: *mut CUmipmappedArray,
    descriptor: *const CUDA_ARRAY3D_DESCRIPTOR,
    levels: u32,
) -> CallResult {
    // SAFETY: an out-pointer and a struct of the caller.
    let (array, descriptor) = unsafe { (out(array)?, read(descriptor)?) };
    let context = current()?;
    let mut state = context.lock()?;
    check(&descriptor)?;
    if !fits(&descriptor) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mut made = Vec::new();
    for level in 0..levels.clamp(1, most_levels(&descriptor)) {
        match allocate(&context, &mut state, shrunk(&descriptor, level), true) {
            Ok(key) => made.push(key),
            Err(why) => {
                made.into_iter().for_each(|key| _ = free(&mut state, key));
                return Err(why);
            }
        }
    }
    let key = handle::register(HandleKind::MipmappedArray, &context);
    state.mipmapped_arrays.insert(key, MipmappedArray { levels: made });
    array.set(key as CUmipmappedArray);
    Ok(())
}

/// Lines and planes with mipmaps have limits of their own.
fn fits(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> bool {
    use CUdevice_attribute_enum::*;
    let within = |size: usize, most: CUdevice_attribute| limit(most).is_some_and(|most| size <= most as usize);
    match (descriptor.Height, descriptor.Depth) {
        (_, 1..) => true,
        (0, _) => within(descriptor.Width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH),
        _ => {
            within(descriptor.Width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH)
                && within(descriptor.Height, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT)
        }
    }
}

/// Layers and faces stay as many.
fn has_slices(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> bool {
    descriptor.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP) != 0
}

fn most_levels(descriptor: &CUDA_ARRAY3D_DESCRIPTOR) -> u32 {
    let depth = if has_slices(descriptor) { 0 } else { descriptor.Depth };
    1 + descriptor.Width.max(descriptor.Height).max(depth).ilog2()
}

/// The shape of a level.
fn shrunk(descriptor: &CUDA_ARRAY3D_DESCRIPTOR, level: u32) -> CUDA_ARRAY3D_DESCRIPTOR {
    let shrunk = |size: usize| if size == 0 { 0 } else { (size >> level).max(1) };
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: shrunk(descriptor.Width),
        Height: shrunk(descriptor.Height),
        Depth: if has_slices(descriptor) { descriptor.Depth } else { shrunk(descriptor.Depth) },
        ..*descriptor
    }
}

pub(crate) unsafe fn level(level: *mut CUarray, array: CUmipmappedArray, nth: u32) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let level = unsafe { out(level)? };
    may_call()?;
    let context = handle::owner(HandleKind::MipmappedArray, array as u64)?;
    let found = context.lock()?.mipmapped_array(array as u64)?.levels.get(nth as usize).copied();
    level.set(found.ok_or(CUDA_ERROR_INVALID_VALUE)? as CUarray);
    Ok(())
}

/// Work that uses it is done first.
pub(crate) unsafe fn destroy(array: CUmipmappedArray) -> CallResult {
    may_call()?;
    let context = handle::owner(HandleKind::MipmappedArray, array as u64)?;
    let mut state = context.drain(context.lock()?)?;
    let removed = state.mipmapped_arrays.remove(&(array as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    handle::forget(array as u64);
    removed.levels.into_iter().try_for_each(|key| free(&mut state, key))
}

/// The largest level of an array, to ask what holds for all of them.
fn largest(array: CUmipmappedArray) -> CallResult<CUarray> {
    may_call()?;
    let context = handle::owner(HandleKind::MipmappedArray, array as u64)?;
    let found = context.lock()?.mipmapped_array(array as u64)?.levels.first().copied();
    Ok(found.ok_or(CUDA_ERROR_INVALID_HANDLE)? as CUarray)
}

pub(crate) unsafe fn memory_requirements(
    requirements: *mut c_void,
    array: CUmipmappedArray,
    device: CUdevice,
) -> CallResult {
    // SAFETY: an out-pointer of the caller, and a handle, which is looked up.
    unsafe { super::array::memory_requirements(requirements, largest(array)?, device) }
}

pub(crate) unsafe fn sparse_properties(
    properties: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
    array: CUmipmappedArray,
) -> CallResult {
    // SAFETY: an out-pointer of the caller, and a handle, which is looked up.
    unsafe { super::array::sparse_properties(properties, largest(array)?) }
}

//! Texture and surface objects (CUDA Driver API, "Texture Object Management" and "Surface Object Management").
//!
//! Left out, and refused with `CUDA_ERROR_NOT_SUPPORTED`: views of block-compressed formats. Anisotropic filtering is
//! isotropic.

use super::array::channel;
use super::image_view;
use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::current;
use crate::emulated::context::handle::{self, HandleKind};
use crate::emulated::context::objects::{ImageObject, Resource};
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{AddressMode, Image, MipLevel, MipmapFilter, Sampler};
use std::ptr::addr_of;

/// `CU_TRSF_SEAMLESS_CUBEMAP`
const SEAMLESS: u32 = 0x40;
const KNOWN_FLAGS: u32 = 0x7f;
/// The alignments that a device asks of memory that a texture reads: of its start, and of its rows.
const ALIGNMENT: u64 = 512;
const PITCH_ALIGNMENT: u64 = 32;

/// Reads a number where C has an enum: a caller's may be no value of it.
macro_rules! number {
    ($place:expr) => {
        addr_of!($place).cast::<u32>().read_unaligned()
    };
}
pub(super) use number;

pub(crate) unsafe fn create_texture(
    object: *mut CUtexObject,
    resource: *const CUDA_RESOURCE_DESC,
    texture: *const CUDA_TEXTURE_DESC,
    view: *const CUDA_RESOURCE_VIEW_DESC,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let object = unsafe { out(object)? };
    if texture.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's structs.
    let (resource, sampler, texture) =
        unsafe { (read_resource(resource)?, sampler(texture)?, texture.read_unaligned()) };
    // SAFETY: as above.
    let view = (!view.is_null()).then(|| unsafe { image_view::read(view) });
    let context = current()?;
    let mut state = context.lock()?;
    let mut image = described(&state, &resource)?;
    // The check is on the array's own format, not on the view's, as on an H200.
    let is_number = image.channel.gives_float(sampler.reads_normalized);
    if sampler.is_linear && !image.is_linear_memory && !is_number {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let flags = array_flags(&state, &resource)?;
    if sampler.is_seamless && flags & CUDA_ARRAY3D_CUBEMAP == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // Linear memory has no views; a description of one is ignored, as on an H200.
    let is_array = matches!(resource, Resource::Array(_) | Resource::Mipmapped(_));
    let view = view.filter(|_| is_array);
    if let Some(view) = &view {
        image = image_view::viewed(image, view, flags & CUDA_ARRAY3D_LAYERED != 0)?;
    }
    let key = handle::register(HandleKind::Texture, &context);
    state.device.add_image(key, Image { sampler: Some(sampler), ..image }).map_err(code)?;
    state.images.insert(key, ImageObject { resource, texture: Some(texture), view });
    object.set(key);
    Ok(())
}

/// An array that was made without `CUDA_ARRAY3D_SURFACE_LDST` has surface objects, too, as on an H200.
pub(crate) unsafe fn create_surface(object: *mut CUsurfObject, resource: *const CUDA_RESOURCE_DESC) -> CallResult {
    // SAFETY: an out-pointer and a struct of the caller.
    let (object, resource) = unsafe { (out(object)?, read_resource(resource)?) };
    let Resource::Array(_) = resource else { return Err(CUDA_ERROR_INVALID_VALUE) };
    let context = current()?;
    let mut state = context.lock()?;
    let image = described(&state, &resource)?;
    let key = handle::register(HandleKind::Surface, &context);
    state.device.add_image(key, image).map_err(code)?;
    state.images.insert(key, ImageObject { resource, texture: None, view: None });
    object.set(key);
    Ok(())
}

/// Work that uses it is done first.
fn destroy(kind: HandleKind, object: u64) -> CallResult {
    may_call()?;
    let context = handle::owner(kind, object)?;
    let mut state = context.drain(context.lock()?)?;
    state.images.remove(&object).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    handle::forget(object);
    state.device.remove_image(object).map_err(code)
}

pub(crate) unsafe fn destroy_texture(object: CUtexObject) -> CallResult {
    destroy(HandleKind::Texture, object)
}

pub(crate) unsafe fn destroy_surface(object: CUsurfObject) -> CallResult {
    destroy(HandleKind::Surface, object)
}

fn object(kind: HandleKind, object: u64) -> CallResult<ImageObject> {
    may_call()?;
    let context = handle::owner(kind, object)?;
    let state = context.lock()?;
    state.images.get(&object).copied().ok_or(CUDA_ERROR_INVALID_HANDLE)
}

pub(crate) unsafe fn texture_resource(resource: *mut CUDA_RESOURCE_DESC, texture: CUtexObject) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let resource = unsafe { out(resource)? };
    resource.set(written(object(HandleKind::Texture, texture)?.resource));
    Ok(())
}

pub(crate) unsafe fn surface_resource(resource: *mut CUDA_RESOURCE_DESC, surface: CUsurfObject) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let resource = unsafe { out(resource)? };
    resource.set(written(object(HandleKind::Surface, surface)?.resource));
    Ok(())
}

pub(crate) unsafe fn texture_description(description: *mut CUDA_TEXTURE_DESC, texture: CUtexObject) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let description = unsafe { out(description)? };
    description.set(object(HandleKind::Texture, texture)?.texture.ok_or(CUDA_ERROR_INVALID_HANDLE)?);
    Ok(())
}

/// An object without a view leaves the struct as it is.
pub(crate) unsafe fn texture_view(view: *mut CUDA_RESOURCE_VIEW_DESC, texture: CUtexObject) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let view = unsafe { out(view)? };
    if let Some(found) = object(HandleKind::Texture, texture)?.view {
        view.set(image_view::written(&found));
    }
    Ok(())
}

/// # Safety
/// `resource` is null or the caller's.
unsafe fn read_resource(resource: *const CUDA_RESOURCE_DESC) -> CallResult<Resource> {
    if resource.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct, read field by field; numbers are checked before they are read as enums.
    unsafe {
        match number!((*resource).resType) {
            0 => Ok(Resource::Array(addr_of!((*resource).res.array.hArray).read_unaligned() as u64)),
            1 => match addr_of!((*resource).res.mipmap.hMipmappedArray).read_unaligned() as u64 {
                0 => Err(CUDA_ERROR_INVALID_VALUE),
                array => Ok(Resource::Mipmapped(array)),
            },
            2 => {
                channel(number!((*resource).res.linear.format))?;
                let linear = addr_of!((*resource).res.linear).read_unaligned();
                Ok(Resource::Linear {
                    address: linear.devPtr,
                    format: linear.format,
                    channels: linear.numChannels,
                    bytes: linear.sizeInBytes,
                })
            }
            3 => {
                channel(number!((*resource).res.pitch2D.format))?;
                let plane = addr_of!((*resource).res.pitch2D).read_unaligned();
                Ok(Resource::Plane {
                    address: plane.devPtr,
                    format: plane.format,
                    channels: plane.numChannels,
                    extent: [plane.width, plane.height],
                    pitch: plane.pitchInBytes,
                })
            }
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }
}

/// # Safety
/// `texture` is the caller's.
unsafe fn sampler(texture: *const CUDA_TEXTURE_DESC) -> CallResult<Sampler> {
    // SAFETY: the caller's struct, read field by field as numbers.
    let (modes, filters, flags, border, bias, clamps) = unsafe {
        let modes = addr_of!((*texture).addressMode).cast::<[u32; 3]>().read_unaligned();
        let filters = [number!((*texture).filterMode), number!((*texture).mipmapFilterMode)];
        let border = addr_of!((*texture).borderColor).cast::<[u32; 4]>().read_unaligned();
        let bias = addr_of!((*texture).mipmapLevelBias).read_unaligned();
        let clamps = [
            addr_of!((*texture).minMipmapLevelClamp).read_unaligned(),
            addr_of!((*texture).maxMipmapLevelClamp).read_unaligned(),
        ];
        (modes, filters, number!((*texture).flags), border, bias, clamps)
    };
    if modes.iter().any(|&mode| mode > 3) || filters.iter().any(|&filter| filter > 1) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if flags & !KNOWN_FLAGS != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mode = |number: u32| match number {
        0 => AddressMode::Wrap,
        1 => AddressMode::Clamp,
        2 => AddressMode::Mirror,
        _ => AddressMode::Border,
    };
    Ok(Sampler {
        modes: modes.map(mode),
        is_linear: filters[0] == 1,
        has_normalized_coordinates: flags & CU_TRSF_NORMALIZED_COORDINATES != 0,
        reads_normalized: flags & CU_TRSF_READ_AS_INTEGER == 0,
        border,
        mipmap: MipmapFilter {
            is_linear: filters[1] == 1,
            bias: in_256ths(bias),
            min_clamp: in_256ths(clamps[0]),
            max_clamp: in_256ths(clamps[1]),
        },
        is_srgb: flags & CU_TRSF_SRGB != 0,
        is_seamless: flags & SEAMLESS != 0,
    })
}

/// A mipmap level. The rest is cut off, towards 0, as on an H200.
fn in_256ths(level: f32) -> i32 {
    (level * 256.0) as i32
}

/// The flags of the array that an object describes.
fn array_flags(state: &ContextState, resource: &Resource) -> CallResult<u32> {
    let array = match *resource {
        Resource::Array(key) => key,
        Resource::Mipmapped(key) => state.mipmapped_array(key)?.levels[0],
        Resource::Linear { .. } | Resource::Plane { .. } => return Ok(0),
    };
    Ok(state.array(array)?.descriptor.Flags)
}

/// Converts a resource description to the device's form of an object, without the sampler.
fn described(state: &ContextState, resource: &Resource) -> CallResult<Image> {
    let size = |size: usize| u32::try_from(size).map_err(|_| CUDA_ERROR_INVALID_VALUE);
    let image = |address, format: CUarray_format, channels: u32, extent, [pitch, slice]: [usize; 2]| {
        let level = MipLevel { address, extent, pitch: pitch as u64, slice: slice as u64 };
        let (channel, levels) = (channel(format as u32)?, vec![level]);
        match channels {
            1 | 2 | 4 => Ok(Image { levels, channel, channels, is_linear_memory: false, sampler: None }),
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    };
    match *resource {
        Resource::Array(key) => {
            let array = state.array(key)?;
            let CUDA_ARRAY3D_DESCRIPTOR { Width, Height, Depth, Format, NumChannels, .. } = array.descriptor;
            let extent = [size(Width)?, size(Height)?, size(Depth)?];
            image(array.address, Format, NumChannels, extent, [array.pitch, array.pitch * array.rows])
        }
        Resource::Mipmapped(key) => {
            let levels = &state.mipmapped_array(key)?.levels;
            let all: Vec<Image> =
                levels.iter().map(|&level| described(state, &Resource::Array(level))).collect::<CallResult<_>>()?;
            let base = all.first().ok_or(CUDA_ERROR_INVALID_HANDLE)?;
            Ok(Image { levels: all.iter().map(Image::base).collect(), ..base.clone() })
        }
        Resource::Linear { address, format, channels, bytes } => {
            let mut image = image(address, format, channels, [0; 3], [bytes, bytes])?;
            let width = size(bytes / image.texel_bytes() as usize)?;
            if width == 0 || !address.is_multiple_of(ALIGNMENT) {
                return Err(CUDA_ERROR_INVALID_VALUE);
            }
            state.check_range(address, bytes)?;
            image.levels[0].extent = [width, 0, 0];
            Ok(Image { is_linear_memory: true, ..image })
        }
        Resource::Plane { address, format, channels, extent: [width, height], pitch } => {
            let image = image(address, format, channels, [size(width)?, size(height)?, 0], [pitch, 0])?;
            let row = width.saturating_mul(image.texel_bytes() as usize);
            let is_aligned = address.is_multiple_of(ALIGNMENT) && (pitch as u64).is_multiple_of(PITCH_ALIGNMENT);
            if width == 0 || height == 0 || row > pitch || !is_aligned {
                return Err(CUDA_ERROR_INVALID_VALUE);
            }
            let bytes = pitch.checked_mul(height - 1).and_then(|all| all.checked_add(row));
            state.check_range(address, bytes.ok_or(CUDA_ERROR_INVALID_VALUE)?)?;
            Ok(image)
        }
    }
}

/// The struct that an object was made of.
fn written(resource: Resource) -> CUDA_RESOURCE_DESC {
    use CUresourcetype_enum::*;
    // SAFETY: numbers, null pointers and the first value of an enum.
    let mut all: CUDA_RESOURCE_DESC = unsafe { std::mem::zeroed() };
    match resource {
        Resource::Array(array) => {
            all.resType = CU_RESOURCE_TYPE_ARRAY;
            all.res.array.hArray = array as CUarray;
        }
        Resource::Mipmapped(array) => {
            all.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            all.res.mipmap.hMipmappedArray = array as CUmipmappedArray;
        }
        Resource::Linear { address, format, channels, bytes } => {
            all.resType = CU_RESOURCE_TYPE_LINEAR;
            all.res.linear = CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
                devPtr: address,
                format,
                numChannels: channels,
                sizeInBytes: bytes,
            };
        }
        Resource::Plane { address, format, channels, extent: [width, height], pitch } => {
            all.resType = CU_RESOURCE_TYPE_PITCH2D;
            all.res.pitch2D = CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
                devPtr: address,
                format,
                numChannels: channels,
                width,
                height,
                pitchInBytes: pitch,
            };
        }
    }
    all
}

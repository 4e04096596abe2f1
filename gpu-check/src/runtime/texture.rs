//! Texture and surface objects ("Texture Object Management", "Surface Object Management").

use super::array::Channels;
use super::call::{Error, RuntimeResult, check, context, give};
use crate::cu::{self, Address, Handle, ResourceDescription, TextureDescription};
use std::ffi::{c_float, c_int, c_uint};

/// `cudaResourceDesc`, as long as CUDA 12 has it. 13 adds room and flags, which must be zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Resource {
    kind: c_int,
    of: Of,
}

#[repr(C)]
#[derive(Clone, Copy)]
union Of {
    array: Handle,
    linear: Linear,
    plane: Plane,
    words: [u64; 7],
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Linear {
    address: Address,
    channels: Channels,
    bytes: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Plane {
    address: Address,
    channels: Channels,
    width: usize,
    height: usize,
    pitch: usize,
}

/// `cudaResourceType`, with the driver's numbers.
const MIPMAPPED: c_int = 1;
const LINEAR: c_int = 2;
const PLANE: c_int = 3;

/// `cudaTextureDesc`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Texture {
    modes: [c_int; 3],
    filter: c_int,
    /// `cudaReadModeNormalizedFloat` is 1.
    read: c_int,
    srgb: c_int,
    border: [c_float; 4],
    normalized: c_int,
    anisotropy: c_uint,
    mipmap_filter: c_int,
    mipmap_bias: c_float,
    mipmap_clamp: [c_float; 2],
    without_trilinear_optimization: c_int,
    seamless: c_int,
}

/// `cudaResourceViewDesc`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct View {
    format: c_uint,
    extent: [usize; 3],
    levels: [c_uint; 2],
    layers: [c_uint; 2],
}

/// `CUDA_RESOURCE_VIEW_DESC`
#[repr(C)]
struct DriverView {
    view: View,
    _reserved: [c_uint; 16],
}

/// `CU_TRSF_...`
const AS_INTEGER: c_uint = 1;
const NORMALIZED: c_uint = 2;
const SRGB: c_uint = 0x10;
const WITHOUT_TRILINEAR: c_uint = 0x20;
const SEAMLESS: c_uint = 0x40;

/// # Safety
/// `resource` is null or the caller's.
unsafe fn described(resource: *const Resource) -> RuntimeResult<ResourceDescription> {
    if resource.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let Resource { kind, of } = unsafe { resource.read_unaligned() };
    let mut found = ResourceDescription { kind: kind as c_uint, words: [0; 16], flags: 0 };
    let format = |channels: Channels| {
        let (format, count) = channels.format()?;
        Ok(u64::from(format) | u64::from(count) << 32)
    };
    match kind {
        LINEAR => {
            // SAFETY: the kind says which it is; all are numbers.
            let Linear { address, channels, bytes } = unsafe { of.linear };
            found.words[..3].copy_from_slice(&[address, format(channels)?, bytes as u64]);
        }
        PLANE => {
            // SAFETY: as above.
            let Plane { address, channels, width, height, pitch } = unsafe { of.plane };
            let [width, height, pitch] = [width, height, pitch].map(|size| size as u64);
            found.words[..5].copy_from_slice(&[address, format(channels)?, width, height, pitch]);
        }
        // SAFETY: as above; a handle.
        _ => found.words[0] = unsafe { of.array } as u64,
    }
    Ok(found)
}

/// The elements of a resource.
fn elements(resource: &ResourceDescription) -> RuntimeResult<Channels> {
    let format = resource.words[1];
    let mut array = resource.words[0] as Handle;
    match resource.kind as c_int {
        LINEAR | PLANE => return Ok(Channels::of(format as c_uint, (format >> 32) as c_uint)),
        // SAFETY: an out-pointer to a local, and a handle, which is looked up.
        MIPMAPPED => check(unsafe { cu::cuMipmappedArrayGetLevel(&mut array, array, 0) })?,
        _ => {}
    }
    super::array::elements(array)
}

/// The same as the runtime has it.
fn resource(found: &ResourceDescription) -> Resource {
    let [address, format, sizes @ ..] = found.words;
    let channels = Channels::of(format as c_uint, (format >> 32) as c_uint);
    let size = |at: usize| sizes[at] as usize;
    let mut of = Of { words: [0; 7] };
    match found.kind as c_int {
        LINEAR => of.linear = Linear { address, channels, bytes: size(0) },
        PLANE => of.plane = Plane { address, channels, width: size(0), height: size(1), pitch: size(2) },
        _ => of.array = address as Handle,
    }
    Resource { kind: found.kind as c_int, of }
}

impl Texture {
    /// Checks that elements can be filtered, and read as numbers, as the description asks.
    fn check(&self, elements: Channels) -> RuntimeResult {
        const INVALID_FILTER_SETTING: Error = Error(26);
        const INVALID_NORM_SETTING: Error = Error(27);
        let is_small_integer = elements.is_integer() && elements.bits[0] <= 16;
        let reads_numbers = self.read == 1;
        if self.filter == 1 && elements.is_integer() && !(reads_numbers && is_small_integer) {
            return Err(INVALID_FILTER_SETTING);
        }
        if reads_numbers && !is_small_integer { Err(INVALID_NORM_SETTING) } else { Ok(()) }
    }

    fn described(&self) -> TextureDescription {
        let flag = |is_set: bool, flag: c_uint| if is_set { flag } else { 0 };
        TextureDescription {
            modes: self.modes,
            filter: self.filter,
            flags: flag(self.read == 0, AS_INTEGER)
                | flag(self.normalized != 0, NORMALIZED)
                | flag(self.srgb != 0, SRGB)
                | flag(self.without_trilinear_optimization != 0, WITHOUT_TRILINEAR)
                | flag(self.seamless != 0, SEAMLESS),
            anisotropy: self.anisotropy,
            mipmap_filter: self.mipmap_filter,
            mipmap_bias: self.mipmap_bias,
            mipmap_clamp: self.mipmap_clamp,
            border: self.border,
            reserved: [0; 12],
        }
    }

    fn of(found: &TextureDescription) -> Texture {
        let is = |flag: c_uint| c_int::from(found.flags & flag != 0);
        Texture {
            modes: found.modes,
            filter: found.filter,
            read: 1 - is(AS_INTEGER),
            srgb: is(SRGB),
            border: found.border,
            normalized: is(NORMALIZED),
            anisotropy: found.anisotropy,
            mipmap_filter: found.mipmap_filter,
            mipmap_bias: found.mipmap_bias,
            mipmap_clamp: found.mipmap_clamp,
            without_trilinear_optimization: is(WITHOUT_TRILINEAR),
            seamless: is(SEAMLESS),
        }
    }
}

pub unsafe fn create_texture(
    object: *mut u64,
    resource: *const Resource,
    texture: *const Texture,
    view: *const View,
) -> RuntimeResult {
    context()?;
    if texture.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's structs, and an out-pointer of the caller.
    unsafe {
        let (resource, texture) = (described(resource)?, texture.read_unaligned());
        texture.check(elements(&resource)?)?;
        let texture = texture.described();
        check(cu::cuTexObjectCreate(object, &resource, &texture, view.cast()))
    }
}

pub unsafe fn create_surface(object: *mut u64, resource: *const Resource) -> RuntimeResult {
    context()?;
    // SAFETY: the caller's struct, and an out-pointer of the caller.
    unsafe { check(cu::cuSurfObjectCreate(object, &described(resource)?)) }
}

/// Null is no object, and no error.
pub unsafe fn destroy(object: u64, destroy: unsafe extern "C" fn(u64) -> u32) -> RuntimeResult {
    context()?;
    if object == 0 {
        return Ok(());
    }
    // SAFETY: a handle, which is looked up.
    check(unsafe { destroy(object) })
}

pub unsafe fn give_resource(
    place: *mut Resource,
    object: u64,
    find: unsafe extern "C" fn(*mut ResourceDescription, u64) -> u32,
) -> RuntimeResult {
    context()?;
    let mut found = ResourceDescription { kind: 0, words: [0; 16], flags: 0 };
    // SAFETY: an out-pointer to a local, a handle, which is looked up, and an out-pointer of the caller.
    unsafe {
        check(find(&mut found, object))?;
        give(place, resource(&found))
    }
}

pub unsafe fn give_texture(place: *mut Texture, object: u64) -> RuntimeResult {
    context()?;
    let mut found = TextureDescription::default();
    // SAFETY: as above.
    unsafe {
        check(cu::cuTexObjectGetTextureDesc(&mut found, object))?;
        give(place, Texture::of(&found))
    }
}

/// An object without a view leaves the struct as it is.
pub unsafe fn give_view(place: *mut View, object: u64) -> RuntimeResult {
    context()?;
    if place.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let mut found = DriverView { view: unsafe { place.read_unaligned() }, _reserved: [0; 16] };
    // SAFETY: as above, and an out-pointer to a local.
    unsafe {
        check(cu::cuTexObjectGetResourceViewDesc((&raw mut found).cast(), object))?;
        give(place, found.view)
    }
}

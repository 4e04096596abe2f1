//! Texture and surface objects, by handle (CUDA C++ Programming Guide, "Texture Object API" and "Surface
//! Object API"), without the memory that it describes.
//!
//! A device has a table of them. [`level`] chooses the mipmap levels of a texture read, [`point`] finds the texels that
//! it touches, and their weights; [`filter`] and [`texel`] turn their bits into a result. The memory itself is read and
//! written as any global memory is.
//!
//! Left out: anisotropic filtering, and compressed formats, which the driver refuses.

pub mod cube;
pub mod filter;
pub mod level;
pub mod point;
mod srgb;
pub mod texel;

use std::collections::BTreeMap;
use texel::Channel;

/// A texture or surface object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), derive(serde::Serialize, serde::Deserialize))]
pub struct Image {
    /// The mipmap levels, the largest first. There is at least one.
    pub levels: Vec<MipLevel>,
    pub channel: Channel,
    /// 1, 2 or 4.
    pub channels: u32,
    /// True for linear memory without a pitch: reads outside it give zeros, whatever the address mode.
    pub is_linear_memory: bool,
    /// `None` for a surface object.
    pub sampler: Option<Sampler>,
}

/// One mipmap level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), derive(serde::Serialize, serde::Deserialize))]
pub struct MipLevel {
    /// The address of texel (0, 0, 0).
    pub address: u64,
    /// Texels in a row, rows in a slice, and slices: those of a volume, layers, or faces of cube maps. 0 if the memory
    /// has no such dimension.
    pub extent: [u32; 3],
    /// Bytes from one row to the next, and from one slice to the next.
    pub pitch: u64,
    pub slice: u64,
}

impl MipLevel {
    /// The size along an axis, at least 1.
    pub fn size(&self, axis: usize) -> u32 {
        self.extent[axis].max(1)
    }

    /// The address of a texel inside the level.
    pub fn address_of(&self, [x, y, z]: [u32; 3], texel_bytes: u32) -> u64 {
        let offset = u64::from(x) * u64::from(texel_bytes);
        // A handle may describe anything: addresses are checked where they are used.
        let rows = u64::from(y).wrapping_mul(self.pitch);
        let slices = u64::from(z).wrapping_mul(self.slice);
        self.address.wrapping_add(offset).wrapping_add(rows).wrapping_add(slices)
    }
}

/// Sampling parameters of a texture object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), derive(serde::Serialize, serde::Deserialize))]
pub struct Sampler {
    /// By axis.
    pub modes: [AddressMode; 3],
    /// Interpolates between texels; else a read gives the nearest texel.
    pub is_linear: bool,
    /// Coordinates lie in [0, 1) instead of [0, size) ([`Sampler::is_normalized`]).
    pub has_normalized_coordinates: bool,
    /// Integers of 8 and 16 bits are read as numbers in [0, 1] or [-1, 1].
    pub reads_normalized: bool,
    /// The bits of four `f32`.
    pub border: [u32; 4],
    pub mipmap: MipmapFilter,
    /// Unsigned bytes that are read as numbers are sRGB-encoded, all but the last channel of two or four.
    pub is_srgb: bool,
    /// Linear filtering at the edge of a cube map's face takes texels of the face next to it.
    pub is_seamless: bool,
}

impl Sampler {
    /// True if floating-point coordinates lie in [0, 1): always, on an H200, if there are several mipmap levels.
    pub fn is_normalized(&self, image: &Image) -> bool {
        self.has_normalized_coordinates || image.levels.len() > 1
    }
}

/// The choice of mipmap levels, in 256ths of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), derive(serde::Serialize, serde::Deserialize))]
pub struct MipmapFilter {
    /// Interpolates between two levels; else a read takes the nearest one.
    pub is_linear: bool,
    pub bias: i32,
    pub min_clamp: i32,
    pub max_clamp: i32,
}

/// The addressing mode: the result of a read outside the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), serde(rename_all = "kebab-case"))]
pub enum AddressMode {
    Wrap,
    /// The texel at the edge.
    #[default]
    Clamp,
    Mirror,
    /// The border colour.
    Border,
}

impl Image {
    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u32 {
        self.channel.bytes() * self.channels
    }

    /// The largest level.
    pub fn base(&self) -> MipLevel {
        self.levels.first().copied().unwrap_or_default()
    }
}

/// The texture and surface objects of a device, by handle.
#[derive(Clone, Debug, Default)]
pub struct Images {
    by_handle: BTreeMap<u64, Image>,
}

impl Images {
    /// Adds an object under a handle of the host's choice. Returns false if the handle is taken.
    pub fn add(&mut self, handle: u64, image: Image) -> bool {
        let is_free = !self.by_handle.contains_key(&handle);
        if is_free {
            self.by_handle.insert(handle, image);
        }
        is_free
    }

    pub fn remove(&mut self, handle: u64) -> Option<Image> {
        self.by_handle.remove(&handle)
    }

    pub fn get(&self, handle: u64) -> Option<&Image> {
        self.by_handle.get(&handle)
    }

    pub fn texture(&self, handle: u64) -> Option<(&Image, &Sampler)> {
        let image = self.by_handle.get(&handle)?;
        Some((image, image.sampler.as_ref()?))
    }

    pub fn surface(&self, handle: u64) -> Option<&Image> {
        self.by_handle.get(&handle).filter(|image| image.sampler.is_none())
    }

    pub fn all(&self) -> impl Iterator<Item = (u64, &Image)> {
        self.by_handle.iter().map(|(handle, image)| (*handle, image))
    }
}

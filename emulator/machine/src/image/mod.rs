//! Texture and surface objects, by handle (CUDA C++ Programming Guide, "Texture Object API" and "Surface
//! Object API"), without the memory that it describes.
//!
//! A device has a table of them. [`point`] finds the texels that a texture read touches, and their weights; [`texel`]
//! turns their bits into a result. The memory itself is read and written as any global memory is.
//!
//! Left out: mipmaps, anisotropic filtering, sRGB, seamless cube maps, compressed formats. The driver refuses objects
//! that ask for them.

pub mod point;
pub mod texel;

use std::collections::BTreeMap;
use texel::Channel;

/// A texture or surface object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Image {
    /// The address of texel (0, 0, 0).
    pub address: u64,
    /// Texels in a row, rows in a slice, and slices: those of a volume, layers, or faces of cube maps. 0 if the memory
    /// has no such dimension.
    pub extent: [u32; 3],
    /// Bytes from one row to the next, and from one slice to the next.
    pub pitch: u64,
    pub slice: u64,
    pub channel: Channel,
    /// 1, 2 or 4.
    pub channels: u32,
    /// True for linear memory without a pitch: reads outside it give zeros, whatever the address mode.
    pub is_linear_memory: bool,
    /// `None` for a surface object.
    pub sampler: Option<Sampler>,
}

/// Sampling parameters of a texture object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Sampler {
    /// By axis.
    pub modes: [AddressMode; 3],
    /// Interpolates between texels; else a read gives the nearest texel.
    pub is_linear: bool,
    /// Coordinates lie in [0, 1) instead of [0, size).
    pub has_normalized_coordinates: bool,
    /// Integers of 8 and 16 bits are read as numbers in [0, 1] or [-1, 1].
    pub reads_normalized: bool,
    /// The bits of four `f32`.
    pub border: [u32; 4],
}

/// The addressing mode: the result of a read outside the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
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

    /// The size along an axis, at least 1.
    pub fn size(&self, axis: usize) -> u32 {
        self.extent[axis].max(1)
    }

    /// The address of a texel inside the object.
    pub fn address_of(&self, [x, y, z]: [u32; 3]) -> u64 {
        let offset = u64::from(x) * u64::from(self.texel_bytes());
        // A handle may describe anything: addresses are checked where they are used.
        let rows = u64::from(y).wrapping_mul(self.pitch);
        let slices = u64::from(z).wrapping_mul(self.slice);
        self.address.wrapping_add(offset).wrapping_add(rows).wrapping_add(slices)
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

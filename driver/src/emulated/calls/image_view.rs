//! Resource views of texture objects (CUDA Driver API, `cuTexObjectCreate`): an array in another format of the same
//! size, some of its mipmap levels, or some of its layers.

use super::image::number;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::objects::View;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Channel, Image};
use std::ptr::addr_of;

/// The first and the last of the block-compressed formats (`CUresourceViewFormat`).
const COMPRESSED: std::ops::RangeInclusive<u32> = 25..=34;

/// # Safety
/// `view` is the caller's.
pub(super) unsafe fn read(view: *const CUDA_RESOURCE_VIEW_DESC) -> View {
    // SAFETY: the caller's struct, read field by field; the runtime's has no more than these.
    unsafe {
        View {
            format: number!((*view).format),
            extent: [(*view).width, (*view).height, (*view).depth],
            levels: [(*view).firstMipmapLevel, (*view).lastMipmapLevel],
            layers: [(*view).firstLayer, (*view).lastLayer],
        }
    }
}

/// A channel's format and the number of channels.
fn format(number: u32, image: &Image) -> CallResult<(Channel, u32)> {
    use Channel::*;
    if COMPRESSED.contains(&number) && image.channel == U32 && image.channels > 1 {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    // Each has one, two and four channels.
    let channels = [U8, S8, U16, S16, U32, S32, F16, F32];
    let of = number.checked_sub(1).ok_or(CUDA_ERROR_INVALID_VALUE)? as usize;
    let channel = channels.get(of / 3).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    Ok((*channel, 1 << (of % 3)))
}

/// The image that a texture object has with this view.
pub(super) fn viewed(image: Image, view: &View, is_layered: bool) -> CallResult<Image> {
    let base = image.base();
    let (channel, channels) = format(view.format, &image)?;
    let is_whole = view.extent == base.extent.map(|size| size as usize);
    if !is_whole || channel.bytes() * channels != image.texel_bytes() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let [first, last] = view.levels;
    let (first, last) = (first as usize, (last as usize).min(image.levels.len() - 1));
    let mut levels = image.levels.get(first..=last).unwrap_or_default().to_vec();
    let [from, to] = view.layers;
    if levels.is_empty() || from > to || !is_layered && to > 0 || is_layered && from >= base.extent[2] {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if is_layered {
        for level in &mut levels {
            level.address += u64::from(from) * level.slice;
            level.extent[2] = to.min(level.extent[2] - 1) + 1 - from;
        }
    }
    Ok(Image { levels, channel, channels, ..image })
}

/// The struct that a view was made of.
pub(super) fn written(view: &View) -> CUDA_RESOURCE_VIEW_DESC {
    // SAFETY: numbers, and the first value of an enum.
    let mut all: CUDA_RESOURCE_VIEW_DESC = unsafe { std::mem::zeroed() };
    // SAFETY: the number was checked when the object was made.
    unsafe { std::ptr::addr_of_mut!(all.format).cast::<u32>().write(view.format) };
    [all.width, all.height, all.depth] = view.extent;
    [all.firstMipmapLevel, all.lastMipmapLevel] = view.levels;
    [all.firstLayer, all.lastLayer] = view.layers;
    all
}

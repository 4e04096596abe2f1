//! Texture and surface objects over a buffer: `// image: NAME FORMAT CHANNELS WIDTH[,HEIGHT[,DEPTH]] WORD...`.
//!
//! The words: `surface`, `linear` (filtering), `normalized` (coordinates), `fractions` (integers are read as numbers),
//! `memory` (linear memory), and `wrap`, `clamp`, `mirror` or `border` for all axes. With `levels` the buffer has all
//! mipmap levels of a plane, one after the other, and `linear-levels` filters between them.

use emulator::{AddressMode, Channel, Device, Image, MemoryError, MipLevel, MipmapFilter, Sampler};

/// Returns the object that a file has in place of the buffer at `address`.
pub fn over(ptx: &str, name: &str, address: u64) -> Option<Image> {
    let mut lines = ptx.lines().filter_map(|line| line.strip_prefix("// image:"));
    let words: Vec<&str> = lines.find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[0] == name).then_some(words)
    })?;
    let channel = channel(words[1]);
    let channels = words[2].parse().expect("a number of channels");
    let mut extent = [0_u32; 3];
    for (size, text) in extent.iter_mut().zip(words[3].split(',')) {
        *size = text.parse().expect("a size");
    }
    let is = |word: &str| words[4..].contains(&word);
    let mode = match () {
        () if is("wrap") => AddressMode::Wrap,
        () if is("mirror") => AddressMode::Mirror,
        () if is("border") => AddressMode::Border,
        () => AddressMode::Clamp,
    };
    let sampler = Sampler {
        modes: [mode; 3],
        is_linear: is("linear"),
        has_normalized_coordinates: is("normalized"),
        reads_normalized: is("fractions"),
        border: [0; 4],
        mipmap: MipmapFilter {
            is_linear: is("linear-levels"),
            bias: 0,
            min_clamp: 0,
            max_clamp: 256 * extent[0].ilog2() as i32,
        },
        is_srgb: false,
        is_seamless: false,
    };
    let mut levels = Vec::new();
    let mut begin = address;
    let most = if is("levels") { extent[0].ilog2() } else { 0 };
    for nth in 0..=most {
        let extent = extent.map(|size| if size == 0 { 0 } else { (size >> nth).max(1) });
        let pitch = u64::from(extent[0] * channels * channel.bytes());
        let slice = pitch * u64::from(extent[1].max(1));
        levels.push(MipLevel { address: begin, extent, pitch, slice });
        begin += slice;
    }
    Some(Image {
        levels,
        channel,
        channels,
        is_linear_memory: is("memory"),
        sampler: (!is("surface")).then_some(sampler),
    })
}

/// Makes the object; returns its handle.
pub fn make(device: &mut Device, image: Image) -> Result<u64, MemoryError> {
    // No address.
    let handle = image.levels[0].address >> 9;
    device.add_image(handle, image).map(|()| handle)
}

fn channel(name: &str) -> Channel {
    match name {
        "u8" => Channel::U8,
        "u16" => Channel::U16,
        "u32" => Channel::U32,
        "s8" => Channel::S8,
        "s16" => Channel::S16,
        "s32" => Channel::S32,
        "f16" => Channel::F16,
        "f32" => Channel::F32,
        other => panic!("`{other}` is no format"),
    }
}

//! The result of a texture read, of the texels that it touches.

use super::texel::{Channel, rounded_to_half};
use super::{Image, Sampler, srgb};

/// A texel of a read.
#[derive(Clone, Copy, Debug)]
pub struct Texel {
    /// Its number in the footprint. In a gather, those from 4 on make the one of a cube map's corner that is missing.
    pub nth: usize,
    pub is_of_second_level: bool,
    /// In 256ths.
    pub weight: u32,
    /// The bits of its channels; `None` is the border.
    pub bits: Option<[u32; 4]>,
}

impl Texel {
    /// The number of its slice among all of the read: two in each level.
    fn slice(&self) -> usize {
        2 * usize::from(self.is_of_second_level) + usize::from(self.nth >= 4)
    }
}

/// Returns the four channels of a read, or one channel of four texels: that which `gathers` says.
pub fn result(image: &Image, sampler: &Sampler, texels: &[Texel], gathers: Option<usize>) -> [u32; 4] {
    let filter = Filter { image, sampler };
    let Some(channel) = gathers else { return std::array::from_fn(|channel| filter.filtered(texels, channel)) };
    let mut all = [0; 4];
    // Counterclockwise from the lower left.
    let places = [3, 2, 0, 1];
    for texel in texels {
        if let Some(&place) = places.get(texel.nth) {
            all[place] = filter.one(texel, channel);
        }
    }
    let of_corner: Vec<Texel> = texels.iter().filter(|texel| texel.nth >= places.len()).copied().collect();
    if !of_corner.is_empty() {
        let missing = (0..places.len()).find(|&nth| texels.iter().all(|texel| texel.nth != nth));
        all[missing.map_or(0, |nth| places[nth])] = filter.filtered(&of_corner, channel);
    }
    all
}

struct Filter<'a> {
    image: &'a Image,
    sampler: &'a Sampler,
}

impl Filter<'_> {
    fn is_number(&self) -> bool {
        self.image.channel.gives_float(self.sampler.reads_normalized)
    }

    fn is_filtered(&self) -> bool {
        self.sampler.is_linear || self.sampler.mipmap.is_linear
    }

    /// True for the channels of sRGB-encoded bytes but the last of two or four.
    fn is_srgb(&self, channel: usize) -> bool {
        let channels = self.image.channels as usize;
        let is_alpha = channels > 1 && channel + 1 == channels;
        let is_encoded = self.sampler.is_srgb && self.sampler.reads_normalized && self.image.channel == Channel::U8;
        is_encoded && self.has(channel) && !is_alpha
    }

    fn filtered(&self, texels: &[Texel], channel: usize) -> u32 {
        match texels {
            [] => 0,
            [texel] if !self.is_filtered() || !self.is_number() => self.one(texel, channel),
            // Integers are interpolated between mipmap levels.
            _ if !self.is_number() => {
                let sum: i64 = texels.iter().map(|it| i64::from(it.weight) * self.widened(it, channel)).sum();
                // Seen on an H200: small ones are rounded, and those of 32 bits are cut off.
                let half = if self.image.channel.bytes() < 4 { 128 } else { 0 };
                ((sum + half) >> 8) as u32
            }
            _ if self.is_srgb(channel) => {
                let of_slice = |slice: usize| texels.iter().filter(move |texel| texel.slice() == slice);
                let bytes = |slice: usize| of_slice(slice).map(|it| (it.weight, self.byte(it, channel)));
                let sum: f64 = (0..4).map(|slice| srgb::sum(bytes(slice))).sum();
                rounded_to_half(sum / 256.0)
            }
            _ => {
                let sum = texels.iter().map(|it| f64::from(it.weight) * self.number(it, channel)).sum();
                self.image.channel.result(sum, true)
            }
        }
    }

    /// One texel as it is.
    fn one(&self, texel: &Texel, channel: usize) -> u32 {
        match self.is_number() {
            true if self.is_srgb(channel) => (srgb::decoded(self.byte(texel, channel)) as f32).to_bits(),
            true => self.image.channel.result(256.0 * self.number(texel, channel), false),
            false => self.integer(texel, channel),
        }
    }

    /// On a GPU 0 is all that a channel has which the format lacks.
    fn has(&self, channel: usize) -> bool {
        channel < self.image.channels as usize
    }

    /// In steps of the format.
    fn number(&self, texel: &Texel, channel: usize) -> f64 {
        match texel.bits {
            _ if !self.has(channel) => 0.0,
            None if self.image.is_linear_memory => 0.0,
            None => self.image.channel.border(self.sampler.border[channel]),
            Some(bits) => self.image.channel.number(bits[channel]),
        }
    }

    /// An sRGB-encoded channel.
    fn byte(&self, texel: &Texel, channel: usize) -> u8 {
        match texel.bits {
            None if self.image.is_linear_memory => 0,
            None => srgb::encoded(f32::from_bits(self.sampler.border[channel])),
            Some(bits) => bits[channel] as u8,
        }
    }

    fn widened(&self, texel: &Texel, channel: usize) -> i64 {
        let integer = self.integer(texel, channel);
        if self.image.channel.is_signed() { (integer as i32).into() } else { integer.into() }
    }

    fn integer(&self, texel: &Texel, channel: usize) -> u32 {
        match texel.bits {
            _ if !self.has(channel) => 0,
            None if self.image.is_linear_memory => 0,
            None => self.image.channel.integer(self.sampler.border[channel]),
            Some(bits) => self.image.channel.integer(bits[channel]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MipmapFilter;
    use super::*;

    fn image(channel: Channel, channels: u32) -> Image {
        Image { levels: Vec::new(), channel, channels, is_linear_memory: false, sampler: None }
    }

    fn texel(nth: usize, weight: u32, bits: u32) -> Texel {
        Texel { nth, is_of_second_level: false, weight, bits: Some([bits; 4]) }
    }

    #[test]
    fn integers_are_interpolated_between_levels() {
        let sampler =
            Sampler { mipmap: MipmapFilter { is_linear: true, ..MipmapFilter::default() }, ..Sampler::default() };
        let texels = [texel(0, 180, 18), texel(0, 76, 1005)];
        assert_eq!(result(&image(Channel::U32, 1), &sampler, &texels, None), [311, 0, 0, 0]);
        let texels = [texel(0, 128, 1), texel(0, 128, -4_i32 as u32)];
        assert_eq!(result(&image(Channel::S32, 1), &sampler, &texels, None)[0] as i32, -2);
        let texels = [texel(0, 192, 6), texel(0, 64, 100)];
        assert_eq!(result(&image(Channel::U8, 1), &sampler, &texels, None)[0], 30);
    }

    #[test]
    fn the_last_channel_of_two_is_not_encoded() {
        let sampler = Sampler { is_srgb: true, reads_normalized: true, ..Sampler::default() };
        let given = result(&image(Channel::U8, 2), &sampler, &[texel(0, 256, 101)], None);
        assert_eq!(given.map(f32::from_bits), [0.129_882_81, 101.0 / 255.0, 0.0, 0.0]);
    }

    /// An H200 gives these numbers.
    #[test]
    fn a_gather_at_a_corner_takes_a_mean_of_three() {
        let sampler = Sampler { is_linear: true, is_seamless: true, ..Sampler::default() };
        let [a, b, c] = [0xc2df_7a00, 0x42ad_2c00, 0xc2a4_3a00];
        let texels = [texel(0, 256, c), texel(1, 256, b), texel(3, 256, a)].into_iter();
        let of_corner = [texel(4, 86, c), texel(5, 85, b), texel(6, 85, a)];
        let all: Vec<Texel> = texels.chain(of_corner).collect();
        assert_eq!(result(&image(Channel::F32, 1), &sampler, &all, Some(0)), [0xc20f_bec4, a, b, c]);
    }
}

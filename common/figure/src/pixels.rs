//! A picture as its pixels, and the PNG of it.

/// Red, green and blue of each pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    colours: Vec<[u8; 3]>,
}

impl Pixels {
    pub fn from_fn(width: u32, height: u32, mut colour: impl FnMut(u32, u32) -> [u8; 3]) -> Pixels {
        let mut colours = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            colours.extend((0..width).map(|x| colour(x, y)));
        }
        Pixels { width, height, colours }
    }

    fn index(&self, x: u32, y: u32) -> usize {
        assert!(x < self.width && y < self.height, "({x}, {y}) is outside {} x {}", self.width, self.height);
        y as usize * self.width as usize + x as usize
    }

    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.colours[self.index(x, y)]
    }

    pub fn at_mut(&mut self, x: u32, y: u32) -> &mut [u8; 3] {
        let index = self.index(x, y);
        &mut self.colours[index]
    }

    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.colours.as_flattened())?;
        writer.finish()?;
        Ok(file)
    }
}

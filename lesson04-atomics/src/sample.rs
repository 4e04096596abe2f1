//! The input of histogram and filter unless `--input FILE` says otherwise: a full moon over hills, 512 by 384 greys.
//!
//! Drawn here, so that it is free to share, and in whole numbers only, so that every machine draws the same
//! bytes: `cargo run -p lesson04-atomics --example make_sample > lesson04-atomics/data/sample.pgm`.

/// The picture as it lies in the repository.
pub const FILE: &[u8] = include_bytes!("../data/sample.pgm");

const WIDTH: i32 = 512;
const HEIGHT: i32 = 384;

/// The picture as a binary PGM file.
pub fn pgm() -> Vec<u8> {
    let mut file = format!("P5\n{WIDTH} {HEIGHT}\n255\n").into_bytes();
    file.extend((0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| grey(x, y))));
    file
}

fn grey(x: i32, y: i32) -> u8 {
    let shade = if y > ridge(x, 150, 60) + 250 {
        30 + (y - 250) / 6 // The near hills, darkest.
    } else if y > ridge(x + 77, 210, 90) + 190 {
        70 + (y - 190) / 5 // The far hills.
    } else {
        moon(x - 350, y - 110).unwrap_or(110 + y / 3) // The sky, brighter towards the ground.
    };
    // Film grain: a photograph's greys are never all alike.
    (shade + grain(x, y) % 13 - 6).clamp(0, 255) as u8
}

/// A triangle wave of this length and height, and a shorter one on top of it.
fn ridge(x: i32, length: i32, height: i32) -> i32 {
    let wave = |x: i32, length: i32| (x % length - length / 2).abs() * 2;
    (wave(x, length) * height / length + wave(x, 34) * 12 / 34) / 2
}

/// A lit ball: brightest in the middle, with a few dark seas.
fn moon(x: i32, y: i32) -> Option<i32> {
    const RADIUS: i32 = 70;
    let depth = (RADIUS * RADIUS - x * x - y * y).checked_isqrt()?;
    let sea =
        [(-20, -15, 18), (15, 5, 12), (-5, 30, 14)].iter().any(|(u, v, r)| (x - u).pow(2) + (y - v).pow(2) < r * r);
    Some(150 + depth * 105 / RADIUS - if sea { 45 } else { 0 })
}

/// A hash of the place, 0 or more.
fn grain(x: i32, y: i32) -> i32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    (h >> 17) as i32
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_file_is_what_is_drawn_here() {
        assert!(super::pgm() == super::FILE, "data/sample.pgm is out of step: draw it again");
    }
}

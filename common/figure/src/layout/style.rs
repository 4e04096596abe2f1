//! Colours and marks. Whatever a colour tells apart is told apart by something else too.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

pub const INK: Colour = Colour([0x22, 0x22, 0x22]);
pub const GREY: Colour = Colour([0x55, 0x55, 0x55]);
pub const GRID: Colour = Colour([0xdd, 0xdd, 0xdd]);
pub const PAPER: Colour = Colour([0xff, 0xff, 0xff]);

/// Told apart also by those who do not see red or green (after Okabe and Ito).
const COLOURS: [Colour; 7] = [
    Colour([0x00, 0x72, 0xb2]),
    Colour([0xd5, 0x5e, 0x00]),
    Colour([0x00, 0x9e, 0x73]),
    Colour([0xcc, 0x79, 0xa7]),
    Colour([0xe6, 0x9f, 0x00]),
    Colour([0x56, 0xb4, 0xe9]),
    Colour([0x7a, 0x5c, 0x3e]),
];

const PEERS: [Colour; 3] = [Colour([0x22, 0x22, 0x22]), Colour([0x80, 0x80, 0x80]), Colour([0xa8, 0xa8, 0xa8])];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkerShape {
    pub outline: Outline,
    pub is_hollow: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    Circle,
    Square,
    Triangle,
    Diamond,
    /// On its tip.
    Hanging,
}

const OUTLINES: [Outline; 5] =
    [Outline::Circle, Outline::Square, Outline::Triangle, Outline::Diamond, Outline::Hanging];

impl Outline {
    /// Around the middle; none for a circle. `size` is what a circle's radius would be.
    pub fn corners(self, size: f64) -> Vec<(f64, f64)> {
        let corners: &[(f64, f64)] = match self {
            Outline::Circle => &[],
            Outline::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Outline::Triangle => &[(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)],
            Outline::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            Outline::Hanging => &[(0.0, 1.2), (1.15, -0.9), (-1.15, -0.9)],
        };
        corners.iter().map(|&(x, y)| (x * size, y * size)).collect()
    }
}

/// Returns the look of the `nth` series, peers and others being counted separately: no two of 35 alike.
pub fn look(nth: usize, is_peer: bool) -> (Colour, MarkerShape) {
    if is_peer {
        let outline = OUTLINES[(nth + 1) % OUTLINES.len()];
        return (PEERS[nth % PEERS.len()], MarkerShape { outline, is_hollow: true });
    }
    let is_hollow = nth / OUTLINES.len() % 2 == 1;
    (COLOURS[nth % COLOURS.len()], MarkerShape { outline: OUTLINES[nth % OUTLINES.len()], is_hollow })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_series_look_alike() {
        let mut looks: Vec<_> = (0..20).map(|nth| look(nth, false)).chain((0..3).map(|nth| look(nth, true))).collect();
        while let Some(one) = looks.pop() {
            assert!(!looks.contains(&one), "{one:?}");
        }
        // Those that come first differ in shape and in colour.
        for nth in 1..5 {
            let (colour, shape) = look(nth, false);
            assert!((0..nth).map(|other| look(other, false)).all(|other| other.0 != colour && other.1 != shape));
        }
    }
}

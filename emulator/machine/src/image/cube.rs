//! Faces of cube maps (CUDA C++ Programming Guide, "Cubemap Textures").
//!
//! The guide leaves open which face a direction has that is as far along two axes: here the last of them.

/// The filtering at the edge of a face.
#[derive(Clone, Copy, Debug)]
pub enum Edge {
    /// Reads stay in the face.
    Clamped,
    /// Reads go on in the face next to it: of the cube map whose first face is slice `first`.
    Seamless { face: u32, first: u32 },
}

/// The face of a cube map that a direction meets, and where.
pub fn face(direction: [f32; 3]) -> (u32, f32, f32) {
    // An H200 multiplies by a reciprocal, which is 0 where it would be subnormal.
    const FAR: f32 = f32::MAX / 4.0;
    let is_near = direction.iter().all(|it| it.abs() < FAR);
    let [x, y, z] = if is_near { direction } else { [0.0; 3] };
    let (far_x, far_y, far_z) = (x.abs(), y.abs(), z.abs());
    let (face, m, s, t) = if far_z >= far_x && far_z >= far_y {
        if z < 0.0 { (5, far_z, -x, -y) } else { (4, far_z, x, -y) }
    } else if far_y >= far_x {
        if y < 0.0 { (3, far_y, x, -z) } else { (2, far_y, x, z) }
    } else if x < 0.0 {
        (1, far_x, z, -y)
    } else {
        (0, far_x, -z, -y)
    };
    // An H200 takes no direction at all for the middle of a face.
    let m = if m == 0.0 { 1.0 } else { m };
    (face, (s / m + 1.0) / 2.0, (t / m + 1.0) / 2.0)
}

/// The direction that meets a face at a place from -1 to 1.
fn direction(face: u32, [s, t]: [f32; 2]) -> [f32; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// The texel that lies beyond the edge of a face: its face, column and row. One of the coordinates is outside the face.
pub fn neighbor(from: u32, at: [i64; 2], size: u32) -> (u32, [u32; 2]) {
    let texels = size as f32;
    // Little enough beyond the edge that the other coordinate stays in its texel.
    let beyond = 1.0 + 1.0 / (4.0 * texels);
    let place = at.map(|at| match at {
        ..0 => -beyond,
        at if at >= i64::from(size) => beyond,
        at => (2.0 * at as f32 + 1.0) / texels - 1.0,
    });
    let (to, u, v) = face(direction(from, place));
    (to, [u, v].map(|at| ((at * texels) as u32).min(size - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_meets_a_face() {
        for (direction, want) in [
            ([1.0, 0.0, 0.0], (0, 0.5, 0.5)),
            ([-2.0, 0.0, 1.0], (1, 0.75, 0.5)),
            ([0.0, 1.0, 0.5], (2, 0.5, 0.75)),
            ([0.0, -1.0, 0.5], (3, 0.5, 0.25)),
            ([0.5, 0.0, 1.0], (4, 0.75, 0.5)),
            ([0.5, 0.0, -1.0], (5, 0.25, 0.5)),
            // Seen on an H200.
            ([f32::INFINITY, 1.0, 0.0], (4, 0.5, 0.5)),
            ([0.0, f32::NAN, 1.0], (4, 0.5, 0.5)),
            ([3e38, 0.0, 0.0], (4, 0.5, 0.5)),
        ] {
            assert_eq!(face(direction), want, "{direction:?}");
        }
    }

    #[test]
    fn a_neighbor_of_a_neighbor_is_the_texel_itself() {
        for face in 0..6 {
            for along in 0..8 {
                for (outside, edge) in [([-1, along], [0, along]), ([8, along], [7, along]), ([along, 8], [along, 7])] {
                    let (next, [x, y]) = neighbor(face, outside, 8);
                    // Seen from there, the texel lies beyond one of the edges.
                    let [x, y] = [x.into(), y.into()];
                    let back = [[-1, y], [8, y], [x, -1], [x, 8]].map(|at| neighbor(next, at, 8));
                    let edge = edge.map(|at| at as u32);
                    assert!(next != face && back.contains(&(face, edge)), "{face} {outside:?}: {next} {x} {y}");
                }
            }
        }
    }
}

//! Matrix descriptors (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout").
//!
//! An operand in shared memory consists of pieces of 16 bytes. K-major, a piece has consecutive elements of one row of
//! `a`, or of one column of `b`. MN-major, it has the elements of one `k` in consecutive rows or columns. The layouts
//! are those of the ISA's table of canonical layouts, whose unit is one piece.
//!
//! Swizzling exchanges pieces: an exclusive or of address bits 4 and up with bits 7 and up. The hardware computes it on
//! addresses, so a descriptor may begin in the middle of a pattern. The base offset is subtracted from bits 7 to 9,
//! for patterns that do not begin where these bits are 0. The ISA says how to compute it, not how it is used.

/// Bytes of a piece.
pub const PIECE: u64 = 16;

/// A matrix descriptor, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixDescriptor {
    pub start: u64,
    /// Byte offsets.
    pub leading: u64,
    pub stride: u64,
    pub base_offset: u64,
    /// Pieces in a row of the swizzle's pattern: 1 (none), 2, 4 or 8.
    pub width: u64,
}

impl MatrixDescriptor {
    pub fn new(bits: u64) -> MatrixDescriptor {
        let field = |at: u32| (bits >> at & 0x3fff) << 4;
        MatrixDescriptor {
            start: field(0),
            leading: field(16),
            stride: field(32),
            base_offset: bits >> 49 & 7,
            width: [1, 8, 4, 2][(bits >> 62) as usize],
        }
    }

    /// Returns the address of piece `along` of row (or column) `mn`: K-major.
    pub fn k_major(&self, mn: u64, along: u64) -> u64 {
        let (row, eights) = (mn % 8, mn / 8);
        let step = if self.width == 1 { self.leading } else { PIECE };
        self.swizzle(row * self.width * PIECE + eights * self.stride + along * step)
    }

    /// Returns the address of piece `along` of the rows (or columns), at `k`: MN-major.
    pub fn mn_major(&self, along: u64, k: u64) -> u64 {
        let (piece, group) = (along % self.width, along / self.width);
        let (per_group, per_eight) = match self.width {
            1 => (self.stride, self.leading),
            _ => (self.leading, self.stride),
        };
        let within = (piece + k % 8 * self.width) * PIECE;
        self.swizzle(within + group * per_group + k / 8 * per_eight)
    }

    fn swizzle(&self, offset: u64) -> u64 {
        let address = self.start + offset;
        let row = (address >> 7).wrapping_sub(self.base_offset) & (self.width - 1);
        address ^ row << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(swizzle: u64, leading: u64, stride: u64) -> MatrixDescriptor {
        MatrixDescriptor::new(0x4000 >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | swizzle << 62)
    }

    /// The ISA's examples of canonical layouts, in bytes.
    #[test]
    fn pieces_lie_where_the_examples_of_the_isa_have_them() {
        let (start, none) = (0x4000, descriptor(0, 256, 128));
        // K-major, tf32: ((8,2),(4,4)):((4,32),(1,64)).
        assert_eq!(none.k_major(3, 0), start + 3 * 16);
        assert_eq!(none.k_major(9, 1), start + 16 + 128 + 256);
        // K-major, 32B, tf32: ((8,2),(4,4)):((8,64),(1,4)); row 4 begins the second 128 bytes.
        let narrow = descriptor(3, 16, 256);
        assert_eq!(narrow.k_major(3, 1), start + 3 * 32 + 16);
        assert_eq!(narrow.k_major(4, 1), start + 4 * 32);
        assert_eq!(narrow.k_major(12, 0), start + 256 + 4 * 32 + 16);
        // MN-major, bf16: ((8,1,2),(8,2)):((1,8,64),(8,128)).
        assert_eq!(none.mn_major(1, 10), start + 128 + 2 * 16 + 256);
        // MN-major, 64B, bf16: ((8,4,2),(8,2)):((1,8,256),(32,512)).
        let half = descriptor(2, 512, 1024);
        assert_eq!(half.mn_major(5, 9), start + 16 + 512 + 64 + 1024);
        assert_eq!(half.mn_major(5, 10), start + 512 + 128 + 1024);
    }

    #[test]
    fn the_widest_pattern_exchanges_all_pieces_of_a_row() {
        let wide = descriptor(1, 16, 1024);
        for row in 0..8 {
            assert_eq!(wide.k_major(row, 1), 0x4000 + row * 128 + (1 ^ row) * 16);
        }
        // 32 bytes further along k, in the same pattern.
        let next = MatrixDescriptor { start: wide.start + 32, ..wide };
        assert_eq!(next.k_major(5, 1), 0x4000 + 5 * 128 + (3 ^ 5) * 16);
        // A pattern that begins 384 bytes after a boundary.
        let moved = MatrixDescriptor { start: 0x4180, base_offset: 3, ..wide };
        assert_eq!(moved.k_major(2, 0), 0x4180 + 2 * 128 + 2 * 16);
    }
}

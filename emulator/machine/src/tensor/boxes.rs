//! The bytes of a box: which bytes of global memory belong to which bytes of shared memory (PTX ISA, "Tiled Mode",
//! "Bounding Box", "Out-of-bound access", "Swizzling modes").
//!
//! A box lies in shared memory row by row, without gaps. A row that is shorter than the swizzle's span takes a whole
//! span. The swizzle permutes units of 16 bytes by their addresses.
//!
//! An H200 does more than the ISA says of the edge of a tensor. A store moves whole units: if the tensor's rows end
//! within one, it writes the rest too. A load zeroes that rest.

use super::{GRANULE, MOST_DIMENSIONS, TensorMap};

/// Bytes that lie together in both memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxSegment {
    /// The address in global memory; `None` outside the tensor.
    pub global: Option<u64>,
    pub shared: u64,
    pub bytes: u32,
}

/// The reason why a box cannot be copied: an H200 ends the launch with an illegal instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedBox {
    /// A row of the box begins within a unit of 16 bytes.
    Unaligned,
    /// A store begins at a negative coordinate.
    Negative,
}

/// Returns the segments of the box at `at`, whose first byte is at `shared`.
pub fn segments(
    map: &TensorMap,
    at: [i32; MOST_DIMENSIONS],
    shared: u64,
    is_store: bool,
) -> Result<Vec<BoxSegment>, RefusedBox> {
    let element = i64::from(map.element.bytes());
    let rank = map.rank as usize;
    if (i64::from(at[0]) * element) % GRANULE as i64 != 0 {
        return Err(RefusedBox::Unaligned);
    }
    if is_store && at[..rank].iter().any(|&at| at < 0) {
        return Err(RefusedBox::Negative);
    }
    let row = BoxRow {
        begin: i64::from(at[0]) * element,
        bytes: map.count(0) * map.element.bytes(),
        // Where the tensor's rows end.
        end: match map.extents[0] * u64::from(map.element.bytes()) {
            end if is_store => end.next_multiple_of(GRANULE) as i64,
            end => end as i64,
        },
    };
    let pitch = row.bytes.max(map.swizzle.span());
    let mut all = Vec::new();
    let counts: [u32; MOST_DIMENSIONS] = std::array::from_fn(|dimension| map.count(dimension));
    let rows: u32 = counts[1..].iter().product();
    for nth in 0..rows {
        let global = row_address(map, &at, &counts, nth);
        row.segments(map, global, shared + u64::from(nth) * u64::from(pitch), &mut all);
    }
    Ok(all)
}

/// Returns the address of coordinate 0 of the box's `nth` row; `None` if the row lies outside the tensor.
fn row_address(
    map: &TensorMap,
    at: &[i32; MOST_DIMENSIONS],
    counts: &[u32; MOST_DIMENSIONS],
    mut nth: u32,
) -> Option<u64> {
    let mut address = map.address;
    for dimension in 1..map.rank as usize {
        let index = i64::from(nth % counts[dimension]) * i64::from(map.steps[dimension]);
        nth /= counts[dimension];
        let coordinate = u64::try_from(i64::from(at[dimension]) + index).ok();
        let coordinate = coordinate.filter(|coordinate| *coordinate < map.extents[dimension])?;
        address = address.wrapping_add(coordinate.wrapping_mul(map.strides[dimension - 1]));
    }
    Some(address)
}

/// The rows of a box, in bytes of the tensor's rows.
struct BoxRow {
    begin: i64,
    bytes: u32,
    end: i64,
}

impl BoxRow {
    /// Adds the segments of one row. `global` is the address of the tensor's row.
    fn segments(&self, map: &TensorMap, global: Option<u64>, shared: u64, all: &mut Vec<BoxSegment>) {
        for unit in (0..self.bytes).step_by(GRANULE as usize) {
            let place = map.swizzle.place(shared + u64::from(unit));
            let begin = self.begin + i64::from(unit);
            let inside = if begin < 0 { 0 } else { (self.end - begin).clamp(0, GRANULE as i64) } as u32;
            match global {
                Some(row) if inside > 0 => {
                    push(
                        all,
                        BoxSegment { global: Some(row.wrapping_add(begin as u64)), shared: place, bytes: inside },
                    );
                    let rest = GRANULE as u32 - inside;
                    push(all, BoxSegment { global: None, shared: place + u64::from(inside), bytes: rest });
                }
                _ => push(all, BoxSegment { global: None, shared: place, bytes: GRANULE as u32 }),
            }
        }
    }
}

/// Adds a segment; to the last one if it follows that in both memories.
fn push(all: &mut Vec<BoxSegment>, new: BoxSegment) {
    if new.bytes == 0 {
        return;
    }
    if let Some(last) = all.last_mut()
        && last.shared + u64::from(last.bytes) == new.shared
        && last.global.map(|global| global + u64::from(last.bytes)) == new.global
    {
        last.bytes += new.bytes;
        return;
    }
    all.push(new);
}

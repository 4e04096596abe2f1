//! The number of blocks for a number of elements.

use common::check;

/// Threads of a block, where a kernel leaves the choice.
pub const BLOCK: u32 = 256;

/// Blocks of kernels that stride over their input: enough to fill a large GPU.
const MOST_BLOCKS: u32 = 1024;

/// A kernel's `unsigned n`. The kernels' contracts end at 2^31, so that an index plus a stride never wraps.
pub fn count(n: usize) -> anyhow::Result<u32> {
    check::at_most(n, 1 << 31)?;
    Ok(n as u32)
}

/// Blocks for one thread an element. A launch has at least one block, also for no elements.
pub fn covering(n: u32) -> u32 {
    n.div_ceil(BLOCK).max(1)
}

/// Blocks for threads that take an element each and then go on by the size of the grid.
pub fn striding(n: u32) -> u32 {
    covering(n).min(MOST_BLOCKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_its_thread_and_no_launch_is_empty() {
        for (n, blocks) in [(0, 1), (1, 1), (256, 1), (257, 2), (1 << 31, 1 << 23)] {
            assert_eq!(covering(n), blocks, "{n}");
            assert_eq!(striding(n), blocks.min(1024), "{n}");
        }
    }

    #[test]
    fn a_count_that_could_wrap_is_refused() {
        assert_eq!(count(1 << 31).unwrap(), 1 << 31);
        assert!(count((1 << 31) + 1).is_err());
        assert!(count(usize::MAX).is_err());
    }
}

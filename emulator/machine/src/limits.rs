//! What a launch may ask for (CUDA C++ Programming Guide, "Compute Capabilities", "Execution Configuration").

use crate::profile::Profile;
use crate::types::{Kernel, LaunchConfig, LaunchError};

/// Refuses what a real device would refuse; returns the blocks that can be resident at once. `most_shared` are the bytes of shared memory that a block may have.
pub fn check_shape(
    profile: &Profile,
    kernel: &Kernel,
    config: &LaunchConfig,
    most_shared: u32,
) -> Result<u64, LaunchError> {
    let invalid = |text: String| Err(LaunchError::InvalidConfiguration(text));
    let LaunchConfig { grid, block, dynamic_shared, cooperative } = config;
    for axis in 0..3 {
        let name = ["x", "y", "z"][axis];
        if grid[axis] == 0 || grid[axis] > profile.max_grid[axis] {
            return invalid(format!("grid.{name} is {}, allowed are 1 to {}", grid[axis], profile.max_grid[axis]));
        }
        if block[axis] == 0 || block[axis] > profile.max_block[axis] {
            return invalid(format!("block.{name} is {}, allowed are 1 to {}", block[axis], profile.max_block[axis]));
        }
    }
    let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
    let most = profile.threads_per_block.min(kernel.max_threads);
    if threads > u64::from(most) {
        return invalid(format!("the block has {threads} threads, `{}` allows {most}", kernel.name));
    }
    if let Some(required) = kernel.required_block.filter(|required| required != block) {
        return invalid(format!("`{}` requires blocks of {required:?}", kernel.name));
    }
    let shared = u64::from(kernel.shared_bytes) + u64::from(*dynamic_shared);
    if shared > u64::from(most_shared) {
        return invalid(format!("the block needs {shared} bytes of shared memory, it may have {most_shared}"));
    }
    let each = profile.resident_blocks(threads as u32, kernel.registers, shared as u32);
    if each == 0 {
        return Err(LaunchError::OutOfResources(format!("not one block of `{}` fits a multiprocessor", kernel.name)));
    }
    let resident = u64::from(each) * u64::from(profile.multiprocessors);
    let blocks: u64 = grid.iter().map(|&n| u64::from(n)).product();
    if *cooperative && blocks > resident {
        let text = format!("{blocks} blocks in a cooperative launch, where {resident} can be resident");
        return Err(LaunchError::CooperativeTooLarge(text));
    }
    Ok(resident)
}

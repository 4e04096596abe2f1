//! Limits of a launch (CUDA C++ Programming Guide, "Compute Capabilities", "Execution Configuration").

use crate::profile::Profile;
use crate::types::{Kernel, LaunchConfig, LaunchError};
use finding::ShapeError;

/// Refuses what a real device would refuse; returns the blocks that can be resident at once. `most_shared` are the
/// bytes of shared memory that a block may have.
pub fn check_shape(
    profile: &Profile,
    kernel: &Kernel,
    config: &LaunchConfig,
    most_shared: u32,
) -> Result<u64, LaunchError> {
    let invalid = |error: ShapeError| Err(LaunchError::InvalidConfiguration(error));
    let LaunchConfig { grid, block, dynamic_shared, cooperative, .. } = config;
    for axis in 0..3 {
        let (blocks, most) = (grid[axis], profile.max_grid[axis]);
        if blocks == 0 || blocks > most {
            return invalid(ShapeError::Grid { axis, blocks, most });
        }
        let (threads, most) = (block[axis], profile.max_block[axis]);
        if threads == 0 || threads > most {
            return invalid(ShapeError::Block { axis, threads, most });
        }
    }
    let name = || kernel.name.clone();
    let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
    let most = profile.threads_per_block.min(kernel.max_threads);
    if threads > u64::from(most) {
        return invalid(ShapeError::Threads { threads, kernel: name(), most });
    }
    if let Some(required) = kernel.required_block.filter(|required| required != block) {
        return invalid(ShapeError::RequiredBlock { kernel: name(), block: required });
    }
    let cluster = cluster_of(kernel, config)?;
    let shared = u64::from(kernel.shared_bytes) + u64::from(*dynamic_shared);
    if shared > u64::from(most_shared) {
        return invalid(ShapeError::SharedMemory { bytes: shared, most: most_shared });
    }
    let each = profile.resident_blocks(threads as u32, kernel.registers, shared as u32);
    if each == 0 {
        return Err(LaunchError::OutOfResources(ShapeError::NothingFits { kernel: name() }));
    }
    // All blocks of a cluster run side by side.
    let size: u64 = cluster.iter().map(|&n| u64::from(n)).product();
    let resident = (u64::from(each) * u64::from(profile.multiprocessors)).max(size);
    let blocks: u64 = grid.iter().map(|&n| u64::from(n)).product();
    if *cooperative && blocks > resident {
        return Err(LaunchError::CooperativeTooLarge(ShapeError::Cooperative { blocks, resident }));
    }
    Ok(resident)
}

/// The most blocks of a cluster on an H100 (CUDA C++ Programming Guide, "Thread Block Clusters"). A program that runs
/// on other GPUs too may not have more than 8: the driver asks a function's attribute before it launches more.
pub const MOST_IN_CLUSTER: u32 = 16;

/// Returns the blocks of a cluster along each axis: as compiled in, or else as the launch says.
pub fn cluster_of(kernel: &Kernel, config: &LaunchConfig) -> Result<[u32; 3], LaunchError> {
    let invalid = |error: ShapeError| Err(LaunchError::InvalidConfiguration(error));
    let asked = config.cluster.filter(|asked| *asked != [0; 3]);
    let cluster = match (kernel.required_cluster, asked) {
        (Some(required), Some(asked)) if required != asked => {
            return invalid(ShapeError::RequiredCluster { kernel: kernel.name.clone(), cluster: required });
        }
        (Some(cluster), _) | (None, Some(cluster)) => cluster,
        (None, None) if kernel.needs_cluster => {
            return invalid(ShapeError::MissingCluster { kernel: kernel.name.clone() });
        }
        (None, None) => [1; 3],
    };
    let blocks: u64 = cluster.iter().map(|&n| u64::from(n)).product();
    let most = kernel.most_in_cluster.unwrap_or(MOST_IN_CLUSTER).min(MOST_IN_CLUSTER);
    if blocks == 0 || blocks > u64::from(most) {
        return invalid(ShapeError::Cluster { blocks, most });
    }
    match (0..3).find(|&axis| !config.grid[axis].is_multiple_of(cluster[axis])) {
        Some(axis) => invalid(ShapeError::GridOfClusters { axis, blocks: config.grid[axis], cluster: cluster[axis] }),
        None => Ok(cluster),
    }
}

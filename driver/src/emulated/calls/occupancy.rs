//! Occupancy (CUDA Driver API, "Occupancy"), all from the profile's `resident_blocks`.
//!
//! The multiprocessors of a GPU stand in groups, and the blocks of a cluster run in one group. The profile does not
//! have these, so a GPU may hold fewer large clusters than is said here.

use super::function;
use super::launch_attributes::Attributes;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::context::objects::Function;
use crate::types::CUlaunchConfig;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Kernel, LaunchConfig, Profile, cluster_of};
use std::ffi::{c_int, c_uint};

/// Blocks of `threads` threads that one multiprocessor holds.
fn resident(kernel: &Kernel, profile: &Profile, threads: u32, dynamic_shared: usize) -> u32 {
    let shared = dynamic_shared.saturating_add(kernel.shared_bytes as usize);
    match u32::try_from(shared) {
        Ok(shared) if shared <= profile.shared_per_block_optin && threads <= kernel.max_threads => {
            profile.resident_blocks(threads, kernel.registers, shared)
        }
        _ => 0,
    }
}

pub(crate) unsafe fn active_blocks(
    blocks: *mut c_int,
    function: CUfunction,
    block_size: c_int,
    dynamic_shared: usize,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let blocks = unsafe { out(blocks)? };
    let (context, function) = function::resolve(function)?;
    let state = context.lock()?;
    if block_size <= 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let profile = state.device.profile();
    blocks.set(resident(state.function(function)?.kernel(), profile, block_size as u32, dynamic_shared) as c_int);
    Ok(())
}

fn check_flags(flags: c_uint) -> CallResult {
    if flags > CUoccupancy_flags_enum::CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE as u32 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

pub(crate) unsafe fn active_blocks_with_flags(
    blocks: *mut c_int,
    function: CUfunction,
    block_size: c_int,
    dynamic_shared: usize,
    flags: c_uint,
) -> CallResult {
    check_flags(flags)?;
    // SAFETY: passed on as it came.
    unsafe { active_blocks(blocks, function, block_size, dynamic_shared) }
}

/// The largest block size among those that keep the most threads resident, and the grid that fills the device with it.
pub(crate) unsafe fn potential_block_size(
    min_grid: *mut c_int,
    block_size: *mut c_int,
    function: CUfunction,
    shared_of_block: CUoccupancyB2DSize,
    dynamic_shared: usize,
    limit: c_int,
) -> CallResult {
    // SAFETY: out-pointers of the caller.
    let (min_grid, block_size) = unsafe { (out(min_grid)?, out(block_size)?) };
    let (context, function) = function::resolve(function)?;
    let (kernel, profile) = {
        let state = context.lock()?;
        (state.function(function)?.kernel().clone(), state.device.profile().clone())
    };
    // From here on the context is unlocked: the caller's function may use it.
    let most = profile.threads_per_block.min(kernel.max_threads);
    let most = if limit > 0 { most.min(limit as u32) } else { most };
    let warp = profile.warp_size;

    let (mut best_threads, mut best) = (0, (0, 0));
    // Whole warps from the top, and at first the limit itself where it is none.
    for threads in (1..=most.div_ceil(warp)).rev().map(|warps| (warps * warp).min(most)) {
        let shared = match shared_of_block {
            // SAFETY: the caller's function, for exactly this.
            Some(of_block) => unsafe { of_block(threads as c_int) },
            None => dynamic_shared,
        };
        let blocks = resident(&kernel, &profile, threads, shared);
        if blocks * threads > best_threads {
            best_threads = blocks * threads;
            best = (blocks * profile.multiprocessors, threads);
        }
    }
    min_grid.set(best.0 as c_int);
    block_size.set(best.1 as c_int);
    Ok(())
}

pub(crate) unsafe fn potential_block_size_with_flags(
    min_grid: *mut c_int,
    block_size: *mut c_int,
    function: CUfunction,
    shared_of_block: CUoccupancyB2DSize,
    dynamic_shared: usize,
    limit: c_int,
    flags: c_uint,
) -> CallResult {
    check_flags(flags)?;
    // SAFETY: passed on as it came.
    unsafe { potential_block_size(min_grid, block_size, function, shared_of_block, dynamic_shared, limit) }
}

/// Dynamic shared memory that each of so many blocks may have if one multiprocessor is to hold them all.
pub(crate) unsafe fn available_shared(
    bytes: *mut usize,
    function: CUfunction,
    blocks: c_int,
    block_size: c_int,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let bytes = unsafe { out(bytes)? };
    let (context, function) = function::resolve(function)?;
    let state = context.lock()?;
    let function = state.function(function)?;
    let (kernel, profile) = (function.kernel(), state.device.profile());
    if blocks <= 0 || block_size <= 0 || resident(kernel, profile, block_size as u32, 0) < blocks as u32 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // Shared memory is handed out in units of 128 bytes. What the system reserves in each block is not taken away (seen
    // on an H200).
    let share = profile.shared_per_multiprocessor / blocks as u32 / 128 * 128;
    let most = function.settings.max_dynamic_shared(kernel, profile);
    bytes.set(share.saturating_sub(kernel.shared_bytes).min(most) as usize);
    Ok(())
}

/// The largest cluster that a launch with this configuration can have; its own clusters do not count.
pub(crate) unsafe fn potential_cluster_size(
    size: *mut c_int,
    function: CUfunction,
    config: *const CUlaunchConfig,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let size = unsafe { out(size)? };
    // SAFETY: the caller's configuration.
    let (config, dynamic_shared) = unsafe { given(config)? };
    let (context, function) = function::resolve(function)?;
    let state = context.lock()?;
    let (function, profile) = (state.function(function)?, state.device.profile());
    let kernel = function.kernel();
    if kernel.needs_cluster && function.settings.cluster(config.cluster)?.is_none() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let room = room(function, profile, &config, dynamic_shared);
    let most = kernel.most_in_cluster.unwrap_or(u32::MAX).min(function.settings.most_in_cluster());
    size.set(most.min(room) as c_int);
    Ok(())
}

/// The clusters of a launch that the device holds at once.
pub(crate) unsafe fn active_clusters(
    clusters: *mut c_int,
    function: CUfunction,
    config: *const CUlaunchConfig,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let clusters = unsafe { out(clusters)? };
    // SAFETY: the caller's configuration.
    let (mut config, dynamic_shared) = unsafe { given(config)? };
    let (context, function) = function::resolve(function)?;
    let state = context.lock()?;
    let (function, profile) = (state.function(function)?, state.device.profile());
    let kernel = function.kernel();
    config.cluster = function.settings.cluster(config.cluster)?;
    if kernel.required_cluster.is_none() && config.cluster.is_none() && !kernel.needs_cluster {
        // As on an H200: a launch without clusters has none.
        clusters.set(0);
        return Ok(());
    }
    let cluster = cluster_of(kernel, &config).map_err(|_| CUDA_ERROR_INVALID_VALUE)?;
    let blocks = cluster.iter().product::<u32>();
    if blocks > function.settings.most_in_cluster() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    clusters.set((room(function, profile, &config, dynamic_shared) / blocks) as c_int);
    Ok(())
}

/// Blocks of a configuration that the device holds; none if it asks for more dynamic shared memory than the function
/// allows.
fn room(function: &Function, profile: &Profile, config: &LaunchConfig, dynamic_shared: usize) -> u32 {
    if dynamic_shared > function.settings.max_dynamic_shared(function.kernel(), profile) as usize {
        return 0;
    }
    let threads = config.block.iter().fold(1u32, |threads, side| threads.saturating_mul(*side));
    resident(function.kernel(), profile, threads, dynamic_shared) * profile.multiprocessors
}

/// Returns the caller's configuration, and its dynamic shared memory.
///
/// # Safety
/// Null or a configuration of the caller.
unsafe fn given(config: *const CUlaunchConfig) -> CallResult<(LaunchConfig, usize)> {
    if config.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    let wanted = unsafe { config.read_unaligned() };
    // SAFETY: the caller's list.
    let attributes = unsafe { Attributes::read(wanted.attrs, wanted.numAttrs as usize)? };
    let config = LaunchConfig {
        grid: [wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ],
        block: [wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ],
        dynamic_shared: wanted.sharedMemBytes,
        cooperative: false,
        cluster: attributes.cluster,
    };
    Ok((config, wanted.sharedMemBytes as usize))
}

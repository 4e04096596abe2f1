//! Attributes of a kernel ("Execution Control", "Occupancy").

use super::call::{Error, RuntimeResult, check, give};
use super::launch::{Config as LaunchConfig, resolve, with_driver_config};
use crate::cu::{self, Handle};
use crate::registry;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::sync::Mutex;

/// `cudaFuncAttributes`
#[repr(C)]
pub struct Attributes {
    shared: usize,
    constant: usize,
    local: usize,
    threads: c_int,
    registers: c_int,
    ptx: c_int,
    binary: c_int,
    cache_mode: c_int,
    most_dynamic_shared: c_int,
    carveout: c_int,
    cluster_must_be_set: c_int,
    required_cluster: [c_int; 3],
    cluster_policy: c_int,
    non_portable_cluster: c_int,
    reserved: [c_int; 16],
}

fn attribute(function: Handle, attribute: c_int) -> RuntimeResult<c_int> {
    let mut value = 0;
    // SAFETY: an out-pointer to a local, and a handle of the driver's.
    check(unsafe { cu::cuFuncGetAttribute(&mut value, attribute, function) }).map(|()| value)
}

pub unsafe fn attributes(attributes: *mut Attributes, stand_in: *const c_void) -> RuntimeResult {
    let function = resolve(stand_in)?;
    let number = |which| attribute(function, which);
    // The numbers of `CUfunction_attribute`.
    let found = Attributes {
        threads: number(0)?,
        shared: number(1)? as usize,
        constant: number(2)? as usize,
        local: number(3)? as usize,
        registers: number(4)?,
        ptx: number(5)?,
        binary: number(6)?,
        cache_mode: number(7)?,
        most_dynamic_shared: number(8)?,
        carveout: number(9)?,
        cluster_must_be_set: number(10)?,
        required_cluster: [number(11)?, number(12)?, number(13)?],
        cluster_policy: number(15)?,
        non_portable_cluster: number(14)?,
        reserved: [0; 16],
    };
    // SAFETY: an out-pointer of the caller.
    unsafe { give(attributes, found) }
}

pub unsafe fn set_attribute(stand_in: *const c_void, attribute: c_int, value: c_int) -> RuntimeResult {
    // Dynamic shared memory, how the cache is divided, and clusters.
    if !matches!(attribute, 8 | 9 | 11..=15) {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: a handle of the driver's.
    check(unsafe { cu::cuFuncSetAttribute(resolve(stand_in)?, attribute, value) })
}

pub unsafe fn set_cache_config(stand_in: *const c_void, config: c_int) -> RuntimeResult {
    // SAFETY: a handle of the driver's.
    check(unsafe { cu::cuFuncSetCacheConfig(resolve(stand_in)?, config) })
}

pub unsafe fn set_shared_config(stand_in: *const c_void, config: c_int) -> RuntimeResult {
    // SAFETY: a handle of the driver's.
    check(unsafe { cu::cuFuncSetSharedMemConfig(resolve(stand_in)?, config) })
}

/// The name stays where it is to the end of the program, as its caller may keep it.
pub unsafe fn name(name: *mut *const c_char, stand_in: *const c_void) -> RuntimeResult {
    static NAMES: Mutex<BTreeMap<usize, CString>> = Mutex::new(BTreeMap::new());
    let found = registry::function_name(stand_in as usize).ok_or(Error::INVALID_DEVICE_FUNCTION)?;
    let mut names = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let kept = names.entry(stand_in as usize).or_insert(found).as_ptr();
    // SAFETY: an out-pointer of the caller.
    unsafe { give(name, kept) }
}

pub unsafe fn active_blocks(
    blocks: *mut c_int,
    stand_in: *const c_void,
    block: c_int,
    shared: usize,
    flags: c_uint,
) -> RuntimeResult {
    let (function, mut found) = (resolve(stand_in)?, 0);
    // SAFETY: an out-pointer to a local, and a handle of the driver's.
    check(unsafe {
        cu::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&mut found, function, block, shared, flags)
    })?;
    // SAFETY: an out-pointer of the caller.
    unsafe { give(blocks, found) }
}

pub unsafe fn available_shared(
    shared: *mut usize,
    stand_in: *const c_void,
    blocks: c_int,
    block: c_int,
) -> RuntimeResult {
    let (function, mut found) = (resolve(stand_in)?, 0);
    // SAFETY: an out-pointer to a local, and a handle of the driver's.
    check(unsafe { cu::cuOccupancyAvailableDynamicSMemPerBlock(&mut found, function, blocks, block) })?;
    // SAFETY: an out-pointer of the caller.
    unsafe { give(shared, found) }
}

/// The largest cluster that a launch can have.
pub unsafe fn potential_cluster_size(
    size: *mut c_int,
    stand_in: *const c_void,
    config: *const LaunchConfig,
) -> RuntimeResult {
    let (function, mut found) = (resolve(stand_in)?, 0);
    // SAFETY: the caller's configuration; an out-pointer to a local, and a handle of the driver's.
    unsafe {
        with_driver_config(config, |config| {
            check(cu::cuOccupancyMaxPotentialClusterSize(&mut found, function, config))
        })?;
        give(size, found)
    }
}

/// The clusters that the device holds at once.
pub unsafe fn active_clusters(
    clusters: *mut c_int,
    stand_in: *const c_void,
    config: *const LaunchConfig,
) -> RuntimeResult {
    let (function, mut found) = (resolve(stand_in)?, 0);
    // SAFETY: as above.
    unsafe {
        with_driver_config(config, |config| check(cu::cuOccupancyMaxActiveClusters(&mut found, function, config)))?;
        give(clusters, found)
    }
}

/// Writes the offset of a parameter in the parameter block, and its bytes.
pub unsafe fn parameter(stand_in: *const c_void, index: usize, offset: *mut usize, size: *mut usize) -> RuntimeResult {
    // SAFETY: a handle of the driver's, and out-pointers of the caller.
    check(unsafe { cu::cuFuncGetParamInfo(resolve(stand_in)?, index, offset, size) })
}

//! Initialisation, version, and the one emulated device (CUDA Driver API, "Device Management").
//!
//! The version is that of CUDA 13.5: libraries that are built with a newer toolkit than the driver's do without it, or
//! make machine code themselves. PTX of newer versions is read where its instructions are known.

use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::{initialise, may_call};
use crate::emulated::context::state;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{CLOCK_RATE, Profile};
use std::ffi::{CStr, c_char, c_int, c_uint};

pub(crate) const DRIVER_VERSION: c_int = 13050;

/// A made-up address on a bus that no real GPU sits on.
const PCI_BUS_ID: &CStr = c"0000:00:00.0";

pub(crate) unsafe fn init(flags: c_uint) -> CallResult {
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    initialise()
}

pub(crate) unsafe fn driver_version(version: *mut c_int) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    unsafe { out(version)? }.set(DRIVER_VERSION);
    Ok(())
}

/// There is one device, number 0.
pub(crate) fn check(device: CUdevice) -> CallResult {
    may_call()?;
    if device == 0 { Ok(()) } else { Err(CUDA_ERROR_INVALID_DEVICE) }
}

pub(crate) unsafe fn count(count: *mut c_int) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(count)? }.set(1);
    Ok(())
}

pub(crate) unsafe fn get(device: *mut CUdevice, ordinal: c_int) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let device = unsafe { out(device)? };
    check(ordinal)?;
    device.set(ordinal);
    Ok(())
}

pub(crate) unsafe fn name(name: *mut c_char, length: c_int, device: CUdevice) -> CallResult {
    check(device)?;
    // SAFETY: the caller gives `length` bytes.
    unsafe { text(name, length, state::profile().name.as_bytes()) }
}

/// Writes text as C does: cut to what fits, NUL at the end.
unsafe fn text(to: *mut c_char, length: c_int, bytes: &[u8]) -> CallResult {
    if to.is_null() || length <= 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let fits = bytes.len().min(length as usize - 1);
    // SAFETY: the caller gives `length` bytes, of which at most all are written.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), fits);
        to.add(fits).write(0);
    }
    Ok(())
}

pub(crate) unsafe fn uuid(uuid: *mut CUuuid, device: CUdevice) -> CallResult {
    check(device)?;
    let mut bytes = [0; 16];
    for (byte, letter) in bytes.iter_mut().zip(b"emulated-gpu-000") {
        *byte = *letter as c_char;
    }
    // SAFETY: an out-pointer of the caller.
    unsafe { out(uuid)? }.set(CUuuid { bytes });
    Ok(())
}

pub(crate) unsafe fn total_memory(bytes: *mut usize, device: CUdevice) -> CallResult {
    check(device)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(bytes)? }.set(state::profile().memory as usize);
    Ok(())
}

pub(crate) unsafe fn attribute(value: *mut c_int, attribute: c_uint, device: CUdevice) -> CallResult {
    check(device)?;
    // SAFETY: an out-pointer of the caller.
    let value = unsafe { out(value)? };
    value.set(match attribute {
        1..MAX => attribute_of(&state::profile(), known(attribute))?,
        MAX..=NEWEST_ATTRIBUTE => NEWER.iter().find(|row| row.0 == attribute).map_or(0, |row| row.1),
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    });
    Ok(())
}

/// An attribute of `cust_raw`'s enum by its number, from 1 to below [`MAX`].
fn known(attribute: c_uint) -> CUdevice_attribute {
    assert!((1..MAX).contains(&attribute));
    // SAFETY: the enum has each of these numbers.
    unsafe { std::mem::transmute::<c_uint, CUdevice_attribute>(attribute) }
}

/// Bytes of the second-level cache. There is none; programs divide by its size, or make their data larger than it is.
pub(super) const L2_CACHE: u32 = 4 << 20;
/// The part of it that accesses may keep for themselves, and the largest window of such accesses: as on an H200.
pub(super) const MOST_PERSISTING_L2: u32 = L2_CACHE / 16 * 10;
const MOST_POLICY_WINDOW: u32 = 128 << 20;

const MAX: c_uint = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX as c_uint;
/// The last attribute of CUDA 13.5.
const NEWEST_ATTRIBUTE: c_uint = 161;
/// Attributes that `cust_raw` does not know and that are not 0.
const NEWER: &[(c_uint, c_int)] = &[
    (120, 1),  // CLUSTER_LAUNCH
    (122, 1),  // CAN_USE_64_BIT_STREAM_MEM_OPS
    (123, 1),  // CAN_USE_STREAM_WAIT_VALUE_NOR
    (125, 1),  // IPC_EVENT_SUPPORTED
    (126, 1),  // MEM_SYNC_DOMAIN_COUNT
    (127, 1),  // TENSOR_MAP_ACCESS_SUPPORTED
    (131, -1), // NUMA_ID
    (142, 1),  // HOST_NUMA_MEMORY_POOLS_SUPPORTED
    (144, 1),  // HOST_MEMORY_POOLS_SUPPORTED
];

/// Returns an attribute of the emulated device; 0 for what it lacks.
fn attribute_of(profile: &Profile, attribute: CUdevice_attribute) -> CallResult<c_int> {
    use CUdevice_attribute_enum::*;
    let value = match attribute {
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK => profile.threads_per_block,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X => profile.max_block[0],
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y => profile.max_block[1],
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z => profile.max_block[2],
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X => profile.max_grid[0],
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y => profile.max_grid[1],
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z => profile.max_grid[2],
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK => profile.shared_per_block,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN => profile.shared_per_block_optin,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR => profile.shared_per_multiprocessor,
        CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK => profile.shared_reserved_per_block,
        CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY => 64 * 1024,
        CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES => crate::types::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        CU_DEVICE_ATTRIBUTE_WARP_SIZE => profile.warp_size,
        CU_DEVICE_ATTRIBUTE_MAX_PITCH => i32::MAX as u32,
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK => profile.registers_per_multiprocessor,
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR => profile.registers_per_multiprocessor,
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT => profile.multiprocessors,
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR => profile.threads_per_multiprocessor,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR => profile.blocks_per_multiprocessor,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR => profile.capability.0,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR => profile.capability.1,
        // 1 GHz, in kHz: the emulated clock counts nanoseconds.
        CU_DEVICE_ATTRIBUTE_CLOCK_RATE | CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE => CLOCK_RATE,
        CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH => 64,
        CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE => L2_CACHE,
        CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE => MOST_PERSISTING_L2,
        CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE => MOST_POLICY_WINDOW,
        CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT => 3,
        CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT | CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT => 512,
        CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT => 32,
        CU_DEVICE_ATTRIBUTE_GPU_OVERLAP
        | CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY
        | CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS
        | CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING
        | CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY
        | CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
        | CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
        | CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH
        | CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO => 1,
        CU_DEVICE_ATTRIBUTE_MAX => return Err(CUDA_ERROR_INVALID_VALUE),
        other => super::array::limit(other).unwrap_or(0),
    };
    Ok(value as c_int)
}

pub(crate) unsafe fn properties(properties: *mut CUdevprop, device: CUdevice) -> CallResult {
    check(device)?;
    let profile = state::profile();
    let filled = CUdevprop {
        maxThreadsPerBlock: profile.threads_per_block as c_int,
        maxThreadsDim: profile.max_block.map(|side| side as c_int),
        maxGridSize: profile.max_grid.map(|side| side as c_int),
        sharedMemPerBlock: profile.shared_per_block as c_int,
        totalConstantMemory: 64 * 1024,
        SIMDWidth: profile.warp_size as c_int,
        memPitch: c_int::MAX,
        regsPerBlock: profile.registers_per_multiprocessor as c_int,
        clockRate: CLOCK_RATE as c_int,
        textureAlign: 512,
    };
    // SAFETY: an out-pointer of the caller.
    unsafe { out(properties)? }.set(filled);
    Ok(())
}

pub(crate) unsafe fn compute_capability(major: *mut c_int, minor: *mut c_int, device: CUdevice) -> CallResult {
    check(device)?;
    // SAFETY: out-pointers of the caller.
    let (major, minor) = unsafe { (out(major)?, out(minor)?) };
    let capability = state::profile().capability;
    major.set(capability.0 as c_int);
    minor.set(capability.1 as c_int);
    Ok(())
}

pub(crate) unsafe fn by_pci_bus_id(device: *mut CUdevice, id: *const c_char) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let device = unsafe { out(device)? };
    if id.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives a NUL-terminated string.
    if unsafe { CStr::from_ptr(id) } != PCI_BUS_ID {
        return Err(CUDA_ERROR_INVALID_DEVICE);
    }
    device.set(0);
    Ok(())
}

pub(crate) unsafe fn pci_bus_id(id: *mut c_char, length: c_int, device: CUdevice) -> CallResult {
    check(device)?;
    // SAFETY: the caller gives `length` bytes.
    unsafe { text(id, length, PCI_BUS_ID.to_bytes()) }
}

pub(crate) unsafe fn can_access_peer(can: *mut c_int, device: CUdevice, peer: CUdevice) -> CallResult {
    check(device)?;
    check(peer)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(can)? }.set(0);
    Ok(())
}

pub(crate) unsafe fn peer_attribute(
    value: *mut c_int,
    _attribute: CUdevice_P2PAttribute,
    source: CUdevice,
    destination: CUdevice,
) -> CallResult {
    check(source)?;
    check(destination)?;
    // SAFETY: an out-pointer of the caller.
    let _ = unsafe { out(value)? };
    // A device is no peer of itself.
    Err(CUDA_ERROR_INVALID_DEVICE)
}

pub(crate) unsafe fn exec_affinity_support(
    value: *mut c_int,
    _kind: CUexecAffinityType,
    device: CUdevice,
) -> CallResult {
    check(device)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(value)? }.set(0);
    Ok(())
}

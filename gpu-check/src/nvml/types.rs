//! Types and numbers of `nvml.h`.

use std::ffi::{c_char, c_longlong, c_uint, c_ulonglong, c_void};

/// `nvmlReturn_t`
pub type NvmlReturn = c_uint;
pub const SUCCESS: NvmlReturn = 0;
pub const INVALID_ARGUMENT: NvmlReturn = 2;
pub const NOT_SUPPORTED: NvmlReturn = 3;
pub const NO_PERMISSION: NvmlReturn = 4;
pub const NOT_FOUND: NvmlReturn = 6;
pub const INSUFFICIENT_SIZE: NvmlReturn = 7;
pub const ARGUMENT_VERSION_MISMATCH: NvmlReturn = 25;
pub const UNKNOWN: NvmlReturn = 999;

/// `nvmlDeviceArchitecture_t` of compute capability 9.0.
pub const ARCHITECTURE_HOPPER: c_uint = 9;
/// `nvmlBrandType_t`
pub const BRAND_UNKNOWN: c_uint = 0;
/// `nvmlEnableState_t`
pub const DISABLED: c_uint = 0;
pub const ENABLED: c_uint = 1;
/// `nvmlPstates_t`: the one of full speed.
pub const PSTATE_0: c_uint = 0;
/// `nvmlComputeMode_t`: many programs at once.
pub const COMPUTE_MODE_DEFAULT: c_uint = 0;
/// The number of kinds in `nvmlClockType_t`.
pub const CLOCKS: c_uint = 4;
/// `nvmlClockId_t`
pub const CLOCK_CURRENT: c_uint = 0;
/// `nvmlAffinityScope_t`: a NUMA node or a socket.
pub const SCOPES: c_uint = 2;
/// The classes of PCI: a display controller, and of these one for 3D.
pub const BASE_CLASS: c_uint = 3;
pub const SUB_CLASS: c_uint = 2;

/// `nvmlDevice_t`. Any value that is not null would do.
pub type NvmlDevice = *mut c_void;
pub const DEVICE: NvmlDevice = 1 as NvmlDevice;

/// `nvmlMemory_t`, in bytes.
#[repr(C)]
pub struct MemoryInfo {
    pub total: c_ulonglong,
    pub free: c_ulonglong,
    pub used: c_ulonglong,
}

/// `nvmlMemory_v2_t`, in bytes.
#[repr(C)]
pub struct MemoryInfoV2 {
    pub version: c_uint,
    pub total: c_ulonglong,
    pub reserved: c_ulonglong,
    pub free: c_ulonglong,
    pub used: c_ulonglong,
}

/// `nvmlPciInfo_t`
#[repr(C)]
pub struct PciInfo {
    pub place: PciPlace,
    pub id: [u8; 32],
}

/// The fields that the older forms of the structure have, too. These have 16 reserved bytes after them.
#[repr(C)]
pub struct PciPlace {
    pub short_id: [u8; 16],
    pub domain: c_uint,
    pub bus: c_uint,
    pub device: c_uint,
    pub device_id: c_uint,
    pub subsystem_id: c_uint,
}

/// `nvmlPciInfoExt_v1_t`
#[repr(C)]
pub struct PciInfoExt {
    pub version: c_uint,
    pub domain: c_uint,
    pub bus: c_uint,
    pub device: c_uint,
    pub device_id: c_uint,
    pub subsystem_id: c_uint,
    pub base_class: c_uint,
    pub sub_class: c_uint,
    pub id: [u8; 32],
}

/// `nvmlSystemDriverBranchInfo_v1_t`
#[repr(C)]
pub struct DriverBranchInfo {
    pub version: c_uint,
    pub branch: [c_char; 80],
}

/// `nvmlFieldValue_t`
#[repr(C)]
pub struct FieldValue {
    pub field_id: c_uint,
    pub scope_id: c_uint,
    pub timestamp: c_longlong,
    pub latency: c_longlong,
    pub value_type: c_uint,
    pub code: NvmlReturn,
    pub value: c_ulonglong,
}

//! Initialisation, version and devices (CUDA Driver API).

use crate::emulated::calls::device;
use cust_raw::*;
use std::ffi::{c_char, c_int, c_uint};

table! {
    cuInit(flags: c_uint) => device::init;
    cuDriverGetVersion(driver_version: *mut c_int) => device::driver_version;
    cuDeviceGet(device: *mut CUdevice, ordinal: c_int) => device::get;
    cuDeviceGetCount(count: *mut c_int) => device::count;
    cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice) => device::name;
    cuDeviceGetUuid(uuid: *mut CUuuid, dev: CUdevice) => device::uuid;
    cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice) => device::uuid;
    cuDeviceGetLuid(luid: *mut c_char, device_node_mask: *mut c_uint, dev: CUdevice) => unsupported;
    cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice) => device::total_memory;
    cuDeviceGetTexture1DLinearMaxWidth(
        max_width_in_elements: *mut usize,
        format: CUarray_format,
        num_channels: c_uint,
        dev: CUdevice,
    ) => unsupported;
    cuDeviceGetProperties(prop: *mut CUdevprop, dev: CUdevice) => device::properties;
    cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, dev: CUdevice) => device::compute_capability;
    cuDeviceGetExecAffinitySupport(
        pi: *mut c_int,
        kind: CUexecAffinityType,
        dev: CUdevice,
    ) => device::exec_affinity_support;
    cuDeviceGetByPCIBusId(dev: *mut CUdevice, pci_bus_id: *const c_char) => device::by_pci_bus_id;
    cuDeviceGetPCIBusId(pci_bus_id: *mut c_char, len: c_int, dev: CUdevice) => device::pci_bus_id;
    cuDeviceCanAccessPeer(can_access_peer: *mut c_int, dev: CUdevice, peer_dev: CUdevice) => device::can_access_peer;
    cuDeviceGetP2PAttribute(
        value: *mut c_int,
        attrib: CUdevice_P2PAttribute,
        src_device: CUdevice,
        dst_device: CUdevice,
    ) => device::peer_attribute;
}

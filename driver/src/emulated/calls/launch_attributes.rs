//! Launches with attributes (CUDA Driver API, `cuLaunchKernelEx`).
//!
//! Attributes that are hints, or allow the device more than it takes here, are ignored. One that would change the
//! launch is refused.

use super::launch;
use crate::emulated::base::outcome::CallResult;
use crate::types::{CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_COOPERATIVE};
use crate::types::{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, CUlaunchConfig};
use crate::types::{CUlaunchAttribute, CUlaunchAttributeID};
use cust_raw::CUfunction;
use cust_raw::CUresult::*;
use emulator::LaunchConfig;
use std::ffi::c_void;

/// By number; a name where it is refused.
const ATTRIBUTES: &[(CUlaunchAttributeID, Option<&str>)] = &[
    (0, None), // Ignored by its definition.
    (1, None), // How the L2 cache is used.
    (3, None), // How the host waits.
    (5, None), // How clusters are spread.
    (7, Some("CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT")),
    (8, None),  // A priority.
    (9, None),  // Fences may leave other domains out.
    (10, None), // As above.
    (11, None), // A cluster size that need not be taken.
    (12, Some("CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT")),
    (13, Some("CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE")),
    (14, None), // How L1 and shared memory are divided.
    (16, None), // How NVLink is used.
];

pub(crate) unsafe fn launch(
    config: *const CUlaunchConfig,
    function: CUfunction,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CallResult {
    if config.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct.
    let wanted = unsafe { config.read_unaligned() };
    // SAFETY: the caller's list.
    let attributes = unsafe { Attributes::read(wanted.attrs, wanted.numAttrs as usize)? };
    let config = LaunchConfig {
        grid: [wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ],
        block: [wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ],
        dynamic_shared: wanted.sharedMemBytes,
        cooperative: attributes.cooperative,
        cluster: attributes.cluster,
    };
    // SAFETY: the caller's parameters.
    unsafe { launch::submit(function, (config, attributes.dependent), wanted.hStream, parameters, extra) }
}

/// The attributes that have an effect.
#[derive(Default)]
pub(super) struct Attributes {
    cooperative: bool,
    /// True if the kernel may begin before the one ahead of it ends.
    dependent: bool,
    /// The blocks of a cluster along each axis.
    pub(super) cluster: Option<[u32; 3]>,
}

impl Attributes {
    /// Returns an error for attributes that cannot have their effect.
    ///
    /// # Safety
    /// `list` is null or has `count` attributes.
    pub(super) unsafe fn read(list: *const CUlaunchAttribute, count: usize) -> CallResult<Attributes> {
        if count > 0 && list.is_null() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let mut all = Attributes::default();
        for index in 0..count {
            // SAFETY: as above.
            let attribute = unsafe { list.add(index).read_unaligned() };
            match attribute.id {
                CU_LAUNCH_ATTRIBUTE_COOPERATIVE => all.cooperative = attribute.value[0] != 0,
                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION => all.dependent = attribute.value[0] != 0,
                // No dimensions at all stand for none asked for.
                CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                    let [x, y, z, ..] = attribute.value;
                    all.cluster = Some([x, y, z]).filter(|cluster| *cluster != [0; 3]);
                }
                id => {
                    let (_, refused) = ATTRIBUTES.iter().find(|row| row.0 == id).ok_or(CUDA_ERROR_INVALID_VALUE)?;
                    refused.map_or(Ok(()), refuse)?;
                }
            }
        }
        Ok(all)
    }
}

/// Says that an attribute is not implemented.
pub(super) fn refuse(name: &str) -> CallResult {
    words::complain(&say!("unsupported-launch-attribute", name));
    Err(CUDA_ERROR_NOT_SUPPORTED)
}

//! Attributes of kernel nodes, and nodes of an instantiated graph that are switched off (CUDA Driver API, "Graph
//! Management"). The numbers, defaults and errors are those of an H200.

use super::graph_exec::with;
use super::launch_attributes::refuse;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::emulated::task::steps::find;
use crate::emulated::task::{Kernel, StreamTask};
use crate::types::{CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_COOPERATIVE};
use cust_raw::CUresult::*;
use cust_raw::{CUgraphExec, CUgraphNode};
use std::ffi::{c_uint, c_void};

/// `CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP`, and its value where it was not set: the domains 0 and 1, a byte each.
const DOMAIN_MAP: c_uint = 9;
const DOMAINS: u32 = 0x0100;
const DEVICE_UPDATABLE: c_uint = 13;
/// How NVLink is used. It can be set, and not be read.
const NVLINK: c_uint = 16;

/// Attributes of kernel nodes by number, with the bytes of each.
const ATTRIBUTES: &[(c_uint, usize)] = &[
    (1, 28), // ACCESS_POLICY_WINDOW
    (CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 4),
    (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 12),
    (5, 4), // CLUSTER_SCHEDULING_POLICY_PREFERENCE
    (8, 4), // PRIORITY
    (DOMAIN_MAP, 2),
    (10, 4), // MEM_SYNC_DOMAIN
    (DEVICE_UPDATABLE, 16),
    (14, 4), // PREFERRED_SHARED_MEMORY_CARVEOUT
];

fn bytes_of(attribute: c_uint) -> CallResult<usize> {
    let row = ATTRIBUTES.iter().find(|row| row.0 == attribute);
    row.map(|row| row.1).ok_or(CUDA_ERROR_INVALID_VALUE)
}

impl Graphs {
    fn kernel(&mut self, node: CUgraphNode) -> CallResult<&mut Kernel> {
        match &mut self.node(node)?.task {
            StreamTask::Kernel(kernel) => Ok(kernel),
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }
}

impl Kernel {
    fn attribute(&self, attribute: c_uint) -> [u32; 16] {
        let mut value = [0; 16];
        match attribute {
            CU_LAUNCH_ATTRIBUTE_COOPERATIVE => value[0] = self.launch.config().cooperative.into(),
            CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                value[..3].copy_from_slice(&self.launch.config().cluster.unwrap_or_default());
            }
            DOMAIN_MAP => value[0] = DOMAINS,
            _ => {}
        }
        self.attributes.get(&attribute).copied().unwrap_or(value)
    }

    fn set_attribute(&mut self, attribute: c_uint, value: [u32; 16]) -> CallResult {
        match (attribute, value) {
            (CU_LAUNCH_ATTRIBUTE_COOPERATIVE, _) => self.launch.set_cooperative(value[0] != 0),
            // No dimensions at all stand for none asked for.
            (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, [x, y, z, ..]) => {
                self.launch.set_cluster(Some([x, y, z]).filter(|cluster| *cluster != [0; 3]));
            }
            (DEVICE_UPDATABLE, _) if value[0] != 0 => {
                return refuse("CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE");
            }
            _ => drop(self.attributes.insert(attribute, value)),
        }
        Ok(())
    }
}

pub(crate) unsafe fn attribute(node: CUgraphNode, attribute: c_uint, place: *mut c_void) -> CallResult {
    if place.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let value = graphs().kernel(node)?.attribute(attribute);
    let bytes = bytes_of(attribute)?;
    // SAFETY: room of the caller's for the union of all values. Only the member of this attribute is written.
    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr().cast::<u8>(), place.cast(), bytes) };
    Ok(())
}

pub(crate) unsafe fn set_attribute(node: CUgraphNode, attribute: c_uint, value: *const c_void) -> CallResult {
    let mut graphs = graphs();
    let kernel = graphs.kernel(node)?;
    if attribute == NVLINK {
        return Ok(());
    }
    let bytes = bytes_of(attribute)?;
    if value.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mut given = [0u32; 16];
    // SAFETY: the caller gives a value of the attribute's type, which is no larger.
    unsafe { std::ptr::copy_nonoverlapping(value.cast::<u8>(), given.as_mut_ptr().cast(), bytes) };
    kernel.set_attribute(attribute, given)
}

/// Copies all attributes of one kernel node to another.
pub(crate) unsafe fn copy_attributes(to: CUgraphNode, from: CUgraphNode) -> CallResult {
    let mut graphs = graphs();
    let from = graphs.kernel(from)?.clone();
    graphs.kernel(to)?.take_attributes(&from);
    Ok(())
}

/// Checks that a node can be switched off: a kernel, a copy or a fill.
fn check_switchable(task: &StreamTask) -> CallResult {
    match task {
        StreamTask::Kernel(_) | StreamTask::Copy(_) | StreamTask::Fill(_) => Ok(()),
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

/// Says whether a launch of the instantiated graph runs the node.
pub(crate) unsafe fn is_enabled(executable: CUgraphExec, node: CUgraphNode, place: *mut c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    with(executable, |found| {
        let (list, step) = find(found.steps(), node as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        check_switchable(&list[step].task)?;
        place.set((!list[step].is_disabled).into());
        Ok(())
    })
}

pub(crate) unsafe fn set_enabled(executable: CUgraphExec, node: CUgraphNode, is_enabled: c_uint) -> CallResult {
    with(executable, |found| {
        let (list, step) = find(found.steps(), node as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        check_switchable(&list[step].task)?;
        list[step].is_disabled = is_enabled == 0;
        Ok(())
    })
}

//! The C functions of the runtime for memory and user objects of graphs, and for nodes of any type, one line each, as
//! in [`super::entries`].
//! Parameters look as the driver's do.

use super::call::*;
use super::device::check_device;
use super::graph::{Place, with_context};
use super::graph_any::{self, NodeParameters};
use crate::cu::{Address, Code, Handle, HostFunction};
use driver::Entry;
use std::ffi::{c_int, c_uint, c_void};

unsafe extern "C" {
    fn cuGraphAddMemAllocNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        wanted: *mut c_void,
    ) -> Code;
    fn cuGraphMemAllocNodeGetParams(node: Handle, found: *mut c_void) -> Code;
    fn cuGraphAddMemFreeNode(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        count: usize,
        address: Address,
    ) -> Code;
    fn cuGraphMemFreeNodeGetParams(node: Handle, address: *mut Address) -> Code;
    fn cuDeviceGraphMemTrim(device: c_int) -> Code;
    fn cuDeviceGetGraphMemAttribute(device: c_int, attribute: c_uint, value: *mut c_void) -> Code;
    fn cuDeviceSetGraphMemAttribute(device: c_int, attribute: c_uint, value: *mut c_void) -> Code;
    fn cuUserObjectCreate(
        object: *mut Handle,
        data: *mut c_void,
        destroy: Option<HostFunction>,
        count: c_uint,
        flags: c_uint,
    ) -> Code;
    fn cuUserObjectRetain(object: Handle, count: c_uint) -> Code;
    fn cuUserObjectRelease(object: Handle, count: c_uint) -> Code;
    fn cuGraphRetainUserObject(graph: Handle, object: Handle, count: c_uint, flags: c_uint) -> Code;
    fn cuGraphReleaseUserObject(graph: Handle, object: Handle, count: c_uint) -> Code;
}

/// Calls that name a device name ours.
fn on_device(device: c_int, call: impl FnOnce() -> Code) -> RuntimeResult {
    check_device(device)?;
    with_context(call)
}

/// The attributes are those of `cudaGraphMemAttributeType`, which have the driver's numbers.
fn attribute(attribute: c_int) -> RuntimeResult<c_uint> {
    if (0..4).contains(&attribute) { Ok(attribute as c_uint) } else { Err(Error::INVALID_VALUE) }
}

entries! {
    cudaGraphAddMemAllocNode(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, wanted: *mut c_void,
    ) =>
        with_context(|| cuGraphAddMemAllocNode(node, graph, after, count, wanted));
    cudaGraphMemAllocNodeGetParams(node: Handle, found: *mut c_void) =>
        with_context(|| cuGraphMemAllocNodeGetParams(node, found));
    cudaGraphAddMemFreeNode(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, pointer: *mut c_void,
    ) =>
        with_context(|| cuGraphAddMemFreeNode(node, graph, after, count, pointer as Address));
    cudaGraphMemFreeNodeGetParams(node: Handle, pointer: *mut c_void) =>
        with_context(|| cuGraphMemFreeNodeGetParams(node, pointer.cast()));
    cudaDeviceGraphMemTrim(device: c_int) => on_device(device, || cuDeviceGraphMemTrim(device));
    cudaDeviceGetGraphMemAttribute(device: c_int, which: c_int, value: *mut c_void) => {
        let which = attribute(which)?;
        on_device(device, || cuDeviceGetGraphMemAttribute(device, which, value))
    };
    cudaDeviceSetGraphMemAttribute(device: c_int, which: c_int, value: *mut c_void) => {
        let which = attribute(which)?;
        on_device(device, || cuDeviceSetGraphMemAttribute(device, which, value))
    };

    cudaUserObjectCreate(
        object: *mut Handle, data: *mut c_void, destroy: Option<HostFunction>, count: c_uint, flags: c_uint,
    ) =>
        with_context(|| cuUserObjectCreate(object, data, destroy, count, flags));
    cudaUserObjectRetain(object: Handle, count: c_uint) => with_context(|| cuUserObjectRetain(object, count));
    cudaUserObjectRelease(object: Handle, count: c_uint) => with_context(|| cuUserObjectRelease(object, count));
    cudaGraphRetainUserObject(graph: Handle, object: Handle, count: c_uint, flags: c_uint) =>
        with_context(|| cuGraphRetainUserObject(graph, object, count, flags));
    cudaGraphReleaseUserObject(graph: Handle, object: Handle, count: c_uint) =>
        with_context(|| cuGraphReleaseUserObject(graph, object, count));

    cudaGraphAddNode(
        node: *mut Handle, graph: Handle, after: *const Handle, data: *mut c_void, count: usize,
        wanted: *mut NodeParameters,
    ) =>
        graph_any::add_of_version(node, graph, after, (data, count, wanted));
    cudaGraphAddNode_v2(
        node: *mut Handle, graph: Handle, after: *const Handle, data: *const c_void, count: usize,
        wanted: *mut NodeParameters,
    ) =>
        graph_any::add(Place { node, graph, after, count }, data, wanted);
    cudaGraphConditionalHandleCreate(handle: *mut u64, graph: Handle, default: c_uint, flags: c_uint) =>
        graph_any::create_condition(handle, graph, default, flags);
    cudaGraphConditionalHandleCreate_v2(
        handle: *mut u64, graph: Handle, context: Handle, default: c_uint, flags: c_uint,
    ) => {
        // No other context can be named: there are no execution contexts.
        if !context.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        graph_any::create_condition(handle, graph, default, flags)
    };
    cudaGraphNodeSetParams(node: Handle, wanted: *const NodeParameters) => graph_any::set(node, wanted);
    cudaGraphExecNodeSetParams(executable: Handle, node: Handle, wanted: *const NodeParameters) =>
        graph_any::set_in(executable, node, wanted);
    cudaGraphExecChildGraphNodeSetParams(executable: Handle, node: Handle, graph: Handle) =>
        graph_any::set_child_in(executable, node, graph);
}

//! Graphs and user objects (CUDA Driver API).

use crate::emulated::calls::{graph, graph_attributes, graph_exec, graph_memory, graph_node, user_object};
use cust_raw::*;
use std::ffi::{c_char, c_uint, c_ulonglong, c_void};

table! {
    cuGraphCreate(graph: *mut CUgraph, flags: c_uint) => graph::create;
    cuGraphAddKernelNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        node_params: *const CUDA_KERNEL_NODE_PARAMS,
    ) => graph_node::add_kernel;
    cuGraphKernelNodeGetParams(
        node: CUgraphNode,
        node_params: *mut CUDA_KERNEL_NODE_PARAMS,
    ) => graph_node::kernel_params;
    cuGraphKernelNodeSetParams(
        node: CUgraphNode,
        node_params: *const CUDA_KERNEL_NODE_PARAMS,
    ) => graph_node::set_kernel_params;
    cuGraphAddMemcpyNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        copy_params: *const CUDA_MEMCPY3D,
        ctx: CUcontext,
    ) => graph_node::add_copy;
    cuGraphMemcpyNodeGetParams(node: CUgraphNode, node_params: *mut CUDA_MEMCPY3D) => graph_node::copy_params;
    cuGraphMemcpyNodeSetParams(node: CUgraphNode, node_params: *const CUDA_MEMCPY3D) => graph_node::set_copy_params;
    cuGraphAddMemsetNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        memset_params: *const CUDA_MEMSET_NODE_PARAMS,
        ctx: CUcontext,
    ) => graph_node::add_fill;
    cuGraphMemsetNodeGetParams(node: CUgraphNode, node_params: *mut CUDA_MEMSET_NODE_PARAMS) => graph_node::fill_params;
    cuGraphMemsetNodeSetParams(node: CUgraphNode, node_params: *const CUDA_MEMSET_NODE_PARAMS) =>
        graph_node::set_fill_params;
    cuGraphAddHostNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        node_params: *const CUDA_HOST_NODE_PARAMS,
    ) => graph_node::add_host;
    cuGraphHostNodeGetParams(node: CUgraphNode, node_params: *mut CUDA_HOST_NODE_PARAMS) => graph_node::host_params;
    cuGraphHostNodeSetParams(node: CUgraphNode, node_params: *const CUDA_HOST_NODE_PARAMS) =>
        graph_node::set_host_params;
    cuGraphAddChildGraphNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        child_graph: CUgraph,
    ) => graph_node::add_child;
    cuGraphChildGraphNodeGetGraph(node: CUgraphNode, graph: *mut CUgraph) => graph_node::child;
    cuGraphAddEmptyNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
    ) => graph_node::add_empty;
    cuGraphAddEventRecordNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        event: CUevent,
    ) => graph_node::add_record;
    cuGraphEventRecordNodeGetEvent(node: CUgraphNode, event_out: *mut CUevent) => graph_node::record_event;
    cuGraphEventRecordNodeSetEvent(node: CUgraphNode, event: CUevent) => graph_node::set_record_event;
    cuGraphAddEventWaitNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        event: CUevent,
    ) => graph_node::add_wait;
    cuGraphEventWaitNodeGetEvent(node: CUgraphNode, event_out: *mut CUevent) => graph_node::wait_event;
    cuGraphEventWaitNodeSetEvent(node: CUgraphNode, event: CUevent) => graph_node::set_wait_event;
    cuGraphAddExternalSemaphoresSignalNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        node_params: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    ) => unsupported;
    cuGraphExternalSemaphoresSignalNodeGetParams(
        node: CUgraphNode,
        params_out: *mut CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    ) => unsupported;
    cuGraphExternalSemaphoresSignalNodeSetParams(
        node: CUgraphNode,
        node_params: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    ) => unsupported;
    cuGraphAddExternalSemaphoresWaitNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        node_params: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    ) => unsupported;
    cuGraphExternalSemaphoresWaitNodeGetParams(
        node: CUgraphNode,
        params_out: *mut CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    ) => unsupported;
    cuGraphExternalSemaphoresWaitNodeSetParams(
        node: CUgraphNode,
        node_params: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    ) => unsupported;
    cuGraphAddMemAllocNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        node_params: *mut CUDA_MEM_ALLOC_NODE_PARAMS,
    ) => graph_memory::add_allocation;
    cuGraphMemAllocNodeGetParams(node: CUgraphNode, params_out: *mut CUDA_MEM_ALLOC_NODE_PARAMS) =>
        graph_memory::allocation_params;
    cuGraphAddMemFreeNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        dptr: CUdeviceptr,
    ) => graph_memory::add_free;
    cuGraphMemFreeNodeGetParams(node: CUgraphNode, dptr_out: *mut CUdeviceptr) => graph_memory::free_params;
    cuDeviceGraphMemTrim(device: CUdevice) => graph_memory::trim;
    cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) =>
        graph_memory::attribute;
    cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) =>
        graph_memory::set_attribute;
    cuGraphClone(graph_clone: *mut CUgraph, original_graph: CUgraph) => graph::clone;
    cuGraphNodeFindInClone(node: *mut CUgraphNode, original_node: CUgraphNode, cloned_graph: CUgraph) =>
        graph::node_in_clone;
    cuGraphNodeGetType(node: CUgraphNode, kind: *mut CUgraphNodeType) => graph::node_type;
    cuGraphGetNodes(graph: CUgraph, nodes: *mut CUgraphNode, num_nodes: *mut usize) => graph::nodes;
    cuGraphGetRootNodes(
        graph: CUgraph,
        root_nodes: *mut CUgraphNode,
        num_root_nodes: *mut usize,
    ) => graph::root_nodes;
    cuGraphGetEdges(
        graph: CUgraph,
        from: *mut CUgraphNode,
        to: *mut CUgraphNode,
        num_edges: *mut usize,
    ) => graph::edges;
    cuGraphNodeGetDependencies(
        node: CUgraphNode,
        dependencies: *mut CUgraphNode,
        num_dependencies: *mut usize,
    ) => graph::dependencies;
    cuGraphNodeGetDependentNodes(
        node: CUgraphNode,
        dependent_nodes: *mut CUgraphNode,
        num_dependent_nodes: *mut usize,
    ) => graph::dependent_nodes;
    cuGraphAddDependencies(
        graph: CUgraph,
        from: *const CUgraphNode,
        to: *const CUgraphNode,
        num_dependencies: usize,
    ) => graph::add_dependencies;
    cuGraphRemoveDependencies(
        graph: CUgraph,
        from: *const CUgraphNode,
        to: *const CUgraphNode,
        num_dependencies: usize,
    ) => graph::remove_dependencies;
    cuGraphDestroyNode(node: CUgraphNode) => graph::destroy_node;
    cuGraphInstantiate_v2(
        graph_exec: *mut CUgraphExec,
        graph: CUgraph,
        error_node: *mut CUgraphNode,
        log_buffer: *mut c_char,
        buffer_size: usize,
    ) => graph_exec::instantiate;
    cuGraphInstantiateWithFlags(
        graph_exec: *mut CUgraphExec,
        graph: CUgraph,
        flags: c_ulonglong,
    ) => graph_exec::instantiate_with_flags;
    cuGraphExecKernelNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        node_params: *const CUDA_KERNEL_NODE_PARAMS,
    ) => graph_exec::set_kernel_params;
    cuGraphExecMemcpyNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        copy_params: *const CUDA_MEMCPY3D,
        ctx: CUcontext,
    ) => graph_exec::set_copy_params;
    cuGraphExecMemsetNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        memset_params: *const CUDA_MEMSET_NODE_PARAMS,
        ctx: CUcontext,
    ) => graph_exec::set_fill_params;
    cuGraphExecHostNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        node_params: *const CUDA_HOST_NODE_PARAMS,
    ) => graph_exec::set_host_params;
    cuGraphExecChildGraphNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        child_graph: CUgraph,
    ) => graph_exec::set_child;
    cuGraphExecEventRecordNodeSetEvent(graph_exec: CUgraphExec, node: CUgraphNode, event: CUevent) =>
        graph_exec::set_record_event;
    cuGraphExecEventWaitNodeSetEvent(graph_exec: CUgraphExec, node: CUgraphNode, event: CUevent) =>
        graph_exec::set_wait_event;
    cuGraphExecExternalSemaphoresSignalNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        node_params: *const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    ) => unsupported;
    cuGraphExecExternalSemaphoresWaitNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        node_params: *const CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    ) => unsupported;
    cuGraphUpload(graph_exec: CUgraphExec, stream: CUstream) => graph_exec::upload;
    cuGraphLaunch(graph_exec: CUgraphExec, stream: CUstream) => graph_exec::launch;
    cuGraphExecDestroy(graph_exec: CUgraphExec) => graph_exec::destroy;
    cuGraphDestroy(graph: CUgraph) => graph::destroy;
    cuGraphExecUpdate(
        graph_exec: CUgraphExec,
        graph: CUgraph,
        error_node_out: *mut CUgraphNode,
        update_result_out: *mut CUgraphExecUpdateResult,
    ) => graph_exec::update;
    cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) => graph_attributes::copy_attributes;
    cuGraphDebugDotPrint(graph: CUgraph, path: *const c_char, flags: c_uint) => graph::dot_print;
    cuUserObjectCreate(
        object_out: *mut CUuserObject,
        ptr: *mut c_void,
        destroy: CUhostFn,
        initial_refcount: c_uint,
        flags: c_uint,
    ) => user_object::create;
    cuUserObjectRetain(object: CUuserObject, count: c_uint) => user_object::retain;
    cuUserObjectRelease(object: CUuserObject, count: c_uint) => user_object::release;
    cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) =>
        user_object::graph_retain;
    cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) => user_object::graph_release;
}

//! Graphs and user objects (CUDA Driver API).

use crate::emulated::{graph, graph_exec};
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
    ) => graph::add_kernel_node;
    cuGraphKernelNodeGetParams(
        node: CUgraphNode,
        node_params: *mut CUDA_KERNEL_NODE_PARAMS,
    ) => graph::kernel_node_params;
    cuGraphKernelNodeSetParams(
        node: CUgraphNode,
        node_params: *const CUDA_KERNEL_NODE_PARAMS,
    ) => graph::set_kernel_node_params;
    cuGraphAddMemcpyNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        copy_params: *const CUDA_MEMCPY3D,
        ctx: CUcontext,
    ) => unsupported;
    cuGraphMemcpyNodeGetParams(node: CUgraphNode, node_params: *mut CUDA_MEMCPY3D) => unsupported;
    cuGraphMemcpyNodeSetParams(node: CUgraphNode, node_params: *const CUDA_MEMCPY3D) => unsupported;
    cuGraphAddMemsetNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        memset_params: *const CUDA_MEMSET_NODE_PARAMS,
        ctx: CUcontext,
    ) => unsupported;
    cuGraphMemsetNodeGetParams(node: CUgraphNode, node_params: *mut CUDA_MEMSET_NODE_PARAMS) => unsupported;
    cuGraphMemsetNodeSetParams(node: CUgraphNode, node_params: *const CUDA_MEMSET_NODE_PARAMS) => unsupported;
    cuGraphAddHostNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        node_params: *const CUDA_HOST_NODE_PARAMS,
    ) => unsupported;
    cuGraphHostNodeGetParams(node: CUgraphNode, node_params: *mut CUDA_HOST_NODE_PARAMS) => unsupported;
    cuGraphHostNodeSetParams(node: CUgraphNode, node_params: *const CUDA_HOST_NODE_PARAMS) => unsupported;
    cuGraphAddChildGraphNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        child_graph: CUgraph,
    ) => unsupported;
    cuGraphChildGraphNodeGetGraph(node: CUgraphNode, graph: *mut CUgraph) => unsupported;
    cuGraphAddEmptyNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
    ) => graph::add_empty_node;
    cuGraphAddEventRecordNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        event: CUevent,
    ) => unsupported;
    cuGraphEventRecordNodeGetEvent(node: CUgraphNode, event_out: *mut CUevent) => unsupported;
    cuGraphEventRecordNodeSetEvent(node: CUgraphNode, event: CUevent) => unsupported;
    cuGraphAddEventWaitNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        event: CUevent,
    ) => unsupported;
    cuGraphEventWaitNodeGetEvent(node: CUgraphNode, event_out: *mut CUevent) => unsupported;
    cuGraphEventWaitNodeSetEvent(node: CUgraphNode, event: CUevent) => unsupported;
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
    ) => unsupported;
    cuGraphMemAllocNodeGetParams(node: CUgraphNode, params_out: *mut CUDA_MEM_ALLOC_NODE_PARAMS) => unsupported;
    cuGraphAddMemFreeNode(
        graph_node: *mut CUgraphNode,
        graph: CUgraph,
        dependencies: *const CUgraphNode,
        num_dependencies: usize,
        dptr: CUdeviceptr,
    ) => unsupported;
    cuGraphMemFreeNodeGetParams(node: CUgraphNode, dptr_out: *mut CUdeviceptr) => unsupported;
    cuDeviceGraphMemTrim(device: CUdevice) => unsupported;
    cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) => unsupported;
    cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) => unsupported;
    cuGraphClone(graph_clone: *mut CUgraph, original_graph: CUgraph) => unsupported;
    cuGraphNodeFindInClone(node: *mut CUgraphNode, original_node: CUgraphNode, cloned_graph: CUgraph) => unsupported;
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
    ) => unsupported;
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
    ) => unsupported;
    cuGraphExecMemcpyNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        copy_params: *const CUDA_MEMCPY3D,
        ctx: CUcontext,
    ) => unsupported;
    cuGraphExecMemsetNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        memset_params: *const CUDA_MEMSET_NODE_PARAMS,
        ctx: CUcontext,
    ) => unsupported;
    cuGraphExecHostNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        node_params: *const CUDA_HOST_NODE_PARAMS,
    ) => unsupported;
    cuGraphExecChildGraphNodeSetParams(
        graph_exec: CUgraphExec,
        node: CUgraphNode,
        child_graph: CUgraph,
    ) => unsupported;
    cuGraphExecEventRecordNodeSetEvent(graph_exec: CUgraphExec, node: CUgraphNode, event: CUevent) => unsupported;
    cuGraphExecEventWaitNodeSetEvent(graph_exec: CUgraphExec, node: CUgraphNode, event: CUevent) => unsupported;
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
    ) => unsupported;
    cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) => unsupported;
    cuGraphKernelNodeGetAttribute(
        node: CUgraphNode,
        attr: CUkernelNodeAttrID,
        value_out: *mut CUkernelNodeAttrValue,
    ) => unsupported;
    cuGraphKernelNodeSetAttribute(
        node: CUgraphNode,
        attr: CUkernelNodeAttrID,
        value: *const CUkernelNodeAttrValue,
    ) => unsupported;
    cuGraphDebugDotPrint(graph: CUgraph, path: *const c_char, flags: c_uint) => graph::dot_print;
    cuUserObjectCreate(
        object_out: *mut CUuserObject,
        ptr: *mut c_void,
        destroy: CUhostFn,
        initial_refcount: c_uint,
        flags: c_uint,
    ) => unsupported;
    cuUserObjectRetain(object: CUuserObject, count: c_uint) => unsupported;
    cuUserObjectRelease(object: CUuserObject, count: c_uint) => unsupported;
    cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) => unsupported;
    cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) => unsupported;
}

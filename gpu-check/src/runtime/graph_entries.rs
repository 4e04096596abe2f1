//! The C functions of the runtime for graphs and captured streams, one line each, as in [`super::entries`].

use super::call::*;
use super::copy::{Parameters3D, described, line};
use super::graph::{Edges, Info, Place, with_context};
use super::{graph, symbol};
use crate::cu::{self, Handle, KernelNode};
use crate::registry::is_of_cuda_12;
use driver::Entry;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

/// `cudaGraphInstantiateFlagUpload` and `UseNodePriority`: there is nothing to send ahead, and no priority has an
/// effect.
const WITHOUT_EFFECT: u64 = 2 | 8;

entries! {
    cudaGraphCreate(graph: *mut Handle, flags: c_uint) => with_context(|| cu::cuGraphCreate(graph, flags));
    cudaGraphDestroy(graph: Handle) => with_context(|| cu::cuGraphDestroy(graph));
    cudaGraphClone(copy: *mut Handle, graph: Handle) => with_context(|| cu::cuGraphClone(copy, graph));
    cudaGraphNodeFindInClone(found: *mut Handle, node: Handle, copy: Handle) =>
        with_context(|| cu::cuGraphNodeFindInClone(found, node, copy));
    cudaGraphNodeGetType(node: Handle, kind: *mut c_uint) => with_context(|| cu::cuGraphNodeGetType(node, kind));
    cudaGraphGetNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) =>
        with_context(|| cu::cuGraphGetNodes(graph, nodes, count));
    cudaGraphGetRootNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) =>
        with_context(|| cu::cuGraphGetRootNodes(graph, nodes, count));
    cudaGraphDestroyNode(node: Handle) => with_context(|| cu::cuGraphDestroyNode(node));
    cudaGraphDebugDotPrint(graph: Handle, path: *const c_char, flags: c_uint) =>
        with_context(|| cu::cuGraphDebugDotPrint(graph, path, flags));
    cudaGraphGetEdges(graph: Handle, from: *mut Handle, to: *mut Handle, data: *mut c_void, count: *mut usize) => {
        let edges = Edges::of(data, count as usize);
        with_context(|| cu::cuGraphGetEdges_v2(graph, from, to, edges.data, edges.length()))
    };
    cudaGraphGetEdges_v2(graph: Handle, from: *mut Handle, to: *mut Handle, data: *mut c_void, count: *mut usize) =>
        with_context(|| cu::cuGraphGetEdges_v2(graph, from, to, data, count));
    cudaGraphNodeGetDependencies(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) => {
        let edges = Edges::of(data, count as usize);
        with_context(|| cu::cuGraphNodeGetDependencies_v2(node, nodes, edges.data, edges.length()))
    };
    cudaGraphNodeGetDependencies_v2(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) =>
        with_context(|| cu::cuGraphNodeGetDependencies_v2(node, nodes, data, count));
    cudaGraphNodeGetDependentNodes(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) => {
        let edges = Edges::of(data, count as usize);
        with_context(|| cu::cuGraphNodeGetDependentNodes_v2(node, nodes, edges.data, edges.length()))
    };
    cudaGraphNodeGetDependentNodes_v2(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) =>
        with_context(|| cu::cuGraphNodeGetDependentNodes_v2(node, nodes, data, count));
    cudaGraphAddDependencies(
        graph: Handle, from: *const Handle, to: *const Handle, data: *mut c_void, count: usize,
    ) => {
        let edges = Edges::of(data, count);
        with_context(|| cu::cuGraphAddDependencies_v2(graph, from, to, edges.data, edges.count))
    };
    cudaGraphAddDependencies_v2(
        graph: Handle, from: *const Handle, to: *const Handle, data: *const c_void, count: usize,
    ) =>
        with_context(|| cu::cuGraphAddDependencies_v2(graph, from, to, data, count));
    cudaGraphRemoveDependencies(
        graph: Handle, from: *const Handle, to: *const Handle, data: *mut c_void, count: usize,
    ) => {
        let edges = Edges::of(data, count);
        with_context(|| cu::cuGraphRemoveDependencies_v2(graph, from, to, edges.data, edges.count))
    };
    cudaGraphRemoveDependencies_v2(
        graph: Handle, from: *const Handle, to: *const Handle, data: *const c_void, count: usize,
    ) =>
        with_context(|| cu::cuGraphRemoveDependencies_v2(graph, from, to, data, count));

    cudaGraphAddKernelNode(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, wanted: *const KernelNode,
    ) =>
        graph::add_kernel(Place { node, graph, after, count }, wanted);
    cudaGraphKernelNodeGetParams(node: Handle, found: *mut KernelNode) => graph::get_kernel(node, found);
    cudaGraphKernelNodeSetParams(node: Handle, wanted: *const KernelNode) => graph::set_kernel(node, wanted);
    cudaGraphExecKernelNodeSetParams(executable: Handle, node: Handle, wanted: *const KernelNode) =>
        graph::set_kernel_in(executable, node, wanted);
    cudaGraphAddMemcpyNode(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, wanted: *const Parameters3D,
    ) =>
        graph::add_copy(Place { node, graph, after, count }, wanted);
    cudaGraphAddMemcpyNode1D(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, to: *mut c_void, from: *const c_void,
        bytes: usize, kind: c_int,
    ) =>
        graph::add_line(Place { node, graph, after, count }, to, from, bytes, kind);
    cudaGraphAddMemcpyNodeToSymbol(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, symbol: *const c_void,
        from: *const c_void, bytes: usize, offset: usize, kind: c_int,
    ) =>
        graph::add_line(Place { node, graph, after, count }, symbol::part(symbol, offset, bytes)?, from, bytes, kind);
    cudaGraphAddMemcpyNodeFromSymbol(
        node: *mut Handle, graph: Handle, after: *const Handle, count: usize, to: *mut c_void, symbol: *const c_void,
        bytes: usize, offset: usize, kind: c_int,
    ) =>
        graph::add_line(Place { node, graph, after, count }, to, symbol::part(symbol, offset, bytes)?, bytes, kind);
    cudaGraphMemcpyNodeGetParams(node: Handle, found: *mut Parameters3D) => graph::get_copy(node, found);
    cudaGraphMemcpyNodeSetParams(node: Handle, wanted: *const Parameters3D) => graph::set_copy(node, described(wanted));
    cudaGraphMemcpyNodeSetParams1D(node: Handle, to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) =>
        graph::set_copy(node, line(to, from, bytes, kind));
    cudaGraphExecMemcpyNodeSetParams(executable: Handle, node: Handle, wanted: *const Parameters3D) =>
        graph::set_copy_in(executable, node, described(wanted));
    cudaGraphExecMemcpyNodeSetParams1D(
        executable: Handle, node: Handle, to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int,
    ) =>
        graph::set_copy_in(executable, node, line(to, from, bytes, kind));
    cudaGraphAddMemsetNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize, fill: *const c_void) =>
        graph::add_fill(Place { node, graph, after, count }, fill);
    cudaGraphMemsetNodeGetParams(node: Handle, fill: *mut c_void) =>
        with_context(|| cu::cuGraphMemsetNodeGetParams(node, fill));
    cudaGraphMemsetNodeSetParams(node: Handle, fill: *const c_void) =>
        with_context(|| cu::cuGraphMemsetNodeSetParams(node, fill));
    cudaGraphExecMemsetNodeSetParams(executable: Handle, node: Handle, fill: *const c_void) =>
        graph::set_fill_in(executable, node, fill);
    cudaGraphAddHostNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize, host: *const c_void) =>
        with_context(|| cu::cuGraphAddHostNode(node, graph, after, count, host));
    cudaGraphHostNodeGetParams(node: Handle, host: *mut c_void) =>
        with_context(|| cu::cuGraphHostNodeGetParams(node, host));
    cudaGraphHostNodeSetParams(node: Handle, host: *const c_void) =>
        with_context(|| cu::cuGraphHostNodeSetParams(node, host));
    cudaGraphExecHostNodeSetParams(executable: Handle, node: Handle, host: *const c_void) =>
        with_context(|| cu::cuGraphExecHostNodeSetParams(executable, node, host));
    cudaGraphAddChildGraphNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize, child: Handle) =>
        with_context(|| cu::cuGraphAddChildGraphNode(node, graph, after, count, child));
    cudaGraphChildGraphNodeGetGraph(node: Handle, graph: *mut Handle) =>
        with_context(|| cu::cuGraphChildGraphNodeGetGraph(node, graph));
    cudaGraphAddEmptyNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize) =>
        with_context(|| cu::cuGraphAddEmptyNode(node, graph, after, count));
    cudaGraphAddEventRecordNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize, event: Handle) =>
        with_context(|| cu::cuGraphAddEventRecordNode(node, graph, after, count, event));
    cudaGraphAddEventWaitNode(node: *mut Handle, graph: Handle, after: *const Handle, count: usize, event: Handle) =>
        with_context(|| cu::cuGraphAddEventWaitNode(node, graph, after, count, event));
    cudaGraphEventRecordNodeGetEvent(node: Handle, event: *mut Handle) =>
        with_context(|| cu::cuGraphEventRecordNodeGetEvent(node, event));
    cudaGraphEventRecordNodeSetEvent(node: Handle, event: Handle) =>
        with_context(|| cu::cuGraphEventRecordNodeSetEvent(node, event));
    cudaGraphExecEventRecordNodeSetEvent(executable: Handle, node: Handle, event: Handle) =>
        with_context(|| cu::cuGraphExecEventRecordNodeSetEvent(executable, node, event));
    cudaGraphEventWaitNodeGetEvent(node: Handle, event: *mut Handle) =>
        with_context(|| cu::cuGraphEventWaitNodeGetEvent(node, event));
    cudaGraphEventWaitNodeSetEvent(node: Handle, event: Handle) =>
        with_context(|| cu::cuGraphEventWaitNodeSetEvent(node, event));
    cudaGraphExecEventWaitNodeSetEvent(executable: Handle, node: Handle, event: Handle) =>
        with_context(|| cu::cuGraphExecEventWaitNodeSetEvent(executable, node, event));

    cudaGraphInstantiate(executable: *mut Handle, graph: Handle, flags: u64) =>
        with_context(|| cu::cuGraphInstantiateWithFlags(executable, graph, flags & !WITHOUT_EFFECT));
    cudaGraphInstantiateWithFlags(executable: *mut Handle, graph: Handle, flags: u64) =>
        with_context(|| cu::cuGraphInstantiateWithFlags(executable, graph, flags & !WITHOUT_EFFECT));
    cudaGraphInstantiateWithParams(executable: *mut Handle, graph: Handle, wanted: *mut c_void) =>
        with_context(|| cu::cuGraphInstantiateWithParams(executable, graph, wanted));
    cudaGraphInstantiateWithParams_ptsz(executable: *mut Handle, graph: Handle, wanted: *mut c_void) =>
        with_context(|| cu::cuGraphInstantiateWithParams(executable, graph, wanted));
    cudaGraphExecDestroy(executable: Handle) => with_context(|| cu::cuGraphExecDestroy(executable));
    cudaGraphExecUpdate(executable: Handle, graph: Handle, result: *mut c_void) =>
        with_context(|| cu::cuGraphExecUpdate_v2(executable, graph, result));
    cudaGraphLaunch(executable: Handle, stream: Handle)
        / cudaGraphLaunch_ptsz [stream = legacy(stream), mine(stream)] =>
        with_context(|| cu::cuGraphLaunch(executable, stream));
    cudaGraphUpload(executable: Handle, stream: Handle)
        / cudaGraphUpload_ptsz [stream = legacy(stream), mine(stream)] =>
        with_context(|| cu::cuGraphUpload(executable, stream));

    cudaStreamBeginCapture(stream: Handle, mode: c_int)
        / cudaStreamBeginCapture_ptsz [stream = legacy(stream), mine(stream)] =>
        with_context(|| cu::cuStreamBeginCapture_v2(stream, mode));
    cudaStreamBeginCaptureToGraph(
        stream: Handle, graph: Handle, after: *const Handle, data: *const c_void, count: usize, mode: c_int,
    )
        / cudaStreamBeginCaptureToGraph_ptsz [stream = legacy(stream), mine(stream)] =>
        with_context(|| cu::cuStreamBeginCaptureToGraph(stream, graph, after, data, count, mode));
    cudaStreamEndCapture(stream: Handle, graph: *mut Handle)
        / cudaStreamEndCapture_ptsz [stream = legacy(stream), mine(stream)] =>
        with_context(|| cu::cuStreamEndCapture(stream, graph));
    cudaStreamIsCapturing(stream: Handle, status: *mut c_int)
        / cudaStreamIsCapturing_ptsz [stream = legacy(stream), mine(stream)] =>
        with_context(|| cu::cuStreamIsCapturing(stream, status));
    cudaThreadExchangeStreamCaptureMode(mode: *mut c_int) =>
        with_context(|| cu::cuThreadExchangeStreamCaptureMode(mode));
    cudaStreamGetCaptureInfo(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, after: *mut *const Handle,
        data: *mut *const c_void, count: *mut usize,
    )
        / cudaStreamGetCaptureInfo_ptsz [stream = legacy(stream), mine(stream)] => {
        let asked = Info { status, id, graph, after, data, count };
        graph::capture_info(stream, if is_of_cuda_12() { Info::plain(status, id) } else { asked })
    };
    cudaStreamGetCaptureInfo_v2(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, after: *mut *const Handle,
        count: *mut usize,
    )
        / cudaStreamGetCaptureInfo_v2_ptsz [stream = legacy(stream), mine(stream)] =>
        graph::capture_info(stream, Info { status, id, graph, after, data: null_mut(), count });
    cudaStreamGetCaptureInfo_v3(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, after: *mut *const Handle,
        data: *mut *const c_void, count: *mut usize,
    )
        / cudaStreamGetCaptureInfo_v3_ptsz [stream = legacy(stream), mine(stream)] =>
        graph::capture_info(stream, Info { status, id, graph, after, data, count });
    cudaStreamUpdateCaptureDependencies(
        stream: Handle, after: *mut Handle, data: *mut c_void, count: usize, flags: c_uint,
    )
        / cudaStreamUpdateCaptureDependencies_ptsz [stream = legacy(stream), mine(stream)] => {
        // Without data the third argument is the length, and the fourth the flags.
        let flags = if is_of_cuda_12() { count as c_uint } else { flags };
        graph::update_dependencies(stream, after, Edges::of(data, count), flags)
    };
    cudaStreamUpdateCaptureDependencies_v2(
        stream: Handle, after: *mut Handle, data: *mut c_void, count: usize, flags: c_uint,
    )
        / cudaStreamUpdateCaptureDependencies_v2_ptsz [stream = legacy(stream), mine(stream)] =>
        graph::update_dependencies(stream, after, Edges { data, count }, flags);
}

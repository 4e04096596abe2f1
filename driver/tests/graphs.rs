//! Graphs of every kind of node, put together and captured, give on each launch what their edges say.

use crate::support::own_context;
use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::emulated::{configure, take_reports};
use driver::emulator::finding::Slug;
use driver::emulator::{Checks, Config};
use driver::newer::{cuGraphExecUpdate_v2, cuStreamBeginCaptureToGraph, cuStreamGetCaptureInfo_v3};
use driver::types::{CUgraphEdgeData, CUgraphExecUpdateResultInfo};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

pub const KERNELS: &str = include_str!("kernels.ptx");
pub const GLOBAL: CUstreamCaptureMode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;

/// Words of device memory, all zero.
pub fn words(count: usize) -> CUdeviceptr {
    let mut address = 0;
    // SAFETY: an out-pointer to a local, and memory of that size.
    unsafe {
        assert_eq!(cuMemAlloc_v2(&mut address, 4 * count), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32_v2(address, 0, count), CUDA_SUCCESS);
    }
    address
}

pub fn read(address: CUdeviceptr) -> [u32; 4] {
    let mut words = [0u32; 4];
    // SAFETY: 16 bytes.
    assert_eq!(unsafe { cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), address, 16) }, CUDA_SUCCESS);
    words
}

pub fn new_graph() -> CUgraph {
    let mut graph = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuGraphCreate(&mut graph, 0) }, CUDA_SUCCESS);
    graph
}

pub fn instantiate(graph: CUgraph) -> CUgraphExec {
    let mut executable = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuGraphInstantiateWithFlags(&mut executable, graph, 0) }, CUDA_SUCCESS);
    executable
}

pub fn fill(to: CUdeviceptr, value: u32) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS { dst: to, pitch: 0, value, elementSize: 4, width: 4, height: 1 }
}

/// A copy of four words.
pub fn line(to: CUdeviceptr, from: CUdeviceptr) -> CUDA_MEMCPY3D {
    let mut line = MaybeUninit::<CUDA_MEMCPY3D>::zeroed();
    let place = line.as_mut_ptr();
    // SAFETY: zero is right for every member but the two that are set first.
    unsafe {
        (*place).srcMemoryType = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
        (*place).dstMemoryType = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
        CUDA_MEMCPY3D { srcDevice: from, dstDevice: to, WidthInBytes: 16, Height: 1, Depth: 1, ..line.assume_init() }
    }
}

pub fn node_after(
    graph: CUgraph,
    after: &[CUgraphNode],
    add: impl FnOnce(*mut CUgraphNode, CUgraph, *const CUgraphNode, usize) -> CUresult,
) -> CUgraphNode {
    let mut node = null_mut();
    assert_eq!(add(&mut node, graph, after.as_ptr(), after.len()), CUDA_SUCCESS);
    node
}

pub fn add_fill(graph: CUgraph, after: &[CUgraphNode], to: CUdeviceptr, value: u32) -> CUgraphNode {
    // SAFETY: pointers to locals.
    node_after(graph, after, |node, graph, list, count| unsafe {
        cuGraphAddMemsetNode(node, graph, list, count, &fill(to, value), null_mut())
    })
}

/// `data[i] += value` for four elements.
pub fn add_kernel(
    graph: CUgraph,
    after: &[CUgraphNode],
    module: &Module,
    mut to: CUdeviceptr,
    mut value: u32,
) -> CUgraphNode {
    let function = module.get_function("add").unwrap();
    let mut count = 4u32;
    let mut list: [*mut c_void; 3] = [(&raw mut to).cast(), (&raw mut value).cast(), (&raw mut count).cast()];
    let wanted = CUDA_KERNEL_NODE_PARAMS {
        func: function.to_raw(),
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 4,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: list.as_mut_ptr(),
        extra: null_mut(),
    };
    // SAFETY: pointers to locals.
    node_after(graph, after, |node, graph, list, count| unsafe {
        cuGraphAddKernelNode(node, graph, list, count, &wanted)
    })
}

static CALLED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn call(by: *mut c_void) {
    CALLED.fetch_add(by as u32, Ordering::Relaxed);
}

#[test]
fn a_launch_runs_every_kind_of_node_behind_what_it_depends_on() {
    let _context = own_context();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let (data, copy) = (words(4), words(4));
    let graph = new_graph();
    let filled = add_fill(graph, &[], data, 5);
    let added = add_kernel(graph, &[filled], &module, data, 2);
    let inner = new_graph();
    add_kernel(inner, &[], &module, data, 10);
    // SAFETY: pointers to locals, for as long as each call.
    let (child, copied) = unsafe {
        let child = node_after(graph, &[added], |node, graph, list, count| {
            cuGraphAddChildGraphNode(node, graph, list, count, inner)
        });
        let line = line(copy, data);
        let copied = node_after(graph, &[child], |node, graph, list, count| {
            cuGraphAddMemcpyNode(node, graph, list, count, &line, null_mut())
        });
        let host = CUDA_HOST_NODE_PARAMS { fn_: Some(call), userData: 3 as *mut c_void };
        node_after(graph, &[copied], |node, graph, list, count| cuGraphAddHostNode(node, graph, list, count, &host));
        (child, copied)
    };
    let executable = instantiate(graph);
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        // A change of the graph now does not affect the executable.
        assert_eq!(cuGraphMemsetNodeSetParams(filled, &fill(data, 1000)), CUDA_SUCCESS);
        for _ in 0..2 {
            assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        }
        assert_eq!(read(copy), [17; 4]);
        assert_eq!(CALLED.load(Ordering::Relaxed), 6);

        // But the executable itself can be changed.
        assert_eq!(cuGraphExecMemsetNodeSetParams(executable, filled, &fill(data, 20), null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(read(copy), [32; 4]);
        let another_kind = cuGraphExecMemsetNodeSetParams(executable, copied, &fill(data, 20), null_mut());
        assert_eq!(another_kind, CUDA_ERROR_INVALID_VALUE);

        let mut told = line(0, 0);
        assert_eq!(cuGraphMemcpyNodeGetParams(copied, &mut told), CUDA_SUCCESS);
        assert_eq!((told.srcDevice, told.dstDevice, told.WidthInBytes), (data, copy, 16));
        let mut kind = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY;
        assert_eq!(cuGraphNodeGetType(child, &mut kind), CUDA_SUCCESS);
        assert_eq!(kind, CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_GRAPH);
        assert_eq!(cuGraphMemsetNodeGetParams(copied, &mut fill(0, 0)), CUDA_ERROR_INVALID_VALUE);
    }
}

/// True if two kernels that change the same words race in a graph. `through` may add nodes between them.
fn races(is_ordered: bool, through: impl FnOnce(CUgraph, CUgraphNode) -> CUgraphNode) -> bool {
    let _context = own_context();
    configure(Config { checks: Checks::Full, ..Config::default() }).unwrap();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let (data, graph) = (words(4), new_graph());
    let first = add_kernel(graph, &[], &module, data, 1);
    let last = through(graph, first);
    let before = [last];
    add_kernel(graph, if is_ordered { &before } else { &[] }, &module, data, 1);
    let executable = instantiate(graph);
    // SAFETY: handles.
    unsafe {
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        // In streams that nothing else orders: the second launch waits for the first one of the same graph.
        for _ in 0..2 {
            let mut stream = null_mut();
            assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
            assert_eq!(cuGraphLaunch(executable, stream), CUDA_SUCCESS);
        }
    }
    let reports = take_reports().unwrap();
    reports.iter().flat_map(|report| &report.findings).any(|finding| finding.slug == Slug::RaceGlobal)
}

#[test]
fn only_edges_order_the_nodes_of_a_graph() {
    assert!(races(false, |_, first| first));
    assert!(!races(true, |_, first| first));
    let other = |graph, first| add_fill(graph, &[first], words(4), 0);
    assert!(!races(true, other), "by way of a node between them");
}

#[test]
fn an_update_takes_a_graph_of_the_same_shape_only() {
    let _context = own_context();
    let data = words(4);
    let (first, other, longer) = (new_graph(), new_graph(), new_graph());
    add_fill(first, &[], data, 1);
    add_fill(other, &[], data, 2);
    let begin = add_fill(longer, &[], data, 3);
    add_fill(longer, &[begin], data, 4);
    let executable = instantiate(first);
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        let mut result: CUgraphExecUpdateResultInfo = std::mem::zeroed();
        assert_eq!(cuGraphExecUpdate_v2(executable, other, &mut result), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [2; 4]);
        assert_eq!(cuGraphExecUpdate_v2(executable, longer, &mut result), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
        assert_eq!(result.result, CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED as u32);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [2; 4]);
    }
}

#[test]
fn a_clone_has_nodes_of_its_own() {
    let _context = own_context();
    let data = words(4);
    let graph = new_graph();
    let node = add_fill(graph, &[], data, 7);
    let (mut copy, mut twin, mut count) = (null_mut(), null_mut(), 0);
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuGraphClone(&mut copy, graph), CUDA_SUCCESS);
        assert_eq!(cuGraphNodeFindInClone(&mut twin, node, copy), CUDA_SUCCESS);
        assert_ne!(twin, node);
        assert_eq!(cuGraphNodeFindInClone(&mut twin, node, graph), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphDestroy(graph), CUDA_SUCCESS);
        assert_eq!(cuGraphGetNodes(copy, null_mut(), &mut count), CUDA_SUCCESS);
        assert_eq!(count, 1);
        assert_eq!(cuGraphLaunch(instantiate(copy), null_mut()), CUDA_SUCCESS);
    }
    assert_eq!(read(data), [7; 4]);
}

#[test]
fn what_is_captured_runs_when_the_graph_does_and_reads_memory_then() {
    let _context = own_context();
    let data = words(4);
    let mut source = [1u32; 4];
    let (mut stream, mut graph, mut status) =
        (null_mut(), null_mut(), CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_NONE);
    // SAFETY: handles, out-pointers to locals, and `source`, which outlives the launches.
    unsafe {
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(cuStreamBeginCapture_v2(stream, GLOBAL), CUDA_SUCCESS);
        assert_eq!(cuMemcpyHtoDAsync_v2(data, source.as_ptr().cast(), 16, stream), CUDA_SUCCESS);
        assert_eq!(cuStreamIsCapturing(stream, &mut status), CUDA_SUCCESS);
        assert_eq!(status, CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_ACTIVE);
        assert_eq!(cuStreamEndCapture(stream, &mut graph), CUDA_SUCCESS);
        assert_eq!(read(data), [0; 4]);
        source.fill(9);
        assert_eq!(cuGraphLaunch(instantiate(graph), stream), CUDA_SUCCESS);
        assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS);
        assert_eq!(read(data), [9; 4]);
    }
}

#[test]
fn dependencies_can_be_taken_away() {
    let _context = own_context();
    let data = words(4);
    let graph = new_graph();
    let first = add_fill(graph, &[], data, 1);
    let second = add_fill(graph, &[first], data, 2);
    let mut count = 0;
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuGraphRemoveDependencies(graph, &second, &first, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphRemoveDependencies(graph, &first, &second, 1), CUDA_SUCCESS);
        assert_eq!(cuGraphGetEdges(graph, null_mut(), null_mut(), &mut count), CUDA_SUCCESS);
        assert_eq!(count, 0);
        assert_eq!(cuGraphAddEmptyNode(&mut null_mut(), graph, null(), 0), CUDA_SUCCESS);
    }
}

/// A program that captures into a graph of its own needs no handle of it: an H200 takes null.
#[test]
fn a_capture_ends_without_a_place_for_the_graph() {
    let _context = own_context();
    let data = words(4);
    let (mut stream, mut graph, mut count) = (null_mut(), null_mut(), 0);
    // SAFETY: handles and out-pointers to locals.
    unsafe {
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(cuGraphCreate(&mut graph, 0), CUDA_SUCCESS);
        let begun = cuStreamBeginCaptureToGraph(stream, graph, null(), null(), 0, GLOBAL as i32);
        assert_eq!(begun, CUDA_SUCCESS);
        assert_eq!(cuMemsetD32Async(data, 1, 4, stream), CUDA_SUCCESS);
        assert_eq!(cuStreamEndCapture(stream, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphGetNodes(graph, null_mut(), &mut count), CUDA_SUCCESS);
        assert_eq!(count, 1);
        // The capture has ended.
        assert_eq!(cuStreamEndCapture(stream, &mut graph), CUDA_ERROR_ILLEGAL_STATE);
    }
}

#[test]
fn each_dependency_of_a_captured_stream_has_data_of_an_edge() {
    let _context = own_context();
    let data = words(4);
    let (mut stream, mut graph) = (null_mut(), null_mut());
    let mut status = CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_NONE;
    let (mut nodes, mut edges, mut count) = (null(), null(), 0);
    // SAFETY: handles and out-pointers to locals; both lists are as long as `count` says.
    unsafe {
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(cuStreamBeginCapture_v2(stream, GLOBAL), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32Async(data, 1, 4, stream), CUDA_SUCCESS);
        let id = null_mut();
        let told = cuStreamGetCaptureInfo_v3(stream, &mut status, id, null_mut(), &mut nodes, &mut edges, &mut count);
        assert_eq!((told, count, nodes.is_null()), (CUDA_SUCCESS, 1, false));
        assert!(edges.read() == CUgraphEdgeData::default());
        // The list of edges may be left out.
        let told = cuStreamGetCaptureInfo_v3(stream, &mut status, id, null_mut(), &mut nodes, null_mut(), &mut count);
        assert_eq!((told, count), (CUDA_SUCCESS, 1));
        assert_eq!(cuStreamEndCapture(stream, &mut graph), CUDA_SUCCESS);
    }
}

#[test]
fn a_stream_that_has_joined_a_capture_again_can_be_destroyed() {
    let _context = own_context();
    let data = words(4);
    assert_eq!(read(data), [0; 4]);
    let (mut events, mut graph) = ([null_mut(); 2], null_mut());
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        events.iter_mut().for_each(|event| assert_eq!(cuEventCreate(event, 2), CUDA_SUCCESS));
        for (joins, ended) in [(true, CUDA_SUCCESS), (false, CUDA_ERROR_STREAM_CAPTURE_UNJOINED)] {
            let (mut stream, mut side) = (null_mut(), null_mut());
            assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
            assert_eq!(cuStreamCreate(&mut side, 1), CUDA_SUCCESS);
            assert_eq!(cuStreamBeginCapture_v2(stream, GLOBAL), CUDA_SUCCESS);
            assert_eq!(cuEventRecord(events[0], stream), CUDA_SUCCESS);
            assert_eq!(cuStreamWaitEvent(side, events[0], 0), CUDA_SUCCESS);
            assert_eq!(cuMemsetD32Async(data, 7, 4, side), CUDA_SUCCESS);
            if joins {
                assert_eq!(cuEventRecord(events[1], side), CUDA_SUCCESS);
                assert_eq!(cuStreamWaitEvent(stream, events[1], 0), CUDA_SUCCESS);
            }
            assert_eq!(cuStreamDestroy_v2(side), CUDA_SUCCESS);
            if joins {
                assert_eq!(cuMemsetD32Async(data, 8, 2, stream), CUDA_SUCCESS);
            }
            assert_eq!(cuStreamEndCapture(stream, &mut graph), ended);
            if joins {
                assert_eq!(cuGraphLaunch(instantiate(graph), stream), CUDA_SUCCESS);
                assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS);
                assert_eq!(read(data), [8, 8, 7, 7]);
            }
        }
    }
}

/// A launch of a graph is no node (errors as on an H200).
#[test]
fn a_graph_is_not_launched_into_a_capture() {
    let _context = own_context();
    let (graph, data) = (new_graph(), words(4));
    add_fill(graph, &[], data, 1);
    let (executable, mut stream, mut captured) = (instantiate(graph), null_mut(), null_mut());
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(cuStreamBeginCapture_v2(stream, GLOBAL), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        assert_eq!(cuStreamEndCapture(stream, &mut captured), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    assert_eq!((captured, read(data)), (null_mut(), [0; 4]));
}

//! Memory that graphs allocate and free, and the references of graphs to user objects.

use crate::graphs::*;
use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::types::CUDA_MEM_ALLOC_NODE_PARAMS_v2;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

/// Adds a node that allocates 16 bytes.
fn add_allocation(graph: CUgraph, after: &[CUgraphNode]) -> (CUgraphNode, CUdeviceptr) {
    let mut wanted = CUDA_MEM_ALLOC_NODE_PARAMS_v2::of(0, 16);
    // SAFETY: pointers to locals; the two forms are laid out alike.
    let node = node_after(graph, after, |node, graph, list, count| unsafe {
        cuGraphAddMemAllocNode(node, graph, list, count, (&raw mut wanted).cast())
    });
    assert_ne!(wanted.dptr, 0);
    (node, wanted.dptr)
}

fn add_free(graph: CUgraph, after: &[CUgraphNode], address: CUdeviceptr) -> CUgraphNode {
    // SAFETY: pointers to locals.
    node_after(graph, after, |node, graph, list, count| unsafe {
        cuGraphAddMemFreeNode(node, graph, list, count, address)
    })
}

fn free_again(graph: CUgraph, address: CUdeviceptr) -> CUresult {
    // SAFETY: an out-pointer to a local.
    unsafe { cuGraphAddMemFreeNode(&mut null_mut(), graph, null(), 0, address) }
}

#[test]
fn memory_that_a_graph_does_not_free_lives_until_the_program_frees_it() {
    let _context = own_context();
    let graph = new_graph();
    let (node, address) = add_allocation(graph, &[]);
    add_fill(graph, &[node], address, 7);
    let executable = instantiate(graph);
    let (mut kind, mut told) = (CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY, MaybeUninit::zeroed());
    // SAFETY: handles, addresses, and out-pointers to locals.
    unsafe {
        assert_eq!(cuGraphNodeGetType(node, &mut kind), CUDA_SUCCESS);
        assert_eq!(kind, CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEM_ALLOC);
        assert_eq!(cuGraphMemAllocNodeGetParams(node, told.as_mut_ptr()), CUDA_SUCCESS);
        let told: CUDA_MEM_ALLOC_NODE_PARAMS = told.assume_init();
        assert_eq!((told.dptr, told.bytesize), (address, 16));
        assert_eq!(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);
        for _ in 0..2 {
            assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
            assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(read(address), [7; 4]);
            assert_eq!(cuMemFreeAsync(address, null_mut()), CUDA_SUCCESS);
            assert_eq!(cuMemFreeAsync(address, null_mut()), CUDA_ERROR_INVALID_VALUE);
        }
        let freer = new_graph();
        add_free(freer, &[], address);
        let freer = instantiate(freer);
        assert_eq!(cuGraphLaunch(freer, null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(freer, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
    }
    assert_eq!(free_again(graph, address), CUDA_ERROR_INVALID_VALUE, "another graph frees it");
}

#[test]
fn a_graph_with_memory_keeps_its_shape_and_is_instantiated_once() {
    let _context = own_context();
    let graph = new_graph();
    let (node, address) = add_allocation(graph, &[]);
    let freed = add_free(graph, &[node], address);
    assert_eq!(free_again(graph, address), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(free_again(new_graph(), address), CUDA_ERROR_INVALID_VALUE, "its own graph frees it");
    assert_eq!(free_again(graph, words(4)), CUDA_ERROR_INVALID_VALUE, "no memory of a graph");
    let executable = instantiate(graph);
    let (mut other, mut told) = (null_mut(), 0);
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuGraphMemFreeNodeGetParams(freed, &mut told), CUDA_SUCCESS);
        assert_eq!(cuGraphMemFreeNodeGetParams(node, &mut told), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(told, address);
        assert_eq!(cuGraphClone(&mut other, graph), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphDestroyNode(node), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphRemoveDependencies(graph, &node, &freed, 1), CUDA_ERROR_NOT_SUPPORTED);
        let child = cuGraphAddChildGraphNode(&mut null_mut(), new_graph(), null(), 0, graph);
        assert_eq!(child, CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphInstantiateWithFlags(&mut null_mut(), graph, 0), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);
        // A launch of it is no node, and spoils the capture.
        let mut stream = null_mut();
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(
            cuStreamBeginCapture_v2(stream, CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED),
            CUDA_SUCCESS
        );
        assert_eq!(cuGraphLaunch(executable, stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        assert_eq!(cuStreamEndCapture(stream, &mut other), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
    }
    instantiate(graph);
}

static DESTROYED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn destroy(by: *mut c_void) {
    // SAFETY: no pointers. A destructor must not call CUDA.
    assert_eq!(unsafe { cuCtxSynchronize() }, CUDA_ERROR_NOT_PERMITTED);
    DESTROYED.fetch_add(by as u32, Ordering::Relaxed);
}

#[test]
fn the_last_reference_destroys_a_user_object() {
    let _context = own_context();
    let (mut object, data) = (null_mut(), 3 as *mut c_void);
    let graph = new_graph();
    let is_destroyed = || DESTROYED.load(Ordering::Relaxed) == 3;
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuUserObjectCreate(&mut object, data, Some(destroy), 1, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuUserObjectCreate(&mut object, data, None, 1, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuUserObjectCreate(&mut object, data, Some(destroy), 1, 1), CUDA_SUCCESS);
        assert_eq!(cuUserObjectRetain(object, 1), CUDA_SUCCESS);
        assert_eq!(cuUserObjectRelease(object, 3), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphRetainUserObject(graph, object, 3, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphRetainUserObject(graph, object, 2, 1), CUDA_SUCCESS);
        assert_eq!(cuUserObjectRelease(object, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphReleaseUserObject(graph, object, 1), CUDA_SUCCESS);
        let executable = instantiate(graph);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroy(graph), CUDA_SUCCESS);
        assert!(!is_destroyed(), "a launch is under way");
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        assert!(is_destroyed());
        assert_eq!(cuUserObjectRetain(object, 1), CUDA_ERROR_INVALID_VALUE);
    }
}

/// An update, or another child, releases the objects of the replaced part of an instantiated graph and holds those of
/// the new one (seen on an H200).
#[test]
fn an_instantiated_graph_holds_the_objects_of_what_it_runs() {
    unsafe extern "C" fn count(data: *mut c_void) {
        // SAFETY: a counter that outlives the object.
        unsafe { (*data.cast::<AtomicU32>()).fetch_add(1, Ordering::Relaxed) };
    }
    let _context = own_context();
    let with_object = |counter: &'static AtomicU32| {
        let (graph, mut object) = (new_graph(), null_mut());
        add_fill(graph, &[], words(4), 1);
        // SAFETY: handles, and an out-pointer to a local.
        unsafe {
            let data = std::ptr::from_ref(counter) as *mut c_void;
            assert_eq!(cuUserObjectCreate(&mut object, data, Some(count), 1, 1), CUDA_SUCCESS);
            assert_eq!(cuGraphRetainUserObject(graph, object, 1, 1), CUDA_SUCCESS);
        }
        graph
    };
    static COUNTERS: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];
    let released = || COUNTERS.each_ref().map(|counter| counter.load(Ordering::Relaxed));
    let [old, new, old_child, new_child] = COUNTERS.each_ref().map(with_object);
    let (executable, outer, mut child) = (instantiate(old), new_graph(), null_mut());
    let (mut error, mut result) = (null_mut(), CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR);
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuGraphDestroy(old), CUDA_SUCCESS);
        assert_eq!(cuGraphExecUpdate(executable, new, &mut error, &mut result), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroy(new), CUDA_SUCCESS);
        assert_eq!(released(), [1, 0, 0, 0]);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
        assert_eq!(released(), [1, 1, 0, 0]);

        assert_eq!(cuGraphAddChildGraphNode(&mut child, outer, null(), 0, old_child), CUDA_SUCCESS);
        let executable = instantiate(outer);
        assert_eq!(cuGraphDestroy(old_child), CUDA_SUCCESS);
        assert_eq!(cuGraphExecChildGraphNodeSetParams(executable, child, new_child), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroy(new_child), CUDA_SUCCESS);
        assert_eq!(released(), [1, 1, 0, 0], "the node's own graph holds the old one");
        assert_eq!(cuGraphDestroy(outer), CUDA_SUCCESS);
        assert_eq!(released(), [1, 1, 1, 0]);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
        assert_eq!(released(), [1; 4]);

        // The child of another graph that it was updated from goes with its own child.
        let with_child = |child: CUgraph| {
            let (outer, mut node) = (new_graph(), null_mut());
            assert_eq!(cuGraphAddChildGraphNode(&mut node, outer, null(), 0, child), CUDA_SUCCESS);
            assert_eq!(cuGraphDestroy(child), CUDA_SUCCESS);
            (outer, node)
        };
        let [first, second, third, _] = COUNTERS.each_ref().map(with_object);
        let ((outer, node), (other, _)) = (with_child(first), with_child(second));
        let executable = instantiate(outer);
        assert_eq!(cuGraphExecUpdate(executable, other, &mut error, &mut result), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroy(other), CUDA_SUCCESS);
        assert_eq!(released(), [1; 4]);
        assert_eq!(cuGraphExecChildGraphNodeSetParams(executable, node, third), CUDA_SUCCESS);
        assert_eq!(released(), [1, 2, 1, 1]);
    }
}

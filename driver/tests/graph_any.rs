//! Nodes that one struct describes, whatever their type, and graphs that are moved into a node.

use crate::graphs::*;
use crate::support::own_context;
use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::newer::*;
use driver::types::{CUDA_CHILD_GRAPH_NODE_PARAMS, CUgraphEdgeData, CUgraphNodeParams};
use std::ffi::c_uint;
use std::ptr::{null, null_mut};

/// A node of this type, with a member of the union.
pub fn described<T>(kind: CUgraphNodeType, member: T) -> CUgraphNodeParams {
    let mut all = CUgraphNodeParams { kind: kind as c_uint, reserved0: [0; 3], values: [0; 29], reserved2: 0 };
    // SAFETY: no member is larger than the union.
    unsafe { (&raw mut all.values).cast::<T>().write(member) };
    all
}

const FILL: CUgraphNodeType = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEMSET;
const CHILD: CUgraphNodeType = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_GRAPH;

fn moved(graph: CUgraph) -> CUgraphNodeParams {
    described(CHILD, CUDA_CHILD_GRAPH_NODE_PARAMS { graph, ownership: 1 })
}

/// Adds a node after no other.
fn add(graph: CUgraph, mut wanted: CUgraphNodeParams) -> Result<CUgraphNode, CUresult> {
    let mut node = null_mut();
    // SAFETY: pointers to locals.
    match unsafe { cuGraphAddNode(&mut node, graph, null(), 0, &mut wanted) } {
        CUDA_SUCCESS => Ok(node),
        code => Err(code),
    }
}

#[test]
fn a_struct_describes_a_node_and_its_later_change() {
    let _context = own_context();
    let (graph, data) = (new_graph(), words(4));
    let mut wanted = described(FILL, fill(data, 5));
    let node = add(graph, wanted).unwrap();
    let executable = instantiate(graph);
    let mut other = described(FILL, fill(data, 6));
    let mut empty = described(CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY, ());
    // SAFETY: handles, and pointers to locals.
    unsafe {
        assert_eq!(cuGraphExecNodeSetParams(executable, node, &mut other), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [6; 4]);
        assert_eq!(cuGraphNodeSetParams(node, &mut other), CUDA_SUCCESS);
        assert_eq!(cuGraphNodeSetParams_v2(node, &mut wanted), CUDA_SUCCESS);
        assert_eq!(cuGraphNodeSetParams(node, &mut empty), CUDA_ERROR_INVALID_VALUE);
        let with_data = CUgraphEdgeData { kind: 1, ..CUgraphEdgeData::default() };
        let added = cuGraphAddNode_v2(&mut null_mut(), graph, &node, &with_data, 1, &mut empty);
        assert_eq!(added, CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphAddNode_v3(&mut null_mut(), graph, &node, null(), 1, &mut empty), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(instantiate(graph), null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [5; 4]);
    }
    wanted.reserved0[1] = 1;
    assert_eq!(add(graph, wanted), Err(CUDA_ERROR_INVALID_VALUE));
    for (kind, code) in [(8, CUDA_ERROR_NOT_SUPPORTED), (12, CUDA_ERROR_NOT_SUPPORTED), (99, CUDA_ERROR_INVALID_VALUE)]
    {
        assert_eq!(add(graph, CUgraphNodeParams { kind, ..described(FILL, ()) }), Err(code), "{kind}");
    }
}

#[test]
fn a_kernel_must_be_of_the_context_that_is_given() {
    let context = own_context();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let graph = new_graph();
    let node = add_kernel(graph, &[], &module, words(4), 2);
    let mut of_kernel = CUDA_KERNEL_NODE_PARAMS::default();
    let mut add_in = |context: CUcontext| {
        // SAFETY: handles, and pointers to locals. The context is the last value of a kernel's nine.
        unsafe {
            assert_eq!(cuGraphKernelNodeGetParams(node, &mut of_kernel), CUDA_SUCCESS);
            let mut wanted = described(CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_KERNEL, of_kernel);
            wanted.values[8] = context as u64;
            let older = cuGraphAddNode_v2(&mut null_mut(), graph, null(), null(), 0, &mut wanted);
            assert_eq!(older, CUDA_SUCCESS);
            cuGraphAddNode_v3(&mut null_mut(), graph, null(), null(), 0, &mut wanted)
        }
    };
    let (mut own, mut other) = (null_mut(), null_mut());
    // SAFETY: out-pointers to locals.
    unsafe {
        assert_eq!(cuCtxGetCurrent(&mut own), CUDA_SUCCESS);
        assert_eq!((add_in(own), add_in(null_mut())), (CUDA_SUCCESS, CUDA_SUCCESS));
        assert_eq!(cuCtxCreate_v2(&mut other, 0, 0), CUDA_SUCCESS);
        assert_eq!(add_in(other), CUDA_ERROR_INVALID_CONTEXT);
        assert_eq!(cuCtxDestroy_v2(other), CUDA_SUCCESS);
    }
    drop(context);
}

#[test]
fn a_graph_that_is_moved_belongs_to_its_node() {
    let _context = own_context();
    let (graph, inner, data) = (new_graph(), new_graph(), words(4));
    let filled = add_fill(inner, &[], data, 1);
    let node = add(graph, moved(inner)).unwrap();
    assert_eq!(add(new_graph(), moved(inner)), Err(CUDA_ERROR_INVALID_VALUE));
    assert_eq!(add(inner, moved(graph)), Err(CUDA_ERROR_INVALID_VALUE), "a circle");
    let mut told = null_mut();
    // SAFETY: handles, and out-pointers to locals.
    unsafe {
        assert_eq!(cuGraphDestroy(inner), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphChildGraphNodeGetGraph(node, &mut told), CUDA_SUCCESS);
        assert_eq!(told, inner);
        assert_eq!(cuGraphMemsetNodeSetParams(filled, &fill(data, 2)), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(instantiate(graph), null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [2; 4]);
        assert_eq!(cuGraphDestroy(graph), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroy(inner), CUDA_ERROR_INVALID_VALUE);
    }
}

#[test]
fn the_child_of_an_instantiated_graph_can_be_changed() {
    let _context = own_context();
    let (graph, data) = (new_graph(), words(4));
    let of_fills = |values: &[u32]| {
        let inner = new_graph();
        let mut after = vec![];
        for &value in values {
            after = vec![add_fill(inner, &after, data, value)];
        }
        inner
    };
    let before = add_fill(graph, &[], data, 9);
    // SAFETY: handles, and pointers to locals.
    unsafe {
        let child = node_after(graph, &[before], |node, graph, list, count| {
            cuGraphAddChildGraphNode(node, graph, list, count, of_fills(&[1, 2]))
        });
        let executable = instantiate(graph);
        assert_eq!(cuGraphExecChildGraphNodeSetParams(executable, child, of_fills(&[3, 4])), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [4; 4]);
        let shorter = cuGraphExecChildGraphNodeSetParams(executable, child, of_fills(&[5]));
        assert_eq!(shorter, CUDA_ERROR_INVALID_VALUE);
        let of_a_fill = cuGraphExecChildGraphNodeSetParams(executable, before, of_fills(&[3, 4]));
        assert_eq!(of_a_fill, CUDA_ERROR_INVALID_VALUE);
        let mut wanted = moved(of_fills(&[6, 7]));
        assert_eq!(cuGraphExecNodeSetParams(executable, child, &mut wanted), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(read(data), [7; 4]);
    }
}

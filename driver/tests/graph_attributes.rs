//! Attributes of kernel nodes, nodes that are switched off, and the parameters of any node (values as on an H200).

use crate::graph_any::described;
use crate::graphs::*;
use crate::support::own_context;
use cust::prelude::*;
use cust_raw::CUgraphNodeType_enum::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::newer::*;
use driver::types::{CUDA_CHILD_GRAPH_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v2, CUgraphNodeParams};
use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;

// With a number for the attribute, which may be none that `cust_raw` knows.
unsafe extern "C" {
    fn cuGraphKernelNodeGetAttribute(node: CUgraphNode, attribute: c_uint, value: *mut c_void) -> CUresult;
    fn cuGraphKernelNodeSetAttribute(node: CUgraphNode, attribute: c_uint, value: *const c_void) -> CUresult;
}

const COOPERATIVE: c_uint = 2;
const CLUSTER: c_uint = 4;
const PRIORITY: c_uint = 8;
const DOMAIN_MAP: c_uint = 9;
const UNTOUCHED: u32 = 0xEEEE_EEEE;

fn attribute(node: CUgraphNode, attribute: c_uint) -> (CUresult, [u32; 4]) {
    let mut value = [UNTOUCHED; 16];
    // SAFETY: room for the union of all values.
    let code = unsafe { cuGraphKernelNodeGetAttribute(node, attribute, value.as_mut_ptr().cast()) };
    (code, [value[0], value[1], value[2], value[3]])
}

fn set(node: CUgraphNode, attribute: c_uint, first: [u32; 3]) -> CUresult {
    let mut value = [0u32; 16];
    value[..3].copy_from_slice(&first);
    // SAFETY: a value as large as the union.
    unsafe { cuGraphKernelNodeSetAttribute(node, attribute, value.as_ptr().cast()) }
}

#[test]
fn a_kernel_node_has_attributes() {
    let _context = own_context();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let (graph, data) = (new_graph(), words(4));
    let (node, other) = (add_kernel(graph, &[], &module, data, 1), add_kernel(graph, &[], &module, data, 1));
    let filled = add_fill(graph, &[], data, 0);
    let ok = |value: [u32; 4]| (CUDA_SUCCESS, value);
    let rest = UNTOUCHED;
    assert_eq!(attribute(node, COOPERATIVE), ok([0, rest, rest, rest]));
    assert_eq!(attribute(node, CLUSTER), ok([0, 0, 0, rest]));
    assert_eq!(attribute(node, DOMAIN_MAP), ok([0xEEEE_0100, rest, rest, rest]));
    assert_eq!(set(node, PRIORITY, [-1i32 as u32, 0, 0]), CUDA_SUCCESS);
    assert_eq!(set(node, COOPERATIVE, [1, 0, 0]), CUDA_SUCCESS);
    assert_eq!(set(node, CLUSTER, [1, 1, 1]), CUDA_SUCCESS);
    let is_set = |node| {
        assert_eq!(attribute(node, PRIORITY).1[0] as i32, -1);
        assert_eq!(attribute(node, COOPERATIVE).1[0], 1);
        assert_eq!(attribute(node, CLUSTER).1, [1, 1, 1, rest]);
    };
    is_set(node);
    // SAFETY: handles, which are looked up.
    unsafe {
        assert_eq!(cuGraphKernelNodeCopyAttributes(other, node), CUDA_SUCCESS);
        assert_eq!(cuGraphKernelNodeCopyAttributes(other, filled), CUDA_ERROR_INVALID_VALUE);
    }
    is_set(other);
    // Other parameters leave them as they are.
    let mut found = described(CU_GRAPH_NODE_TYPE_KERNEL, ());
    // SAFETY: a pointer to a local, which has pointers to memory of the node.
    unsafe {
        assert_eq!(cuGraphNodeGetParams(node, &mut found), CUDA_SUCCESS);
        assert_eq!(cuGraphNodeSetParams(node, &mut found), CUDA_SUCCESS);
    }
    is_set(node);
    // A stream's attribute, a node that is no kernel's, one that cannot have its effect, one that can only be set.
    assert_eq!([attribute(node, 3).0, set(node, 3, [0; 3])], [CUDA_ERROR_INVALID_VALUE; 2]);
    assert_eq!([attribute(filled, PRIORITY).0, set(filled, PRIORITY, [0; 3])], [CUDA_ERROR_INVALID_VALUE; 2]);
    assert_eq!([set(node, 13, [0; 3]), set(node, 13, [1, 0, 0])], [CUDA_SUCCESS, CUDA_ERROR_NOT_SUPPORTED]);
    assert_eq!([set(node, 16, [0; 3]), attribute(node, 16).0], [CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE]);
}

#[test]
fn a_node_that_is_switched_off_does_nothing() {
    let _context = own_context();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let (graph, data) = (new_graph(), words(8));
    let kernel = add_kernel(graph, &[], &module, data, 1);
    let filled = add_fill(graph, &[], data + 16, 9);
    // SAFETY: pointers to locals.
    let empty =
        node_after(graph, &[], |node, graph, list, count| unsafe { cuGraphAddEmptyNode(node, graph, list, count) });
    let executable = instantiate(graph);
    let is_enabled = |node| {
        let mut is_enabled = 7;
        // SAFETY: an out-pointer to a local.
        (unsafe { cuGraphNodeGetEnabled(executable, node, &mut is_enabled) }, is_enabled)
    };
    // SAFETY: handles, which are looked up.
    let enable = |node, is_enabled| unsafe { cuGraphNodeSetEnabled(executable, node, is_enabled) };
    let launch = || {
        // SAFETY: handles, which are looked up.
        unsafe { assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS) };
        [read(data)[0], read(data + 16)[0]]
    };
    assert_eq!([is_enabled(kernel), is_enabled(filled)], [(CUDA_SUCCESS, 1); 2]);
    assert_eq!([is_enabled(empty), is_enabled(null_mut())], [(CUDA_ERROR_INVALID_VALUE, 7); 2]);
    assert_eq!(enable(empty, 0), CUDA_ERROR_INVALID_VALUE);
    assert_eq!([enable(kernel, 0), enable(filled, 7)], [CUDA_SUCCESS; 2]);
    assert_eq!([is_enabled(kernel).1, is_enabled(filled).1], [0, 1]);
    assert_eq!(launch(), [0, 9]);
    // An update leaves it off.
    let (mut error, mut result) = (null_mut(), CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR);
    // SAFETY: handles, and pointers to locals.
    let code = unsafe { cuGraphExecUpdate(executable, graph, &mut error, &mut result) };
    assert_eq!((code, is_enabled(kernel).1, launch()), (CUDA_SUCCESS, 0, [0, 9]));
    assert_eq!((enable(kernel, 1), launch()), (CUDA_SUCCESS, [1, 9]));
}

#[test]
fn any_node_has_parameters() {
    let _context = own_context();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let (graph, data, child) = (new_graph(), words(8), new_graph());
    let params = |node| {
        let mut found = CUgraphNodeParams { kind: 99, reserved0: [7; 3], values: [7; 29], reserved2: 7 };
        // SAFETY: an out-pointer to a local.
        assert_eq!(unsafe { cuGraphNodeGetParams(node, &mut found) }, CUDA_SUCCESS);
        assert_eq!((found.reserved0, found.reserved2), ([0; 3], 0));
        found
    };
    let kernel = add_kernel(graph, &[], &module, data, 3);
    let found = params(kernel);
    assert_eq!(found.kind, CU_GRAPH_NODE_TYPE_KERNEL as c_uint);
    // SAFETY: the union's member of this type, with pointers to memory of the node.
    unsafe {
        let CUDA_KERNEL_NODE_PARAMS_v2 { v1, .. } = *found.member();
        assert_eq!((v1.blockDimX, *v1.kernelParams.add(1).read().cast::<u32>()), (4, 3));
    }
    let filled = add_fill(graph, &[], data + 16, 9);
    let found = params(filled);
    // SAFETY: as above.
    let fill = unsafe { *found.member::<CUDA_MEMSET_NODE_PARAMS>() };
    assert_eq!((found.kind, fill.dst, fill.value), (CU_GRAPH_NODE_TYPE_MEMSET as c_uint, data + 16, 9));
    // SAFETY: pointers to locals.
    let copied = node_after(graph, &[], |node, graph, list, count| unsafe {
        cuGraphAddMemcpyNode(node, graph, list, count, &line(data, data + 16), null_mut())
    });
    // Parameters that were read can be set.
    let mut found = params(copied);
    // SAFETY: a pointer to a local.
    assert_eq!(unsafe { cuGraphNodeSetParams(copied, &mut found) }, CUDA_SUCCESS);
    let mut parameters = std::mem::MaybeUninit::<CUDA_MEMCPY3D>::uninit();
    // SAFETY: an out-pointer to a local.
    unsafe {
        assert_eq!(cuGraphMemcpyNodeGetParams(copied, parameters.as_mut_ptr()), CUDA_SUCCESS);
        let CUDA_MEMCPY3D { srcDevice, dstDevice, .. } = parameters.assume_init();
        assert_eq!((srcDevice, dstDevice), (data + 16, data));
    }
    // The graph of a child node is replaced by a copy of another, with a handle of its own.
    add_fill(child, &[], data, 1);
    // SAFETY: pointers to locals.
    let inner = node_after(graph, &[], |node, graph, list, count| unsafe {
        cuGraphAddChildGraphNode(node, graph, list, count, child)
    });
    // SAFETY: as above.
    let graph_of = |node| unsafe { params(node).member::<CUDA_CHILD_GRAPH_NODE_PARAMS>().read().graph };
    let (before, empty) = (graph_of(inner), new_graph());
    let with = |graph| described(CU_GRAPH_NODE_TYPE_GRAPH, CUDA_CHILD_GRAPH_NODE_PARAMS { graph, ownership: 0 });
    // SAFETY: pointers to locals.
    unsafe {
        assert_eq!(cuGraphNodeSetParams(inner, &mut with(null_mut())), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphNodeSetParams(inner, &mut with(before)), CUDA_ERROR_NOT_SUPPORTED, "it has it already");
        assert_eq!(cuGraphNodeSetParams(inner, &mut with(empty)), CUDA_SUCCESS);
    }
    let after = graph_of(inner);
    assert!(after != before && after != empty);
    let mut count = 9;
    // SAFETY: an out-pointer to a local.
    unsafe { assert_eq!(cuGraphGetNodes(after, null_mut(), &mut count), CUDA_SUCCESS) };
    assert_eq!(count, 0);
}

//! Conditional nodes of graphs: how often their bodies run, and what they are refused for.

use crate::graphs::*;
use crate::support::own_context;
use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::emulated::{configure, take_reports};
use driver::emulator::finding::Slug;
use driver::emulator::{Checks, Config};
use driver::newer::*;
use driver::types::{CUDA_CONDITIONAL_NODE_PARAMS, CUDA_GRAPH_INSTANTIATE_PARAMS, CUgraphNodeParams};
use std::ffi::{c_uint, c_void};
use std::ptr::{null, null_mut};

const IF: c_uint = 0;
const WHILE: c_uint = 1;
const SWITCH: c_uint = 2;

/// A kernel that sets a condition to `--*left > 0`, as nvcc compiles the call.
const COUNT_DOWN: &str = "
.version 8.4
.target sm_75
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry count_down(.param .u64 handle, .param .u64 left)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [handle];
    ld.param.u64 %rd2, [left];
    ld.global.u32 %r1, [%rd2];
    sub.u32 %r2, %r1, 1;
    st.global.u32 [%rd2], %r2;
    setp.ne.u32 %p1, %r2, 0;
    selp.u32 %r3, 1, 0, %p1;
    {
    .param .b64 handle_value;
    st.param.b64 [handle_value], %rd1;
    .param .b32 new_value;
    st.param.b32 [new_value], %r3;
    call.uni cudaGraphSetConditional, (handle_value, new_value);
    }
    ret;
}
";

fn current() -> CUcontext {
    let mut context = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuCtxGetCurrent(&mut context) }, CUDA_SUCCESS);
    context
}

/// A condition that is `value` at each launch.
fn condition(graph: CUgraph, value: u32) -> u64 {
    let mut handle = 0;
    // SAFETY: an out-pointer to a local, and handles.
    let code = unsafe { cuGraphConditionalHandleCreate(&mut handle, graph, current(), value, 1) };
    assert_eq!(code, CUDA_SUCCESS);
    handle
}

/// Adds a conditional node, and returns it with its bodies.
fn add(graph: CUgraph, handle: u64, kind: c_uint, size: c_uint) -> Result<(CUgraphNode, Vec<CUgraph>), CUresult> {
    let member = CUDA_CONDITIONAL_NODE_PARAMS { handle, kind, size, phGraph_out: null_mut(), ctx: current() };
    let mut wanted = CUgraphNodeParams { kind: 13, reserved0: [0; 3], values: [0; 29], reserved2: 0 };
    let mut node = null_mut();
    // SAFETY: the member is no larger than the union; pointers to locals, and as many bodies as were asked for.
    unsafe {
        (&raw mut wanted.values).cast::<CUDA_CONDITIONAL_NODE_PARAMS>().write(member);
        match cuGraphAddNode(&mut node, graph, null(), 0, &mut wanted) {
            CUDA_SUCCESS => {
                let bodies = (*wanted.member::<CUDA_CONDITIONAL_NODE_PARAMS>()).phGraph_out;
                Ok((node, std::slice::from_raw_parts(bodies, size as usize).to_vec()))
            }
            code => Err(code),
        }
    }
}

/// Adds a kernel that counts a word down, and sets a condition to whether it is zero.
fn add_count_down(graph: CUgraph, module: &Module, mut handle: u64, mut left: CUdeviceptr) -> CUgraphNode {
    let mut list: [*mut c_void; 2] = [(&raw mut handle).cast(), (&raw mut left).cast()];
    let wanted = CUDA_KERNEL_NODE_PARAMS {
        func: module.get_function("count_down").unwrap().to_raw(),
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: list.as_mut_ptr(),
        extra: null_mut(),
    };
    // SAFETY: pointers to locals.
    node_after(graph, &[], |node, graph, list, count| unsafe {
        cuGraphAddKernelNode(node, graph, list, count, &wanted)
    })
}

fn launch(executable: CUgraphExec) {
    // SAFETY: a handle.
    unsafe {
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
    }
}

#[test]
fn a_value_chooses_the_body_that_runs() {
    let _context = own_context();
    for (kind, size, value, wanted) in
        [(IF, 1, 0, 9), (IF, 1, 3, 0), (IF, 2, 0, 1), (WHILE, 1, 0, 9), (SWITCH, 3, 2, 2), (SWITCH, 3, 3, 9)]
    {
        let (graph, data) = (new_graph(), words(4));
        let (_, bodies) = add(graph, condition(graph, value), kind, size).unwrap();
        for (&body, number) in bodies.iter().zip(0..) {
            add_fill(body, &[], data, number);
        }
        // SAFETY: memory of that size.
        assert_eq!(unsafe { cuMemsetD32_v2(data, 9, 4) }, CUDA_SUCCESS);
        launch(instantiate(graph));
        assert_eq!(read(data), [wanted; 4], "{kind} {size} {value}");
    }
}

/// A loop of so many rounds, in which `in_body` adds a node to each body.
fn loops(rounds: u32, in_body: impl FnOnce(CUgraph, CUgraphNode)) -> CUgraphExec {
    let module = Module::from_ptx(COUNT_DOWN, &[]).unwrap();
    let (graph, left) = (new_graph(), words(4));
    let handle = condition(graph, 1);
    let (_, bodies) = add(graph, handle, WHILE, 1).unwrap();
    let counts = add_count_down(bodies[0], &module, handle, left);
    in_body(bodies[0], counts);
    let executable = instantiate(graph);
    // SAFETY: memory of that size.
    assert_eq!(unsafe { cuMemsetD32_v2(left, rounds, 1) }, CUDA_SUCCESS);
    // The function must outlive the test's launches.
    std::mem::forget(module);
    executable
}

/// True if a loop with two kernels beside each other, or one after the other, has a race.
fn races(is_ordered: bool) -> bool {
    let _context = own_context();
    configure(Config { checks: Checks::Full, ..Config::default() }).unwrap();
    let module = Module::from_ptx(KERNELS, &[]).unwrap();
    let data = words(4);
    let executable = loops(3, |body, counts| {
        let first = [add_kernel(body, &[counts], &module, data, 1)];
        add_kernel(body, if is_ordered { &first } else { &[] }, &module, data, 1);
    });
    launch(executable);
    assert_eq!(read(data), [6; 4]);
    let reports = take_reports().unwrap();
    reports.iter().flat_map(|report| &report.findings).any(|finding| finding.slug == Slug::RaceGlobal)
}

#[test]
fn only_edges_order_the_nodes_of_a_body_and_rounds_are_in_order() {
    assert!(races(false));
    assert!(!races(true));
}

#[test]
fn a_loop_without_end_is_stopped() {
    let _context = own_context();
    // Fuel for less than one round.
    configure(Config { fuel: 1 << 19, ..Config::default() }).unwrap();
    let executable = loops(0, |_, _| {});
    // SAFETY: a handle.
    unsafe {
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
    }
}

/// Returns the outcome of an instantiation: the code, the number of `CUgraphInstantiateResult`, and the node to blame.
fn refusal(graph: CUgraph) -> (CUresult, u32, CUgraphNode) {
    let mut how =
        CUDA_GRAPH_INSTANTIATE_PARAMS { flags: 0, hUploadStream: null_mut(), hErrNode_out: null_mut(), result_out: 9 };
    // SAFETY: pointers to locals.
    let code = unsafe { cuGraphInstantiateWithParams(&mut null_mut(), graph, &mut how) };
    (code, how.result_out, how.hErrNode_out)
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

/// All codes here are those of an H200.
#[test]
fn wrong_nodes_and_graphs_are_refused() {
    let _context = own_context();
    let (graph, other) = (new_graph(), new_graph());
    let handle = condition(graph, 1);
    for (kind, size) in [(IF, 0), (IF, 3), (WHILE, 0), (WHILE, 2), (SWITCH, 0), (3, 1)] {
        assert_eq!(add(graph, handle, kind, size).err(), Some(CUDA_ERROR_INVALID_VALUE), "{kind} {size}");
    }
    assert_eq!(add(other, handle, IF, 1).err(), Some(CUDA_ERROR_INVALID_VALUE), "the handle of another graph");
    assert_eq!(add(graph, handle + 1, IF, 1).err(), Some(CUDA_ERROR_INVALID_VALUE), "no handle");
    assert_eq!(refusal(graph), (CUDA_ERROR_INVALID_VALUE, 5, null_mut()), "no node has the condition");
    let (node, bodies) = add(graph, handle, IF, 1).unwrap();
    assert_eq!(add(graph, handle, IF, 1).err(), Some(CUDA_ERROR_INVALID_VALUE), "a node has it");
    let executable = instantiate(graph);
    assert_eq!(refusal(graph), (CUDA_ERROR_NOT_SUPPORTED, 1, null_mut()), "a second instantiation");
    let body = bodies[0];
    let mut type_of = 0 as c_uint;
    let function = CUDA_HOST_NODE_PARAMS { fn_: Some(nothing), userData: null_mut() };
    let mut wanted = CUgraphNodeParams { kind: 13, reserved0: [0; 3], values: [0; 29], reserved2: 0 };
    let (mut handles, context) = ([0; 1], current());
    // SAFETY: handles, and pointers to locals.
    unsafe {
        assert_eq!(cuGraphNodeGetType(node, (&raw mut type_of).cast()), CUDA_SUCCESS);
        assert_eq!(type_of, 13);
        for (graph, context, flags, code) in [
            (graph, context, 2, CUDA_ERROR_INVALID_VALUE),
            (null_mut(), context, 0, CUDA_ERROR_INVALID_VALUE),
            (graph, null_mut(), 0, CUDA_ERROR_INVALID_CONTEXT),
        ] {
            assert_eq!(cuGraphConditionalHandleCreate(&mut handles[0], graph, context, 0, flags), code);
        }
        for copied in [graph, body] {
            assert_eq!(cuGraphClone(&mut null_mut(), copied), CUDA_ERROR_NOT_SUPPORTED);
            let child = cuGraphAddChildGraphNode(&mut null_mut(), other, null(), 0, copied);
            assert_eq!(child, CUDA_ERROR_NOT_SUPPORTED);
        }
        assert_eq!(cuGraphInstantiateWithFlags(&mut null_mut(), body, 0), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphDestroy(body), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphNodeSetParams(node, &mut wanted), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(cuGraphExecNodeSetParams(executable, node, &mut wanted), CUDA_ERROR_NOT_SUPPORTED);
        // Once the one instantiation is gone there may be another.
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
        let executable = instantiate(graph);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
        let (mut called, mut host) = (null_mut(), [0u32; 4]);
        assert_eq!(cuGraphAddHostNode(&mut called, body, null(), 0, &function), CUDA_SUCCESS);
        assert_eq!(refusal(graph), (CUDA_ERROR_INVALID_VALUE, 3, called));
        assert_eq!(cuGraphDestroyNode(called), CUDA_SUCCESS);
        let to_host = CUDA_MEMCPY3D {
            dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
            dstHost: host.as_mut_ptr().cast(),
            ..line(0, words(4))
        };
        let copied = cuGraphAddMemcpyNode(&mut called, body, null(), 0, &to_host, null_mut());
        assert_eq!(copied, CUDA_SUCCESS);
        assert_eq!(refusal(graph), (CUDA_ERROR_INVALID_VALUE, 4, called), "to pageable memory");
        assert_eq!(cuGraphDestroyNode(node), CUDA_SUCCESS);
        assert_eq!(refusal(graph), (CUDA_ERROR_INVALID_VALUE, 5, null_mut()));
    }
}

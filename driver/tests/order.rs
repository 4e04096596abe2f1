//! Tests of what orders two launches, and what does not: seen by the emulator's race checker.

use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::emulated::{configure, take_reports};
use driver::emulator::finding::Slug;
use driver::emulator::{Checks, Config};
use driver::newer::cuLaunchKernelEx;
use driver::types::{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, CUlaunchAttribute, CUlaunchConfig};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Launches `data[i] += 1` in two streams, with `between` between them; gives the findings.
fn findings(flags: [u32; 2], between: impl FnOnce([CUstream; 2], CUevent)) -> Vec<Slug> {
    let _context = crate::support::own_context();
    configure(Config { checks: Checks::Full, ..Config::default() }).unwrap();
    let module = Module::from_ptx(include_str!("kernels.ptx"), &[]).unwrap();
    let add = module.get_function("add").unwrap().to_raw();
    let data = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    let (mut pointer, mut value, mut n) = (data.as_device_ptr().as_raw(), 1u32, 4u32);
    let mut list = [(&raw mut pointer).cast(), (&raw mut value).cast(), (&raw mut n).cast::<c_void>()];
    let mut event = null_mut();
    // SAFETY: three parameters, as wide as the kernel's; out-pointers to locals.
    unsafe {
        // The earlier work is done, so that only the two launches are in question.
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        let streams = flags.map(|flags| {
            let mut stream = null_mut();
            assert_eq!(cuStreamCreate(&mut stream, flags), CUDA_SUCCESS);
            stream
        });
        assert_eq!(cuEventCreate(&mut event, 0), CUDA_SUCCESS);
        let mut launch = |stream| {
            let code = cuLaunchKernel(add, 1, 1, 1, 4, 1, 1, 0, stream, list.as_mut_ptr(), null_mut());
            assert_eq!(code, CUDA_SUCCESS);
        };
        launch(streams[0]);
        between(streams, event);
        launch(streams[1]);
    }
    let reports = take_reports().unwrap();
    reports.iter().flat_map(|report| &report.findings).map(|finding| finding.slug).collect()
}

const NON_BLOCKING: [u32; 2] = [1, 1];

#[test]
fn after_a_refused_wait_its_context_reports_no_missing_order() {
    let refused = |[_, second]: [CUstream; 2], _| {
        // SAFETY: the call is refused before it looks at its lists.
        let code = unsafe { cuWaitExternalSemaphoresAsync(null_mut(), null_mut(), 1, second) };
        assert_eq!(code, CUDA_ERROR_NOT_SUPPORTED);
    };
    assert_eq!(findings(NON_BLOCKING, refused), []);
    assert_eq!(findings(NON_BLOCKING, |_, _| ())[..1], [Slug::RaceGlobal], "another context does");
}

#[test]
fn two_streams_with_nothing_between_race() {
    assert_eq!(findings(NON_BLOCKING, |_, _| ())[..1], [Slug::RaceGlobal]);
    assert_eq!(findings([0, 0], |_, _| ())[..1], [Slug::RaceGlobal], "blocking streams do not wait for each other");
}

#[test]
fn an_event_orders() {
    // SAFETY: live handles.
    let ordered = findings(NON_BLOCKING, |[first, second], event| unsafe {
        assert_eq!(cuEventRecord(event, first), CUDA_SUCCESS);
        assert_eq!(cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
    });
    assert_eq!(ordered, []);
}

#[test]
fn an_event_of_the_wrong_stream_does_not() {
    // SAFETY: live handles.
    let unordered = findings(NON_BLOCKING, |[_, second], event| unsafe {
        assert_eq!(cuEventRecord(event, second), CUDA_SUCCESS);
        assert_eq!(cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
    });
    assert_eq!(unordered[..1], [Slug::RaceGlobal]);
}

#[test]
fn waiting_on_the_host_orders() {
    // SAFETY: live handles.
    let ordered = findings(NON_BLOCKING, |[first, _], _| unsafe {
        assert_eq!(cuStreamSynchronize(first), CUDA_SUCCESS);
    });
    assert_eq!(ordered, []);
    // SAFETY: live handles.
    let unordered = findings(NON_BLOCKING, |[_, second], _| unsafe {
        assert_eq!(cuStreamSynchronize(second), CUDA_SUCCESS);
    });
    assert_eq!(unordered[..1], [Slug::RaceGlobal], "waiting for the wrong one");
}

#[test]
fn the_null_stream_orders_blocking_streams_only() {
    let through_null = |_: [CUstream; 2], event| {
        // SAFETY: live handles.
        unsafe { assert_eq!(cuEventRecord(event, null_mut()), CUDA_SUCCESS) };
    };
    assert_eq!(findings([0, 0], through_null), []);
    assert_eq!(findings(NON_BLOCKING, through_null)[..1], [Slug::RaceGlobal]);
    assert_eq!(findings([0, 1], through_null)[..1], [Slug::RaceGlobal]);
}

fn of_dependent(allowed: u32, between: impl FnOnce(CUstream, CUevent)) -> Vec<Slug> {
    findings_of_dependent(allowed, false, between)
}

/// Launches `data[i] += 1` twice in one stream, the second time with programmatic stream serialization, and a third
/// time without it, in a graph if they are to be captured. `between` comes between the first two. Gives the findings.
fn findings_of_dependent(allowed: u32, captured: bool, between: impl FnOnce(CUstream, CUevent)) -> Vec<Slug> {
    let _context = crate::support::own_context();
    configure(Config { checks: Checks::Full, ..Config::default() }).unwrap();
    let module = Module::from_ptx(include_str!("kernels.ptx"), &[]).unwrap();
    let add = module.get_function("add").unwrap().to_raw();
    let data = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    let (mut pointer, mut value, mut n) = (data.as_device_ptr().as_raw(), 1u32, 4u32);
    let mut list = [(&raw mut pointer).cast(), (&raw mut value).cast(), (&raw mut n).cast::<c_void>()];
    let (mut stream, mut event) = (null_mut(), null_mut());
    let mut words = [0; 16];
    words[0] = allowed;
    let id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    let mut attribute = CUlaunchAttribute { id, pad: [0; 4], value: words };
    // SAFETY: three parameters, as wide as the kernel's; out-pointers to locals; a list of one attribute.
    unsafe {
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(cuEventCreate(&mut event, 0), CUDA_SUCCESS);
        let mut launch = |count| {
            let config = CUlaunchConfig {
                gridDimX: 1,
                gridDimY: 1,
                gridDimZ: 1,
                blockDimX: 4,
                blockDimY: 1,
                blockDimZ: 1,
                sharedMemBytes: 0,
                hStream: stream,
                attrs: &mut attribute,
                numAttrs: count,
            };
            assert_eq!(cuLaunchKernelEx(&config, add, list.as_mut_ptr(), null_mut()), CUDA_SUCCESS);
        };
        if captured {
            assert_eq!(
                cuStreamBeginCapture_v2(stream, CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED),
                CUDA_SUCCESS
            );
        }
        launch(0);
        between(stream, event);
        launch(1);
        launch(0);
        if captured {
            let (mut graph, mut executable) = (null_mut(), null_mut());
            assert_eq!(cuStreamEndCapture(stream, &mut graph), CUDA_SUCCESS);
            assert_eq!(cuGraphInstantiateWithFlags(&mut executable, graph, 0), CUDA_SUCCESS);
            assert_eq!(cuGraphLaunch(executable, stream), CUDA_SUCCESS);
        }
    }
    let reports = take_reports().unwrap();
    reports.iter().flat_map(|report| &report.findings).map(|finding| finding.slug).collect()
}

#[test]
fn a_dependent_launch_without_a_wait_races_with_the_launch_before_it() {
    let found = of_dependent(1, |_, _| ());
    assert!(!found.is_empty() && found.iter().all(|slug| *slug == Slug::RaceGlobal), "{found:?}");
    assert_eq!(of_dependent(0, |_, _| ()), [], "the attribute does not allow it");
}

#[test]
fn a_dependent_launch_of_a_captured_stream_is_one_in_the_graph() {
    let found = findings_of_dependent(1, true, |_, _| ());
    assert!(!found.is_empty() && found.iter().all(|slug| *slug == Slug::RaceGlobal), "{found:?}");
    assert_eq!(findings_of_dependent(0, true, |_, _| ()), [], "the attribute does not allow it");
}

#[test]
fn a_dependent_launch_behind_no_launch_is_an_ordinary_one() {
    // SAFETY: live handles.
    let behind_event = of_dependent(1, |stream, event| unsafe {
        assert_eq!(cuEventRecord(event, stream), CUDA_SUCCESS);
    });
    assert_eq!(behind_event, []);
    // SAFETY: live handles.
    let behind_host = of_dependent(1, |stream, _| unsafe {
        assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS);
    });
    assert_eq!(behind_host, [], "the host has waited for the launch before it");
}

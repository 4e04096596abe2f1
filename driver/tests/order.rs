//! Tests of what orders two launches, and what does not: seen by the emulator's race checker.

use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::emulated::{configure, take_reports};
use driver::emulator::finding::Slug;
use driver::emulator::{Checks, Config};
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

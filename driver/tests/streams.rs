//! Asynchronous work really is deferred, and ordered only by what orders it on a GPU.

use crate::support::own_context;
use cust::error::CudaError;
use cust::event::{Event, EventFlags, EventStatus};
use cust::memory::{AsyncCopyDestination, LockedBuffer};
use cust::prelude::*;
use cust::stream::StreamWaitEventFlags;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_void;
use std::ptr::null_mut;

/// A stream that takes no part in the null stream's order. `cust` itself makes none.
fn non_blocking() -> CUstream {
    let mut stream = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuStreamCreate(&mut stream, 1) }, CUDA_SUCCESS);
    stream
}

#[test]
fn a_result_read_too_early_is_not_there() {
    let _context = own_context();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let buffer = DeviceBuffer::from_slice(&[5u32; 4]).unwrap();
    let mut result = LockedBuffer::new(&0u32, 4).unwrap();
    // SAFETY: both outlive the synchronisation.
    unsafe { buffer.async_copy_to(&mut result[..], &stream).unwrap() };
    assert_eq!(result.as_slice(), [0; 4], "the copy has not run");
    stream.synchronize().unwrap();
    assert_eq!(result.as_slice(), [5; 4]);
}

#[test]
fn page_locked_memory_is_read_when_the_copy_runs_and_pageable_memory_at_the_call() {
    let _context = own_context();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let mut locked = LockedBuffer::new(&1u32, 4).unwrap();
    let mut pageable = [1u32; 4];
    let mut from_locked = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    let mut from_pageable = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    // SAFETY: both outlive the synchronisation.
    unsafe {
        from_locked.async_copy_from(&locked[..], &stream).unwrap();
        from_pageable.async_copy_from(&pageable[..], &stream).unwrap();
    }
    locked.fill(2);
    pageable.fill(2);
    stream.synchronize().unwrap();
    assert_eq!(from_locked.as_host_vec().unwrap(), [2; 4]);
    assert_eq!(from_pageable.as_host_vec().unwrap(), [1; 4]);
    assert_eq!(pageable, [2; 4]);
}

#[test]
fn a_copy_to_pageable_memory_is_waited_for() {
    let _context = own_context();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let buffer = DeviceBuffer::from_slice(&[5u32; 4]).unwrap();
    let mut result = [0u32; 4];
    // SAFETY: both outlive the copy.
    unsafe { buffer.async_copy_to(&mut result[..], &stream).unwrap() };
    assert_eq!(result, [5; 4]);
}

#[test]
fn the_host_does_not_wait_for_a_fill() {
    let _context = own_context();
    let buffer = DeviceBuffer::from_slice(&[1u32; 4]).unwrap();
    let mut seen = LockedBuffer::new(&0u32, 4).unwrap();
    let (aside, address) = (non_blocking(), buffer.as_device_ptr().as_raw());
    // SAFETY: both buffers outlive the waits.
    unsafe {
        assert_eq!(cuMemsetD32_v2(address, 9, 4), CUDA_SUCCESS);
        let to = seen.as_mut_ptr().cast::<c_void>();
        assert_eq!(cuMemcpyDtoHAsync_v2(to, address, 16, aside), CUDA_SUCCESS);
        assert_eq!(cuStreamSynchronize(aside), CUDA_SUCCESS);
        assert_eq!(seen.as_slice(), [1; 4], "a non-blocking stream does not wait for the null stream");
        assert_eq!(cuMemcpyDtoHAsync_v2(to, address, 16, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuStreamSynchronize(null_mut()), CUDA_SUCCESS);
        assert_eq!(seen.as_slice(), [9; 4]);
    }
}

#[test]
fn blocking_streams_and_the_null_stream_wait_for_each_other() {
    let _context = own_context();
    let (first, second) =
        (Stream::new(StreamFlags::DEFAULT, None).unwrap(), Stream::new(StreamFlags::DEFAULT, None).unwrap());
    let mut buffer = DeviceBuffer::from_slice(&[0u32; 1]).unwrap();
    let mut seen = LockedBuffer::new(&0u32, 1).unwrap();
    // SAFETY: both buffers outlive the synchronisation.
    unsafe {
        buffer.set_32_async(1, &first).unwrap();
        buffer.set_32(2).unwrap();
        buffer.async_copy_to(&mut seen[..], &second).unwrap();
    }
    second.synchronize().unwrap();
    assert_eq!(seen.as_slice(), [2], "first stream, null stream, second stream");
}

#[test]
fn an_event_makes_one_stream_wait_for_another() {
    let _context = own_context();
    let buffer = DeviceBuffer::from_slice(&[0u32; 1]).unwrap();
    let mut seen = LockedBuffer::new(&0u32, 1).unwrap();
    let (writes, reads, address) = (non_blocking(), non_blocking(), buffer.as_device_ptr().as_raw());
    let mut event = null_mut();
    // SAFETY: both buffers outlive the waits.
    unsafe {
        assert_eq!(cuEventCreate(&mut event, 2), CUDA_SUCCESS);
        assert_eq!(cuStreamWaitEvent(reads, event, 0), CUDA_SUCCESS, "never recorded: nothing to wait for");
        assert_eq!(cuMemsetD32Async(address, 1, 1, writes), CUDA_SUCCESS);
        assert_eq!(cuEventRecord(event, writes), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32Async(address, 2, 1, writes), CUDA_SUCCESS);
        assert_eq!(cuStreamWaitEvent(reads, event, 0), CUDA_SUCCESS);
        assert_eq!(cuMemcpyDtoHAsync_v2(seen.as_mut_ptr().cast(), address, 4, reads), CUDA_SUCCESS);
        assert_eq!(cuStreamSynchronize(reads), CUDA_SUCCESS);
    }
    assert_eq!(seen.as_slice(), [1], "what came before the event, and no more");
}

#[test]
fn cust_waits_for_events_too() {
    let _context = own_context();
    let (first, second) =
        (Stream::new(StreamFlags::DEFAULT, None).unwrap(), Stream::new(StreamFlags::DEFAULT, None).unwrap());
    let event = Event::new(EventFlags::DISABLE_TIMING).unwrap();
    event.record(&first).unwrap();
    assert_eq!(event.query(), Ok(EventStatus::NotReady));
    assert_eq!(event.query(), Ok(EventStatus::Ready));
    second.wait_event(event, StreamWaitEventFlags::DEFAULT).unwrap();
    second.synchronize().unwrap();
}

#[test]
fn asking_lets_time_pass() {
    let _context = own_context();
    let stream = non_blocking();
    let buffer = DeviceBuffer::from_slice(&[0u32; 1]).unwrap();
    // SAFETY: the buffer outlives the work.
    unsafe {
        for value in 0..3 {
            assert_eq!(cuMemsetD32Async(buffer.as_device_ptr().as_raw(), value, 1, stream), CUDA_SUCCESS);
        }
        let answers: Vec<CUresult> = (0..5).map(|_| cuStreamQuery(stream)).collect();
        assert_eq!(answers[..3], [CUDA_ERROR_NOT_READY; 3]);
        assert_eq!(answers[3..], [CUDA_SUCCESS; 2]);
    }
}

#[test]
fn the_default_streams_of_threads_are_their_own() {
    let _context = own_context();
    let buffer = DeviceBuffer::from_slice(&[0u32; 2]).unwrap();
    let per_thread = 2 as CUstream;
    // SAFETY: the buffer outlives the work.
    unsafe {
        let (mut current, address) = (null_mut(), buffer.as_device_ptr().as_raw());
        assert_eq!(cuCtxGetCurrent(&mut current), CUDA_SUCCESS);
        let current = current as usize;
        assert_eq!(cuMemsetD32Async(address, 1, 1, per_thread), CUDA_SUCCESS);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                assert_eq!(cuCtxSetCurrent(current as CUcontext), CUDA_SUCCESS);
                assert_eq!(cuStreamQuery(2 as CUstream), CUDA_SUCCESS, "nothing in this thread's stream");
            });
        });
        assert_eq!(cuStreamQuery(per_thread), CUDA_ERROR_NOT_READY);
        assert_eq!(buffer.as_host_vec().unwrap(), [1, 0], "it takes part in the null stream's order");
    }
}

#[test]
fn planes() {
    let _context = own_context();
    let mut host = [0u32; 12];
    // SAFETY: every extent fits its memory, or is refused.
    unsafe {
        let (mut address, mut pitch) = (0, 0);
        assert_eq!(cuMemAllocPitch_v2(&mut address, &mut pitch, 12, 3, 5), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemAllocPitch_v2(&mut address, &mut pitch, 12, 3, 4), CUDA_SUCCESS);
        assert_eq!(pitch, 512);
        assert_eq!(cuMemsetD2D32_v2(address, pitch, 7, 3, 3), CUDA_SUCCESS);
        assert_eq!(cuMemsetD2D32_v2(address, 8, 7, 3, 3), CUDA_ERROR_INVALID_VALUE, "rows overlap");

        let mut copy = CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
            srcHost: null_mut(),
            srcDevice: address,
            srcArray: null_mut(),
            srcPitch: pitch,
            dstXInBytes: 4,
            dstY: 1,
            dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
            dstHost: host.as_mut_ptr().cast(),
            dstDevice: 0,
            dstArray: null_mut(),
            dstPitch: 16,
            WidthInBytes: 12,
            Height: 2,
        };
        assert_eq!(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
        assert_eq!(host, [0, 0, 0, 0, 0, 7, 7, 7, 0, 7, 7, 7]);
        copy.Height = 9;
        assert_eq!(cuMemcpy2D_v2(&copy), CUDA_ERROR_INVALID_VALUE, "past the end");
        copy.Height = 0;
        assert_eq!(cuMemcpy2D_v2(&copy), CUDA_SUCCESS, "nothing to do");

        (copy.Height, copy.srcMemoryType) = (1, CUmemorytype_enum::CU_MEMORYTYPE_ARRAY);
        assert_eq!(cuMemcpy2D_v2(&copy), CUDA_ERROR_INVALID_HANDLE, "no array");
        assert_eq!(cuMemcpy2D_v2(null_mut()), CUDA_ERROR_INVALID_VALUE);
    }
}

#[test]
fn volumes() {
    let _context = own_context();
    let buffer = DeviceBuffer::from_slice(&std::array::from_fn::<u32, 12, _>(|index| index as u32)).unwrap();
    let mut target = [99u32; 8];
    // Two slices of two rows of two words, out of slices of three rows.
    let copy = CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcHost: null_mut(),
        srcDevice: buffer.as_device_ptr().as_raw(),
        srcArray: null_mut(),
        reserved0: null_mut(),
        srcPitch: 8,
        srcHeight: 3,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        dstHost: target.as_mut_ptr().cast(),
        dstDevice: 0,
        dstArray: null_mut(),
        reserved1: null_mut(),
        dstPitch: 8,
        dstHeight: 2,
        WidthInBytes: 8,
        Height: 2,
        Depth: 2,
    };
    // SAFETY: the extent fits both.
    assert_eq!(unsafe { cuMemcpy3D_v2(&copy) }, CUDA_SUCCESS);
    assert_eq!(target, [0, 1, 2, 3, 6, 7, 8, 9]);
}

#[test]
fn copies_between_contexts() {
    // SAFETY: both buffers live through the copies.
    unsafe {
        let (mut first, mut second) = (null_mut(), null_mut());
        let _first = own_context();
        assert_eq!(cuCtxGetCurrent(&mut first), CUDA_SUCCESS);
        let source = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
        let _second = own_context();
        assert_eq!(cuCtxGetCurrent(&mut second), CUDA_SUCCESS);
        let target = DeviceBuffer::from_slice(&[0u32; 3]).unwrap();
        let (to, from) = (target.as_device_ptr().as_raw(), source.as_device_ptr().as_raw());
        assert_eq!(cuMemcpyPeer(to, second, from, first, 12), CUDA_SUCCESS);
        assert_eq!(target.as_host_vec().unwrap(), [1, 2, 3]);
        assert_eq!(cuMemcpyPeer(to, null_mut(), from, first, 12), CUDA_ERROR_INVALID_CONTEXT);
        assert_eq!(cuMemcpyPeer(to, second, from, first, 99), CUDA_ERROR_INVALID_VALUE);
        drop(target);
        drop(_second);
        drop(source);
    }
}

#[test]
fn addresses_say_by_themselves_where_they_point() {
    let _context = own_context();
    let buffer = DeviceBuffer::from_slice(&[1u32, 2]).unwrap();
    let (mut host, other) = ([0u32; 2], [5u32, 6]);
    let (device, here) = (buffer.as_device_ptr().as_raw(), host.as_mut_ptr() as u64);
    // SAFETY: every range is alive and as large as said.
    unsafe {
        assert_eq!(cuMemcpy(here, device, 8), CUDA_SUCCESS);
        assert_eq!(host, [1, 2]);
        assert_eq!(cuMemcpy(device, other.as_ptr() as u64, 8), CUDA_SUCCESS);
        assert_eq!(buffer.as_host_vec().unwrap(), [5, 6]);
        assert_eq!(cuMemcpy(here, other.as_ptr() as u64, 8), CUDA_SUCCESS);
        assert_eq!(host, [5, 6]);
        assert_eq!(cuMemcpyAsync(device, device + 4, 4, null_mut()), CUDA_SUCCESS);
        assert_eq!(buffer.as_host_vec().unwrap(), [6, 6]);
    }
}

#[test]
fn freeing_twice_in_streams_is_found() {
    let _context = own_context();
    let (mut address, stream) = (0, non_blocking());
    // SAFETY: no memory of ours is involved.
    unsafe {
        assert_eq!(cuMemAllocAsync(&mut address, 64, stream), CUDA_SUCCESS);
        assert_eq!(cuMemFreeAsync(address + 4, stream), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemFreeAsync(address, stream), CUDA_SUCCESS);
        assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS);
        assert_eq!(cuMemFreeAsync(address, stream), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!(cust::memory::mem_get_info().map(|_| ()), Ok::<(), CudaError>(()));
}

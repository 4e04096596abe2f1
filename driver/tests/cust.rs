//! The ideas of `cust`'s own unit tests, one by one, on the emulated device.

use cust::error::CudaError;
use cust::event::{Event, EventFlags};
use cust::memory::*;
use cust::prelude::*;
use std::time::Duration;

/// `cust`'s primary context.
fn quick_init() -> Context {
    crate::support::emulator();
    cust::quick_init().expect("a primary context")
}

#[test]
fn init_twice_is_fine() {
    crate::support::emulator();
    cust::init(CudaFlags::empty()).unwrap();
    assert_eq!(cust::CudaApiVersion::get().unwrap().major(), 13);
}

#[test]
fn there_is_one_device_with_a_name_and_memory() {
    crate::support::emulator();
    let devices: Result<Vec<Device>, _> = Device::devices().unwrap().collect();
    assert_eq!(devices.unwrap().len(), 1);
    let device = Device::get_device(0).unwrap();
    assert_eq!(device.name().unwrap(), driver::emulated::profile().name);
    assert_eq!(device.total_memory().unwrap() as u64, driver::emulated::profile().memory);
    assert_eq!(Device::get_device(1), Err(CudaError::InvalidDevice));
}

#[test]
fn attributes_follow_the_profile() {
    use cust::device::DeviceAttribute::*;
    crate::support::emulator();
    let device = Device::get_device(0).unwrap();
    for (attribute, value) in [
        (WarpSize, 32),
        (MaxThreadsPerBlock, 1024),
        (MultiprocessorCount, 8),
        (ComputeCapabilityMajor, 9),
        (ComputeCapabilityMinor, 0),
        (MaxSharedMemoryPerBlock, 48 * 1024),
        (MaxGridDimX, i32::MAX),
        (TccDriver, 0),
    ] {
        assert_eq!(device.get_attribute(attribute), Ok(value), "{attribute:?}");
    }
}

#[test]
fn device_memory_is_allocated_and_freed() {
    let _context = quick_init();
    // SAFETY: freed once, never read.
    unsafe {
        let memory = cuda_malloc::<u64>(1).unwrap();
        assert!(!memory.is_null());
        cuda_free(memory).unwrap();
    }
}

#[test]
fn bad_sizes_are_refused() {
    let _context = quick_init();
    let invalid = CudaError::InvalidMemoryAllocation;
    // SAFETY: every one of these is refused.
    unsafe {
        assert_eq!(cuda_malloc::<u64>(0).unwrap_err(), invalid);
        assert_eq!(cuda_malloc::<u64>(usize::MAX - 1).unwrap_err(), invalid);
        assert_eq!(cuda_malloc_unified::<u64>(0).unwrap_err(), invalid);
        assert_eq!(cuda_malloc_unified::<u64>(usize::MAX - 1).unwrap_err(), invalid);
        assert_eq!(cuda_malloc_locked::<u64>(0).unwrap_err(), invalid);
        assert_eq!(cuda_malloc_locked::<u64>(usize::MAX - 1).unwrap_err(), invalid);
        assert_eq!(cuda_free(DevicePointer::<u64>::null()).unwrap_err(), invalid);
        assert_eq!(cuda_free_locked(std::ptr::null_mut::<u64>()).unwrap_err(), invalid);
        assert_eq!(cuda_malloc::<u8>(1 << 40).unwrap_err(), CudaError::OutOfMemory);
    }
}

#[test]
fn the_host_writes_unified_and_locked_memory() {
    let _context = quick_init();
    // SAFETY: both are live host memory until they are freed.
    unsafe {
        let mut unified = cuda_malloc_unified::<u64>(1).unwrap();
        *unified.as_raw_mut() = 64;
        assert_eq!(*unified.as_raw(), 64);
        cuda_free_unified(unified).unwrap();

        let locked = cuda_malloc_locked::<u64>(1).unwrap();
        *locked = 64;
        assert_eq!(*locked, 64);
        cuda_free_locked(locked).unwrap();
    }
}

#[test]
fn a_box_goes_there_and_back() {
    let _context = quick_init();
    let mut on_device = DeviceBox::new(&5u64).unwrap();
    let mut back = 0;
    on_device.copy_to(&mut back).unwrap();
    assert_eq!(back, 5);

    on_device.copy_from(&7).unwrap();
    let mut other = DeviceBox::new(&0u64).unwrap();
    on_device.copy_to(&mut other).unwrap();
    assert_eq!(other.as_host_value().unwrap(), 7);
    assert_eq!(DeviceBox::<u64>::zeroed().unwrap().as_host_value().unwrap(), 0);
}

#[test]
fn a_buffer_goes_there_and_back() {
    let _context = quick_init();
    let start = [0u64, 1, 2, 3, 4, 5];
    let mut end = [0u64; 6];
    let buffer = DeviceBuffer::from_slice(&start).unwrap();
    buffer.copy_to(&mut end).unwrap();
    assert_eq!(start, end);
    assert_eq!(buffer.as_host_vec().unwrap(), start);
    assert_eq!(buffer.index(2..4).as_host_vec().unwrap(), [2, 3]);
}

#[test]
fn a_buffer_goes_there_and_back_through_a_stream() {
    let _context = quick_init();
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).unwrap();
    let start = [0u64, 1, 2, 3, 4, 5];
    let mut end = [0u64; 6];
    // SAFETY: both arrays outlive the synchronisation.
    unsafe {
        let buffer = DeviceBuffer::from_slice_async(&start, &stream).unwrap();
        buffer.async_copy_to(&mut end, &stream).unwrap();
    }
    stream.synchronize().unwrap();
    assert_eq!(start, end);
}

#[test]
fn device_to_device_copies_happen_in_order() {
    let _context = quick_init();
    let from = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed(3).unwrap();
    to.copy_from(&from).unwrap();
    assert_eq!(to.as_host_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn fills_of_each_width() {
    let _context = quick_init();
    let mut buffer = DeviceBuffer::from_slice(&[9u32; 4]).unwrap();
    buffer.set_8(0x11).unwrap();
    assert_eq!(buffer.as_host_vec().unwrap(), [0x1111_1111; 4]);
    buffer.set_16(0x2233).unwrap();
    assert_eq!(buffer.as_host_vec().unwrap(), [0x2233_2233; 4]);
    buffer.index(1..3).set_32(7).unwrap();
    assert_eq!(buffer.as_host_vec().unwrap(), [0x2233_2233, 7, 7, 0x2233_2233]);
    buffer.set_zero().unwrap();
    assert_eq!(buffer.as_host_vec().unwrap(), [0; 4]);
}

#[test]
fn fills_in_a_stream() {
    let _context = quick_init();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let mut buffer = DeviceBuffer::from_slice(&[9u32; 2]).unwrap();
    // SAFETY: the buffer outlives the synchronisation.
    unsafe {
        buffer.set_8_async(1, &stream).unwrap();
        buffer.set_16_async(2, &stream).unwrap();
        buffer.set_32_async(3, &stream).unwrap();
    }
    stream.synchronize().unwrap();
    assert_eq!(buffer.as_host_vec().unwrap(), [3; 2]);
}

#[test]
fn stream_ordered_allocation() {
    let _context = quick_init();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    // SAFETY: the buffer is read before it is freed, in the order of the stream.
    unsafe {
        let buffer = DeviceBuffer::from_slice_async(&[4u64, 5], &stream).unwrap();
        let mut back = [0u64; 2];
        buffer.async_copy_to(&mut back, &stream).unwrap();
        buffer.drop_async(&stream).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(back, [4, 5]);
    }
}

#[test]
fn unified_boxes_and_buffers() {
    let _context = quick_init();
    let mut x = UnifiedBox::new(0u64).unwrap();
    *x = 64;
    let raw = UnifiedBox::into_unified(x);
    // SAFETY: it came from a box just now.
    let x = unsafe { UnifiedBox::from_unified(raw) };
    assert_eq!(*x, 64);

    let mut buffer = UnifiedBuffer::new(&7u64, 3).unwrap();
    buffer[1] = 8;
    assert_eq!(buffer.as_slice(), [7, 8, 7]);
    assert_eq!(UnifiedBuffer::from_slice(&[1u32, 2]).unwrap().as_slice(), [1, 2]);
    assert_eq!(UnifiedBuffer::new(&0u64, usize::MAX - 1).unwrap_err(), CudaError::InvalidMemoryAllocation);

    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let device = Device::get_device(0).unwrap();
    buffer.prefetch_to_device(&stream, &device).unwrap();
    buffer.prefetch_to_host(&stream).unwrap();
    buffer.advise_read_mostly(true).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(buffer.as_slice(), [7, 8, 7]);
}

#[test]
fn locked_buffers() {
    let _context = quick_init();
    let mut buffer = LockedBuffer::new(&7u64, 3).unwrap();
    buffer[1] = 8;
    assert_eq!(buffer.as_slice(), [7, 8, 7]);
    assert_eq!(LockedBuffer::from_slice(&[1u32, 2]).unwrap().as_slice(), [1, 2]);
    assert_eq!(LockedBuffer::new(&0u64, usize::MAX - 1).unwrap_err(), CudaError::InvalidMemoryAllocation);
    assert_eq!(LockedBuffer::new(&0u64, 0).unwrap().len(), 0);
}

#[test]
fn free_memory_goes_down_and_up_again() {
    let _context = crate::support::own_context();
    let (free, total) = mem_get_info().unwrap();
    let buffer = DeviceBuffer::<u8>::zeroed(1 << 20).unwrap();
    assert!(mem_get_info().unwrap().0 <= free - (1 << 20));
    drop(buffer);
    assert_eq!(mem_get_info().unwrap(), (free, total));
}

#[test]
fn events_of_every_kind() {
    let _context = crate::support::own_context();
    Event::new(EventFlags::BLOCKING_SYNC | EventFlags::DISABLE_TIMING).unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let (start, stop) = (Event::new(EventFlags::DEFAULT).unwrap(), Event::new(EventFlags::DEFAULT).unwrap());
    start.record(&stream).unwrap();
    stop.record(&stream).unwrap();
    assert_eq!(stop.elapsed_time_f32(&start), Err(CudaError::NotReady));
    stop.synchronize().unwrap();
    assert!(stop.elapsed_time_f32(&start).unwrap() >= 0.0);
    assert!(stop.elapsed(&start).unwrap() < Duration::from_secs(60));
}

#[test]
fn events_of_two_streams() {
    let _context = quick_init();
    let streams = [0, 1].map(|_| Stream::new(StreamFlags::NON_BLOCKING, None).unwrap());
    let events = [0, 1].map(|_| Event::new(EventFlags::DEFAULT).unwrap());
    events.iter().zip(&streams).for_each(|(event, stream)| event.record(stream).unwrap());
    events.iter().for_each(|event| event.synchronize().unwrap());
    events[1].elapsed_time_f32(&events[0]).unwrap();
}

#[test]
fn an_event_without_timing_has_no_time() {
    let _context = quick_init();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let start = Event::new(EventFlags::DISABLE_TIMING).unwrap();
    let stop = Event::new(EventFlags::DEFAULT).unwrap();
    start.record(&stream).unwrap();
    stop.record(&stream).unwrap();
    stop.synchronize().unwrap();
    assert_eq!(stop.elapsed_time_f32(&start), Err(CudaError::InvalidHandle));
}

#[test]
fn an_event_that_was_not_recorded_has_no_time() {
    let _context = quick_init();
    let (start, stop) = (Event::new(EventFlags::DEFAULT).unwrap(), Event::new(EventFlags::DEFAULT).unwrap());
    assert_eq!(stop.elapsed_time_f32(&start), Err(CudaError::InvalidHandle));
}

#[test]
fn streams_have_flags_and_priorities() {
    let _context = quick_init();
    let range = cust::context::CurrentContext::get_stream_priority_range().unwrap();
    assert_eq!((range.least, range.greatest), (0, -5));
    let stream = Stream::new(StreamFlags::DEFAULT, Some(-99)).unwrap();
    assert_eq!(stream.get_priority(), Ok(-5));
    assert_eq!(stream.get_flags(), Ok(StreamFlags::DEFAULT));
}

#[test]
fn a_callback_runs_after_the_work_before_it() {
    let _context = quick_init();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let second = sender.clone();
    stream.add_callback(Box::new(move || sender.send(1).unwrap())).unwrap();
    stream.add_callback(Box::new(move || second.send(2).unwrap())).unwrap();
    // Waiting on the channel, not on the stream: the functions run by themselves.
    let wait = || receiver.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!([wait(), wait()], [1, 2]);
}

#[test]
fn a_callback_may_not_call_cuda() {
    let _context = quick_init();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    stream.add_callback(Box::new(move || sender.send(mem_get_info()).unwrap())).unwrap();
    stream.synchronize().unwrap();
    // CUDA_ERROR_NOT_PERMITTED.
    assert_eq!(receiver.recv().unwrap(), Err(CudaError::NotPermitted));
}

#[test]
fn contexts_have_settings() {
    use cust::context::legacy::{CacheConfig, CurrentContext, ResourceLimit, SharedMemoryConfig};
    let _context = crate::support::own_context();
    assert_eq!(CurrentContext::get_device().unwrap(), Device::get_device(0).unwrap());
    CurrentContext::set_cache_config(CacheConfig::PreferL1).unwrap();
    assert!(matches!(CurrentContext::get_cache_config(), Ok(CacheConfig::PreferL1)));
    CurrentContext::set_shared_memory_config(SharedMemoryConfig::EightByteBankSize).unwrap();
    assert!(matches!(CurrentContext::get_shared_memory_config(), Ok(SharedMemoryConfig::EightByteBankSize)));
    CurrentContext::set_resource_limit(ResourceLimit::StackSize, 2048).unwrap();
    assert_eq!(CurrentContext::get_resource_limit(ResourceLimit::StackSize), Ok(2048));
    let current = CurrentContext::get_current().unwrap();
    assert_eq!(current.get_api_version().unwrap().major(), 3);
    CurrentContext::synchronize().unwrap();
}

#[test]
fn the_context_stack() {
    use cust::context::legacy::{Context, ContextFlags, ContextStack, CurrentContext};
    crate::support::emulator();
    let device = Device::get_device(0).unwrap();
    let outer = Context::create_and_push(ContextFlags::SCHED_SPIN, device).unwrap();
    let inner = Context::create_and_push(ContextFlags::SCHED_YIELD, device).unwrap();
    assert_eq!(CurrentContext::get_flags(), Ok(ContextFlags::SCHED_YIELD));
    ContextStack::pop().unwrap();
    assert_eq!(CurrentContext::get_flags(), Ok(ContextFlags::SCHED_SPIN));
    ContextStack::push(&inner).unwrap();
    assert_eq!(CurrentContext::get_flags(), Ok(ContextFlags::SCHED_YIELD));
    drop(inner);
    assert_eq!(CurrentContext::get_flags(), Ok(ContextFlags::SCHED_SPIN), "destroying pops");
    drop(outer);
    assert_eq!(CurrentContext::get_flags(), Err(CudaError::InvalidContext));
}

#[test]
fn arrays_are_made_copied_and_described() {
    use cust::memory::array::{ArrayFormat, ArrayObject};
    let _context = quick_init();
    let mut array = ArrayObject::new_2d([4, 6], ArrayFormat::U32, 1).unwrap();
    let input: Vec<u32> = (0..24).collect();
    let mut output = vec![0u32; 24];
    array.copy_from(&input).unwrap();
    array.copy_to(&mut output).unwrap();
    assert_eq!(output, input);
    let descriptor = array.descriptor().unwrap();
    assert_eq!((descriptor.dims(), descriptor.num_channels()), ([4, 6, 0], 1));
    let mut row = ArrayObject::new_1d(24, ArrayFormat::U32, 1).unwrap();
    row.copy_from(&input).unwrap();
    row.copy_to(&mut output).unwrap();
    assert_eq!(output, input);
    for made in [
        ArrayObject::new([4, 3, 2], ArrayFormat::U8, 4),
        ArrayObject::new_1d(10, ArrayFormat::F32, 1),
        ArrayObject::new_2d([10, 20], ArrayFormat::F32, 2),
        ArrayObject::new_layered_1d(10, 20, ArrayFormat::F32, 1),
        ArrayObject::new_cubemap(4, ArrayFormat::F32, 1),
        ArrayObject::new_layered_cubemap(4, 4, ArrayFormat::F32, 4),
    ] {
        made.unwrap();
    }
}

//! Values that streams write and wait for.

use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::CUstreamWaitValue_flags_enum::*;
use cust_raw::*;
use driver::emulated::{configure, take_reports};
use driver::emulator::finding::Slug;
use driver::emulator::{Checks, Config};
use driver::newer::{cuStreamBatchMemOp_v2, cuStreamWaitValue32_v2, cuStreamWriteValue32_v2};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Two streams, a word at 0 for their values, and four numbers of which each launch adds 1 to each.
struct Streams {
    streams: [CUstream; 2],
    word: DeviceBuffer<u32>,
    numbers: DeviceBuffer<u32>,
    module: Module,
    _context: cust::context::legacy::Context,
}

impl Streams {
    fn new() -> Streams {
        let context = crate::support::own_context();
        configure(Config { checks: Checks::Full, ..Config::default() }).unwrap();
        let streams = [(); 2].map(|()| {
            let mut stream = null_mut();
            // SAFETY: an out-pointer to a local.
            assert_eq!(unsafe { cuStreamCreate(&mut stream, 1) }, CUDA_SUCCESS);
            stream
        });
        let module = Module::from_ptx(include_str!("kernels.ptx"), &[]).unwrap();
        let (word, numbers) = (DeviceBuffer::from_slice(&[0u32; 4]), DeviceBuffer::from_slice(&[0u32; 4]));
        // SAFETY: the call has no arguments.
        assert_eq!(unsafe { cuCtxSynchronize() }, CUDA_SUCCESS);
        Streams { streams, word: word.unwrap(), numbers: numbers.unwrap(), module, _context: context }
    }

    fn launch(&self, stream: usize) {
        let (mut pointer, mut value, mut n) = (self.numbers.as_device_ptr().as_raw(), 1u32, 4u32);
        let mut list = [(&raw mut pointer).cast(), (&raw mut value).cast(), (&raw mut n).cast::<c_void>()];
        let add = self.module.get_function("add").unwrap().to_raw();
        // SAFETY: three parameters, as wide as the kernel's.
        let code =
            unsafe { cuLaunchKernel(add, 1, 1, 1, 4, 1, 1, 0, self.streams[stream], list.as_mut_ptr(), null_mut()) };
        assert_eq!(code, CUDA_SUCCESS);
    }

    fn write(&self, stream: usize, value: u32) {
        let word = self.word.as_device_ptr().as_raw();
        // SAFETY: the word is alive until all work is done.
        assert_eq!(unsafe { cuStreamWriteValue32_v2(self.streams[stream], word, value, 0) }, CUDA_SUCCESS);
    }

    fn wait(&self, stream: usize, value: u32, flags: CUstreamWaitValue_flags_enum) {
        let word = self.word.as_device_ptr().as_raw();
        let code = unsafe {
            // SAFETY: as above.
            cuStreamWaitValue32_v2(self.streams[stream], word, value, flags as u32)
        };
        assert_eq!(code, CUDA_SUCCESS);
    }

    /// Waits for a stream, and returns the numbers and what was found.
    fn finish(self, stream: usize) -> (u32, Vec<Slug>) {
        // SAFETY: the streams are alive.
        assert_eq!(unsafe { cuStreamSynchronize(self.streams[stream]) }, CUDA_SUCCESS);
        // SAFETY: the call has no arguments.
        assert_eq!(unsafe { cuCtxSynchronize() }, CUDA_SUCCESS);
        let numbers = self.numbers.as_host_vec().unwrap();
        let reports = take_reports().unwrap();
        (numbers[3], reports.iter().flat_map(|report| &report.findings).map(|finding| finding.slug).collect())
    }
}

#[test]
fn a_wait_comes_after_the_write_of_its_value() {
    let it = Streams::new();
    it.launch(0);
    it.write(0, 7);
    it.wait(1, 7, CU_STREAM_WAIT_VALUE_EQ);
    it.launch(1);
    assert_eq!(it.finish(1), (2, vec![]));
}

#[test]
fn a_wait_may_be_queued_before_the_write() {
    let it = Streams::new();
    it.wait(1, 1, CU_STREAM_WAIT_VALUE_GEQ);
    it.launch(1);
    it.launch(0);
    it.write(0, 2);
    assert_eq!(it.finish(1), (2, vec![]));
}

#[test]
fn a_value_that_is_written_too_early_orders_nothing() {
    let it = Streams::new();
    it.write(0, 1);
    it.launch(0);
    it.wait(1, 1, CU_STREAM_WAIT_VALUE_AND);
    it.launch(1);
    let (count, found) = it.finish(1);
    assert_eq!((count, &found[..1]), (2, &[Slug::RaceGlobal][..]));
}

#[test]
fn streams_hand_work_to_and_fro() {
    let it = Streams::new();
    for round in 0..10 {
        it.wait(0, 2 * round, CU_STREAM_WAIT_VALUE_GEQ);
        it.launch(0);
        it.write(0, 2 * round + 1);
        it.wait(1, 2 * round + 1, CU_STREAM_WAIT_VALUE_GEQ);
        it.launch(1);
        it.write(1, 2 * round + 2);
    }
    assert_eq!(it.finish(0), (20, vec![]));
}

/// The stream's own write of the word is an older one.
#[test]
fn a_value_that_a_fill_has_written_comes_after_all_work() {
    let it = Streams::new();
    it.write(1, 0);
    it.launch(0);
    // SAFETY: the word is alive.
    let code = unsafe { cuMemsetD32Async(it.word.as_device_ptr().as_raw(), 3, 1, it.streams[0]) };
    assert_eq!(code, CUDA_SUCCESS);
    it.wait(1, 3, CU_STREAM_WAIT_VALUE_EQ);
    it.launch(1);
    assert_eq!(it.finish(1), (2, vec![]));
}

#[test]
fn the_host_may_write_the_value() {
    let context = crate::support::own_context();
    let mut flag = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuMemHostAlloc(&mut flag, 4, 0) }, CUDA_SUCCESS);
    let address = flag as u64;
    // SAFETY: the word is alive until the end; the host has its address, too.
    unsafe {
        flag.cast::<u32>().write_volatile(0);
        assert_eq!(cuStreamWaitValue32_v2(null_mut(), address, 5, CU_STREAM_WAIT_VALUE_EQ as u32), CUDA_SUCCESS);
    }
    let writer = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        // SAFETY: as above.
        unsafe { (address as *mut u32).write_volatile(5) };
    });
    // SAFETY: the call has no arguments.
    assert_eq!(unsafe { cuCtxSynchronize() }, CUDA_SUCCESS);
    writer.join().unwrap();
    drop(context);
}

#[test]
fn a_batch_has_all_of_its_operations_or_none() {
    let it = Streams::new();
    let word = it.word.as_device_ptr().as_raw();
    // Operation, address, value, flags, and what is left.
    let operation = |kind: u64, address: u64, value: u64, flags: u64| [kind, address, value, flags, 0, 0];
    let batch = |mut list: Vec<[u64; 6]>| {
        // SAFETY: each entry is as large as the union, and begins as the one that its kind names.
        unsafe { cuStreamBatchMemOp_v2(it.streams[0], list.len() as u32, list.as_mut_ptr().cast(), 0) }
    };
    let [write, write_64, wait_64, barrier] = [2, 5, 4, 6];
    assert_eq!(batch(vec![operation(write, word, 9, 0), operation(77, word, 0, 0)]), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(
        batch(vec![operation(write, word, 9, 0), operation(write_64, word + 4, 0, 0)]),
        CUDA_ERROR_INVALID_VALUE
    );
    let all = vec![
        operation(write_64, word + 8, 3 << 40, 0),
        operation(barrier, 0, 0, 0),
        operation(wait_64, word + 8, 1 << 40, CU_STREAM_WAIT_VALUE_AND as u64),
    ];
    assert_eq!(batch(all), CUDA_SUCCESS);
    // SAFETY: the stream is alive.
    assert_eq!(unsafe { cuStreamSynchronize(it.streams[0]) }, CUDA_SUCCESS);
    assert_eq!(it.word.as_host_vec().unwrap(), [0, 0, 0, 3 << 8]);
}

#[test]
fn wrong_words_and_flags_are_refused() {
    let it = Streams::new();
    let word = it.word.as_device_ptr().as_raw();
    // SAFETY: what is wrong is refused; nothing is queued.
    unsafe {
        assert_eq!(cuStreamWriteValue32_v2(it.streams[0], word + 2, 1, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuStreamWriteValue32_v2(it.streams[0], word, 1, 4), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuStreamWriteValue32_v2(it.streams[0], 4096, 1, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuStreamWaitValue32_v2(it.streams[0], word, 1, 8), CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!(it.finish(0), (0, vec![]));
}

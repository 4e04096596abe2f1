//! Calls in any order, with handles and addresses that may be good, stale, of another kind or made up: the emulated
//! device answers each with a code and is whole afterwards.

mod support;

use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_void;
use std::ptr::null_mut;

const PTX: &std::ffi::CStr = {
    const TEXT: &str = concat!(include_str!("kernels.ptx"), "\0");
    match std::ffi::CStr::from_bytes_with_nul(TEXT.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("the PTX has no NUL inside"),
    }
};

/// A small generator (xorshift), so that a failure has a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

unsafe extern "C" fn nothing(_data: *mut c_void) {}

/// The handles that were given out, kept after they were destroyed too.
struct Storm {
    random: Random,
    handles: Vec<usize>,
    addresses: Vec<u64>,
    host: Box<[u8; 256]>,
}

impl Storm {
    fn new(seed: u64) -> Storm {
        Storm {
            random: Random(seed * 2 + 1),
            handles: vec![0, 1, 2, 3, 0xdead_beef, usize::MAX],
            addresses: vec![0, 64, 1 << 48, u64::MAX],
            host: Box::new([0; 256]),
        }
    }

    fn handle<T>(&mut self) -> *mut T {
        let index = self.random.below(self.handles.len());
        self.handles[index] as *mut T
    }

    fn address(&mut self) -> u64 {
        let index = self.random.below(self.addresses.len());
        self.addresses[index].wrapping_add(4 * self.random.below(2) as u64)
    }

    /// One call. What it hands out joins the rest.
    fn call(&mut self) -> CUresult {
        let (stream, size) = (self.handle(), self.random.below(70));
        let mut made = null_mut::<c_void>();
        let (mut address, mut time, host) = (0, 0.0, self.host.as_mut_ptr().cast::<c_void>());
        // SAFETY: handles are looked up, never followed; device addresses are checked; host memory is large enough.
        let code = unsafe {
            match self.random.below(30) {
                0 => cuStreamCreate((&raw mut made).cast(), (size % 2) as u32),
                1 => cuStreamDestroy_v2(stream),
                2 => cuStreamSynchronize(stream),
                3 => cuStreamQuery(stream),
                4 => cuStreamWaitEvent(stream, self.handle(), 0),
                5 => cuLaunchHostFunc(stream, Some(nothing), null_mut()),
                6 => cuEventCreate((&raw mut made).cast(), 0),
                7 => cuEventDestroy_v2(self.handle()),
                8 => cuEventRecord(self.handle(), stream),
                9 => cuEventQuery(self.handle()),
                10 => cuEventSynchronize(self.handle()),
                11 => cuEventElapsedTime(&mut time, self.handle(), self.handle()),
                12 => cuMemAlloc_v2(&mut address, size),
                13 => cuMemAllocAsync(&mut address, size, stream),
                14 => cuMemFree_v2(self.address()),
                15 => cuMemFreeAsync(self.address(), stream),
                16 => cuMemcpyHtoD_v2(self.address(), host, size),
                17 => cuMemcpyDtoH_v2(host, self.address(), size),
                18 => cuMemcpyDtoDAsync_v2(self.address(), self.address(), size, stream),
                19 => cuMemsetD8Async(self.address(), 7, size, stream),
                20 => cuModuleLoadData((&raw mut made).cast(), PTX.as_ptr().cast()),
                21 => cuModuleUnload(self.handle()),
                22 => cuModuleGetFunction((&raw mut made).cast(), self.handle(), c"count".as_ptr()),
                23 => cuLaunchKernel(self.handle(), 1, 1, 1, size as u32, 1, 1, 0, stream, null_mut(), null_mut()),
                24 => cuCtxCreate_v2((&raw mut made).cast(), 0, 0),
                25 if size < 10 => cuCtxDestroy_v2(self.handle()),
                26 => cuCtxSetCurrent(self.handle()),
                27 => cuCtxPushCurrent_v2(self.handle()),
                28 => cuCtxSynchronize(),
                _ => cuGraphCreate((&raw mut made).cast(), 0),
            }
        };
        if code == CUDA_SUCCESS {
            self.handles.extend((!made.is_null()).then_some(made.addr()));
            self.addresses.extend((address != 0).then_some(address));
        }
        code
    }
}

#[test]
fn any_calls_in_any_order() {
    support::emulator();
    std::thread::scope(|scope| {
        for seed in 1..=4 {
            scope.spawn(move || {
                let _context = support::own_context();
                let mut storm = Storm::new(seed);
                let codes: Vec<CUresult> = (0..3000).map(|_| storm.call()).collect();
                let good = codes.iter().filter(|code| **code == CUDA_SUCCESS).count();
                assert!(good > 300, "seed {seed}: {good} calls did something");
                // A panic inside the emulated device comes out as this code.
                assert!(!codes.contains(&CUDA_ERROR_UNKNOWN), "seed {seed}");
            });
        }
    });
    let _context = support::own_context();
    // SAFETY: no pointers.
    assert_eq!(unsafe { cuCtxSynchronize() }, CUDA_SUCCESS);
}

#[test]
fn threads_share_a_context() {
    let context = support::own_context();
    let mut current = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuCtxGetCurrent(&mut current) }, CUDA_SUCCESS);
    let current = current.addr();
    std::thread::scope(|scope| {
        for value in 1..=4u32 {
            scope.spawn(move || {
                // SAFETY: memory is alive until it is freed; the host's outlives each wait.
                unsafe {
                    assert_eq!(cuCtxSetCurrent(current as CUcontext), CUDA_SUCCESS);
                    let (mut stream, mut event, mut address) = (null_mut(), null_mut(), 0);
                    assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
                    assert_eq!(cuEventCreate(&mut event, 0), CUDA_SUCCESS);
                    for _ in 0..50 {
                        let mut seen = [0u32; 8];
                        assert_eq!(cuMemAlloc_v2(&mut address, 32), CUDA_SUCCESS);
                        assert_eq!(cuMemsetD32Async(address, value, 8, stream), CUDA_SUCCESS);
                        assert_eq!(cuLaunchHostFunc(stream, Some(nothing), null_mut()), CUDA_SUCCESS);
                        assert_eq!(cuEventRecord(event, stream), CUDA_SUCCESS);
                        assert_eq!(cuEventSynchronize(event), CUDA_SUCCESS);
                        assert_eq!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), address, 32), CUDA_SUCCESS);
                        assert_eq!(seen, [value; 8]);
                        assert_eq!(cuMemFree_v2(address), CUDA_SUCCESS);
                    }
                    assert_eq!(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
                }
            });
        }
    });
    drop(context);
}

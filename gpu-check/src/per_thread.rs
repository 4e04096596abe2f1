//! Names of the driver API for programs whose default stream is the calling thread's own (`_ptsz`, and `_ptds` for
//! calls without a stream; CUDA Driver API, "Stream synchronization behavior"). Programs that are compiled with
//! `CUDA_API_PER_THREAD_DEFAULT_STREAM` call them, and `cuGetProcAddress` gives them for its flag of that name.

use crate::cu::{self, Address, Callback, Code, Copy2D, Copy3D, Handle, HostFunction, Location};
use driver::types::CUlaunchConfig;
use std::ffi::{c_int, c_short, c_uint, c_void};

/// Returns the address of a function of this file.
pub fn find(name: &str) -> Option<usize> {
    let mut all = WITH_STREAM.iter().chain(WITHOUT_STREAM).chain(&[LAUNCH]);
    all.find(|(known, _)| *known == name).map(|(_, address)| *address as usize)
}

type Named = (&'static str, *const ());

const PER_THREAD: Handle = 2 as Handle;

/// Returns the stream that a caller means: null is the calling thread's own.
fn meant(stream: Handle) -> Handle {
    if stream.is_null() { PER_THREAD } else { stream }
}

/// `NAME[stream] = FUNCTION(arguments)`: the same function, with another default stream.
macro_rules! with_stream {
    ($($name:ident[$stream:ident] = $function:ident($($arg:ident: $ty:ty),*);)*) => {
        unsafe extern "C" {
            $(fn $function($($arg: $ty),*) -> Code;)*
        }
        $(
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($arg: $ty),*) -> Code {
                let $stream = meant($stream);
                // SAFETY: the others are passed on as they came.
                unsafe { $function($($arg),*) }
            }
        )*
        const WITH_STREAM: &[Named] = &[$((stringify!($name), $name as *const ())),*];
    };
}

with_stream! {
    cuEventRecordWithFlags_ptsz[stream] = cuEventRecordWithFlags(event: Handle, stream: Handle, flags: c_uint);
    cuEventRecord_ptsz[stream] = cuEventRecord(event: Handle, stream: Handle);
    cuGraphLaunch_ptsz[stream] = cuGraphLaunch(graph: Handle, stream: Handle);
    cuGraphUpload_ptsz[stream] = cuGraphUpload(graph: Handle, stream: Handle);
    cuGraphicsMapResources_ptsz[stream] = cuGraphicsMapResources(count: c_uint, all: *mut Handle, stream: Handle);
    cuGraphicsUnmapResources_ptsz[stream] = cuGraphicsUnmapResources(count: c_uint, all: *mut Handle, stream: Handle);
    cuLaunchCooperativeKernel_ptsz[stream] = cuLaunchCooperativeKernel(
        kernel: Handle, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: Handle, arguments: *mut *mut c_void
    );
    cuLaunchHostFunc_ptsz[stream] = cuLaunchHostFunc(
        stream: Handle, function: Option<HostFunction>, data: *mut c_void
    );
    cuLaunchKernel_ptsz[stream] = cuLaunchKernel(
        kernel: Handle, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: Handle, arguments: *mut *mut c_void, extra: *mut *mut c_void
    );
    cuMemAllocAsync_ptsz[stream] = cuMemAllocAsync(address: *mut Address, bytes: usize, stream: Handle);
    cuMemAllocFromPoolAsync_ptsz[stream] = cuMemAllocFromPoolAsync(
        address: *mut Address, bytes: usize, pool: Handle, stream: Handle
    );
    cuMemFreeAsync_ptsz[stream] = cuMemFreeAsync(address: Address, stream: Handle);
    cuMemPrefetchAsync_ptsz[stream] = cuMemPrefetchAsync(
        address: Address, bytes: usize, device: c_int, stream: Handle
    );
    cuMemPrefetchAsync_v2_ptsz[stream] = cuMemPrefetchAsync_v2(
        address: Address, bytes: usize, location: Location, flags: c_uint, stream: Handle
    );
    cuMemcpy2DAsync_v2_ptsz[stream] = cuMemcpy2DAsync_v2(copy: *const Copy2D, stream: Handle);
    cuMemcpy3DAsync_v2_ptsz[stream] = cuMemcpy3DAsync_v2(copy: *const Copy3D, stream: Handle);
    cuMemcpy3DPeerAsync_ptsz[stream] = cuMemcpy3DPeerAsync(copy: *const c_void, stream: Handle);
    cuMemcpyAsync_ptsz[stream] = cuMemcpyAsync(to: Address, from: Address, bytes: usize, stream: Handle);
    cuMemcpyAtoHAsync_v2_ptsz[stream] = cuMemcpyAtoHAsync_v2(
        to: *mut c_void, from: Handle, offset: usize, bytes: usize, stream: Handle
    );
    cuMemcpyDtoDAsync_v2_ptsz[stream] = cuMemcpyDtoDAsync_v2(
        to: Address, from: Address, bytes: usize, stream: Handle
    );
    cuMemcpyDtoHAsync_v2_ptsz[stream] = cuMemcpyDtoHAsync_v2(
        to: *mut c_void, from: Address, bytes: usize, stream: Handle
    );
    cuMemcpyHtoAAsync_v2_ptsz[stream] = cuMemcpyHtoAAsync_v2(
        to: Handle, offset: usize, from: *const c_void, bytes: usize, stream: Handle
    );
    cuMemcpyHtoDAsync_v2_ptsz[stream] = cuMemcpyHtoDAsync_v2(
        to: Address, from: *const c_void, bytes: usize, stream: Handle
    );
    cuMemcpyPeerAsync_ptsz[stream] = cuMemcpyPeerAsync(
        to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize, stream: Handle
    );
    cuMemsetD16Async_ptsz[stream] = cuMemsetD16Async(to: Address, value: c_short, count: usize, stream: Handle);
    cuMemsetD2D16Async_ptsz[stream] = cuMemsetD2D16Async(
        to: Address, pitch: usize, value: c_short, width: usize, height: usize, stream: Handle
    );
    cuMemsetD2D32Async_ptsz[stream] = cuMemsetD2D32Async(
        to: Address, pitch: usize, value: c_uint, width: usize, height: usize, stream: Handle
    );
    cuMemsetD2D8Async_ptsz[stream] = cuMemsetD2D8Async(
        to: Address, pitch: usize, value: u8, width: usize, height: usize, stream: Handle
    );
    cuMemsetD32Async_ptsz[stream] = cuMemsetD32Async(to: Address, value: c_uint, count: usize, stream: Handle);
    cuMemsetD8Async_ptsz[stream] = cuMemsetD8Async(to: Address, value: u8, count: usize, stream: Handle);
    cuSignalExternalSemaphoresAsync_ptsz[stream] = cuSignalExternalSemaphoresAsync(
        all: *const Handle, parameters: *const c_void, count: c_uint, stream: Handle
    );
    cuStreamAddCallback_ptsz[stream] = cuStreamAddCallback(
        stream: Handle, function: Option<Callback>, data: *mut c_void, flags: c_uint
    );
    cuStreamAttachMemAsync_ptsz[stream] = cuStreamAttachMemAsync(
        stream: Handle, address: Address, bytes: usize, flags: c_uint
    );
    cuStreamBatchMemOp_v2_ptsz[stream] = cuStreamBatchMemOp_v2(
        stream: Handle, count: c_uint, operations: *mut c_void, flags: c_uint
    );
    cuStreamBeginCapture_v2_ptsz[stream] = cuStreamBeginCapture_v2(stream: Handle, mode: c_int);
    cuStreamCopyAttributes_ptsz[stream] = cuStreamCopyAttributes(stream: Handle, from: Handle);
    cuStreamEndCapture_ptsz[stream] = cuStreamEndCapture(stream: Handle, graph: *mut Handle);
    cuStreamGetAttribute_ptsz[stream] = cuStreamGetAttribute(stream: Handle, which: c_int, value: *mut c_void);
    cuStreamGetCaptureInfo_v3_ptsz[stream] = cuStreamGetCaptureInfo_v3(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, after: *mut *const Handle,
        data: *mut *const c_void, count: *mut usize
    );
    cuStreamGetCtx_ptsz[stream] = cuStreamGetCtx(stream: Handle, context: *mut Handle);
    cuStreamGetCtx_v2_ptsz[stream] = cuStreamGetCtx_v2(stream: Handle, context: *mut Handle, green: *mut Handle);
    cuStreamGetDevice_ptsz[stream] = cuStreamGetDevice(stream: Handle, device: *mut c_int);
    cuStreamGetFlags_ptsz[stream] = cuStreamGetFlags(stream: Handle, flags: *mut c_uint);
    cuStreamGetId_ptsz[stream] = cuStreamGetId(stream: Handle, id: *mut u64);
    cuStreamGetPriority_ptsz[stream] = cuStreamGetPriority(stream: Handle, priority: *mut c_int);
    cuStreamIsCapturing_ptsz[stream] = cuStreamIsCapturing(stream: Handle, status: *mut c_int);
    cuStreamQuery_ptsz[stream] = cuStreamQuery(stream: Handle);
    cuStreamSetAttribute_ptsz[stream] = cuStreamSetAttribute(stream: Handle, which: c_int, value: *const c_void);
    cuStreamSynchronize_ptsz[stream] = cuStreamSynchronize(stream: Handle);
    cuStreamUpdateCaptureDependencies_v2_ptsz[stream] = cuStreamUpdateCaptureDependencies_v2(
        stream: Handle, dependencies: *mut Handle, edges: *const c_void, count: usize, flags: c_uint
    );
    cuStreamWaitEvent_ptsz[stream] = cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint);
    cuStreamWaitValue32_v2_ptsz[stream] = cuStreamWaitValue32_v2(
        stream: Handle, address: Address, value: u32, flags: c_uint
    );
    cuStreamWaitValue64_v2_ptsz[stream] = cuStreamWaitValue64_v2(
        stream: Handle, address: Address, value: u64, flags: c_uint
    );
    cuStreamWriteValue32_v2_ptsz[stream] = cuStreamWriteValue32_v2(
        stream: Handle, address: Address, value: u32, flags: c_uint
    );
    cuStreamWriteValue64_v2_ptsz[stream] = cuStreamWriteValue64_v2(
        stream: Handle, address: Address, value: u64, flags: c_uint
    );
    cuWaitExternalSemaphoresAsync_ptsz[stream] = cuWaitExternalSemaphoresAsync(
        all: *const Handle, parameters: *const c_void, count: c_uint, stream: Handle
    );
}

/// `NAME = FUNCTION(arguments)`: the asynchronous function in the thread's own stream, and a wait for that. A fill,
/// too, is waited for, which a GPU need not do.
macro_rules! without_stream {
    ($($name:ident = $function:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($arg: $ty),*) -> Code {
                // SAFETY: passed on as they came.
                match unsafe { $function($($arg,)* PER_THREAD) } {
                    // SAFETY: takes a stream.
                    0 => unsafe { cuStreamSynchronize(PER_THREAD) },
                    error => error,
                }
            }
        )*
        const WITHOUT_STREAM: &[Named] = &[$((stringify!($name), $name as *const ())),*];
    };
}

without_stream! {
    cuMemcpy2DUnaligned_v2_ptds = cuMemcpy2DAsync_v2(copy: *const Copy2D);
    cuMemcpy2D_v2_ptds = cuMemcpy2DAsync_v2(copy: *const Copy2D);
    cuMemcpy3DPeer_ptds = cuMemcpy3DPeerAsync(copy: *const c_void);
    cuMemcpy3D_v2_ptds = cuMemcpy3DAsync_v2(copy: *const Copy3D);
    cuMemcpyAtoH_v2_ptds = cuMemcpyAtoHAsync_v2(to: *mut c_void, from: Handle, offset: usize, bytes: usize);
    cuMemcpyDtoD_v2_ptds = cuMemcpyDtoDAsync_v2(to: Address, from: Address, bytes: usize);
    cuMemcpyDtoH_v2_ptds = cuMemcpyDtoHAsync_v2(to: *mut c_void, from: Address, bytes: usize);
    cuMemcpyHtoA_v2_ptds = cuMemcpyHtoAAsync_v2(to: Handle, offset: usize, from: *const c_void, bytes: usize);
    cuMemcpyHtoD_v2_ptds = cuMemcpyHtoDAsync_v2(to: Address, from: *const c_void, bytes: usize);
    cuMemcpyPeer_ptds = cuMemcpyPeerAsync(
        to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize
    );
    cuMemcpy_ptds = cuMemcpyAsync(to: Address, from: Address, bytes: usize);
    cuMemsetD16_v2_ptds = cuMemsetD16Async(to: Address, value: c_short, count: usize);
    cuMemsetD2D16_v2_ptds = cuMemsetD2D16Async(
        to: Address, pitch: usize, value: c_short, width: usize, height: usize
    );
    cuMemsetD2D32_v2_ptds = cuMemsetD2D32Async(
        to: Address, pitch: usize, value: c_uint, width: usize, height: usize
    );
    cuMemsetD2D8_v2_ptds = cuMemsetD2D8Async(to: Address, pitch: usize, value: u8, width: usize, height: usize);
    cuMemsetD32_v2_ptds = cuMemsetD32Async(to: Address, value: c_uint, count: usize);
    cuMemsetD8_v2_ptds = cuMemsetD8Async(to: Address, value: u8, count: usize);
}

const LAUNCH: Named = ("cuLaunchKernelEx_ptsz", cuLaunchKernelEx_ptsz as *const ());

/// The stream is in the configuration.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchKernelEx_ptsz(
    config: *const CUlaunchConfig,
    kernel: Handle,
    arguments: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Code {
    if config.is_null() {
        // SAFETY: passed on as they came.
        return unsafe { cu::cuLaunchKernelEx(config, kernel, arguments, extra) };
    }
    // SAFETY: the caller's struct.
    let mut config = unsafe { config.read_unaligned() };
    config.hStream = meant(config.hStream.cast()).cast();
    // SAFETY: a struct like the caller's; the others are passed on as they came.
    unsafe { cu::cuLaunchKernelEx(&config, kernel, arguments, extra) }
}

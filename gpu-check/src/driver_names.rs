//! Names of the driver API that the crate `driver` does not have: it declares what `cust` needs, and programs look up
//! every name of the headers of CUDA 12 and 13 when they start.
//!
//! Where a function has an older form with the same arguments, that is the same function under its name without a
//! suffix. Forms with addresses of 32 bits are refused, as all others: no allocation has such an address.

use crate::cu::{Code, Handle, HostFunction};
use crate::per_thread;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// Returns the address of a function of this file or of [`per_thread`].
pub fn find(name: &str) -> Option<usize> {
    let mut all = OLDER.iter().chain(REFUSED).chain(&[("cuStreamBeginCapture", cuStreamBeginCapture as *const ())]);
    let found = all.find(|(known, _)| *known == name).map(|(_, address)| *address as usize);
    found.or_else(|| per_thread::find(name))
}

type Named = (&'static str, *const ());

macro_rules! older {
    ($($name:ident = $newer:ident($($arg:ident: $ty:ty),*);)*) => {
        unsafe extern "C" {
            $(fn $newer($($arg: $ty),*) -> Code;)*
        }
        $(
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($arg: $ty),*) -> Code {
                // SAFETY: passed on as they came.
                unsafe { $newer($($arg),*) }
            }
        )*
        const OLDER: &[Named] = &[$((stringify!($name), $name as *const ())),*];
    };
}

older! {
    cuCtxCreate = cuCtxCreate_v2(context: *mut Handle, flags: c_uint, device: c_int);
    cuCtxDestroy = cuCtxDestroy_v2(context: Handle);
    cuCtxPopCurrent = cuCtxPopCurrent_v2(context: *mut Handle);
    cuCtxPushCurrent = cuCtxPushCurrent_v2(context: Handle);
    cuDevicePrimaryCtxRelease = cuDevicePrimaryCtxRelease_v2(device: c_int);
    cuDevicePrimaryCtxReset = cuDevicePrimaryCtxReset_v2(device: c_int);
    cuDevicePrimaryCtxSetFlags = cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint);
    cuEventDestroy = cuEventDestroy_v2(event: Handle);
    cuLinkAddData = cuLinkAddData_v2(
        state: Handle, kind: c_int, data: *mut c_void, bytes: usize, name: *const c_char, count: c_uint,
        options: *mut c_int, values: *mut *mut c_void
    );
    cuLinkAddFile = cuLinkAddFile_v2(
        state: Handle, kind: c_int, path: *const c_char, count: c_uint, options: *mut c_int, values: *mut *mut c_void
    );
    cuLinkCreate = cuLinkCreate_v2(
        count: c_uint, options: *mut c_int, values: *mut *mut c_void, state: *mut Handle
    );
    cuMemHostRegister = cuMemHostRegister_v2(pointer: *mut c_void, bytes: usize, flags: c_uint);
    cuStreamDestroy = cuStreamDestroy_v2(stream: Handle);
}

/// Begins a capture that no other thread may disturb (`CU_STREAM_CAPTURE_MODE_GLOBAL`).
#[unsafe(no_mangle)]
unsafe extern "C" fn cuStreamBeginCapture(stream: Handle) -> Code {
    // SAFETY: passed on as it came.
    unsafe { crate::cu::cuStreamBeginCapture_v2(stream, 0) }
}

/// Runs a function of the host in a stream. How the stream is waited for (`_mode`) makes no difference here.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchHostFunc_v2(
    stream: Handle,
    function: Option<HostFunction>,
    data: *mut c_void,
    _mode: c_uint,
) -> Code {
    // SAFETY: passed on as they came.
    unsafe { crate::cu::cuLaunchHostFunc(stream, function, data) }
}

macro_rules! refused {
    ($($name:ident)*) => {
        $(
            /// Looks at no argument.
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> Code {
                driver::unsupported(stringify!($name)) as Code
            }
        )*
        const REFUSED: &[Named] = &[$((stringify!($name), $name as *const ())),*];
    };
}

refused! {
    cuArray3DCreate
    cuArray3DGetDescriptor
    cuArrayCreate
    cuArrayGetDescriptor
    cuCheckpointOperationComplete
    cuCheckpointProcessCheckpoint
    cuCheckpointProcessGetRestoreThreadId
    cuCheckpointProcessGetState
    cuCheckpointProcessLock
    cuCheckpointProcessRestore
    cuCheckpointProcessUnlock
    cuCoredumpDeregisterCompleteCallback
    cuCoredumpDeregisterStartCallback
    cuCoredumpGetAttribute
    cuCoredumpGetAttributeGlobal
    cuCoredumpRegisterCompleteCallback
    cuCoredumpRegisterStartCallback
    cuCoredumpSetAttribute
    cuCoredumpSetAttributeGlobal
    cuCtxFromGreenCtx
    cuCtxGetDevResource
    cuCtxRecordEvent
    cuCtxSetFlags
    cuCtxWaitEvent
    cuDevResourceDestroyDesc
    cuDevResourceGenerateDesc
    cuDevSmResourceSplit
    cuDevSmResourceSplitByCount
    cuDeviceGetCliqueCount
    cuDeviceGetCliqueInfo
    cuDeviceGetDevResource
    cuDeviceGetFabricClusterUuid
    cuDeviceGetHostAtomicCapabilities
    cuDeviceGetP2PAtomicCapabilities
    cuDeviceRegisterAsyncNotification
    cuDeviceTotalMem
    cuDeviceUnregisterAsyncNotification
    cuEGLStreamConsumerAcquireFrame
    cuEGLStreamConsumerConnect
    cuEGLStreamConsumerConnectWithFlags
    cuEGLStreamConsumerDisconnect
    cuEGLStreamConsumerReleaseFrame
    cuEGLStreamProducerConnect
    cuEGLStreamProducerDisconnect
    cuEGLStreamProducerPresentFrame
    cuEGLStreamProducerReturnFrame
    cuFabricCpyBatchAsync
    cuFuncGetParamCount
    cuGLCtxCreate
    cuGLCtxCreate_v2
    cuGLGetDevices
    cuGLGetDevices_v2
    cuGLInit
    cuGLMapBufferObject
    cuGLMapBufferObjectAsync
    cuGLMapBufferObjectAsync_v2
    cuGLMapBufferObject_v2
    cuGLRegisterBufferObject
    cuGLSetBufferObjectMapFlags
    cuGLUnmapBufferObject
    cuGLUnmapBufferObjectAsync
    cuGLUnregisterBufferObject
    cuGraphAddBatchMemOpNode
    cuGraphBatchMemOpNodeGetParams
    cuGraphBatchMemOpNodeSetParams
    cuGraphExecBatchMemOpNodeSetParams
    cuGraphExecGetFlags
    cuGraphExecGetId
    cuGraphGetId
    cuGraphInstantiate
    cuGraphNodeGetContainingGraph
    cuGraphNodeGetLocalId
    cuGraphNodeGetToolsId
    cuGraphicsEGLRegisterImage
    cuGraphicsGLRegisterBuffer
    cuGraphicsGLRegisterImage
    cuGraphicsResourceGetMappedPointer
    cuGraphicsResourceSetMapFlags
    cuGraphicsVDPAURegisterOutputSurface
    cuGraphicsVDPAURegisterVideoSurface
    cuGreenCtxCreate
    cuGreenCtxDestroy
    cuGreenCtxGetDevResource
    cuGreenCtxGetId
    cuGreenCtxRecordEvent
    cuGreenCtxStreamCreate
    cuGreenCtxWaitEvent
    cuIpcOpenMemHandle
    cuKernelGetParamCount
    cuLogicalEndpointAddDevice
    cuLogicalEndpointBindAddr
    cuLogicalEndpointBindMem
    cuLogicalEndpointCreate
    cuLogicalEndpointDestroy
    cuLogicalEndpointExport
    cuLogicalEndpointGetLimits
    cuLogicalEndpointIdRelease
    cuLogicalEndpointIdReserve
    cuLogicalEndpointImport
    cuLogicalEndpointQuery
    cuLogicalEndpointUnbind
    cuLogsDumpToFile
    cuLogsDumpToMemory
    cuMemAlloc
    cuMemAllocHost
    cuMemAllocPitch
    cuMemBatchDecompressAsync
    cuMemFree
    cuMemGetAddressRange
    cuMemGetHandleForAddressRange
    cuMemGetInfo
    cuMemGetLocationInfo
    cuMemHostGetDevicePointer
    cuMemcpy2D
    cuMemcpy2DAsync
    cuMemcpy2DUnaligned
    cuMemcpy3D
    cuMemcpy3DAsync
    cuMemcpy3DBatchAsync
    cuMemcpy3DBatchAsync_ptsz
    cuMemcpy3DBatchAsync_v2
    cuMemcpy3DWithAttributesAsync
    cuMemcpyAtoA
    cuMemcpyAtoD
    cuMemcpyAtoH
    cuMemcpyAtoHAsync
    cuMemcpyBatchAsync_ptsz
    cuMemcpyDtoA
    cuMemcpyDtoD
    cuMemcpyDtoDAsync
    cuMemcpyDtoH
    cuMemcpyDtoHAsync
    cuMemcpyHtoA
    cuMemcpyHtoAAsync
    cuMemcpyHtoD
    cuMemcpyHtoDAsync
    cuMemsetD16
    cuMemsetD2D16
    cuMemsetD2D32
    cuMemsetD2D8
    cuMemsetD32
    cuMemsetD8
    cuModuleGetGlobal
    cuMulticastAddDevice
    cuMulticastBindAddr
    cuMulticastBindAddr_v2
    cuMulticastBindMem
    cuMulticastBindMem_v2
    cuMulticastCreate
    cuMulticastGetGranularity
    cuMulticastUnbind
    cuStreamBatchMemOp_ptsz
    cuStreamBeginCaptureToCig
    cuStreamBeginCapture_ptsz
    cuStreamBeginRecaptureToGraph
    cuStreamEndCaptureToCig
    cuStreamGetCaptureInfo_ptsz
    cuStreamGetCaptureInfo_v2_ptsz
    cuStreamGetDevResource
    cuStreamGetGreenCtx
    cuStreamUpdateCaptureDependencies_ptsz
    cuStreamWaitValue32_ptsz
    cuStreamWaitValue64_ptsz
    cuStreamWriteValue32_ptsz
    cuStreamWriteValue64_ptsz
    cuTensorMapEncodeIm2col
    cuTensorMapEncodeIm2colWide
    cuTensorMapSetAllocationClass
    cuTexRefGetAddress
    cuTexRefSetAddress
    cuTexRefSetAddress2D
    cuTexRefSetAddress2D_v2
    cuVDPAUCtxCreate
    cuVDPAUCtxCreate_v2
    cuVDPAUGetDevice
}

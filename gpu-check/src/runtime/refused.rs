//! The rest of the runtime's names: they exist, so that a program that never calls one runs, and each refuses by its
//! name.
//!
//! They are those that the libraries of CUDA 12.9 and 13.0 to 13.5 export. None looks at its arguments.

use super::call::{Error, answer};
use driver::Entry;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Says once for each function that there is no such thing here.
fn refuse(name: &'static str) -> u32 {
    static NAMED: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    answer(name, || {
        if NAMED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name) {
            words::complain(&say!("unsupported-function", name));
        }
        Err(Error::NOT_SUPPORTED)
    })
}

macro_rules! refused {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> u32 {
                refuse(stringify!($name))
            }
        )*
        pub fn refused() -> Vec<Entry> {
            vec![$(Entry { name: stringify!($name), address: || $name as *const () as usize, arguments: &[] }),*]
        }
    };
}

refused! {
    __cudaGetProcAddress
    __cudaRegisterHostVar
    __cudaRegisterSurface
    __cudaRegisterTexture
    __cudaRegisterUnifiedTable
    cudaBindSurfaceToArray
    cudaBindTexture
    cudaBindTexture2D
    cudaBindTextureToArray
    cudaBindTextureToMipmappedArray
    cudaDestroyExternalMemory
    cudaDestroyExternalSemaphore
    cudaDevResourceGenerateDesc
    cudaDevSmResourceSplit
    cudaDevSmResourceSplitByCount
    cudaDeviceFlushGPUDirectRDMAWrites
    cudaDeviceGetDevResource
    cudaDeviceGetExecutionCtx
    cudaDeviceGetHostAtomicCapabilities
    cudaDeviceGetNvSciSyncAttributes
    cudaDeviceGetP2PAtomicCapabilities
    cudaDeviceGetP2PAttribute
    cudaDeviceGetTexture1DLinearMaxWidth
    cudaDeviceRegisterAsyncNotification
    cudaDeviceUnregisterAsyncNotification
    cudaEGLStreamConsumerAcquireFrame
    cudaEGLStreamConsumerConnect
    cudaEGLStreamConsumerConnectWithFlags
    cudaEGLStreamConsumerDisconnect
    cudaEGLStreamConsumerReleaseFrame
    cudaEGLStreamProducerConnect
    cudaEGLStreamProducerDisconnect
    cudaEGLStreamProducerPresentFrame
    cudaEGLStreamProducerReturnFrame
    cudaEventCreateFromEGLSync
    cudaExecutionCtxDestroy
    cudaExecutionCtxGetDevResource
    cudaExecutionCtxGetDevice
    cudaExecutionCtxGetId
    cudaExecutionCtxRecordEvent
    cudaExecutionCtxStreamCreate
    cudaExecutionCtxSynchronize
    cudaExecutionCtxWaitEvent
    cudaExternalMemoryGetMappedBuffer
    cudaExternalMemoryGetMappedMipmappedArray
    cudaFuncGetParamCount
    cudaGLGetDevices
    cudaGLMapBufferObject
    cudaGLMapBufferObjectAsync
    cudaGLRegisterBufferObject
    cudaGLSetBufferObjectMapFlags
    cudaGLSetGLDevice
    cudaGLUnmapBufferObject
    cudaGLUnmapBufferObjectAsync
    cudaGLUnregisterBufferObject
    cudaGetExportTable
    cudaGetSurfaceReference
    cudaGetTextureAlignmentOffset
    cudaGetTextureReference
    cudaGraphAddExternalSemaphoresSignalNode
    cudaGraphAddExternalSemaphoresWaitNode
    cudaGraphExecExternalSemaphoresSignalNodeSetParams
    cudaGraphExecExternalSemaphoresWaitNodeSetParams
    cudaGraphExecGetFlags
    cudaGraphExecGetId
    cudaGraphExecMemcpyNodeSetParamsFromSymbol
    cudaGraphExecMemcpyNodeSetParamsToSymbol
    cudaGraphExecUpdate_v2
    cudaGraphExternalSemaphoresSignalNodeGetParams
    cudaGraphExternalSemaphoresSignalNodeSetParams
    cudaGraphExternalSemaphoresWaitNodeGetParams
    cudaGraphExternalSemaphoresWaitNodeSetParams
    cudaGraphGetId
    cudaGraphMemcpyNodeSetParamsFromSymbol
    cudaGraphMemcpyNodeSetParamsToSymbol
    cudaGraphNodeGetContainingGraph
    cudaGraphNodeGetLocalId
    cudaGraphNodeGetParams
    cudaGraphNodeGetToolsId
    cudaGraphicsEGLRegisterImage
    cudaGraphicsGLRegisterBuffer
    cudaGraphicsGLRegisterImage
    cudaGraphicsMapResources
    cudaGraphicsResourceGetMappedEglFrame
    cudaGraphicsResourceGetMappedMipmappedArray
    cudaGraphicsResourceGetMappedPointer
    cudaGraphicsResourceSetMapFlags
    cudaGraphicsSubResourceGetMappedArray
    cudaGraphicsUnmapResources
    cudaGraphicsUnregisterResource
    cudaGraphicsVDPAURegisterOutputSurface
    cudaGraphicsVDPAURegisterVideoSurface
    cudaGreenCtxCreate
    cudaImportExternalMemory
    cudaImportExternalSemaphore
    cudaLaunchCooperativeKernelMultiDevice
    cudaLaunchHostFunc_v2
    cudaLaunchHostFunc_v2_ptsz
    cudaLibraryGetUnifiedFunction
    cudaLogsDumpToFile
    cudaLogsDumpToMemory
    cudaMemDiscardAndPrefetchBatchAsync_ptsz
    cudaMemDiscardBatchAsync_ptsz
    cudaMemGetLocationInfo
    cudaMemPrefetchBatchAsync_ptsz
    cudaMemcpy3DBatchAsync
    cudaMemcpy3DBatchAsync_ptsz
    cudaMemcpy3DPeer
    cudaMemcpy3DPeerAsync
    cudaMemcpy3DPeerAsync_ptsz
    cudaMemcpy3DPeer_ptds
    cudaMemcpy3DWithAttributesAsync
    cudaMemcpy3DWithAttributesAsync_ptsz
    cudaMemcpyArrayToArray
    cudaMemcpyArrayToArray_ptds
    cudaMemcpyBatchAsync_ptsz
    cudaMemcpyWithAttributesAsync_ptsz
    cudaSetDoubleForDevice
    cudaSetDoubleForHost
    cudaSignalExternalSemaphoresAsync
    cudaSignalExternalSemaphoresAsync_ptsz
    cudaSignalExternalSemaphoresAsync_v2
    cudaSignalExternalSemaphoresAsync_v2_ptsz
    cudaStreamBeginRecaptureToGraph
    cudaStreamBeginRecaptureToGraph_ptsz
    cudaStreamGetDevResource
    cudaStreamGetDevResource_ptsz
    cudaSubgridCreate
    cudaSubgridWorkerGridCreate
    cudaSubgridWorksetCreate
    cudaThreadGetCacheConfig
    cudaThreadGetLimit
    cudaThreadSetCacheConfig
    cudaThreadSetLimit
    cudaUnbindTexture
    cudaVDPAUGetDevice
    cudaVDPAUSetVDPAUDevice
    cudaWaitExternalSemaphoresAsync
    cudaWaitExternalSemaphoresAsync_ptsz
    cudaWaitExternalSemaphoresAsync_v2
    cudaWaitExternalSemaphoresAsync_v2_ptsz
}
